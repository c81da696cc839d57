#include "kv/fit.h"

#ifdef __AVX512F__
#include "kv/fit.inc"
#endif

namespace longleaf {

FitGroup avx512_fit() {
#ifdef __AVX512F__
  return fit;
#else
  return nullptr;
#endif
}

}  // namespace longleaf

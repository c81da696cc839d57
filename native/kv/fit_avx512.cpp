#include "kv/fit.h"

#ifdef __AVX512F__
#include "kv/fit.inc"

namespace longleaf {

void fit_group_avx512(float* x, size_t begin, size_t end, const ErrorShape* shape, float step, float first,
                      float last, Fit* out) {
  fit(x, begin, end, shape, step, first, last, out);
}

}  // namespace longleaf

#else

namespace longleaf {

void fit_group_avx512(float* x, size_t begin, size_t end, const ErrorShape* shape, float step, float first,
                      float last, Fit* out) {
  fit_group_scalar(x, begin, end, shape, step, first, last, out);
}

}  // namespace longleaf

#endif

// AVX-512 with VNNI.
#include "kernels/kernels.h"

#ifdef __AVX512VNNI__
#include <immintrin.h>

namespace longleaf {
namespace {

constexpr const char* kName = "avx512";

#include "kernels/avx512.inc"

// sum += a's 16-bit pairs . w's
// Not the intrinsic: GCC 12 copies its accumulator before every one of them, through the stack when 24 are
// live.
LL_LEAF Words dot_pairs(Words sum, Words a, Words w) {
  asm("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(w));
  return sum;
}

#include "kernels/body.inc"

}  // namespace

const Kernels* avx512_kernels() { return &kTable; }

}  // namespace longleaf

#else

namespace longleaf {
const Kernels* avx512_kernels() { return nullptr; }
}  // namespace longleaf

#endif

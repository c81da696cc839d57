// AVX-512 (F, BW, VL, DQ) without VNNI.
#include "kernels/kernels.h"

#ifdef __AVX512F__
#include <immintrin.h>

namespace longleaf {
namespace {

constexpr const char* kName = "avx512bw";

#include "kernels/avx512.inc"

// sum += a's 16-bit pairs . w's
LL_LEAF Words dot_pairs(Words sum, Words a, Words w) {
  return _mm512_add_epi32(sum, _mm512_madd_epi16(a, w));
}

#include "kernels/body.inc"

}  // namespace

const Kernels* avx512bw_kernels() { return &kTable; }

}  // namespace longleaf

#else

namespace longleaf {
const Kernels* avx512bw_kernels() { return nullptr; }
}  // namespace longleaf

#endif

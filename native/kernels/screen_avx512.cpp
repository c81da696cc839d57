#include "kernels/screen.h"

#ifdef __AVX512BW__
#include <immintrin.h>

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"
typedef int32_t Ints __attribute__((vector_size(64)));

#include "kernels/screen_avx512.inc"
#include "kernels/screen_fine.inc"

LL_LEAF __m512i word_of(const int8_t* p) {
  int32_t word;
  __builtin_memcpy(&word, p, sizeof word);
  return _mm512_set1_epi32(word);
}

// Eight products of pairs, each at most 2 * 15 * 127, fit 16 bits.
template <int M>
LL_LEAF void nibble_products(const std::byte* codes, const int8_t* quads, Ints* total) {
  __m512i sum[M];
#pragma GCC unroll 8
  for (int m = 0; m < M; ++m) sum[m] = _mm512_setzero_si512();
  each_quad<M>(codes, quads, [&](int m, __m512i c, const int8_t* quad) __attribute__((always_inline)) {
    sum[m] = _mm512_add_epi16(sum[m], _mm512_maddubs_epi16(c, word_of(quad)));
  });
#pragma GCC unroll 8
  for (int m = 0; m < M; ++m) {
    total[m] += reinterpret_cast<Ints>(_mm512_madd_epi16(sum[m], _mm512_set1_epi16(1)));
  }
}

#include "kernels/screen.inc"

}  // namespace

const ScreenKernels* avx512_screen() { return &kScreen; }

}  // namespace longleaf

#else

namespace longleaf {
const ScreenKernels* avx512_screen() { return nullptr; }
}  // namespace longleaf

#endif

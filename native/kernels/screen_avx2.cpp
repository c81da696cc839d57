#include "kernels/screen.h"

#ifdef __AVX2__
#include <immintrin.h>

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"
typedef int32_t Ints __attribute__((vector_size(64)));

#include "kernels/screen_fine.inc"

LL_LEAF __m256i word_of(const int8_t* p) {
  int32_t word;
  __builtin_memcpy(&word, p, sizeof word);
  return _mm256_set1_epi32(word);
}

// 8 of the 16 rows. Eight products of pairs, each at most 2 * 15 * 127, fit 16 bits.
template <int M>
LL_LEAF void half_products(const std::byte* codes, const ScreenActivation* rows, size_t at, __m256i* total) {
  const __m256i nibble = _mm256_set1_epi8(15);
  __m256i high[M], low[M];
  for (int m = 0; m < M; ++m) high[m] = low[m] = _mm256_setzero_si256();
  for (size_t j = 0; j < 4; ++j) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + j * 64));
    const __m256i c[2] = {_mm256_and_si256(bytes, nibble),
                          _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble)};
    for (size_t n = 0; n < 2; ++n) {
      const size_t column = at + j * 8 + n * 4;
      for (int m = 0; m < M; ++m) {
        high[m] = _mm256_add_epi16(high[m], _mm256_maddubs_epi16(c[n], word_of(rows[m].high + column)));
        low[m] = _mm256_add_epi16(low[m], _mm256_maddubs_epi16(c[n], word_of(rows[m].low + column)));
      }
    }
  }
  const __m256i one = _mm256_set1_epi16(1);
  for (int m = 0; m < M; ++m) {
    const __m256i coarse = _mm256_slli_epi32(_mm256_madd_epi16(high[m], one), 7);
    total[m] = _mm256_add_epi32(coarse, _mm256_madd_epi16(low[m], one));
  }
}

template <int M>
LL_LEAF void nibble_products(const std::byte* codes, const ScreenActivation* rows, size_t at, Ints* total) {
  __m256i halves[2][M];
  half_products<M>(codes, rows, at, halves[0]);
  half_products<M>(codes + 32, rows, at, halves[1]);
  for (int m = 0; m < M; ++m) {
    Ints both;
    __builtin_memcpy(&both, &halves[0][m], 32);
    __builtin_memcpy(reinterpret_cast<char*>(&both) + 32, &halves[1][m], 32);
    total[m] += both;
  }
}

#include "kernels/screen.inc"

}  // namespace

const ScreenKernels* avx2_screen() { return &kScreen; }

}  // namespace longleaf

#else

namespace longleaf {
const ScreenKernels* avx2_screen() { return nullptr; }
}  // namespace longleaf

#endif

#include "kernels/screen.h"

#ifdef __AVX2__
#include <immintrin.h>

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"
typedef int32_t Ints __attribute__((vector_size(64)));

#include "kernels/screen_fine.inc"

LL_LEAF Ints load_bytes(const std::byte* p) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m256i halves[2] = {_mm256_cvtepu8_epi32(bytes), _mm256_cvtepu8_epi32(_mm_srli_si128(bytes, 8))};
  Ints out;
  __builtin_memcpy(&out, halves, sizeof out);
  return out;
}

constexpr size_t kRowsAtOnce = 4;

LL_LEAF __m256i word_of(const int8_t* p) {
  int32_t word;
  __builtin_memcpy(&word, p, sizeof word);
  return _mm256_set1_epi32(word);
}

// 8 of the 16 rows. Eight products of pairs, each at most 2 * 15 * 127, fit 16 bits.
template <int M>
LL_LEAF void half_products(const std::byte* codes, const int8_t* quads, __m256i* total) {
  const __m256i nibble = _mm256_set1_epi8(15);
  __m256i sum[M];
  for (int m = 0; m < M; ++m) sum[m] = _mm256_setzero_si256();
  for (size_t j = 0; j < 4; ++j) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + j * 64));
    const __m256i c[2] = {_mm256_and_si256(bytes, nibble),
                          _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble)};
    for (size_t n = 0; n < 2; ++n) {
      const int8_t* quad = quads + (2 * j + n) * kScreenRows * 4;
      for (int m = 0; m < M; ++m) {
        sum[m] = _mm256_add_epi16(sum[m], _mm256_maddubs_epi16(c[n], word_of(quad + m * 4)));
      }
    }
  }
  for (int m = 0; m < M; ++m) total[m] = _mm256_madd_epi16(sum[m], _mm256_set1_epi16(1));
}

template <int M>
LL_LEAF void nibble_products(const std::byte* codes, const int8_t* quads, Ints* total) {
  __m256i halves[2][M];
  half_products<M>(codes, quads, halves[0]);
  half_products<M>(codes + 32, quads, halves[1]);
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

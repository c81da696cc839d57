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
constexpr int kPanelsAtOnce = 1;

LL_LEAF __m256i word_of(const int8_t* p) {
  int32_t word;
  __builtin_memcpy(&word, p, sizeof word);
  return _mm256_set1_epi32(word);
}

LL_LEAF __m256i load_half(const std::byte* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

LL_LEAF __m256i nibbles_of(__m256i bytes, int half) {
  return _mm256_and_si256(half == 0 ? bytes : _mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
}

// Adds the sums of the quads codes(q, lane) by those of M rows of activations, times factor; lanes of 8 rows
// of weights. Eight products of pairs, each at most 2 * 15 * 127, fit 16 bits.
template <int M, int Quads, class Codes>
LL_LEAF void pair_products(const int8_t* quads, Ints (*total)[1], int factor, Codes codes) {
  __m256i sum[2][M];
  for (size_t lane = 0; lane < 2; ++lane) {
    for (int m = 0; m < M; ++m) sum[lane][m] = _mm256_setzero_si256();
    for (size_t q = 0; q < Quads; ++q) {
      const __m256i c = codes(q, lane);
      for (int m = 0; m < M; ++m) {
        const __m256i word = word_of(quads + q * kScreenRows * 4 + m * 4);
        sum[lane][m] = _mm256_add_epi16(sum[lane][m], _mm256_maddubs_epi16(c, word));
      }
    }
  }
  const __m256i factors = _mm256_set1_epi16(static_cast<int16_t>(factor));
  for (int m = 0; m < M; ++m) {
    const __m256i halves[2] = {_mm256_madd_epi16(sum[0][m], factors), _mm256_madd_epi16(sum[1][m], factors)};
    Ints both;
    __builtin_memcpy(&both, halves, sizeof both);
    total[m][0] += both;
  }
}

template <int M, int N>
LL_LEAF void nibble_products(const std::byte* codes, size_t, const int8_t* quads, Ints (*total)[N]) {
  pair_products<M, 8>(quads, total, 1, [&](size_t q, size_t lane) {
    return nibbles_of(load_half(codes + q / 2 * 64 + lane * 32), static_cast<int>(q % 2));
  });
}

template <int M, int N>
LL_LEAF void reach_products(const std::byte* steps, size_t, const int8_t* reaches, Ints (*total)[N]) {
  static_assert(2 * 255 * kScreenReach < 1 << 15);
  pair_products<M, 1>(reaches, total, 1, [&](size_t, size_t lane) { return load_half(steps + lane * 32); });
}

template <int M, int N>
LL_LEAF void byte_products(const std::byte* codes, size_t, const int8_t* quads, Ints (*total)[N]) {
  for (int half = 0; half < 2; ++half) {
    pair_products<M, 8>(quads, total, half == 0 ? 1 : 16, [&](size_t q, size_t lane) {
      return nibbles_of(load_half(codes + q * 64 + lane * 32), half);
    });
  }
}

LL_LEAF void add_scaled(Ints& sum, Ints total, Ints step) { sum += total * step; }

#include "kernels/screen.inc"

}  // namespace

const ScreenKernels* avx2_screen() { return &kScreen; }

}  // namespace longleaf

#else

namespace longleaf {
const ScreenKernels* avx2_screen() { return nullptr; }
}  // namespace longleaf

#endif

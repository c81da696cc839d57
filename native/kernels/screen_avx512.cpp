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

// Eight products of pairs, each at most 2 * 15 * 127, fit 16 bits.
template <int M, int N, class Codes>
LL_LEAF void pair_products(Ints (*total)[N], int factor, Codes codes) {
  __m512i sum[M][N];
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) sum[m][n] = _mm512_setzero_si512();
  }
  codes([&](int m, int n, __m512i c, __m512i word) __attribute__((always_inline)) {
    sum[m][n] = _mm512_add_epi16(sum[m][n], _mm512_maddubs_epi16(c, word));
  });
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      total[m][n] += reinterpret_cast<Ints>(
          _mm512_madd_epi16(sum[m][n], _mm512_set1_epi16(static_cast<int16_t>(factor))));
    }
  }
}

template <int M, int N>
LL_LEAF void nibble_products(const std::byte* codes, size_t stride, const int8_t* quads, Ints (*total)[N]) {
  pair_products<M, N>(
      total, 1, [&](auto add) __attribute__((always_inline)) { each_quad<M, N>(codes, stride, quads, add); });
}

template <int M, int N>
LL_LEAF void reach_products(const std::byte* steps, size_t stride, const int8_t* reaches, Ints (*total)[N]) {
  static_assert(2 * 255 * kScreenReach < 1 << 15);
  __m512i bytes[N];
  for (int n = 0; n < N; ++n) bytes[n] = _mm512_loadu_si512(steps + static_cast<size_t>(n) * stride);
  pair_products<M, N>(total, 1,
                      [&](auto add) __attribute__((always_inline)) { each_row<M, N>(bytes, reaches, add); });
}

template <int M, int N>
LL_LEAF void byte_products(const std::byte* codes, size_t stride, const int8_t* quads, Ints (*total)[N]) {
  for (int half = 0; half < 2; ++half) {
    pair_products<M, N>(total, half == 0 ? 1 : 16, [&](auto add) __attribute__((always_inline)) {
      for (size_t q = 0; q < kScreenGroup / 4; ++q) {
        __m512i bytes[N];
        for (int n = 0; n < N; ++n) {
          bytes[n] = nibbles_of(_mm512_loadu_si512(codes + static_cast<size_t>(n) * stride + q * 64), half);
        }
        each_row<M, N>(bytes, quads + q * kScreenRows * 4, add);
      }
    });
  }
}

LL_LEAF void add_scaled(Ints& sum, Ints total, Ints step) {
  sum += reinterpret_cast<Ints>(
      _mm512_madd_epi16(reinterpret_cast<__m512i>(total), reinterpret_cast<__m512i>(step)));
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

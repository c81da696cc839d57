#include "kernels/screen.h"

#ifdef __AVX512VNNI__
#include <immintrin.h>

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"
typedef int32_t Ints __attribute__((vector_size(64)));

#include "kernels/screen_avx512.inc"
#include "kernels/screen_fine.inc"

// Not the intrinsics: see dot_pairs of the kernels.
LL_LEAF void add_products(Ints& total, __m512i codes, __m512i word) {
  asm("vpdpbusd %2, %1, %0" : "+v"(total) : "v"(codes), "v"(word));
}

template <int M, int N>
LL_LEAF void nibble_products(const std::byte* codes, size_t stride, const int8_t* quads, Ints (*total)[N]) {
  each_quad<M, N>(codes, stride, quads,
                  [&](int m, int n, __m512i c, __m512i word)
                      __attribute__((always_inline)) { add_products(total[m][n], c, word); });
}

template <int M, int N>
LL_LEAF void reach_products(const std::byte* steps, size_t stride, const int8_t* reaches, Ints (*total)[N]) {
  __m512i bytes[N];
  for (int n = 0; n < N; ++n) bytes[n] = _mm512_loadu_si512(steps + static_cast<size_t>(n) * stride);
  each_row<M, N>(bytes, reaches, [&](int m, int n, __m512i c, __m512i word) __attribute__((always_inline)) {
    add_products(total[m][n], c, word);
  });
}

template <int M, int N>
LL_LEAF void byte_products(const std::byte* codes, size_t stride, const int8_t* quads, Ints (*total)[N]) {
  for (size_t q = 0; q < kScreenGroup / 4; ++q) {
    reach_products<M, N>(codes + q * 64, stride, quads + q * kScreenRows * 4, total);
  }
}

// The upper halves of totals meet those of steps, which are zero.
LL_LEAF void add_scaled(Ints& sum, Ints total, Ints step) {
  asm("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(total), "v"(step));
}

#include "kernels/screen.inc"

}  // namespace

const ScreenKernels* vnni_screen() { return &kScreen; }

}  // namespace longleaf

#else

namespace longleaf {
const ScreenKernels* vnni_screen() { return nullptr; }
}  // namespace longleaf

#endif

#include "kernels/screen.h"

#ifdef __AVX512VNNI__
#include <immintrin.h>

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"
typedef int32_t Ints __attribute__((vector_size(64)));

#include "kernels/screen_fine.inc"

LL_LEAF Ints load_bytes(const std::byte* p) {
  return reinterpret_cast<Ints>(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}

constexpr size_t kRowsAtOnce = 8;

// Not the intrinsic: see dot_pairs of the kernels.
LL_LEAF void add_products(Ints& total, __m512i codes, const int8_t* quad) {
  asm("vpdpbusd %2%{1to16%}, %1, %0"
      : "+v"(total)
      : "v"(codes), "m"(*reinterpret_cast<const int32_t*>(quad)));
}

template <int M>
LL_LEAF void nibble_products(const std::byte* codes, const int8_t* quads, Ints* total) {
  const __m512i nibble = _mm512_set1_epi8(15);
#pragma GCC unroll 4
  for (size_t j = 0; j < 4; ++j) {
    const __m512i bytes = _mm512_loadu_si512(codes + j * 64);
    const __m512i c[2] = {_mm512_and_si512(bytes, nibble),
                          _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble)};
#pragma GCC unroll 2
    for (size_t n = 0; n < 2; ++n) {
      const int8_t* quad = quads + (2 * j + n) * kScreenRows * 4;
#pragma GCC unroll 8
      for (int m = 0; m < M; ++m) add_products(total[m], c[n], quad + m * 4);
    }
  }
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

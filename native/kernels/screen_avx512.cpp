#include "kernels/screen.h"

#ifdef __AVX512BW__
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

LL_LEAF __m512i word_of(const int8_t* p) {
  int32_t word;
  __builtin_memcpy(&word, p, sizeof word);
  return _mm512_set1_epi32(word);
}

// Eight products of pairs, each at most 2 * 15 * 127, fit 16 bits.
template <int M>
LL_LEAF void nibble_products(const std::byte* codes, const int8_t* quads, Ints* total) {
  const __m512i nibble = _mm512_set1_epi8(15);
  __m512i sum[M];
#pragma GCC unroll 8
  for (int m = 0; m < M; ++m) sum[m] = _mm512_setzero_si512();
#pragma GCC unroll 4
  for (size_t j = 0; j < 4; ++j) {
    const __m512i bytes = _mm512_loadu_si512(codes + j * 64);
    const __m512i c[2] = {_mm512_and_si512(bytes, nibble),
                          _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble)};
#pragma GCC unroll 2
    for (size_t n = 0; n < 2; ++n) {
      const int8_t* quad = quads + (2 * j + n) * kScreenRows * 4;
#pragma GCC unroll 8
      for (int m = 0; m < M; ++m) {
        sum[m] = _mm512_add_epi16(sum[m], _mm512_maddubs_epi16(c[n], word_of(quad + m * 4)));
      }
    }
  }
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

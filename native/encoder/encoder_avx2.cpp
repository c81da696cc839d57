#include "encoder/encoder.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <type_traits>
#include <vector>

#include "runtime/memory.h"

namespace longleaf {
namespace {

#include "encoder/body.inc"

struct Products {
  static constexpr size_t kRows = 6, kQuadStep = 1;

  // Products of 16 bits, as those of u8 and s8 would overflow the 16-bit sums of vpmaddubsw. A sum has two
  // halves, inputs 0 and 1 of each four and inputs 2 and 3, added at the end.
  void dot(const uint8_t* rows, size_t lda, size_t m, const int8_t* panel, size_t step, size_t quads,
           size_t vectors, int32_t* sums) const {
    constexpr size_t kParts = 4;  // of 4 outputs each
    for (size_t r = 0; r < m; r += 2) {
      for (size_t n = 0; n < vectors * kLanes; n += 4 * kParts) {
        __m256i acc[2][kParts];
#pragma GCC unroll 4
        for (size_t v = 0; v < kParts; ++v) acc[0][v] = acc[1][v] = _mm256_setzero_si256();
        for (size_t quad = 0; quad < quads; ++quad) {
          __m256i x[2];
#pragma GCC unroll 2
          for (size_t i = 0; i < 2; ++i) {
            int32_t four;
            __builtin_memcpy(&four, rows + (r + i) * lda + quad * 4, sizeof four);
            x[i] = _mm256_cvtepu8_epi16(_mm_set1_epi32(four));
          }
#pragma GCC unroll 4
          for (size_t v = 0; v < kParts; ++v) {
            const int8_t* weights = panel + quad * step + (n + v * 4) * 4;
            const __m256i w =
                _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
            acc[0][v] = _mm256_add_epi32(acc[0][v], _mm256_madd_epi16(x[0], w));
            acc[1][v] = _mm256_add_epi32(acc[1][v], _mm256_madd_epi16(x[1], w));
          }
        }
        for (size_t i = 0; i < 2; ++i) {
          for (size_t v = 0; v < kParts; ++v) {
            alignas(32) int32_t halves[8];
            _mm256_store_si256(reinterpret_cast<__m256i*>(halves), acc[i][v]);
            for (size_t o = 0; o < 4; ++o) {
              sums[(r + i) * kOutputs + n + v * 4 + o] = halves[2 * o] + halves[2 * o + 1];
            }
          }
        }
      }
    }
  }
};

}  // namespace

std::unique_ptr<EncoderBody> avx2_encoder(const EncoderWeights& weights, int threads) {
  return std::make_unique<Body<Products>>(weights, threads);
}

}  // namespace longleaf

#else

namespace longleaf {
std::unique_ptr<EncoderBody> avx2_encoder(const EncoderWeights&, int) { return nullptr; }
}  // namespace longleaf

#endif

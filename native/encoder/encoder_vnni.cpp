#include "encoder/encoder.h"

#if defined(__x86_64__) || defined(__i386__)

#include <immintrin.h>

#include <vector>

namespace longleaf {
namespace {

void dot_block(const uint8_t* rows, size_t lda, const int8_t* panel, size_t quads, int32_t* sums);

#include "encoder/body.inc"

void dot_block(const uint8_t* rows, size_t lda, const int8_t* panel, size_t quads, int32_t* sums) {
  // All loops over the sums are unrolled, else GCC keeps them in memory and not in registers.
  __m512i acc[kRows][4];
#pragma GCC unroll 6
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (size_t p = 0; p < 4; ++p) acc[r][p] = _mm512_setzero_si512();
  }
  for (size_t quad = 0; quad < quads; ++quad) {
    __m512i w[4];
#pragma GCC unroll 4
    for (size_t p = 0; p < 4; ++p) w[p] = _mm512_loadu_si512(panel + (quad * 4 + p) * 64);
#pragma GCC unroll 6
    for (size_t r = 0; r < kRows; ++r) {
      int32_t four;
      __builtin_memcpy(&four, rows + r * lda + quad * 4, sizeof four);
      const __m512i x = _mm512_set1_epi32(four);
#pragma GCC unroll 4
      for (size_t p = 0; p < 4; ++p) acc[r][p] = _mm512_dpbusd_epi32(acc[r][p], x, w[p]);
    }
  }
#pragma GCC unroll 6
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (size_t p = 0; p < 4; ++p) _mm512_storeu_si512(sums + r * kOutputs + p * 16, acc[r][p]);
  }
}

}  // namespace

std::unique_ptr<EncoderBody> vnni_encoder(const EncoderWeights& weights, int threads) {
  return std::make_unique<Body>(weights, threads);
}

}  // namespace longleaf

#else

namespace longleaf {
std::unique_ptr<EncoderBody> vnni_encoder(const EncoderWeights&, int) { return nullptr; }
}  // namespace longleaf

#endif

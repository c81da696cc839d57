#include <vector>

#include "encoder/encoder.h"

// Vectors wider than the target's registers are passed between functions of this file only.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace longleaf {
namespace {

void dot_block(const uint8_t* rows, size_t lda, const int8_t* panel, size_t quads, int32_t* sums);

#include "encoder/body.inc"

void dot_block(const uint8_t* rows, size_t lda, const int8_t* panel, size_t quads, int32_t* sums) {
  for (size_t r = 0; r < kRows; ++r) {
    int32_t* row_sums = sums + r * kOutputs;
    for (size_t n = 0; n < kOutputs; ++n) row_sums[n] = 0;
    for (size_t quad = 0; quad < quads; ++quad) {
      const uint8_t* x = rows + r * lda + quad * 4;
      const int8_t* w = panel + quad * kOutputs * 4;
      for (size_t n = 0; n < kOutputs; ++n) {
        row_sums[n] += x[0] * w[4 * n] + x[1] * w[4 * n + 1] + x[2] * w[4 * n + 2] + x[3] * w[4 * n + 3];
      }
    }
  }
}

}  // namespace

std::unique_ptr<EncoderBody> scalar_encoder(const EncoderWeights& weights, int threads) {
  return std::make_unique<Body>(weights, threads);
}

}  // namespace longleaf

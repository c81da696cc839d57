#include <type_traits>
#include <vector>

#include "encoder/encoder.h"
#include "runtime/memory.h"

namespace longleaf {
namespace {

#include "encoder/body.inc"

struct Products {
  static constexpr size_t kRows = 6, kQuadStep = 1;

  void dot(const uint8_t* rows, size_t lda, size_t m, const int8_t* panel, size_t step, size_t quads,
           size_t vectors, int32_t* sums) const {
    for (size_t r = 0; r < m; ++r) {
      int32_t* row_sums = sums + r * kOutputs;
      for (size_t n = 0; n < vectors * kLanes; ++n) row_sums[n] = 0;
      for (size_t quad = 0; quad < quads; ++quad) {
        const uint8_t* x = rows + r * lda + quad * 4;
        const int8_t* w = panel + quad * step;
        for (size_t n = 0; n < vectors * kLanes; ++n) {
          row_sums[n] += x[0] * w[4 * n] + x[1] * w[4 * n + 1] + x[2] * w[4 * n + 2] + x[3] * w[4 * n + 3];
        }
      }
    }
  }
};

}  // namespace

std::unique_ptr<EncoderBody> scalar_encoder(const EncoderWeights& weights, int threads) {
  return std::make_unique<Body<Products>>(weights, threads);
}

}  // namespace longleaf

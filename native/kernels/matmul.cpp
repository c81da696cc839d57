#include "kernels/matmul.h"

#include <algorithm>
#include <cstring>

namespace longleaf {
namespace {

constexpr size_t kTileCols = 256;     // columns unpacked at once: a tile of 32 KiB for two panels
constexpr size_t kPair = 2 * kLanes;  // rows of weights in a unit of work
constexpr size_t kPairsPerBlock = kBlockRows / kPair;

// Rows of weights [pair * 32, +32) by all rows of x.
void pair_product(const Kernels& kernels, float* tile, const float* x, size_t ldx, size_t rows,
                  const PackedMatrix& w, size_t pair, float* out, size_t ldo) {
  const std::byte* block = w.data + pair / kPairsPerBlock * w.block_bytes;
  const size_t panel = pair % kPairsPerBlock * 2;
  const size_t first = pair * kPair;
  const size_t valid = std::min(kPair, w.rows - first);
  const size_t step = std::max<size_t>(kTileCols / w.format.chunk_cols, 1) * w.format.chunk_cols;
  // The last, incomplete pair of a matrix goes through a buffer of its own: it must not write past the row.
  constexpr size_t kEdgeRows = 64;
  float* edge = tile + step * kPair;
  const size_t rows_at_once = valid == kPair ? rows : kEdgeRows;
  for (size_t row = 0; row < rows; row += rows_at_once) {
    const size_t now = std::min(rows_at_once, rows - row);
    float* c = valid == kPair ? out + row * ldo + first : edge;
    const size_t ldc = valid == kPair ? ldo : kPair;
    for (size_t k = 0; k < w.cols; k += step) {
      const size_t cols = std::min(step, w.cols - k);
      kernels.unpack(w.format, block, panel, k, cols, tile);
      kernels.gemm(x + row * ldx + k, ldx, tile, cols * kLanes, 2, cols, now, c, ldc, k == 0 ? kZero : kAdd,
                   nullptr);
    }
    if (valid != kPair) {
      for (size_t r = 0; r < now; ++r) {
        std::memcpy(out + (row + r) * ldo + first, edge + r * kPair, valid * sizeof(float));
      }
    }
  }
}

void block_product(const Kernels& kernels, const float* x, size_t ldx, size_t rows, const PackedMatrix& w,
                   size_t block, float* out, size_t ldo) {
  const size_t first = block * kBlockRows;
  const size_t valid = std::min(kBlockRows, w.rows - first);
  const std::byte* data = w.data + block * w.block_bytes;
  if (valid == kBlockRows) return kernels.gemv(w.format, data, w.cols, x, ldx, rows, out + first, ldo);
  float edge[kGemvRows * kBlockRows];
  kernels.gemv(w.format, data, w.cols, x, ldx, rows, edge, kBlockRows);
  for (size_t r = 0; r < rows; ++r)
    std::memcpy(out + r * ldo + first, edge + r * kBlockRows, valid * sizeof(float));
}

}  // namespace

size_t matmul_scratch_floats() { return (kTileCols + 64) * kPair; }

size_t row_stride(size_t n) {
  const size_t padded = (n + kBlockRows - 1) / kBlockRows * kBlockRows;
  return padded + 16;
}

void matmul(const Kernels& kernels, ThreadPool& pool, const Memory& scratch, const float* x, size_t ldx,
            size_t rows, const Product* products, size_t count, After after) {
  const bool direct = rows <= kGemvRows;
  const size_t unit_rows = direct ? kBlockRows : kPair;
  size_t units = 0;
  const size_t separate = after == After::Nothing ? count : 1;
  for (size_t i = 0; i < separate; ++i) units += (products[i].weights->rows + unit_rows - 1) / unit_rows;
  const size_t scratch_stride = scratch.size() / sizeof(float) / static_cast<size_t>(pool.size());
  pool.run(units, [&](size_t unit, int thread) {
    size_t i = 0;
    if (after == After::Nothing) {
      for (;; ++i) {
        const size_t here = (products[i].weights->rows + unit_rows - 1) / unit_rows;
        if (unit < here) break;
        unit -= here;
      }
    }
    const size_t last = after == After::Nothing ? i + 1 : count;
    for (; i < last; ++i) {
      const Product& p = products[i];
      if (direct) {
        block_product(kernels, x, ldx, rows, *p.weights, unit, p.out, p.ldo);
      } else {
        float* tile = scratch.as<float>() + static_cast<size_t>(thread) * scratch_stride;
        pair_product(kernels, tile, x, ldx, rows, *p.weights, unit, p.out, p.ldo);
      }
    }
    if (after == After::Nothing) return;
    const size_t first = unit * unit_rows;
    const size_t width = std::min(unit_rows, products[0].weights->rows - first);
    for (size_t r = 0; r < rows; ++r) {
      float* gate = products[0].out + r * products[0].ldo + first;
      const float* up = products[1].out + r * products[1].ldo + first;
      (after == After::SiluMul ? kernels.silu_mul : kernels.gelu_mul)(gate, up, width);
    }
  });
}

}  // namespace longleaf

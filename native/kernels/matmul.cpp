#include "kernels/matmul.h"

#include <algorithm>
#include <cstring>

namespace longleaf {
namespace {

constexpr size_t kPair = 2 * kLanes;  // rows of weights in a unit of work
constexpr size_t kPairsPerBlock = kBlockRows / kPair;
constexpr size_t kEdgeRows = 64;      // rows of activations at once where outputs go through a buffer
constexpr size_t kQuantizeRows = 16;  // rows of activations in a unit of rounding

// What a thread works in: a tile of weights, and a buffer for outputs of the last, incomplete rows of
// weights, which must not be written past the row.
struct Work {
  union {
    CodeTile codes;
    alignas(64) float floats[kTileCols * kPair];
  };
  alignas(64) float edge[kEdgeRows * kPair];
};

// The activations: as they are, and rounded if any weights want that.
struct Activations {
  const float* x;
  size_t ldx;
  QuantizedRows rounded;
};

// Rows of weights [pair * 32, +32) by all rows of x.
void pair_product(const Kernels& kernels, Work& work, const Activations& a, size_t rows,
                  const PackedMatrix& w, size_t home, size_t pair, float* out, size_t ldo) {
  const std::byte* block = w.block(pair / kPairsPerBlock, home);
  const size_t panel = pair % kPairsPerBlock * 2;
  const size_t first = pair * kPair;
  const size_t valid = std::min(kPair, w.rows - first);
  const size_t rows_at_once = valid == kPair ? rows : kEdgeRows;
  for (size_t row = 0; row < rows; row += rows_at_once) {
    const size_t now = std::min(rows_at_once, rows - row);
    float* c = valid == kPair ? out + row * ldo + first : work.edge;
    const size_t ldc = valid == kPair ? ldo : kPair;
    for (size_t k = 0; k < w.cols; k += kTileCols) {
      const size_t cols = std::min(kTileCols, w.cols - k);
      const int init = k == 0 ? kZero : kAdd;
      if (w.format.quantized()) {
        kernels.unpack_codes(w.format, block, panel, k, cols, &work.codes);
        kernels.gemm_codes(w.format, a.rounded.at(row, k), work.codes, cols, now, c, ldc, init);
      } else {
        kernels.unpack(w.format, block, panel, k, cols, work.floats);
        kernels.gemm(a.x + row * a.ldx + k, a.ldx, work.floats, cols * kLanes, 2, cols, now, c, ldc, init,
                     nullptr);
      }
    }
    if (valid != kPair) {
      for (size_t r = 0; r < now; ++r) {
        std::memcpy(out + (row + r) * ldo + first, work.edge + r * kPair, valid * sizeof(float));
      }
    }
  }
}

void block_product(const Kernels& kernels, const Activations& a, size_t rows, const PackedMatrix& w,
                   size_t home, size_t block, float* out, size_t ldo) {
  const size_t first = block * kBlockRows;
  const size_t valid = std::min(kBlockRows, w.rows - first);
  const std::byte* data = w.block(block, home);
  float edge[kGemvRows * kBlockRows];
  float* c = valid == kBlockRows ? out + first : edge;
  const size_t ldc = valid == kBlockRows ? ldo : kBlockRows;
  if (w.format.quantized()) {
    kernels.gemv_codes(w.format, data, w.cols, a.rounded, rows, c, ldc);
  } else {
    kernels.gemv(w.format, data, w.cols, a.x, a.ldx, rows, c, ldc);
  }
  if (valid == kBlockRows) return;
  for (size_t r = 0; r < rows; ++r)
    std::memcpy(out + r * ldo + first, edge + r * kBlockRows, valid * sizeof(float));
}

void quantize_rows(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
                   size_t ldx, size_t rows, size_t cols) {
  pool.run((rows + kQuantizeRows - 1) / kQuantizeRows, [&](size_t unit, int) {
    const size_t last = std::min(rows, (unit + 1) * kQuantizeRows);
    for (size_t row = unit * kQuantizeRows; row < last; ++row) {
      kernels.quantize(x + row * ldx, cols, scratch.codes(row), scratch.groups(row));
    }
  });
}

}  // namespace

MatmulScratch::MatmulScratch(int threads, size_t rows, size_t cols)
    : ld_(row_stride(cols)),
      ld_groups_((cols + kUnitCols - 1) / kUnitCols),
      tiles_(sizeof(Work) * static_cast<size_t>(threads)),
      codes_(rows * ld_ * sizeof(int16_t)),
      groups_(rows * ld_groups_ * sizeof(ActivationGroup)) {}

std::byte* MatmulScratch::tile(int thread) const {
  return tiles_.data() + static_cast<size_t>(thread) * sizeof(Work);
}

size_t row_stride(size_t n) {
  const size_t padded = (n + kBlockRows - 1) / kBlockRows * kBlockRows;
  return padded + 16;
}

void round_activations(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
                       size_t ldx, size_t rows, const PackedMatrix& weights) {
  if (weights.format.quantized()) quantize_rows(kernels, pool, scratch, x, ldx, rows, weights.cols);
}

void block_of_row(const Kernels& kernels, const MatmulScratch& scratch, const float* x, size_t ldx,
                  size_t row, const PackedMatrix& weights, size_t block, float* out) {
  const std::byte* data = weights.data + block * weights.block_bytes;
  if (weights.format.quantized()) {
    kernels.gemv_codes(weights.format, data, weights.cols, scratch.rows().at(row, 0), 1, out, kBlockRows);
  } else {
    kernels.gemv(weights.format, data, weights.cols, x + row * ldx, ldx, 1, out, kBlockRows);
  }
}

void matmul(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
            size_t ldx, size_t rows, const Product* products, size_t count, After after) {
  const bool direct = rows <= kGemvRows;
  const size_t unit_rows = direct ? kBlockRows : kPair;
  const auto units_of = [&](size_t i) { return (products[i].weights->rows + unit_rows - 1) / unit_rows; };
  const bool rounded =
      std::any_of(products, products + count, [](const Product& p) { return p.weights->format.quantized(); });
  if (rounded) quantize_rows(kernels, pool, scratch, x, ldx, rows, products[0].weights->cols);
  const Activations a{x, ldx, scratch.rows()};
  size_t units = 0;
  const size_t separate = after == After::Nothing ? count : 1;
  for (size_t i = 0; i < separate; ++i) units += units_of(i);
  pool.run(units, [&](size_t unit, int thread) {
    size_t i = 0;
    if (after == After::Nothing) {
      for (; unit >= units_of(i); ++i) unit -= units_of(i);
    }
    const size_t last = after == After::Nothing ? i + 1 : count;
    for (; i < last; ++i) {
      const Product& p = products[i];
      if (direct) {
        block_product(kernels, a, rows, *p.weights, pool.home(thread), unit, p.out, p.ldo);
      } else {
        Work& work = *reinterpret_cast<Work*>(scratch.tile(thread));
        pair_product(kernels, work, a, rows, *p.weights, pool.home(thread), unit, p.out, p.ldo);
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

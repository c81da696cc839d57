#include "kernels/matmul.h"

#include <algorithm>
#include <cstring>

#include "kernels/tile_matmul.h"

namespace longleaf {
namespace {

constexpr size_t kPair = 2 * kLanes;  // rows of weights in a unit of work
constexpr size_t kPairsPerBlock = kBlockRows / kPair;
constexpr size_t kEdgeRows = 64;  // rows of activations at once where outputs go through a buffer
constexpr size_t kFewRows = 64;   // of activations: reading the weights still costs as much as the products
constexpr size_t kQuantizeRows = 4;  // rows of activations in a unit of rounding

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

// Packed weights that will be read, perhaps.
struct Next {
  const PackedMatrix* weights;  // null: not known
  size_t block;
};

// Columns [k, k + kTileCols) of a block.
struct Slab {
  const std::byte* data;
  size_t bytes;
};

Slab slab_of(const PackedMatrix& w, size_t home, size_t block, size_t k) {
  const PackedFormat& f = w.format;
  const size_t cols = std::min(kTileCols, w.cols - k);
  return {w.block(block, home) + k / f.chunk_cols * f.chunk_bytes, cols / f.chunk_cols * f.chunk_bytes};
}

// Rows of weights [first_pair * 32, + pairs * 32), of one block, by all rows of x. What is unpacked is used
// for all of them; taking the pairs of a block in turn reads its memory once and in order. Where a unit is a
// whole block, memory is kept busy: what will be unpacked next is fetched while this is multiplied.
void pairs_product(const Kernels& kernels, Work& work, const Activations& a, size_t rows,
                   const PackedMatrix& w, size_t home, size_t first_pair, size_t pairs, const Next& next,
                   float* out, size_t ldo) {
  const size_t number = first_pair / kPairsPerBlock;
  const std::byte* block = w.block(number, home);
  for (size_t k = 0; k < w.cols; k += kTileCols) {
    const size_t cols = std::min(kTileCols, w.cols - k);
    const int init = k == 0 ? kZero : kAdd;
    Slab ahead{nullptr, 0};
    if (pairs == kPairsPerBlock && w.format.quantized()) {
      if (k + kTileCols < w.cols) {
        ahead = slab_of(w, home, number, k + kTileCols);
      } else if (next.weights != nullptr) {
        ahead = slab_of(*next.weights, home, next.block, 0);
      }
    }
    for (size_t pair = first_pair; pair < first_pair + pairs && pair * kPair < w.rows; ++pair) {
      const size_t first = pair * kPair;
      const size_t valid = std::min(kPair, w.rows - first);
      const size_t panel = pair % kPairsPerBlock * 2;
      const auto product = [&](size_t row, size_t now, float* c, size_t ldc) {
        if (w.format.quantized()) {
          kernels.gemm_codes(w.format, a.rounded.at(row, k), work.codes, cols, now, c, ldc, init);
        } else {
          kernels.gemm(a.x + row * a.ldx + k, a.ldx, work.floats, cols * kLanes, 2, cols, now, c, ldc, init,
                       nullptr);
        }
      };
      if (w.format.quantized()) {
        kernels.unpack_codes(w.format, block, panel, k, cols, &work.codes);
        work.codes.ahead = ahead.data + (pair - first_pair) * (ahead.bytes / pairs);
        work.codes.ahead_bytes = ahead.bytes / pairs;
      } else {
        kernels.unpack(w.format, block, panel, k, cols, work.floats);
      }
      if (valid == kPair) {
        product(0, rows, out + first, ldo);
        continue;
      }
      for (size_t row = 0; row < rows; row += kEdgeRows) {
        const size_t now = std::min(kEdgeRows, rows - row);
        for (size_t r = 0; init == kAdd && r < now; ++r) {
          std::memcpy(work.edge + r * kPair, out + (row + r) * ldo + first, valid * sizeof(float));
        }
        product(row, now, work.edge, kPair);
        for (size_t r = 0; r < now; ++r) {
          std::memcpy(out + (row + r) * ldo + first, work.edge + r * kPair, valid * sizeof(float));
        }
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

MatmulScratch::MatmulScratch(const Kernels& kernels, int threads, size_t rows, size_t cols)
    : rows_(rows),
      ld_(row_stride(cols)),
      ld_groups_((cols + kUnitCols - 1) / kUnitCols),
      tiles_(sizeof(Work) * static_cast<size_t>(threads)),
      codes_(rows * ld_ * sizeof(int16_t)),
      groups_(rows * ld_groups_ * sizeof(ActivationGroup)) {
  if (kernels.tiles == nullptr) return;
  const size_t padded = (rows + kTileRows - 1) / kTileRows * kTileRows;
  for (Memory& each : rounded_) each = Memory(padded * ld_ * sizeof(int16_t));
  outputs_ = Memory(2 * static_cast<size_t>(threads) * rows * kBlockRows * sizeof(float));
}

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
                  size_t row, const PackedMatrix& weights, size_t home, size_t block, float* out) {
  const std::byte* data = weights.block(block, home);
  if (weights.format.quantized()) {
    kernels.gemv_codes(weights.format, data, weights.cols, scratch.rows().at(row, 0), 1, out, kBlockRows);
  } else {
    kernels.gemv(weights.format, data, weights.cols, x + row * ldx, ldx, 1, out, kBlockRows);
  }
}

void matmul(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
            size_t ldx, size_t rows, const Product* products, size_t count, After after) {
  if (on_tiles(kernels, products, count)) {
    return tile_matmul(kernels, pool, scratch, x, ldx, rows, products, count, after);
  }
  const bool direct = rows <= kGemvRows;
  const size_t unit_rows = rows <= kFewRows ? kBlockRows : kPair;
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
    const size_t first = i, last = after == After::Nothing ? i + 1 : count;
    for (; i < last; ++i) {
      const Product& p = products[i];
      if (direct) {
        block_product(kernels, a, rows, *p.weights, pool.home(thread), unit, p.out, p.ldo);
      } else {
        Work& work = *reinterpret_cast<Work*>(scratch.tile(thread));
        const size_t pairs = unit_rows / kPair;
        const size_t later = unit + static_cast<size_t>(pool.size());  // the others take those between
        Next next{nullptr, 0};
        if (i + 1 < last) {
          next = {products[i + 1].weights, unit};
        } else if (later < units_of(first)) {
          next = {products[first].weights, later};
        }
        pairs_product(kernels, work, a, rows, *p.weights, pool.home(thread), unit * pairs, pairs, next, p.out,
                      p.ldo);
      }
    }
    if (after == After::Nothing) return;
    const size_t column = unit * unit_rows;
    const size_t width = std::min(unit_rows, products[0].weights->rows - column);
    for (size_t r = 0; r < rows; ++r) {
      float* gate = products[0].out + r * products[0].ldo + column;
      const float* up = products[1].out + r * products[1].ldo + column;
      (after == After::SiluMul ? kernels.silu_mul : kernels.gelu_mul)(gate, up, width);
    }
  });
}

void feed_forward(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
                  size_t ldx, size_t rows, const Product& gate, const Product& up, After act,
                  const Product& down) {
  const Product all[] = {gate, up, down};
  if (on_tiles(kernels, all, 3)) {
    return tile_feed_forward(kernels, pool, scratch, x, ldx, rows, *gate.weights, *up.weights, act, down);
  }
  matmul(kernels, pool, scratch, x, ldx, rows, all, 2, act);
  matmul(kernels, pool, scratch, gate.out, gate.ldo, rows, &down, 1);
}

}  // namespace longleaf

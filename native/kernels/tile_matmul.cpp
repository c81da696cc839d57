#include "kernels/tile_matmul.h"

#include <algorithm>
#include <cstring>

namespace longleaf {
namespace {

constexpr size_t kMostBlocks = 4;     // in a unit of work: 256 outputs for a slab of activations in the cache
constexpr size_t kUnitsOfThread = 3;  // at least, where there are as many, so that threads end together

size_t tiles_of(size_t rows) { return (rows + kTileRows - 1) / kTileRows; }

void round_rows(const Kernels& kernels, ThreadPool& pool, const float* x, size_t ldx, size_t rows,
                const TileRows& out) {
  pool.run(out.tiles, [&](size_t tile, int) {
    const size_t first = tile * kTileRows;
    kernels.tiles->round(x + first * ldx, ldx, std::min(kTileRows, rows - first), tile, 0, out.cols, out);
  });
}

// One block by all rows.
void block_product(const Kernels& kernels, const TileRows& a, size_t rows, const PackedFormat& format,
                   const std::byte* block, float* out, size_t ldo) {
  if (rows <= kFewTileRows) {
    kernels.tiles->few(format, block, a, 0, rows, out, ldo);
  } else {
    kernels.tiles->many(format, block, 0, 1, a, rows, out, ldo);
  }
}

// The last block, where outputs must not be written past the row.
void last_block_product(const Kernels& kernels, const TileRows& a, size_t rows, const PackedFormat& format,
                        const std::byte* block, size_t valid, float* out, size_t ldo) {
  float edge[kFewTileRows * kBlockRows];
  for (size_t row = 0; row < rows; row += kFewTileRows) {
    const size_t now = std::min(kFewTileRows, rows - row);
    kernels.tiles->few(format, block, a, row / kTileRows, now, edge, kBlockRows);
    for (size_t r = 0; r < now; ++r) {
      std::memcpy(out + (row + r) * ldo, edge + r * kBlockRows, valid * sizeof(float));
    }
  }
}

// Blocks [first, first + count) by all rows.
void blocks_product(const Kernels& kernels, const TileRows& a, size_t rows, const PackedMatrix& w,
                    size_t home, size_t first, size_t count, float* out, size_t ldo) {
  const size_t whole = std::min(first + count, w.rows / kBlockRows);
  if (rows <= kFewTileRows) {
    for (size_t block = first; block < whole; ++block) {
      block_product(kernels, a, rows, w.format, w.block(block, home), out + block * kBlockRows, ldo);
    }
  } else if (first < whole) {
    kernels.tiles->many(w.format, w.block(first, home), w.block_bytes, whole - first, a, rows,
                        out + first * kBlockRows, ldo);
  }
  if (first + count > whole) {
    last_block_product(kernels, a, rows, w.format, w.block(whole, home), w.rows - whole * kBlockRows,
                       out + whole * kBlockRows, ldo);
  }
}

size_t unit_blocks(size_t blocks, int threads) {
  return std::clamp(blocks / (static_cast<size_t>(threads) * kUnitsOfThread), size_t{1}, kMostBlocks);
}

void activate(const Kernels& kernels, After act, float* gate, size_t ld_gate, const float* up, size_t ld_up,
              size_t rows, size_t width) {
  for (size_t row = 0; row < rows; ++row) {
    (act == After::SiluMul ? kernels.silu_mul : kernels.gelu_mul)(gate + row * ld_gate, up + row * ld_up,
                                                                  width);
  }
}

void products_of_tiles(const Kernels& kernels, ThreadPool& pool, const TileRows& a, size_t rows,
                       const Product* products, size_t count, After after) {
  size_t blocks = 0;
  for (size_t i = 0; i < (after == After::Nothing ? count : 1); ++i) blocks += products[i].weights->blocks();
  const size_t at_once = unit_blocks(blocks, pool.size());
  const auto units_of = [&](size_t i) { return (products[i].weights->blocks() + at_once - 1) / at_once; };
  size_t units = 0;
  for (size_t i = 0; i < (after == After::Nothing ? count : 1); ++i) units += units_of(i);
  pool.run(units, [&](size_t unit, int thread) {
    size_t i = 0;
    if (after == After::Nothing) {
      for (; unit >= units_of(i); ++i) unit -= units_of(i);
    }
    const size_t first = unit * at_once, last = after == After::Nothing ? i + 1 : count;
    const size_t now = std::min(at_once, products[i].weights->blocks() - first);
    for (; i < last; ++i) {
      const Product& p = products[i];
      blocks_product(kernels, a, rows, *p.weights, pool.home(thread), first, now, p.out, p.ldo);
    }
    if (after == After::Nothing) return;
    const size_t column = first * kBlockRows;
    activate(kernels, after, products[0].out + column, products[0].ldo, products[1].out + column,
             products[1].ldo, rows, std::min(now * kBlockRows, products[0].weights->rows - column));
  });
}

}  // namespace

bool on_tiles(const Kernels& kernels, const Product* products, size_t count) {
  return kernels.tiles != nullptr && std::all_of(products, products + count, [](const Product& p) {
           return p.weights->format.quantized();
         });
}

void tile_matmul(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
                 size_t ldx, size_t rows, const Product* products, size_t count, After after) {
  const TileRows a = scratch.tiles(0, tiles_of(rows), products[0].weights->cols);
  round_rows(kernels, pool, x, ldx, rows, a);
  products_of_tiles(kernels, pool, a, rows, products, count, after);
}

void tile_feed_forward(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
                       size_t ldx, size_t rows, const PackedMatrix& gate, const PackedMatrix& up, After act,
                       const Product& down) {
  const TileRows a = scratch.tiles(0, tiles_of(rows), gate.cols);
  const TileRows fed = scratch.tiles(1, a.tiles, gate.rows);
  round_rows(kernels, pool, x, ldx, rows, a);
  pool.run(gate.blocks(), [&](size_t block, int thread) {
    const size_t home = pool.home(thread);
    float* const first = scratch.outputs(thread, 0);
    float* const second = scratch.outputs(thread, 1);
    block_product(kernels, a, rows, gate.format, gate.block(block, home), first, kBlockRows);
    block_product(kernels, a, rows, up.format, up.block(block, home), second, kBlockRows);
    const size_t column = block * kBlockRows, width = std::min(kBlockRows, gate.rows - column);
    activate(kernels, act, first, kBlockRows, second, kBlockRows, rows, width);
    for (size_t tile = 0; tile < a.tiles; ++tile) {
      const size_t row = tile * kTileRows;
      kernels.tiles->round(first + row * kBlockRows, kBlockRows, std::min(kTileRows, rows - row), tile,
                           column, width, fed);
    }
  });
  products_of_tiles(kernels, pool, fed, rows, &down, 1, After::Nothing);
}

}  // namespace longleaf

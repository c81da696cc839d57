// The table of functions that exists once for every instruction set.
//
// Every function computes each of its output numbers by one fixed chain of operations, whatever the number of
// rows it is given, so a row's result does not depend on the rows beside it, and gemm on an unpacked tile
// equals gemv on the packed weights bit for bit.
//   float weights      products are accumulated over k in order, one f32 accumulator an output.
//   quantized weights  activations are rounded to 16-bit codes, one scale for 32 columns; the products of
//   codes
//                      are summed exactly, in int32, over the columns that share a scale, and
//                      out = fma(float(sum), activation scale * weight scale, out) in the order of the
//                      columns, followed by out = fma(minimum, sum of the activations, out) where there is a
//                      minimum. These are the same numbers to the bit on every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/packed.h"

namespace longleaf {

// What 32 activations of a row share.
struct ActivationGroup {
  float scale;        // a power of two; NaN when an activation is no finite number
  float sum;          // of the 32 activations as rounded
  float half_sum[2];  // of the first and the last 16 of them
};

// Rows of activations rounded to 16 bits. The codes of columns 4i..4i+3 stand in the order 0, 2, 1, 3,
// because that is how bytes are widened to pairs of 16 bits at least cost.
struct QuantizedRows {
  const int16_t* codes;
  size_t ld;  // from row to row, in codes
  const ActivationGroup* groups;
  size_t ld_groups;

  QuantizedRows at(size_t row, size_t col) const {
    return {codes + row * ld + col, ld, groups + row * ld_groups + col / kUnitCols, ld_groups};
  }
};

// Weights of two panels, unpacked: pairs of 16-bit codes in the order of the activations, less their offset.
constexpr size_t kTileCols = 256;
struct CodeTile {
  alignas(64) int32_t pairs[2][kTileCols / 2][kLanes];
  alignas(64) float scales[2][kTileCols / 16][kLanes];  // of every group
  alignas(64) float minima[2][kTileCols / 16][kLanes];  // if any
  // Packed weights that will be unpacked next: gemm_codes fetches them meanwhile.
  const std::byte* ahead;
  size_t ahead_bytes;
};

// |computed - exact| <= this * |activations| |weights| for a product of an exact set with quantized weights
// without a minimum, by the rounding of what is multiplied: 2^-15 of the largest of 32 activations in each of
// them.
constexpr double kCodeRounding = 5.65686 * 0x1p-15;

// Rows of activations as bf16 numbers, in tiles of 16 rows by 32 columns, as tile products take them: all
// rows of the first kTileCols columns, then of the next; of 16 rows the tiles of those columns behind each
// other. The columns 4i..4i+3 of a tile stand in the order 0, 2, 1, 3. Rows that are missing in the last
// tiles are zero.
constexpr size_t kTileRows = 16;
constexpr size_t kStepCols = 32;
struct TileRows {
  int16_t* numbers;
  size_t tiles;  // of rows
  size_t cols;   // a multiple of kStepCols

  int16_t* at(size_t tile, size_t col) const {
    const size_t slab = col / kTileCols * kTileCols, left = cols - slab;
    const size_t width = left < kTileCols ? left : kTileCols;
    return numbers + slab * kTileRows * tiles + (tile * width + (col - slab)) * kTileRows;
  }
};

// Sets that round: whole products of quantized weights. An output is the chain of tile products of 32 columns
// each, in order, whatever the number of rows.
constexpr size_t kFewTileRows = 2 * kTileRows;
struct TileProducts {
  // Columns [first, first + count) of the rows of one tile, `rows` <= 16 of them, from x[rows][ldx] of those
  // columns.
  void (*round)(const float* x, size_t ldx, size_t rows, size_t tile, size_t first, size_t count,
                const TileRows& out);
  // c[rows][64] = rows from tile `tile` on . block; rows <= kFewTileRows.
  void (*few)(const PackedFormat& format, const std::byte* block, const TileRows& a, size_t tile, size_t rows,
              float* c, size_t ldc);
  // c[rows][64 * count] = all rows . blocks that follow each other.
  void (*many)(const PackedFormat& format, const std::byte* blocks, size_t block_bytes, size_t count,
               const TileRows& a, size_t rows, float* c, size_t ldc);
};

struct Kernels {
  const char* name;

  // tile[k][16] of panels [panel, panel + 2) of one block, columns [first, first + count), first and count
  // multiples of the chunk, count <= kTileCols; the second panel follows the first after count * 16 floats.
  // The numbers are those that quant/ dequantizes to.
  void (*unpack)(const PackedFormat& format, const std::byte* block, size_t panel, size_t first, size_t count,
                 float* tile);

  // ---- weights of float kinds ----
  // c[m][64] = a[m][:] . block, for all 64 rows of one block; m <= kGemvRows.
  void (*gemv)(const PackedFormat& format, const std::byte* block, size_t cols, const float* a, size_t lda,
               size_t m, float* c, size_t ldc);

  // ---- quantized weights ----
  // One row of n activations, n a multiple of 32.
  void (*quantize)(const float* x, size_t n, int16_t* codes, ActivationGroup* groups);
  // Panels [panel, panel + 2) of one block, columns [first, first + count), both multiples of the chunk;
  // count
  // <= kTileCols.
  void (*unpack_codes)(const PackedFormat& format, const std::byte* block, size_t panel, size_t first,
                       size_t count, CodeTile* tile);
  // c[m][32] (+)= a[m][count] . tile; init: kZero or kAdd.
  void (*gemm_codes)(const PackedFormat& format, const QuantizedRows& a, const CodeTile& tile, size_t count,
                     size_t m, float* c, size_t ldc, int init);
  // c[m][64] = a[m][:] . block, for all 64 rows of one block; m <= kGemvRows.
  void (*gemv_codes)(const PackedFormat& format, const std::byte* block, size_t cols, const QuantizedRows& a,
                     size_t m, float* c, size_t ldc);

  // ---- matrix products of floats ----
  // c[m][16 * panels] (+)= a[m][k] . tile, panels `panel_stride` elements apart. init says what c holds
  // before: nothing (kZero), a sum to go on with (kAdd), or a sum to multiply by row_scale[m] first (kScale).
  void (*gemm)(const float* a, size_t lda, const float* tile, size_t panel_stride, size_t panels, size_t k,
               size_t m, float* c, size_t ldc, int init, const float* row_scale);
  // The same with a tile of f16.
  void (*gemm_f16)(const float* a, size_t lda, const uint16_t* tile, size_t panel_stride, size_t panels,
                   size_t k, size_t m, float* c, size_t ldc, int init, const float* row_scale);
  void (*f16_to_f32)(const uint16_t* in, float* out, size_t n);  // n a multiple of 16
  // To the nearest f16, ties to even; what is too large becomes the largest. Writes up to 15 elements behind
  // n.
  void (*f32_to_f16)(const float* in, uint16_t* out, size_t n);

  // out = x / sqrt(mean(x^2) + eps) * weight; out may be x.
  void (*rms_norm)(const float* x, const float* weight, float eps, size_t n, float* out);
  void (*add)(float* x, const float* y, size_t n);           // x += y
  void (*scale)(float* x, float factor, size_t n);           // x *= factor
  void (*silu_mul)(float* gate, const float* up, size_t n);  // gate = silu(gate) * up
  void (*gelu_mul)(float* gate, const float* up, size_t n);  // gate = gelu(gate, tanh form) * up
  // Rotates pairs (x[i], x[i + half]) by the angles whose cosines and sines are given.
  void (*rope)(float* x, const float* cos, const float* sin, size_t half);
  // Multiplies x by the Walsh-Hadamard matrix of the largest power of two that divides n, block by block:
  // orthogonal and its own inverse, so that products of two rotated vectors are those of the vectors. The
  // same to the bit on every instruction set.
  void (*rotate)(float* x, size_t n);

  // One step of the online softmax over a row of 64 scores of which [low, high) count: raises *max, sets
  // scores to exp(score - *max) (0 outside), sets *sum to *sum * correction + sum of scores, and returns the
  // correction, exp(old max - new max). exp is within 2 ulp.
  float (*softmax_step)(float* scores, size_t low, size_t high, float* max, float* sum);
  // log(sum(exp(x))) of a row in double, block sums in f32.
  double (*log_sum_exp)(const float* x, size_t n);
  void (*exp)(float* x, size_t n);  // the vector exp itself, for tests

  const TileProducts* tiles;  // null for exact sets
};

constexpr size_t kGemvRows = 4;
// The largest power of two that divides n: of what Kernels::rotate takes together.
constexpr size_t rotated_block(size_t n) { return n & (~n + 1); }
enum GemmInit { kZero = 0, kAdd = 1, kScale = 2 };

// The set named, or the default of this machine when name is empty; with `exact` it must be an exact one.
// LONGLEAF_ISA is read by callers that want it. Throws Error naming the sets available.
const Kernels& kernel_set(const std::string& name, bool exact = false);
// The set itself, or the exact one it was made from.
const Kernels& exact_set(const Kernels& set);
// Names of the sets that this machine runs, the default first.
std::vector<std::string> kernel_set_names();

// One translation unit each; nullptr where the target cannot build it.
const Kernels* scalar_kernels();
const Kernels* avx2_kernels();
const Kernels* avx512_kernels();
const Kernels* avx512bw_kernels();
const Kernels* amx_kernels();
const Kernels* amx_emulated_kernels();  // the same on any CPU with VNNI, slowly, for tests
bool amx_bytes_are_right();             // products of tiles of bytes against their emulation

}  // namespace longleaf

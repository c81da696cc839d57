// Weights as the kernels eat them: panels of 16 rows side by side, so that one vector holds one column of 16
// rows.
//
// Four panels make a block of 64 rows. A block is a run of chunks along the columns; a chunk holds, for all
// 64 rows, first the scales, then the codes, each in the order in which a kernel walks them: one sequential
// stream.
//   float kinds   chunk of 1 column:    64 values
//   Scales::Half  chunk of 32 columns:  64 f16 scales, 64 f16 minima (if any), codes of panels 0..3
//   Scales::Super chunk of 256 columns: 64 f16 d, 64 f16 dmin (if any), then for every group 64 8-bit scales
//   and
//                                       64 8-bit minima (if any), then for every group the codes of panels
//                                       0..3
// Codes::I8: [column][16 rows] int8. Codes::U4: for every 8 columns 16 dwords, one a row, column c in bits
// 4c..4c+3, an index into `table`. value = code * scale + minimum, the minimum already carrying its sign
// (Scales::Half) or code * (d * scale) - dmin * minimum (Scales::Super): exactly what quant/ dequantizes to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace longleaf {

constexpr size_t kLanes = 16;
constexpr size_t kBlockRows = 64;
constexpr size_t kPanels = kBlockRows / kLanes;

enum class Codes : uint8_t { F32, F16, BF16, I8, U4 };
enum class Scales : uint8_t { None, Half, Super };

// Plain data: passed into the kernels of every instruction set.
struct PackedFormat {
  Codes codes;
  Scales scales;
  bool has_min;
  uint32_t group;  // columns that share a scale
  uint32_t chunk_cols;
  uint32_t chunk_bytes;
  float table[16];  // Codes::U4
};

struct PackedMatrix {
  PackedFormat format;
  const std::byte* data;
  size_t rows;  // without padding; the missing rows of the last block are zero
  size_t cols;
  size_t block_bytes;
};

}  // namespace longleaf

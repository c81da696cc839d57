// Weights as the kernels eat them: panels of 16 rows side by side, so that one vector holds one dword of 16
// rows.
//
// Four panels make a block of 64 rows. A block is a run of chunks along the columns; a chunk holds, for all
// 64 rows, first the scales, then the codes, each in the order in which a kernel walks them: one sequential
// stream.
//   float kinds   chunk of 1 column:    64 values
//   Scales::Half  chunk of 32 columns:  64 f16 scales, 64 f16 minima (if any), codes of panels 0..3
//   Scales::Super chunk of 256 columns: 64 f16 d, 64 f16 dmin (if any), then for every group 64 8-bit scales
//   and
//                                       64 8-bit minima (if any), then for every 32 columns the codes of
//                                       panels 0..3
// The codes of 32 columns of a panel take as many bits as in the file. They lie in planes of vectors of 16
// dwords, one a row. "Quad" q is columns 4q..4q+3, one in every byte of a dword:
//   I8      8 vectors: quad q in vector q, signed
//   U4, L4  4 vectors: quads 2i and 2i + 1 in the low and high halves of the bytes of vector i
//   U5      as U4, then 1 vector: bit q of a byte is the fifth bit of quad q
//   U6      as U4, then 2 vectors: bits 2j, 2j + 1 of a byte of vector i are the high bits of quad 4i + j
//   U2      2 vectors: bits 2j, 2j + 1 of a byte of vector i are quad 4i + j
//   U3      as U2, then 1 vector: bit q of a byte is the third bit of quad q
// value = (code - offset) * scale + minimum, the minimum already carrying its sign (Scales::Half), or
// (code - offset) * (d * scale) - dmin * minimum (Scales::Super): exactly what quant/ dequantizes to. The
// offset is half of the range where there is no minimum, else 0. L4 are indexes into kLevels.
#pragma once

#include <cstddef>
#include <cstdint>

namespace longleaf {

constexpr size_t kLanes = 16;
constexpr size_t kBlockRows = 64;
constexpr size_t kPanels = kBlockRows / kLanes;
constexpr size_t kUnitCols = 32;  // columns whose codes lie together, and that share a scale of activations

enum class Codes : uint8_t { F32, F16, BF16, I8, U2, U3, U4, U5, U6, L4 };
enum class Scales : uint8_t { None, Half, Super };

// The 16 levels of IQ4_NL.
constexpr int8_t kLevels[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

constexpr size_t code_bits(Codes codes) {
  switch (codes) {
    case Codes::F32:
      return 32;
    case Codes::F16:
    case Codes::BF16:
      return 16;
    case Codes::I8:
      return 8;
    case Codes::U2:
      return 2;
    case Codes::U3:
      return 3;
    case Codes::U4:
    case Codes::L4:
      return 4;
    case Codes::U5:
      return 5;
    case Codes::U6:
      return 6;
  }
  return 0;
}

constexpr int code_offset(Codes codes, bool has_min) {
  return has_min || codes == Codes::I8 || codes == Codes::L4 ? 0 : 1 << (code_bits(codes) - 1);
}

// Plain data: passed into the kernels of every instruction set.
struct PackedFormat {
  Codes codes;
  Scales scales;
  bool has_min;
  uint32_t group;  // columns that share a scale
  uint32_t chunk_cols;
  uint32_t chunk_bytes;

  bool quantized() const { return scales != Scales::None; }
};

// Bytes of the codes of 32 columns of one panel.
constexpr size_t unit_bytes(Codes codes) { return kUnitCols * kLanes * code_bits(codes) / 8; }

struct PackedMatrix {
  PackedFormat format;
  const std::byte* data;
  size_t rows;  // without padding; the missing rows of the last block are zero
  size_t cols;
  size_t block_bytes;
  size_t copy_bytes = 0;  // from the copy of one home (runtime/placement.h) to the next; 0: one copy for all

  size_t blocks() const { return (rows + kBlockRows - 1) / kBlockRows; }
  size_t bytes() const { return blocks() * block_bytes; }  // of one copy
  const std::byte* block(size_t number, size_t home) const {
    return data + home * copy_bytes + number * block_bytes;
  }
};

}  // namespace longleaf

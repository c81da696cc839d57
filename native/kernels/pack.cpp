#include "kernels/pack.h"

#include <algorithm>
#include <cstring>

#include "error.h"
#include "kernels/half.h"
#include "quant/quant.h"

// Block layouts: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h (facts of the format).

namespace longleaf {
namespace {

// One source block of 32 or 256 values, taken apart.
struct Parts {
  uint8_t codes[256];  // as in packed.h: signed bytes for I8, else unsigned
  uint16_t d, dmin;    // f16 bits
  uint8_t scales[16], minima[16];
};

uint16_t u16_at(const std::byte* p) {
  uint16_t value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

uint8_t u8(std::byte b) { return static_cast<uint8_t>(b); }

void split_nibbles(const std::byte* q, uint8_t* codes) {
  for (int j = 0; j < 16; ++j) {
    codes[j] = u8(q[j]) & 15;
    codes[j + 16] = u8(q[j]) >> 4;
  }
}

void split_five_bits(const std::byte* high, const std::byte* q, uint8_t* codes) {
  uint32_t bits;
  std::memcpy(&bits, high, sizeof bits);
  for (int j = 0; j < 16; ++j) {
    codes[j] = static_cast<uint8_t>((u8(q[j]) & 15) | ((bits >> j) & 1) << 4);
    codes[j + 16] = static_cast<uint8_t>(u8(q[j]) >> 4 | ((bits >> (j + 16)) & 1) << 4);
  }
}

// The 8 six-bit scales and minima that Q4_K and Q5_K keep in 12 bytes.
void split_k_scales(const std::byte* packed, Parts& out) {
  for (int j = 0; j < 4; ++j) {
    out.scales[j] = u8(packed[j]) & 63;
    out.minima[j] = u8(packed[j + 4]) & 63;
    out.scales[j + 4] = static_cast<uint8_t>((u8(packed[j + 8]) & 15) | (u8(packed[j]) >> 6) << 4);
    out.minima[j + 4] = static_cast<uint8_t>(u8(packed[j + 8]) >> 4 | (u8(packed[j + 4]) >> 6) << 4);
  }
}

void split_q2_k(const std::byte* block, Parts& out) {
  for (int g = 0; g < 16; ++g) {
    out.scales[g] = u8(block[g]) & 15;
    out.minima[g] = u8(block[g]) >> 4;
  }
  for (int i = 0; i < 256; ++i) {
    const int byte = i / 128 * 32 + i % 32;
    out.codes[i] = (u8(block[16 + byte]) >> (i % 128 / 32 * 2)) & 3;
  }
  out.d = u16_at(block + 80);
  out.dmin = u16_at(block + 82);
}

// Codes 0..7 stand for -4..3, the third bit set where hmask has a one.
void split_q3_k(const std::byte* block, Parts& out) {
  const std::byte* high = block;
  const std::byte* low = block + 32;
  const std::byte* packed = block + 96;
  for (int g = 0; g < 16; ++g) {
    const int nibble = g < 8 ? u8(packed[g]) & 15 : u8(packed[g - 8]) >> 4;
    const int top = (u8(packed[8 + g % 4]) >> (g / 4 * 2)) & 3;
    out.scales[g] = static_cast<uint8_t>((nibble | top << 4) - 32);
  }
  for (int i = 0; i < 256; ++i) {
    const int two = (u8(low[i / 128 * 32 + i % 32]) >> (i % 128 / 32 * 2)) & 3;
    const int third = (u8(high[i % 32]) >> (i / 32)) & 1;
    out.codes[i] = static_cast<uint8_t>(two | third << 2);
  }
  out.d = u16_at(block + 108);
}

void split_q4_k(const std::byte* block, Parts& out) {
  out.d = u16_at(block);
  out.dmin = u16_at(block + 2);
  split_k_scales(block + 4, out);
  for (int pair = 0; pair < 4; ++pair) {
    const std::byte* q = block + 16 + pair * 32;
    for (int j = 0; j < 32; ++j) {
      out.codes[pair * 64 + j] = u8(q[j]) & 15;
      out.codes[pair * 64 + 32 + j] = u8(q[j]) >> 4;
    }
  }
}

void split_q5_k(const std::byte* block, Parts& out) {
  out.d = u16_at(block);
  out.dmin = u16_at(block + 2);
  split_k_scales(block + 4, out);
  const std::byte* high = block + 16;
  for (int pair = 0; pair < 4; ++pair) {
    const std::byte* q = block + 48 + pair * 32;
    for (int j = 0; j < 32; ++j) {
      const int bits = u8(high[j]) >> (2 * pair);
      out.codes[pair * 64 + j] = static_cast<uint8_t>((u8(q[j]) & 15) | (bits & 1) << 4);
      out.codes[pair * 64 + 32 + j] = static_cast<uint8_t>(u8(q[j]) >> 4 | (bits & 2) << 3);
    }
  }
}

void split_q6_k(const std::byte* block, Parts& out) {
  for (int half = 0; half < 2; ++half) {
    const std::byte* low = block + half * 64;
    const std::byte* high = block + 128 + half * 32;
    uint8_t* codes = out.codes + half * 128;
    for (int j = 0; j < 32; ++j) {
      const int h = u8(high[j]);
      codes[j] = static_cast<uint8_t>((u8(low[j]) & 15) | (h & 3) << 4);
      codes[j + 32] = static_cast<uint8_t>((u8(low[j + 32]) & 15) | (h >> 2 & 3) << 4);
      codes[j + 64] = static_cast<uint8_t>(u8(low[j]) >> 4 | (h >> 4 & 3) << 4);
      codes[j + 96] = static_cast<uint8_t>(u8(low[j + 32]) >> 4 | (h >> 6 & 3) << 4);
    }
  }
  std::memcpy(out.scales, block + 192, 16);
  out.d = u16_at(block + 208);
}

void split(TensorType type, const std::byte* block, Parts& out) {
  switch (type) {
    case TensorType::Q4_0:
    case TensorType::IQ4_NL:
      out.d = u16_at(block);
      return split_nibbles(block + 2, out.codes);
    case TensorType::Q4_1:
      out.d = u16_at(block);
      out.dmin = u16_at(block + 2);
      return split_nibbles(block + 4, out.codes);
    case TensorType::Q5_0:
      out.d = u16_at(block);
      return split_five_bits(block + 2, block + 6, out.codes);
    case TensorType::Q5_1:
      out.d = u16_at(block);
      out.dmin = u16_at(block + 2);
      return split_five_bits(block + 4, block + 8, out.codes);
    case TensorType::Q8_0:
      out.d = u16_at(block);
      std::memcpy(out.codes, block + 2, 32);
      return;
    case TensorType::Q2_K:
      return split_q2_k(block, out);
    case TensorType::Q3_K:
      return split_q3_k(block, out);
    case TensorType::Q4_K:
      return split_q4_k(block, out);
    case TensorType::Q5_K:
      return split_q5_k(block, out);
    case TensorType::Q6_K:
      return split_q6_k(block, out);
    case TensorType::F32:
    case TensorType::F16:
    case TensorType::BF16:
      return;  // no blocks
  }
}

// What the planes of packed.h hold of one row: writes dwords 64 bytes apart. codes are those of 32 columns.
class RowPlanes {
 public:
  RowPlanes(const uint8_t* codes, std::byte* out) : codes_(codes), out_(out) {}

  void bytes() {
    for (int q = 0; q < 8; ++q) put(quad(q));
  }
  void nibbles() {
    for (int q = 0; q < 8; q += 2) put((quad(q) & 0x0F0F0F0F) | (quad(q + 1) & 0x0F0F0F0F) << 4);
  }
  // Bits [from, from + 2) of every code.
  void pairs(int from) {
    for (int q = 0; q < 8; q += 4) {
      uint32_t word = 0;
      for (int j = 0; j < 4; ++j) word |= (quad(q + j) >> from & 0x03030303) << (2 * j);
      put(word);
    }
  }
  // Bit `from` of every code.
  void single(int from) {
    uint32_t word = 0;
    for (int q = 0; q < 8; ++q) word |= (quad(q) >> from & 0x01010101) << q;
    put(word);
  }

 private:
  uint32_t quad(int q) const {
    uint32_t word;
    std::memcpy(&word, codes_ + 4 * q, sizeof word);
    return word;
  }
  void put(uint32_t word) {
    std::memcpy(out_, &word, sizeof word);
    out_ += kLanes * sizeof word;
  }
  const uint8_t* codes_;
  std::byte* out_;
};

// The codes of 32 columns of one row; out is the row's place in the first vector of the unit.
void place_row(Codes kind, const uint8_t* codes, std::byte* out) {
  RowPlanes planes(codes, out);
  switch (kind) {
    case Codes::I8:
      return planes.bytes();
    case Codes::U4:
    case Codes::L4:
      return planes.nibbles();
    case Codes::U5:
      planes.nibbles();
      return planes.single(4);
    case Codes::U6:
      planes.nibbles();
      return planes.pairs(4);
    case Codes::U2:
      return planes.pairs(0);
    case Codes::U3:
      planes.pairs(0);
      return planes.single(2);
    case Codes::F32:
    case Codes::F16:
    case Codes::BF16:
      return;  // no codes
  }
}

// The way back: the value of a code times 1, column `col` of 32 of the row.
int code_at(const PackedFormat& f, const std::byte* unit, size_t lane, size_t col) {
  const auto byte = [&](size_t vector) { return u8(unit[(vector * kLanes + lane) * 4 + col % 4]); };
  const size_t quad = col / 4;
  const auto nibble = [&] { return byte(quad / 2) >> (quad % 2 * 4) & 15; };
  const auto pair = [&](size_t plane) { return byte(plane + quad / 4) >> (quad % 4 * 2) & 3; };
  const auto single = [&](size_t plane) { return byte(plane) >> quad & 1; };
  int code = 0;
  switch (f.codes) {
    case Codes::I8:
      return static_cast<int8_t>(byte(quad));
    case Codes::L4:
      return kLevels[nibble()];
    case Codes::U4:
      code = nibble();
      break;
    case Codes::U5:
      code = nibble() | single(4) << 4;
      break;
    case Codes::U6:
      code = nibble() | pair(4) << 4;
      break;
    case Codes::U2:
      code = pair(0);
      break;
    case Codes::U3:
      code = pair(0) | single(2) << 2;
      break;
    case Codes::F32:
    case Codes::F16:
    case Codes::BF16:
      break;  // no codes
  }
  return code - code_offset(f.codes, f.has_min);
}

PackedFormat quantized(Codes codes, Scales scales, bool has_min, uint32_t group) {
  PackedFormat f{};
  f.codes = codes;
  f.scales = scales;
  f.has_min = has_min;
  f.group = group;
  f.chunk_cols = scales == Scales::Super ? 256 : kUnitCols;
  const uint32_t groups = f.chunk_cols / group;
  const uint32_t parts = has_min ? 2 : 1;
  const size_t code_bytes = f.chunk_cols / kUnitCols * kPanels * unit_bytes(codes);
  const size_t small = scales == Scales::Super ? kBlockRows * groups * parts : 0;
  f.chunk_bytes = static_cast<uint32_t>(kBlockRows * 2 * parts + small + code_bytes);
  return f;
}

PackedFormat floats(Codes codes, uint32_t bytes) {
  PackedFormat f{};
  f.codes = codes;
  f.scales = Scales::None;
  f.group = 1;
  f.chunk_cols = 1;
  f.chunk_bytes = bytes * kBlockRows;
  return f;
}

template <class T>
void pack_floats(const std::byte* tensor, size_t rows, size_t cols, const uint32_t* row_map, size_t block,
                 std::byte* out) {
  T* to = reinterpret_cast<T*>(out);
  for (size_t r = 0; r < kBlockRows; ++r) {
    const size_t row = block * kBlockRows + r;
    if (row >= rows) {
      for (size_t c = 0; c < cols; ++c) to[c * kBlockRows + r] = 0;
      continue;
    }
    const std::byte* from = tensor + (row_map != nullptr ? row_map[row] : row) * cols * sizeof(T);
    for (size_t c = 0; c < cols; ++c) std::memcpy(to + c * kBlockRows + r, from + c * sizeof(T), sizeof(T));
  }
}

}  // namespace

PackedFormat packed_format(TensorType type) {
  switch (type) {
    case TensorType::F32:
      return floats(Codes::F32, 4);
    case TensorType::F16:
      return floats(Codes::F16, 2);
    case TensorType::BF16:
      return floats(Codes::BF16, 2);
    case TensorType::Q4_0:
      return quantized(Codes::U4, Scales::Half, false, 32);
    case TensorType::Q4_1:
      return quantized(Codes::U4, Scales::Half, true, 32);
    case TensorType::Q5_0:
      return quantized(Codes::U5, Scales::Half, false, 32);
    case TensorType::Q5_1:
      return quantized(Codes::U5, Scales::Half, true, 32);
    case TensorType::Q8_0:
      return quantized(Codes::I8, Scales::Half, false, 32);
    case TensorType::Q2_K:
      return quantized(Codes::U2, Scales::Super, true, 16);
    case TensorType::Q3_K:
      return quantized(Codes::U3, Scales::Super, false, 16);
    case TensorType::Q4_K:
      return quantized(Codes::U4, Scales::Super, true, 32);
    case TensorType::Q5_K:
      return quantized(Codes::U5, Scales::Super, true, 32);
    case TensorType::Q6_K:
      return quantized(Codes::U6, Scales::Super, false, 16);
    case TensorType::IQ4_NL:
      return quantized(Codes::L4, Scales::Half, false, 32);
  }
  throw Error("a weight type that the kernels do not know: " + std::to_string(static_cast<uint32_t>(type)));
}

size_t packed_column_step(TensorType type) { return packed_format(type).chunk_cols; }

size_t packed_block_bytes(const PackedFormat& format, size_t cols) {
  return cols / format.chunk_cols * format.chunk_bytes;
}

void pack_block(TensorType type, const std::byte* tensor, size_t rows, size_t cols, const uint32_t* row_map,
                size_t block, std::byte* out) {
  const PackedFormat f = packed_format(type);
  if (f.codes == Codes::F32) return pack_floats<uint32_t>(tensor, rows, cols, row_map, block, out);
  if (f.scales == Scales::None) return pack_floats<uint16_t>(tensor, rows, cols, row_map, block, out);

  const BlockFormat* source = block_format(static_cast<uint32_t>(type));
  const size_t row_bytes = cols / source->block_size * source->block_bytes;
  const size_t groups = f.chunk_cols / f.group;
  const size_t parts_count = f.has_min ? 2 : 1;
  const size_t half_bytes = kBlockRows * 2 * parts_count;
  const size_t small_bytes = f.scales == Scales::Super ? kBlockRows * groups * parts_count : 0;
  const size_t code_bytes = unit_bytes(f.codes);
  Parts parts{};
  for (size_t chunk = 0; chunk < cols / f.chunk_cols; ++chunk) {
    std::byte* to = out + chunk * f.chunk_bytes;
    for (size_t in_block = 0; in_block < kBlockRows; ++in_block) {
      const size_t row = block * kBlockRows + in_block;
      if (row < rows) {
        const size_t from = row_map != nullptr ? row_map[row] : row;
        split(type, tensor + from * row_bytes + chunk * source->block_bytes, parts);
      } else {
        parts = Parts{};
      }
      std::memcpy(to + in_block * 2, &parts.d, 2);
      if (f.has_min) std::memcpy(to + (kBlockRows + in_block) * 2, &parts.dmin, 2);
      if (f.scales == Scales::Super) {
        for (size_t g = 0; g < groups; ++g) {
          std::byte* small = to + half_bytes + g * kBlockRows * parts_count + in_block;
          small[0] = static_cast<std::byte>(parts.scales[g]);
          if (f.has_min) small[kBlockRows] = static_cast<std::byte>(parts.minima[g]);
        }
      }
      std::byte* at = to + half_bytes + small_bytes + in_block / kLanes * code_bytes + in_block % kLanes * 4;
      for (size_t unit = 0; unit < f.chunk_cols / kUnitCols; ++unit) {
        place_row(f.codes, parts.codes + unit * kUnitCols, at + unit * kPanels * code_bytes);
      }
    }
  }
}

void packed_row(const PackedMatrix& matrix, size_t row, float* out) {
  const PackedFormat& f = matrix.format;
  const std::byte* block = matrix.data + row / kBlockRows * matrix.block_bytes;
  const size_t in_block = row % kBlockRows;
  if (f.scales == Scales::None) {
    for (size_t c = 0; c < matrix.cols; ++c) {
      const size_t at = c * kBlockRows + in_block;
      if (f.codes == Codes::F32) {
        std::memcpy(out + c, block + at * 4, 4);
      } else {
        const uint16_t bits = u16_at(block + at * 2);
        out[c] = f.codes == Codes::F16 ? half_to_float(bits) : brain_to_float(bits);
      }
    }
    return;
  }
  const size_t groups = f.chunk_cols / f.group;
  const size_t parts_count = f.has_min ? 2 : 1;
  const size_t half_bytes = kBlockRows * 2 * parts_count;
  const size_t small_bytes = f.scales == Scales::Super ? kBlockRows * groups * parts_count : 0;
  const size_t code_bytes = unit_bytes(f.codes);
  const size_t panel = in_block / kLanes;
  const size_t lane = in_block % kLanes;
  for (size_t c = 0; c < matrix.cols; c += f.group) {
    const std::byte* chunk = block + c / f.chunk_cols * f.chunk_bytes;
    const size_t g = c % f.chunk_cols / f.group;
    float scale = half_to_float(u16_at(chunk + in_block * 2));
    float minimum = f.has_min ? half_to_float(u16_at(chunk + (kBlockRows + in_block) * 2)) : 0;
    if (f.scales == Scales::Super) {
      const std::byte* small = chunk + half_bytes + g * kBlockRows * parts_count + in_block;
      scale *=
          f.has_min ? static_cast<float>(u8(small[0])) : static_cast<float>(static_cast<int8_t>(small[0]));
      if (f.has_min) minimum = -(minimum * static_cast<float>(u8(small[kBlockRows])));
    }
    const size_t unit = c % f.chunk_cols / kUnitCols;
    const std::byte* codes = chunk + half_bytes + small_bytes + (unit * kPanels + panel) * code_bytes;
    for (size_t i = 0; i < f.group; ++i) {
      const auto code = static_cast<float>(code_at(f, codes, lane, (c + i) % kUnitCols));
      out[c + i] = f.has_min ? code * scale + minimum : code * scale;
    }
  }
}

}  // namespace longleaf

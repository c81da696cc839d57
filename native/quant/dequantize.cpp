// Facts of the block formats: https://github.com/ggml-org/ggml/blob/master/src/ggml-common.h and, in words,
// https://github.com/ggml-org/llama.cpp/wiki/Tensor-Encoding-Schemes. A scale has 11 significant bits, so its
// product with the small integers of a block is exact in float and only the last operation can round.
#include <cstring>

#include "quant/half.h"
#include "quant/quant.h"

namespace longleaf {

namespace {

constexpr int kLarge = 256;  // values in a block of the K formats
constexpr int kSmall = 32;   // values in the other blocks

inline int byte_at(const std::byte* bytes, int i) { return std::to_integer<int>(bytes[i]); }
inline int signed_at(const std::byte* bytes, int i) {
  return static_cast<int8_t>(std::to_integer<uint8_t>(bytes[i]));
}

void f32(const std::byte* in, float* out) { *out = float_of_bits(load_u32(in)); }
void f16(const std::byte* in, float* out) { *out = load_half(in); }
void bf16(const std::byte* in, float* out) {
  *out = float_of_bits(static_cast<uint32_t>(load_u16(in)) << 16);
}

// Blocks of 32: the low halves of the 16 bytes are values 0 to 15, the high halves values 16 to 31.
void q4_0(const std::byte* in, float* out) {
  float scale = load_half(in);
  for (int i = 0; i < 16; ++i) {
    int pair = byte_at(in + 2, i);
    out[i] = scale * static_cast<float>((pair & 15) - 8);
    out[i + 16] = scale * static_cast<float>((pair >> 4) - 8);
  }
}

void q4_1(const std::byte* in, float* out) {
  float scale = load_half(in);
  float least = load_half(in + 2);
  for (int i = 0; i < 16; ++i) {
    int pair = byte_at(in + 4, i);
    out[i] = scale * static_cast<float>(pair & 15) + least;
    out[i + 16] = scale * static_cast<float>(pair >> 4) + least;
  }
}

// Bit i of `high` is the fifth bit of value i.
void q5_0(const std::byte* in, float* out) {
  float scale = load_half(in);
  uint32_t high = load_u32(in + 2);
  for (int i = 0; i < 16; ++i) {
    int pair = byte_at(in + 6, i);
    int first = (pair & 15) | static_cast<int>(high >> i & 1) << 4;
    int second = (pair >> 4) | static_cast<int>(high >> (i + 16) & 1) << 4;
    out[i] = scale * static_cast<float>(first - 16);
    out[i + 16] = scale * static_cast<float>(second - 16);
  }
}

void q5_1(const std::byte* in, float* out) {
  float scale = load_half(in);
  float least = load_half(in + 2);
  uint32_t high = load_u32(in + 4);
  for (int i = 0; i < 16; ++i) {
    int pair = byte_at(in + 8, i);
    int first = (pair & 15) | static_cast<int>(high >> i & 1) << 4;
    int second = (pair >> 4) | static_cast<int>(high >> (i + 16) & 1) << 4;
    out[i] = scale * static_cast<float>(first) + least;
    out[i + 16] = scale * static_cast<float>(second) + least;
  }
}

void q8_0(const std::byte* in, float* out) {
  float scale = load_half(in);
  for (int i = 0; i < kSmall; ++i) out[i] = scale * static_cast<float>(signed_at(in + 2, i));
}

void iq4_nl(const std::byte* in, float* out) {
  static constexpr int8_t kLevels[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                         1,    13,   25,  38,  53,  69,  89,  113};
  float scale = load_half(in);
  for (int i = 0; i < 16; ++i) {
    int pair = byte_at(in + 2, i);
    out[i] = scale * static_cast<float>(kLevels[pair & 15]);
    out[i + 16] = scale * static_cast<float>(kLevels[pair >> 4]);
  }
}

// 16 groups of 16 values: 4 bits of scale and 4 of minimum each. Of every 128 values, byte i of 32 holds the
// values i, i + 32, i + 64 and i + 96, two bits each from the lowest.
void q2_k(const std::byte* in, float* out) {
  const std::byte* scales = in;
  const std::byte* quants = in + 16;
  float scale = load_half(in + 80);
  float least = load_half(in + 82);
  for (int i = 0; i < kLarge; ++i) {
    int half = i / 128;
    int quarter = i % 128 / 32;
    int quant = byte_at(quants, half * 32 + i % 32) >> (2 * quarter) & 3;
    int packed = byte_at(scales, i / 16);
    out[i] = scale * static_cast<float>(packed & 15) * static_cast<float>(quant) -
             least * static_cast<float>(packed >> 4);
  }
}

// As Q2_K with a third bit (set: nothing to take away) in bit i / 32 of byte i % 32 of the mask, and 16
// scales of six bits less 32: four low bits in bytes 0 to 7, two high ones in bytes 8 to 11.
void q3_k(const std::byte* in, float* out) {
  const std::byte* mask = in;
  const std::byte* quants = in + 32;
  const std::byte* scales = in + 96;
  float scale = load_half(in + 108);
  float group[16];
  for (int i = 0; i < 16; ++i) {
    int low = byte_at(scales, i % 8) >> (i < 8 ? 0 : 4) & 15;
    int high = byte_at(scales, 8 + i % 4) >> (2 * (i / 4)) & 3;
    group[i] = scale * static_cast<float>((low | high << 4) - 32);
  }
  for (int i = 0; i < kLarge; ++i) {
    int half = i / 128;
    int quarter = i % 128 / 32;
    int quant = byte_at(quants, half * 32 + i % 32) >> (2 * quarter) & 3;
    int third = byte_at(mask, i % 32) >> (i / 32) & 1;
    out[i] = group[i / 16] * static_cast<float>(quant - (third != 0 ? 0 : 4));
  }
}

struct ScaleAndMin {
  int scale;
  int least;
};

// Q4_K and Q5_K pack 8 scales and 8 minima of six bits in 12 bytes.
ScaleAndMin scale_and_min(const std::byte* packed, int i) {
  if (i < 4) return {byte_at(packed, i) & 63, byte_at(packed, i + 4) & 63};
  int low = byte_at(packed, i + 4);
  return {(low & 15) | byte_at(packed, i - 4) >> 6 << 4, low >> 4 | byte_at(packed, i) >> 6 << 4};
}

// 8 groups of 32 values; two groups share 32 bytes, the first in the low halves.
void q4_k(const std::byte* in, float* out) {
  float scale = load_half(in);
  float least = load_half(in + 2);
  const std::byte* quants = in + 16;
  for (int group = 0; group < 8; ++group) {
    ScaleAndMin packed = scale_and_min(in + 4, group);
    float step = scale * static_cast<float>(packed.scale);
    float offset = least * static_cast<float>(packed.least);
    const std::byte* bytes = quants + group / 2 * 32;
    int shift = group % 2 * 4;
    for (int i = 0; i < 32; ++i) {
      out[group * 32 + i] = step * static_cast<float>(byte_at(bytes, i) >> shift & 15) - offset;
    }
  }
}

// As Q4_K; bit g of byte i of `high` is the fifth bit of value i of group g.
void q5_k(const std::byte* in, float* out) {
  float scale = load_half(in);
  float least = load_half(in + 2);
  const std::byte* high = in + 16;
  const std::byte* quants = in + 48;
  for (int group = 0; group < 8; ++group) {
    ScaleAndMin packed = scale_and_min(in + 4, group);
    float step = scale * static_cast<float>(packed.scale);
    float offset = least * static_cast<float>(packed.least);
    const std::byte* bytes = quants + group / 2 * 32;
    int shift = group % 2 * 4;
    for (int i = 0; i < 32; ++i) {
      int quant = (byte_at(bytes, i) >> shift & 15) | (byte_at(high, i) >> group & 1) << 4;
      out[group * 32 + i] = step * static_cast<float>(quant) - offset;
    }
  }
}

// Of every 128 values: low four bits in 64 bytes (values 0 to 63 in the low halves, 64 to 127 in the high
// ones), high two bits in 32 bytes (as in Q2_K); a signed scale for 16 values.
void q6_k(const std::byte* in, float* out) {
  const std::byte* low = in;
  const std::byte* high = in + 128;
  const std::byte* scales = in + 192;
  float scale = load_half(in + 208);
  for (int i = 0; i < kLarge; ++i) {
    int half = i / 128;
    int within = i % 128;
    int four = byte_at(low, half * 64 + within % 64) >> (within < 64 ? 0 : 4) & 15;
    int two = byte_at(high, half * 32 + within % 32) >> (2 * (within / 32)) & 3;
    out[i] =
        scale * static_cast<float>(signed_at(scales, i / 16)) * static_cast<float>((four | two << 4) - 32);
  }
}

template <void (*Block)(const std::byte*, float*)>
void each_block(TensorType type, const std::byte* in, float* out, size_t n) {
  const BlockFormat& format = *block_format(static_cast<uint32_t>(type));
  for (size_t i = 0; i < n; i += format.block_size) {
    Block(in, out + i);
    in += format.block_bytes;
  }
}

}  // namespace

void dequantize(TensorType type, const std::byte* blocks, float* out, size_t n) {
  switch (type) {
    case TensorType::F32:
      return each_block<f32>(type, blocks, out, n);
    case TensorType::F16:
      return each_block<f16>(type, blocks, out, n);
    case TensorType::BF16:
      return each_block<bf16>(type, blocks, out, n);
    case TensorType::Q4_0:
      return each_block<q4_0>(type, blocks, out, n);
    case TensorType::Q4_1:
      return each_block<q4_1>(type, blocks, out, n);
    case TensorType::Q5_0:
      return each_block<q5_0>(type, blocks, out, n);
    case TensorType::Q5_1:
      return each_block<q5_1>(type, blocks, out, n);
    case TensorType::Q8_0:
      return each_block<q8_0>(type, blocks, out, n);
    case TensorType::Q2_K:
      return each_block<q2_k>(type, blocks, out, n);
    case TensorType::Q3_K:
      return each_block<q3_k>(type, blocks, out, n);
    case TensorType::Q4_K:
      return each_block<q4_k>(type, blocks, out, n);
    case TensorType::Q5_K:
      return each_block<q5_k>(type, blocks, out, n);
    case TensorType::Q6_K:
      return each_block<q6_k>(type, blocks, out, n);
    case TensorType::IQ4_NL:
      return each_block<iq4_nl>(type, blocks, out, n);
  }
}

}  // namespace longleaf

// IEEE binary16 and bfloat16, read from bytes of any alignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace longleaf {

inline uint16_t load_u16(const std::byte* bytes) {
  return static_cast<uint16_t>(std::to_integer<unsigned>(bytes[0]) | std::to_integer<unsigned>(bytes[1])
                                                                         << 8);
}

inline uint32_t load_u32(const std::byte* bytes) {
  return static_cast<uint32_t>(load_u16(bytes)) | static_cast<uint32_t>(load_u16(bytes + 2)) << 16;
}

inline float float_of_bits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Exact: every binary16 value is a binary32 value. The payload of a NaN is kept.
inline float float_of_half(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  uint32_t exponent = (half >> 10) & 31;
  uint32_t fraction = half & 0x3FF;
  if (exponent == 0) {
    float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  uint32_t widened = exponent == 31 ? 255 : exponent + 112;
  return float_of_bits(sign | widened << 23 | fraction << 13);
}

inline float load_half(const std::byte* bytes) { return float_of_half(load_u16(bytes)); }

}  // namespace longleaf

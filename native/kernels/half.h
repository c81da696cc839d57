// 16-bit floats, bit by bit. Internal linkage: included by units built for different instruction sets.
#pragma once

#include <cstdint>

namespace longleaf {
namespace {

[[maybe_unused]] inline float bits_to_float(uint32_t bits) {
  float out;
  __builtin_memcpy(&out, &bits, sizeof out);
  return out;
}

[[maybe_unused]] inline float half_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 31u;
  const uint32_t mantissa = half & 0x3FFu;
  if (exponent == 31) return bits_to_float(sign | 0x7F800000u | mantissa << 13);
  if (exponent != 0) return bits_to_float(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8f;  // subnormal: units of 2^-24
  return sign != 0 ? -magnitude : magnitude;
}

[[maybe_unused]] inline float brain_to_float(uint16_t brain) {
  return bits_to_float(static_cast<uint32_t>(brain) << 16);
}

// Round to nearest, ties to even; a NaN stays one.
[[maybe_unused]] inline uint16_t float_to_half(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return static_cast<uint16_t>(sign | 0x7E00u);
  if (magnitude >= 0x477FF000u) return static_cast<uint16_t>(sign | 0x7C00u);  // rounds past the largest
  if (magnitude < 0x38800000u) {
    // Subnormal: adding 0.5 leaves units of 2^-24 in the low bits of the sum, rounded as any addition is.
    const float sum = bits_to_float(magnitude) + 0.5f;
    uint32_t units;
    __builtin_memcpy(&units, &sum, sizeof units);
    return static_cast<uint16_t>(sign | (units - 0x3F000000u));
  }
  const uint32_t rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1u);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

}  // namespace
}  // namespace longleaf

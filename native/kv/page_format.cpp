#include "kv/page_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "error.h"

namespace longleaf {
namespace {

struct TypeName {
  KvType type;
  const char* name;
};
constexpr TypeName kNames[] = {{KvType::F16, "f16"},
                               {KvType::BF16, "bf16"},
                               {KvType::Q8, "q8"},
                               {KvType::Q4, "q4"},
                               {KvType::F32, "f32"}};

constexpr size_t kGroupDims = 32;  // that share a multiplier
constexpr size_t kGroupless = 64;  // up to so many dimensions the scale of the token is enough
constexpr float kMostMultiplier = 127;
constexpr float kMostByteMultiplier = 15;  // of q8: codes times it must stay as small as those of q4

size_t padded(size_t dims) { return (dims + kGroupDims - 1) / kGroupDims * kGroupDims; }

constexpr float kSmallest = 1e-30f;  // below, a vector is taken for zero: the inverse must be finite

// The least bf16 that is not below x >= 0; NaN for what is no finite number.
uint16_t brain_above(float x) {
  if (!(x < std::numeric_limits<float>::max())) return 0x7FC0;
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return static_cast<uint16_t>((bits + 0xFFFF) >> 16);
}

float brain_to_float(uint16_t brain) {
  const uint32_t bits = static_cast<uint32_t>(brain) << 16;
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

uint16_t nearest_brain(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return 0x7FC0;
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

// Sixteen sums side by side, so that the compiler can use vectors; a NaN or an infinity ends in both results.
float length_of(const float* x, size_t n) {
  float sums[16] = {};
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    for (size_t j = 0; j < 16; ++j) sums[j] += x[i + j] * x[i + j];
  }
  for (size_t j = 0; i + j < n; ++j) sums[j] += x[i + j] * x[i + j];
  float total = 0;
  for (float sum : sums) total += sum;
  return std::sqrt(total);
}

float largest_of(const float* x, size_t n) {
  float largest[16] = {}, any[16] = {};
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    for (size_t j = 0; j < 16; ++j) {
      largest[j] = std::max(largest[j], std::fabs(x[i + j]));
      any[j] += x[i + j] * 0.0f;
    }
  }
  for (size_t j = 0; i + j < n; ++j) {
    largest[j] = std::max(largest[j], std::fabs(x[i + j]));
    any[j] += x[i + j] * 0.0f;
  }
  float most = 0, none = 0;
  for (size_t j = 0; j < 16; ++j) {
    most = std::max(most, largest[j]);
    none += any[j];
  }
  return most + none;
}

float scale_of(const KvPart& part, const float* x) {
  return part.keys ? length_of(x, part.dims) / kIntegerLength : largest_of(x, part.dims) / kIntegerValue;
}

// Rounds to the nearest integer, |x| < 2^22: adding 1.5 * 2^23 leaves it in the low bits of the sum.
int32_t nearest_integer(float x) {
  const float sum = x + 12582912.0f;
  int32_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  return bits - 0x4B400000;
}

// Calls put(offset of the element, its number) for the elements of a token in panels of [rows][16].
template <class Put>
void scatter(const KvPart& part, size_t token, Put&& put) {
  if (part.keys) {
    const size_t first = token / kPanelLanes * part.rows() * kPanelLanes + token % kPanelLanes;
    for (size_t i = 0; i < part.dims; ++i) put(first + i * kPanelLanes, i);
  } else {
    for (size_t i = 0; i < part.dims; ++i)
      put((i / kPanelLanes * kPageTokens + token) * kPanelLanes + i % kPanelLanes, i);
  }
}

// Where scatter() puts element i.
size_t element_place(const KvPart& part, size_t token, size_t i) {
  return part.keys ? (token / kPanelLanes * part.rows() + i) * kPanelLanes + token % kPanelLanes
                   : (i / kPanelLanes * kPageTokens + token) * kPanelLanes + i % kPanelLanes;
}

// The same in panels of [rows / 2][16][2].
template <class Put>
void scatter_pairs(const KvPart& part, size_t token, Put&& put) {
  const size_t panel_size = part.rows() * kPanelLanes;
  if (part.keys) {
    const size_t first = token / kPanelLanes * panel_size + token % kPanelLanes * 2;
    for (size_t i = 0; i < part.dims; ++i) put(first + i / 2 * 2 * kPanelLanes + i % 2, i);
  } else {
    const size_t first = token / 2 * 2 * kPanelLanes + token % 2;
    for (size_t i = 0; i < part.dims; ++i) put(i / kPanelLanes * panel_size + first + i % kPanelLanes * 2, i);
  }
}

// The byte of a q4 page in which the code of dimension i stands, and in which half of it.
struct Nibble {
  size_t byte;
  int shift;
};
Nibble nibble(const KvPart& part, size_t token, size_t i) {
  if (part.keys) {
    const size_t panel = token / kPanelLanes * part.panel_bytes();
    return {panel + (i / 4 * kPanelLanes + token % kPanelLanes) * 2 + i % 2, i % 4 < 2 ? 0 : 4};
  }
  const size_t pair = i / (2 * kPanelLanes) * 2 * part.panel_bytes();
  return {pair + (token / 2 * kPanelLanes + i % kPanelLanes) * 2 + token % 2,
          i / kPanelLanes % 2 == 0 ? 0 : 4};
}

size_t multiplier_place(const KvPart& part, size_t token, size_t group) {
  const size_t index = part.keys
                           ? (token / kPanelLanes * part.groups() + group) * kPanelLanes + token % kPanelLanes
                           : group * kPageTokens + token;
  return part.multipliers_at() + index;
}

// The step of 16 levels (2 code - 15) * step that is nearest to x in the mean of squares, of some below the
// one that reaches the largest element: the few largest may be cut so that the others are finer.
float best_step(const float* x, size_t n) {
  float largest = 0;
  for (size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
  float best = largest / 15, least = std::numeric_limits<float>::max();
  for (float divisor = 15; divisor < 22; divisor += 1) {
    const float step = largest / divisor, inverse = step > 0 ? 0.5f / step : 0;
    float error = 0;
    for (size_t i = 0; i < n; ++i) {
      const float level = std::min(7.0f, std::floor(std::fabs(x[i]) * inverse)) * 2 + 1;
      const float off = std::fabs(x[i]) - level * step;
      error += off * off;
    }
    if (error < least) {
      least = error;
      best = step;
    }
  }
  return best;
}

// x: padded with zeros
void write_nibbles(const KvPart& part, std::byte* page, size_t token, const float* x) {
  const size_t dims = padded(part.dims);
  const size_t group_dims = part.groups() == 0 ? dims : kGroupDims;
  float steps[kMostHeadDim / kGroupDims + 1], most = 0, none = 0;
  for (size_t i = 0; i < dims; ++i) none += x[i] * 0.0f;
  for (size_t g = 0; g * group_dims < dims; ++g) {
    steps[g] = best_step(x + g * group_dims, group_dims);
    most = std::max(most, steps[g]);
  }
  const float wanted = (part.groups() == 0 ? most : most / kMostMultiplier) + none;
  const uint16_t scale = wanted < kSmallest ? uint16_t{0} : brain_above(wanted);
  const float step = brain_to_float(scale);
  const bool codes = step > 0;
  std::memcpy(page + part.scales_at() + token * sizeof scale, &scale, sizeof scale);
  for (size_t g = 0; g * group_dims < dims; ++g) {
    float multiplier = 1;
    if (part.groups() != 0) {
      multiplier = codes ? std::max(1.0f, std::min(kMostMultiplier, std::nearbyint(steps[g] / step))) : 1.0f;
      page[multiplier_place(part, token, g)] = static_cast<std::byte>(multiplier);
    }
    const float inverse = codes ? 0.5f / (multiplier * step) : 0;
    for (size_t i = g * group_dims; i < (g + 1) * group_dims; ++i) {
      const float level = codes ? std::max(0.0f, std::min(15.0f, std::floor(x[i] * inverse) + 8)) : 0.0f;
      const Nibble at = nibble(part, token, i);
      const auto code = static_cast<uint8_t>(level);
      const auto old = std::to_integer<uint8_t>(page[at.byte]);
      page[at.byte] = static_cast<std::byte>((old & (0xF0 >> at.shift)) | (code << at.shift));
    }
  }
}

template <class T>
T* as(std::byte* bytes) {
  return reinterpret_cast<T*>(bytes);
}

template <class T>
void put_plain(const KvPart& part, std::byte* page, size_t token, const T* values) {
  scatter(part, token, [&](size_t at, size_t i) { as<T>(page)[at] = values[i]; });
}

void write_bytes(const KvPart& part, std::byte* page, size_t token, const float* x) {
  const float most = largest_of(x, part.dims);
  const float wanted = most / (127 * (part.groups() == 0 ? 1 : kMostByteMultiplier));
  const uint16_t scale = wanted < kSmallest ? uint16_t{0} : brain_above(wanted);
  std::memcpy(page + part.scales_at() + token * sizeof scale, &scale, sizeof scale);
  const float step = brain_to_float(scale);
  const bool codes = step > 0;  // not if NaN either: the scale says it
  float inverses[kMostHeadDim / kGroupDims];
  std::fill(std::begin(inverses), std::end(inverses), codes ? 1 / step : 0);
  for (size_t g = 0; g < part.groups(); ++g) {
    const size_t first = g * kGroupDims;
    const float largest = largest_of(x + first, std::min(kGroupDims, part.dims - first));
    const float multiplier =
        codes ? std::max(1.0f, std::min(kMostByteMultiplier, std::ceil(largest / (127 * step)))) : 1.0f;
    page[multiplier_place(part, token, g)] = static_cast<std::byte>(multiplier);
    inverses[g] /= multiplier;
  }
  scatter_pairs(part, token, [&](size_t at, size_t i) {
    as<int8_t>(page)[at] =
        codes ? static_cast<int8_t>(nearest_integer(x[i] * inverses[i / kGroupDims])) : int8_t{0};
  });
}

}  // namespace

KvType kv_type_named(const std::string& name) {
  std::string names;
  for (const TypeName& each : kNames) {
    if (name == each.name) return each.type;
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  throw Error("no type \"" + name + "\" of KV cache; there are: " + names);
}

size_t KvPart::panels() const {
  if (type == KvType::Q4 && !keys) return padded(dims) / kPanelLanes;
  return keys ? kPageTokens / kPanelLanes : (dims + kPanelLanes - 1) / kPanelLanes;
}

size_t KvPart::rows() const {
  if (!keys) return kPageTokens;
  if (type == KvType::Q4) return padded(dims);
  return type == KvType::Q8 ? (dims + 1) / 2 * 2 : dims;
}

size_t KvPart::panel_bytes() const {
  const size_t elements = rows() * kPanelLanes;
  if (type == KvType::F32) return elements * 4;
  if (type == KvType::Q4) return elements / 2;
  return type == KvType::Q8 ? elements : elements * 2;
}

bool KvPart::rotated() const { return type == KvType::Q8 || type == KvType::Q4; }

size_t KvPart::groups() const { return rotated() && dims > kGroupless ? padded(dims) / kGroupDims : 0; }

size_t KvPart::multipliers_at() const { return panels() * panel_bytes(); }

size_t KvPart::scales_at() const { return multipliers_at() + groups() * kPageTokens; }

size_t KvPart::bytes() const {
  return scales_at() + (type == KvType::F32 ? 0 : kPageTokens * sizeof(uint16_t));
}

void rotate(float* x, size_t n) {
  size_t block = 1;
  while (n % (2 * block) == 0) block *= 2;
  const float scale = 1 / std::sqrt(static_cast<float>(block));
  for (float* at = x; at < x + n; at += block) {
    for (size_t half = 1; half < block; half *= 2) {
      for (size_t i = 0; i < block; i += 2 * half) {
        for (size_t j = i; j < i + half; ++j) {
          const float a = at[j], b = at[j + half];
          at[j] = a + b;
          at[j + half] = a - b;
        }
      }
    }
    for (size_t i = 0; i < block; ++i) at[i] *= scale;
  }
}

void write_vector(const Kernels& kernels, const KvPart& part, std::byte* page, size_t token, const float* x) {
  if (part.type == KvType::F32) return put_plain(part, page, token, x);
  float rotated[kMostHeadDim + kGroupDims];
  if (part.rotated()) {
    std::fill(std::copy(x, x + part.dims, rotated), rotated + padded(part.dims), 0.0f);
    rotate(rotated, part.dims);
    x = rotated;
  }
  if (part.type == KvType::Q4) return write_nibbles(part, page, token, x);
  if (part.type == KvType::Q8) return write_bytes(part, page, token, x);
  const float wanted = scale_of(part, x);
  const uint16_t scale = wanted < kSmallest ? uint16_t{0} : brain_above(wanted);
  std::memcpy(page + part.scales_at() + token * sizeof scale, &scale, sizeof scale);
  uint16_t bits[kMostHeadDim + 15];
  if (part.type == KvType::F16) {
    kernels.f32_to_f16(x, bits, part.dims);
  } else {
    for (size_t i = 0; i < part.dims; ++i) bits[i] = nearest_brain(x[i]);
  }
  put_plain(part, page, token, bits);
}

void clear_tokens(const KvPart& part, std::byte* page, size_t first) {
  for (size_t token = first; token < kPageTokens; ++token) {
    if (part.type == KvType::F32) {
      scatter(part, token, [&](size_t at, size_t) { as<float>(page)[at] = 0; });
      continue;
    }
    std::memset(page + part.scales_at() + token * sizeof(uint16_t), 0, sizeof(uint16_t));
    for (size_t g = 0; g < part.groups(); ++g) page[multiplier_place(part, token, g)] = std::byte{0};
    if (part.type == KvType::Q4) {
      for (size_t i = 0; i < padded(part.dims); ++i) {
        const Nibble at = nibble(part, token, i);
        page[at.byte] &= static_cast<std::byte>(0xF0 >> at.shift);
      }
    } else if (part.type == KvType::Q8) {
      scatter_pairs(part, token, [&](size_t at, size_t) { as<int8_t>(page)[at] = 0; });
    } else {
      scatter(part, token, [&](size_t at, size_t) { as<uint16_t>(page)[at] = 0; });
    }
  }
}

const float* unpack_panels(const Kernels& kernels, const KvPart& part, const std::byte* page, float* tile) {
  const size_t elements = part.panels() * part.rows() * kPanelLanes;
  switch (part.type) {
    case KvType::F32:
      return reinterpret_cast<const float*>(page);
    case KvType::F16:
      kernels.f16_to_f32(reinterpret_cast<const uint16_t*>(page), tile, elements);
      break;
    case KvType::BF16:
      for (size_t i = 0; i < elements; ++i)
        tile[i] = brain_to_float(reinterpret_cast<const uint16_t*>(page)[i]);
      break;
    case KvType::Q8:
      for (size_t token = 0; token < kPageTokens; ++token) {
        float multiplier = 1;
        scatter_pairs(part, token, [&](size_t at, size_t i) {
          if (part.groups() != 0 && i % kGroupDims == 0)
            multiplier = std::to_integer<uint8_t>(page[multiplier_place(part, token, i / kGroupDims)]);
          const size_t place = element_place(part, token, i);
          tile[place] = static_cast<float>(reinterpret_cast<const int8_t*>(page)[at]) * multiplier;
        });
      }
      break;
    case KvType::Q4:
      for (size_t token = 0; token < kPageTokens; ++token) {
        float multiplier = 1;
        for (size_t i = 0; i < padded(part.dims); ++i) {
          if (part.groups() != 0 && i % kGroupDims == 0)
            multiplier = std::to_integer<uint8_t>(page[multiplier_place(part, token, i / kGroupDims)]);
          const Nibble at = nibble(part, token, i);
          const int code = std::to_integer<int>(page[at.byte]) >> at.shift & 15;
          const size_t place = element_place(part, token, i);
          tile[place] = static_cast<float>(2 * code - 15) * multiplier;
        }
      }
      break;
  }
  return tile;
}

bool load_scales(const KvPart& part, const std::byte* page, float* scales) {
  if (!part.rotated()) return false;
  for (size_t token = 0; token < kPageTokens; ++token) {
    uint16_t brain;
    std::memcpy(&brain, page + part.scales_at() + token * sizeof brain, sizeof brain);
    scales[token] = brain_to_float(brain);
  }
  return true;
}

}  // namespace longleaf

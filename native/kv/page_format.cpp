#include "kv/page_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "error.h"
#include "kv/fit.h"

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

constexpr float kMostMultiplier = 15;
// Between these a group's unit of levels is searched, in multiples of what takes the largest element to the
// largest level: below 1 the few largest are cut so that the others are finer.
constexpr float kLeastUnit = 0.8f, kMostUnit = 1.5f;
constexpr float kLargestLevel = kHalfLevels[15];

size_t round_up(size_t n, size_t step) { return (n + step - 1) / step * step; }

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

// Calls put(offset of the element, its number) for the elements of a token in panels of [rows][16], or of
// [rows / 2][16][2].
template <class Put>
void scatter(const KvPart& part, size_t token, Put&& put) {
  if (part.whole_numbers()) {
    const size_t lane = token % kPanelLanes, panel = token / kPanelLanes * part.rows() * kPanelLanes;
    for (size_t i = 0; i < part.dims; ++i) {
      put(part.keys ? panel + (i / 2 * kPanelLanes + lane) * 2 + i % 2
                    : (i / kPanelLanes * kPageTokens + token / 2 * 2) * kPanelLanes + i % kPanelLanes * 2 +
                          token % 2,
          i);
    }
  } else if (part.keys) {
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

// Where a code stands: the lowest bit of its byte that is its own.
struct CodePlace {
  size_t byte;
  int shift;
};

CodePlace code_place(const KvPart& part, size_t token, size_t i) {
  const size_t lane = (part.keys ? token : i) % kPanelLanes;
  if (part.keys) {
    const size_t panel = token / kPanelLanes * part.panel_bytes(), fine = part.fine();
    if (i < fine) return {panel + (i / 2 * kPanelLanes + lane) * 2 + i % 2, 0};
    const size_t at = i - fine;
    return {panel + fine * kPanelLanes + (at / 4 * kPanelLanes + lane) * 2 + at % 2, at % 4 < 2 ? 0 : 4};
  }
  const size_t in_panel = (token / 2 * kPanelLanes + lane) * 2 + token % 2;
  const size_t panel = i / kPanelLanes;
  if (part.type == KvType::Q8) return {panel * part.panel_bytes() + in_panel, 0};
  return {panel / 2 * 2 * part.panel_bytes() + in_panel, panel % 2 == 0 ? 0 : 4};
}

CodePlace multiplier_place(const KvPart& part, size_t token, size_t group) {
  const size_t index =
      part.keys ? (token / kPanelLanes * part.multipliers() + group / 2) * kPanelLanes + token % kPanelLanes
                : group / 2 * kPageTokens + token;
  return {part.multipliers_at() + index, group % 2 == 0 ? 0 : 4};
}

int half_at(const std::byte* page, CodePlace at) {
  return std::to_integer<int>(page[at.byte]) >> at.shift & 15;
}

uint8_t two_halves(uint8_t low, uint8_t high) { return static_cast<uint8_t>(low | high << 4); }

// Codes and multipliers of a token, with zeros behind them up to the end of the page's last row or panel.
struct TokenCodes {
  uint8_t codes[kMostHeadDim + 2 * kPanelLanes];
  uint8_t multipliers[kMostHeadDim / kGroup + 2];
};

void put_codes(const KvPart& part, std::byte* page, size_t token, const TokenCodes& t) {
  auto* bytes = reinterpret_cast<uint8_t*>(page);
  for (size_t g = 0; g < part.groups(); g += 2)
    bytes[multiplier_place(part, token, g).byte] = two_halves(t.multipliers[g], t.multipliers[g + 1]);
  if (part.keys) {
    uint8_t* to = bytes + token / kPanelLanes * part.panel_bytes() + token % kPanelLanes * 2;
    const size_t rows = part.rows(), whole = part.type == KvType::Q8 ? rows : part.fine();
    for (size_t i = 0; i < whole; i += 2, to += 2 * kPanelLanes) {
      to[0] = t.codes[i];
      to[1] = t.codes[i + 1];
    }
    for (size_t i = whole; i < rows; i += 4, to += 2 * kPanelLanes) {
      to[0] = two_halves(t.codes[i], t.codes[i + 2]);
      to[1] = two_halves(t.codes[i + 1], t.codes[i + 3]);
    }
    return;
  }
  uint8_t* to = bytes + token / 2 * kPanelLanes * 2 + token % 2;
  const size_t together = part.type == KvType::Q8 ? 1 : 2, panels = part.panels();
  for (size_t p = 0; p < panels; p += together, to += together * part.panel_bytes()) {
    const uint8_t* codes = t.codes + p * kPanelLanes;
    for (size_t l = 0; l < kPanelLanes; ++l)
      to[2 * l] = together == 1 ? codes[l] : two_halves(codes[l], codes[l + kPanelLanes]);
  }
}

// The elements, in multiples of the token's scale.
void read_codes(const KvPart& part, const std::byte* page, size_t token, float* tile) {
  for (size_t g = 0; g < part.groups(); ++g) {
    const KvGroup group = part.group(g);
    const int multiplier = half_at(page, multiplier_place(part, token, g));
    for (size_t i = group.first; i < group.end; ++i) {
      const CodePlace at = code_place(part, token, i);
      const int level = group.fine ? std::to_integer<int8_t>(page[at.byte]) : kHalfLevels[half_at(page, at)];
      tile[element_place(part, token, i)] = static_cast<float>(level * multiplier);
    }
  }
}

void bytes_of(const float* x, size_t n, float unit, uint8_t* codes) {
  for (size_t i = 0; i < n; ++i) codes[i] = static_cast<uint8_t>(nearest_integer(x[i] * (1 / unit)));
}

// What 16-bit floats are in steps of `scale`, in their place.
void to_whole_numbers(const Kernels& kernels, const KvPart& part, float scale, uint16_t* bits) {
  float values[kMostHeadDim + 15];
  if (part.type == KvType::F16) {
    const size_t padded = round_up(part.dims, 16);
    std::fill(bits + part.dims, bits + padded, uint16_t{0});
    kernels.f16_to_f32(bits, values, padded);
  } else {
    for (size_t i = 0; i < part.dims; ++i) values[i] = brain_to_float(bits[i]);
  }
  const float inverse = scale > 0 ? 1 / scale : 0;
  for (size_t i = 0; i < part.dims; ++i)
    bits[i] = static_cast<uint16_t>(nearest_integer(values[i] * inverse));
}

// x: padded with zeros up to the last group's end; overwritten
void write_codes(const Kernels& kernels, const KvPart& part, std::byte* page, size_t token, float* x,
                 const ErrorShape* shape) {
  float largest[kMostHeadDim / kGroup + 1], wanted = largest_of(x, part.dims) * 0.0f;
  for (size_t g = 0; g < part.groups(); ++g) {
    const KvGroup group = part.group(g);
    largest[g] = largest_of(x + group.first, group.end - group.first);
    const float unit = group.fine ? largest[g] / 127 : largest[g] * (kMostUnit / kLargestLevel);
    wanted = std::max(wanted, unit / kMostMultiplier) + wanted * 0.0f;
  }
  const uint16_t scale = wanted < kSmallest ? uint16_t{0} : brain_above(wanted);
  const float step = brain_to_float(scale);
  std::memcpy(page + part.scales_at() + token * sizeof scale, &scale, sizeof scale);
  TokenCodes codes{};  // of zeros; or of what is no number, which the scale says
  const FitGroup fit_group = longleaf::fit_group(kernels.name);
  const auto multiplier = [](float at_best) { return std::max(1.0f, std::min(kMostMultiplier, at_best)); };
  for (size_t g = 0; g < part.groups() && step > 0; ++g) {
    const KvGroup group = part.group(g);
    uint8_t* to = codes.codes + group.first;
    if (group.fine) {
      const float each = multiplier(std::ceil(largest[g] / 127 / step));
      bytes_of(x + group.first, group.end - group.first, each * step, to);
      codes.multipliers[g] = static_cast<uint8_t>(each);
      continue;
    }
    const size_t end = std::min(group.end, part.dims);
    const float one = largest_of(x + group.first, end - group.first) / (kLargestLevel * step);
    Fit fit{};
    fit_group(x, group.first, end, shape, step, multiplier(std::ceil(kLeastUnit * one)),
              multiplier(std::floor(kMostUnit * one)), &fit);
    std::copy(fit.codes, fit.codes + (end - group.first), to);
    codes.multipliers[g] = static_cast<uint8_t>(fit.multiplier);
  }
  put_codes(part, page, token, codes);
}

template <class T>
T* as(std::byte* bytes) {
  return reinterpret_cast<T*>(bytes);
}

template <class T>
void put_plain(const KvPart& part, std::byte* page, size_t token, const T* values) {
  scatter(part, token, [&](size_t at, size_t i) { as<T>(page)[at] = values[i]; });
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
  if (type == KvType::Q4 && !keys) return round_up(dims, 2 * kPanelLanes) / kPanelLanes;
  return keys ? kPageTokens / kPanelLanes : (dims + kPanelLanes - 1) / kPanelLanes;
}

size_t KvPart::rows() const {
  if (!keys) return kPageTokens;
  if (whole_numbers()) return round_up(dims, 2);
  return codes() ? round_up(dims, type == KvType::Q8 ? 2 : 4) : dims;
}

size_t KvPart::panel_bytes() const {
  if (type == KvType::Q8) return rows() * kPanelLanes;
  if (type == KvType::Q4) return (keys ? rows() + fine() : rows()) * kPanelLanes / 2;
  return rows() * kPanelLanes * (type == KvType::F32 ? 4 : 2);
}

bool KvPart::codes() const { return type == KvType::Q8 || type == KvType::Q4; }

bool KvPart::whole_numbers() const { return integers && (type == KvType::F16 || type == KvType::BF16); }

size_t KvPart::fine() const {
  if (type == KvType::Q8) return dims;
  return type == KvType::Q4 && keys && dims > kFineless ? dims / 32 * 4 : 0;
}

size_t KvPart::multipliers() const { return codes() ? (groups() + 1) / 2 : 0; }

size_t KvPart::groups() const {
  const size_t apart = keys ? fine() % dims : 0;  // all are fine in q8: no group apart
  return (apart != 0 ? 1 : 0) + (dims - apart + kGroup - 1) / kGroup;
}

KvGroup KvPart::group(size_t g) const {
  const size_t apart = keys ? fine() % dims : 0;
  if (apart != 0 && g == 0) return {0, apart, true};
  const size_t first = apart + (apart != 0 ? g - 1 : g) * kGroup;
  const size_t last = type == KvType::Q8 ? dims : keys ? rows() : panels() * kPanelLanes;
  return {first, std::min(last, first + kGroup), type == KvType::Q8};
}

size_t KvPart::multipliers_at() const { return panels() * panel_bytes(); }

size_t KvPart::scales_at() const { return multipliers_at() + multipliers() * kPageTokens; }

size_t KvPart::bytes() const {
  return scales_at() + (type == KvType::F32 ? 0 : kPageTokens * sizeof(uint16_t));
}

void write_vector(const Kernels& kernels, const KvPart& part, std::byte* page, size_t token, const float* x,
                  const ErrorShape* shape) {
  if (part.type == KvType::F32) return put_plain(part, page, token, x);
  if (part.codes()) {
    float copy[kMostHeadDim + 2 * kPanelLanes];
    std::fill(std::copy(x, x + part.dims, copy), std::end(copy), 0.0f);
    if (!part.keys) kernels.rotate(copy, part.dims);
    return write_codes(kernels, part, page, token, copy, shape);
  }
  const float wanted = scale_of(part, x);
  const uint16_t scale = wanted < kSmallest ? uint16_t{0} : brain_above(wanted);
  std::memcpy(page + part.scales_at() + token * sizeof scale, &scale, sizeof scale);
  uint16_t bits[kMostHeadDim + 15];
  if (part.type == KvType::F16) {
    kernels.f32_to_f16(x, bits, part.dims);
  } else {
    for (size_t i = 0; i < part.dims; ++i) bits[i] = nearest_brain(x[i]);
  }
  if (part.integers) to_whole_numbers(kernels, part, brain_to_float(scale), bits);
  put_plain(part, page, token, bits);
}

void clear_tokens(const KvPart& part, std::byte* page, size_t first) {
  for (size_t token = first; token < kPageTokens; ++token) {
    if (part.type == KvType::F32) {
      scatter(part, token, [&](size_t at, size_t) { as<float>(page)[at] = 0; });
      continue;
    }
    std::memset(page + part.scales_at() + token * sizeof(uint16_t), 0, sizeof(uint16_t));
    if (part.codes()) {
      put_codes(part, page, token, TokenCodes{});
    } else {
      scatter(part, token, [&](size_t at, size_t) { as<uint16_t>(page)[at] = 0; });
    }
  }
}

const float* unpack_panels(const Kernels& kernels, const KvPart& part, const std::byte* page, float* tile) {
  const size_t elements = part.panels() * part.rows() * kPanelLanes;
  if (part.whole_numbers()) {
    for (size_t token = 0; token < kPageTokens; ++token) {
      scatter(part, token, [&](size_t at, size_t i) {
        tile[element_place(part, token, i)] = static_cast<float>(reinterpret_cast<const int16_t*>(page)[at]);
      });
    }
    return tile;
  }
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
    case KvType::Q4:
      for (size_t token = 0; token < kPageTokens; ++token) read_codes(part, page, token, tile);
      break;
  }
  return tile;
}

bool load_scales(const KvPart& part, const std::byte* page, float* scales) {
  if (!part.codes() && !part.whole_numbers()) return false;
  for (size_t token = 0; token < kPageTokens; ++token) {
    uint16_t brain;
    std::memcpy(&brain, page + part.scales_at() + token * sizeof brain, sizeof brain);
    scales[token] = brain_to_float(brain);
  }
  return true;
}

}  // namespace longleaf

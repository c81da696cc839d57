// How the keys and values of one KV head stand in a page, for every type of cache.
//
// Both are panels of 16 lanes. Of keys the lanes are tokens and the rows are dimensions, of values the other
// way round, so that a row times a number is a step of a matrix product in either case:
//   f32, f16, bf16   each panel [rows][16]
//   f16, bf16 where products are of integers (attention/tiles.h)
//                    each panel [rows / 2][16][2]: what the 16-bit float is in whole steps of its token's
//                    scale, rows in pairs
//   q8               each panel [rows / 2][16][2]: codes, rows in pairs
//   q4, keys         each panel [fine / 2][16][2] codes of a byte as in q8, of the first eighth of the
//                    dimensions, then [(rows - fine) / 4][16][2] bytes that hold a code of rows 4 i + j (low
//                    half) and 4 i + 2 + j
//   q4, values       panels in pairs [rows / 2][16][2], a byte holding a code of both
// With codes the multipliers of every 32 dimensions follow, those of two groups in a byte (low half first):
// keys [panel][groups / 2][16], values [groups / 2][64]; the dimensions with codes of a byte in q4 keys are a
// group, however many. Behind the panels stand 64 scales in bf16, of each token one (not with f32). What they
// say:
//   f16, bf16   keys: at least 1/32000 of the vector's length; values: 1/4095 of its largest element. Floats
//               are what they are; element = whole number * scale
//   a byte      element = code * multiplier * scale, |code| <= 127, multiplier <= 15
//   half a one  element = kHalfLevels[code] * multiplier * scale
// With codes, values are rotated by Kernels::rotate, which spreads their few large dimensions over all; keys
// come in a basis of their own (kv/key_basis.h). A NaN scale marks a token whose keys or values are no finite
// numbers. All of it depends on its token alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/kernels.h"
#include "kv/error_shape.h"

namespace longleaf {

constexpr size_t kPageTokens = 64;
constexpr size_t kPanelLanes = 16;
constexpr size_t kMostHeadDim = 1024;
constexpr size_t kGroup = 32;     // dimensions that share a multiplier
constexpr size_t kFineless = 64;  // up to so many dimensions no q4 keys have codes of a byte

// What codes of half a byte stand for: the 16 levels nearest to a normal distribution in the mean of squares,
// as integers.
constexpr int8_t kHalfLevels[16] = {-63, -48, -37, -29, -22, -15, -9, -3, 3, 9, 15, 22, 29, 37, 48, 63};

enum class KvType { F32, F16, BF16, Q8, Q4 };

KvType kv_type_named(const std::string& name);  // throws Error naming the types there are

// Largest length of a vector of keys and of queries, largest value, as 16-bit numbers: with these the sum of
// a product over all dimensions (by Cauchy and Schwarz) and over the tokens of a page stays below 2^31.
constexpr float kIntegerLength = 32000.0f;
constexpr float kIntegerValue = 4095.0f;

// Rows [first, end) of a vector that share a multiplier, `fine` ones having codes of a byte.
struct KvGroup {
  size_t first, end;
  bool fine;
};

// The keys or the values of one head of one page.
struct KvPart {
  KvType type;
  bool keys;
  size_t dims;
  bool integers = false;  // 16-bit floats stand as whole numbers

  // Not inline: units for other instruction sets include this.
  size_t panels() const;
  // Of a panel, those of padding included.
  size_t rows() const;
  bool codes() const;
  bool whole_numbers() const;
  size_t fine() const;  // dimensions with codes of a byte
  size_t panel_bytes() const;
  size_t groups() const;
  KvGroup group(size_t g) const;
  size_t multipliers() const;  // bytes of a vector's
  size_t multipliers_at() const;
  size_t scales_at() const;
  size_t bytes() const;
};

// Writes one token's vector. `x` has part.dims floats. shape: how errors of codes are to be made up for.
void write_vector(const Kernels& kernels, const KvPart& part, std::byte* page, size_t token, const float* x,
                  const ErrorShape* shape = nullptr);
// Zeroes what stands there of tokens [first, 64).
void clear_tokens(const KvPart& part, std::byte* page, size_t first);
// The panels as floats [rows][16], to be multiplied by load_scales() if that says so. May return `page`
// itself instead of filling `tile`.
const float* unpack_panels(const Kernels& kernels, const KvPart& part, const std::byte* page, float* tile);
// The scales of the 64 tokens; false if the panels are the elements themselves.
bool load_scales(const KvPart& part, const std::byte* page, float* scales);

}  // namespace longleaf

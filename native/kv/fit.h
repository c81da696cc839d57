// The codes of half a byte of a group of elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kv/error_shape.h"

namespace longleaf {

constexpr size_t kMostFit = 32;  // elements of a group

struct Fit {
  float multiplier;
  uint8_t codes[kMostFit];  // of kHalfLevels; what is no element of the group has 0
};

// Of the multipliers first, first + 1, ... last of `step`, at most 16, the one whose levels are nearest to
// x[begin, end) in the mean of squares. With a shape as it weighs errors, codes being found in turn and what
// each is off made up for by those behind it, up to the shape's last element: x is overwritten there, and has
// 16 floats more, which stay as they are.
using FitGroup = void (*)(float* x, size_t begin, size_t end, const ErrorShape* shape, float step,
                          float first, float last, Fit* fit);

// For a kernel set; all give the same results to the bit.
FitGroup fit_group(std::string_view kernel_set);

FitGroup scalar_fit();
FitGroup avx512_fit();  // nullptr where the target cannot build it

}  // namespace longleaf

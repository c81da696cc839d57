// The codes of half a byte of a group of elements.
#pragma once

#include <cstddef>
#include <string>

#include "kv/error_shape.h"

namespace longleaf {

constexpr size_t kMostFit = 32;  // elements of a group

struct Fit {
  float multiplier;
  float levels[kMostFit];  // of kHalfLevels
  float off[kMostFit];     // what these times multiplier and step are short of
};

// Of the multipliers first, first + 1, ... last of `step`, at most 16, the one whose levels are nearest to
// x[begin, end) in the mean of squares; with a shape as it weighs errors, each made up for by those behind.
using FitGroup = void (*)(const float* x, size_t begin, size_t end, const ErrorShape* shape, float step,
                          float first, float last, Fit* fit);

FitGroup fit_group(const std::string& kernel_set);
// The same results to the bit.
void fit_group_scalar(const float* x, size_t begin, size_t end, const ErrorShape* shape, float step,
                      float first, float last, Fit* fit);
void fit_group_avx512(const float* x, size_t begin, size_t end, const ErrorShape* shape, float step,
                      float first, float last, Fit* fit);

}  // namespace longleaf

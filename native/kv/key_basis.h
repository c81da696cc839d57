// The basis in which codes of keys are kept: the same products with queries, smaller errors of rounding.
//
// Keys have few large dimensions, most of them where queries are small. So a key's dimensions are divided by
// what the query's are multiplied by, until both are as large on the average; ordered by that size, those
// that get codes of a byte first; and then rotated, so that all of a code's size have the same share in it.
// How large they are is measured on some tokens when a model is loaded: it decides about precision alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace longleaf {

class KeyBasis {
 public:
  // Mean squares of the `dims` dimensions; i and i + paired / 2 for i < paired / 2 are rotated by position
  // and so alike. The first `fine` of the basis are kept apart. What is no finite number counts as one.
  KeyBasis(std::vector<float> queries, std::vector<float> keys, size_t paired, size_t fine);

  void turn_query(float* x) const { turn(x, stretch_); }
  void turn_key(float* x) const { turn(x, shrink_); }

 private:
  void turn(float* x, const std::vector<float>& factors) const;

  std::vector<uint32_t> order_;
  std::vector<float> stretch_, shrink_;  // in the order of the basis
  size_t fine_;
};

}  // namespace longleaf

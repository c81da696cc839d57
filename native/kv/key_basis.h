// The basis in which codes of keys are kept: the same products with queries, smaller errors of rounding.
//
// Keys have few large dimensions, most of them where queries are small. So a key's dimensions are divided by
// what the query's are multiplied by, which makes both more even; ordered by the share that they have in
// scores, those that get codes of a byte first; and then rotated, so that all of a code's size have the same
// share in it. What is left uneven in queries the errors of q4 codes are shaped for (kv/error_shape.h): they
// go where queries are small. All this is measured on some tokens when a model is loaded, and decides about
// precision alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kv/error_shape.h"
#include "kv/page_format.h"

namespace longleaf {

class KeyBasis {
 public:
  // queries: [dims][dims] sums of products of two dimensions; keys: sums of squares. i and i + paired / 2 for
  // i < paired / 2 are rotated by position and so alike. What is no finite number counts as one.
  KeyBasis(const Kernels& kernels, const std::vector<float>& queries, std::vector<float> keys, size_t paired,
           const KvPart& part);

  // Of the errors in codes; null if the part has no use for it.
  const ErrorShape* shape() const { return shape_.has_value() ? &*shape_ : nullptr; }

  void turn_query(float* x) const { turn(x, stretch_); }
  void turn_key(float* x) const { turn(x, shrink_); }

 private:
  void turn(float* x, const std::vector<float>& factors) const;

  const Kernels* kernels_;
  std::vector<uint32_t> order_;
  std::vector<float> stretch_, shrink_;  // in the order of the basis
  size_t fine_;
  std::optional<ErrorShape> shape_;
};

}  // namespace longleaf

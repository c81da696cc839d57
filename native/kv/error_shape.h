// Errors of rounding, shaped so that they matter least.
//
// What the error e of a vector does is measured by e' M e, M symmetric. Its elements are rounded in turn, and
// what each is off is made up for as far as possible by those behind it: with M = A' D A, A unit lower
// triangular, the innovations r = A e are each rounding errors of their own, and e' M e = sum of D r^2.
// The sum of D is at most the trace of M, what rounding without this would have, and much less where M is
// far from a multiple of the unit matrix. Nothing of it is needed to read the vector.
#pragma once

#include <cstddef>
#include <vector>

namespace longleaf {

class ErrorShape {
 public:
  // measure: [n][n]; a sample's, so 0.05 of the mean of its diagonal is added to that. What is no finite
  // number makes a shape that leaves errors as they are.
  ErrorShape(const std::vector<float>& measure, size_t n);

  size_t size() const { return n_; }
  // What the square of an innovation in element i counts: D.
  float weight(size_t i) const { return weights_[i]; }
  // shares(i)[j], j > i: of what x[i] was rounded down by, what is to be added to x[j] to make up for it.
  // Zero for j <= i and n <= j < n + kBehind.
  const float* shares(size_t i) const { return shares_.data() + i * (n_ + kBehind); }

 private:
  static constexpr size_t kBehind = 16;

  size_t n_;
  std::vector<float> weights_;
  std::vector<float> shares_;  // [n][n + kBehind], the triangle j > i
};

}  // namespace longleaf

#include "kv/error_shape.h"

#include <cmath>

namespace longleaf {

namespace {

constexpr double kDamping = 0.05;

}  // namespace

ErrorShape::ErrorShape(const std::vector<float>& measure, size_t n)
    : n_(n), weights_(n, 1.0f), shares_(n * (n + kBehind)) {
  double trace = 0, all = 0;
  for (size_t i = 0; i < n; ++i) trace += double{measure[i * n + i]};
  for (float each : measure) all += std::fabs(double{each});
  if (!(trace > 0) || !std::isfinite(all)) return;
  const double more = trace / static_cast<double>(n) * kDamping;
  // M = C C', C upper triangular, from the last row up; then A = (C / its diagonal)'.
  std::vector<double> c(n * n);
  for (size_t j = n; j-- > 0;) {
    for (size_t i = j + 1; i-- > 0;) {
      double sum = double{measure[i * n + j]} + (i == j ? more : 0);
      for (size_t k = j + 1; k < n; ++k) sum -= c[i * n + k] * c[j * n + k];
      c[i * n + j] = i == j ? std::sqrt(sum) : sum / c[j * n + j];
    }
  }
  // Columns of the inverse of A: what x[j] is to be less by for an innovation in i.
  std::vector<double> column(n);
  for (size_t i = 0; i < n; ++i) {
    weights_[i] = static_cast<float>(c[i * n + i] * c[i * n + i] / trace);
    column[i] = 1;
    for (size_t j = i + 1; j < n; ++j) {
      double sum = 0;
      for (size_t k = i; k < j; ++k) sum -= c[k * n + j] / c[j * n + j] * column[k];
      column[j] = sum;
      shares_[i * (n + kBehind) + j] = static_cast<float>(-sum);
    }
  }
}

}  // namespace longleaf

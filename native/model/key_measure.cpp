#include "model/key_measure.h"

#include <cmath>
#include <complex>

namespace longleaf {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

using Complex = std::complex<double>;

// The mean of e^(i angle p) over p of [0, n).
Complex mean_phase(double angle, size_t n) {
  const auto count = static_cast<double>(n);
  if (std::fabs(angle) * count < 1e-9) return 1;
  return std::polar(std::sin(angle * count / 2) / (count * std::sin(angle / 2)), angle * (count - 1) / 2);
}

}  // namespace

void KeyMeasure::add(const Kernels& kernels, const float* q, size_t ldq, size_t heads, const float* k,
                     size_t ldk, size_t rows) {
  // products += X' X of all queries X: X' by rows, X by panels of 16 columns.
  const size_t n = rows * heads, panels = (dims_ + kLanes - 1) / kLanes;
  std::vector<float> by_rows(dims_ * n), by_panels(panels * n * kLanes), sums(dims_ * panels * kLanes);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t head = 0; head < heads; ++head) {
      const size_t at = row * heads + head;
      for (size_t i = 0; i < dims_; ++i) {
        const float x = q[row * ldq + head * dims_ + i];
        by_rows[i * n + at] = x;
        by_panels[(i / kLanes * n + at) * kLanes + i % kLanes] = x;
      }
    }
    for (size_t i = 0; i < dims_; ++i) squares_[i] += k[row * ldk + i] * k[row * ldk + i];
  }
  kernels.gemm(by_rows.data(), n, by_panels.data(), n * kLanes, panels, n, dims_, sums.data(),
               panels * kLanes, kZero, nullptr);
  for (size_t i = 0; i < dims_; ++i) kernels.add(&products_[i * dims_], &sums[i * panels * kLanes], dims_);
}

// Pairs of dimensions as complex numbers z, which positions turn: the products z conj(z') turn by the
// difference of their angles, z z' by the sum. Dimensions that no position turns are numbers of their own.
std::vector<float> KeyMeasure::over_positions(const Rope& rope, size_t positions) const {
  const size_t half = rope.half(), numbers = dims_ - half;
  const auto angle = [&](size_t i) { return i < half ? rope.frequency(i) : 0.0; };
  const auto real = [&](size_t i) { return i < half ? i : i + half; };
  const auto imaginary = [&](size_t i) { return i < half ? i + half : kNone; };
  std::vector<float> mean(dims_ * dims_);
  for (size_t i = 0; i < numbers; ++i) {
    for (size_t j = 0; j < numbers; ++j) {
      const auto sum = [&](size_t a, size_t b) {
        return a == kNone || b == kNone ? 0 : double{products_[a * dims_ + b]};
      };
      const auto put = [&](size_t a, size_t b, double x) {
        if (a != kNone && b != kNone) mean[a * dims_ + b] = static_cast<float>(x);
      };
      const size_t x = real(i), y = imaginary(i), u = real(j), v = imaginary(j);
      const Complex apart =
          Complex(sum(x, u) + sum(y, v), sum(y, u) - sum(x, v)) * mean_phase(angle(i) - angle(j), positions);
      const Complex together =
          Complex(sum(x, u) - sum(y, v), sum(y, u) + sum(x, v)) * mean_phase(angle(i) + angle(j), positions);
      put(x, u, (apart + together).real() / 2);
      put(y, v, (apart - together).real() / 2);
      put(y, u, (apart + together).imag() / 2);
      put(x, v, (together - apart).imag() / 2);
    }
  }
  return mean;
}

KeyBasis KeyMeasure::basis(const Kernels& kernels, const Rope& rope, size_t positions,
                           const KvPart& keys) const {
  return KeyBasis(kernels, over_positions(rope, positions), squares_, 2 * rope.half(), keys);
}

}  // namespace longleaf

#include "kv/key_basis.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace longleaf {
namespace {

constexpr float kLeastShare = 1e-4f;  // of the mean: nothing is stretched without end
// How far keys are evened out, the rest of 0.5 being left to queries. 0.25 would be best if the errors of
// codes were alike in all directions; since they are shaped for the queries, keys should be the more even.
// 0.32 does about as well (docs/kv-cache.md has the divergence of two models in five texts).
constexpr float kEvenKeys = 0.38f;

void even_out(std::vector<float>& energy, size_t paired) {
  for (size_t i = 0; i < paired / 2; ++i) {
    const float mean = (energy[i] + energy[i + paired / 2]) / 2;
    energy[i] = energy[i + paired / 2] = mean;
  }
  const float mean = std::accumulate(energy.begin(), energy.end(), 0.0f) / static_cast<float>(energy.size());
  if (!std::isfinite(mean) || mean <= 0) return energy.assign(energy.size(), 1.0f);
  for (float& each : energy) each = std::max(each, kLeastShare * mean);
}

// Spreads [first, end) over the blocks that are rotated, so that all get as much.
void deal(const std::vector<uint32_t>& falling, size_t first, size_t end, std::vector<uint32_t>& order) {
  const size_t block = rotated_block(end - first);
  for (size_t i = 0; i < end - first; ++i) {
    const size_t blocks = (end - first) / block;
    order[first + i % blocks * block + i / blocks] = falling[first + i];
  }
}

}  // namespace

KeyBasis::KeyBasis(const Kernels& kernels, const std::vector<float>& queries, std::vector<float> keys,
                   size_t paired, const KvPart& part)
    : kernels_(&kernels), order_(keys.size()), fine_(part.fine()) {
  const size_t dims = keys.size();
  const bool shaped = part.type == KvType::Q4;
  std::vector<float> squares(dims);
  for (size_t i = 0; i < dims; ++i) squares[i] = queries[i * dims + i];
  even_out(squares, paired);
  even_out(keys, paired);
  std::vector<uint32_t> falling(dims);
  std::iota(falling.begin(), falling.end(), 0u);
  std::stable_sort(falling.begin(), falling.end(),
                   [&](uint32_t a, uint32_t b) { return squares[a] * keys[a] > squares[b] * keys[b]; });
  deal(falling, 0, fine_, order_);
  deal(falling, fine_, dims, order_);
  const float even = shaped ? kEvenKeys : 0.25f;
  for (uint32_t i : order_) {
    stretch_.push_back(std::pow(keys[i], even) * std::pow(squares[i], even - 0.5f));
    shrink_.push_back(1 / stretch_.back());
  }
  if (!shaped) return;
  // Both sides of the products' sums into the basis.
  std::vector<float> once = queries, turned(dims * dims);
  for (size_t i = 0; i < dims; ++i) turn_query(&once[i * dims]);
  for (size_t i = 0; i < dims; ++i) {
    for (size_t j = 0; j < dims; ++j) turned[i * dims + j] = once[j * dims + i];
    turn_query(&turned[i * dims]);
  }
  shape_.emplace(turned, dims);
}

void KeyBasis::turn(float* x, const std::vector<float>& factors) const {
  const size_t dims = order_.size();
  float turned[kMostHeadDim];
  for (size_t i = 0; i < dims; ++i) turned[i] = x[order_[i]] * factors[i];
  kernels_->rotate(turned, fine_);
  kernels_->rotate(turned + fine_, dims - fine_);
  std::copy(turned, turned + dims, x);
}

}  // namespace longleaf

#include "kv/key_basis.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kv/page_format.h"

namespace longleaf {
namespace {

constexpr float kLeastShare = 1e-4f;  // of the mean: nothing is stretched without end

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

KeyBasis::KeyBasis(std::vector<float> queries, std::vector<float> keys, size_t paired, size_t fine)
    : order_(keys.size()), fine_(fine) {
  even_out(queries, paired);
  even_out(keys, paired);
  std::vector<uint32_t> falling(keys.size());
  std::iota(falling.begin(), falling.end(), 0u);
  std::stable_sort(falling.begin(), falling.end(),
                   [&](uint32_t a, uint32_t b) { return queries[a] * keys[a] > queries[b] * keys[b]; });
  deal(falling, 0, fine, order_);
  deal(falling, fine, keys.size(), order_);
  for (uint32_t i : order_) {
    stretch_.push_back(std::pow(keys[i] / queries[i], 0.25f));
    shrink_.push_back(1 / stretch_.back());
  }
}

void KeyBasis::turn(float* x, const std::vector<float>& factors) const {
  const size_t dims = order_.size();
  float turned[kMostHeadDim];
  for (size_t i = 0; i < dims; ++i) turned[i] = x[order_[i]] * factors[i];
  rotate(turned, fine_);
  rotate(turned + fine_, dims - fine_);
  std::copy(turned, turned + dims, x);
}

}  // namespace longleaf

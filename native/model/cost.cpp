#include "model/cost.h"

#include <algorithm>

namespace longleaf {
namespace {

double macs(const PackedMatrix& matrix) {
  return static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols);
}

// Keys that rows depth .. depth + tokens - 1 of a layer see, together.
double keys_seen(size_t window, size_t depth, size_t tokens) {
  double seen = 0;
  size_t position = depth;
  const size_t end = depth + tokens;
  const size_t growing = window == 0 ? end : std::min(end, std::max(depth, window));
  if (position < growing) {
    seen += static_cast<double>(growing - position) * static_cast<double>(position + growing + 1) / 2;
    position = growing;
  }
  return seen + static_cast<double>(end - position) * static_cast<double>(window);
}

}  // namespace

Cost cost_of(const Architecture& architecture, const Weights& weights, const KvLayout& layout,
             size_t head_bytes, size_t depth, size_t tokens, size_t outputs) {
  Cost cost{};
  for (size_t layer = 0; layer < architecture.layers; ++layer) {
    const Layer& l = weights.layers[layer];
    for (const Matrix* m : {&l.q, &l.k, &l.v, &l.o, &l.gate, &l.up, &l.down}) {
      cost.matmul_macs += static_cast<double>(tokens) * macs(m->view);
      cost.weight_bytes += static_cast<double>(m->view.bytes());
    }
    const size_t window = architecture.windows[layer];
    cost.attention_macs += keys_seen(window, depth, tokens) * 2.0 *
                           static_cast<double>(architecture.heads * architecture.head_dim);
    const size_t before = window == 0 ? depth : std::min(window, depth);
    cost.kv_bytes += static_cast<double>(before) * static_cast<double>(layout.page_bytes()) /
                     static_cast<double>(kPageTokens);
  }
  cost.matmul_macs += static_cast<double>(outputs) * macs(weights.output());
  if (outputs != 0) cost.weight_bytes += static_cast<double>(head_bytes);
  return cost;
}

}  // namespace longleaf

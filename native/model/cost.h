// What appending tokens costs, counted: operations and bytes, to set against the rates of the machine.
#pragma once

#include <cstddef>

#include "kv/pool.h"
#include "model/architecture.h"
#include "model/weights.h"

namespace longleaf {

struct Cost {
  double matmul_macs;     // products with weights, the output head for `outputs` rows included
  double attention_macs;  // q . k and p . v of the keys that rows see
  double weight_bytes;    // all packed weights, read once; of the head what its best logits take at least
  double kv_bytes;        // of the keys and values before the tokens, read once
};

// Appending `tokens` to a sequence of `depth`, with the best logits of `outputs` rows, which take head_bytes.
Cost cost_of(const Architecture& architecture, const Weights& weights, const KvLayout& layout,
             size_t head_bytes, size_t depth, size_t tokens, size_t outputs);

}  // namespace longleaf

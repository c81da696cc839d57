// The tensors of a model, checked against its architecture and packed for the kernels.
#pragma once

#include <cstddef>
#include <vector>

#include "gguf/gguf.h"
#include "kernels/packed.h"
#include "model/architecture.h"
#include "runtime/memory.h"
#include "runtime/threads.h"

namespace longleaf {

struct Matrix {
  PackedMatrix view{};
  Memory memory;
};

struct Layer {
  Matrix q, k, v, o, gate, up, down;
  std::vector<float> q_bias, k_bias, v_bias, o_bias;  // empty: none
  std::vector<float> gate_bias, up_bias, down_bias;
  std::vector<float> attention_norm, feed_forward_norm;
  std::vector<float> q_norm, k_norm;  // empty: none
  std::vector<float> post_attention_norm, post_feed_forward_norm;
};

struct Weights {
  size_t vocabulary = 0;
  Matrix embedding;
  Matrix head;  // empty memory: tied to the embedding
  const PackedMatrix& output() const { return head.memory.size() == 0 ? embedding.view : head.view; }
  std::vector<float> output_norm;
  std::vector<float> rope_divisors;  // empty: none
  std::vector<Layer> layers;

  size_t bytes() const;  // of the matrices, all copies
  // Of every copy, some addresses in all matrices.
  std::vector<std::vector<const std::byte*>> sample() const;
  size_t copies = 1;
};

// Throws Error naming the tensor that is missing, unknown, or of an unfitting shape or type. Packed tensors'
// pages of the file are released as they are done. `copies` is 1 or the number of homes of the placement in
// scope (runtime/placement.h).
Weights load_weights(const Gguf& file, const Architecture& architecture, ThreadPool& pool, size_t copies);

}  // namespace longleaf

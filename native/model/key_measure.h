// What the bases of keys (kv/key_basis.h) are made from: queries and keys of one KV head over some tokens.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/kernels.h"
#include "kv/key_basis.h"
#include "model/architecture.h"

namespace longleaf {

class KeyMeasure {
 public:
  explicit KeyMeasure(size_t dims) : dims_(dims), products_(dims * dims), squares_(dims) {}

  // `heads` queries of each of `rows` tokens, and their keys, as rows of ldq and ldk floats.
  void add(const Kernels& kernels, const float* q, size_t ldq, size_t heads, const float* k, size_t ldk,
           size_t rows);
  // As if the queries had stood at all positions below `positions` alike: near the start, where they were
  // measured, those of low frequencies all point the same way.
  KeyBasis basis(const Kernels& kernels, const Rope& rope, size_t positions, const KvPart& keys) const;

 private:
  std::vector<float> over_positions(const Rope& rope, size_t positions) const;

  size_t dims_;
  std::vector<float> products_;  // [dims][dims] of the queries' dimensions, summed
  std::vector<float> squares_;   // of the keys', summed
};

}  // namespace longleaf

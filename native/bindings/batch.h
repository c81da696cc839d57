#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "bindings/bindings.h"
#include "model/model.h"

namespace longleaf {

// (sequence, tokens, rows of logits wanted or targets)
using Items = std::vector<std::tuple<int64_t, py::object, py::object>>;

// Keeps the arrays of a batch alive while the core works on them.
struct Batch {
  std::vector<Tokens> arrays;
  std::vector<BatchItem> items;
  size_t tokens = 0;
  size_t wanted = 0;
};

Batch batch_of(const Items& items, bool scoring);

}  // namespace longleaf

#include "bindings/batch.h"

#include <string>

#include "error.h"

namespace longleaf {

Batch batch_of(const Items& items, bool scoring) {
  Batch batch;
  for (const auto& [sequence, tokens, third] : items) {
    batch.arrays.push_back(token_array(tokens));
    BatchItem item{};
    item.sequence = sequence;
    item.tokens = batch.arrays.back().data();
    item.count = static_cast<size_t>(batch.arrays.back().size());
    if (scoring) {
      batch.arrays.push_back(token_array(third));
      if (static_cast<size_t>(batch.arrays.back().size()) != item.count)
        throw Error("sequence " + std::to_string(sequence) + ": as many targets as tokens are needed");
      item.targets = batch.arrays.back().data();
    } else {
      const auto wanted = py::cast<int64_t>(third);
      if (wanted < 0 || static_cast<size_t>(wanted) > item.count)
        throw Error("sequence " + std::to_string(sequence) + ": " + std::to_string(wanted) +
                    " rows of logits wanted of " + std::to_string(item.count) + " tokens");
      item.wanted = static_cast<size_t>(wanted);
    }
    batch.tokens += item.count;
    batch.wanted += item.wanted;
    batch.items.push_back(item);
  }
  return batch;
}

}  // namespace longleaf

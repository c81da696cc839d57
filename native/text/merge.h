// The merging loop that SPM and BPE share: neighbours merge in the order of their priority, then from left to
// right, until no pair is left that may merge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace longleaf {

struct Symbol {
  uint32_t start;  // byte offset in the text
  uint32_t size;   // bytes; 0 once it was merged into the symbol before it
  int32_t id;      // what the symbol is, as its tokenizer numbers it
  int32_t previous;
  int32_t next;
};

struct Merge {
  uint32_t order;  // lower ones come first
  int32_t id;      // of the merged symbol
};

// Merges `symbols` in place. `find(left, right)` gives a Merge*, or nullptr if the pair does not merge; the
// result is read before the next call. O(n log n).
template <typename Find>
class Merger {
 public:
  Merger(std::vector<Symbol>& symbols, Find find) : symbols_(symbols), find_(find) {}

  void run() {
    for (size_t i = 0; i < symbols_.size(); ++i) {
      symbols_[i].previous = static_cast<int32_t>(i) - 1;
      symbols_[i].next = i + 1 < symbols_.size() ? static_cast<int32_t>(i) + 1 : -1;
    }
    for (size_t i = 1; i < symbols_.size(); ++i) offer(static_cast<int32_t>(i) - 1);
    while (!heap_.empty()) {
      const Candidate best = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.pop_back();
      const int32_t left = static_cast<int32_t>(best.key & 0xFFFFFFFFu);
      Symbol& symbol = symbols_[left];
      // Symbols only grow: equal sizes mean that the pair is still the one that was offered.
      if (symbol.size == 0 || symbol.next < 0) continue;
      Symbol& right = symbols_[symbol.next];
      if (symbol.size + right.size != best.size) continue;
      symbol.size = best.size;
      symbol.id = best.id;
      symbol.next = right.next;
      right.size = 0;
      if (symbol.next >= 0) symbols_[symbol.next].previous = left;
      if (symbol.previous >= 0) offer(symbol.previous);
      offer(left);
    }
  }

 private:
  struct Candidate {
    uint64_t key;  // order << 32 | left symbol
    uint32_t size;
    int32_t id;
    bool operator>(const Candidate& other) const { return key > other.key; }
  };

  void offer(int32_t left) {
    const Symbol& symbol = symbols_[left];
    if (symbol.next < 0) return;
    const Symbol& right = symbols_[symbol.next];
    const Merge* merge = find_(symbol, right);
    if (merge == nullptr) return;
    heap_.push_back({static_cast<uint64_t>(merge->order) << 32 | static_cast<uint32_t>(left),
                     symbol.size + right.size, merge->id});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  std::vector<Symbol>& symbols_;
  Find find_;
  std::vector<Candidate> heap_;
};

template <typename Find>
void merge_all(std::vector<Symbol>& symbols, Find find) {
  Merger<Find>(symbols, find).run();
}

}  // namespace longleaf

// Strings numbered from 0 in the order they came, found again by hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace longleaf {

// Views only: the bytes must outlive the table.
class PieceTable {
 public:
  static constexpr int32_t kAbsent = -1;

  explicit PieceTable(size_t expected);
  // Numbers the string. Of equal strings, the first one is found.
  int32_t add(std::string_view text);
  int32_t find(std::string_view text) const;
  std::string_view operator[](size_t id) const { return texts_[id]; }
  size_t size() const { return texts_.size(); }
  size_t longest() const { return longest_; }

 private:
  struct Slot {
    int32_t id = kAbsent;
    uint32_t tag = 0;  // upper half of the hash: most wrong slots are passed without a look at their string
  };
  // The slot that holds the text, or the free one where it belongs.
  size_t locate(std::string_view text, uint64_t hash) const;
  void grow();

  std::vector<std::string_view> texts_;
  std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
  size_t taken_ = 0;
  size_t longest_ = 0;
};

}  // namespace longleaf

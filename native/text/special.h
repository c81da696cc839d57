// Splits text at special tokens, as llama.cpp does: longer tokens first, of equal length the lower id, each
// from left to right in what those before it have left.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/vocab.h"

namespace longleaf {

struct Fragment {
  std::string_view text;  // empty if the fragment is a token
  int32_t token;          // -1 if the fragment is text
};

// An Aho-Corasick automaton over all special tokens, so that the cost does not grow with their number (Gemma
// has 6,400) or with how they overlap.
class SpecialSplitter {
 public:
  explicit SpecialSplitter(const Vocab& vocab);
  // User-defined tokens are always split off, control and unknown ones only with `parse_special`.
  std::vector<Fragment> split(std::string_view text, bool parse_special) const;

 private:
  struct Node {
    int32_t first_child = -1;
    int32_t sibling = -1;
    int32_t fail = 0;
    int32_t token = -1;    // the special token that ends here
    int32_t shorter = -1;  // node of the longest proper suffix that ends a token
    uint32_t depth = 0;
    char byte = 0;
  };
  int32_t child(int32_t node, char byte) const;
  int32_t step(int32_t node, char byte) const;
  void insert(std::string_view text, int32_t token);
  void link();
  int32_t usable(int32_t node, bool parse_special) const;

  const Vocab& vocab_;
  std::vector<Node> nodes_;
  int32_t roots_[256];  // children of the root: nearly every byte of a text is looked up there
};

}  // namespace longleaf

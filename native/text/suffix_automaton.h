// Every stretch of a growing sequence of symbols, and where its longest repeated ending stood before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace longleaf {

// The smallest automaton of all suffixes (Blumer et al. 1985), extended symbol by symbol in amortised
// constant time. At most two states and three edges a symbol: about 130 bytes a token of a text.
class SuffixAutomaton {
 public:
  // The longest ending of the sequence that stands in it at least once more, and where it ended there: at the
  // last such place, or close to it in sequences that repeat themselves many times over.
  struct Repeat {
    size_t length;  // 0 if nothing repeats
    size_t end;     // one past its last symbol
  };

  SuffixAutomaton();
  // Throws Error past 2^29 symbols, or for a negative one.
  void extend(int32_t symbol);
  Repeat repeat() const { return repeat_; }
  // `n` symbols: those that came after the repeat's earlier place, and round again where the sequence ends.
  // Empty if nothing repeats.
  std::vector<int32_t> continuation(size_t n) const;
  size_t size() const { return symbols_.size(); }
  size_t bytes() const;

 private:
  struct State {
    int32_t length;      // of its longest string
    int32_t link;        // the state of the longest ending of it that has further places
    int32_t end;         // one past the last symbol of a place
    int32_t first_edge;  // a list through Edge::next
  };
  struct Edge {
    int32_t state;
    int32_t symbol;
    int32_t target;
    int32_t next;
  };

  size_t slot(int32_t state, int32_t symbol) const;  // where the edge is in slots_, or belongs
  int32_t target(int32_t state, int32_t symbol) const;
  int32_t add_state(int32_t length, int32_t link, int32_t end);
  void add_edge(int32_t state, int32_t symbol, int32_t target);
  int32_t split(int32_t state, int32_t symbol, int32_t target);  // gives the state's strings one of their own
  void grow();

  std::vector<int32_t> symbols_;
  std::vector<State> states_;
  std::vector<Edge> edges_;
  std::vector<int32_t> slots_;  // edges by hash: a power of two of them, at most half of them taken
  int32_t last_ = 0;
  Repeat repeat_ = {0, 0};
};

}  // namespace longleaf

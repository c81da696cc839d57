#include "text/suffix_automaton.h"

#include "error.h"

namespace longleaf {

namespace {

constexpr int32_t kNone = -1;
constexpr size_t kMostSymbols = size_t{1} << 29;  // so that states and edges are counted in 32 bits
// Links upwards whose place is renewed with each symbol. All of them would make extension quadratic for a
// sequence of one symbol; the longest repeats, which are asked for, are the first.
constexpr int kRenewed = 8;

}  // namespace

SuffixAutomaton::SuffixAutomaton() : slots_(64, kNone) { add_state(0, kNone, 0); }

size_t SuffixAutomaton::slot(int32_t state, int32_t symbol) const {
  const uint64_t key =
      static_cast<uint64_t>(static_cast<uint32_t>(state)) << 32 | static_cast<uint32_t>(symbol);
  const uint64_t hash = key * 0x9E3779B97F4A7C15u;
  const size_t mask = slots_.size() - 1;
  size_t at = (hash ^ hash >> 32) & mask;
  while (slots_[at] != kNone && (edges_[slots_[at]].state != state || edges_[slots_[at]].symbol != symbol))
    at = (at + 1) & mask;
  return at;
}

int32_t SuffixAutomaton::target(int32_t state, int32_t symbol) const {
  const int32_t edge = slots_[slot(state, symbol)];
  return edge == kNone ? kNone : edges_[edge].target;
}

int32_t SuffixAutomaton::add_state(int32_t length, int32_t link, int32_t end) {
  states_.push_back({length, link, end, kNone});
  return static_cast<int32_t>(states_.size() - 1);
}

void SuffixAutomaton::add_edge(int32_t state, int32_t symbol, int32_t target) {
  if (2 * (edges_.size() + 1) > slots_.size()) grow();
  slots_[slot(state, symbol)] = static_cast<int32_t>(edges_.size());
  edges_.push_back({state, symbol, target, states_[state].first_edge});
  states_[state].first_edge = static_cast<int32_t>(edges_.size() - 1);
}

void SuffixAutomaton::grow() {
  slots_.assign(slots_.size() * 2, kNone);
  for (size_t i = 0; i < edges_.size(); ++i)
    slots_[slot(edges_[i].state, edges_[i].symbol)] = static_cast<int32_t>(i);
}

int32_t SuffixAutomaton::split(int32_t state, int32_t symbol, int32_t target) {
  const int32_t clone = add_state(states_[state].length + 1, states_[target].link, states_[target].end);
  for (int32_t edge = states_[target].first_edge; edge != kNone; edge = edges_[edge].next)
    add_edge(clone, edges_[edge].symbol, edges_[edge].target);
  states_[target].link = clone;
  for (; state != kNone; state = states_[state].link) {
    const int32_t edge = slots_[slot(state, symbol)];
    if (edge == kNone || edges_[edge].target != target) break;
    edges_[edge].target = clone;
  }
  return clone;
}

void SuffixAutomaton::extend(int32_t symbol) {
  if (symbol < 0) throw Error("a suffix automaton takes no negative symbol");
  if (symbols_.size() >= kMostSymbols) throw Error("a suffix automaton takes no more than 2^29 symbols");
  symbols_.push_back(symbol);
  const int32_t n = static_cast<int32_t>(symbols_.size());
  const int32_t current = add_state(n, 0, n);
  int32_t state = last_;
  int32_t next = kNone;
  for (; state != kNone && (next = target(state, symbol)) == kNone; state = states_[state].link)
    add_edge(state, symbol, current);
  if (state != kNone) {
    const bool whole = states_[next].length == states_[state].length + 1;
    states_[current].link = whole ? next : split(state, symbol, next);
  }
  last_ = current;
  state = states_[current].link;
  repeat_ = {static_cast<size_t>(states_[state].length), static_cast<size_t>(states_[state].end)};
  for (int i = 0; i < kRenewed && state > 0; ++i, state = states_[state].link) states_[state].end = n;
}

std::vector<int32_t> SuffixAutomaton::continuation(size_t n) const {
  std::vector<int32_t> out;
  if (repeat_.length == 0) return out;
  out.reserve(n);
  const size_t period = symbols_.size() - repeat_.end;
  for (size_t i = 0; i < n; ++i) out.push_back(symbols_[repeat_.end + i % period]);
  return out;
}

size_t SuffixAutomaton::bytes() const {
  return symbols_.capacity() * sizeof(int32_t) + states_.capacity() * sizeof(State) +
         edges_.capacity() * sizeof(Edge) + slots_.capacity() * sizeof(int32_t);
}

}  // namespace longleaf

// Random sequences against the definition, for lengths and places.
#include "text/suffix_automaton.h"

#include <algorithm>
#include <vector>

#include "check.h"
#include "error.h"

namespace longleaf::test {

namespace {

// The longest ending of the sequence that also ends earlier, by trying all.
size_t longest_repeat(const std::vector<int32_t>& symbols) {
  const size_t n = symbols.size();
  size_t longest = 0;
  for (size_t end = 1; end < n; ++end) {
    size_t length = 0;
    while (length < end && symbols[end - 1 - length] == symbols[n - 1 - length]) ++length;
    longest = std::max(longest, length);
  }
  return longest;
}

void check_random(Random& random, size_t alphabet, size_t n) {
  SuffixAutomaton automaton;
  std::vector<int32_t> symbols;
  bool lengths = true, places = true, continued = true;
  for (size_t i = 0; i < n; ++i) {
    // Half of it copied from itself, as answers are from documents.
    const bool copy = i > 0 && random.below(2) == 0;
    symbols.push_back(copy ? symbols[random.below(i)] : static_cast<int32_t>(random.below(alphabet)));
    automaton.extend(symbols.back());
    const SuffixAutomaton::Repeat repeat = automaton.repeat();
    lengths &= repeat.length == longest_repeat(symbols);
    places &= repeat.length == 0 || repeat.end < symbols.size();
    for (size_t k = 0; k < repeat.length; ++k)
      places &= symbols[repeat.end - 1 - k] == symbols[symbols.size() - 1 - k];
    const std::vector<int32_t> next = automaton.continuation(5);
    continued &= next.size() == (repeat.length == 0 ? 0 : 5);
    std::vector<int32_t> longer = symbols;
    for (size_t k = 0; k < next.size(); ++k) {
      continued &= next[k] == longer[repeat.end + k];
      longer.push_back(next[k]);
    }
  }
  check(lengths, "suffix automaton: the longest repeat");
  check(places, "suffix automaton: the place of the repeat");
  check(continued, "suffix automaton: what came after it");
}

}  // namespace

void test_suffix_automaton() {
  Random random(5);
  for (size_t alphabet : {1, 2, 3, 10, 1000})
    for (size_t n : {1, 2, 30, 200}) check_random(random, alphabet, n);
  SuffixAutomaton automaton;
  bool refused = false;
  try {
    automaton.extend(-1);
  } catch (const Error&) {
    refused = automaton.size() == 0;
  }
  check(refused, "suffix automaton: a negative symbol is refused");
}

}  // namespace longleaf::test

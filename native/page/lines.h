// Lines of a page written out: what layout decided for words, done for each character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace longleaf {

// Inked characters in the order of the page's content, and the words that they make: word i is the characters
// [word_first[i], word_end[i]).
struct Inked {
  const uint32_t* codes;
  const double* boxes;  // four each: x0 y0 x1 y1
  const uint8_t* bold;
  size_t count;
  const int64_t* word_first;
  const int64_t* word_end;
  size_t words;
};

// Words that follow each other with one space between, after `gap` spaces.
struct Run {
  int32_t first, count, gap;
};

struct WrittenLines {
  std::vector<uint32_t> codes;
  std::vector<float> boxes;     // four a character; NaN for a space, which is put in
  std::vector<int32_t> starts;  // of each line, and the end of the last
  std::vector<float> measures;  // six a line: x0 y0 x1 y1 around it, upper median of heights, share of bold
};

// Line i takes the next line_runs[i] runs; `turned` says that its characters stand on their side. Throws
// Error for a line without characters and for what is not among the words, runs and characters.
WrittenLines write_lines(const Inked& inked, const std::vector<Run>& runs,
                         const std::vector<int32_t>& line_runs, const std::vector<uint8_t>& turned);

}  // namespace longleaf

#include "page/lines.h"

#include <algorithm>
#include <limits>

#include "error.h"

namespace longleaf {

namespace {

void add_spaces(WrittenLines& out, int32_t count) {
  for (int32_t i = 0; i < count; ++i) out.codes.push_back(' ');
  out.boxes.resize(4 * out.codes.size(), std::numeric_limits<float>::quiet_NaN());
}

// What is known of a line's characters so far.
struct Measure {
  double x0 = std::numeric_limits<double>::infinity(), y0 = x0, x1 = -x0, y1 = -x0;
  int64_t bold = 0;
  std::vector<double> heights;

  void add(const double* box, bool is_bold, bool turned) {
    x0 = std::min(x0, box[0]);
    y0 = std::min(y0, box[1]);
    x1 = std::max(x1, box[2]);
    y1 = std::max(y1, box[3]);
    bold += is_bold;
    heights.push_back(turned ? box[2] - box[0] : box[3] - box[1]);
  }

  void write(std::vector<float>& measures) {
    if (heights.empty()) throw Error("a line of a page has no characters");
    const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
    std::nth_element(heights.begin(), middle, heights.end());
    const double share = static_cast<double>(bold) / static_cast<double>(heights.size());
    for (const double value : {x0, y0, x1, y1, *middle, share}) measures.push_back(static_cast<float>(value));
  }
};

void add_word(const Inked& inked, size_t word, bool turned, WrittenLines& out, Measure& measure) {
  const int64_t first = inked.word_first[word], end = inked.word_end[word];
  if (first < 0 || end < first || static_cast<size_t>(end) > inked.count) {
    throw Error("a word of a page has characters that do not exist");
  }
  for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(end); ++i) {
    const double* box = inked.boxes + 4 * i;
    out.codes.push_back(inked.codes[i]);
    for (int side = 0; side < 4; ++side) out.boxes.push_back(static_cast<float>(box[side]));
    measure.add(box, inked.bold[i] != 0, turned);
  }
}

}  // namespace

WrittenLines write_lines(const Inked& inked, const std::vector<Run>& runs,
                         const std::vector<int32_t>& line_runs, const std::vector<uint8_t>& turned) {
  if (turned.size() != line_runs.size()) throw Error("lines and their directions are not as many");
  WrittenLines out;
  out.codes.reserve(inked.count + 2 * inked.words);
  out.boxes.reserve(4 * (inked.count + 2 * inked.words));
  size_t next = 0;
  for (size_t line = 0; line < line_runs.size(); ++line) {
    out.starts.push_back(static_cast<int32_t>(out.codes.size()));
    Measure measure;
    for (int32_t k = 0; k < line_runs[line]; ++k, ++next) {
      if (next >= runs.size()) throw Error("a line of a page has runs that do not exist");
      const Run& run = runs[next];
      const int64_t end = static_cast<int64_t>(run.first) + run.count;
      if (run.first < 0 || static_cast<size_t>(end) > inked.words) {
        throw Error("a line of a page has words that do not exist");
      }
      for (int64_t word = run.first; word < end; ++word) {
        add_spaces(out, word == run.first ? run.gap : 1);
        add_word(inked, static_cast<size_t>(word), turned[line] != 0, out, measure);
      }
    }
    measure.write(out.measures);
  }
  out.starts.push_back(static_cast<int32_t>(out.codes.size()));
  return out;
}

}  // namespace longleaf

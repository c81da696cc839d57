// Pages of random characters, read and written out: nothing beyond what there is is touched, and nothing is
// lost.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "check.h"
#include "error.h"
#include "page/characters.h"
#include "page/lines.h"

namespace longleaf::test {

namespace {

// A page as a PDF library has it; the functions below are what it is asked by.
struct FakePage {
  std::vector<uint32_t> codes;
  std::vector<float> sides;
  bool short_bulk;
};

FakePage* as_page(void* page) { return static_cast<FakePage*>(page); }

int bulk_text(void* page, int start, int count, uint16_t* units) {
  const int given = as_page(page)->short_bulk ? count / 2 : count;
  for (int i = 0; i < given; ++i) {
    const uint32_t code = as_page(page)->codes[static_cast<size_t>(start + i)];
    units[i] = code > 0xFFFF ? 0xFFFE : static_cast<uint16_t>(code);
  }
  units[given] = 0;
  return given + 1;
}

unsigned unicode(void* page, int index) { return as_page(page)->codes[static_cast<size_t>(index)]; }

int generated(void*, int index) { return index % 2; }

int loose_box(void* page, int index, float* out) {
  for (size_t k = 0; k < 4; ++k) out[k] = as_page(page)->sides[4 * static_cast<size_t>(index) + k];
  return 1;
}

FakePage random_page(Random& random, size_t count) {
  const uint32_t kinds[] = {'a', 'b', ' ', '\n', 0x02, 0x1F600, 0x3000, 0xFFFF};
  FakePage page{{}, {}, random.below(2) == 0};
  for (size_t i = 0; i < count; ++i) {
    page.codes.push_back(kinds[random.below(8)]);
    for (int k = 0; k < 4; ++k) page.sides.push_back(700 * random.real() - 20);
    if (random.below(20) == 0) page.sides.back() = std::numeric_limits<float>::quiet_NaN();
  }
  return page;
}

void check_page(Random& random) {
  const size_t count = random.below(60);
  FakePage page = random_page(random, count);
  const TextFunctions functions{bulk_text, unicode, generated, loose_box};
  const PageFrame frame{0, 0, 612, 792, static_cast<int>(random.below(4))};
  const Characters found = read_characters(functions, &page, static_cast<int>(count), frame);
  size_t inked = 0;
  for (const uint32_t code : page.codes) inked += code != ' ' && code != '\n' && code != 0x3000;
  const size_t n = found.codes.size();
  check(n + found.outside == inked, "inked characters are kept or counted as outside");
  check(found.boxes.size() == 4 * n && found.before.size() == n && found.indexes.size() == n, "one of each");
  bool finite = true;
  for (const double side : found.boxes) finite = finite && std::isfinite(side);
  check(finite, "boxes are finite");
  if (n == 0) return;

  // Each character a word, in one line backwards; then in as many lines as there are words.
  std::vector<int64_t> first(n), end(n);
  std::vector<Run> runs;
  for (size_t i = 0; i < n; ++i) {
    first[i] = static_cast<int64_t>(i);
    end[i] = first[i] + 1;
    runs.push_back({static_cast<int32_t>(n - 1 - i), 1, i == 0 ? 0 : 2});
  }
  const std::vector<uint8_t> bold(n, 1);
  const Inked page_inked{found.codes.data(), found.boxes.data(), bold.data(), n, first.data(), end.data(), n};
  const WrittenLines one = write_lines(page_inked, runs, {static_cast<int32_t>(n)}, {0});
  check(one.codes.size() == 3 * n - 2 && one.codes.back() == found.codes.front(), "a line has all its words");
  check(one.boxes.size() == 4 * one.codes.size() && one.measures.size() == 6, "boxes and measures of a line");
  const WrittenLines many =
      write_lines(page_inked, runs, std::vector<int32_t>(n, 1), std::vector<uint8_t>(n, 1));
  check(many.starts.size() == n + 1 && many.measures.size() == 6 * n, "lines have starts and measures");

  bool refused = false;
  try {
    write_lines(page_inked, {{static_cast<int32_t>(n), 1, 0}}, {1}, {0});
  } catch (const Error&) {
    refused = true;
  }
  check(refused, "a word that does not exist is refused");
}

}  // namespace

void test_page() {
  Random random(11);
  for (int i = 0; i < 300; ++i) check_page(random);
}

}  // namespace longleaf::test

// The characters of a page that a PDF library has read, asked for in one loop: a ctypes call costs some 0.4
// us, what pdfium does for one character 0.01, and each pass of NumPy over a page as much as 500 of those.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace longleaf {

// Functions of pdfium (fpdf_text.h), each with a text page as its first argument.
struct TextFunctions {
  int (*text)(void* page, int start, int count, uint16_t* units);  // writes a zero after them
  unsigned (*unicode)(void* page, int index);
  int (*generated)(void* page, int index);
  int (*loose_box)(void* page, int index, float* sides);  // left, top, right, bottom
};

// The visible rectangle of a page and its rotation in quarter turns clockwise.
struct PageFrame {
  double left, bottom, right, top;
  int turns;
};

// What stood between a character and the one before it; the strongest counts.
enum Break : uint8_t { kNone, kGenerated, kSpace, kLine };

// Characters that are no space and stand on the page, in the order of its content.
struct Characters {
  std::vector<uint32_t> codes;
  std::vector<double>
      boxes;  // four each: x0 y0 x1 y1 as shown, origin top left; zeros if the library has none
  std::vector<uint8_t> before;
  std::vector<int32_t> indexes;  // by which the library knows them
  size_t outside = 0;            // how many stand beyond the edges and are left out
};

// Left, top, right, bottom in PDF space as x0 y0 x1 y1 as shown; zeros if they are no numbers.
std::array<double, 4> as_shown(const std::array<float, 4>& sides, const PageFrame& frame);

Characters read_characters(const TextFunctions& functions, void* page, int count, const PageFrame& frame);

}  // namespace longleaf

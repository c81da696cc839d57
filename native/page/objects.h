// What is drawn on a page beside and over its characters: lines through words, rectangles and images over
// them, the ground they stand on. One loop over the objects that a PDF library has read, for the same reason
// as in characters.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "page/characters.h"

namespace longleaf {

struct PageMatrix {  // as FS_MATRIX
  float a, b, c, d, e, f;
};

// Functions of pdfium (fpdf_edit.h, fpdf_text.h), in the order in which the binding takes their addresses.
struct ObjectFunctions {
  int (*count)(void* page);
  void* (*object)(void* page, int index);
  int (*form_count)(void* form);
  void* (*form_object)(void* form, unsigned long index);
  int (*type)(void* object);
  int (*bounds)(void* object, float* left, float* bottom, float* right, float* top);
  int (*matrix)(void* object, PageMatrix* matrix);
  int (*draw_mode)(void* path, int* fill, int* stroke);
  int (*fill_colour)(void* object, unsigned* r, unsigned* g, unsigned* b, unsigned* a);
  int (*stroke_colour)(void* object, unsigned* r, unsigned* g, unsigned* b, unsigned* a);
  int (*stroke_width)(void* object, float* width);
  int (*transparent)(void* object);
  int (*segment_count)(void* path);
  void* (*segment)(void* path, int index);
  int (*point)(void* segment, float* x, float* y);
  int (*segment_type)(void* segment);
  int (*render_mode)(void* text);
  int (*mark_count)(void* object);
  void* (*mark)(void* object, unsigned long index);
  int (*mark_name)(void* mark, void* buffer, unsigned long length, unsigned long* needed);
  void* (*text_object)(void* text_page, int index);
};

enum Shape : uint8_t {
  kRule = 1,     // a thin horizontal line
  kCover = 2,    // a filled rectangle that lets nothing through
  kImage = 3,    // a picture
  kUnknown = 4,  // filled, but nobody knows with what: a pattern, a shading, something half transparent
  kBox = 5,      // the outline of a rectangle
  kStroke = 6,   // a straight line that is neither horizontal nor vertical
};

// Why a character may not be seen, or not be meant: more than one may hold.
enum Suspicion : uint8_t {
  kCovered = 1,         // by a rectangle painted later
  kUnderImage = 2,      // by a picture painted later
  kAlike = 4,           // in the colour of its ground
  kInkless = 8,         // without ink
  kLayered = 16,        // in a layer or a form, where layers may be hidden
  kTiny = 32,           // smaller than anybody reads
  kStruckThrough = 64,  // with a line through it
};

struct Drawn {
  // Of each shape.
  std::vector<double> boxes;  // four each, as shown
  std::vector<uint8_t> kinds;
  std::vector<uint32_t> colours;  // red, green, blue and alpha, from the highest byte
  std::vector<int32_t> orders;    // its place in the order of painting
  // Of each character.
  std::vector<uint8_t> suspicions;
  std::vector<int32_t> struck, cover;  // a shape; -1 for none
  uint8_t any = 0;                     // the suspicions of all of them
};

struct PlacedCharacters {
  const double* boxes;
  const int32_t* indexes;
  size_t count;
};

Drawn look_at_objects(const ObjectFunctions& functions, void* page, void* text_page,
                      const PlacedCharacters& characters, const PageFrame& frame, bool layers, int most);

}  // namespace longleaf

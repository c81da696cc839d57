#include <array>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bindings.h"
#include "error.h"
#include "page/characters.h"
#include "page/lines.h"
#include "page/objects.h"
#include "runtime/foreign.h"

namespace longleaf {
namespace {

using Indexes = py::array_t<int32_t, py::array::c_style | py::array::forcecast>;

template <typename Result>
py::array_t<Result> each(uintptr_t function, uintptr_t handle, const Indexes& indexes) {
  py::array_t<Result> out(indexes.size());
  longleaf::call_each(function, handle, indexes.data(), static_cast<size_t>(indexes.size()),
                      out.mutable_data());
  return out;
}

py::tuple page_characters(const std::array<uintptr_t, 4>& functions, uintptr_t page, int count,
                          const std::tuple<double, double, double, double, int>& frame) {
  TextFunctions text{};
  text.text = reinterpret_cast<decltype(text.text)>(functions[0]);
  text.unicode = reinterpret_cast<decltype(text.unicode)>(functions[1]);
  text.generated = reinterpret_cast<decltype(text.generated)>(functions[2]);
  text.loose_box = reinterpret_cast<decltype(text.loose_box)>(functions[3]);
  const auto& [left, bottom, right, top, turns] = frame;
  const Characters found =
      read_characters(text, reinterpret_cast<void*>(page), count, {left, bottom, right, top, turns});
  const auto n = static_cast<py::ssize_t>(found.codes.size());
  return py::make_tuple(array_of(found.codes), py::array_t<double>({n, py::ssize_t{4}}, found.boxes.data()),
                        array_of(found.before), array_of(found.indexes), found.outside);
}

py::tuple page_objects(const std::array<uintptr_t, 21>& functions, uintptr_t page, uintptr_t text_page,
                       const py::array_t<double, py::array::c_style>& boxes,
                       const py::array_t<int32_t, py::array::c_style>& indexes,
                       const std::tuple<double, double, double, double, int>& frame, bool layers, int most) {
  ObjectFunctions f{};
  static_assert(sizeof(f) == sizeof(functions));
  std::memcpy(&f, functions.data(), sizeof(f));
  if (boxes.ndim() != 2 || boxes.shape(1) != 4 || boxes.shape(0) != indexes.size()) {
    throw Error("look_at_objects: boxes must have four sides for each index");
  }
  const auto& [left, bottom, right, top, turns] = frame;
  const Drawn found = look_at_objects(f, reinterpret_cast<void*>(page), reinterpret_cast<void*>(text_page),
                                      {boxes.data(), indexes.data(), static_cast<size_t>(indexes.size())},
                                      {left, bottom, right, top, turns}, layers, most);
  const auto n = static_cast<py::ssize_t>(found.kinds.size());
  return py::make_tuple(py::array_t<double>({n, py::ssize_t{4}}, found.boxes.data()), array_of(found.kinds),
                        array_of(found.colours), array_of(found.suspicions), array_of(found.struck),
                        array_of(found.cover), found.any);
}

template <typename T>
using Plain = py::array_t<T, py::array::c_style | py::array::forcecast>;

py::tuple page_lines(const Plain<uint32_t>& codes, const Plain<double>& boxes, const Plain<uint8_t>& bold,
                     const std::pair<Plain<int64_t>, Plain<int64_t>>& words,
                     const std::vector<std::tuple<int32_t, int32_t, int32_t>>& runs,
                     const std::vector<int32_t>& line_runs, const std::vector<uint8_t>& turned) {
  const auto& [first, end] = words;
  if (boxes.size() != 4 * codes.size() || bold.size() != codes.size() || first.size() != end.size()) {
    throw Error("characters, boxes and words of a page are not as many");
  }
  std::vector<Run> named;
  named.reserve(runs.size());
  for (const auto& [word, count, gap] : runs) named.push_back({word, count, gap});
  const Inked inked{codes.data(),
                    boxes.data(),
                    bold.data(),
                    static_cast<size_t>(codes.size()),
                    first.data(),
                    end.data(),
                    static_cast<size_t>(first.size())};
  const WrittenLines written = longleaf::write_lines(inked, named, line_runs, turned);
  const auto n = static_cast<py::ssize_t>(written.codes.size());
  const auto lines = static_cast<py::ssize_t>(line_runs.size());
  return py::make_tuple(
      array_of(written.codes), py::array_t<float>({n, py::ssize_t{4}}, written.boxes.data()),
      array_of(written.starts), py::array_t<float>({lines, py::ssize_t{6}}, written.measures.data()));
}

}  // namespace

// The GIL is kept: the process that reads pages has one thread.
void bind_page(py::module_& m) {
  m.def("each_int", &each<int32_t>, py::arg("function"), py::arg("handle"), py::arg("indexes"),
        "int32 (n): `int function(void *handle, int index)`, at that address, for each index.");
  m.def("each_float", &each<float>, py::arg("function"), py::arg("handle"), py::arg("indexes"),
        "float32 (n), of `float function(void *handle, int index)`.");
  m.def("each_address", &each<int64_t>, py::arg("function"), py::arg("handle"), py::arg("indexes"),
        "int64 (n), of `void *function(void *handle, int index)`.");
  m.def("read_characters", &page_characters, py::arg("functions"), py::arg("page"), py::arg("count"),
        py::arg("frame"),
        "Codes uint32 (n), boxes float64 (n, 4), what stood before uint8 (n), indexes int32 (n) of the inked "
        "characters of a pdfium text page, and how many stand beyond the page. `functions` are the addresses "
        "of "
        "FPDFText_GetText, GetUnicode, IsGenerated and GetLooseCharBox, `frame` left, bottom, right, top and "
        "quarter turns.");
  m.def(
      "look_at_objects", &page_objects, py::arg("functions"), py::arg("page"), py::arg("text_page"),
      py::arg("boxes"), py::arg("indexes"), py::arg("frame"), py::arg("layers"), py::arg("most"),
      "What is drawn around the characters of a pdfium page: of each shape its box as shown float64 (n, 4), "
      "kind uint8 and colour uint32; of each character the suspicions uint8 and the shape that strikes and "
      "that covers it, int32 each, -1 for none; and the suspicions of all. `functions` are addresses in the "
      "order of ObjectFunctions, `layers` tells that some may be hidden. NativeError if the arrays do not "
      "fit.");
  m.def(
      "write_lines", &page_lines, py::arg("codes"), py::arg("boxes"), py::arg("bold"), py::arg("words"),
      py::arg("runs"), py::arg("line_runs"), py::arg("turned"),
      "The characters of a page's lines: codes uint32 (m), boxes float32 (m, 4), NaN for spaces, starts "
      "int32 "
      "(lines + 1), and a line's measures float32 (lines, 6): x0 y0 x1 y1, upper median of heights, share of "
      "bold. `words` are where each begins and ends among the characters; a run is its first word, how many, "
      "and the spaces before; line i takes the next line_runs[i] runs. NativeError for what does not exist.");
}

}  // namespace longleaf

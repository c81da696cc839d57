// The only folder that knows Python: a file for every room, which binds what that room offers, and
// module.cpp, which joins them. Every call that works for long releases the GIL.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <string_view>
#include <vector>

namespace longleaf {

namespace py = pybind11;

void bind_gguf(py::module_& m);
void bind_text(py::module_& m);
void bind_model(py::module_& m);
void bind_kernels(py::module_& m);
void bind_placement(py::module_& m);
void bind_encoder(py::module_& m);
void bind_page(py::module_& m);

using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
using Tokens = py::array_t<int32_t, py::array::c_style | py::array::forcecast>;

// A list or an array of token ids. Throws Error for anything else, and for ids that int32 cannot hold.
Tokens token_array(const py::handle& object);

template <typename Values, typename Convert>
py::list python_list(const Values& values, Convert convert) {
  py::list out(values.size());
  for (size_t i = 0; i < values.size(); ++i) out[i] = convert(values[i]);
  return out;
}

template <typename T>
py::array_t<T> array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace longleaf

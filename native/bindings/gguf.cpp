#include "gguf/gguf.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/bindings.h"
#include "error.h"
#include "gguf/text.h"
#include "quant/quant.h"

namespace longleaf {
namespace {

// Text in metadata may be any bytes; what is not UTF-8 is replaced, so that the result can always be printed.
py::object python_text(std::string_view text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

py::list python_array(const Gguf& file, const std::string& key) {
  switch (*file.element_type(key)) {
    case ValueType::String:
      return python_list(*file.strings(key), python_text);
    case ValueType::Bool:
      return python_list(*file.integers(key), [](int64_t value) { return py::bool_(value != 0); });
    case ValueType::F32:
    case ValueType::F64:
      return python_list(*file.floats(key), [](float value) { return py::float_(value); });
    default:
      return python_list(*file.integers(key), [](int64_t value) { return py::int_(value); });
  }
}

py::object python_value(const Gguf& file, const std::string& key) {
  std::optional<ValueType> type = file.type(key);
  if (!type) return py::none();
  switch (*type) {
    case ValueType::Array:
      return python_array(file, key);
    case ValueType::String:
      return python_text(*file.string(key));
    case ValueType::Bool:
      return py::bool_(*file.integer(key) != 0);
    case ValueType::F32:
    case ValueType::F64:
      return py::float_(*file.number(key));
    default:
      return py::int_(*file.integer(key));
  }
}

py::tuple python_tensor(const TensorInfo& tensor) {
  py::tuple shape(tensor.n_dims);
  for (int i = 0; i < tensor.n_dims; ++i) shape[i] = tensor.shape[i];
  const char* type = block_format(static_cast<uint32_t>(tensor.type))->name;
  return py::make_tuple(tensor.name, type, shape, tensor.n_bytes);
}

py::array_t<float> dequantized(const Gguf& file, const std::string& name) {
  const TensorInfo* tensor = file.find_tensor(name);
  if (tensor == nullptr)
    throw Error(longleaf::quoted(file.path()) + ": there is no tensor " + longleaf::quoted(name));
  std::vector<py::ssize_t> shape;
  size_t n_values = 1;
  for (int i = tensor->n_dims; i-- > 0;) {
    shape.push_back(static_cast<py::ssize_t>(tensor->shape[i]));
    n_values *= tensor->shape[i];
  }
  py::array_t<float> out(shape);
  float* values = out.mutable_data();
  py::gil_scoped_release unlocked;
  dequantize(tensor->type, tensor->data, values, n_values);
  file.check_intact();
  return out;
}

}  // namespace

void bind_gguf(py::module_& m) {
  py::class_<Gguf, std::shared_ptr<Gguf>>(m, "Gguf",
                                          "A GGUF file, mapped and checked; NativeError if it is unsound.")
      .def(py::init([](const std::filesystem::path& path) {
             py::gil_scoped_release unlocked;
             return std::make_shared<Gguf>(path.string());
           }),
           py::arg("path"))
      .def_property_readonly("path", [](const Gguf& file) { return std::filesystem::path(file.path()); })
      .def(
          "keys",
          [](const Gguf& file) {
            py::list out;
            for (const std::string& key : file.keys()) out.append(key);
            return out;
          },
          "Metadata keys in file order.")
      .def("get", python_value, py::arg("key"),
           "The value of a metadata key, None if it is absent. Arrays become lists; bytes of a text that are "
           "not UTF-8 are replaced.")
      .def(
          "tensors",
          [](const Gguf& file) {
            py::list out;
            for (const TensorInfo& tensor : file.tensors()) out.append(python_tensor(tensor));
            return out;
          },
          "(name, type, shape with the row length first, bytes) of each tensor in file order.")
      .def("dequantize", dequantized, py::arg("name"), "A tensor as float32, its rows first: (n_out, n_in).");
}

}  // namespace longleaf

// The only file that knows Python. Every call that works for long releases the GIL.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "error.h"
#include "gguf/gguf.h"
#include "gguf/text.h"
#include "quant/quant.h"
#include "text/tokenizer.h"

namespace py = pybind11;

namespace {

using longleaf::Gguf;

// Text in metadata may be any bytes; what is not UTF-8 is replaced, so that the result can always be printed.
py::object python_text(std::string_view text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

template <typename Values, typename Convert>
py::list python_list(const Values& values, Convert convert) {
  py::list out(values.size());
  for (size_t i = 0; i < values.size(); ++i) out[i] = convert(values[i]);
  return out;
}

py::list python_array(const Gguf& file, const std::string& key) {
  using longleaf::ValueType;
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
  using longleaf::ValueType;
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

py::tuple python_tensor(const longleaf::TensorInfo& tensor) {
  py::tuple shape(tensor.n_dims);
  for (int i = 0; i < tensor.n_dims; ++i) shape[i] = tensor.shape[i];
  const char* type = longleaf::block_format(static_cast<uint32_t>(tensor.type))->name;
  return py::make_tuple(tensor.name, type, shape, tensor.n_bytes);
}

py::array_t<float> dequantized(const Gguf& file, const std::string& name) {
  const longleaf::TensorInfo* tensor = file.find_tensor(name);
  if (tensor == nullptr)
    throw longleaf::Error(longleaf::quoted(file.path()) + ": there is no tensor " + longleaf::quoted(name));
  std::vector<py::ssize_t> shape;
  size_t n_values = 1;
  for (int i = tensor->n_dims; i-- > 0;) {
    shape.push_back(static_cast<py::ssize_t>(tensor->shape[i]));
    n_values *= tensor->shape[i];
  }
  py::array_t<float> out(shape);
  float* values = out.mutable_data();
  py::gil_scoped_release unlocked;
  longleaf::dequantize(tensor->type, tensor->data, values, n_values);
  file.check_intact();
  return out;
}

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
            for (const longleaf::TensorInfo& tensor : file.tensors()) out.append(python_tensor(tensor));
            return out;
          },
          "(name, type, shape with the row length first, bytes) of each tensor in file order.")
      .def("dequantize", dequantized, py::arg("name"), "A tensor as float32, its rows first: (n_out, n_in).");
}

void bind_tokenizer(py::module_& m) {
  using longleaf::Tokenizer;
  py::class_<Tokenizer>(m, "Tokenizer",
                        "The tokenizer a GGUF describes; NativeError if it is unsound or not known.")
      .def(py::init([](std::shared_ptr<Gguf> file) {
             py::gil_scoped_release unlocked;
             return std::make_unique<Tokenizer>(*file);
           }),
           py::arg("gguf"), py::keep_alive<1, 2>())
      .def(
          "encode",
          [](const Tokenizer& tokenizer, const py::str& text, bool add_bos, bool parse_special) {
            Py_ssize_t size = 0;
            const char* utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
            if (utf8 == nullptr) throw py::error_already_set();
            std::vector<int32_t> ids;
            {
              py::gil_scoped_release unlocked;
              ids = tokenizer.encode({utf8, static_cast<size_t>(size)}, add_bos, parse_special);
            }
            return python_list(ids, [](int32_t id) { return py::int_(id); });
          },
          py::arg("text"), py::arg("add_bos") = true, py::arg("parse_special") = false,
          "Token ids of a text. BOS and EOS are added only where the model wants them and `add_bos` allows "
          "it; "
          "a BOS that the text begins with is not doubled. UnicodeEncodeError for a lone surrogate.")
      .def("control_spans", &Tokenizer::control_spans, py::arg("utf8"),
           "(start, end) in bytes of each control token that `parse_special` would read in the text.",
           py::call_guard<py::gil_scoped_release>())
      .def(
          "decode",
          [](const Tokenizer& tokenizer, const std::vector<int32_t>& ids) {
            std::string out;
            for (int32_t id : ids) out += tokenizer.decode(id);
            return py::bytes(out);
          },
          py::arg("ids"), "The bytes of the text that the tokens write; control tokens write nothing.")
      .def(
          "token_bytes",
          [](const Tokenizer& tokenizer, int32_t id) { return py::bytes(tokenizer.token_bytes(id)); },
          py::arg("id"), "The bytes one token stands for; for a control token its name.")
      .def_property_readonly("n_vocab", &Tokenizer::n_vocab)
      .def_property_readonly("add_bos", &Tokenizer::add_bos)
      .def_property_readonly("bos_id", &Tokenizer::bos)
      .def_property_readonly("eos_id", &Tokenizer::eos)
      .def_property_readonly("eog_ids", &Tokenizer::eog, "All ids that end generation, ascending.");
}

void bind_model(py::module_&) {}

}  // namespace

PYBIND11_MODULE(_native, m) {
  m.doc() = "The native core of Longleaf: GGUF files, tokenizers, kernels and the forward pass.";
  py::object root = py::module_::import("longleaf").attr("LongleafError");
  py::register_exception<longleaf::Error>(m, "NativeError", root);
  bind_gguf(m);
  bind_tokenizer(m);
  bind_model(m);
}

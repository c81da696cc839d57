// The only file that knows Python. Every call that works for long releases the GIL.
#include <pybind11/pybind11.h>

#include "error.h"

namespace py = pybind11;

namespace {

void bind_gguf(py::module_&) {}

void bind_tokenizer(py::module_&) {}

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

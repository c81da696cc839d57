#include "bindings/bindings.h"
#include "error.h"
#include "kv/pool.h"

PYBIND11_MODULE(_native, m) {
  m.doc() = "The native core of Longleaf: GGUF files, tokenizers, kernels and the forward pass.";
  pybind11::object root = pybind11::module_::import("longleaf").attr("LongleafError");
  pybind11::register_exception<longleaf::Error>(m, "NativeError", root);
  pybind11::register_exception<longleaf::KvFull>(m, "KvFullError", m.attr("NativeError"));
  longleaf::bind_gguf(m);
  longleaf::bind_text(m);
  longleaf::bind_model(m);
  longleaf::bind_kernels(m);
  longleaf::bind_placement(m);
  longleaf::bind_encoder(m);
  longleaf::bind_page(m);
}

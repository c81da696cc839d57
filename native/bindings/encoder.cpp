#include "encoder/encoder.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "bindings/bindings.h"
#include "error.h"
#include "gguf/text.h"
#include "runtime/placement.h"

namespace longleaf {
namespace {

template <class T>
const T* tensor_data(const py::dict& tensors, const std::string& name, std::initializer_list<size_t> shape) {
  if (!tensors.contains(name)) throw Error("the encoder has no tensor " + longleaf::quoted(name));
  const py::array found = py::array::ensure(tensors[py::str(name)]);
  bool fits = found && py::isinstance<py::array_t<T, py::array::c_style>>(found) &&
              static_cast<size_t>(found.ndim()) == shape.size();
  py::ssize_t axis = 0;
  for (const size_t size : shape) fits = fits && static_cast<size_t>(found.shape(axis++)) == size;
  if (!fits) throw Error("the encoder's tensor " + longleaf::quoted(name) + " has another type or shape");
  return static_cast<const T*>(found.data());
}

LinearWeights linear_weights(const py::dict& tensors, const std::string& name, size_t in, size_t out) {
  return {in, out, tensor_data<int8_t>(tensors, name + ".weight", {in, out}),
          tensor_data<float>(tensors, name + ".scale", {out}),
          tensor_data<float>(tensors, name + ".bias", {out})};
}

NormWeights norm_weights(const py::dict& tensors, const std::string& name, size_t width) {
  return {tensor_data<float>(tensors, name + ".weight", {width}),
          tensor_data<float>(tensors, name + ".bias", {width})};
}

std::unique_ptr<Encoder> make_encoder(const py::dict& tensors, size_t heads, size_t layers, size_t inner,
                                      float epsilon, int threads, const std::string& isa) {
  if (threads < 0 || threads > 1024) throw Error("threads must be 0 to 1024");
  EncoderWeights weights;
  for (const char* name : {"words", "positions"}) {
    const py::array table = tensors.contains(name) ? py::array::ensure(tensors[name]) : py::array();
    if (!table || table.ndim() != 2) throw Error("the encoder has no table " + longleaf::quoted(name));
    (name[0] == 'w' ? weights.n_vocab : weights.n_positions) = static_cast<size_t>(table.shape(0));
    weights.width = static_cast<size_t>(table.shape(1));
  }
  const size_t width = weights.width;
  weights.heads = heads;
  weights.epsilon = epsilon;
  weights.words = tensor_data<int8_t>(tensors, "words", {weights.n_vocab, width});
  weights.word_scales = tensor_data<float>(tensors, "word_scales", {weights.n_vocab});
  weights.positions = tensor_data<float>(tensors, "positions", {weights.n_positions, width});
  weights.norm = norm_weights(tensors, "norm", width);
  for (size_t i = 0; i < layers; ++i) {
    const std::string layer = "layers." + std::to_string(i) + ".";
    weights.layers.push_back({linear_weights(tensors, layer + "query", width, width),
                              linear_weights(tensors, layer + "key", width, width),
                              linear_weights(tensors, layer + "value", width, width),
                              linear_weights(tensors, layer + "attention_out", width, width),
                              linear_weights(tensors, layer + "up", width, inner),
                              linear_weights(tensors, layer + "down", inner, width),
                              norm_weights(tensors, layer + "attention_norm", width),
                              norm_weights(tensors, layer + "out_norm", width)});
  }
  py::gil_scoped_release unlocked;
  return std::make_unique<Encoder>(weights, threads > 0 ? threads : default_thread_count(), isa);
}

}  // namespace

void bind_encoder(py::module_& m) {
  py::class_<Encoder>(m, "Encoder", "A BERT encoder for text embeddings. Safe to share: calls take turns.")
      .def(py::init(&make_encoder), py::arg("tensors"), py::kw_only(), py::arg("heads"), py::arg("layers"),
           py::arg("inner"), py::arg("epsilon"), py::arg("threads") = 0, py::arg("isa") = "",
           "`tensors` by name, as engine/embedding/bert_weights.py makes them: int8 weights (in, out) with a "
           "scale and a bias "
           "an "
           "output, "
           "float32 norms. NativeError names what is missing or does not fit.")
      .def_property_readonly("width", &Encoder::width)
      .def_property_readonly("n_positions", &Encoder::n_positions)
      .def_property_readonly("isa", &Encoder::isa)
      .def(
          "encode",
          [](Encoder& encoder, const std::vector<std::vector<int32_t>>& texts) {
            py::array_t<float> out({texts.size(), encoder.width()});
            float* vectors = out.mutable_data();
            py::gil_scoped_release unlocked;
            encoder.encode(texts, vectors);
            return out;
          },
          py::arg("texts"),
          "One unit vector for each list of token ids, float32 (len(texts), width). NativeError for an empty "
          "or too "
          "long text and for ids out of range.");
}

}  // namespace longleaf

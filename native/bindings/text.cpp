#include <memory>
#include <string>
#include <vector>

#include "bindings/bindings.h"
#include "error.h"
#include "text/suffix_automaton.h"
#include "text/tokenizer.h"

namespace longleaf {

Tokens token_array(const py::handle& object) {
  const auto fail = [] {
    throw Error("tokens must be a list of ints or a one-dimensional array of int32 or int64 numbers");
  };
  const py::array any = py::array::ensure(object);
  if (!any || any.ndim() != 1) {
    PyErr_Clear();
    fail();
  }
  if (any.size() == 0) return Tokens(0);  // an empty list becomes an array of float64
  if (any.dtype().kind() != 'i') fail();
  if (any.itemsize() <= 4) return Tokens::ensure(any);
  // Ids that int32 cannot hold must not become others.
  const auto wide = py::array_t<int64_t, py::array::c_style | py::array::forcecast>::ensure(any);
  Tokens out(wide.size());
  for (py::ssize_t i = 0; i < wide.size(); ++i) {
    const int64_t id = wide.data()[i];
    if (id < INT32_MIN || id > INT32_MAX) fail();
    out.mutable_data()[i] = static_cast<int32_t>(id);
  }
  return out;
}

namespace {

void bind_tokenizer(py::module_& m) {
  py::class_<Tokenizer>(m, "Tokenizer",
                        "The tokenizer a GGUF describes; NativeError if it is unsound or not known.")
      .def(py::init([](std::shared_ptr<Gguf> file) {
             py::gil_scoped_release unlocked;
             return std::make_unique<Tokenizer>(*file);
           }),
           py::arg("gguf").none(false), py::keep_alive<1, 2>())
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

// The GIL is kept: it is what lets one automaton be used from several threads, and a long prompt takes a few
// ms.
void bind_suffix_automaton(py::module_& m) {
  py::class_<SuffixAutomaton>(
      m, "SuffixAutomaton",
      "A growing sequence of tokens, and where its longest repeated ending stood before.")
      .def(py::init<>())
      .def(
          "extend",
          [](SuffixAutomaton& automaton, const py::object& tokens) {
            const Tokens array = token_array(tokens);
            for (py::ssize_t i = 0; i < array.size(); ++i) automaton.extend(array.data()[i]);
          },
          py::arg("tokens"), "Appends tokens, amortised constant time each. NativeError for a negative one.")
      .def(
          "repeat",
          [](const SuffixAutomaton& automaton) {
            const SuffixAutomaton::Repeat repeat = automaton.repeat();
            return py::make_tuple(repeat.length, repeat.end);
          },
          "(length, end): the longest ending that stands elsewhere in the sequence too, and one past its "
          "last token "
          "there, at the last such place or close to it. Length 0 if nothing repeats.")
      .def(
          "continuation",
          [](const SuffixAutomaton& automaton, size_t n) {
            return python_list(automaton.continuation(n), [](int32_t token) { return py::int_(token); });
          },
          py::arg("n"),
          "The n tokens that followed the repeat there, and round again where the sequence ends; empty if "
          "nothing "
          "repeats.")
      .def("__len__", &SuffixAutomaton::size)
      .def_property_readonly("bytes", &SuffixAutomaton::bytes, "Memory it holds.");
}

}  // namespace

void bind_text(py::module_& m) {
  bind_tokenizer(m);
  bind_suffix_automaton(m);
}

}  // namespace longleaf

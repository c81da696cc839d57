// The only file that knows Python. Every call that works for long releases the GIL.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "encoder/encoder.h"
#include "error.h"
#include "gguf/gguf.h"
#include "gguf/text.h"
#include "kernels/matmul.h"
#include "kernels/pack.h"
#include "model/head.h"
#include "model/model.h"
#include "model/weights.h"
#include "page/characters.h"
#include "page/objects.h"
#include "page/lines.h"
#include "quant/quant.h"
#include "runtime/foreign.h"
#include "runtime/placement.h"
#include "runtime/topology.h"
#include "text/suffix_automaton.h"
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

using Tokens = py::array_t<int32_t, py::array::c_style | py::array::forcecast>;

// Keeps the arrays of a batch alive while the core works on them.
struct Batch {
  std::vector<Tokens> arrays;
  std::vector<longleaf::BatchItem> items;
  size_t tokens = 0;
  size_t wanted = 0;
};

Tokens token_array(const py::handle& object) {
  const auto fail = [] {
    throw longleaf::Error(
        "tokens must be a list of ints or a one-dimensional array of int32 or int64 numbers");
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

Batch batch_of(const std::vector<std::tuple<int64_t, py::object, py::object>>& items, bool scoring) {
  Batch batch;
  for (const auto& [sequence, tokens, third] : items) {
    batch.arrays.push_back(token_array(tokens));
    longleaf::BatchItem item{};
    item.sequence = sequence;
    item.tokens = batch.arrays.back().data();
    item.count = static_cast<size_t>(batch.arrays.back().size());
    if (scoring) {
      batch.arrays.push_back(token_array(third));
      if (static_cast<size_t>(batch.arrays.back().size()) != item.count)
        throw longleaf::Error("sequence " + std::to_string(sequence) +
                              ": as many targets as tokens are needed");
      item.targets = batch.arrays.back().data();
    } else {
      const auto wanted = py::cast<int64_t>(third);
      if (wanted < 0 || static_cast<size_t>(wanted) > item.count)
        throw longleaf::Error("sequence " + std::to_string(sequence) + ": " + std::to_string(wanted) +
                              " rows of logits wanted of " + std::to_string(item.count) + " tokens");
      item.wanted = static_cast<size_t>(wanted);
    }
    batch.tokens += item.count;
    batch.wanted += item.wanted;
    batch.items.push_back(item);
  }
  return batch;
}

// The GIL is kept: it is what lets one automaton be used from several threads, and a long prompt takes a few
// ms.
void bind_suffix_automaton(py::module_& m) {
  using longleaf::SuffixAutomaton;
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

longleaf::RopeScaling rope_scaling_of(const py::dict& wish) {
  longleaf::RopeScaling out;
  for (const auto& [key, value] : wish) {
    const auto name = py::cast<std::string>(key);
    if (name == "kind") {
      const auto kind = py::cast<std::string>(value);
      if (kind == "linear") {
        out.kind = longleaf::RopeScaling::Kind::Linear;
      } else if (kind == "yarn") {
        out.kind = longleaf::RopeScaling::Kind::Yarn;
      } else if (kind != "none") {
        throw longleaf::Error("rope scaling must be none, linear or yarn, not " + longleaf::quoted(kind));
      }
      continue;
    }
    double* const number = name == "frequency_scale"    ? &out.frequency_scale
                           : name == "original_context" ? &out.original_context
                           : name == "ext_factor"       ? &out.ext_factor
                           : name == "attention_factor" ? &out.attention_factor
                           : name == "beta_fast"        ? &out.beta_fast
                           : name == "beta_slow"        ? &out.beta_slow
                                                        : nullptr;
    if (number == nullptr) throw longleaf::Error("rope scaling has no " + longleaf::quoted(name));
    *number = py::cast<double>(value);
  }
  return out;
}

std::unique_ptr<longleaf::Model> open_model(const Gguf& file, int threads, size_t ctx_size,
                                            size_t kv_budget_bytes, const std::string& key_type,
                                            const std::string& value_type, const std::string& numa,
                                            bool mlock, const std::optional<py::dict>& rope_scaling,
                                            const std::string& sysfs) {
  longleaf::ModelOptions options;
  options.numa = longleaf::numa_named(numa);
  options.lock_weights = mlock;
  options.sysfs = sysfs;
  if (rope_scaling) options.rope_scaling = rope_scaling_of(*rope_scaling);
  options.threads = threads;
  options.context = ctx_size;
  options.kv_budget_bytes = kv_budget_bytes;
  options.key_type = longleaf::kv_type_named(key_type);
  options.value_type = longleaf::kv_type_named(value_type);
  if (const char* isa = std::getenv("LONGLEAF_ISA")) options.kernel_set = isa;
  py::gil_scoped_release unlocked;
  return std::make_unique<longleaf::Model>(file, options);
}

using Items = std::vector<std::tuple<int64_t, py::object, py::object>>;

py::tuple model_forward_both(longleaf::Model& model, const Items& whole, const Items& best, size_t k) {
  const Batch first = batch_of(whole, false), second = batch_of(best, false);
  const size_t columns = std::min(k, model.vocabulary());
  py::array_t<float> logits({first.wanted, model.vocabulary()});
  py::array_t<int32_t> ids({second.wanted, columns});
  py::array_t<float> top({second.wanted, columns});
  float* logit = logits.mutable_data();
  int32_t* id = ids.mutable_data();
  float* top_logit = top.mutable_data();
  {
    py::gil_scoped_release unlocked;
    model.forward_both(first.items, second.items, k, logit, id, top_logit);
  }
  return py::make_tuple(logits, ids, top);
}

py::object model_forward(longleaf::Model& model, const Items& items) {
  return model_forward_both(model, items, {}, 1)[0];
}

py::tuple model_forward_top(longleaf::Model& model, const Items& items, size_t k) {
  const py::tuple all = model_forward_both(model, {}, items, k);
  return py::make_tuple(all[1], all[2]);
}

py::array_t<float> model_score(longleaf::Model& model,
                               const std::vector<std::tuple<int64_t, py::object, py::object>>& items) {
  const Batch batch = batch_of(items, true);
  py::array_t<float> out(static_cast<py::ssize_t>(batch.tokens));
  float* values = out.mutable_data();
  py::gil_scoped_release unlocked;
  model.score(batch.items, values);
  return out;
}

py::dict kv_stats(const longleaf::Model& model) {
  const longleaf::KvLayout& layout = model.kv_layout();
  size_t free = 0;
  longleaf::KvUse use;
  {
    py::gil_scoped_release unlocked;
    use = model.kv_use(&free);
  }
  const size_t page = layout.page_bytes();
  size_t window_layers = 0, widest = 0;
  for (size_t window : layout.windows) {
    window_layers += window != 0 ? 1 : 0;
    widest = std::max(widest, window);
  }
  const size_t global_layers = layout.layers() - window_layers;
  const std::pair<const char*, size_t> values[] = {
      {"pages_total", model.kv_budget_pages()},
      {"pages_free", free},
      {"pages_used", model.kv_budget_pages() - free},
      {"page_tokens", longleaf::kPageTokens},
      {"page_bytes", page},
      {"global_layers", global_layers},
      {"window_layers", window_layers},
      {"window_tokens", widest},
      {"global_pages", use.global_pages},
      {"window_pages", use.window_pages},
      {"global_bytes", use.global_pages * page},
      {"window_bytes", use.window_pages * page},
      {"bytes_per_token", global_layers * page / longleaf::kPageTokens},
      {"sequences", use.sequences},
  };
  py::dict out;
  for (const auto& [key, value] : values) out[key] = value;
  return out;
}

py::dict numa_use(longleaf::Model& model) {
  longleaf::NumaUse use;
  {
    py::gil_scoped_release unlocked;
    use = model.numa_use();
  }
  py::dict out;
  out["nodes"] = model.placement().nodes();
  out["homes"] = model.placement().homes();
  out["weight_copies"] = use.weight_copies;
  out["weight_pages"] = use.weights.pages;
  out["weight_pages_elsewhere"] = use.weights.elsewhere;
  out["kv_pages"] = use.kv.pages;
  out["kv_pages_elsewhere"] = use.kv.elsewhere;
  return out;
}

py::list export_pages(longleaf::Model& model, int64_t sequence, size_t first) {
  // A fork stands still while its pages are copied.
  const auto unlocked = [](auto&& work) {
    py::gil_scoped_release released;
    return work();
  };
  const int64_t still = unlocked([&] { return model.fork(sequence); });
  py::list out;
  try {
    std::vector<longleaf::KvPage> pages = unlocked([&] { return model.kv_pages(still); });
    pages.erase(std::remove_if(pages.begin(), pages.end(),
                               [&](const longleaf::KvPage& page) { return page.block < first; }),
                pages.end());
    std::vector<std::byte*> places;
    for (const longleaf::KvPage& page : pages) {
      auto bytes = py::reinterpret_steal<py::bytes>(
          PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(page.bytes)));
      if (!bytes) throw py::error_already_set();
      places.push_back(reinterpret_cast<std::byte*>(PyBytes_AS_STRING(bytes.ptr())));
      out.append(py::make_tuple(page.layer, page.block, std::move(bytes)));
    }
    unlocked([&] { model.export_pages(still, pages, places); });
  } catch (...) {
    model.release(still);
    throw;
  }
  unlocked([&] { model.release(still); });
  return out;
}

int64_t import_sequence(longleaf::Model& model, size_t length,
                        const std::vector<std::tuple<size_t, size_t, py::buffer>>& pages) {
  std::vector<longleaf::KvPage> plain;
  std::vector<py::buffer_info> held;
  for (const auto& [layer, block, buffer] : pages) {
    py::buffer_info info = buffer.request();
    if (info.ndim != 1 || info.strides[0] != info.itemsize) {
      throw longleaf::Error("cannot import pages: block " + std::to_string(block) + " of layer " +
                            std::to_string(layer) + " is no contiguous one-dimensional buffer");
    }
    plain.push_back({layer, block, static_cast<const std::byte*>(info.ptr),
                     static_cast<size_t>(info.size) * static_cast<size_t>(info.itemsize)});
    held.push_back(std::move(info));
  }
  py::gil_scoped_release unlocked;
  return model.import_sequence(length, plain);
}

longleaf::TensorType tensor_type_named(const std::string& name) {
  for (uint32_t number = 0; number < 64; ++number) {
    const longleaf::BlockFormat* format = longleaf::block_format(number);
    if (format != nullptr && name == format->name) return static_cast<longleaf::TensorType>(number);
  }
  throw longleaf::Error("no weight type \"" + name + "\"");
}

using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;

// Rows of a GGUF weight type, packed; x tells their length.
longleaf::Matrix packed_matrix(const std::string& type_name, const py::bytes& packed, size_t n_out,
                               const Floats& x) {
  const longleaf::TensorType type = tensor_type_named(type_name);
  const longleaf::BlockFormat* source = longleaf::block_format(static_cast<uint32_t>(type));
  if (x.ndim() != 2) throw longleaf::Error("x must be (rows, n_in)");
  const auto cols = static_cast<size_t>(x.shape(1));
  const std::string_view bytes = packed;
  if (cols % longleaf::packed_column_step(type) != 0 || cols % source->block_size != 0 ||
      bytes.size() != n_out * (cols / source->block_size) * source->block_bytes) {
    throw longleaf::Error("the packed bytes do not fit the shape");
  }
  longleaf::Matrix matrix;
  matrix.view.format = longleaf::packed_format(type);
  matrix.view.rows = n_out;
  matrix.view.cols = cols;
  matrix.view.block_bytes = longleaf::packed_block_bytes(matrix.view.format, cols);
  matrix.memory = longleaf::Memory(matrix.view.bytes());
  matrix.view.data = matrix.memory.data();
  for (size_t block = 0; block < matrix.view.blocks(); ++block) {
    longleaf::pack_block(type, reinterpret_cast<const std::byte*>(bytes.data()), n_out, cols, nullptr, block,
                         matrix.memory.data() + block * matrix.view.block_bytes);
  }
  return matrix;
}

// x . weights^T by one kernel set, for tests: the products, and the weights as the kernels unpack them.
py::tuple matmul_test(const std::string& type_name, const py::bytes& packed, size_t n_out, const Floats& x,
                      const std::string& isa, int threads) {
  const longleaf::Matrix owned = packed_matrix(type_name, packed, n_out, x);
  const longleaf::PackedMatrix& matrix = owned.view;
  const auto rows = static_cast<size_t>(x.shape(0));
  const size_t cols = matrix.cols;
  py::array_t<float> out({rows, n_out});
  py::array_t<float> weights({n_out, cols});
  longleaf::ThreadPool pool(threads);
  const longleaf::MatmulScratch scratch(pool.size(), rows, cols);
  const longleaf::Product product{&matrix, out.mutable_data(), n_out};
  longleaf::matmul(longleaf::kernel_set(isa), pool, scratch, x.data(), cols, rows, &product, 1);
  for (size_t row = 0; row < n_out; ++row) {
    longleaf::packed_row(matrix, row, weights.mutable_data() + row * cols);
  }
  return py::make_tuple(out, weights);
}

// The k best logits of every row, for tests: as the screened head finds them, computed in full, and the
// blocks of 64 rows that screening left to compute (-1: it refused).
py::tuple head_test(const std::string& type_name, const py::bytes& packed, size_t n_out, const Floats& x,
                    size_t k, const std::string& isa, float softcap, size_t together, int threads) {
  const longleaf::Matrix matrix = packed_matrix(type_name, packed, n_out, x);
  const auto rows = static_cast<size_t>(x.shape(0));
  const auto cols = static_cast<size_t>(x.shape(1));
  const longleaf::Kernels& kernels = longleaf::kernel_set(isa);
  longleaf::ThreadPool pool(threads);
  const longleaf::MatmulScratch scratch(pool.size(), rows, cols);
  longleaf::Head head(kernels, pool, matrix.view, softcap, "a test");
  py::array_t<float> logits({rows, n_out}), best({rows, k});
  py::array_t<int32_t> ids({rows, k});
  head.logits(scratch, x.data(), cols, rows, logits.mutable_data());
  std::vector<double> energies(cols, 1e-30);
  for (size_t i = 0; i < rows * cols; ++i)
    energies[i % cols] += std::pow(static_cast<double>(x.data()[i]), 2);
  const bool screens = head.screen(energies);
  py::list blocks;
  for (size_t row = 0; row < rows; row += together) {
    head.top(scratch, x.data() + row * cols, cols, std::min(together, rows - row), k,
             ids.mutable_data() + row * k, best.mutable_data() + row * k);
    blocks.append(screens ? static_cast<int64_t>(head.blocks_read()) : -1);
  }
  return py::make_tuple(ids, best, logits, blocks);
}

struct RecordedCalls {
  int refusal = 0;
  std::vector<std::tuple<int, std::vector<int>, size_t>> mbind;  // mode, nodes, bytes
};
thread_local RecordedCalls recorded_calls;

long record_mbind(void*, unsigned long bytes, int mode, const unsigned long* nodes, unsigned long most,
                  unsigned) {
  if (recorded_calls.refusal != 0) {
    errno = recorded_calls.refusal;
    return -1;
  }
  std::vector<int> ids;
  for (unsigned long i = 0; i + 1 < most; ++i) {
    if ((nodes[i / 64] >> (i % 64) & 1) != 0) ids.push_back(static_cast<int>(i));
  }
  recorded_calls.mbind.emplace_back(mode, ids, bytes);
  return 0;
}

long record_move_pages(int, unsigned long, void**, const int*, int*, int) {
  errno = recorded_calls.refusal;
  return recorded_calls.refusal == 0 ? 0 : -1;
}

int record_mlock(const void*, size_t) {
  errno = recorded_calls.refusal;
  return recorded_calls.refusal == 0 ? 0 : -1;
}

py::dict placement_test(const std::string& sysfs, const std::optional<std::vector<int>>& allowed_cpus,
                        const std::optional<std::vector<int>>& allowed_nodes, const std::string& numa,
                        int threads, int quota, size_t bytes, int refusal) {
  const longleaf::Topology topology = longleaf::read_topology(sysfs, {allowed_cpus, allowed_nodes});
  const longleaf::SystemCalls calls = {record_mbind, record_move_pages, record_mlock};
  recorded_calls = {refusal, {}};
  longleaf::Placement placement(longleaf::numa_named(numa), threads, quota, topology, calls);
  {
    const longleaf::PlacementScope scope(&placement, true);
    const longleaf::Memory memory(bytes);
    placement.find({memory.data()}, placement.nodes());
  }
  py::list cores, nodes;
  for (const longleaf::Core& core : topology.cores) cores.append(py::make_tuple(core.cpus, core.node));
  for (const longleaf::Node& node : topology.nodes)
    nodes.append(py::make_tuple(node.id, node.memory_bytes, node.available_bytes));
  py::dict out;
  out["cores"] = cores;
  out["nodes"] = nodes;
  out["threads"] = placement.threads();
  out["cpus"] = placement.places().cpus;
  out["thread_homes"] = placement.places().homes;
  out["placed_on"] = placement.nodes();
  out["homes"] = placement.homes();
  out["copies"] = placement.copies(bytes, 8 * bytes);
  out["mbind"] = recorded_calls.mbind;
  out["trouble"] = placement.trouble();
  return out;
}

py::array_t<float> exp_test(const Floats& x, const std::string& isa) {
  py::array_t<float> out(x.size());
  std::copy(x.data(), x.data() + x.size(), out.mutable_data());
  longleaf::kernel_set(isa).exp(out.mutable_data(), static_cast<size_t>(x.size()));
  return out;
}

void bind_model(py::module_& m) {
  using longleaf::Model;
  py::class_<Model>(m, "Model", "A model ready to run. Safe to call from several threads: calls take turns.")
      .def(
          py::init(&open_model), py::arg("gguf"), py::arg("threads") = 0, py::arg("ctx_size") = 0,
          py::arg("kv_budget_bytes") = 0, py::kw_only(), py::arg("kv_type_k") = "f16",
          py::arg("kv_type_v") = "f16", py::arg("numa") = "none", py::arg("mlock") = false,
          py::arg("rope_scaling") = py::none(), py::arg("sysfs") = "",
          "threads, ctx_size, kv_budget_bytes: 0 means by the machine and the model. Types of KV cache: f16, "
          "bf16, f32 and, lossy, q8 and q4. LONGLEAF_ISA forces a kernel set. sysfs: for tests, a "
          "tree that describes another machine.")
      .def_property_readonly("n_vocab", &Model::vocabulary)
      .def_property_readonly("n_ctx", &Model::context)
      .def_property_readonly("n_layer", [](const Model& model) { return model.architecture().layers; })
      .def_property_readonly("architecture", [](const Model& model) { return model.architecture().name; })
      .def_property_readonly("isa", [](const Model& model) { return model.kernels().name; })
      .def_property_readonly("threads", &Model::threads)
      .def_property_readonly("kv_budget_bytes", &Model::kv_budget_bytes)
      .def(
          "cost",
          [](const Model& model, size_t depth, size_t tokens, size_t outputs) {
            const longleaf::Cost cost = model.cost(depth, tokens, outputs);
            py::dict out;
            out["matmul_macs"] = cost.matmul_macs;
            out["attention_macs"] = cost.attention_macs;
            out["weight_bytes"] = cost.weight_bytes;
            out["kv_bytes"] = cost.kv_bytes;
            return out;
          },
          py::arg("depth"), py::arg("tokens"), py::arg("outputs"),
          "Counted operations and bytes of appending `tokens` behind `depth` others, `outputs` rows of "
          "logits "
          "wanted: a dict of matmul_macs, attention_macs, weight_bytes, kv_bytes.")
      .def(
          "rates",
          [](Model& model) {
            longleaf::Rates rates{};
            {
              py::gil_scoped_release unlocked;
              rates = model.rates();
            }
            py::dict out;
            out["float_macs"] = rates.float_macs;
            out["integer_macs"] = rates.integer_macs;
            out["read_bytes"] = rates.read_bytes;
            return out;
          },
          "Measured peaks of this machine with the model's threads and kernel set, per second: a dict of "
          "float_macs, integer_macs (0: no such unit), read_bytes. Takes about half a second.")
      .def_property_readonly(
          "rope", [](const Model& model) { return model.architecture().global_rope.text(); },
          "How positions are turned into angles, as text: sequences of models that differ in it cannot be "
          "shared.")
      .def_property_readonly(
          "memory_need",
          [](const Model& model) {
            const longleaf::MemoryNeed need = model.memory_need();
            py::dict out;
            out["weights"] = need.weights;
            out["kv"] = need.kv;
            out["activations"] = need.activations;
            out["screening"] = need.screening;
            return out;
          },
          "Bytes that the model takes, kv for one sequence as long as the context.")
      .def_property_readonly(
          "pinned", [](const Model& model) { return !model.placement().places().cpus.empty(); },
          "Whether threads are bound to cores or nodes.")
      .def_property_readonly("placement_trouble", &Model::placement_trouble,
                             "What the system refused of placing and locking memory, or did otherwise; empty "
                             "if nothing.")
      .def("numa_use", &numa_use,
           "The nodes that memory was placed on, none where the system decides, those of them that KV pages "
           "are "
           "spread over, the copies of the weights, and how many pages of a sample of the weights and of the "
           "KV "
           "cache were looked at and found elsewhere.")
      .def_property_readonly("screening_bytes", &Model::screening_bytes,
                             "Of the coarse copy of the output head that forward_top screens with.")
      .def("new_sequence", &Model::create, py::call_guard<py::gil_scoped_release>(), "An empty sequence.")
      .def("fork", &Model::fork, py::arg("seq"), py::call_guard<py::gil_scoped_release>(),
           "A new sequence with the same tokens, sharing their KV pages until one of them writes.")
      .def(
          "truncate", &Model::truncate, py::arg("seq"), py::arg("n"),
          py::call_guard<py::gil_scoped_release>(),
          "Forgets all tokens behind the first `n`. NativeError when windowed layers have given back what is "
          "seen from there.")
      .def("can_truncate", &Model::can_truncate, py::arg("seq"), py::arg("n"),
           py::call_guard<py::gil_scoped_release>(), "Whether truncate(seq, n) would do it.")
      .def_property_readonly(
          "kv_windows", [](const Model& model) { return model.kv_layout().windows; },
          "Of every layer the tokens that it sees, 0 for all.")
      .def("kv_stats", &kv_stats,
           "Pages of the KV pool and their bytes, by kind of layer: counts, all of them whole numbers.")
      .def("kv_bytes_needed", &Model::kv_bytes_needed, py::arg("tokens"),
           "Most bytes of KV that building a sequence of so many tokens takes, shared with no other.")
      .def("export_pages", &export_pages, py::arg("seq"), py::arg("first") = 0,
           "The KV pages of a sequence, from block `first` on, as (layer, block, bytes); block b holds "
           "positions "
           "[64 b, 64 b + 64); of windowed layers those they keep. docs/kv-cache.md has the layout of the "
           "bytes.")
      .def("import_sequence", &import_sequence, py::arg("length"), py::arg("pages"),
           "A new sequence of `length` tokens from pages as export_pages gives them, in any order. "
           "NativeError when one is missing, stands there twice or has another size; KvFullError when the "
           "pool is full.")
      .def("free", &Model::release, py::arg("seq"), py::call_guard<py::gil_scoped_release>())
      .def("length", &Model::length, py::arg("seq"), py::call_guard<py::gil_scoped_release>())
      .def("forward", &model_forward, py::arg("batch"),
           "Appends the tokens of each (sequence, tokens, n_logits) and returns the logits after the last "
           "n_logits "
           "tokens of each: float32 (sum of n_logits, n_vocab). NativeError changes no sequence.")
      .def("forward_top", &model_forward_top, py::arg("batch"), py::arg("k"),
           "As forward, but of every row the k best tokens only: ids int32 and logits float32, (sum of "
           "n_logits, k), descending, ties by the lower id; the same numbers as forward's.")
      .def("forward_both", &model_forward_both, py::arg("whole"), py::arg("best"), py::arg("k"),
           "One step for two batches, no sequence in both: the logits of the first as forward gives them, "
           "then ids and logits of the second as forward_top does.")
      .def(
          "score", &model_score, py::arg("batch"),
          "Appends the tokens of each (sequence, tokens, targets) and returns the natural-log probability of "
          "targets[i] after tokens[i], 0 where the target is -1: float32 (sum of tokens).");
  m.def("kernel_sets", &longleaf::kernel_set_names, "Kernel sets that this machine runs, best first.");
  m.def("matmul_test", &matmul_test, py::arg("type_name"), py::arg("packed"), py::arg("n_out"), py::arg("x"),
        py::arg("isa"), py::arg("threads") = 1,
        "For tests: (x . weights^T, weights) from packed rows of a GGUF weight type.");
  m.def(
      "head_test", &head_test, py::arg("type_name"), py::arg("packed"), py::arg("n_out"), py::arg("x"),
      py::arg("k"), py::arg("isa"), py::arg("softcap") = 0.0f, py::arg("together") = 1,
      py::arg("threads") = 1,
      "For tests: (ids, logits) of the k best rows by a screened head, all logits, and the blocks of 64 that "
      "each `together` rows read exactly, -1 where the weights cannot be screened.");
  m.def("placement_test", &placement_test, py::arg("sysfs"), py::arg("allowed_cpus"),
        py::arg("allowed_nodes"), py::arg("numa"), py::arg("threads"), py::arg("quota"), py::arg("bytes"),
        py::arg("refusal") = 0,
        "For tests: what a Placement makes of a sysfs tree and of memory of so many bytes, with system calls "
        "that "
        "record, or fail with errno `refusal`. `copies` is for weights of those bytes with 8 times that to "
        "spare.");
  m.def("exp_test", &exp_test, py::arg("x"), py::arg("isa"), "For tests: the vector exp of a kernel set.");
}

template <class T>
const T* tensor_data(const py::dict& tensors, const std::string& name, std::initializer_list<size_t> shape) {
  if (!tensors.contains(name)) throw longleaf::Error("the encoder has no tensor " + longleaf::quoted(name));
  const py::array found = py::array::ensure(tensors[py::str(name)]);
  bool fits = found && py::isinstance<py::array_t<T, py::array::c_style>>(found) &&
              static_cast<size_t>(found.ndim()) == shape.size();
  py::ssize_t axis = 0;
  for (const size_t size : shape) fits = fits && static_cast<size_t>(found.shape(axis++)) == size;
  if (!fits)
    throw longleaf::Error("the encoder's tensor " + longleaf::quoted(name) + " has another type or shape");
  return static_cast<const T*>(found.data());
}

longleaf::LinearWeights linear_weights(const py::dict& tensors, const std::string& name, size_t in,
                                       size_t out) {
  return {in, out, tensor_data<int8_t>(tensors, name + ".weight", {in, out}),
          tensor_data<float>(tensors, name + ".scale", {out}),
          tensor_data<float>(tensors, name + ".bias", {out})};
}

longleaf::NormWeights norm_weights(const py::dict& tensors, const std::string& name, size_t width) {
  return {tensor_data<float>(tensors, name + ".weight", {width}),
          tensor_data<float>(tensors, name + ".bias", {width})};
}

std::unique_ptr<longleaf::Encoder> make_encoder(const py::dict& tensors, size_t heads, size_t layers,
                                                size_t inner, float epsilon, int threads,
                                                const std::string& isa) {
  if (threads < 0 || threads > 1024) throw longleaf::Error("threads must be 0 to 1024");
  longleaf::EncoderWeights weights;
  for (const char* name : {"words", "positions"}) {
    const py::array table = tensors.contains(name) ? py::array::ensure(tensors[name]) : py::array();
    if (!table || table.ndim() != 2)
      throw longleaf::Error("the encoder has no table " + longleaf::quoted(name));
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
  return std::make_unique<longleaf::Encoder>(weights,
                                             threads > 0 ? threads : longleaf::default_thread_count(), isa);
}

void bind_encoder(py::module_& m) {
  using longleaf::Encoder;
  py::class_<Encoder>(m, "Encoder", "A BERT encoder for text embeddings. Safe to share: calls take turns.")
      .def(py::init(&make_encoder), py::arg("tensors"), py::kw_only(), py::arg("heads"), py::arg("layers"),
           py::arg("inner"), py::arg("epsilon"), py::arg("threads") = 0, py::arg("isa") = "",
           "`tensors` by name, as engine/embedding/bert_weights.py makes them: int8 weights (in, out) with a scale and a bias "
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

using Indexes = py::array_t<int32_t, py::array::c_style | py::array::forcecast>;

template <typename Result>
py::array_t<Result> call_each(uintptr_t function, uintptr_t handle, const Indexes& indexes) {
  py::array_t<Result> out(indexes.size());
  longleaf::call_each(function, handle, indexes.data(), static_cast<size_t>(indexes.size()),
                      out.mutable_data());
  return out;
}

template <typename T>
py::array_t<T> array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::tuple read_characters(const std::array<uintptr_t, 4>& functions, uintptr_t page, int count,
                          const std::tuple<double, double, double, double, int>& frame) {
  longleaf::TextFunctions text{};
  text.text = reinterpret_cast<decltype(text.text)>(functions[0]);
  text.unicode = reinterpret_cast<decltype(text.unicode)>(functions[1]);
  text.generated = reinterpret_cast<decltype(text.generated)>(functions[2]);
  text.loose_box = reinterpret_cast<decltype(text.loose_box)>(functions[3]);
  const auto& [left, bottom, right, top, turns] = frame;
  const longleaf::Characters found = longleaf::read_characters(text, reinterpret_cast<void*>(page), count,
                                                               {left, bottom, right, top, turns});
  const auto n = static_cast<py::ssize_t>(found.codes.size());
  return py::make_tuple(array_of(found.codes), py::array_t<double>({n, py::ssize_t{4}}, found.boxes.data()),
                        array_of(found.before), array_of(found.indexes), found.outside);
}

py::tuple look_at_objects(const std::array<uintptr_t, 21>& functions, uintptr_t page, uintptr_t text_page,
                          const py::array_t<double, py::array::c_style>& boxes,
                          const py::array_t<int32_t, py::array::c_style>& indexes,
                          const std::tuple<double, double, double, double, int>& frame, bool layers, int most) {
  longleaf::ObjectFunctions f{};
  static_assert(sizeof(f) == sizeof(functions));
  std::memcpy(&f, functions.data(), sizeof(f));
  if (boxes.ndim() != 2 || boxes.shape(1) != 4 || boxes.shape(0) != indexes.size()) {
    throw longleaf::Error("look_at_objects: boxes must have four sides for each index");
  }
  const auto& [left, bottom, right, top, turns] = frame;
  const longleaf::Drawn found = longleaf::look_at_objects(
      f, reinterpret_cast<void*>(page), reinterpret_cast<void*>(text_page),
      {boxes.data(), indexes.data(), static_cast<size_t>(indexes.size())}, {left, bottom, right, top, turns}, layers,
      most);
  const auto n = static_cast<py::ssize_t>(found.kinds.size());
  return py::make_tuple(py::array_t<double>({n, py::ssize_t{4}}, found.boxes.data()), array_of(found.kinds),
                        array_of(found.colours), array_of(found.suspicions), array_of(found.struck),
                        array_of(found.cover), found.any);
}

template <typename T>
using Plain = py::array_t<T, py::array::c_style | py::array::forcecast>;

py::tuple write_lines(const Plain<uint32_t>& codes, const Plain<double>& boxes, const Plain<uint8_t>& bold,
                      const std::pair<Plain<int64_t>, Plain<int64_t>>& words,
                      const std::vector<std::tuple<int32_t, int32_t, int32_t>>& runs,
                      const std::vector<int32_t>& line_runs, const std::vector<uint8_t>& turned) {
  const auto& [first, end] = words;
  if (boxes.size() != 4 * codes.size() || bold.size() != codes.size() || first.size() != end.size()) {
    throw longleaf::Error("characters, boxes and words of a page are not as many");
  }
  std::vector<longleaf::Run> named;
  named.reserve(runs.size());
  for (const auto& [word, count, gap] : runs) named.push_back({word, count, gap});
  const longleaf::Inked inked{codes.data(),
                              boxes.data(),
                              bold.data(),
                              static_cast<size_t>(codes.size()),
                              first.data(),
                              end.data(),
                              static_cast<size_t>(first.size())};
  const longleaf::WrittenLines written = longleaf::write_lines(inked, named, line_runs, turned);
  const auto n = static_cast<py::ssize_t>(written.codes.size());
  const auto lines = static_cast<py::ssize_t>(line_runs.size());
  return py::make_tuple(
      array_of(written.codes), py::array_t<float>({n, py::ssize_t{4}}, written.boxes.data()),
      array_of(written.starts), py::array_t<float>({lines, py::ssize_t{6}}, written.measures.data()));
}

// The GIL is kept: the process that reads pages has one thread.
void bind_foreign(py::module_& m) {
  m.def("each_int", &call_each<int32_t>, py::arg("function"), py::arg("handle"), py::arg("indexes"),
        "int32 (n): `int function(void *handle, int index)`, at that address, for each index.");
  m.def("each_float", &call_each<float>, py::arg("function"), py::arg("handle"), py::arg("indexes"),
        "float32 (n), of `float function(void *handle, int index)`.");
  m.def("each_address", &call_each<int64_t>, py::arg("function"), py::arg("handle"), py::arg("indexes"),
        "int64 (n), of `void *function(void *handle, int index)`.");
  m.def("read_characters", &read_characters, py::arg("functions"), py::arg("page"), py::arg("count"),
        py::arg("frame"),
        "Codes uint32 (n), boxes float64 (n, 4), what stood before uint8 (n), indexes int32 (n) of the inked "
        "characters of a pdfium text page, and how many stand beyond the page. `functions` are the addresses "
        "of "
        "FPDFText_GetText, GetUnicode, IsGenerated and GetLooseCharBox, `frame` left, bottom, right, top and "
        "quarter turns.");
  m.def("look_at_objects", &look_at_objects, py::arg("functions"), py::arg("page"), py::arg("text_page"),
        py::arg("boxes"), py::arg("indexes"), py::arg("frame"), py::arg("layers"), py::arg("most"),
        "What is drawn around the characters of a pdfium page: of each shape its box as shown float64 (n, 4), "
        "kind uint8 and colour uint32; of each character the suspicions uint8 and the shape that strikes and "
        "that covers it, int32 each, -1 for none; and the suspicions of all. `functions` are addresses in the "
        "order of ObjectFunctions, `layers` tells that some may be hidden. NativeError if the arrays do not fit.");
  m.def(
      "write_lines", &write_lines, py::arg("codes"), py::arg("boxes"), py::arg("bold"), py::arg("words"),
      py::arg("runs"), py::arg("line_runs"), py::arg("turned"),
      "The characters of a page's lines: codes uint32 (m), boxes float32 (m, 4), NaN for spaces, starts "
      "int32 "
      "(lines + 1), and a line's measures float32 (lines, 6): x0 y0 x1 y1, upper median of heights, share of "
      "bold. `words` are where each begins and ends among the characters; a run is its first word, how many, "
      "and the spaces before; line i takes the next line_runs[i] runs. NativeError for what does not exist.");
}

}  // namespace

PYBIND11_MODULE(_native, m) {
  m.doc() = "The native core of Longleaf: GGUF files, tokenizers, kernels and the forward pass.";
  py::object root = py::module_::import("longleaf").attr("LongleafError");
  py::register_exception<longleaf::Error>(m, "NativeError", root);
  py::register_exception<longleaf::KvFull>(m, "KvFullError", m.attr("NativeError"));
  bind_gguf(m);
  bind_tokenizer(m);
  bind_suffix_automaton(m);
  bind_model(m);
  bind_encoder(m);
  bind_foreign(m);
}

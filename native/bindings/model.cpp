#include "model/model.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "bindings/batch.h"
#include "bindings/kv.h"
#include "error.h"
#include "gguf/gguf.h"
#include "gguf/text.h"

namespace longleaf {
namespace {

RopeScaling rope_scaling_of(const py::dict& wish) {
  RopeScaling out;
  for (const auto& [key, value] : wish) {
    const auto name = py::cast<std::string>(key);
    if (name == "kind") {
      const auto kind = py::cast<std::string>(value);
      if (kind == "linear") {
        out.kind = RopeScaling::Kind::Linear;
      } else if (kind == "yarn") {
        out.kind = RopeScaling::Kind::Yarn;
      } else if (kind != "none") {
        throw Error("rope scaling must be none, linear or yarn, not " + longleaf::quoted(kind));
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
    if (number == nullptr) throw Error("rope scaling has no " + longleaf::quoted(name));
    *number = py::cast<double>(value);
  }
  return out;
}

std::unique_ptr<Model> open_model(const Gguf& file, int threads, size_t ctx_size, size_t kv_budget_bytes,
                                  const std::string& key_type, const std::string& value_type,
                                  const std::string& numa, bool mlock,
                                  const std::optional<py::dict>& rope_scaling, const std::string& sysfs,
                                  const std::string& isa, bool exact) {
  ModelOptions options;
  options.numa = numa_named(numa);
  options.lock_weights = mlock;
  options.sysfs = sysfs;
  if (rope_scaling) options.rope_scaling = rope_scaling_of(*rope_scaling);
  options.threads = threads;
  options.context = ctx_size;
  options.kv_budget_bytes = kv_budget_bytes;
  options.key_type = kv_type_named(key_type);
  options.value_type = kv_type_named(value_type);
  const char* forced = std::getenv("LONGLEAF_ISA");
  options.kernel_set = isa.empty() && forced != nullptr ? forced : isa;
  options.exact = exact;
  py::gil_scoped_release unlocked;
  return std::make_unique<Model>(file, options);
}

py::tuple model_forward_both(Model& model, const Items& whole, const Items& best, size_t k) {
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

py::object model_forward(Model& model, const Items& items) {
  return model_forward_both(model, items, {}, 1)[0];
}

py::tuple model_forward_top(Model& model, const Items& items, size_t k) {
  const py::tuple all = model_forward_both(model, {}, items, k);
  return py::make_tuple(all[1], all[2]);
}

py::array_t<float> model_score(Model& model, const Items& items) {
  const Batch batch = batch_of(items, true);
  py::array_t<float> out(static_cast<py::ssize_t>(batch.tokens));
  float* values = out.mutable_data();
  py::gil_scoped_release unlocked;
  model.score(batch.items, values);
  return out;
}

py::dict numa_use(Model& model) {
  NumaUse use;
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

}  // namespace

void bind_model(py::module_& m) {
  py::class_<Model> model(m, "Model",
                          "A model ready to run. Safe to call from several threads: calls take turns.");
  model
      .def(
          py::init(&open_model), py::arg("gguf"), py::arg("threads") = 0, py::arg("ctx_size") = 0,
          py::arg("kv_budget_bytes") = 0, py::kw_only(), py::arg("kv_type_k") = "f16",
          py::arg("kv_type_v") = "f16", py::arg("numa") = "none", py::arg("mlock") = false,
          py::arg("rope_scaling") = py::none(), py::arg("sysfs") = "", py::arg("isa") = "",
          py::arg("exact") = false,
          "threads, ctx_size, kv_budget_bytes: 0 means by the machine and the model. Types of KV cache: f16, "
          "bf16, f32 and, lossy, q8 and q4. isa forces a kernel set, LONGLEAF_ISA where it is empty; exact "
          "refuses one that rounds. sysfs: for tests, a "
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
            const Cost cost = model.cost(depth, tokens, outputs);
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
            Rates rates{};
            {
              py::gil_scoped_release unlocked;
              rates = model.rates();
            }
            py::dict out;
            out["float_macs"] = rates.float_macs;
            out["integer_macs"] = rates.integer_macs;
            out["tile_macs"] = rates.tile_macs;
            out["read_bytes"] = rates.read_bytes;
            return out;
          },
          "Measured peaks of this machine with the model's threads and kernel set, per second: a dict of "
          "float_macs, integer_macs and tile_macs (0: no such unit), read_bytes. Takes about half a second.")
      .def_property_readonly(
          "rope", [](const Model& model) { return model.architecture().global_rope.text(); },
          "How positions are turned into angles, as text: sequences of models that differ in it cannot be "
          "shared.")
      .def_property_readonly(
          "memory_need",
          [](const Model& model) {
            const MemoryNeed need = model.memory_need();
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
  bind_kv(model);
}

}  // namespace longleaf

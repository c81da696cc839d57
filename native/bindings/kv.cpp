#include "bindings/kv.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "error.h"
#include "kv/pool.h"
#include "model/model.h"

namespace longleaf {
namespace {

py::dict kv_stats(const Model& model) {
  const KvLayout& layout = model.kv_layout();
  size_t free = 0;
  KvUse use;
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
      {"page_tokens", kPageTokens},
      {"page_bytes", page},
      {"global_layers", global_layers},
      {"window_layers", window_layers},
      {"window_tokens", widest},
      {"global_pages", use.global_pages},
      {"window_pages", use.window_pages},
      {"global_bytes", use.global_pages * page},
      {"window_bytes", use.window_pages * page},
      {"bytes_per_token", global_layers * page / kPageTokens},
      {"sequences", use.sequences},
  };
  py::dict out;
  for (const auto& [key, value] : values) out[key] = value;
  return out;
}

py::list export_pages(Model& model, int64_t sequence, size_t first) {
  // A fork stands still while its pages are copied.
  const auto unlocked = [](auto&& work) {
    py::gil_scoped_release released;
    return work();
  };
  const int64_t still = unlocked([&] { return model.fork(sequence); });
  py::list out;
  try {
    std::vector<KvPage> pages = unlocked([&] { return model.kv_pages(still); });
    pages.erase(
        std::remove_if(pages.begin(), pages.end(), [&](const KvPage& page) { return page.block < first; }),
        pages.end());
    std::vector<std::byte*> places;
    for (const KvPage& page : pages) {
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

int64_t import_sequence(Model& model, size_t length,
                        const std::vector<std::tuple<size_t, size_t, py::buffer>>& pages) {
  std::vector<KvPage> plain;
  std::vector<py::buffer_info> held;
  for (const auto& [layer, block, buffer] : pages) {
    py::buffer_info info = buffer.request();
    if (info.ndim != 1 || info.strides[0] != info.itemsize) {
      throw Error("cannot import pages: block " + std::to_string(block) + " of layer " +
                  std::to_string(layer) + " is no contiguous one-dimensional buffer");
    }
    plain.push_back({layer, block, static_cast<const std::byte*>(info.ptr),
                     static_cast<size_t>(info.size) * static_cast<size_t>(info.itemsize)});
    held.push_back(std::move(info));
  }
  py::gil_scoped_release unlocked;
  return model.import_sequence(length, plain);
}

}  // namespace

void bind_kv(py::class_<Model>& model) {
  model.def("new_sequence", &Model::create, py::call_guard<py::gil_scoped_release>(), "An empty sequence.")
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
      .def("length", &Model::length, py::arg("seq"), py::call_guard<py::gil_scoped_release>());
}

}  // namespace longleaf

#include "runtime/placement.h"

#include <cerrno>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/bindings.h"
#include "runtime/memory.h"
#include "runtime/topology.h"

namespace longleaf {
namespace {

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
  const Topology topology = read_topology(sysfs, {allowed_cpus, allowed_nodes});
  const SystemCalls calls = {record_mbind, record_move_pages, record_mlock};
  recorded_calls = {refusal, {}};
  Placement placement(numa_named(numa), threads, quota, topology, calls);
  {
    const PlacementScope scope(&placement, true);
    const Memory memory(bytes);
    placement.find({memory.data()}, placement.nodes());
  }
  py::list cores, nodes;
  for (const Core& core : topology.cores) cores.append(py::make_tuple(core.cpus, core.node));
  for (const Node& node : topology.nodes)
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

}  // namespace

void bind_placement(py::module_& m) {
  m.def("placement_test", &placement_test, py::arg("sysfs"), py::arg("allowed_cpus"),
        py::arg("allowed_nodes"), py::arg("numa"), py::arg("threads"), py::arg("quota"), py::arg("bytes"),
        py::arg("refusal") = 0,
        "For tests: what a Placement makes of a sysfs tree and of memory of so many bytes, with system calls "
        "that "
        "record, or fail with errno `refusal`. `copies` is for weights of those bytes with 8 times that to "
        "spare.");
}

}  // namespace longleaf

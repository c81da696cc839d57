#include "runtime/topology.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <thread>
#include <utility>
#ifdef __linux__
#include <sched.h>
#endif

namespace longleaf {
namespace {

constexpr int kMostCpus = 1 << 16;

std::optional<std::string> read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

std::optional<int> read_int(const std::string& path) {
  const auto line = read_line(path);
  int value = 0;
  if (!line || std::sscanf(line->c_str(), "%d", &value) != 1) return std::nullopt;
  return value;
}

std::vector<int> read_list(const std::string& path) { return parse_cpu_list(read_line(path).value_or("")); }

Node read_node(int id, const std::string& folder) {
  Node node{id, 0, 0};
  std::ifstream file(folder + "/meminfo");
  for (std::string line; std::getline(file, line);) {
    char name[32] = {};
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "Node %*d %31[^:]: %llu kB", name, &kib) != 2) continue;
    const std::string what = name;
    if (what == "MemTotal") node.memory_bytes = kib * 1024;
    if (what == "MemFree" || what == "Active(file)" || what == "Inactive(file)")
      node.available_bytes += kib * 1024;
  }
  // Below its watermarks the system gives nothing out; with huge pages it raises them to 5 % of all memory at
  // most (set_recommended_min_free_kbytes in the kernel's mm/khugepaged.c).
  node.available_bytes -= std::min(node.available_bytes, node.memory_bytes / 16);
  return node;
}

// Of `nodes` the one that is least far from a node, by its file `distance`: one number for every online node.
int nearest(const std::vector<Node>& nodes, const std::vector<int>& online, int from,
            const std::string& node_root) {
  std::stringstream distances(
      read_line(node_root + "/node" + std::to_string(from) + "/distance").value_or(""));
  int best = nodes.front().id, least = std::numeric_limits<int>::max();
  for (int id : online) {
    int distance = 0;
    if (!(distances >> distance)) break;
    const bool has_memory =
        std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return node.id == id; });
    if (!has_memory || distance >= least) continue;
    best = id;
    least = distance;
  }
  return best;
}

}  // namespace

std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> numbers;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    int first = 0, last = 0;
    const int got = std::sscanf(part.c_str(), "%d-%d", &first, &last);
    if (got < 1) continue;
    if (got == 1) last = first;
    for (int i = std::max(first, 0); i <= std::min(last, kMostCpus); ++i) numbers.push_back(i);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

Topology read_topology(const std::string& root, const Allowed& allowed) {
  const std::string cpu_root = root + "/devices/system/cpu";
  const std::string node_root = root + "/devices/system/node";
  std::vector<int> cpus = read_list(cpu_root + "/online");
  if (cpus.empty()) {
    for (int i = 0; i < std::max(1, static_cast<int>(std::thread::hardware_concurrency())); ++i)
      cpus.push_back(i);
  }
  const auto among = [](const std::optional<std::vector<int>>& list, int id) {
    return !list || std::count(list->begin(), list->end(), id) != 0;
  };
  cpus.erase(std::remove_if(cpus.begin(), cpus.end(), [&](int cpu) { return !among(allowed.cpus, cpu); }),
             cpus.end());
  Topology topology;
  const std::vector<int> online = read_list(node_root + "/online");
  std::map<int, int> node_of;
  for (int id : online) {
    const std::string folder = node_root + "/node" + std::to_string(id);
    for (int cpu : read_list(folder + "/cpulist")) node_of[cpu] = id;
    const Node node = read_node(id, folder);
    if (node.memory_bytes != 0 && among(allowed.nodes, id)) topology.nodes.push_back(node);
  }
  if (!topology.nodes.empty()) {
    for (auto& [cpu, id] : node_of) {
      const auto is_its = [&, mine = id](const Node& node) { return node.id == mine; };
      if (std::none_of(topology.nodes.begin(), topology.nodes.end(), is_its))
        id = nearest(topology.nodes, online, id, node_root);
    }
  }
  std::map<std::pair<int, int>, size_t> seen;  // (package, core) to its place
  for (int cpu : cpus) {
    const std::string folder = cpu_root + "/cpu" + std::to_string(cpu) + "/topology/";
    const auto package = read_int(folder + "physical_package_id");
    const auto core = read_int(folder + "core_id");
    const int unknown = topology.nodes.empty() ? 0 : topology.nodes.front().id;
    const int node = node_of.count(cpu) != 0 ? node_of[cpu] : unknown;
    const bool known = package && core;
    const auto key = known ? std::make_pair(*package, *core) : std::make_pair(-2, cpu);
    const auto [at, fresh] = seen.emplace(key, topology.cores.size());
    if (fresh) topology.cores.push_back({{}, node});
    topology.cores[at->second].cpus.push_back(cpu);
  }
  return topology;
}

Topology this_machine() {
  Allowed allowed;
#ifdef __linux__
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) {
    allowed.cpus.emplace();
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &mask)) allowed.cpus->push_back(cpu);
    }
  }
  std::ifstream status("/proc/thread-self/status");
  const std::string name = "Mems_allowed_list:";  // of the cpuset
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, name.size(), name) == 0) allowed.nodes = parse_cpu_list(line.substr(name.size()));
  }
#endif
  return read_topology("/sys", allowed);
}

Topology largest_node(const Topology& topology) {
  std::map<int, size_t> cores;
  for (const Core& core : topology.cores) ++cores[core.node];
  if (cores.empty()) return topology;
  const auto best = std::max_element(cores.begin(), cores.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  Topology part;
  for (const Core& core : topology.cores) {
    if (core.node == best->first) part.cores.push_back(core);
  }
  for (const Node& node : topology.nodes) {
    if (node.id == best->first) part.nodes.push_back(node);
  }
  return part;
}

}  // namespace longleaf

#include "runtime/topology.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
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

uint64_t node_memory(const std::string& folder) {
  std::ifstream file(folder + "/meminfo");
  for (std::string line; std::getline(file, line);) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "Node %*d MemTotal: %llu kB", &kib) == 1) return kib * 1024;
  }
  return 0;
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

Topology read_topology(const std::string& root, const std::optional<std::vector<int>>& allowed) {
  const std::string cpu_root = root + "/devices/system/cpu";
  const std::string node_root = root + "/devices/system/node";
  std::vector<int> cpus = read_list(cpu_root + "/online");
  if (cpus.empty()) {
    for (int i = 0; i < std::max(1, static_cast<int>(std::thread::hardware_concurrency())); ++i)
      cpus.push_back(i);
  }
  if (allowed) {
    const auto forbidden = [&](int cpu) { return std::count(allowed->begin(), allowed->end(), cpu) == 0; };
    cpus.erase(std::remove_if(cpus.begin(), cpus.end(), forbidden), cpus.end());
  }
  Topology topology;
  std::map<int, int> node_of;
  for (int id : read_list(node_root + "/online")) {
    const std::string folder = node_root + "/node" + std::to_string(id);
    for (int cpu : read_list(folder + "/cpulist")) node_of[cpu] = id;
    if (const uint64_t bytes = node_memory(folder); bytes != 0) topology.nodes.push_back({id, bytes});
  }
  std::map<std::pair<int, int>, size_t> seen;  // (package, core) to its place
  for (int cpu : cpus) {
    const std::string folder = cpu_root + "/cpu" + std::to_string(cpu) + "/topology/";
    const auto package = read_int(folder + "physical_package_id");
    const auto core = read_int(folder + "core_id");
    const int node = node_of.count(cpu) != 0 ? node_of[cpu] : 0;
    const bool known = package && core;
    const auto key = known ? std::make_pair(*package, *core) : std::make_pair(-2, cpu);
    const auto [at, fresh] = seen.emplace(key, topology.cores.size());
    if (fresh) topology.cores.push_back({{}, node});
    topology.cores[at->second].cpus.push_back(cpu);
  }
  return topology;
}

Topology this_machine() {
  std::optional<std::vector<int>> allowed;
#ifdef __linux__
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) {
    allowed.emplace();
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &mask)) allowed->push_back(cpu);
    }
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

// CPUs, cores and memory nodes as the kernel describes them.
// Files: https://docs.kernel.org/admin-guide/cputopology.html and
// https://www.kernel.org/doc/Documentation/ABI/stable/sysfs-devices-node
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace longleaf {

// CPUs of one core that this process may use: one, or SMT siblings.
struct Core {
  std::vector<int> cpus;
  int node;  // id of its node, or of the nearest that has memory
};

struct Node {
  int id;
  uint64_t memory_bytes;
  uint64_t available_bytes;  // free, or of files that can be read again, less what the system keeps back
};

struct Topology {
  std::vector<Core> cores;  // ordered by their first CPU
  std::vector<Node> nodes;  // those whose memory may be used, by id; none when the kernel does not say
};

// "0-3,8" as numbers, ascending; nothing for what is no such list.
std::vector<int> parse_cpu_list(const std::string& text);

// What a process may use; all, when not given.
struct Allowed {
  std::optional<std::vector<int>> cpus;
  std::optional<std::vector<int>> nodes;  // for memory
};

// CPUs that are online and allowed. root is /sys, or a tree like it. What cannot be read is left out: every
// CPU is then a core of its own on node 0.
Topology read_topology(const std::string& root, const Allowed& allowed);

// This machine, by the affinity mask and the cpuset of this thread.
Topology this_machine();

// Cores of the node that has the most of them (the lowest id among equals).
Topology largest_node(const Topology& topology);

}  // namespace longleaf

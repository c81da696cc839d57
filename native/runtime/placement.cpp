#include "runtime/placement.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "error.h"
#include "gguf/text.h"
#include "runtime/cgroup.h"
#include "runtime/memory.h"

namespace longleaf {
namespace {

// linux/mempolicy.h
constexpr int kBind = 2, kInterleave = 3;
constexpr size_t kMostNodes = 1024;

long call_mbind(void* data, unsigned long bytes, int mode, const unsigned long* nodes, unsigned long most,
                unsigned flags) {
#ifdef SYS_mbind
  return syscall(SYS_mbind, data, bytes, mode, nodes, most, flags);
#else
  errno = ENOSYS;
  return -1;
#endif
}

long call_move_pages(int pid, unsigned long count, void** pages, const int* nodes, int* status, int flags) {
#ifdef SYS_move_pages
  return syscall(SYS_move_pages, pid, count, pages, nodes, status, flags);
#else
  errno = ENOSYS;
  return -1;
#endif
}

thread_local Placement* scope_placement = nullptr;
thread_local bool scope_lock = false;

// One core of each node in turn, so that any number of threads is spread.
std::vector<Core> spread(const std::vector<Core>& cores) {
  std::map<int, std::vector<Core>> by_node;
  for (const Core& core : cores) by_node[core.node].push_back(core);
  std::vector<Core> out;
  for (size_t i = 0; out.size() < cores.size(); ++i) {
    for (const auto& [node, mine] : by_node) {
      if (i < mine.size()) out.push_back(mine[i]);
    }
  }
  return out;
}

}  // namespace

Numa numa_named(const std::string& name) {
  if (name == "none") return Numa::None;
  if (name == "distribute") return Numa::Distribute;
  if (name == "isolate") return Numa::Isolate;
  throw Error("numa must be none, distribute or isolate, not " + quoted(name));
}

const SystemCalls& system_calls() {
  static const SystemCalls calls = {call_mbind, call_move_pages, mlock};
  return calls;
}

Placement::Placement(Numa numa, int threads, int quota, Topology topology, const SystemCalls& calls)
    : numa_(numa), threads_(threads), calls_(calls) {
  const bool several = topology.nodes.size() > 1;
  if (several && numa == Numa::Isolate) topology = largest_node(topology);
  const auto cores = std::max<size_t>(1, topology.cores.size());
  if (threads_ == 0) {
    threads_ = static_cast<int>(cores);
    if (quota > 0) threads_ = std::min(threads_, quota);
  }
  if (several && numa != Numa::None) {
    for (const Node& node : topology.nodes) nodes_.push_back(node.id);
    if (nodes_.empty())
      report("the node with the most cores has no memory of its own, so memory lies anywhere");
  }
  const bool whole = static_cast<size_t>(threads_) == topology.cores.size();
  const bool enough_time = quota == 0 || quota >= threads_;
  if (whole && enough_time) {
    for (const Core& core : spread(topology.cores)) cpus_.push_back(core.cpus);
  } else if (several && numa == Numa::Isolate) {
    std::vector<int> all;
    for (const Core& core : topology.cores) all.insert(all.end(), core.cpus.begin(), core.cpus.end());
    cpus_.assign(static_cast<size_t>(threads_), all);
  } else if (several && numa == Numa::Distribute) {
    // Anywhere within a node, the nodes in turn.
    std::map<int, std::vector<int>> by_node;
    for (const Core& core : topology.cores) {
      auto& mine = by_node[core.node];
      mine.insert(mine.end(), core.cpus.begin(), core.cpus.end());
    }
    for (size_t i = 0; i < static_cast<size_t>(threads_); ++i) {
      cpus_.push_back(std::next(by_node.begin(), static_cast<std::ptrdiff_t>(i % by_node.size()))->second);
    }
  }
}

void Placement::report(const std::string& text) {
  if (trouble_.find(text) != std::string::npos) return;
  trouble_ += (trouble_.empty() ? "" : "; ") + text;
}

void Placement::place(void* data, size_t bytes) {
  if (nodes_.empty() || bytes == 0) return;
  constexpr size_t kBits = 8 * sizeof(unsigned long);
  unsigned long mask[kMostNodes / kBits] = {};
  for (int node : nodes_) {
    if (static_cast<size_t>(node) >= kMostNodes) continue;
    mask[static_cast<size_t>(node) / kBits] |= 1ul << (static_cast<size_t>(node) % kBits);
  }
  const int mode = numa_ == Numa::Distribute ? kInterleave : kBind;
  // One more than the highest bit: the kernel takes one off (mbind(2), BUGS of libnuma's callers).
  if (calls_.mbind(data, bytes, mode, mask, kMostNodes + 1, 0) == 0) return;
  report(std::string("the system refused to place memory on NUMA nodes (mbind: ") + std::strerror(errno) +
         "), so it lies where it is first touched; a container may forbid it (seccomp, cpuset.mems)");
}

void Placement::lock(const void* data, size_t bytes) {
  if (bytes == 0) return;
  if (calls_.mlock(data, bytes) == 0) {
    locked_ += bytes;
    return;
  }
  const int error = errno;
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const std::string most = limit.rlim_cur == RLIM_INFINITY ? "no limit" : human_bytes(limit.rlim_cur);
  report(
      std::string("not all weights could be locked in memory (mlock: ") + std::strerror(error) +
      "; ulimit -l gives " + most +
      "), so they may be swapped out; raise it (ulimit -l unlimited, or LimitMEMLOCK=infinity for a service) "
      "or leave --mlock away");
}

std::vector<size_t> Placement::pages_on_nodes(const void* data, size_t bytes) {
  if (nodes_.empty() || bytes == 0) return {};
  constexpr size_t kSamples = 256;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t pages = (bytes + page - 1) / page;
  const size_t step = std::max<size_t>(1, pages / kSamples) | 1;  // odd: pages may alternate
  std::vector<void*> at;
  for (size_t i = 0; i < pages; i += step) {
    at.push_back(const_cast<char*>(static_cast<const char*>(data)) + i * page);
  }
  std::vector<int> status(at.size(), -1);
  if (calls_.move_pages(0, at.size(), at.data(), nullptr, status.data(), 0) != 0) {
    report(std::string("where memory lies cannot be verified (move_pages: ") + std::strerror(errno) + ")");
    return {};
  }
  std::vector<size_t> counts(nodes_.size(), 0);
  for (int node : status) {
    const auto found = std::find(nodes_.begin(), nodes_.end(), node);
    if (found != nodes_.end()) ++counts[static_cast<size_t>(found - nodes_.begin())];
  }
  return counts;
}

int default_thread_count() {
  return Placement(Numa::None, 0, cgroup_cpus(), this_machine(), system_calls()).threads();
}

PlacementScope::PlacementScope(Placement& placement, bool lock)
    : before_(std::exchange(scope_placement, &placement)), lock_before_(std::exchange(scope_lock, lock)) {}

PlacementScope::~PlacementScope() {
  scope_placement = before_;
  scope_lock = lock_before_;
}

void place_in_scope(void* data, size_t bytes) {
  if (scope_placement == nullptr) return;
  scope_placement->place(data, bytes);
  if (scope_lock) scope_placement->lock(data, bytes);
}

}  // namespace longleaf

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
constexpr int kPreferred = 1, kBind = 2, kInterleave = 3;
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
  if (threads_ == 0) {
    threads_ = static_cast<int>(std::max<size_t>(1, topology.cores.size()));
    if (quota > 0) threads_ = std::min(threads_, quota);
  }
  if (several && numa != Numa::None) {
    for (const Node& node : topology.nodes) {
      nodes_.push_back(node.id);
      left_[node.id] = node.available_bytes;
    }
  }
  choose_threads(topology, quota, several);
}

void Placement::choose_threads(const Topology& topology, int quota, bool several) {
  const auto threads = static_cast<size_t>(threads_);
  std::vector<int> node_of_thread;
  if (threads == topology.cores.size() && (quota == 0 || quota >= threads_)) {
    for (const Core& core : spread(topology.cores)) {
      places_.cpus.push_back(core.cpus);
      node_of_thread.push_back(core.node);
    }
  } else if (several && numa_ != Numa::None && !topology.cores.empty()) {
    // Anywhere within a node, the nodes in turn.
    std::map<int, std::vector<int>> by_node;
    for (const Core& core : topology.cores) {
      auto& mine = by_node[core.node];
      mine.insert(mine.end(), core.cpus.begin(), core.cpus.end());
    }
    for (size_t i = 0; i < threads; ++i) {
      const auto at = std::next(by_node.begin(), static_cast<std::ptrdiff_t>(i % by_node.size()));
      places_.cpus.push_back(at->second);
      node_of_thread.push_back(at->first);
    }
  }
  if (nodes_.size() < 2) return;
  homes_ = node_of_thread;
  std::sort(homes_.begin(), homes_.end());
  homes_.erase(std::unique(homes_.begin(), homes_.end()), homes_.end());
  if (homes_.size() < 2) {
    homes_.clear();
    return;
  }
  for (int node : node_of_thread) {
    const auto at = std::lower_bound(homes_.begin(), homes_.end(), node);
    places_.homes.push_back(static_cast<size_t>(at - homes_.begin()));
  }
}

size_t Placement::available() const {
  const size_t machine = available_memory();
  return numa_ == Numa::Isolate && nodes_.size() == 1 ? std::min(machine, left_.begin()->second) : machine;
}

size_t Placement::copies(size_t bytes, size_t spare) const {
  const auto too_large = [&](int home) { return bytes > left_.at(home) / 8; };
  if (homes_.empty() || std::any_of(homes_.begin(), homes_.end(), too_large)) return 1;
  return bytes * (homes_.size() - 1) <= spare / 2 ? homes_.size() : 1;
}

void Placement::report(const std::string& text) {
  if (trouble_.find(text) != std::string::npos) return;
  trouble_ += (trouble_.empty() ? "" : "; ") + text;
}

void Placement::place(void* data, size_t bytes) {
  if (!nodes_.empty() && bytes != 0) bind(static_cast<std::byte*>(data), bytes, nodes_);
}

void Placement::place_at(size_t home, std::byte* data, size_t bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<uintptr_t>(data);
  const uintptr_t first = at / page * page, end = (at + bytes) / page * page;
  if (first < end) bind(data - (at - first), end - first, {homes_[home]});
}

// A single node is bound to while it has room, for then the system drops cached files there before it gives
// up. When it gives up it kills the process, so a node without room is only preferred.
void Placement::bind(std::byte* data, size_t bytes, const std::vector<int>& nodes) {
  constexpr size_t kBits = 8 * sizeof(unsigned long);
  unsigned long mask[kMostNodes / kBits] = {};
  int mode = nodes.size() > 1 ? kInterleave : kBind;
  for (int node : nodes) {
    if (static_cast<size_t>(node) >= kMostNodes) continue;
    mask[static_cast<size_t>(node) / kBits] |= 1ul << (static_cast<size_t>(node) % kBits);
    size_t& left = left_[node];
    const size_t share = bytes / nodes.size();
    if (mode == kBind && share > left) {
      mode = kPreferred;
      report("node " + std::to_string(node) +
             " has less memory available than is to lie on it, so some will lie on others; a smaller "
             "--kv-budget or context may help");
    }
    left -= std::min(left, share);
  }
  // One more than the highest bit: the kernel takes one off (mbind(2), BUGS of libnuma's callers).
  if (calls_.mbind(data, bytes, mode, mask, kMostNodes + 1, 0) == 0) return;
  report(std::string("the system refused to place memory on NUMA nodes (mbind: ") + std::strerror(errno) +
         "), so it lies where it is first touched; a container may forbid it (seccomp, cpuset.mems)");
}

void Placement::lock(const void* data, size_t bytes) {
  if (bytes == 0) return;
  if (calls_.mlock(data, bytes) == 0) return;
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

Found Placement::find(const std::vector<const std::byte*>& addresses, const std::vector<int>& nodes) {
  std::vector<void*> at;
  for (const std::byte* address : addresses) at.push_back(const_cast<std::byte*>(address));
  std::vector<int> status(at.size(), -1);
  if (at.empty()) return {};
  // Without nodes to move to it only says where pages are, or why not (move_pages(2)).
  if (calls_.move_pages(0, at.size(), at.data(), nullptr, status.data(), 0) != 0) {
    report(std::string("where memory lies cannot be verified (move_pages: ") + std::strerror(errno) + ")");
    return {};
  }
  Found found;
  for (int node : status) {
    if (node < 0) continue;
    ++found.pages;
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) ++found.elsewhere;
  }
  return found;
}

void Placement::judge(const std::string& what, const Found& found) {
  if (found.elsewhere * 20 <= found.pages) return;
  report("of the " + what + " " + std::to_string(100 * found.elsewhere / found.pages) +
         " % lie on other NUMA nodes than they were placed on, where they are read more slowly");
}

int default_thread_count() {
  return Placement(Numa::None, 0, cgroup_cpus(), this_machine(), system_calls()).threads();
}

PlacementScope::PlacementScope(Placement* placement, bool lock)
    : before_(std::exchange(scope_placement, placement)), lock_before_(std::exchange(scope_lock, lock)) {}

PlacementScope::~PlacementScope() {
  scope_placement = before_;
  scope_lock = lock_before_;
}

size_t copy_stride(size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

Memory memory_in_copies(size_t copies, size_t bytes) {
  if (copies == 1) return Memory(bytes);
  Placement* const placement = scope_placement;
  const size_t stride = copy_stride(bytes);
  const bool lock = scope_lock;
  const PlacementScope by_hand(nullptr, false);
  Memory memory(copies * stride);
  for (size_t home = 0; home < copies; ++home) {
    placement->place_at(home, memory.data() + home * stride, stride);
  }
  if (lock) placement->lock(memory.data(), memory.size());
  return memory;
}

void place_in_scope(void* data, size_t bytes) {
  if (scope_placement == nullptr) return;
  scope_placement->place(data, bytes);
  if (scope_lock) scope_placement->lock(data, bytes);
}

}  // namespace longleaf

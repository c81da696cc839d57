// Where threads run and memory lies.
//
// Threads are pinned, one a core, only when they take every core that the process may use: then the choice of
// cores is nobody else's. With fewer threads, or a quota of less time than that, two engines on one machine
// would choose the same cores while others idle, so the system places the threads. The calling thread, which
// works along, is never touched.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/topology.h"

namespace longleaf {

enum class Numa { None, Distribute, Isolate };

// "none", "distribute" or "isolate"; throws Error for others.
Numa numa_named(const std::string& name);

// What is asked of the system; tests give their own. All return 0 or -1 with errno.
struct SystemCalls {
  long (*mbind)(void* data, unsigned long bytes, int mode, const unsigned long* nodes, unsigned long most,
                unsigned flags);
  long (*move_pages)(int pid, unsigned long count, void** pages, const int* nodes, int* status, int flags);
  int (*mlock)(const void* data, size_t bytes);
};
const SystemCalls& system_calls();

class Placement {
 public:
  // threads 0: one a core, as far as the quota goes. quota: CPUs' worth of time, 0 for no limit.
  Placement(Numa numa, int threads, int quota, Topology topology, const SystemCalls& calls);

  int threads() const { return threads_; }
  // CPUs of every thread; empty: anywhere.
  const std::vector<std::vector<int>>& cpus() const { return cpus_; }
  // Nodes that memory is placed on; empty when that is left to the system, as on machines with one node.
  const std::vector<int>& nodes() const { return nodes_; }

  // Says where fresh memory shall lie, before it is touched.
  void place(void* data, size_t bytes);
  // Keeps memory from being swapped out.
  void lock(const void* data, size_t bytes);
  // Nodes of a sample of pages of touched memory, in the order of nodes(); empty when nothing was placed or
  // the system does not say.
  std::vector<size_t> pages_on_nodes(const void* data, size_t bytes);

  // What the system refused, for people; empty if nothing.
  const std::string& trouble() const { return trouble_; }

 private:
  void report(const std::string& text);

  Numa numa_;
  int threads_;
  const SystemCalls& calls_;
  std::vector<std::vector<int>> cpus_;
  std::vector<int> nodes_;
  size_t locked_ = 0;
  std::string trouble_;
};

// One a core that the affinity mask leaves, as far as the cgroup's quota goes; at least 1.
int default_thread_count();

// Memory that this thread takes from the system meanwhile is placed, and locked if asked.
class PlacementScope {
 public:
  PlacementScope(Placement& placement, bool lock);
  ~PlacementScope();
  PlacementScope(const PlacementScope&) = delete;
  PlacementScope& operator=(const PlacementScope&) = delete;

 private:
  Placement* before_;
  bool lock_before_;
};

// For runtime/memory.cpp: applies the innermost scope of this thread, if there is one.
void place_in_scope(void* data, size_t bytes);

}  // namespace longleaf

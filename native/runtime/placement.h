// Where threads run and memory lies.
//
// Threads are pinned, one a core, only when they take every core that the process may use: then the choice of
// cores is nobody else's. With fewer threads, or a quota of less time than that, two engines on one machine
// would choose the same cores while others idle, so the system places the threads. The calling thread, which
// works along, is never touched.
//
// With `distribute` every node that has both memory and threads of ours is a home, if there are two or more.
// KV pages and the copies of small models' weights lie on one home each, and threads take units of work that
// read what lies on theirs first. docs/numa.md says what that is for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/memory.h"
#include "runtime/threads.h"
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

struct Found {
  size_t pages = 0;  // of the system
  size_t elsewhere = 0;
};

class Placement {
 public:
  // threads 0: one a core, as far as the quota goes. quota: CPUs' worth of time, 0 for no limit.
  Placement(Numa numa, int threads, int quota, Topology topology, const SystemCalls& calls);

  int threads() const { return threads_; }
  const ThreadPlaces& places() const { return places_; }
  // Nodes that memory is placed on; empty when that is left to the system, as on machines with one node.
  const std::vector<int>& nodes() const { return nodes_; }
  const std::vector<int>& homes() const { return homes_; }
  // Bytes that may still be taken: of the machine, with `isolate` of its one node.
  size_t available() const;
  // Into how many copies weights of `bytes` go when all else leaves `spare`: one a home if one takes at most
  // an eighth of what any home has available, and all together not more than half of what is to spare.
  size_t copies(size_t bytes, size_t spare) const;

  // Says where fresh memory shall lie, before it is touched.
  void place(void* data, size_t bytes);
  // The same for one home; of the system's pages that belong to it only in part, the first.
  void place_at(size_t home, std::byte* data, size_t bytes);
  // Keeps memory from being swapped out.
  void lock(const void* data, size_t bytes);
  // How many of these addresses, not too many at a time, lie on none of the nodes. Not counted are those
  // never touched, and all when the system does not say.
  Found find(const std::vector<const std::byte*>& addresses, const std::vector<int>& nodes);
  // Reports it when much of what was to be placed was found elsewhere.
  void judge(const std::string& what, const Found& found);

  // What the system refused, for people; empty if nothing.
  const std::string& trouble() const { return trouble_; }

 private:
  void choose_threads(const Topology& topology, int quota, bool several);
  void bind(std::byte* data, size_t bytes, const std::vector<int>& nodes);
  void report(const std::string& text);

  Numa numa_;
  int threads_;
  const SystemCalls& calls_;
  ThreadPlaces places_;
  std::vector<int> nodes_, homes_;
  std::map<int, size_t> left_;  // bytes of every node that nothing has been placed on
  std::string trouble_;
};

// One a core that the affinity mask leaves, as far as the cgroup's quota goes; at least 1.
int default_thread_count();

// Memory that this thread takes from the system meanwhile is placed, and locked if asked; null: neither.
class PlacementScope {
 public:
  PlacementScope(Placement* placement, bool lock);
  ~PlacementScope();
  PlacementScope(const PlacementScope&) = delete;
  PlacementScope& operator=(const PlacementScope&) = delete;

 private:
  Placement* before_;
  bool lock_before_;
};

// Memory of `copies` times `bytes`, rounded up to whole pages of the system; with more than one copy each
// lies on its home of the innermost scope of this thread, else it is as any other memory.
Memory memory_in_copies(size_t copies, size_t bytes);
size_t copy_stride(size_t bytes);  // bytes from one copy to the next

// For runtime/memory.cpp: applies the innermost scope of this thread, if there is one.
void place_in_scope(void* data, size_t bytes);

}  // namespace longleaf

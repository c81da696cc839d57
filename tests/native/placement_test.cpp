// Placement over nodes that are not there, with calls that keep what they were asked: where pages of the KV
// pool were to lie, who runs which unit of work, what a full node and a refusing system lead to.
#include "runtime/placement.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.h"
#include "kv/pool.h"
#include "runtime/threads.h"

namespace longleaf::test {

namespace {

constexpr size_t kPage = 4096;

struct Range {
  size_t bytes;
  int mode;
  int node;  // the lowest
};

// The system that is asked: later ranges win, as with mbind.
std::map<uintptr_t, Range> ranges;
int refusal = 0;
int moved_to = -1;  // where all pages are found; -1: where they belong

void note(uintptr_t first, const Range& range) {
  for (uintptr_t at = first; at < first + range.bytes; at += kPage) ranges[at] = range;
}

long note_mbind(void* data, unsigned long bytes, int mode, const unsigned long* nodes, unsigned long,
                unsigned) {
  if (refusal != 0) {
    errno = refusal;
    return -1;
  }
  int node = 0;
  while ((nodes[0] >> node & 1) == 0) ++node;
  note(reinterpret_cast<uintptr_t>(data), {bytes, mode, node});
  return 0;
}

long find_pages(int, unsigned long count, void** pages, const int* nodes, int* status, int) {
  check(nodes == nullptr, "pages are only asked for, not moved");
  if (refusal != 0) {
    errno = refusal;
    return -1;
  }
  for (unsigned long i = 0; i < count; ++i) {
    const auto at = ranges.find(reinterpret_cast<uintptr_t>(pages[i]) / kPage * kPage);
    status[i] = moved_to >= 0 ? moved_to : at == ranges.end() ? -ENOENT : at->second.node;
  }
  return 0;
}

int lock_nothing(const void*, size_t) { return 0; }

const SystemCalls kCalls = {note_mbind, find_pages, lock_nothing};

// Nodes with these ids, two cores each, CPUs numbered in turn.
Topology nodes_in_turn(const std::vector<int>& ids, uint64_t available = uint64_t{8} << 30) {
  Topology topology;
  for (int core = 0; core < 2; ++core) {
    for (size_t i = 0; i < ids.size(); ++i) {
      topology.cores.push_back({{core * static_cast<int>(ids.size()) + static_cast<int>(i)}, ids[i]});
    }
  }
  for (int id : ids) topology.nodes.push_back({id, available, available});
  return topology;
}

KvLayout layout_with(size_t kv_heads) { return {kv_heads, 64, KvType::F16, KvType::Q8, {0, 100, 0}, 512}; }

int64_t grow(KvPool& pool, int64_t sequence, size_t tokens) {
  pool.begin({{sequence, tokens}});
  for (size_t done = 0; done < tokens; done += 512) {
    const size_t now = std::min<size_t>(512, tokens - done);
    pool.extend(sequence, now);
    pool.commit(sequence, now);
  }
  pool.finish(sequence);
  return sequence;
}

void test_pages(const std::vector<int>& ids, size_t kv_heads) {
  ranges.clear();
  Placement placement(Numa::Distribute, 0, 0, nodes_in_turn(ids), kCalls);
  check(placement.homes() == ids, "every node with threads and memory is a home");
  const KvLayout layout = layout_with(kv_heads);
  const size_t budget = 300 * layout.page_bytes();
  KvPool pool(layout, budget, &placement), plain(layout, budget);
  check(pool.budget_pages() == plain.budget_pages(), "homes leave the budget as it is");
  const int64_t sequence = grow(pool, pool.create(), 5000);
  grow(plain, plain.create(), 5000);
  check(pool.free_pages() == plain.free_pages(), "homes take no more pages");
  const std::vector<uint32_t>& table = pool.table(sequence, 0);
  std::vector<std::set<size_t>> homes_of_head(kv_heads);
  std::set<const std::byte*> places;
  bool bound = true, together = true;
  for (size_t block = 0; block < table.size(); ++block) {
    for (size_t head = 0; head < kv_heads; ++head) {
      const std::byte* data = pool.head_at(table[block], head);
      const size_t home = pool.home_of(table[block], head);
      places.insert(data);
      homes_of_head[head].insert(home);
      const auto middle = reinterpret_cast<uintptr_t>(data + layout.head_bytes() / 2) / kPage * kPage;
      const auto range = ranges.find(middle);
      bound = bound && range != ranges.end() && range->second.mode == 2 && range->second.node == ids[home];
      if (block % kSegmentPages != 0) together = together && home == pool.home_of(table[block - 1], head);
    }
  }
  check(places.size() == table.size() * kv_heads, "every head of every page has memory of its own");
  check(bound, "each head's pages are bound to the node of its home");
  check(together, "the pages of a segment lie together");
  const bool even = kv_heads % ids.size() == 0;
  for (const std::set<size_t>& homes : homes_of_head) {
    check(homes.size() == (even ? 1 : ids.size()), even ? "a head stays at home" : "segments go round");
  }
  check(placement.trouble().empty(), "nothing is wrong with " + placement.trouble());

  Found found;
  const auto addresses = pool.addresses_at_homes();
  for (size_t home = 0; home < addresses.size(); ++home) {
    const Found here = placement.find(addresses[home], {ids[home]});
    found.pages += here.pages;
    found.elsewhere += here.elsewhere;
  }
  const size_t used = pool.budget_pages() - pool.free_pages();
  check(found.pages == used * kv_heads && found.elsewhere == 0, "all pages in use are found at home");
  moved_to = 99;
  placement.judge("KV pages", placement.find(addresses[0], {ids[0]}));
  moved_to = -1;
  check(placement.trouble().find("of the KV pages 100 %") != std::string::npos, "pages elsewhere are told");

  // A group that is used up gives way to others, to the last page of the budget.
  std::vector<int64_t> more;
  for (bool full = false; !full;) {
    more.push_back(pool.create());
    try {
      grow(pool, more.back(), 64);
    } catch (const KvFull&) {
      full = true;
    }
  }
  check(pool.free_pages() < layout.layers(), "the whole budget can be used");
  pool.release(sequence);
  for (int64_t id : more) pool.release(id);
  check(pool.free_pages() == pool.budget_pages(), "all pages come back");
}

void test_full_and_refusing() {
  Placement small(Numa::Distribute, 0, 0, nodes_in_turn({0, 1}, size_t{1} << 20), kCalls);
  ranges.clear();
  const KvLayout layout = layout_with(2);
  const KvPool pool(layout, size_t{8} << 20, &small);
  const auto at = reinterpret_cast<uintptr_t>(pool.head_at(0, 0));
  check(ranges.at(at).mode == 1 && small.trouble().find("less memory available") != std::string::npos,
        "a node with too little memory is preferred, and that is told");
  check(small.copies(size_t{1} << 20, size_t{1} << 40) == 1, "weights too large for a node are not copied");
  refusal = EPERM;
  Placement refused(Numa::Distribute, 0, 0, nodes_in_turn({0, 1}), kCalls);
  KvPool all_the_same(layout, size_t{8} << 20, &refused);
  grow(all_the_same, all_the_same.create(), 200);
  const Found found = refused.find(all_the_same.addresses_at_homes()[0], {0});
  refusal = 0;
  check(found.pages == 0 && refused.trouble().find("refused to place") != std::string::npos &&
            refused.trouble().find("cannot be verified") != std::string::npos,
        "a system that refuses is told of and survived");
}

void test_threads() {
  const Placement placement(Numa::Distribute, 5, 0, nodes_in_turn({3, 7}), kCalls);
  ThreadPool pool(placement.threads(), placement.places());
  check(pool.homes() == 2 && pool.home(1) == 1 && pool.home(2) == 0, "threads have homes in turn");
  for (const std::vector<size_t>& ends : {std::vector<size_t>{40, 100}, {0, 50}, {70, 70}, {0, 0}, {1, 1}}) {
    std::vector<std::vector<size_t>> ran(5);
    // Where there are units enough nobody goes on before all threads have one.
    const size_t all_threads = ends == std::vector<size_t>{40, 100} ? ran.size() : 0;
    std::atomic<size_t> arrived{0};
    pool.run_at_homes(ends, [&](size_t unit, int thread) {
      std::vector<size_t>& mine = ran[static_cast<size_t>(thread)];
      mine.push_back(unit);
      if (mine.size() == 1) ++arrived;
      while (arrived < all_threads) std::this_thread::yield();
    });
    std::vector<size_t> all;
    bool own_first = true;
    for (size_t thread = 0; thread < ran.size(); ++thread) {
      const size_t home = pool.home(static_cast<int>(thread));
      bool others = false;
      for (size_t unit : ran[thread]) {
        const bool own = (unit < ends[0]) == (home == 0);
        own_first = own_first && !(own && others);
        others = others || !own;
        all.push_back(unit);
      }
    }
    std::sort(all.begin(), all.end());
    bool once = all.size() == ends.back();
    for (size_t i = 0; i < all.size(); ++i) once = once && all[i] == i;
    check(once, "every unit runs once");
    check(own_first || ends.back() < 2, "a thread takes the units of its home first");
  }
  bool thrown = false;
  try {
    pool.run_at_homes({64, 128}, [](size_t unit, int) {
      if (unit == 100) throw std::runtime_error("unit 100");
    });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  check(thrown, "an exception of any home's unit comes back");
  size_t sum = 0;
  pool.run(1, [&](size_t, int thread) { sum += 1 + static_cast<size_t>(thread); });
  check(sum == 1, "the pool works on after it");
}

}  // namespace

void test_placement() {
  for (size_t kv_heads : {1, 2, 3, 4, 8}) {
    test_pages({0, 1}, kv_heads);
    test_pages({0, 2, 5}, kv_heads);
  }
  test_full_and_refusing();
  test_threads();
}

}  // namespace longleaf::test

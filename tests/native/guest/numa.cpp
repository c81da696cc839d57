// The first process of a virtual machine with three NUMA nodes (run.py beside this makes it): what the
// placement asks of the system is done by a real kernel here. Nodes 0 and 1 have two CPUs each, numbered in
// turn, node 2 has memory alone.
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "gguf/gguf.h"
#include "guest.h"
#include "model/model.h"
#include "runtime/placement.h"
#include "runtime/topology.h"

namespace longleaf::guest {
namespace {

void prepare_system() {
  for (const char* folder : {"/proc", "/sys", "/cgroup"}) mkdir(folder, 0755);
  const bool mounted = mount("proc", "/proc", "proc", 0, nullptr) == 0 &&
                       mount("sysfs", "/sys", "sysfs", 0, nullptr) == 0 &&
                       mount("cgroup", "/cgroup", "cgroup2", 0, nullptr) == 0;
  check(mounted, "proc, sysfs and cgroup2 are mounted");
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  check(file.good(), text + " > " + path);
}

void stay_on(const std::vector<int>& cpus) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (int cpu : cpus) CPU_SET(cpu, &mask);
  check(sched_setaffinity(0, sizeof mask, &mask) == 0, "the affinity mask is set");
}

std::vector<int> cpus_of(const Topology& topology, int node) {
  std::vector<int> cpus;
  for (const Core& core : topology.cores) {
    if (core.node == node) cpus.insert(cpus.end(), core.cpus.begin(), core.cpus.end());
  }
  return cpus;
}

void test_topology() {
  const Topology here = this_machine();
  check(cpus_of(here, 0) == std::vector<int>{0, 2} && cpus_of(here, 1) == std::vector<int>{1, 3},
        "CPUs numbered in turn are on their nodes");
  check(here.cores.size() == 4, "there are four cores");
  bool sane = here.nodes.size() == 3;
  for (const Node& node : here.nodes) {
    sane = sane && node.available_bytes > 0 && node.available_bytes <= node.memory_bytes;
  }
  check(sane, "three nodes have memory");
}

// The CPUs that each thread of this process may use, the caller's left out.
std::multiset<std::string> masks_of_threads() {
  std::multiset<std::string> masks;
  const std::string tasks = "/proc/self/task";
  DIR* folder = opendir(tasks.c_str());
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.' || std::atoi(entry->d_name) == getpid()) continue;
    std::ifstream status(tasks + "/" + entry->d_name + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.rfind("Cpus_allowed_list:", 0) == 0)
        masks.insert(line.substr(line.find_first_of("0123456789")));
    }
  }
  closedir(folder);
  return masks;
}

constexpr size_t kLong = 1100, kShort = 70;  // tokens: more than a segment of attention, and a page

std::vector<float> run(Model& model, size_t length) {
  const size_t n = model.vocabulary();
  std::vector<int32_t> tokens(kLong);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int32_t>((i * 37 + i / 7) % 250 + 5);
  std::vector<float> logits(9 * n);
  const int64_t sequence = model.create(), other = model.create();
  const auto forward = [&](const std::vector<BatchItem>& batch, float* out) {
    model.forward_both(batch, {}, 1, out, nullptr, nullptr);
  };
  forward({{sequence, tokens.data(), length, 2, nullptr}, {other, tokens.data() + 9, 70, 1, nullptr}},
          logits.data());
  const int64_t fork = model.fork(sequence);
  for (size_t i = 0; i < 3; ++i) {
    forward({{sequence, tokens.data() + i, 1, 1, nullptr}, {fork, tokens.data() + 2 * i, 1, 1, nullptr}},
            logits.data() + (3 + 2 * i) * n);
  }
  return logits;
}

ModelOptions with(Numa numa) {
  ModelOptions options;
  options.numa = numa;
  options.kv_budget_bytes = size_t{24} << 20;
  return options;
}

std::string text_of(const Found& found) {
  return std::to_string(found.elsewhere) + " of " + std::to_string(found.pages) + " pages are elsewhere";
}

void test_model(const std::string& path) {
  std::printf("-- %s\n", path.c_str());
  const Gguf file(path);
  std::vector<float> expected, brief;
  {
    Model plain(file, with(Numa::None));
    expected = run(plain, kLong);
    brief = run(plain, kShort);
    const NumaUse use = plain.numa_use();
    check(use.weights.pages == 0 && use.kv.pages == 0, "without --numa nothing is placed");
  }
  {
    Model model(file, with(Numa::Distribute));
    const std::multiset<std::string> masks = masks_of_threads();
    check(masks == std::multiset<std::string>{"1", "2", "3"}, "threads are bound to cores of their own");
    check(equal(run(model, kLong), expected), "distribute gives the same bits");
    const NumaUse use = model.numa_use();
    check(model.placement().homes() == std::vector<int>{0, 1}, "nodes with CPUs and memory are homes");
    check(use.weight_copies == 2, "small weights have a copy on each");
    check(use.weights.pages > 100 && use.weights.elsewhere == 0, "weights: " + text_of(use.weights));
    check(use.kv.pages > 20 && use.kv.elsewhere == 0, "KV: " + text_of(use.kv));
    check(model.placement_trouble().empty(), "no trouble: " + model.placement_trouble());
  }
  {
    Model model(file, with(Numa::Isolate));
    check(masks_of_threads().size() == 1, "isolate has the threads of one node");
    check(equal(run(model, kLong), expected), "isolate gives the same bits");
    const NumaUse use = model.numa_use();
    check(use.weights.pages > 50 && use.weights.elsewhere == 0, "weights: " + text_of(use.weights));
    check(use.kv.pages > 20 && use.kv.elsewhere == 0, "KV: " + text_of(use.kv));
  }
  in_child("a process kept to CPUs of node 1", [&] {
    stay_on({1, 3});
    Model isolated(file, with(Numa::Isolate));
    check(isolated.placement().nodes() == std::vector<int>{1}, "isolate goes to the node of its CPUs");
    check(equal(run(isolated, kShort), brief), "the same bits there");
    check(isolated.numa_use().kv.elsewhere == 0, "and its pages lie there");
    Model spread(file, with(Numa::Distribute));
    check(spread.placement().homes().empty() && spread.threads() == 2, "one node alone is no homes");
  });
  in_child("a process in a cpuset", [&] {
    write_text("/cgroup/cgroup.subtree_control", "+cpuset");
    mkdir("/cgroup/half", 0755);
    write_text("/cgroup/half/cpuset.mems", "1");
    write_text("/cgroup/half/cgroup.procs", std::to_string(getpid()));
    const Topology here = this_machine();
    check(here.nodes.size() == 1 && here.nodes[0].id == 1, "memory of other nodes is not there");
    Model model(file, with(Numa::Distribute));
    check(model.placement().nodes().empty() && model.threads() == 4, "nothing is to be placed then");
    check(equal(run(model, kShort), brief), "the same bits again");
  });
  in_child("a process that may lock little", [&] {
    const rlimit little{65536, 65536};
    check(setrlimit(RLIMIT_MEMLOCK, &little) == 0 && setuid(65534) == 0, "limited, and not root");
    ModelOptions options = with(Numa::Distribute);
    options.lock_weights = true;
    const Model model(file, options);
    check(model.placement_trouble().find("ulimit -l gives 64.00 KiB") != std::string::npos,
          "the limit is told: " + model.placement_trouble());
  });
}

uint64_t free_on(int node) {
  std::ifstream file("/sys/devices/system/node/node" + std::to_string(node) + "/meminfo");
  for (std::string line; std::getline(file, line);) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "Node %*d MemFree: %llu kB", &kib) == 1) return kib * 1024;
  }
  return 0;
}

void test_full_node(const std::string& path) {
  in_child("a process on a full node", [&] {
    stay_on({1, 3});
    const std::vector<float> expected = [&] {
      Model plain(Gguf(path), with(Numa::None));
      return run(plain, kShort);
    }();
    // All but 44 MiB of node 1 is taken, by memory bound to it. The system keeps some 20 MiB back.
    constexpr size_t kStep = size_t{1} << 20;
    while (free_on(1) > 44 * kStep) {
      void* block = mmap(nullptr, kStep, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      const unsigned long mask = 1ul << 1;
      if (block == MAP_FAILED || system_calls().mbind(block, kStep, 2, &mask, 64, 0) != 0) break;
      std::memset(block, 1, kStep);
    }
    check(free_on(1) <= 44 * kStep && free_on(0) > 100 * kStep, "node 1 is full, node 0 is not");
    Topology here = this_machine();
    Placement placement(Numa::Isolate, 0, 0, here, system_calls());
    const KvLayout layout{1, 64, KvType::F16, KvType::F16, {0}, 512};
    const PlacementScope scope(&placement, false);
    KvPool pool(layout, 70 * kStep, &placement);
    const int64_t sequence = pool.create();
    const size_t tokens = pool.budget_pages() * kPageTokens;
    pool.begin({{sequence, tokens}});
    for (size_t done = 0; done < tokens; done += 512) {
      pool.extend(sequence, std::min<size_t>(512, tokens - done));
      pool.commit(sequence, std::min<size_t>(512, tokens - done));
    }
    for (uint32_t page : pool.table(sequence, 0)) std::memset(pool.head_at(page, 0), 7, layout.head_bytes());
    check(placement.trouble().find("node 1 has less memory available") != std::string::npos,
          "it is told before: " + placement.trouble());
    const Found found = placement.find(pool.addresses_at_homes()[0], {1});
    placement.judge("KV pages", found);
    check(found.elsewhere > 0, "nobody is killed: " + text_of(found));
    check(placement.trouble().find("of the KV pages") != std::string::npos,
          "and told: " + placement.trouble());
    ModelOptions little = with(Numa::Isolate);
    little.kv_budget_bytes = 0;
    bool told = false;
    try {
      Model model(Gguf(path), little);
      told = equal(run(model, kShort), expected);
    } catch (const std::exception& error) {
      told = std::string(error.what()).find("are available on NUMA node 1") != std::string::npos;
      std::printf("%s\n", error.what());
    }
    check(told, "a model is refused with the sum, or right");
  });
}

}  // namespace

void run_tests() {
  prepare_system();
  test_topology();
  const std::vector<std::string> paths = models();
  check(!paths.empty(), "there are models to run");
  for (const std::string& path : paths) test_model(path);
  if (!paths.empty()) test_full_node(paths.front());
}

}  // namespace longleaf::guest

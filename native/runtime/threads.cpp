#include "runtime/threads.h"

#include <unistd.h>

#include <algorithm>
#include <utility>
#ifdef __linux__
#include <sched.h>
#endif

namespace longleaf {
namespace {

// About 20 us of pause instructions: longer than the gap between two steps of a decode, shorter than anyone
// notices.
constexpr int kSpins = 2000;

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// A CPU that is taken offline meanwhile is no reason to stop: the thread then runs anywhere.
void pin(const std::vector<int>& cpus) {
#ifdef __linux__
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (int cpu : cpus) {
    if (cpu < CPU_SETSIZE) CPU_SET(cpu, &mask);
  }
  if (CPU_COUNT(&mask) != 0) sched_setaffinity(0, sizeof mask, &mask);
#else
  (void)cpus;
#endif
}

}  // namespace

ThreadPool::ThreadPool(int threads, const ThreadPlaces& places)
    : owner_pid_(getpid()),
      queues_(places.homes.empty() ? 1 : 1 + *std::max_element(places.homes.begin(), places.homes.end())),
      home_(places.homes) {
  home_.resize(static_cast<size_t>(threads), 0);
  for (size_t i = 0; queues_.size() > 1 && i < places.cpus.size(); ++i) {
    for (int cpu : places.cpus[i]) {
      const auto at = static_cast<size_t>(cpu);
      if (home_of_cpu_.size() <= at) home_of_cpu_.resize(at + 1, home_[0]);
      home_of_cpu_[at] = home_[i];
    }
  }
  for (int i = 1; i < threads; ++i) {
    const auto at = static_cast<size_t>(i);
    workers_.emplace_back([this, i, mine = at < places.cpus.size() ? places.cpus[at] : std::vector<int>{}] {
      pin(mine);
      work(i);
    });
  }
}

ThreadPool::~ThreadPool() {
  if (getpid() != owner_pid_) {  // a forked child has the objects but not the threads
    for (auto& worker : workers_) worker.detach();
    return;
  }
  {
    std::lock_guard lock(mutex_);
    stop_.store(true);
    job_.fetch_add(1);
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void ThreadPool::drain(int thread) {
  try {
    for (size_t i = 0; i < in_use_; ++i) {
      Queue& queue = queues_[(home(thread) + i) % in_use_];
      for (;;) {
        const size_t unit = queue.next.fetch_add(1, std::memory_order_relaxed);
        if (unit >= queue.end) break;
        function_(context_, unit, thread);
      }
    }
  } catch (...) {
    for (Queue& queue : queues_) queue.next.store(queue.end, std::memory_order_relaxed);
    std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

// The home of the CPU that the caller is on now.
void ThreadPool::find_caller() {
#ifdef __linux__
  const int cpu = sched_getcpu();
  if (cpu >= 0 && static_cast<size_t>(cpu) < home_of_cpu_.size())
    home_[0] = home_of_cpu_[static_cast<size_t>(cpu)];
#endif
}

void ThreadPool::run_units(const size_t* ends, size_t queues, Function function, void* context) {
  if (queues_.size() > 1) find_caller();
  const size_t units = ends[queues - 1];
  // Forked children have no workers; what they compute is the same, one thread does it.
  if (units <= 1 || workers_.empty() || getpid() != owner_pid_) {
    for (size_t unit = 0; unit < units; ++unit) function(context, unit, 0);
    return;
  }
  function_ = function;
  context_ = context;
  in_use_ = queues;
  for (size_t i = 0; i < queues; ++i) {
    queues_[i].next.store(i == 0 ? 0 : ends[i - 1], std::memory_order_relaxed);
    queues_[i].end = ends[i];
  }
  running_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  {
    std::lock_guard lock(mutex_);
    job_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  drain(0);
  for (int i = 0; i < kSpins && running_.load(std::memory_order_acquire) != 0; ++i) pause();
  if (running_.load(std::memory_order_acquire) != 0) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return running_.load(std::memory_order_acquire) == 0; });
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::work(int thread) {
  uint64_t seen = 0;
  for (;;) {
    for (int i = 0; i < kSpins && job_.load(std::memory_order_acquire) == seen; ++i) pause();
    if (job_.load(std::memory_order_acquire) == seen) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return job_.load(std::memory_order_acquire) != seen; });
    }
    seen = job_.load(std::memory_order_acquire);
    if (stop_.load()) return;
    drain(thread);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      std::lock_guard lock(mutex_);
      done_.notify_one();
    }
  }
}

}  // namespace longleaf

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

ThreadPool::ThreadPool(int threads, const std::vector<std::vector<int>>& cpus) : owner_pid_(getpid()) {
  for (int i = 1; i < threads; ++i) {
    const auto at = static_cast<size_t>(i);
    workers_.emplace_back([this, i, mine = at < cpus.size() ? cpus[at] : std::vector<int>{}] {
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
    for (;;) {
      const size_t unit = next_.fetch_add(1, std::memory_order_relaxed);
      if (unit >= units_) return;
      function_(context_, unit, thread);
    }
  } catch (...) {
    next_.store(units_, std::memory_order_relaxed);
    std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void ThreadPool::run_units(size_t units, Function function, void* context) {
  // Forked children have no workers; what they compute is the same, one thread does it.
  if (units <= 1 || workers_.empty() || getpid() != owner_pid_) {
    for (size_t unit = 0; unit < units; ++unit) function(context, unit, 0);
    return;
  }
  function_ = function;
  context_ = context;
  units_ = units;
  next_.store(0, std::memory_order_relaxed);
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

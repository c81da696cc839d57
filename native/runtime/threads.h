// A small pool of threads for short parallel steps.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace longleaf {

// One caller at a time. Units are handed out in order to whoever is free; a unit's result must not depend on
// who runs it, which makes every result independent of the thread count.
class ThreadPool {
 public:
  // cpus: where each thread but the caller's may run; anywhere when empty.
  explicit ThreadPool(int threads, const std::vector<std::vector<int>>& cpus = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls body(unit, thread) for every unit in [0, units), thread in [0, size()), and returns when all are
  // done. The first exception of a unit is rethrown here after all threads have stopped.
  template <class Body>
  void run(size_t units, Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    run_units(
        units, [](void* context, size_t unit, int thread) { (*static_cast<Plain*>(context))(unit, thread); },
        const_cast<void*>(static_cast<const void*>(&body)));
  }

 private:
  using Function = void (*)(void* context, size_t unit, int thread);
  void run_units(size_t units, Function function, void* context);
  void work(int thread);
  void drain(int thread);

  std::vector<std::thread> workers_;
  Function function_ = nullptr;
  void* context_ = nullptr;
  size_t units_ = 0;
  int owner_pid_ = 0;
  alignas(64) std::atomic<size_t> next_{0};
  alignas(64) std::atomic<uint64_t> job_{0};  // counts jobs; workers wait for it to change
  alignas(64) std::atomic<int> running_{0};   // workers not yet done with the current job
  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // guards sleeping only
  std::condition_variable wake_;
  std::condition_variable done_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace longleaf

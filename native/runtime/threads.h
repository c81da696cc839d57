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

// Where the threads of a pool run, the caller's being the first.
struct ThreadPlaces {
  std::vector<std::vector<int>> cpus;  // of every thread; empty: anywhere
  std::vector<size_t> homes;           // of every thread, an index; empty: all are at home 0
};

// One caller at a time. Units are handed out in order to whoever is free; a unit's result must not depend on
// who runs it, which makes every result independent of the thread count.
class ThreadPool {
 public:
  explicit ThreadPool(int threads, const ThreadPlaces& places = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }
  size_t homes() const { return queues_.size(); }
  // Of a thread, while a unit runs. The caller is not pinned, so its home is where the job found it.
  size_t home(int thread) const { return home_[static_cast<size_t>(thread)]; }

  // Calls body(unit, thread) for every unit in [0, units), thread in [0, size()), and returns when all are
  // done. The first exception of a unit is rethrown here after all threads have stopped.
  template <class Body>
  void run(size_t units, Body&& body) {
    run_units(&units, 1, caller<Body>(), const_cast<void*>(static_cast<const void*>(&body)));
  }

  // The same for units of which those of home h end before ends[h], one end for each home: a thread takes
  // those of its home first, then what is left of others.
  template <class Body>
  void run_at_homes(const std::vector<size_t>& ends, Body&& body) {
    run_units(ends.data(), ends.size(), caller<Body>(), const_cast<void*>(static_cast<const void*>(&body)));
  }

 private:
  using Function = void (*)(void* context, size_t unit, int thread);
  struct Queue {
    alignas(64) std::atomic<size_t> next{0};
    size_t end = 0;
  };
  template <class Body>
  static Function caller() {
    using Plain = std::remove_reference_t<Body>;
    return [](void* context, size_t unit, int thread) { (*static_cast<Plain*>(context))(unit, thread); };
  }
  void run_units(const size_t* ends, size_t queues, Function function, void* context);
  void find_caller();
  void work(int thread);
  void drain(int thread);

  std::vector<std::thread> workers_;
  Function function_ = nullptr;
  void* context_ = nullptr;
  size_t in_use_ = 0;  // queues of the current job: one for all, or one a home
  int owner_pid_ = 0;
  std::vector<Queue> queues_;  // as many as homes
  std::vector<size_t> home_;   // of every thread
  std::vector<size_t> home_of_cpu_;
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

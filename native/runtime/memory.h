// Page-aligned memory for weights, caches and scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace longleaf {

// Zeroed memory from the system, in huge pages where the system gives them. Pages never touched cost nothing.
class Memory {
 public:
  Memory() = default;
  explicit Memory(size_t bytes);  // throws Error naming the size when the system refuses
  ~Memory();
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

// Tells the system that a range of a read-only file mapping will not be read soon, so that it leaves the
// process's resident memory. Safe at any time: a later read brings the pages back from the file.
void release_mapping(const std::byte* data, size_t bytes);

// Memory this process may still take: the machine's available memory or what its cgroup leaves, whichever is
// less.
size_t available_memory();

// "1.25 GiB", "64 KiB": sizes for people.
std::string human_bytes(uint64_t bytes);

}  // namespace longleaf

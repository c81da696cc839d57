#include "runtime/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <utility>

#include "error.h"
#include "runtime/cgroup.h"
#include "runtime/placement.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace longleaf {

namespace {

// Under AddressSanitizer a block is followed by a page that must not be touched, as malloc's blocks are.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kPage = 4096;
size_t mapped_bytes(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage + kPage; }
void forbid_tail(const std::byte* block, size_t bytes) {
  ASAN_POISON_MEMORY_REGION(block + bytes, mapped_bytes(bytes) - bytes);
}
void allow_tail(const std::byte* block, size_t bytes) {
  ASAN_UNPOISON_MEMORY_REGION(block + bytes, mapped_bytes(bytes) - bytes);
}
#else
size_t mapped_bytes(size_t bytes) { return bytes; }
void forbid_tail(const std::byte*, size_t) {}
void allow_tail(const std::byte*, size_t) {}
#endif

}  // namespace

Memory::Memory(size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  void* block = mmap(nullptr, mapped_bytes(bytes), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) {
    size_ = 0;
    throw Error("the system refused " + human_bytes(bytes) +
                " of memory (available: " + human_bytes(available_memory()) + ")");
  }
  data_ = static_cast<std::byte*>(block);
  forbid_tail(data_, size_);
#ifdef MADV_HUGEPAGE
  madvise(block, bytes, MADV_HUGEPAGE);
#endif
  place_in_scope(block, bytes);
}

Memory::~Memory() {
  if (data_ == nullptr) return;
  allow_tail(data_, size_);
  munmap(data_, mapped_bytes(size_));
}

Memory::Memory(Memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void release_mapping(const std::byte* data, size_t bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t first = (reinterpret_cast<uintptr_t>(data) + page - 1) / page * page;
  const uintptr_t last = (reinterpret_cast<uintptr_t>(data) + bytes) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

size_t available_memory() {
  size_t available = std::numeric_limits<size_t>::max();
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kib) == 1) {
      available = static_cast<size_t>(kib) * 1024;
      break;
    }
  }
  if (available == std::numeric_limits<size_t>::max()) {
    available = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 2;
  }
  return std::min(available, cgroup_memory_left());
}

std::string human_bytes(uint64_t bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 6) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", value, units[unit]);
  return text;
}

}  // namespace longleaf

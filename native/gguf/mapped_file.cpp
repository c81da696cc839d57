#include "gguf/mapped_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>

#include "error.h"
#include "gguf/text.h"

namespace longleaf {

namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

// What the signal handler may look at: nothing but lock-free atomics.
struct Guard {
  std::atomic<bool> taken{false};
  std::atomic<uintptr_t> begin{0};
  std::atomic<uintptr_t> end{0};  // 0 while the slot is not in use
  std::atomic<bool> damaged{false};
};
static_assert(std::atomic<uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

std::array<Guard, 1024> guards;
struct sigaction previous_action;
uintptr_t page_bytes;

bool replace_lost_pages(uintptr_t address) {
  for (Guard& guard : guards) {
    uintptr_t end = guard.end.load();
    if (address >= end || address < guard.begin.load()) continue;
    uintptr_t first = address - address % page_bytes;
    void* zeros = mmap(reinterpret_cast<void*>(first), end - first, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) return false;
    guard.damaged.store(true);
    return true;
  }
  return false;
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  int saved_errno = errno;
  bool ours = replace_lost_pages(reinterpret_cast<uintptr_t>(info->si_addr));
  errno = saved_errno;
  if (ours) return;
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal, info, context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
  } else {
    sigaction(SIGBUS, &previous_action, nullptr);  // the faulting instruction runs again and meets it
  }
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &previous_action);
  });
}

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(quoted(path) + ": " + what);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path) {
  if (path.find('\0') != std::string::npos) fail(path, "a file name cannot hold a zero byte");
  // Without O_NONBLOCK opening a FIFO would wait for a writer.
  Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) fail(path, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat status;
  if (fstat(file.fd, &status) != 0) fail(path, std::string("cannot be read: ") + std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail(path, "is a directory, expected a GGUF file");
  if (!S_ISREG(status.st_mode)) fail(path, "is not a regular file, expected a GGUF file");
  if (status.st_size == 0) fail(path, "is empty, expected a GGUF file");
  if (static_cast<uint64_t>(status.st_size) > std::numeric_limits<size_t>::max()) fail(path, "is too large");
  size_ = static_cast<size_t>(status.st_size);

  install_handler();
  while (guard_ < guards.size() && guards[guard_].taken.exchange(true)) ++guard_;
  if (guard_ == guards.size()) fail(path, "too many GGUF files are open, close some first");
  Guard& guard = guards[guard_];
  void* address = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.fd, 0);
  if (address == MAP_FAILED) {
    guard.taken.store(false);
    fail(path, std::string("cannot be mapped: ") + std::strerror(errno));
  }
  data_ = static_cast<std::byte*>(address);
  auto begin = reinterpret_cast<uintptr_t>(address);
  guard.damaged.store(false);
  guard.begin.store(begin);
  guard.end.store(begin + (size_ + page_bytes - 1) / page_bytes * page_bytes);
}

MappedFile::~MappedFile() {
  guards[guard_].end.store(0);
  munmap(data_, size_);
  guards[guard_].taken.store(false);
}

void MappedFile::check_intact() const {
  if (guards[guard_].damaged.load()) fail(path_, "was cut short while it was in use; open it again");
}

}  // namespace longleaf

#include "gguf/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>

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

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(quoted(path) + ": " + what);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
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
  void* address = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.fd, 0);
  if (address == MAP_FAILED) fail(path, std::string("cannot be mapped: ") + std::strerror(errno));
  data_ = static_cast<std::byte*>(address);
}

MappedFile::~MappedFile() { munmap(data_, size_); }

}  // namespace longleaf

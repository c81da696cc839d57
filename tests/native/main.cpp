// The core under AddressSanitizer and UndefinedBehaviorSanitizer: built and run by .ci/sanitize.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "check.h"

namespace longleaf::test {

namespace {

size_t n_passed = 0;
size_t n_failed = 0;

}  // namespace

void check(bool passed, const std::string& what) {
  ++(passed ? n_passed : n_failed);
  if (!passed) std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

MemoryFile::MemoryFile(const std::vector<uint8_t>& bytes) : fd_(memfd_create("longleaf-test", MFD_CLOEXEC)) {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t now = write(fd_, bytes.data() + done, bytes.size() - done);
    if (now <= 0) {
      std::perror("memfd");
      std::exit(2);
    }
    done += static_cast<size_t>(now);
  }
}

MemoryFile::~MemoryFile() { close(fd_); }

void MemoryFile::cut(size_t bytes) { check(ftruncate(fd_, static_cast<off_t>(bytes)) == 0, "ftruncate"); }

int run_all() {
  test_gguf();
  test_tokenizer();
  test_model();
  test_kv();
  test_placement();
  test_suffix_automaton();
  test_encoder();
  test_attention();
  test_page();
  std::printf("%zu passed, %zu failed\n", n_passed, n_failed);
  return n_failed == 0 ? 0 : 1;
}

}  // namespace longleaf::test

int main() { return longleaf::test::run_all(); }

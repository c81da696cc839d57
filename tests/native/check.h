// The least a test program needs: counted checks, random numbers from a seed, and files in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace longleaf::test {

// Counts a check; a failed one is printed and makes the program exit with 1.
void check(bool passed, const std::string& what);

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  size_t below(size_t n) { return static_cast<size_t>(next() % n); }
  float real() { return static_cast<float>(next() >> 40) * 0x1p-24f; }  // in [0, 1)

 private:
  uint64_t state_;
};

// A file that lives in memory and has a path while it exists.
class MemoryFile {
 public:
  explicit MemoryFile(const std::vector<uint8_t>& bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }
  void cut(size_t bytes);

 private:
  int fd_;
};

// The suites; each is one file.
void test_gguf();
void test_tokenizer();
void test_model();
void test_kv();
void test_placement();
void test_suffix_automaton();
void test_encoder();
void test_attention();
void test_page();

}  // namespace longleaf::test

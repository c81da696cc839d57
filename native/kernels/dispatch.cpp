// Which kernel sets this machine runs: asked from the CPU, from the operating system, and then tried, because
// virtual machines list instruction sets that trap.
#include <csetjmp>
#include <csignal>
#include <cstring>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "error.h"
#include "kernels/kernels.h"

namespace longleaf {
namespace {

#if defined(__x86_64__) || defined(__i386__)

bool bit(unsigned value, int index) { return (value >> index & 1) != 0; }

// Intel SDM vol. 2A (CPUID) and vol. 1, 13.3 (XCR0 bits: 1 SSE, 2 AVX, 5-7 AVX-512 state).
struct Cpu {
  bool avx2 = false;
  bool avx512 = false;

  Cpu() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0) return;
    const bool fma = bit(c, 12), osxsave = bit(c, 27), avx = bit(c, 28), f16c = bit(c, 29);
    if (!osxsave || !avx) return;
    unsigned low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return;
    avx2 = (low & 0x6) == 0x6 && fma && f16c && bit(b, 5);
    avx512 = avx2 && (low & 0xE6) == 0xE6 && bit(b, 16) && bit(b, 17) && bit(b, 30) && bit(b, 31);
  }
};

#else

struct Cpu {
  bool avx2 = false;
  bool avx512 = false;
};

#endif

sigjmp_buf trial_jump;

void on_illegal_instruction(int) { siglongjmp(trial_jump, 1); }

// Small whole numbers, exact in every order, so that the sets must agree to the bit.
bool trial_is_right(const Kernels& kernels) {
  constexpr size_t kCols = 32, kRows = 5;
  PackedFormat format{};
  format.codes = Codes::U4;
  format.scales = Scales::Half;
  format.has_min = true;
  format.group = format.chunk_cols = kCols;
  format.chunk_bytes = 2 * 2 * kBlockRows + kCols * kBlockRows / 2;
  for (int i = 0; i < 16; ++i) format.table[i] = static_cast<float>(i);
  alignas(64) static thread_local std::byte block[2 * 2 * kBlockRows + kCols * kBlockRows / 2];
  const uint16_t one = 0x3C00, two = 0x4000;  // f16
  for (size_t i = 0; i < kBlockRows; ++i) {
    std::memcpy(block + 2 * i, &two, 2);
    std::memcpy(block + 2 * (kBlockRows + i), &one, 2);
  }
  std::memset(block + 4 * kBlockRows, 0x53, sizeof block - 4 * kBlockRows);  // codes 3, 5, 3, 5, ...
  alignas(64) float a[kRows * kCols], direct[kBlockRows], product[kRows * 2 * kLanes];
  alignas(64) static thread_local float tile[2 * kCols * kLanes];
  for (size_t i = 0; i < kRows * kCols; ++i) a[i] = static_cast<float>(i % 7);
  kernels.unpack(format, block, 0, 0, kCols, tile);
  kernels.gemm(a, kCols, tile, kCols * kLanes, 2, kCols, kRows, product, 2 * kLanes, kZero, nullptr);
  kernels.gemv(format, block, kCols, a + kCols, kCols, 1, direct, kBlockRows);
  for (size_t row = 0; row < kRows; ++row) {
    float expected = 0;
    for (size_t k = 0; k < kCols; ++k) expected += a[row * kCols + k] * (k % 2 == 0 ? 7.0f : 11.0f);
    for (size_t n = 0; n < 2 * kLanes; ++n) {
      if (product[row * 2 * kLanes + n] != expected) return false;
      if (row == 1 && direct[n] != expected) return false;
    }
  }
  float e[16] = {};
  kernels.exp(e, 16);
  for (float x : e) {
    if (x != 1.0f) return false;
  }
  float scores[64] = {}, max = -1, sum = 0;
  kernels.softmax_step(scores, 3, 7, &max, &sum);
  return max == 0.0f && sum == 4.0f && scores[2] == 0.0f && scores[3] == 1.0f;
}

// SIGILL reaches the thread that caused it, so the jump stays on this stack. Callers hold the lock of
// available().
bool trial_runs(const Kernels& kernels) {
  struct sigaction action{}, previous{};
  action.sa_handler = on_illegal_instruction;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGILL, &action, &previous) != 0) return false;
  bool right = false;
  if (sigsetjmp(trial_jump, 1) == 0) right = trial_is_right(kernels);
  sigaction(SIGILL, &previous, nullptr);
  return right;
}

const std::vector<const Kernels*>& available() {
  static const std::vector<const Kernels*> sets = [] {
    std::vector<const Kernels*> found;
    const Cpu cpu;
    const Kernels* avx512 = avx512_kernels();
    const Kernels* avx2 = avx2_kernels();
    if (cpu.avx512 && avx512 != nullptr && trial_runs(*avx512)) found.push_back(avx512);
    if (cpu.avx2 && avx2 != nullptr && trial_runs(*avx2)) found.push_back(avx2);
    found.push_back(scalar_kernels());
    return found;
  }();
  return sets;
}

}  // namespace

const Kernels& kernel_set(const std::string& name) {
  if (name.empty()) return *available().front();
  std::string names;
  for (const Kernels* set : available()) {
    if (name == set->name) return *set;
    names += (names.empty() ? "" : ", ") + std::string(set->name);
  }
  throw Error("no instruction set '" + name + "' on this machine; LONGLEAF_ISA can be one of: " + names);
}

std::vector<std::string> kernel_set_names() {
  std::vector<std::string> names;
  for (const Kernels* set : available()) names.emplace_back(set->name);
  return names;
}

}  // namespace longleaf

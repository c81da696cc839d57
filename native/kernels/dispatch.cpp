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
  bool vnni = false;

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
    vnni = avx512 && bit(c, 11);
  }
};

#else

struct Cpu {
  bool avx2 = false;
  bool avx512 = false;
  bool vnni = false;
};

#endif

sigjmp_buf trial_jump;

void on_illegal_instruction(int) { siglongjmp(trial_jump, 1); }

// Small whole numbers, exact in every order, so that the sets must agree to the bit.
bool products_are_right(const Kernels& kernels) {
  constexpr size_t kCols = kUnitCols, kRows = 5;
  constexpr size_t kHeader = 2 * 2 * kBlockRows;
  constexpr size_t kBytes = kHeader + kPanels * unit_bytes(Codes::U4);
  const PackedFormat format{Codes::U4, Scales::Half, true, kCols, kCols, kBytes};
  alignas(64) static thread_local std::byte block[kBytes];
  const uint16_t one = 0x3C00, two = 0x4000;  // f16
  for (size_t i = 0; i < kBlockRows; ++i) {
    std::memcpy(block + 2 * i, &two, 2);
    std::memcpy(block + 2 * (kBlockRows + i), &one, 2);
  }
  std::memset(block + kHeader, 0x53, sizeof block - kHeader);  // quads of 3, of 5, of 3, ...
  alignas(64) float a[kRows * kCols], direct[kBlockRows], product[kRows * 2 * kLanes];
  alignas(64) int16_t codes[kRows * kCols];
  ActivationGroup groups[kRows];
  static thread_local CodeTile tile;
  for (size_t i = 0; i < kRows * kCols; ++i) a[i] = static_cast<float>(i % 7);
  for (size_t row = 0; row < kRows; ++row) {
    kernels.quantize(a + row * kCols, kCols, codes + row * kCols, groups + row);
  }
  const QuantizedRows rounded{codes, kCols, groups, 1};
  kernels.unpack_codes(format, block, 0, 0, kCols, &tile);
  kernels.gemm_codes(format, rounded, tile, kCols, kRows, product, 2 * kLanes, kZero);
  kernels.gemv_codes(format, block, kCols, rounded.at(1, 0), 1, direct, kBlockRows);
  for (size_t row = 0; row < kRows; ++row) {
    float expected = 0;
    for (size_t k = 0; k < kCols; ++k) expected += a[row * kCols + k] * (k / 4 % 2 == 0 ? 7.0f : 11.0f);
    for (size_t n = 0; n < 2 * kLanes; ++n) {
      if (product[row * 2 * kLanes + n] != expected) return false;
      if (row == 1 && direct[n] != expected) return false;
    }
  }
  return true;
}

bool trial_is_right(const Kernels& kernels) {
  if (!products_are_right(kernels)) return false;
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
    const auto add = [&](bool listed, const Kernels* set) {
      if (listed && set != nullptr && trial_runs(*set)) found.push_back(set);
    };
    add(cpu.vnni, avx512_kernels());
    add(cpu.avx512, avx512bw_kernels());
    add(cpu.avx2, avx2_kernels());
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

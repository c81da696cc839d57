// Which kernel sets this machine runs: asked from the CPU, from the operating system, and then tried, because
// virtual machines list instruction sets that trap.
#include <csetjmp>
#include <csignal>
#include <cstring>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

#include "error.h"
#include "kernels/kernels.h"

namespace longleaf {
namespace {

#if defined(__x86_64__) || defined(__i386__)

bool bit(unsigned value, int index) { return (value >> index & 1) != 0; }

// Linux lets a process use tile data once it has asked (Documentation/arch/x86/xstate.rst).
bool tiles_allowed() {
#ifdef __linux__
  constexpr long kRequest = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequest, kTileData) == 0;
#else
  return false;
#endif
}

// Intel SDM vol. 2A (CPUID) and vol. 1, 13.3 (XCR0 bits: 1 SSE, 2 AVX, 5-7 AVX-512 state, 17 and 18 tiles).
struct Cpu {
  bool avx2 = false;
  bool avx512 = false;
  bool vnni = false;
  bool amx = false;

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
    amx = vnni && (low & 0x60000) == 0x60000 && bit(d, 22) && bit(d, 24) && bit(d, 25) && tiles_allowed();
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

// Products of the tiles of this machine and of their emulation, which must be the same to the bit: of few
// rows, and of several tiles of rows and a last one of few, over several slabs of columns.
bool tiles_are_right(const Kernels& kernels) {
  constexpr size_t kRows = 37, kCols = kTileCols + 2 * kStepCols,
                   kTiles = (kRows + kTileRows - 1) / kTileRows;
  constexpr size_t kChunkBytes = 2 * 2 * kBlockRows + kPanels * unit_bytes(Codes::U4);
  constexpr size_t kBytes = kCols / kUnitCols * kChunkBytes;
  const PackedFormat format{Codes::U4, Scales::Half, true, kUnitCols, kUnitCols, kChunkBytes};
  alignas(64) static thread_local std::byte block[kBytes];
  alignas(64) static thread_local int16_t numbers[kTiles * kTileRows * kCols];
  alignas(64) static thread_local float x[kRows * kCols], sums[2][kRows * kBlockRows];
  uint32_t state = 1;
  const auto next = [&] { return state = state * 1664525u + 1013904223u; };
  for (float& value : x) value = static_cast<float>(static_cast<int32_t>(next())) * 0x1p-30f;
  for (std::byte& each : block) each = static_cast<std::byte>(next() >> 24);
  for (size_t chunk = 0; chunk < kBytes; chunk += kChunkBytes) {
    for (size_t i = 0; i < 2 * kBlockRows; ++i) {
      const auto ordinary = static_cast<uint16_t>(0x3000 | next() >> 20);  // f16
      std::memcpy(block + chunk + 2 * i, &ordinary, 2);
    }
  }
  const TileRows rows{numbers, kTiles, kCols};
  const Kernels* sets[] = {&kernels, amx_emulated_kernels()};
  for (const size_t few : {size_t{0}, size_t{3}, kFewTileRows}) {
    for (int i = 0; i < 2; ++i) {
      const TileProducts& tiles = *sets[i]->tiles;
      for (size_t tile = 0; tile < kTiles; ++tile) {
        const size_t first = tile * kTileRows, now = kRows - first < kTileRows ? kRows - first : kTileRows;
        tiles.round(x + first * kCols, kCols, now, tile, 0, kCols, rows);
      }
      if (few == 0) {
        tiles.many(format, block, kBytes, 1, rows, kRows, sums[i], kBlockRows);
      } else {
        tiles.few(format, block, rows, 0, few, sums[i], kBlockRows);
      }
    }
    if (std::memcmp(sums[0], sums[1], sizeof sums[0]) != 0) return false;
  }
  return true;
}

bool trial_is_right(const Kernels& kernels) {
  if (!products_are_right(kernels)) return false;
  if (std::strcmp(kernels.name, "amx") == 0 && !(tiles_are_right(kernels) && amx_bytes_are_right())) {
    return false;
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
    // What makes a set is built for its instructions too, so it is not even asked for where they are not
    // listed.
    const auto add = [&](bool listed, const Kernels* (*make)()) {
      const Kernels* const set = listed ? make() : nullptr;
      if (set != nullptr && trial_runs(*set)) found.push_back(set);
    };
    // The first is the default. Not amx: it reads twice as fast, but writes slower (docs/speed.md), and gives
    // other bits than the rest.
    add(cpu.vnni, avx512_kernels);
    add(cpu.amx, amx_kernels);
    add(cpu.avx512, avx512bw_kernels);
    add(cpu.avx2, avx2_kernels);
    found.push_back(scalar_kernels());
    return found;
  }();
  return sets;
}

}  // namespace

const Kernels& kernel_set(const std::string& name, bool exact) {
  const std::vector<const Kernels*>& sets = available();
  if (name.empty()) return *sets.front();  // which is exact
  // Not among those found: nobody wants it but tests.
  static const Kernels* const emulated = [] {
    const Kernels* const set = Cpu().vnni ? amx_emulated_kernels() : nullptr;
    return set != nullptr && trial_runs(*set) ? set : nullptr;
  }();
  std::string names;
  const Kernels* found = emulated != nullptr && name == emulated->name ? emulated : nullptr;
  for (const Kernels* set : sets) {
    if (name == set->name) found = set;
    if (set->tiles == nullptr || !exact) names += (names.empty() ? "" : ", ") + std::string(set->name);
  }
  if (found != nullptr && exact && found->tiles != nullptr) {
    throw Error("the instruction set '" + name +
                "' rounds products, and exact ones were asked for; they are had by: " + names);
  }
  if (found != nullptr) return *found;
  throw Error("no instruction set '" + name + "' on this machine; LONGLEAF_ISA can be one of: " + names);
}

const Kernels& exact_set(const Kernels& set) { return set.tiles == nullptr ? set : *avx512_kernels(); }

std::vector<std::string> kernel_set_names() {
  std::vector<std::string> names;
  for (const Kernels* set : available()) names.emplace_back(set->name);
  return names;
}

}  // namespace longleaf

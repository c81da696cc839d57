#include "runtime/probe.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include "runtime/memory.h"

namespace longleaf {
namespace {

constexpr int kRounds = 4096;
constexpr int kRuns = 5;                          // the best counts: others share the machine
constexpr double kLeastSeconds = 0.01;            // of one run
constexpr size_t kReadBytes = size_t{768} << 20;  // larger than the last-level caches of today's servers

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// One burst of multiply-adds in registers; returns how many it did. `sink` keeps the compiler from dropping
// it.
using Burst = double (*)(volatile float* sink);

// Independent chains enough to cover four cycles of latency on two units.
constexpr int kChains = 12;

double burst_scalar(volatile float* sink) {
  float a[kChains] = {}, x = sink[0];
  for (int i = 0; i < kRounds; ++i) {
    for (float& each : a) each = each * x + x;
    asm volatile("" : "+m"(a));
  }
  for (float each : a) *sink = each;
  return static_cast<double>(kRounds) * kChains;
}

#if defined(__x86_64__)

// Twelve named variables: an array would live in memory. The empty asm is what uses the results.
// clang-format off: it never comes to rest on this one
#define LL_STEP(A, STEP) A = STEP(x, A); asm volatile("" : "+v"(A));
#define LL_BURST(NAME, TARGET, VECTOR, ZERO, STEP, PER_STEP)                    \
  __attribute__((target(TARGET))) double NAME(volatile float* sink) {           \
    VECTOR x = ZERO;                                                            \
    asm volatile("" : "+v"(x));                                                 \
    VECTOR a0 = x, a1 = x, a2 = x, a3 = x, a4 = x, a5 = x;                      \
    VECTOR a6 = x, a7 = x, a8 = x, a9 = x, a10 = x, a11 = x;                    \
    for (int i = 0; i < kRounds; ++i) {                                         \
      LL_STEP(a0, STEP) LL_STEP(a1, STEP) LL_STEP(a2, STEP) LL_STEP(a3, STEP)   \
      LL_STEP(a4, STEP) LL_STEP(a5, STEP) LL_STEP(a6, STEP) LL_STEP(a7, STEP)   \
      LL_STEP(a8, STEP) LL_STEP(a9, STEP) LL_STEP(a10, STEP) LL_STEP(a11, STEP) \
    }                                                                           \
    *sink = 0;                                                                  \
    return static_cast<double>(kRounds) * kChains * (PER_STEP);                 \
  }
// clang-format on

#define LL_FMA256(x, a) _mm256_fmadd_ps(x, x, a)
#define LL_FMA512(x, a) _mm512_fmadd_ps(x, x, a)
#define LL_INT256(x, a) _mm256_add_epi32(a, _mm256_madd_epi16(x, x))
#define LL_INT512(x, a) _mm512_add_epi32(a, _mm512_madd_epi16(x, x))
#define LL_VNNI512(x, a) _mm512_dpwssd_epi32(a, x, x)
LL_BURST(burst_fma_avx2, "avx2,fma", __m256, _mm256_setzero_ps(), LL_FMA256, 8)
LL_BURST(burst_fma_avx512, "avx512f", __m512, _mm512_setzero_ps(), LL_FMA512, 16)
// Two instructions where there is no fused one.
LL_BURST(burst_int_avx2, "avx2", __m256i, _mm256_setzero_si256(), LL_INT256, 16)
LL_BURST(burst_int_avx512, "avx512f,avx512bw", __m512i, _mm512_setzero_si512(), LL_INT512, 32)
LL_BURST(burst_int_vnni, "avx512f,avx512bw,avx512vnni", __m512i, _mm512_setzero_si512(), LL_VNNI512, 32)

// Written out: the unit is built for any x86-64. A tile product is of 16 rows by 16 columns by 32.
double burst_tiles(volatile float*) {
  struct Config {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  };
  alignas(64) static const Config config;
  asm volatile("ldtilecfg %0" ::"m"(config) : "memory");
  for (int i = 0; i < kRounds / 16; ++i) {
    asm volatile(
        "tdpbf16ps %tmm6, %tmm4, %tmm0\n tdpbf16ps %tmm7, %tmm4, %tmm1\n"
        "tdpbf16ps %tmm6, %tmm5, %tmm2\n tdpbf16ps %tmm7, %tmm5, %tmm3");
  }
  asm volatile("tilerelease" ::: "memory");
  return kRounds / 16 * 4.0 * 16 * 16 * 32;
}
#undef LL_BURST
#undef LL_STEP
#undef LL_FMA256
#undef LL_FMA512
#undef LL_INT256
#undef LL_INT512
#undef LL_VNNI512

#endif

double rate(ThreadPool& pool, Burst burst) {
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::atomic<double> total{0};
    const double start = now();
    // As many units as threads: each takes one, the pool has nothing else to hand out.
    pool.run(static_cast<size_t>(pool.size()), [&](size_t, int) {
      volatile float sink[16] = {};
      double mine = 0;
      while (now() - start < kLeastSeconds) mine += burst(sink);
      double seen = total.load();
      while (!total.compare_exchange_weak(seen, seen + mine)) {
      }
    });
    best = std::max(best, total.load() / (now() - start));
  }
  return best;
}

double read_rate(ThreadPool& pool) {
  const size_t threads = static_cast<size_t>(pool.size());
  const size_t part = std::min(kReadBytes, available_memory() / 4) / threads / 4096 * 4096;
  if (part == 0) return 0;
  const Memory memory(part * threads);
  pool.run(threads, [&](size_t unit, int) { std::memset(memory.data() + unit * part, 1, part); });
  double best = 0;
  for (int run = 0; run < 3; ++run) {
    std::atomic<uint64_t> sink{0};
    const double start = now();
    pool.run(threads, [&](size_t unit, int) {
      const auto* words = reinterpret_cast<const uint64_t*>(memory.data() + unit * part);
      uint64_t sums[8] = {};
      for (size_t i = 0; i + 64 <= part / sizeof(uint64_t); i += 64) {
        __builtin_prefetch(words + i + 512);
        __builtin_prefetch(words + i + 512 + 8);
        for (size_t j = 0; j < 64; j += 8) {
          for (size_t k = 0; k < 8; ++k) sums[k] += words[i + j + k];
        }
      }
      uint64_t sum = 0;
      for (uint64_t each : sums) sum += each;
      sink.fetch_add(sum);
    });
    best = std::max(best, static_cast<double>(part * threads) / (now() - start));
  }
  return best;
}

}  // namespace

Rates probe_rates(ThreadPool& pool, const char* isa) {
  Burst floats = burst_scalar;
  Burst integers = nullptr;
  Burst tiles = nullptr;
#if defined(__x86_64__)
  if (std::strcmp(isa, "amx") == 0) tiles = burst_tiles;
  const bool wide = std::strncmp(isa, "scalar", 6) != 0;
  const bool widest = wide && std::strncmp(isa, "avx2", 4) != 0;
  if (widest) {
    floats = burst_fma_avx512;
    integers = __builtin_cpu_supports("avx512vnni") ? burst_int_vnni : burst_int_avx512;
  } else if (wide) {
    floats = burst_fma_avx2;
    integers = burst_int_avx2;
  }
#else
  (void)isa;
#endif
  const auto rate_of = [&](Burst burst) { return burst == nullptr ? 0 : rate(pool, burst); };
  return {rate(pool, floats), rate_of(integers), rate_of(tiles), read_rate(pool)};
}

}  // namespace longleaf

// Plain C++ for every target: the oracle of the other sets. The compiler vectorises the loops for the
// baseline.
#include "kernels/half.h"
#include "kernels/kernels.h"

namespace longleaf {
namespace {

constexpr const char* kName = "scalar";
constexpr int kMr = 2;
constexpr int kNp = 1;
constexpr int kGemvPanels = 1;
constexpr size_t kPrefetchBytes = 4096;

#define LL_LEAF static inline __attribute__((always_inline))
struct Vec {
  float lane[16];
};
struct Table {
  const float* values;
};
struct Codes4 {
  uint32_t row[16];
};

template <class F>
LL_LEAF Vec map(F&& f) {
  Vec out;
  for (int i = 0; i < 16; ++i) out.lane[i] = f(i);
  return out;
}
LL_LEAF Vec load(const float* p) {
  return map([&](int i) { return p[i]; });
}
LL_LEAF void store(float* p, Vec v) {
  for (int i = 0; i < 16; ++i) p[i] = v.lane[i];
}
LL_LEAF Vec splat(float x) {
  return map([&](int) { return x; });
}
LL_LEAF Vec add(Vec a, Vec b) {
  return map([&](int i) { return a.lane[i] + b.lane[i]; });
}
LL_LEAF Vec sub(Vec a, Vec b) {
  return map([&](int i) { return a.lane[i] - b.lane[i]; });
}
LL_LEAF Vec mul(Vec a, Vec b) {
  return map([&](int i) { return a.lane[i] * b.lane[i]; });
}
LL_LEAF Vec div(Vec a, Vec b) {
  return map([&](int i) { return a.lane[i] / b.lane[i]; });
}
LL_LEAF Vec max(Vec a, Vec b) {
  return map([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
}
LL_LEAF Vec min(Vec a, Vec b) {
  return map([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
}
LL_LEAF Vec fma(Vec a, Vec b, Vec c) {
  return map([&](int i) { return a.lane[i] * b.lane[i] + c.lane[i]; });
}
// Adding and taking away 1.5 * 2^23 rounds to the nearest integer for |x| < 2^22.
LL_LEAF Vec round(Vec a) {
  return map([&](int i) { return (a.lane[i] + 12582912.0f) - 12582912.0f; });
}
LL_LEAF float power_of_two(int n) {
  const uint32_t bits = static_cast<uint32_t>(n + 127) << 23;
  float out;
  __builtin_memcpy(&out, &bits, sizeof out);
  return out;
}
// In two steps because 2^128 is no float. n is a small integer, or NaN for a NaN argument.
LL_LEAF Vec exp_scale(Vec p, Vec n) {
  return map([&](int i) {
    const int whole = n.lane[i] == n.lane[i] ? static_cast<int>(n.lane[i]) : 0;
    const int part = whole / 2;
    return p.lane[i] * power_of_two(part) * power_of_two(whole - part);
  });
}
LL_LEAF Vec zero_below(Vec x, Vec low, Vec y) {
  return map([&](int i) { return x.lane[i] < low.lane[i] ? 0.0f : y.lane[i]; });
}
LL_LEAF Vec load_i8(const int8_t* p) {
  return map([&](int i) { return static_cast<float>(p[i]); });
}
LL_LEAF Vec load_u8(const uint8_t* p) {
  return map([&](int i) { return static_cast<float>(p[i]); });
}
LL_LEAF Vec load_f16(const uint16_t* p) {
  return map([&](int i) { return half_to_float(p[i]); });
}
LL_LEAF void store_f16(uint16_t* p, Vec v) {
  for (int i = 0; i < 16; ++i) p[i] = float_to_half(v.lane[i]);
}
LL_LEAF Vec load_bf16(const uint16_t* p) {
  return map([&](int i) { return brain_to_float(p[i]); });
}
LL_LEAF Table prepare_table(const float* t) { return {t}; }
LL_LEAF Codes4 load_codes4(const std::byte* p) {
  Codes4 out;
  __builtin_memcpy(&out, p, sizeof out);
  return out;
}
template <int Shift>
LL_LEAF Vec lookup(Codes4 codes, Table table) {
  return map([&](int i) { return table.values[(codes.row[i] >> Shift) & 15]; });
}
LL_LEAF float reduce_add(Vec v) {
  for (int width = 8; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) v.lane[i] += v.lane[i + width];
  }
  return v.lane[0];
}
LL_LEAF float reduce_max(Vec v) {
  float out = v.lane[0];
  for (int i = 1; i < 16; ++i) out = v.lane[i] > out ? v.lane[i] : out;
  return out;
}
// v where low <= first + lane < high, else other.
LL_LEAF Vec select_range(Vec v, Vec other, size_t first, size_t low, size_t high) {
  return map([&](int i) {
    const size_t at = first + static_cast<size_t>(i);
    return at >= low && at < high ? v.lane[i] : other.lane[i];
  });
}
LL_LEAF void prefetch(const std::byte* p) { __builtin_prefetch(p); }

#include "kernels/body.inc"

}  // namespace

const Kernels* scalar_kernels() { return &kTable; }

}  // namespace longleaf

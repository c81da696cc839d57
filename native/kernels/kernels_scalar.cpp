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
// Vectors of the language extension, not of a machine: the compiler takes them apart. They never cross a
// call.
#pragma GCC diagnostic ignored "-Wpsabi"
typedef float Vec __attribute__((vector_size(64)));
typedef int32_t Ints __attribute__((vector_size(64)));
typedef uint32_t Words __attribute__((vector_size(64)));
typedef int8_t SmallInts __attribute__((vector_size(16)));
typedef uint8_t SmallWords __attribute__((vector_size(16)));
typedef uint16_t Halves __attribute__((vector_size(32)));
struct Table {
  const float* values;
};
using Codes4 = Words;

template <class V>
LL_LEAF V load_as_vector(const void* p) {
  V v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
LL_LEAF Vec load(const float* p) { return load_as_vector<Vec>(p); }
LL_LEAF void store(float* p, Vec v) { __builtin_memcpy(p, &v, sizeof v); }
LL_LEAF Vec splat(float x) { return Vec{} + x; }
LL_LEAF Vec add(Vec a, Vec b) { return a + b; }
LL_LEAF Vec sub(Vec a, Vec b) { return a - b; }
LL_LEAF Vec mul(Vec a, Vec b) { return a * b; }
LL_LEAF Vec div(Vec a, Vec b) { return a / b; }
LL_LEAF Vec max(Vec a, Vec b) { return a > b ? a : b; }
LL_LEAF Vec min(Vec a, Vec b) { return a < b ? a : b; }
LL_LEAF Vec fma(Vec a, Vec b, Vec c) { return a * b + c; }
// Adding and taking away 1.5 * 2^23 rounds to the nearest integer for |x| < 2^22.
LL_LEAF Vec round(Vec a) { return (a + 12582912.0f) - 12582912.0f; }
LL_LEAF Vec power_of_two(Ints n) { return reinterpret_cast<Vec>((n + 127) << 23); }
// In two steps because 2^128 is no float. n is a small whole number.
LL_LEAF Vec exp_scale(Vec p, Vec n) {
  const Ints whole = __builtin_convertvector(n, Ints);
  const Ints part = whole >> 1;
  return p * power_of_two(part) * power_of_two(whole - part);
}
LL_LEAF Vec zero_below(Vec x, Vec low, Vec y) { return x < low ? Vec{} : y; }
LL_LEAF Vec load_i8(const int8_t* p) { return __builtin_convertvector(load_as_vector<SmallInts>(p), Vec); }
LL_LEAF Vec load_u8(const uint8_t* p) { return __builtin_convertvector(load_as_vector<SmallWords>(p), Vec); }
LL_LEAF Vec load_bf16(const uint16_t* p) {
  return reinterpret_cast<Vec>(__builtin_convertvector(load_as_vector<Halves>(p), Words) << 16);
}
// The exponent is moved to its place and then, 112 too small, mended by a multiplication, which is exact and
// makes subnormal numbers normal; infinities and NaNs get the largest exponent instead.
LL_LEAF Vec load_f16(const uint16_t* p) {
  const Words half = __builtin_convertvector(load_as_vector<Halves>(p), Words);
  const Words magnitude = (half & 0x7FFFu) << 13;
  const Words finite = reinterpret_cast<Words>(reinterpret_cast<Vec>(magnitude) * 0x1p112f);
  const Words bits = magnitude >= 0x0F800000u ? magnitude | 0x7F800000u : finite;
  return reinterpret_cast<Vec>(bits | (half & 0x8000u) << 16);
}
LL_LEAF void store_f16(uint16_t* p, Vec v) {
  for (int i = 0; i < 16; ++i) p[i] = float_to_half(v[i]);
}
LL_LEAF Table prepare_table(const float* t) { return {t}; }
LL_LEAF Codes4 load_codes4(const std::byte* p) { return load_as_vector<Words>(p); }
template <int Shift>
LL_LEAF Vec lookup(Codes4 codes, Table table) {
  Vec out{};
  for (int i = 0; i < 16; ++i) out[i] = table.values[(codes[i] >> Shift) & 15];
  return out;
}
LL_LEAF float reduce_add(Vec v) {
  float lane[16];
  store(lane, v);
  for (int width = 8; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) lane[i] += lane[i + width];
  }
  return lane[0];
}
LL_LEAF float reduce_max(Vec v) {
  float out = v[0];
  for (int i = 1; i < 16; ++i) out = v[i] > out ? v[i] : out;
  return out;
}
// v where low <= first + lane < high, else other.
LL_LEAF Vec select_range(Vec v, Vec other, size_t first, size_t low, size_t high) {
  const Ints lane = Ints{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} + static_cast<int32_t>(first);
  return (lane >= static_cast<int32_t>(low)) & (lane < static_cast<int32_t>(high)) ? v : other;
}
LL_LEAF void prefetch(const std::byte* p) { __builtin_prefetch(p); }

#include "kernels/body.inc"

}  // namespace

const Kernels* scalar_kernels() { return &kTable; }

}  // namespace longleaf

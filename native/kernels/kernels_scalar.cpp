// Plain C++ for every target: the oracle of the other sets. The compiler vectorises the loops for the
// baseline.
#include "kernels/half.h"
#include "kernels/kernels.h"

namespace longleaf {
namespace {

constexpr const char* kName = "scalar";
constexpr int kMr = 2;
constexpr int kNp = 1;
constexpr int kCodeRows = 2;
constexpr int kCodePanels = 1;
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
typedef int16_t Shorts __attribute__((vector_size(64)));
struct ByteTable {
  const int8_t* values;
};

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
// One rounding, as the other sets have it. An external function of C, so that no copy of it is made here.
LL_LEAF Vec exact_fma(Vec a, Vec b, Vec c) {
  Vec out{};
  for (int i = 0; i < 16; ++i) out[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return out;
}
LL_LEAF Words load_words(const void* p) { return load_as_vector<Words>(p); }
LL_LEAF void store_words(void* p, Words v) { __builtin_memcpy(p, &v, sizeof v); }
LL_LEAF Words splat_words(int32_t x) { return Words{} + static_cast<uint32_t>(x); }
LL_LEAF Words and_words(Words v, uint32_t mask) { return v & mask; }
LL_LEAF Words or_words(Words a, Words b) { return a | b; }
template <int Bits>
LL_LEAF Words shift_right(Words v) {
  return v >> Bits;
}
template <int Bits>
LL_LEAF Words shift_left(Words v) {
  return v << Bits;
}
// The signed bytes 0 and 2, or 1 and 3, of a dword as 16 bits.
LL_LEAF Words even_signed(Words v) {
  return reinterpret_cast<Words>(reinterpret_cast<Shorts>(reinterpret_cast<Shorts>(v) << 8) >> 8);
}
LL_LEAF Words odd_signed(Words v) { return reinterpret_cast<Words>(reinterpret_cast<Shorts>(v) >> 8); }
LL_LEAF Words minus_words16(Words v, int16_t x) {
  return reinterpret_cast<Words>(reinterpret_cast<Shorts>(v) - x);
}
LL_LEAF ByteTable prepare_bytes(const int8_t* t) { return {t}; }
LL_LEAF Words lookup_bytes(ByteTable table, Words nibbles) {
  uint8_t bytes[64];
  __builtin_memcpy(bytes, &nibbles, sizeof bytes);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(table.values[byte]);
  return load_words(bytes);
}
// sum += a's 16-bit pairs . w's
LL_LEAF Words dot_pairs(Words sum, Words a, Words w) {
  const Ints ai = reinterpret_cast<Ints>(a), wi = reinterpret_cast<Ints>(w);
  const Ints low = (reinterpret_cast<Ints>(a << 16) >> 16) * (reinterpret_cast<Ints>(w << 16) >> 16);
  return sum + reinterpret_cast<Words>(low + (ai >> 16) * (wi >> 16));
}
LL_LEAF Vec to_float(Words v) { return __builtin_convertvector(reinterpret_cast<Ints>(v), Vec); }
// Whole numbers below 2^15 as 16 bits, every four in the order 0, 2, 1, 3.
LL_LEAF void store_codes(int16_t* p, Vec v) {
  const Ints codes = __builtin_convertvector(v, Ints);
  for (int i = 0; i < 16; i += 4) {
    p[i] = static_cast<int16_t>(codes[i]);
    p[i + 1] = static_cast<int16_t>(codes[i + 2]);
    p[i + 2] = static_cast<int16_t>(codes[i + 1]);
    p[i + 3] = static_cast<int16_t>(codes[i + 3]);
  }
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

// AVX2, FMA and F16C: a vector of 16 is two registers.
#include "kernels/kernels.h"

#ifdef __AVX2__
#include <immintrin.h>

namespace longleaf {
namespace {

constexpr const char* kName = "avx2";
constexpr int kMr = 6;  // 6 rows x 1 panel: 12 of 16 registers accumulate
constexpr int kNp = 1;
constexpr int kGemvPanels = 2;
constexpr size_t kPrefetchBytes = 4096;

#define LL_LEAF static inline __attribute__((always_inline))
struct Vec {
  __m256 a, b;
};
struct Table {
  __m256i levels;  // the 16 levels plus 128 as bytes, twice
};
struct Codes4 {
  __m256i a, b;
};

LL_LEAF Vec load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
LL_LEAF void store(float* p, Vec v) {
  _mm256_storeu_ps(p, v.a);
  _mm256_storeu_ps(p + 8, v.b);
}
LL_LEAF Vec splat(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
LL_LEAF Vec add(Vec x, Vec y) { return {_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)}; }
LL_LEAF Vec sub(Vec x, Vec y) { return {_mm256_sub_ps(x.a, y.a), _mm256_sub_ps(x.b, y.b)}; }
LL_LEAF Vec mul(Vec x, Vec y) { return {_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)}; }
LL_LEAF Vec div(Vec x, Vec y) { return {_mm256_div_ps(x.a, y.a), _mm256_div_ps(x.b, y.b)}; }
LL_LEAF Vec max(Vec x, Vec y) { return {_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)}; }
LL_LEAF Vec min(Vec x, Vec y) { return {_mm256_min_ps(x.a, y.a), _mm256_min_ps(x.b, y.b)}; }
LL_LEAF Vec fma(Vec x, Vec y, Vec z) {
  return {_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)};
}
LL_LEAF __m256 round_half(__m256 x) {
  return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
LL_LEAF Vec round(Vec x) { return {round_half(x.a), round_half(x.b)}; }
// p * 2^n for |n| <= 128, in two steps because 2^128 is no float.
LL_LEAF __m256 power_of_two(__m256i n) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}
LL_LEAF __m256 exp_scale_half(__m256 p, __m256 n) {
  const __m256i whole = _mm256_cvtps_epi32(n);
  const __m256i part = _mm256_srai_epi32(whole, 1);
  return _mm256_mul_ps(_mm256_mul_ps(p, power_of_two(part)), power_of_two(_mm256_sub_epi32(whole, part)));
}
LL_LEAF Vec exp_scale(Vec p, Vec n) { return {exp_scale_half(p.a, n.a), exp_scale_half(p.b, n.b)}; }
LL_LEAF Vec zero_below(Vec x, Vec low, Vec y) {
  return {_mm256_and_ps(_mm256_cmp_ps(x.a, low.a, _CMP_NLT_UQ), y.a),
          _mm256_and_ps(_mm256_cmp_ps(x.b, low.b, _CMP_NLT_UQ), y.b)};
}
LL_LEAF __m128i load_8_bytes(const void* p) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); }
LL_LEAF Vec load_i8(const int8_t* p) {
  return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(load_8_bytes(p))),
          _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(load_8_bytes(p + 8)))};
}
LL_LEAF Vec load_u8(const uint8_t* p) {
  return {_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(load_8_bytes(p))),
          _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(load_8_bytes(p + 8)))};
}
LL_LEAF __m128i load_16_bytes(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
LL_LEAF Vec load_f16(const uint16_t* p) {
  return {_mm256_cvtph_ps(load_16_bytes(p)), _mm256_cvtph_ps(load_16_bytes(p + 8))};
}
LL_LEAF void store_f16(uint16_t* p, Vec v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v.a, _MM_FROUND_TO_NEAREST_INT));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p + 8), _mm256_cvtps_ph(v.b, _MM_FROUND_TO_NEAREST_INT));
}
LL_LEAF __m256 bf16_half(__m128i x) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(x), 16));
}
LL_LEAF Vec load_bf16(const uint16_t* p) {
  return {bf16_half(load_16_bytes(p)), bf16_half(load_16_bytes(p + 8))};
}
LL_LEAF Table prepare_table(const float* t) {
  alignas(32) uint8_t bytes[32];
  for (int i = 0; i < 32; ++i) bytes[i] = static_cast<uint8_t>(static_cast<int>(t[i & 15]) + 128);
  return {_mm256_load_si256(reinterpret_cast<const __m256i*>(bytes))};
}
LL_LEAF Codes4 load_codes4(const std::byte* p) {
  return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32))};
}
// A byte shuffle looks up all eight nibbles of a dword at once (even and odd ones apart; the compiler shares
// that between the columns), a second one moves a column's byte to the bottom of a float 2^23 + level + 128.
template <int Shift>
LL_LEAF __m256 lookup_half(__m256i codes, Table table) {
  constexpr int kByte = Shift / 8;
  const __m256i nibbles =
      _mm256_and_si256(Shift % 8 == 0 ? codes : _mm256_srli_epi32(codes, 4), _mm256_set1_epi8(15));
  const __m256i levels = _mm256_shuffle_epi8(table.levels, nibbles);
  constexpr int kNone = static_cast<int>(0x80808000u);
  const __m256i select =
      _mm256_setr_epi32(kNone | kByte, kNone | (kByte + 4), kNone | (kByte + 8), kNone | (kByte + 12),
                        kNone | kByte, kNone | (kByte + 4), kNone | (kByte + 8), kNone | (kByte + 12));
  const __m256i biased = _mm256_or_si256(_mm256_shuffle_epi8(levels, select), _mm256_set1_epi32(0x4B000000));
  return _mm256_sub_ps(_mm256_castsi256_ps(biased), _mm256_set1_ps(8388608.0f + 128.0f));
}
template <int Shift>
LL_LEAF Vec lookup(Codes4 codes, Table table) {
  return {lookup_half<Shift>(codes.a, table), lookup_half<Shift>(codes.b, table)};
}
LL_LEAF float reduce_add(Vec v) {
  const __m256 eight = _mm256_add_ps(v.a, v.b);
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  four = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(four, _mm_shuffle_ps(four, four, 1)));
}
LL_LEAF float reduce_max(Vec v) {
  const __m256 eight = _mm256_max_ps(v.a, v.b);
  __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  four = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(four, _mm_shuffle_ps(four, four, 1)));
}
// v where low <= first + lane < high, else other.
LL_LEAF __m256 select_half(__m256 v, __m256 other, int first, int low, int high) {
  const __m256i lane = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(first));
  const __m256i inside = _mm256_andnot_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(low), lane),
                                             _mm256_cmpgt_epi32(_mm256_set1_epi32(high), lane));
  return _mm256_blendv_ps(other, v, _mm256_castsi256_ps(inside));
}
LL_LEAF Vec select_range(Vec v, Vec other, size_t first, size_t low, size_t high) {
  const int f = static_cast<int>(first), l = static_cast<int>(low), h = static_cast<int>(high);
  return {select_half(v.a, other.a, f, l, h), select_half(v.b, other.b, f + 8, l, h)};
}
LL_LEAF void prefetch(const std::byte* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }

#include "kernels/body.inc"

}  // namespace

const Kernels* avx2_kernels() { return &kTable; }

}  // namespace longleaf

#else

namespace longleaf {
const Kernels* avx2_kernels() { return nullptr; }
}  // namespace longleaf

#endif

// AVX2, FMA and F16C: a vector of 16 is two registers.
#include "kernels/kernels.h"

#ifdef __AVX2__
#include <immintrin.h>

namespace longleaf {
namespace {

constexpr const char* kName = "avx2";
constexpr int kMr = 6;  // 6 rows x 1 panel: 12 of 16 registers accumulate
constexpr int kNp = 1;
constexpr int kCodeRows = 6;
constexpr int kCodePanels = 1;
constexpr int kGemvPanels = 2;
constexpr size_t kPrefetchBytes = 4096;

#define LL_LEAF static inline __attribute__((always_inline))
struct Vec {
  __m256 a, b;
};
struct Words {
  __m256i a, b;
};
using ByteTable = __m256i;

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
LL_LEAF Vec exact_fma(Vec x, Vec y, Vec z) { return fma(x, y, z); }
LL_LEAF Words load_words(const void* p) {
  const auto* half = static_cast<const __m256i*>(p);
  return {_mm256_loadu_si256(half), _mm256_loadu_si256(half + 1)};
}
LL_LEAF void store_words(void* p, Words v) {
  auto* half = static_cast<__m256i*>(p);
  _mm256_storeu_si256(half, v.a);
  _mm256_storeu_si256(half + 1, v.b);
}
LL_LEAF Words splat_words(int32_t x) { return {_mm256_set1_epi32(x), _mm256_set1_epi32(x)}; }
LL_LEAF Words and_words(Words v, uint32_t mask) {
  const __m256i m = _mm256_set1_epi32(static_cast<int32_t>(mask));
  return {_mm256_and_si256(v.a, m), _mm256_and_si256(v.b, m)};
}
LL_LEAF Words or_words(Words x, Words y) { return {_mm256_or_si256(x.a, y.a), _mm256_or_si256(x.b, y.b)}; }
template <int Bits>
LL_LEAF Words shift_right(Words v) {
  return {_mm256_srli_epi32(v.a, Bits), _mm256_srli_epi32(v.b, Bits)};
}
template <int Bits>
LL_LEAF Words shift_left(Words v) {
  return {_mm256_slli_epi32(v.a, Bits), _mm256_slli_epi32(v.b, Bits)};
}
// The signed bytes 0 and 2, or 1 and 3, of a dword as 16 bits.
LL_LEAF Words odd_signed(Words v) { return {_mm256_srai_epi16(v.a, 8), _mm256_srai_epi16(v.b, 8)}; }
LL_LEAF Words even_signed(Words v) {
  return odd_signed({_mm256_slli_epi16(v.a, 8), _mm256_slli_epi16(v.b, 8)});
}
LL_LEAF Words minus_words16(Words v, int16_t x) {
  return {_mm256_sub_epi16(v.a, _mm256_set1_epi16(x)), _mm256_sub_epi16(v.b, _mm256_set1_epi16(x))};
}
LL_LEAF ByteTable prepare_bytes(const int8_t* t) { return _mm256_broadcastsi128_si256(load_16_bytes(t)); }
LL_LEAF Words lookup_bytes(ByteTable table, Words nibbles) {
  return {_mm256_shuffle_epi8(table, nibbles.a), _mm256_shuffle_epi8(table, nibbles.b)};
}
// sum += a's 16-bit pairs . w's
LL_LEAF Words dot_pairs(Words sum, Words a, Words w) {
  return {_mm256_add_epi32(sum.a, _mm256_madd_epi16(a.a, w.a)),
          _mm256_add_epi32(sum.b, _mm256_madd_epi16(a.b, w.b))};
}
LL_LEAF Vec to_float(Words v) { return {_mm256_cvtepi32_ps(v.a), _mm256_cvtepi32_ps(v.b)}; }
// Whole numbers below 2^15 as 16 bits, every four in the order 0, 2, 1, 3.
LL_LEAF void store_codes(int16_t* p, Vec v) {
  // Packing works within 128 bits: the middle two quarters have to change places.
  const __m256i codes =
      _mm256_permute4x64_epi64(_mm256_packs_epi32(_mm256_cvtps_epi32(v.a), _mm256_cvtps_epi32(v.b)), 0xD8);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(codes, 0xD8), 0xD8));
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

// AVX-512 (F, BW, VL, DQ) and F16C.
#include "kernels/kernels.h"

#ifdef __AVX512F__
#include <immintrin.h>

namespace longleaf {
namespace {

constexpr const char* kName = "avx512";
constexpr int kMr = 12;  // 12 rows x 2 panels: 24 of 32 registers accumulate
constexpr int kNp = 2;
constexpr int kGemvPanels = 4;
constexpr size_t kPrefetchBytes = 4096;

#define LL_LEAF static inline __attribute__((always_inline))
using Vec = __m512;
using Table = __m512;
using Codes4 = __m512i;

LL_LEAF Vec load(const float* p) { return _mm512_loadu_ps(p); }
LL_LEAF void store(float* p, Vec v) { _mm512_storeu_ps(p, v); }
LL_LEAF Vec splat(float x) { return _mm512_set1_ps(x); }
LL_LEAF Vec add(Vec a, Vec b) { return _mm512_add_ps(a, b); }
LL_LEAF Vec sub(Vec a, Vec b) { return _mm512_sub_ps(a, b); }
LL_LEAF Vec mul(Vec a, Vec b) { return _mm512_mul_ps(a, b); }
LL_LEAF Vec div(Vec a, Vec b) { return _mm512_div_ps(a, b); }
LL_LEAF Vec max(Vec a, Vec b) { return _mm512_max_ps(a, b); }
LL_LEAF Vec min(Vec a, Vec b) { return _mm512_min_ps(a, b); }
LL_LEAF Vec fma(Vec a, Vec b, Vec c) { return _mm512_fmadd_ps(a, b, c); }
LL_LEAF Vec round(Vec a) { return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
LL_LEAF Vec exp_scale(Vec p, Vec n) { return _mm512_scalef_ps(p, n); }
LL_LEAF Vec zero_below(Vec x, Vec low, Vec y) {
  return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, low, _CMP_NLT_UQ), y);
}
LL_LEAF Vec load_i8(const int8_t* p) {
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
LL_LEAF Vec load_u8(const uint8_t* p) {
  return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
LL_LEAF Vec load_f16(const uint16_t* p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
LL_LEAF void store_f16(uint16_t* p, Vec v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}
LL_LEAF Vec load_bf16(const uint16_t* p) {
  const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}
LL_LEAF Table prepare_table(const float* t) { return _mm512_loadu_ps(t); }
LL_LEAF Codes4 load_codes4(const std::byte* p) { return _mm512_loadu_si512(p); }
// vpermps reads the low four bits of every index only, so no mask is needed.
template <int Shift>
LL_LEAF Vec lookup(Codes4 codes, Table table) {
  return _mm512_permutexvar_ps(_mm512_srli_epi32(codes, Shift), table);
}
LL_LEAF float reduce_add(Vec v) { return _mm512_reduce_add_ps(v); }
LL_LEAF float reduce_max(Vec v) { return _mm512_reduce_max_ps(v); }
// v where low <= first + lane < high, else other.
LL_LEAF Vec select_range(Vec v, Vec other, size_t first, size_t low, size_t high) {
  const uint32_t below = high <= first ? 0 : high - first >= 16 ? 0xFFFFu : (1u << (high - first)) - 1;
  const uint32_t skip = low <= first ? 0 : low - first >= 16 ? 0xFFFFu : (1u << (low - first)) - 1;
  return _mm512_mask_mov_ps(other, static_cast<__mmask16>(below & ~skip), v);
}
LL_LEAF void prefetch(const std::byte* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }

#include "kernels/body.inc"

}  // namespace

const Kernels* avx512_kernels() { return &kTable; }

}  // namespace longleaf

#else

namespace longleaf {
const Kernels* avx512_kernels() { return nullptr; }
}  // namespace longleaf

#endif

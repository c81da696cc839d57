// AVX-512 with VNNI: vpdpwssd adds two products of 16-bit numbers to each of 16 sums, twice the rate of
// vfmadd.
#include "attention/tiles.h"

#ifdef __AVX512VNNI__
#include <immintrin.h>

#include <type_traits>

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))

constexpr size_t kQuads = kPageTokens / 16;  // vectors of a row of scores
constexpr int kBlock = 12;                   // rows of a register block: 12 x 2 of 32 registers accumulate
constexpr size_t kFew = 6;                   // up to so many rows all four panels of scores fit

LL_LEAF __m512 load_brains(const void* p) {
  const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
  return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
}

// 2^x for x <= 0, 0 for x < -150: 2^(x - floor(x)) by a polynomial within 1e-7 that is 1 at 0 exactly.
LL_LEAF __m512 exp2_of(__m512 x) {
  const __m512 r = _mm512_reduce_ps(x, 0x09);  // x - floor(x)
  __m512 p = _mm512_set1_ps(0.0018671416910365224f);
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.009017005562782288f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.0557999312877655f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.24016444385051727f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.6931512951850891f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f));
  return _mm512_scalef_ps(p, x);
}

LL_LEAF __mmask16 first_lanes(size_t n) {
  return n >= 16 ? static_cast<__mmask16>(0xFFFF) : static_cast<__mmask16>((1u << n) - 1);
}

// Those of lanes [first, first + 16) that lie in [low, high).
LL_LEAF __mmask16 lanes_between(size_t first, size_t low, size_t high) {
  const __mmask16 below = high <= first ? __mmask16{0} : first_lanes(high - first);
  const __mmask16 skipped = low <= first ? __mmask16{0} : first_lanes(low - first);
  return static_cast<__mmask16>(below & ~skipped);
}

size_t query_stride(size_t n) { return (n + 31) / 32 * 32 + 16; }

float load_query(const float* x, size_t n, int16_t* codes) {
  __m512 squares = _mm512_setzero_ps();
  for (size_t i = 0; i < n; i += 16) {
    const __m512 v = _mm512_maskz_loadu_ps(first_lanes(n - i), x + i);
    squares = _mm512_fmadd_ps(v, v, squares);
  }
  const float length = __builtin_sqrtf(_mm512_reduce_add_ps(squares));
  const float scale = length / kIntegerLength;
  const __m512 inverse = _mm512_set1_ps(scale > 0 ? 1 / scale : 0);
  for (size_t i = 0; i < (n + 31) / 32 * 32; i += 16) {
    const __m512 v = _mm512_maskz_loadu_ps(i < n ? first_lanes(n - i) : __mmask16{0}, x + i);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + i),
                        _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(_mm512_mul_ps(v, inverse))));
  }
  return scale;
}

LL_LEAF void fetch(const std::byte* next, size_t at) {
  if (next != nullptr) _mm_prefetch(reinterpret_cast<const char*>(next + at), _MM_HINT_T1);
}

// The multipliers of group g for 16 tokens of keys, each twice, as 16-bit numbers.
LL_LEAF __m512i lane_multipliers(const std::byte* of_panel, size_t g) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(of_panel + g / 2 * 16));
  const __m512i wide = _mm512_cvtepu8_epi32(bytes);
  const __m512i mine =
      g % 2 == 0 ? _mm512_and_si512(wide, _mm512_set1_epi32(15)) : _mm512_srli_epi32(wide, 4);
  return _mm512_or_si512(mine, _mm512_slli_epi32(mine, 16));
}

// Levels times multiplier of the low and the high halves of 32 bytes.
LL_LEAF void store_nibbles(const std::byte* p, __m512i multiplier, int16_t* low, int16_t* high) {
  const __m256i levels =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kHalfLevels)));
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)), half = _mm256_set1_epi8(15);
  const __m256i first = _mm256_shuffle_epi8(levels, _mm256_and_si256(bytes, half));
  const __m256i second = _mm256_shuffle_epi8(levels, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half));
  _mm512_storeu_si512(low, _mm512_mullo_epi16(_mm512_cvtepi8_epi16(first), multiplier));
  _mm512_storeu_si512(high, _mm512_mullo_epi16(_mm512_cvtepi8_epi16(second), multiplier));
}

LL_LEAF void store_bytes(const std::byte* p, __m512i multiplier, int16_t* out) {
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  _mm512_storeu_si512(out, _mm512_mullo_epi16(_mm512_cvtepi8_epi16(bytes), multiplier));
}

void load_code_keys(const KvPart& part, const std::byte* page, const std::byte* next, int16_t* tile) {
  const size_t rows = part.rows(), groups = part.groups();
  for (size_t panel = 0; panel < kQuads; ++panel) {
    const std::byte* in = page + panel * part.panel_bytes();
    int16_t* out = tile + panel * rows * 16;
    for (size_t g = 0; g < groups; ++g) {
      const KvGroup group = part.group(g);
      const __m512i multiplier =
          lane_multipliers(page + part.multipliers_at() + panel * part.multipliers() * 16, g);
      const size_t end = group.end < rows ? group.end : rows;
      if (group.fine) {
        for (size_t row = group.first; row < end; row += 2, in += 32) {
          if (row % 4 == 0) fetch(next, static_cast<size_t>(in - page));
          store_bytes(in, multiplier, out + row * 16);
        }
      } else {
        for (size_t row = group.first; row < end; row += 4, in += 32) {
          if (row % 8 == 0) fetch(next, static_cast<size_t>(in - page));
          store_nibbles(in, multiplier, out + row * 16, out + row * 16 + 32);
        }
      }
    }
  }
}

// The multipliers of group g for tokens `row` and `row + 1` of values, as pairs.
LL_LEAF __m512i pair_multipliers(const uint8_t* multipliers, size_t g, size_t row) {
  const int shift = g % 2 == 0 ? 0 : 4;
  const uint8_t* at = multipliers + g / 2 * kPageTokens + row;
  return _mm512_set1_epi32((at[0] >> shift & 15) | (at[1] >> shift & 15) << 16);
}

void load_code_values(const KvPart& part, const std::byte* page, const std::byte* next, int16_t* tile) {
  constexpr size_t kPanel = kPageTokens * 16;
  const bool fine = part.type == KvType::Q8;
  const size_t step = fine ? 1 : 2;  // panels in as many rows of bytes
  const auto* multipliers = reinterpret_cast<const uint8_t*>(page) + part.multipliers_at();
  for (size_t panel = 0; panel < part.panels(); panel += step) {
    const std::byte* in = page + panel * part.panel_bytes();
    const size_t group = panel * 16 / kGroup;
    int16_t* out = tile + panel * kPanel;
    for (size_t row = 0; row < kPageTokens; row += 2, in += 32) {
      if (row % 4 == 0) fetch(next, static_cast<size_t>(in - page));
      if (fine) {
        store_bytes(in, pair_multipliers(multipliers, group, row), out + row * 16);
      } else {
        store_nibbles(in, pair_multipliers(multipliers, group, row), out + row * 16, out + kPanel + row * 16);
      }
    }
  }
}

TilePanels load_panels(const KvPart& part, const std::byte* page, const std::byte* next, int16_t* tile,
                       float* scales) {
  for (size_t i = 0; i < kQuads; ++i) {
    _mm512_storeu_ps(scales + 16 * i, load_brains(page + part.scales_at() + 32 * i));
  }
  const size_t panels = part.panels(), pairs = (part.rows() + 1) / 2;
  if (part.whole_numbers()) return {reinterpret_cast<const int16_t*>(page), panels, pairs, next};
  (part.keys ? load_code_keys : load_code_values)(part, page, next, tile);
  return {tile, panels, pairs, nullptr};
}

// f(0), f(1), ... f(End - 1) as constants: loops over arrays of registers, which GCC keeps in memory as well
// when it unrolls them itself.
template <int End, int I = 0, class F>
LL_LEAF void unrolled(F&& f) {
  if constexpr (I < End) {
    f(std::integral_constant<int, I>{});
    unrolled<End, I + 1>(f);
  }
}

// Memory to fetch: at every step another `step` bytes on, so that it comes evenly while something is
// computed.
struct Ahead {
  const char* at;
  size_t step;
};

// The part of the next page to be fetched with `panel` by block `block` of `blocks` of rows; `pairs` are read
// of a panel.
Ahead part_ahead(const TilePanels& panels, size_t panel, size_t block, size_t blocks, size_t pairs) {
  if (panels.next == nullptr) return {reinterpret_cast<const char*>(panels.numbers), 0};
  const size_t step = (panels.pairs * 64 + blocks * pairs - 1) / (blocks * pairs);
  const size_t at = (panel * blocks + block) * pairs * step;
  return {reinterpret_cast<const char*>(panels.next) + at, step};
}

// sums[M][16 N], `lds` apart: M rows of pairs of 16-bit numbers times the first `pairs` rows of N panels,
// which are `stride` apart. Not inlined: where GCC sees what becomes of the sums it keeps them in memory as
// well.
template <int M, int N>
__attribute__((noinline, noclone)) void multiply(const int16_t* a, size_t lda, const int16_t* panels,
                                                 size_t stride, size_t pairs, Ahead ahead, int32_t* sums,
                                                 size_t lds) {
  __m512i acc[M][N];
  unrolled<M>([&](auto m) { unrolled<N>([&](auto n) { acc[m][n] = _mm512_setzero_si512(); }); });
  for (size_t i = 0; i < pairs; ++i) {
    __m512i w[N];
    unrolled<N>([&](auto n) {
      w[n] = _mm512_loadu_si512(panels + size_t{n} * stride + i * 32);
      _mm_prefetch(ahead.at, _MM_HINT_T1);
      ahead.at += ahead.step;
    });
    unrolled<M>([&](auto m) {
      int32_t pair;
      __builtin_memcpy(&pair, a + size_t{m} * lda + 2 * i, sizeof pair);
      const __m512i x = _mm512_set1_epi32(pair);
      unrolled<N>([&](auto n) { acc[m][n] = _mm512_dpwssd_epi32(acc[m][n], x, w[n]); });
    });
  }
  unrolled<M>([&](auto m) {
    unrolled<N>([&](auto n) { _mm512_storeu_si512(sums + size_t{m} * lds + size_t{n} * 16, acc[m][n]); });
  });
}

// body(M) for the constant M of [1, most] that `rows` is.
template <int M, class Body>
LL_LEAF void with_rows(size_t rows, Body&& body) {
  if constexpr (M > 1) {
    if (rows < static_cast<size_t>(M)) return with_rows<M - 1>(rows, body);
  }
  body(std::integral_constant<int, M>{});
}

size_t blocks_of(size_t rows) { return (rows + kBlock - 1) / kBlock; }

// body(M, N, row, block) for rows in register blocks of M by N panels, as few as possible, of nearly the same
// size.
template <class Body>
LL_LEAF void in_blocks(size_t rows, Body&& body) {
  if (rows <= kFew) {
    with_rows<kFew>(rows, [&](auto m) { body(m, std::integral_constant<int, 4>{}, size_t{0}, size_t{0}); });
    return;
  }
  const size_t blocks = blocks_of(rows);
  for (size_t block = 0, row = 0; block < blocks; ++block) {
    const size_t now = (rows - row + blocks - block - 1) / (blocks - block);
    with_rows<kBlock>(now, [&](auto m) { body(m, std::integral_constant<int, 2>{}, row, block); });
    row += now;
  }
}

void scores(const int16_t* q, size_t ldq, size_t rows, const TilePanels& keys, size_t tokens, int16_t*,
            int32_t* out) {
  const size_t stride = keys.pairs * 32, blocks = blocks_of(rows);
  in_blocks(rows, [&](auto m, auto n, size_t row, size_t block) {
    const auto some = [&](auto at_once, size_t panel) {
      multiply<m.value, at_once.value>(q + row * ldq, ldq, keys.numbers + panel * stride, stride, keys.pairs,
                                       part_ahead(keys, panel, block, blocks, keys.pairs),
                                       out + row * kPageTokens + panel * 16, kPageTokens);
    };
    if (tokens <= 32) return some(std::integral_constant<int, 2>{}, 0);
    for (size_t panel = 0; panel < kQuads; panel += n) some(n, panel);
  });
}

template <int M, int N>
LL_LEAF void accumulate_panels(const int16_t* weights, const int16_t* panels, size_t pairs, Ahead ahead,
                               const float* correction, const float* factor, float* out, size_t ldo) {
  alignas(64) int32_t sums[M * N * 16];
  multiply<M, N>(weights, kPageTokens, panels, kPageTokens * 16, pairs, ahead, sums, N * 16);
  for (size_t m = 0; m < M; ++m) {
    const __m512 c = _mm512_set1_ps(correction[m]), f = _mm512_set1_ps(factor[m]);
    unrolled<N>([&](auto n) {
      float* at = out + m * ldo + size_t{n} * 16;
      const __m512 sum = _mm512_cvtepi32_ps(_mm512_load_si512(sums + (m * N + size_t{n}) * 16));
      _mm512_storeu_ps(at, _mm512_fmadd_ps(_mm512_loadu_ps(at), c, _mm512_mul_ps(sum, f)));
    });
  }
}

void accumulate(const int16_t* weights, size_t rows, const TilePanels& values, size_t tokens, int16_t*,
                const float* correction, const float* factor, float* out, size_t ldo) {
  constexpr size_t kPanel = kPageTokens * 16;
  const size_t pairs = (tokens + 1) / 2, blocks = blocks_of(rows);
  in_blocks(rows, [&](auto m, auto n, size_t row, size_t block) {
    const auto some = [&](auto at_once, size_t panel) {
      accumulate_panels<m.value, at_once.value>(weights + row * kPageTokens, values.numbers + panel * kPanel,
                                                pairs, part_ahead(values, panel, block, blocks, pairs),
                                                correction + row, factor + row, out + row * ldo + panel * 16,
                                                ldo);
    };
    size_t panel = 0;
    for (; panel + n <= values.panels; panel += n) some(n, panel);
    for (; panel < values.panels; ++panel) some(std::integral_constant<int, 1>{}, panel);
  });
}

// Lane i of the result is the largest lane of v[i].
LL_LEAF __m512 largest_of_each(const __m512 (&v)[16]) {
  __m512 w[8], x[4];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    w[i] =
        _mm512_max_ps(_mm512_unpacklo_ps(v[2 * i], v[2 * i + 1]), _mm512_unpackhi_ps(v[2 * i], v[2 * i + 1]));
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512d a = _mm512_castps_pd(w[2 * i]), b = _mm512_castps_pd(w[2 * i + 1]);
    x[i] =
        _mm512_max_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)), _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
  }
  const __m512 y =
      _mm512_max_ps(_mm512_shuffle_f32x4(x[0], x[1], 0x88), _mm512_shuffle_f32x4(x[0], x[1], 0xDD));
  const __m512 z =
      _mm512_max_ps(_mm512_shuffle_f32x4(x[2], x[3], 0x88), _mm512_shuffle_f32x4(x[2], x[3], 0xDD));
  return _mm512_max_ps(_mm512_shuffle_f32x4(y, z, 0x88), _mm512_shuffle_f32x4(y, z, 0xDD));
}

// The largest value scale, NaN if one of them is no finite number.
LL_LEAF float largest_scale(const __m512 (&scales)[kQuads], const __mmask16 (&seen)[kQuads]) {
  __m512 most = _mm512_setzero_ps(), none = _mm512_setzero_ps();
  for (size_t i = 0; i < kQuads; ++i) {
    const __m512 scale = _mm512_maskz_mov_ps(seen[i], scales[i]);
    most = _mm512_max_ps(most, scale);
    none = _mm512_fmadd_ps(scale, _mm512_setzero_ps(), none);
  }
  return _mm512_reduce_max_ps(most) + _mm512_reduce_add_ps(none);
}

template <bool Masked>
void softmax_block(const SoftmaxStep& s, size_t first, size_t rows) {
  __m512 key_scales[kQuads], value_scales[kQuads];
  for (size_t i = 0; i < kQuads; ++i) {
    key_scales[i] = _mm512_loadu_ps(s.key_scales + 16 * i);
    value_scales[i] = _mm512_loadu_ps(s.value_scales + 16 * i);
  }
  float* scores = reinterpret_cast<float*>(s.scores + first * kPageTokens);
  const auto seen = [&](size_t row, size_t i) {
    return Masked ? lanes_between(16 * i, s.low[first + row], s.high[first + row])
                  : static_cast<__mmask16>(0xFFFF);
  };
  const __m512 nothing = _mm512_set1_ps(kNothing);
  __m512 tops[16];
  for (size_t row = 0; row < 16; ++row) tops[row] = nothing;
  for (size_t row = 0; row < rows; ++row) {
    __m512 top = nothing;
#pragma GCC unroll 4
    for (size_t i = 0; i < kQuads; ++i) {
      float* at = scores + row * kPageTokens + 16 * i;
      __m512 t = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_loadu_si512(at)), key_scales[i]);
      if (Masked) t = _mm512_mask_mov_ps(nothing, seen(row, i), t);
      _mm512_storeu_ps(at, t);
      top = _mm512_max_ps(top, t);
    }
    tops[row] = top;
  }
  const __mmask16 used = first_lanes(rows);
  const __m512 page_max = largest_of_each(tops);
  const __m512 before = _mm512_maskz_loadu_ps(used, s.max + first);
  const __m512 scale = _mm512_maskz_loadu_ps(used, s.query_scales + first);
  const __m512 now = _mm512_max_ps(before, page_max);
  const __m512 correction = exp2_of(_mm512_mul_ps(_mm512_sub_ps(before, now), scale));
  const __m512 part = exp2_of(_mm512_mul_ps(_mm512_sub_ps(page_max, now), scale));
  _mm512_mask_storeu_ps(s.max + first, used, now);
  _mm512_mask_storeu_ps(s.correction + first, used, correction);
  alignas(64) float page_maxima[16], parts[16];
  _mm512_store_ps(page_maxima, page_max);
  _mm512_store_ps(parts, part);

  __m512 weight_scales[kQuads];
  float largest = 0;
  const auto prepare = [&](const __mmask16(&lanes)[kQuads]) {
    largest = largest_scale(value_scales, lanes);
    const __m512 inverse = _mm512_set1_ps(largest > 0 ? s.most_weight / largest : 0);
    for (size_t i = 0; i < kQuads; ++i) weight_scales[i] = _mm512_mul_ps(value_scales[i], inverse);
  };
  if (!Masked) prepare({0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF});
  const float unit = 1 / s.most_weight;
  for (size_t row = 0; row < rows; ++row) {
    if (Masked) prepare({seen(row, 0), seen(row, 1), seen(row, 2), seen(row, 3)});
    const __m512 top = _mm512_set1_ps(page_maxima[row]), q = _mm512_set1_ps(s.query_scales[first + row]);
    __m512 sum = _mm512_setzero_ps();
#pragma GCC unroll 4
    for (size_t i = 0; i < kQuads; ++i) {
      const __m512 t = _mm512_loadu_ps(scores + row * kPageTokens + 16 * i);
      __m512 e = exp2_of(_mm512_mul_ps(_mm512_sub_ps(t, top), q));
      __m512 w = _mm512_mul_ps(e, weight_scales[i]);
      if (Masked) {
        e = _mm512_maskz_mov_ps(seen(row, i), e);
        w = _mm512_maskz_mov_ps(seen(row, i), w);
      }
      sum = _mm512_add_ps(sum, e);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(s.weights + (first + row) * kPageTokens + 16 * i),
                          _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(w)));
    }
    float* sums = s.sums + (first + row) * 16;
    sum = _mm512_mul_ps(sum, _mm512_set1_ps(parts[row]));
    _mm512_storeu_ps(sums,
                     _mm512_fmadd_ps(_mm512_loadu_ps(sums), _mm512_set1_ps(s.correction[first + row]), sum));
    s.factor[first + row] = parts[row] * (largest * unit);
  }
}

void softmax(const SoftmaxStep& s) {
  for (size_t row = 0; row < s.rows; row += 16) {
    const size_t rows = s.rows - row < 16 ? s.rows - row : 16;
    if (s.low == nullptr) {
      softmax_block<false>(s, row, rows);
    } else {
      softmax_block<true>(s, row, rows);
    }
  }
}

float total(const float* sums) { return _mm512_reduce_add_ps(_mm512_loadu_ps(sums)); }

constexpr TileKernels kTable = {query_stride, load_query, load_panels, scores, softmax, accumulate, total};

}  // namespace

const TileKernels* avx512_tiles() { return &kTable; }

}  // namespace longleaf

#else

namespace longleaf {
const TileKernels* avx512_tiles() { return nullptr; }
}  // namespace longleaf

#endif

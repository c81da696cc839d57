// AMX: the products of attention on tiles of bf16.
//
// Whole numbers of 16 bits, as the avx512 set multiplies them, are rounded to bf16, eight bits, and summed in
// f32. Rows that fill no tile go through one all the same, so that a row's result does not depend on those
// beside it. The softmax is the avx512 set's; so are scores of heads whose size is no multiple of 32.
//
// Exact sums took four products of bytes for each, and putting those together cost more than the products.
#include "attention/tiles.h"

#ifdef __AVX512VNNI__
#include "kernels/tiles.h"

namespace longleaf {
namespace {

constexpr size_t kRows = 16;  // of a tile
constexpr size_t kStep = 32;  // columns of a tile
constexpr size_t kGroup = 4;  // panels that are multiplied together
constexpr size_t kVectorNumbers = 32;
constexpr size_t kMostDims = 512;  // of rows that are copied to fill a tile

bool fills_tiles(size_t dims) { return dims % kStep == 0 && dims <= kMostDims; }

// 32 whole numbers to the nearest bf16.
inline __m512i brains_of(__m512i numbers) {
  const __m512 even = _mm512_cvtepi32_ps(_mm512_srai_epi32(_mm512_slli_epi32(numbers, 16), 16));
  const __m512 odd = _mm512_cvtepi32_ps(_mm512_srai_epi32(numbers, 16));
  const __m512i half = _mm512_set1_epi32(0x8000);
  const __m512i low = _mm512_srli_epi32(_mm512_add_epi32(_mm512_castps_si512(even), half), 16);
  return _mm512_mask_blend_epi16(0xAAAAAAAA, low, _mm512_add_epi32(_mm512_castps_si512(odd), half));
}

inline void round_numbers(const int16_t* from, size_t n, int16_t* to) {
  for (size_t i = 0; i < n; i += kVectorNumbers) {
    _mm512_storeu_si512(to + i, brains_of(_mm512_loadu_si512(from + i)));
  }
}

// Perhaps in their place.
void round_panels(const TilePanels& panels, int16_t* tile) {
  for (size_t i = 0; i < panels.panels * panels.pairs; ++i) {
    if (panels.next != nullptr)
      _mm_prefetch(reinterpret_cast<const char*>(panels.next) + i * 64, _MM_HINT_T1);
    round_numbers(panels.numbers + i * kVectorNumbers, kVectorNumbers, tile + i * kVectorNumbers);
  }
}

float load_query(const float* x, size_t n, int16_t* codes) {
  const float scale = avx512_tiles()->load_query(x, n, codes);
  if (fills_tiles(n)) round_numbers(codes, n, codes);
  return scale;
}

// sums[16][64] = 16 rows of a, `steps` times 32 columns, times up to four panels, `stride` numbers apart.
template <class Tiles>
void multiply(Tiles& tiles, const int16_t* a, size_t lda, const int16_t* panels, size_t stride, size_t count,
              size_t steps, float* sums) {
  constexpr size_t kSumBytes = kGroup * kPanelLanes * sizeof(float);
  tiles.template zero<0>();
  tiles.template zero<1>();
  tiles.template zero<2>();
  tiles.template zero<3>();
  for (size_t i = 0; i < steps; ++i, panels += kStep * kPanelLanes) {
    tiles.template load<4>(a + i * kStep, lda * sizeof *a);
    tiles.template load<5>(panels, 64);
    tiles.template dot<0, 4, 5>();
    if (count > 1) {
      tiles.template load<6>(panels + stride, 64);
      tiles.template dot<1, 4, 6>();
    }
    if (count > 2) {
      tiles.template load<7>(panels + 2 * stride, 64);
      tiles.template dot<2, 4, 7>();
    }
    if (count > 3) {
      tiles.template load<5>(panels + 3 * stride, 64);
      tiles.template dot<3, 4, 5>();
    }
  }
  tiles.template store<0>(sums, kSumBytes);
  tiles.template store<1>(sums + kPanelLanes, kSumBytes);
  tiles.template store<2>(sums + 2 * kPanelLanes, kSumBytes);
  tiles.template store<3>(sums + 3 * kPanelLanes, kSumBytes);
}

template <class Tiles>
void scores(const int16_t* q, size_t ldq, size_t rows, const TilePanels& keys, size_t tokens, int16_t* tile,
            int32_t* out) {
  const size_t dims = 2 * keys.pairs;
  if (!fills_tiles(dims)) return avx512_tiles()->scores(q, ldq, rows, keys, tokens, tile, out);
  static_assert(kGroup * kPanelLanes == kPageTokens, "all keys of a page at once");
  round_panels(keys, tile);
  Tiles tiles;
  alignas(64) float sums[kRows * kPageTokens];
  alignas(64) int16_t filled[kRows * kMostDims];
  for (size_t row = 0; row < rows; row += kRows) {
    const size_t now = rows - row < kRows ? rows - row : kRows;
    const int16_t* mine = q + row * ldq;
    size_t lda = ldq;
    if (now < kRows) {  // what lies behind is not ours
      lda = dims;
      for (size_t m = 0; m < kRows; ++m) {
        if (m < now) {
          __builtin_memcpy(filled + m * dims, mine + m * ldq, dims * sizeof *q);
        } else {
          __builtin_memset(filled + m * dims, 0, dims * sizeof *q);
        }
      }
      mine = filled;
    }
    multiply(tiles, mine, lda, tile, dims * kPanelLanes, keys.panels, dims / kStep, sums);
    for (size_t i = 0; i < now * kPageTokens; i += kPanelLanes) {
      _mm512_storeu_si512(out + row * kPageTokens + i, _mm512_cvtps_epi32(_mm512_load_ps(sums + i)));
    }
  }
}

template <class Tiles>
void accumulate(const int16_t* weights, size_t rows, const TilePanels& values, size_t, int16_t* tile,
                const float* correction, const float* factor, float* out, size_t ldo) {
  constexpr size_t kPanel = kPageTokens * kPanelLanes;
  round_panels(values, tile);
  Tiles tiles;
  alignas(64) float sums[kRows * kGroup * kPanelLanes];
  alignas(64) int16_t rounded[kRows * kPageTokens] = {};
  for (size_t row = 0; row < rows; row += kRows) {
    const size_t now = rows - row < kRows ? rows - row : kRows;
    round_numbers(weights + row * kPageTokens, now * kPageTokens, rounded);
    for (size_t panel = 0; panel < values.panels; panel += kGroup) {
      const size_t count = values.panels - panel < kGroup ? values.panels - panel : kGroup;
      multiply(tiles, rounded, kPageTokens, tile + panel * kPanel, kPanel, count, kPageTokens / kStep, sums);
      for (size_t m = 0; m < now; ++m) {
        const __m512 before = _mm512_set1_ps(correction[row + m]), of_page = _mm512_set1_ps(factor[row + m]);
        for (size_t p = 0; p < count; ++p) {
          float* const at = out + (row + m) * ldo + (panel + p) * kPanelLanes;
          const __m512 more = _mm512_mul_ps(_mm512_load_ps(sums + (m * kGroup + p) * kPanelLanes), of_page);
          _mm512_storeu_ps(at, _mm512_fmadd_ps(_mm512_loadu_ps(at), before, more));
        }
      }
    }
  }
}

template <class Tiles>
TileKernels table() {
  TileKernels set = *avx512_tiles();
  set.load_query = load_query;
  set.scores = scores<Tiles>;
  set.accumulate = accumulate<Tiles>;
  return set;
}

}  // namespace

const TileKernels* amx_tiles() {
  static const TileKernels set = table<HardwareTiles>();
  return &set;
}

const TileKernels* amx_emulated_tiles() {
  static const TileKernels set = table<EmulatedTiles>();
  return &set;
}

}  // namespace longleaf

#else

namespace longleaf {
const TileKernels* amx_tiles() { return nullptr; }
const TileKernels* amx_emulated_tiles() { return nullptr; }
}  // namespace longleaf

#endif

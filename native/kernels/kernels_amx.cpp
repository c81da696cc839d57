// AMX: quantized weights on bf16 tiles. All else is the avx512 set's.
//
// A weight is rounded to bf16 as it is unpacked, an activation once per product. An output is the chain of
// tile products over 32 columns each, in order, whatever the number of rows: decode takes the same chain.
#include "kernels/kernels.h"

#ifdef __AVX512VNNI__
#include "kernels/tiles.h"

namespace longleaf {
namespace {

constexpr size_t kTileRows = 16;
constexpr size_t kRowsAtOnce = 2 * kTileRows;
constexpr size_t kOutputs = 2 * kLanes;
constexpr size_t kStepCols = 32;  // of one tile

// To bf16, ties to even, in the high half of every dword. NaN stays NaN.
inline __m512i rounded_high(__m512 x) {
  const __m512i bits = _mm512_castps_si512(x);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i sum = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7FFF)));
  const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
  const __m512i whole = _mm512_mask_mov_epi32(sum, nan, _mm512_set1_epi32(0x7FC00000));
  return _mm512_and_si512(whole, _mm512_set1_epi32(static_cast<int32_t>(0xFFFF0000u)));
}

// Every four columns in the order 0, 2, 1, 3, as QuantizedRows has them.
void round_row(const float* x, size_t n, int16_t* codes, ActivationGroup*) {
  for (size_t k = 0; k < n; k += kLanes) {
    const __m256i half = _mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded_high(_mm512_loadu_ps(x + k)), 16));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + k),
                        _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(half, 0xD8), 0xD8));
  }
}

void unpack_bf16(const PackedFormat& f, const std::byte* block, size_t panel, size_t first, size_t count,
                 CodeTile* tile) {
  avx512_kernels()->unpack_codes(f, block, panel, first, count, tile);
  for (size_t p = 0; p < 2; ++p) {
    for (size_t pair = 0; pair < count / 2; ++pair) {
      const size_t group = pair * 2 / f.group;
      const __m512 scale = _mm512_load_ps(tile->scales[p][group]);
      const __m512i codes = _mm512_load_si512(tile->pairs[p][pair]);
      __m512 even = _mm512_cvtepi32_ps(_mm512_srai_epi32(_mm512_slli_epi32(codes, 16), 16));
      __m512 odd = _mm512_cvtepi32_ps(_mm512_srai_epi32(codes, 16));
      if (f.has_min) {
        const __m512 minimum = _mm512_load_ps(tile->minima[p][group]);
        even = _mm512_fmadd_ps(even, scale, minimum);
        odd = _mm512_fmadd_ps(odd, scale, minimum);
      } else {
        even = _mm512_mul_ps(even, scale);
        odd = _mm512_mul_ps(odd, scale);
      }
      _mm512_store_si512(tile->pairs[p][pair],
                         _mm512_or_si512(_mm512_srli_epi32(rounded_high(even), 16), rounded_high(odd)));
    }
  }
}

// c[32][32] (+)= a[32][count] . tile
template <class Tiles>
void block(Tiles& tiles, const int16_t* a, size_t lda, const CodeTile& weights, size_t count, float* c,
           size_t ldc, int init) {
  const size_t row_bytes = ldc * sizeof(float), a_bytes = lda * sizeof(int16_t);
  float* below = c + kTileRows * ldc;
  if (init == kZero) {
    tiles.template zero<0>();
    tiles.template zero<1>();
    tiles.template zero<2>();
    tiles.template zero<3>();
  } else {
    tiles.template load<0>(c, row_bytes);
    tiles.template load<1>(c + kLanes, row_bytes);
    tiles.template load<2>(below, row_bytes);
    tiles.template load<3>(below + kLanes, row_bytes);
  }
  for (size_t k = 0; k < count; k += kStepCols) {
    tiles.template load<4>(a + k, a_bytes);
    tiles.template load<6>(weights.pairs[0][k / 2], sizeof weights.pairs[0][0]);
    tiles.template load<7>(weights.pairs[1][k / 2], sizeof weights.pairs[1][0]);
    tiles.template dot<0, 4, 6>();
    tiles.template dot<1, 4, 7>();
    tiles.template load<5>(a + kTileRows * lda + k, a_bytes);
    tiles.template dot<2, 5, 6>();
    tiles.template dot<3, 5, 7>();
  }
  tiles.template store<0>(c, row_bytes);
  tiles.template store<1>(c + kLanes, row_bytes);
  tiles.template store<2>(below, row_bytes);
  tiles.template store<3>(below + kLanes, row_bytes);
}

// The same for fewer rows, through copies: what lies behind them is not ours. A row's result does not depend
// on the rows beside it.
template <class Tiles>
void last_block(Tiles& tiles, const QuantizedRows& a, const CodeTile& weights, size_t count, size_t rows,
                float* c, size_t ldc, int init) {
  alignas(64) int16_t few[kRowsAtOnce * kTileCols];
  alignas(64) float out[kRowsAtOnce * kOutputs];
  for (size_t r = 0; r < kRowsAtOnce; ++r) {
    if (r < rows) {
      __builtin_memcpy(few + r * count, a.codes + r * a.ld, count * sizeof(int16_t));
      __builtin_memcpy(out + r * kOutputs, c + r * ldc, kOutputs * sizeof(float));
    } else {
      __builtin_memset(few + r * count, 0, count * sizeof(int16_t));
      __builtin_memset(out + r * kOutputs, 0, kOutputs * sizeof(float));
    }
  }
  block(tiles, few, count, weights, count, out, kOutputs, init);
  for (size_t r = 0; r < rows; ++r)
    __builtin_memcpy(c + r * ldc, out + r * kOutputs, kOutputs * sizeof(float));
}

template <class Tiles>
void rows_by_tile(Tiles& tiles, const QuantizedRows& a, const CodeTile& weights, size_t count, size_t m,
                  float* c, size_t ldc, int init) {
  size_t row = 0;
  for (; row + kRowsAtOnce <= m; row += kRowsAtOnce) {
    block(tiles, a.codes + row * a.ld, a.ld, weights, count, c + row * ldc, ldc, init);
  }
  if (row < m) last_block(tiles, a.at(row, 0), weights, count, m - row, c + row * ldc, ldc, init);
}

template <class Tiles>
void gemm_tiles(const PackedFormat&, const QuantizedRows& a, const CodeTile& weights, size_t count, size_t m,
                float* c, size_t ldc, int init) {
  Tiles tiles;
  rows_by_tile(tiles, a, weights, count, m, c, ldc, init);
}

template <class Tiles>
void gemv_tiles(const PackedFormat& f, const std::byte* block, size_t cols, const QuantizedRows& a, size_t m,
                float* c, size_t ldc) {
  CodeTile weights;
  for (size_t panel = 0; panel < kPanels; panel += 2) {
    for (size_t k = 0; k < cols; k += kTileCols) {
      const size_t count = cols - k < kTileCols ? cols - k : kTileCols;
      unpack_bf16(f, block, panel, k, count, &weights);
      Tiles tiles;
      rows_by_tile(tiles, a.at(0, k), weights, count, m, c + panel * kLanes, ldc, k == 0 ? kZero : kAdd);
    }
  }
}

// sums[4][256] += a . b of bytes, with each pair of signs.
template <class Tiles>
void multiply_bytes(const uint8_t* a, const uint8_t* b, int32_t* sums) {
  Tiles tiles;
  tiles.template load<0>(sums, 64);
  tiles.template load<1>(sums + 256, 64);
  tiles.template load<2>(sums + 512, 64);
  tiles.template load<3>(sums + 768, 64);
  tiles.template load<4>(a, 64);
  tiles.template load<5>(b, 64);
  tiles.template dot_bytes<Bytes::Unsigned, Bytes::Unsigned, 0, 4, 5>();
  tiles.template dot_bytes<Bytes::Unsigned, Bytes::Signed, 1, 4, 5>();
  tiles.template dot_bytes<Bytes::Signed, Bytes::Unsigned, 2, 4, 5>();
  tiles.template dot_bytes<Bytes::Signed, Bytes::Signed, 3, 4, 5>();
  tiles.template store<0>(sums, 64);
  tiles.template store<1>(sums + 256, 64);
  tiles.template store<2>(sums + 512, 64);
  tiles.template store<3>(sums + 768, 64);
}

template <class Tiles>
Kernels set_named(const char* name) {
  Kernels set = *avx512_kernels();
  set.name = name;
  set.exact = false;
  set.quantize = round_row;
  set.unpack_codes = unpack_bf16;
  set.gemm_codes = gemm_tiles<Tiles>;
  set.gemv_codes = gemv_tiles<Tiles>;
  return set;
}

}  // namespace

const Kernels* amx_kernels() {
  static const Kernels set = set_named<HardwareTiles>("amx");
  return &set;
}

const Kernels* amx_emulated_kernels() {
  static const Kernels set = set_named<EmulatedTiles>("amx-emulated");
  return &set;
}

bool amx_bytes_are_right() {
  alignas(64) uint8_t a[1024], b[1024];
  alignas(64) int32_t sums[2][4 * 256];
  for (size_t i = 0; i < 1024; ++i) {
    a[i] = static_cast<uint8_t>(i * 89 + 7);
    b[i] = static_cast<uint8_t>(i * 151 + i / 64);
    sums[0][i] = sums[1][i] = static_cast<int32_t>(i) - 100;
  }
  multiply_bytes<HardwareTiles>(a, b, sums[0]);
  multiply_bytes<EmulatedTiles>(a, b, sums[1]);
  return __builtin_memcmp(sums[0], sums[1], sizeof sums[0]) == 0;
}

}  // namespace longleaf

#else

namespace longleaf {
const Kernels* amx_kernels() { return nullptr; }
const Kernels* amx_emulated_kernels() { return nullptr; }
bool amx_bytes_are_right() { return false; }
}  // namespace longleaf

#endif

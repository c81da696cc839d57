// AMX: quantized weights on bf16 tiles. All else is the avx512 set's.
//
// Weights become bf16 as they are unpacked, activations once per product, straight into tiles.
#include "kernels/kernels.h"

#ifdef __AVX512VNNI__
#include "kernels/tiles.h"

namespace longleaf {
namespace {

#include "kernels/avx512.inc"

#define LL_INLINE static inline __attribute__((always_inline))
#define LL_INLINE_LAMBDA __attribute__((always_inline))

template <int I>
struct Index {
  static constexpr int value = I;
};

#include "kernels/units.inc"
#include "kernels/unpack_bf16.inc"

constexpr size_t kTileNumbers = kTileRows * kStepCols;
constexpr size_t kTileWords = kTileNumbers / 2;
constexpr size_t kSteps = kTileCols / kStepCols;  // of a slab
constexpr size_t kOutputs = 2 * kLanes;

// To bf16, ties to even, in the low half of every dword. NaN stays NaN.
inline __m512i rounded(__m512 x) {
  const __m512i bits = _mm512_castps_si512(x);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i sum = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7FFF)));
  const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
  return _mm512_srli_epi32(_mm512_mask_mov_epi32(sum, nan, _mm512_set1_epi32(0x7FC00000)), 16);
}

void round_rows(const float* x, size_t ldx, size_t rows, size_t tile, size_t first, size_t count,
                const TileRows& out) {
  for (size_t k = 0; k < count; k += kStepCols) {
    int16_t* to = out.at(tile, first + k);
    for (size_t row = 0; row < kTileRows; ++row, to += kStepCols) {
      if (row >= rows) {
        _mm512_store_si512(to, _mm512_setzero_si512());
        continue;
      }
      const float* from = x + row * ldx + k;
      for (size_t half = 0; half < kStepCols; half += kLanes) {
        const __m256i numbers = _mm512_cvtepi32_epi16(rounded(_mm512_loadu_ps(from + half)));
        _mm256_store_si256(reinterpret_cast<__m256i*>(to + half),
                           _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(numbers, 0xD8), 0xD8));
      }
    }
  }
}

// Where the 32 columns from `col` on lie.
struct Place {
  const std::byte* chunk;
  size_t unit;
};

inline Place place_of(const PackedFormat& f, const std::byte* block, size_t col) {
  return {block + col / f.chunk_cols * f.chunk_bytes, col % f.chunk_cols / kStepCols};
}

// Sums stay in tiles over all columns; of the weights no more is unpacked than the first-level cache holds.
template <class Tiles>
void few_rows(const PackedFormat& f, const std::byte* block, const TileRows& a, size_t tile, size_t rows,
              float* c, size_t ldc) {
  const UnpackUnit unpack = unpack_of(f);
  alignas(64) int32_t weights[kPanels][kTileWords];
  alignas(64) float sums[kFewTileRows * kBlockRows];
  constexpr size_t kSumBytes = kBlockRows * sizeof(float);
  Tiles tiles;
  const auto clear = [&] {
    tiles.template zero<0>();
    tiles.template zero<1>();
    tiles.template zero<2>();
    tiles.template zero<3>();
  };
  if (rows <= kTileRows) {
    clear();
    for (size_t k = 0; k < a.cols; k += kStepCols) {
      const Place place = place_of(f, block, k);
      unpack(place.chunk, place.unit, 0, kPanels, weights[0], kTileWords);
      tiles.template load<4>(a.at(tile, k), kStepCols * sizeof(int16_t));
      tiles.template load<5>(weights[0], 64);
      tiles.template load<6>(weights[1], 64);
      tiles.template dot<0, 4, 5>();
      tiles.template load<7>(weights[2], 64);
      tiles.template dot<1, 4, 6>();
      tiles.template load<5>(weights[3], 64);
      tiles.template dot<2, 4, 7>();
      tiles.template dot<3, 4, 5>();
    }
    tiles.template store<0>(sums, kSumBytes);
    tiles.template store<1>(sums + kLanes, kSumBytes);
    tiles.template store<2>(sums + 2 * kLanes, kSumBytes);
    tiles.template store<3>(sums + 3 * kLanes, kSumBytes);
  } else {
    for (size_t panel = 0; panel < kPanels; panel += 2) {
      clear();
      for (size_t k = 0; k < a.cols; k += kStepCols) {
        const Place place = place_of(f, block, k);
        unpack(place.chunk, place.unit, panel, 2, weights[0], kTileWords);
        tiles.template load<4>(a.at(tile, k), kStepCols * sizeof(int16_t));
        tiles.template load<6>(weights[0], 64);
        tiles.template load<7>(weights[1], 64);
        tiles.template dot<0, 4, 6>();
        tiles.template dot<1, 4, 7>();
        tiles.template load<5>(a.at(tile + 1, k), kStepCols * sizeof(int16_t));
        tiles.template dot<2, 5, 6>();
        tiles.template dot<3, 5, 7>();
      }
      float* out = sums + panel * kLanes;
      tiles.template store<0>(out, kSumBytes);
      tiles.template store<1>(out + kLanes, kSumBytes);
      tiles.template store<2>(out + kTileRows * kBlockRows, kSumBytes);
      tiles.template store<3>(out + kTileRows * kBlockRows + kLanes, kSumBytes);
    }
  }
  for (size_t row = 0; row < rows; ++row) __builtin_memcpy(c + row * ldc, sums + row * kBlockRows, kSumBytes);
}

// A slab of two panels.
using Slab = int32_t[2][kSteps][kTileWords];

// c[32][32] (+)= two tiles of rows . weights; with One only c[16][32].
template <class Tiles, bool One>
void multiply(Tiles& tiles, const int16_t* a, const int16_t* below, const Slab& weights, size_t steps,
              float* c, size_t ldc, bool add) {
  const size_t row_bytes = ldc * sizeof(float), a_bytes = kStepCols * sizeof(int16_t);
  float* lower = c + kTileRows * ldc;
  if (add) {
    tiles.template load<0>(c, row_bytes);
    tiles.template load<1>(c + kLanes, row_bytes);
    if constexpr (!One) {
      tiles.template load<2>(lower, row_bytes);
      tiles.template load<3>(lower + kLanes, row_bytes);
    }
  } else {
    tiles.template zero<0>();
    tiles.template zero<1>();
    tiles.template zero<2>();
    tiles.template zero<3>();
  }
  for (size_t step = 0; step < steps; ++step) {
    tiles.template load<4>(a + step * kTileNumbers, a_bytes);
    tiles.template load<6>(weights[0][step], 64);
    tiles.template load<7>(weights[1][step], 64);
    tiles.template dot<0, 4, 6>();
    tiles.template dot<1, 4, 7>();
    if constexpr (!One) {
      tiles.template load<5>(below + step * kTileNumbers, a_bytes);
      tiles.template dot<2, 5, 6>();
      tiles.template dot<3, 5, 7>();
    }
  }
  tiles.template store<0>(c, row_bytes);
  tiles.template store<1>(c + kLanes, row_bytes);
  if constexpr (!One) {
    tiles.template store<2>(lower, row_bytes);
    tiles.template store<3>(lower + kLanes, row_bytes);
  }
}

// The last rows, fewer than 32, through copies: what lies behind them is not ours.
template <class Tiles>
void multiply_last(Tiles& tiles, const TileRows& a, size_t tile, size_t col, const Slab& weights,
                   size_t steps, size_t rows, float* c, size_t ldc, bool add) {
  alignas(64) float out[kFewTileRows * kOutputs];
  for (size_t row = 0; add && row < rows; ++row) {
    __builtin_memcpy(out + row * kOutputs, c + row * ldc, kOutputs * sizeof(float));
  }
  for (size_t at = add ? rows * kOutputs : kFewTileRows * kOutputs; at < kFewTileRows * kOutputs; ++at)
    out[at] = 0;
  if (rows <= kTileRows) {
    multiply<Tiles, true>(tiles, a.at(tile, col), nullptr, weights, steps, out, kOutputs, add);
  } else {
    multiply<Tiles, false>(tiles, a.at(tile, col), a.at(tile + 1, col), weights, steps, out, kOutputs, add);
  }
  for (size_t row = 0; row < rows; ++row) {
    __builtin_memcpy(c + row * ldc, out + row * kOutputs, kOutputs * sizeof(float));
  }
}

// A slab of columns of all rows stays in the second-level cache while all panels of the blocks meet it.
template <class Tiles>
void many_rows(const PackedFormat& f, const std::byte* blocks, size_t block_bytes, size_t count,
               const TileRows& a, size_t rows, float* c, size_t ldc) {
  const UnpackUnit unpack = unpack_of(f);
  alignas(64) Slab weights;
  Tiles tiles;
  for (size_t k = 0; k < a.cols; k += kTileCols) {
    const size_t steps = (a.cols - k < kTileCols ? a.cols - k : kTileCols) / kStepCols;
    for (size_t pair = 0; pair < count * (kPanels / 2); ++pair) {
      const std::byte* block = blocks + pair / 2 * block_bytes;
      for (size_t step = 0; step < steps; ++step) {
        const Place place = place_of(f, block, k + step * kStepCols);
        unpack(place.chunk, place.unit, pair % 2 * 2, 2, weights[0][step], kSteps * kTileWords);
      }
      float* out = c + pair * kOutputs;
      size_t row = 0;
      for (; row + kFewTileRows <= rows; row += kFewTileRows) {
        const size_t tile = row / kTileRows;
        multiply<Tiles, false>(tiles, a.at(tile, k), a.at(tile + 1, k), weights, steps, out + row * ldc, ldc,
                               k != 0);
      }
      if (row < rows) {
        multiply_last(tiles, a, row / kTileRows, k, weights, steps, rows - row, out + row * ldc, ldc, k != 0);
      }
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
  static constexpr TileProducts products{round_rows, few_rows<Tiles>, many_rows<Tiles>};
  Kernels set = *avx512_kernels();
  set.name = name;
  set.tiles = &products;
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

// AMX: the products of attention on tiles of bytes, in exactly the sums that the avx512 set has.
//
// A 16-bit number is 256 times its high byte, which is signed, plus its low byte, which is not. So a product
// is
//   65536 high . high' + 256 (high . low' + low . high') + low . low'
// and its four parts are products of tiles of bytes. They wrap at 32 bits, and so does what is put together
// of them; the sum itself does not (kv/page_format.h), so it is exact. Nothing depends on which rows go by
// tiles: those that fill no tile, and rows of decoding, are left to the avx512 set, and have the same bits.
//
// By Intel's counts a core multiplies 1,024 pairs of bytes a cycle, which makes 256 of 16-bit numbers,
// against 64 by vpdpwssd with two units.
#include "attention/tiles.h"

#ifdef __AVX512VNNI__
#include "kernels/tiles.h"

namespace longleaf {
namespace {

constexpr size_t kRows = 16;        // of a tile
constexpr size_t kStep = 64;        // columns of a tile: bytes of a row
constexpr size_t kQuadBytes = 128;  // of four columns of a panel: high bytes, low bytes
constexpr size_t kPanelPageBytes = kPageTokens * kPanelLanes * sizeof(int16_t);

// Which rows go by tiles: all that fill them.
size_t whole_tiles(size_t rows) { return rows / kRows * kRows; }

// Heads of other sizes are the avx512 set's.
bool fills_tiles(size_t dims) { return dims % kStep == 0; }

// A query has its codes, then their high bytes, then the low ones. An odd number of cache lines in all, so
// that rows do not meet in one cache set.
size_t query_stride(size_t dims) { return (2 * dims + 31) / 32 * 32 + 32; }

// The bytes of 64 numbers.
void split_row(const int16_t* row, void* high, void* low) {
  const __m512i a = _mm512_loadu_si512(row), b = _mm512_loadu_si512(row + 32);
  // Packing goes by 128 bits.
  const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
  const __m512i least = _mm512_set1_epi16(255);
  const __m512i lows = _mm512_packus_epi16(_mm512_and_si512(a, least), _mm512_and_si512(b, least));
  const __m512i highs = _mm512_packs_epi16(_mm512_srai_epi16(a, 8), _mm512_srai_epi16(b, 8));
  _mm512_storeu_si512(high, _mm512_permutexvar_epi64(order, highs));
  _mm512_storeu_si512(low, _mm512_permutexvar_epi64(order, lows));
}

float load_query(const float* x, size_t n, int16_t* codes) {
  const float scale = avx512_tiles()->load_query(x, n, codes);
  if (fills_tiles(n)) {
    auto* bytes = reinterpret_cast<std::byte*>(codes + n);
    for (size_t i = 0; i < n; i += kStep) split_row(codes + i, bytes + i, bytes + n + i);
  }
  return scale;
}

// Pairs of vectors that hold two columns become the high and the low bytes of four columns, perhaps in their
// place.
void split_panels(const TilePanels& panels, int16_t* tile) {
  const __m512i low_first = _mm512_set4_epi32(0x0F0D0E0C, 0x0B090A08, 0x07050604, 0x03010200);
  for (size_t i = 0; i < panels.panels * panels.pairs; i += 2) {
    const int16_t* const from = panels.numbers + i * 32;
    int16_t* const at = tile + i * 32;
    if (panels.next != nullptr) {
      _mm_prefetch(reinterpret_cast<const char*>(panels.next) + i * 64, _MM_HINT_T1);
      _mm_prefetch(reinterpret_cast<const char*>(panels.next) + i * 64 + 64, _MM_HINT_T1);
    }
    const __m512i first = _mm512_shuffle_epi8(_mm512_loadu_si512(from), low_first);
    const __m512i second = _mm512_shuffle_epi8(_mm512_loadu_si512(from + 32), low_first);
    constexpr __mmask32 kUpper = 0xAAAAAAAA;
    _mm512_storeu_si512(at, _mm512_mask_blend_epi16(kUpper, _mm512_srli_epi32(first, 16), second));
    _mm512_storeu_si512(at + 32, _mm512_mask_blend_epi16(kUpper, first, _mm512_slli_epi32(second, 16)));
  }
}

// A block of 16 x 16 sums in parts: of high bytes, of high with low, of low with high, of low ones.
struct Parts {
  alignas(64) int32_t of[4][kRows][kPanelLanes];

  __m512i sum(size_t row) const {
    const __m512i mixed = _mm512_add_epi32(_mm512_load_si512(of[1][row]), _mm512_load_si512(of[2][row]));
    const __m512i ends =
        _mm512_add_epi32(_mm512_load_si512(of[3][row]), _mm512_slli_epi32(_mm512_load_si512(of[0][row]), 16));
    return _mm512_add_epi32(ends, _mm512_slli_epi32(mixed, 8));
  }
};

// 16 rows of bytes times a panel, `steps` times 64 columns. The four chains are independent of each other: a
// product takes 52 cycles, and one begins every 16.
template <class Tiles>
void multiply(Tiles& tiles, const std::byte* high, const std::byte* low, size_t row_bytes,
              const std::byte* panel, size_t steps, Parts* parts) {
  constexpr Bytes kSigned = Bytes::Signed, kUnsigned = Bytes::Unsigned;
  tiles.template zero<0>();
  tiles.template zero<1>();
  tiles.template zero<2>();
  tiles.template zero<3>();
  for (size_t i = 0; i < steps; ++i) {
    tiles.template load<4>(high + i * kStep, row_bytes);
    tiles.template load<6>(panel, kQuadBytes);
    tiles.template dot_bytes<kSigned, kSigned, 0, 4, 6>();
    tiles.template load<7>(panel + kQuadBytes / 2, kQuadBytes);
    tiles.template dot_bytes<kSigned, kUnsigned, 1, 4, 7>();
    tiles.template load<5>(low + i * kStep, row_bytes);
    tiles.template dot_bytes<kUnsigned, kSigned, 2, 5, 6>();
    tiles.template dot_bytes<kUnsigned, kUnsigned, 3, 5, 7>();
    panel += kStep / 4 * kQuadBytes;
  }
  tiles.template store<0>(parts->of[0], sizeof parts->of[0][0]);
  tiles.template store<1>(parts->of[1], sizeof parts->of[1][0]);
  tiles.template store<2>(parts->of[2], sizeof parts->of[2][0]);
  tiles.template store<3>(parts->of[3], sizeof parts->of[3][0]);
}

template <class Tiles>
void scores(const int16_t* q, size_t ldq, size_t rows, const TilePanels& keys, size_t tokens, int16_t* tile,
            int32_t* out) {
  const size_t pairs = keys.pairs, dims = 2 * pairs, whole = fills_tiles(dims) ? whole_tiles(rows) : 0;
  if (whole < rows) {
    avx512_tiles()->scores(q + whole * ldq, ldq, rows - whole, keys, tokens, tile, out + whole * kPageTokens);
  }
  if (whole == 0) return;
  split_panels(keys, tile);
  Tiles tiles;
  Parts parts;
  for (size_t row = 0; row < whole; row += kRows) {
    const auto* bytes = reinterpret_cast<const std::byte*>(q + row * ldq + dims);
    for (size_t panel = 0; panel < keys.panels; ++panel) {
      multiply(tiles, bytes, bytes + dims, ldq * sizeof *q,
               reinterpret_cast<const std::byte*>(tile + panel * pairs * 32), dims / kStep, &parts);
      for (size_t m = 0; m < kRows; ++m) {
        _mm512_storeu_si512(out + (row + m) * kPageTokens + panel * kPanelLanes, parts.sum(m));
      }
    }
  }
}

template <class Tiles>
void accumulate(const int16_t* weights, size_t rows, const TilePanels& values, size_t tokens, int16_t* tile,
                const float* correction, const float* factor, float* out, size_t ldo) {
  const size_t whole = whole_tiles(rows);
  if (whole < rows) {
    avx512_tiles()->accumulate(weights + whole * kPageTokens, rows - whole, values, tokens, tile,
                               correction + whole, factor + whole, out + whole * ldo, ldo);
  }
  if (whole == 0) return;
  split_panels(values, tile);
  Tiles tiles;
  Parts parts;
  alignas(64) std::byte high[kRows][kPageTokens], low[kRows][kPageTokens];
  for (size_t row = 0; row < whole; row += kRows) {
    for (size_t m = 0; m < kRows; ++m) split_row(weights + (row + m) * kPageTokens, high[m], low[m]);
    for (size_t panel = 0; panel < values.panels; ++panel) {
      multiply(tiles, high[0], low[0], kPageTokens,
               reinterpret_cast<const std::byte*>(tile) + panel * kPanelPageBytes, 1, &parts);
      for (size_t m = 0; m < kRows; ++m) {
        float* const at = out + (row + m) * ldo + panel * kPanelLanes;
        const __m512 more = _mm512_mul_ps(_mm512_cvtepi32_ps(parts.sum(m)), _mm512_set1_ps(factor[row + m]));
        _mm512_storeu_ps(at, _mm512_fmadd_ps(_mm512_loadu_ps(at), _mm512_set1_ps(correction[row + m]), more));
      }
    }
  }
}

template <class Tiles>
TileKernels table() {
  TileKernels set = *avx512_tiles();
  set.query_stride = query_stride;
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

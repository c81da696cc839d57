// AMX: the products on tiles of bytes. Sums are whole numbers, so that all is the avx512 set's to the bit.
#include "encoder/encoder.h"

#if defined(__AVX512VNNI__)

#include <immintrin.h>

#include <type_traits>
#include <vector>

#include "kernels/tiles.h"
#include "runtime/memory.h"

namespace longleaf {
namespace {

#include "encoder/body.inc"

// A block is 16 rows by 64 outputs: four tiles of sums, one of rows, one of weights at a time. For each 64
// inputs five tiles are loaded (8 cycles each at two lines a cycle) and four multiplied (16 cycles each).
template <class Tiles>
struct TileProducts {
  static constexpr size_t kRows = 16, kQuadStep = 16;

  void dot(const uint8_t* rows, size_t lda, size_t, const int8_t* panel, size_t step, size_t quads,
           size_t vectors, int32_t* sums) {
    tiles.template zero<0>();
    tiles.template zero<1>();
    tiles.template zero<2>();
    tiles.template zero<3>();
    for (size_t quad = 0; quad < quads; quad += kQuadStep) {
      const int8_t* weights = panel + quad * step;
      tiles.template load<4>(rows + quad * 4, lda);
      multiply<0>(weights, step);
      if (vectors > 1) multiply<1>(weights + 64, step);
      if (vectors > 2) multiply<2>(weights + 128, step);
      if (vectors > 3) multiply<3>(weights + 192, step);
    }
    constexpr size_t kRowBytes = kOutputs * sizeof(int32_t);
    tiles.template store<0>(sums, kRowBytes);
    tiles.template store<1>(sums + 16, kRowBytes);
    tiles.template store<2>(sums + 32, kRowBytes);
    tiles.template store<3>(sums + 48, kRowBytes);
  }

  template <int N>
  void multiply(const int8_t* weights, size_t step) {
    tiles.template load<5 + N % 2>(weights, step);
    tiles.template dot_bytes<Bytes::Unsigned, Bytes::Signed, N, 4, 5 + N % 2>();
  }

  Tiles tiles;
};

}  // namespace

std::unique_ptr<EncoderBody> amx_encoder(const EncoderWeights& weights, int threads) {
  return std::make_unique<Body<TileProducts<HardwareTiles>>>(weights, threads);
}

std::unique_ptr<EncoderBody> amx_emulated_encoder(const EncoderWeights& weights, int threads) {
  return std::make_unique<Body<TileProducts<EmulatedTiles>>>(weights, threads);
}

}  // namespace longleaf

#else

namespace longleaf {
std::unique_ptr<EncoderBody> amx_encoder(const EncoderWeights&, int) { return nullptr; }
std::unique_ptr<EncoderBody> amx_emulated_encoder(const EncoderWeights&, int) { return nullptr; }
}  // namespace longleaf

#endif

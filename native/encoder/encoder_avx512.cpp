#include "encoder/encoder.h"

#if defined(__AVX512VNNI__)

#include <immintrin.h>

#include <type_traits>
#include <vector>

#include "runtime/memory.h"

namespace longleaf {
namespace {

#include "encoder/body.inc"

// Alone in its function and with all loops over the sums unrolled, else GCC keeps them in memory.
template <size_t M, size_t N>
__attribute__((noinline, noclone)) void dot_block(const uint8_t* rows, size_t lda, const int8_t* panel,
                                                  size_t step, size_t quads, int32_t* sums) {
  __m512i acc[M][N];
#pragma GCC unroll 6
  for (size_t r = 0; r < M; ++r) {
#pragma GCC unroll 4
    for (size_t p = 0; p < N; ++p) acc[r][p] = _mm512_setzero_si512();
  }
  for (size_t quad = 0; quad < quads; ++quad) {
    __m512i w[N];
#pragma GCC unroll 4
    for (size_t p = 0; p < N; ++p) w[p] = _mm512_loadu_si512(panel + quad * step + p * 64);
#pragma GCC unroll 6
    for (size_t r = 0; r < M; ++r) {
      int32_t four;
      __builtin_memcpy(&four, rows + r * lda + quad * 4, sizeof four);
      const __m512i x = _mm512_set1_epi32(four);
#pragma GCC unroll 4
      for (size_t p = 0; p < N; ++p) acc[r][p] = _mm512_dpbusd_epi32(acc[r][p], x, w[p]);
    }
  }
#pragma GCC unroll 6
  for (size_t r = 0; r < M; ++r) {
#pragma GCC unroll 4
    for (size_t p = 0; p < N; ++p) _mm512_storeu_si512(sums + r * kOutputs + p * 16, acc[r][p]);
  }
}

struct Products {
  static constexpr size_t kRows = 6, kQuadStep = 1;

  void dot(const uint8_t* rows, size_t lda, size_t m, const int8_t* panel, size_t step, size_t quads,
           size_t vectors, int32_t* sums) const {
    using Block = void (*)(const uint8_t*, size_t, const int8_t*, size_t, size_t, int32_t*);
    static constexpr Block kBlocks[kRows][4] = {
        {dot_block<1, 1>, dot_block<1, 2>, dot_block<1, 3>, dot_block<1, 4>},
        {dot_block<2, 1>, dot_block<2, 2>, dot_block<2, 3>, dot_block<2, 4>},
        {dot_block<3, 1>, dot_block<3, 2>, dot_block<3, 3>, dot_block<3, 4>},
        {dot_block<4, 1>, dot_block<4, 2>, dot_block<4, 3>, dot_block<4, 4>},
        {dot_block<5, 1>, dot_block<5, 2>, dot_block<5, 3>, dot_block<5, 4>},
        {dot_block<6, 1>, dot_block<6, 2>, dot_block<6, 3>, dot_block<6, 4>},
    };
    kBlocks[m - 1][vectors - 1](rows, lda, panel, step, quads, sums);
  }
};

}  // namespace

std::unique_ptr<EncoderBody> avx512_encoder(const EncoderWeights& weights, int threads) {
  return std::make_unique<Body<Products>>(weights, threads);
}

}  // namespace longleaf

#else

namespace longleaf {
std::unique_ptr<EncoderBody> avx512_encoder(const EncoderWeights&, int) { return nullptr; }
}  // namespace longleaf

#endif

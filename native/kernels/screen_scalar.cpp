#include "kernels/screen.h"

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"
typedef int32_t Ints __attribute__((vector_size(64)));

template <int M>
LL_LEAF void nibble_products(const std::byte* codes, const ScreenActivation* rows, size_t at, Ints* total) {
  for (size_t j = 0; j < 4; ++j) {
    for (size_t c = 0; c < 4; ++c) {
      Ints low, high;
      for (size_t i = 0; i < kScreenPanelRows; ++i) {
        const int byte = static_cast<int>(codes[j * 64 + i * 4 + c]);
        low[i] = byte & 15;
        high[i] = byte >> 4;
      }
      for (int m = 0; m < M; ++m) {
        const size_t column = at + j * 8 + c;
        total[m] += low * (128 * rows[m].high[column] + rows[m].low[column]);
        total[m] += high * (128 * rows[m].high[column + 4] + rows[m].low[column + 4]);
      }
    }
  }
}

LL_LEAF int32_t fine_product(const std::byte* bits, const int8_t* high, const int8_t* low) {
  int32_t sum = 0;
  for (size_t c = 0; c < kScreenGroup; ++c) {
    const int code = static_cast<int>(bits[c % 8]) >> (c / 8 * 2) & 3;
    sum += code * (128 * high[c] + low[c]);
  }
  return sum;
}

LL_LEAF void prefetch(const std::byte* p) { __builtin_prefetch(p); }

#include "kernels/screen.inc"

}  // namespace

const ScreenKernels* scalar_screen() { return &kScreen; }

}  // namespace longleaf

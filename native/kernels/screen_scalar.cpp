#include "kernels/screen.h"

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"
typedef int32_t Ints __attribute__((vector_size(64)));

constexpr size_t kRowsAtOnce = 4;

template <int M>
LL_LEAF void nibble_products(const std::byte* codes, const int8_t* quads, Ints* total) {
  for (size_t j = 0; j < 4; ++j) {
    for (size_t c = 0; c < 4; ++c) {
      Ints low, high;
      for (size_t i = 0; i < kScreenPanelRows; ++i) {
        const int byte = static_cast<int>(codes[j * 64 + i * 4 + c]);
        low[i] = byte & 15;
        high[i] = byte >> 4;
      }
      for (size_t m = 0; m < M; ++m) {
        total[m] += low * quads[(2 * j * kScreenRows + m) * 4 + c];
        total[m] += high * quads[((2 * j + 1) * kScreenRows + m) * 4 + c];
      }
    }
  }
}

LL_LEAF int32_t fine_product(const std::byte* bits, const int8_t* high) {
  int32_t sum = 0;
  for (size_t c = 0; c < kScreenGroup; ++c) {
    sum += (static_cast<int>(bits[c % 8]) >> (c / 8 * 2) & 3) * high[c];
  }
  return sum;
}

LL_LEAF Ints load_bytes(const std::byte* p) {
  Ints out;
  for (size_t i = 0; i < kScreenPanelRows; ++i) out[i] = static_cast<int>(p[i]);
  return out;
}

LL_LEAF void prefetch(const std::byte* p) { __builtin_prefetch(p); }

#include "kernels/screen.inc"

}  // namespace

const ScreenKernels* scalar_screen() { return &kScreen; }

}  // namespace longleaf

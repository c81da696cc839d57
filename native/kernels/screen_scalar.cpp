#include "kernels/screen.h"

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"
typedef int32_t Ints __attribute__((vector_size(64)));

constexpr size_t kRowsAtOnce = 4;
constexpr int kPanelsAtOnce = 1;

// Byte c of every dword.
LL_LEAF Ints bytes_at(const std::byte* p, size_t c) {
  Ints out;
  for (size_t i = 0; i < kScreenPanelRows; ++i) out[i] = static_cast<int>(p[i * 4 + c]);
  return out;
}

template <int M, int N>
LL_LEAF void nibble_products(const std::byte* codes, size_t, const int8_t* quads, Ints (*total)[N]) {
  for (size_t j = 0; j < 4; ++j) {
    for (size_t c = 0; c < 4; ++c) {
      const Ints both = bytes_at(codes + j * 64, c);
      for (size_t m = 0; m < M; ++m) {
        total[m][0] += (both & 15) * quads[(2 * j * kScreenRows + m) * 4 + c];
        total[m][0] += (both >> 4) * quads[((2 * j + 1) * kScreenRows + m) * 4 + c];
      }
    }
  }
}

template <int M, int N>
LL_LEAF void reach_products(const std::byte* steps, size_t, const int8_t* reaches, Ints (*total)[N]) {
  for (size_t c = 0; c < 4; ++c) {
    const Ints bytes = bytes_at(steps, c);
    for (size_t m = 0; m < M; ++m) total[m][0] += bytes * reaches[m * 4 + c];
  }
}

template <int M, int N>
LL_LEAF void byte_products(const std::byte* codes, size_t stride, const int8_t* quads, Ints (*total)[N]) {
  for (size_t q = 0; q < kScreenGroup / 4; ++q) {
    reach_products<M, N>(codes + q * 64, stride, quads + q * kScreenRows * 4, total);
  }
}

LL_LEAF void add_scaled(Ints& sum, Ints total, Ints step) { sum += total * step; }

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

#include "kernels/screen.inc"

}  // namespace

const ScreenKernels* scalar_screen() { return &kScreen; }

}  // namespace longleaf

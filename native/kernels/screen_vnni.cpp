#include "kernels/screen.h"

#ifdef __AVX512VNNI__
#include <immintrin.h>

namespace longleaf {
namespace {

#define LL_LEAF static inline __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wpsabi"
typedef int32_t Ints __attribute__((vector_size(64)));

#include "kernels/screen_avx512.inc"
#include "kernels/screen_fine.inc"

// Not the intrinsic: see dot_pairs of the kernels.
LL_LEAF void add_products(Ints& total, __m512i codes, const int8_t* quad) {
  asm("vpdpbusd %2%{1to16%}, %1, %0"
      : "+v"(total)
      : "v"(codes), "m"(*reinterpret_cast<const int32_t*>(quad)));
}

template <int M>
LL_LEAF void nibble_products(const std::byte* codes, const int8_t* quads, Ints* total) {
  each_quad<M>(codes, quads, [&](int m, __m512i c, const int8_t* quad) __attribute__((always_inline)) {
    add_products(total[m], c, quad);
  });
}

#include "kernels/screen.inc"

}  // namespace

const ScreenKernels* vnni_screen() { return &kScreen; }

}  // namespace longleaf

#else

namespace longleaf {
const ScreenKernels* vnni_screen() { return nullptr; }
}  // namespace longleaf

#endif

// Tiles as Intel AMX has them, of bf16 and of bytes: eight of 16 rows x 64 bytes. Two classes have the same
// functions, the instructions and an emulation of them, so that all code above them is one. For units built
// with AVX-512 only. Internal linkage, as in body.inc.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace longleaf {
namespace {

enum class Bytes { Unsigned, Signed };

// The tile instructions. An object of it holds the configuration of this thread and releases it in the end,
// so that an idle thread leaves no tile state for the system to save. The instructions are written out: the
// intrinsics of GCC 12 do not say that they read memory, so that stores before them may be dropped.
class HardwareTiles {
 public:
  HardwareTiles() {
    // Palette 1, all eight tiles of 16 rows x 64 bytes (Intel SDM vol. 1, 18.3).
    struct Config {
      uint8_t palette = 1, start_row = 0, reserved[14] = {};
      uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
      uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
    };
    alignas(64) static const Config config;
    asm volatile("ldtilecfg %0" ::"m"(config) : "memory");
  }
  ~HardwareTiles() { asm volatile("tilerelease" ::: "memory"); }
  HardwareTiles(const HardwareTiles&) = delete;
  HardwareTiles& operator=(const HardwareTiles&) = delete;

  template <int N>
  void zero() {
    asm volatile("tilezero %%tmm%c0" ::"i"(N));
  }
  template <int N>
  void load(const void* p, size_t stride_bytes) {
    asm volatile("tileloadd (%1,%2,1), %%tmm%c0" ::"i"(N), "r"(p), "r"(stride_bytes) : "memory");
  }
  template <int N>
  void store(void* p, size_t stride_bytes) {
    asm volatile("tilestored %%tmm%c0, (%1,%2,1)" ::"i"(N), "r"(p), "r"(stride_bytes) : "memory");
  }
  // Tile C += tile A . tile B
  template <int C, int A, int B>
  void dot() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
  }
  // The same in whole numbers, of bytes.
  template <Bytes OfA, Bytes OfB, int C, int A, int B>
  void dot_bytes() {
    constexpr bool kSignedA = OfA == Bytes::Signed, kSignedB = OfB == Bytes::Signed;
    if constexpr (kSignedA && kSignedB) {
      asm volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
    } else if constexpr (kSignedA) {
      asm volatile("tdpbsud %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
    } else if constexpr (kSignedB) {
      asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
    } else {
      asm volatile("tdpbuud %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
    }
  }
};

// The same by the operation Intel gives (SDM vol. 2, TDPBF16PS): within one instruction two sums, of the even
// and of the odd elements, each by fused multiply-adds in f32 in the order of k from zero; the two are added,
// and that to the tile. Subnormal operands and results are zero, whatever the thread's settings.
class EmulatedTiles {
 public:
  EmulatedTiles() = default;
  EmulatedTiles(const EmulatedTiles&) = delete;
  EmulatedTiles& operator=(const EmulatedTiles&) = delete;

  template <int N>
  void zero() {
    for (auto& row : tiles_[N]) _mm512_store_si512(row, _mm512_setzero_si512());
  }
  template <int N>
  void load(const void* p, size_t stride_bytes) {
    for (size_t r = 0; r < 16; ++r) {
      const std::byte* row = static_cast<const std::byte*>(p) + r * stride_bytes;
      _mm512_store_si512(tiles_[N][r], _mm512_loadu_si512(row));
    }
  }
  template <int N>
  void store(void* p, size_t stride_bytes) {
    for (size_t r = 0; r < 16; ++r) {
      _mm512_storeu_si512(static_cast<std::byte*>(p) + r * stride_bytes, _mm512_load_si512(tiles_[N][r]));
    }
  }
  template <int C, int A, int B>
  void dot() {
    const unsigned settings = _mm_getcsr();
    _mm_setcsr(0x1F80 | 0x8040);  // masked, to nearest, FTZ and DAZ
    for (size_t m = 0; m < 16; ++m) {
      __m512 even = _mm512_setzero_ps(), odd = _mm512_setzero_ps();
      for (size_t k = 0; k < 16; ++k) {
        const __m512i a = _mm512_set1_epi32(tiles_[A][m][k]), b = _mm512_load_si512(tiles_[B][k]);
        even = _mm512_fmadd_ps(low_half(a), low_half(b), even);
        odd = _mm512_fmadd_ps(high_half(a), high_half(b), odd);
      }
      const __m512 before = _mm512_load_ps(tiles_[C][m]);
      _mm512_store_ps(tiles_[C][m], _mm512_add_ps(before, _mm512_add_ps(even, odd)));
    }
    _mm_setcsr(settings);
  }
  // Sums of 32 bits wrap, so that their order says nothing (SDM vol. 2, TDPBSSD). The product that vpdpbusd
  // has is of unsigned bytes and signed ones; a byte of the other kind is 128 more or less than its bits say.
  template <Bytes OfA, Bytes OfB, int C, int A, int B>
  void dot_bytes() {
    constexpr bool kSignedA = OfA == Bytes::Signed, kSignedB = OfB == Bytes::Signed;
    const __m512i half = _mm512_set1_epi8(-128), ones = _mm512_set1_epi8(1);
    for (size_t m = 0; m < 16; ++m) {
      __m512i sum = _mm512_load_si512(tiles_[C][m]);
      for (size_t k = 0; k < 16; ++k) {
        const __m512i a = _mm512_set1_epi32(tiles_[A][m][k]), b = _mm512_load_si512(tiles_[B][k]);
        if constexpr (kSignedA && kSignedB) {
          sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(a, half), b);
          sum = _mm512_sub_epi32(sum, _mm512_dpbusd_epi32(_mm512_setzero_si512(), half, b));
        } else if constexpr (kSignedA) {
          sum = _mm512_dpbusd_epi32(sum, b, a);
        } else if constexpr (kSignedB) {
          sum = _mm512_dpbusd_epi32(sum, a, b);
        } else {
          sum = _mm512_dpbusd_epi32(sum, a, _mm512_xor_si512(b, half));
          const __m512i all = _mm512_dpbusd_epi32(_mm512_setzero_si512(), a, ones);
          sum = _mm512_add_epi32(sum, _mm512_slli_epi32(all, 7));
        }
      }
      _mm512_store_si512(tiles_[C][m], sum);
    }
  }

 private:
  static __m512 low_half(__m512i v) { return _mm512_castsi512_ps(_mm512_slli_epi32(v, 16)); }
  static __m512 high_half(__m512i v) {
    return _mm512_castsi512_ps(_mm512_and_si512(v, _mm512_set1_epi32(static_cast<int32_t>(0xFFFF0000u))));
  }
  alignas(64) int32_t tiles_[8][16][16];
};

}  // namespace
}  // namespace longleaf

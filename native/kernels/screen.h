// A coarse copy of an output head, which tells the rows that can hold the largest logits.
//
// Columns are permuted (the most telling first) and cut into groups of 32. A weight stands for
//   (c - (2^b - 1) / 2) * d   with d = A * m / 255 / 2^(b - 1),
// A of the row, m of the row and group, and codes c of b = 8 bits in the first `wide` groups and 4 in the
// others, which two more bits of the fine part make 6 bits with d / 4. The norm of what this leaves out of a
// group is at most R * kResidualUnit * d (d / 4 with the fine part), and W is at least the norm of every row
// as it was and as it stands. docs/decode.md derives the bounds from these.
//
// A panel of 16 rows:
//   16 bf16 A, 16 8-bit R, a float W of all, padding to 64 bytes
//   for every four groups their m, 16 rows x 4 bytes
//   for every group its codes: 8 bits in 8 vectors, each 16 rows x the 4 bytes of columns 4 j .. 4 j + 3;
//   4 bits in 4 vectors, of which the low nibbles are columns 8 j .. 8 j + 3 and the high ones
//   8 j + 4 .. 8 j + 7.
// The fine part of a row:
//   for every narrow group 8 bytes, byte j holding the low bits of columns j, j + 8, j + 16, j + 24
//   for every group m; A as bf16; W as bf16, of this row or more; R
#pragma once

#include <cstddef>
#include <cstdint>

namespace longleaf {

constexpr size_t kScreenGroup = 32;
constexpr size_t kScreenPanelRows = 16;
constexpr size_t kScreenBlockRows = 64;
constexpr size_t kScreenPlane = 256;       // bytes of a group's codes of 4 bits
constexpr size_t kScreenRows = 8;          // rows of activations at once
constexpr size_t kScreenMostGroups = 256;  // their sums of products of codes and steps fit 32 bits
constexpr int kScreenReach = 63;           // the largest norm of a row's groups
constexpr float kResidualUnit = 2.857f / 255;

struct ScreenMatrix {
  std::byte* panels;
  std::byte* fine;
  size_t rows;
  size_t groups, wide;  // groups of columns; the first `wide` have codes of 8 bits
  size_t panel_bytes, fine_bytes;
};

// Up to kScreenRows rows of activations, permuted and rounded to whole steps, one step for all narrow groups
// of a row and one for all wide ones: to signed bytes, in wide groups to 15 bits, 128 * high + low. [quad]
// stands for [columns / 4][kScreenRows][4]: four columns of all rows lie together.
struct ScreenActivations {
  const int8_t* high;     // [quad]
  const int8_t* low;      // [quad] of the wide groups
  const int8_t* reaches;  // [groups / 4][kScreenRows][4]: norms of the activations of each group over 2^(b -
                          // 1), as whole numbers of `reach_step`, rounded up
  const int8_t* codes;    // [kScreenRows][groups * 32], high again for the fine part
  // [groups][kScreenRows]:
  const int32_t* offset;  // added to products of codes: (1 - 2^b) / 2 times the sum of the rounded
                          // activations, which is even
  const float* reach;     // the norms as they are, over 255 * 2^(b - 1)
  // [kScreenRows]:
  const float *factor, *wide_factor;  // from products of codes and m to the logit
  const float* reach_step;            // over 255
  const float* slack;                 // times W
};

// Bounds: numbers that a logit is surely not below and not above.
struct ScreenKernels {
  // Of the 64 rows of a block for m <= kScreenRows rows of activations: low and high [m][64], and the largest
  // high. Rows of padding have minus infinity. If this is call `part` of `parts` for the block, it fetches
  // that part of the next one.
  void (*bounds)(const ScreenMatrix& matrix, size_t block, const ScreenActivations& rows, size_t m,
                 size_t part, size_t parts, float* low, float* high, float* highest);
  // Tightens the bounds of one row of the matrix for row m of the activations.
  void (*refine)(const ScreenMatrix& matrix, size_t row, const ScreenActivations& rows, size_t m, float* low,
                 float* high);
  // Fills panel and fine part from the weights of 16 rows, permuted: [groups * 32][16]. False if they are too
  // large, or no numbers.
  bool (*quantize)(const ScreenMatrix& matrix, size_t panel, const float* weights);
};

// Of the kernel set of that name.
const ScreenKernels& screen_kernels(const char* set);

// Sizes for rows x cols; the pointers are left to the caller.
ScreenMatrix screen_matrix(size_t rows, size_t cols);

const ScreenKernels* scalar_screen();
const ScreenKernels* avx2_screen();
const ScreenKernels* avx512_screen();
const ScreenKernels* vnni_screen();  // AVX-512 with VNNI

}  // namespace longleaf

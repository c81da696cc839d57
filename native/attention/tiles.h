// Attention in 16-bit integers, for instruction sets that multiply them faster than floats.
//
// Queries and keys are rounded to 16 bits with one scale a vector, weights and values to 13 to 16 bits; sums
// of products are exact in int32, so that their order does not matter. With scales by the length of a vector
// the error of a score is about that of keys in f16, 1e-5 |q| |k|; that of the output at most 2^-13 of the
// largest value in the page, below that of weights and values in bf16. All of a row depends on its own query
// and the keys it sees only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kv/page_format.h"

namespace longleaf {

// A row that has seen no key yet.
constexpr float kNothing = -3.402823466e+38f;

// What a step of the online softmax reads and writes, for `rows` rows of 64 scores each.
struct SoftmaxStep {
  size_t rows;
  int32_t* scores;            // sums of products; overwritten
  const float* key_scales;    // [64]
  const float* query_scales;  // [rows], times log2(e)
  const float* value_scales;  // [64]
  float most_weight;   // what the largest weight of a row becomes, times the largest value scale it sees
  const uint8_t* low;  // [rows] each: keys [low, high) count; null when all do
  const uint8_t* high;
  float* max;         // [rows], in units of scores times key scales
  float* sums;        // [rows][16]: partial sums of the weights
  int16_t* weights;   // [rows][64]
  float* correction;  // [rows]: what the output so far is to be multiplied by
  float* factor;      // [rows]: what sums of weights times values are to be multiplied by
};

// Keys or values of a page as pairs of 16-bit numbers: panels of [pairs][16][2], element = number * scale of
// its token. They stand in the page or in a tile.
struct TilePanels {
  const int16_t* numbers;
  size_t panels, pairs;
  const std::byte* next;  // to be fetched while these are multiplied, as many bytes; null: nothing
};

struct TileKernels {
  // 16-bit numbers that a query of n floats takes, those between it and the next one included.
  size_t (*query_stride)(size_t n);
  // 16-bit codes of n floats, zeros behind them up to a multiple of 32, then what else the products want.
  // Returns their scale.
  float (*load_query)(const float* x, size_t n, int16_t* codes);
  // The scales of a page's keys or values, and the panels as pairs of 16-bit numbers.
  TilePanels (*load_panels)(const KvPart& part, const std::byte* page, const std::byte* next, int16_t* tile,
                            float* scales);
  // scores[rows][64] = q . keys of the first `tokens` tokens; those of others may be any. `tile` may be what
  // load_panels filled; it is spent.
  void (*scores)(const int16_t* q, size_t ldq, size_t rows, const TilePanels& keys, size_t tokens,
                 int16_t* tile, int32_t* scores);
  void (*softmax)(const SoftmaxStep& step);
  // out[rows][16 * panels] = out * correction + factor * (weights . values) of the first `tokens` tokens: the
  // weights of others are 0.
  void (*accumulate)(const int16_t* weights, size_t rows, const TilePanels& values, size_t tokens,
                     int16_t* tile, const float* correction, const float* factor, float* out, size_t ldo);
  float (*total)(const float* sums);  // of 16
};

// Largest weight so that 64 of them times the largest value stay below 2^31.
float most_weight(KvType values);

// For a kernel set and types of cache; null when floats are multiplied.
const TileKernels* tile_kernels(const std::string& kernel_set, KvType keys, KvType values);
// nullptr where the target cannot build it
const TileKernels* avx512_tiles();
const TileKernels* amx_tiles();
const TileKernels* amx_emulated_tiles();

}  // namespace longleaf

// Exact attention over KV pages, one pass, online softmax.
//
// The order of operations of one query row depends on its own position only: blocks of 64 keys in order,
// gathered into segments of 1,024 positions, segments merged in order. So the result is the same to the bit
// whatever rows stand beside it, and segments of one row can be given to different threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"
#include "kv/pool.h"
#include "runtime/memory.h"
#include "runtime/threads.h"

namespace longleaf {

constexpr size_t kSegmentPages = 16;

// Consecutive rows of a batch that belong to one sequence.
struct AttentionSpan {
  size_t first_row;  // in q and out
  size_t rows;
  size_t position;        // of the first row
  const uint32_t* pages;  // the block table of this layer
};

struct AttentionShape {
  size_t heads;
  size_t kv_heads;
  size_t head_dim;
  size_t window;  // keys a row sees, itself included; 0 for all
};

class Attention {
 public:
  Attention(const KvLayout& layout, size_t heads, int threads);

  // out[row][head][dim] = softmax(q . k) v. q is already scaled; keys and values of all rows are in their
  // pages.
  void run(const Kernels& kernels, ThreadPool& pool, const KvPool& kv, const AttentionShape& shape,
           const std::vector<AttentionSpan>& spans, const float* q, size_t ldq, float* out, size_t ldo);

 private:
  struct Tile {
    const AttentionSpan* span;
    size_t first_row, rows;  // within the span
    size_t kv_head;
    size_t first_segment, last_segment;
    size_t partial;  // index of its first partial result, when segments are split
  };
  struct Scratch {
    float *q, *scores, *out, *converted, *max, *sum, *correction, *total, *total_max, *total_sum;
  };
  Scratch scratch(int thread) const;
  void segment(const Kernels& kernels, const KvPool& kv, const AttentionShape& shape, const Tile& tile,
               size_t index, const Scratch& s) const;
  void load_queries(const AttentionShape& shape, const Tile& tile, const float* q, size_t ldq,
                    float* packed) const;
  void store_rows(const Kernels& kernels, const AttentionShape& shape, const Tile& tile, float* total,
                  const float* sum, float* out, size_t ldo) const;

  KvLayout layout_;
  size_t group_;       // query heads a KV head
  size_t tile_rows_;   // query rows of one tile, all heads of a group
  size_t out_stride_;  // head_dim rounded up to whole panels
  size_t thread_floats_;
  Memory memory_;
  std::vector<Tile> tiles_;
  std::vector<std::pair<size_t, size_t>> units_;  // tile, segment
  Memory partials_;
};

}  // namespace longleaf

// Exact attention over KV pages, one pass, online softmax.
//
// The order of operations of one query row depends on its own position only: blocks of 64 keys in order,
// gathered into segments of 1,024 positions, segments merged in order. So the result is the same to the bit
// whatever rows stand beside it, segments of one row can be given to different threads, and rows of several
// sequences that share the pages of a segment can go through them together.
//
// Two ways to multiply: in floats (every type of cache, every instruction set), or, where the instruction set
// has TileKernels, in 16-bit integers (types other than f32); the layout says which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attention/tiles.h"
#include "kernels/kernels.h"
#include "kv/pool.h"
#include "runtime/memory.h"
#include "runtime/threads.h"

namespace longleaf {

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
  Attention(const Kernels& kernels, const KvLayout& layout, size_t heads, int threads);

  // out[row][head][dim] = softmax(q . k) v. q is already scaled; keys and values of all rows are in their
  // pages.
  void run(ThreadPool& pool, const KvPool& kv, const AttentionShape& shape,
           const std::vector<AttentionSpan>& spans, const float* q, size_t ldq, float* out, size_t ldo);

 private:
  // A row of the batch.
  struct Query {
    size_t row;
    size_t position;
    const uint32_t* pages;
  };
  // Queries of one span and one KV head.
  struct Tile {
    size_t first, count;  // in queries_
    size_t kv_head;
    size_t first_segment, last_segment;
    size_t partial;  // index of its first partial result, if its segments are split
    bool split;

    size_t segments() const { return last_segment - first_segment + 1; }
  };
  // One segment of some tiles of one KV head that share pages of it.
  struct Part {
    size_t segment;
    size_t first, count;  // in part_tiles_
  };
  struct Pages {
    size_t first, end;
  };
  struct Call {
    const KvPool& kv;
    const AttentionShape& shape;
    const float* q;
    size_t ldq;
    float* out;
    size_t ldo;
  };
  // Of one thread. Rows are queries times heads of a group.
  struct Scratch {
    float *q, *scores, *converted, *key_scales, *value_scales;
    int16_t *codes, *tile, *weights;
    float *query_scales, *sums, *factor, *correction;
    uint8_t *low, *high;
    float *out, *max, *sum;                       // of a segment
    float *total, *total_max, *total_sum, *copy;  // of segments merged
  };
  size_t layout_scratch(std::byte* base, Scratch* s) const;
  static Pages pages_of(const AttentionShape& shape, const Query& query, size_t segment);
  bool shares_pages(const AttentionShape& shape, const Tile& a, const Tile& b, size_t segment) const;
  void make_tiles(const AttentionShape& shape, const std::vector<AttentionSpan>& spans, size_t threads);
  void make_parts(const AttentionShape& shape);
  void sort_by_home(const Call& call, size_t homes);
  void load_queries(const Call& call, const Query* queries, size_t count, size_t kv_head, const Scratch& s,
                    size_t first_row) const;
  void segment(const Call& call, const std::vector<Query>& queries, size_t kv_head, size_t index,
               const Scratch& s) const;
  Scratch from_query(const Scratch& s, size_t first) const;
  void run_page(const Call& call, const Query* queries, size_t count, size_t kv_head, size_t page,
                size_t last_position, const std::byte* next, const Scratch& s) const;
  bool mark_visible(const AttentionShape& shape, const Query* queries, size_t count, size_t page,
                    const Scratch& s) const;
  void float_page(const Call& call, const std::byte* keys, size_t rows, size_t keys_used,
                  const Scratch& s) const;
  void integer_page(const std::byte* keys, size_t keys_used, const std::byte* next, size_t rows,
                    bool all_visible, const Scratch& s) const;
  void merge(const Scratch& s, size_t row, const float* part, float part_max, float part_sum) const;
  void whole(const Call& call, const Tile& tile, std::vector<Query>& queries, const Scratch& s) const;
  void part(const Call& call, const Part& part, std::vector<Query>& queries, const Scratch& s);
  void merge_parts(const Call& call, const Tile& tile, const Scratch& s) const;
  void store_rows(const Call& call, const Tile& tile, const Scratch& s) const;
  float* partial(const Tile& tile, size_t segment, size_t row) const;

  const Kernels& kernels_;
  const TileKernels* tiles_kernels_;  // null: floats
  KvLayout layout_;
  KvPart keys_, values_;
  size_t group_;       // query heads a KV head
  size_t tile_rows_;   // query rows of one tile, all heads of a group
  size_t q_stride_;    // floats or 16-bit numbers of a query
  size_t out_stride_;  // floats of an output: whole panels
  size_t thread_bytes_;
  Memory memory_;
  std::vector<Query> queries_;
  std::vector<Tile> tiles_;
  std::vector<Part> parts_;
  std::vector<size_t> part_tiles_;
  std::vector<size_t> whole_tiles_, split_tiles_;
  std::vector<size_t> order_, ends_;          // units of work by their home, and where those of each home end
  std::vector<std::vector<Query>> gathered_;  // of every thread
  Memory partials_;
};

}  // namespace longleaf

#include "attention/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace longleaf {
namespace {

constexpr size_t kTileRows = 72;     // rows of queries that share a page: a multiple of the register block
constexpr size_t kConvertRows = 12;  // from here on unpacking an f16 page first is cheaper
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

size_t round16(size_t n) { return (n + 15) / 16 * 16; }

// total (+)= part, each a row of sum, max and unnormalised output.
void merge_row(const Kernels& kernels, float* total, float* total_max, float* total_sum, const float* part,
               float part_max, float part_sum, size_t n, float* copy) {
  if (part_max == kMinusInfinity) return;
  if (*total_max == kMinusInfinity) {
    std::memcpy(total, part, n * sizeof(float));
    *total_max = part_max;
    *total_sum = part_sum;
    return;
  }
  const float max = std::max(*total_max, part_max);
  alignas(64) float factors[16] = {*total_max - max, part_max - max};
  kernels.exp(factors, 16);
  kernels.scale(total, factors[0], n);
  std::memcpy(copy, part, n * sizeof(float));
  kernels.scale(copy, factors[1], n);
  kernels.add(total, copy, n);
  *total_sum = *total_sum * factors[0] + part_sum * factors[1];
  *total_max = max;
}

}  // namespace

Attention::Attention(const KvLayout& layout, size_t heads, int threads)
    : layout_(layout),
      group_(heads / layout.kv_heads),
      tile_rows_(std::max<size_t>(1, kTileRows / group_) * group_),
      out_stride_(layout.value_panels() * 16 + 16) {
  const size_t q_floats = tile_rows_ * (round16(layout.head_dim) + 16);
  const size_t out_floats = tile_rows_ * out_stride_;
  const size_t page_floats = std::max(layout.key_elements(), layout.value_elements());
  thread_floats_ = round16(q_floats + tile_rows_ * kPageTokens + 2 * out_floats + page_floats +
                           5 * round16(tile_rows_) + out_stride_ + 1024);
  memory_ = Memory(thread_floats_ * static_cast<size_t>(threads) * sizeof(float));
}

Attention::Scratch Attention::scratch(int thread) const {
  float* at = memory_.as<float>() + static_cast<size_t>(thread) * thread_floats_;
  const auto take = [&](size_t n) {
    float* mine = at;
    at += round16(n);
    return mine;
  };
  Scratch s{};
  s.q = take(tile_rows_ * (round16(layout_.head_dim) + 16));
  s.scores = take(tile_rows_ * kPageTokens);
  s.out = take(tile_rows_ * out_stride_);
  s.total = take(tile_rows_ * out_stride_);
  s.converted = take(std::max(layout_.key_elements(), layout_.value_elements()));
  s.max = take(tile_rows_);
  s.sum = take(tile_rows_);
  s.correction = take(tile_rows_);
  s.total_max = take(tile_rows_);
  s.total_sum = take(tile_rows_);
  return s;
}

void Attention::load_queries(const AttentionShape& shape, const Tile& tile, const float* q, size_t ldq,
                             float* packed) const {
  const size_t stride = round16(shape.head_dim) + 16;
  for (size_t r = 0; r < tile.rows; ++r) {
    const float* row =
        q + (tile.span->first_row + tile.first_row + r) * ldq + tile.kv_head * group_ * shape.head_dim;
    for (size_t h = 0; h < group_; ++h) {
      std::memcpy(packed + (r * group_ + h) * stride, row + h * shape.head_dim,
                  shape.head_dim * sizeof(float));
    }
  }
}

// One segment of one tile into s.out, s.max, s.sum.
void Attention::segment(const Kernels& kernels, const KvPool& kv, const AttentionShape& shape,
                        const Tile& tile, size_t index, const Scratch& s) const {
  const size_t m = tile.rows * group_;
  const size_t q_stride = round16(shape.head_dim) + 16;
  const size_t first_position = tile.span->position + tile.first_row;
  const size_t last_position = first_position + tile.rows - 1;
  const size_t oldest =
      shape.window == 0 || first_position < shape.window ? 0 : first_position - shape.window + 1;
  const size_t first_page = std::max(index * kSegmentPages, oldest / kPageTokens);
  const size_t end_page = std::min((index + 1) * kSegmentPages, last_position / kPageTokens + 1);
  std::fill(s.max, s.max + m, kMinusInfinity);
  std::fill(s.sum, s.sum + m, 0.0f);
  const bool half = layout_.type == KvType::F16;
  const bool convert = half && m >= kConvertRows;
  const size_t key_stride = shape.head_dim * 16;
  const size_t value_stride = kPageTokens * 16;
  bool started = false;
  for (size_t page = first_page; page < end_page; ++page) {
    const std::byte* head =
        kv.page_at(tile.span->pages[page]) + tile.kv_head * layout_.head_elements() * layout_.element_bytes();
    const std::byte* values = head + layout_.key_elements() * layout_.element_bytes();
    if (half && !convert) {
      kernels.gemm_f16(s.q, q_stride, reinterpret_cast<const uint16_t*>(head), key_stride, kPageTokens / 16,
                       shape.head_dim, m, s.scores, kPageTokens, kZero, nullptr);
    } else {
      const float* keys = reinterpret_cast<const float*>(head);
      if (convert) {
        kernels.f16_to_f32(reinterpret_cast<const uint16_t*>(head), s.converted, layout_.key_elements());
        keys = s.converted;
      }
      kernels.gemm(s.q, q_stride, keys, key_stride, kPageTokens / 16, shape.head_dim, m, s.scores,
                   kPageTokens, kZero, nullptr);
    }
    if (half && !convert && page + 1 < end_page) {
      // The kernel fetches the next panels of this page; of the next page nothing but this is on its way.
      const std::byte* next = kv.page_at(tile.span->pages[page + 1]) +
                              tile.kv_head * layout_.head_elements() * layout_.element_bytes();
      const size_t bytes = 2 * key_stride * layout_.element_bytes();
      for (size_t b = 0; b < bytes; b += 64) __builtin_prefetch(next + b);
    }
    const size_t base = page * kPageTokens;
    for (size_t r = 0; r < tile.rows; ++r) {
      const size_t position = first_position + r;
      const size_t visible = position + 1;  // keys [0, visible) before the window
      const size_t from = shape.window == 0 || visible <= shape.window ? 0 : visible - shape.window;
      const size_t low = from > base ? std::min(from - base, kPageTokens) : 0;
      const size_t high = visible > base ? std::min(visible - base, kPageTokens) : 0;
      for (size_t i = r * group_; i < (r + 1) * group_; ++i) {
        s.correction[i] = kernels.softmax_step(s.scores + i * kPageTokens, low, high, s.max + i, s.sum + i);
      }
    }
    // Keys past the last row of the tile have not been written; their weight is 0 for every row.
    const size_t keys_used = std::min(kPageTokens, last_position + 1 - base);
    const int init = started ? kScale : kZero;
    if (half && !convert) {
      kernels.gemm_f16(s.scores, kPageTokens, reinterpret_cast<const uint16_t*>(values), value_stride,
                       layout_.value_panels(), keys_used, m, s.out, out_stride_, init, s.correction);
    } else {
      const float* v = reinterpret_cast<const float*>(values);
      if (convert) {
        kernels.f16_to_f32(reinterpret_cast<const uint16_t*>(values), s.converted, layout_.value_elements());
        v = s.converted;
      }
      kernels.gemm(s.scores, kPageTokens, v, value_stride, layout_.value_panels(), keys_used, m, s.out,
                   out_stride_, init, s.correction);
    }
    started = true;
  }
}

void Attention::store_rows(const Kernels& kernels, const AttentionShape& shape, const Tile& tile,
                           float* total, const float* sum, float* out, size_t ldo) const {
  for (size_t r = 0; r < tile.rows; ++r) {
    float* row =
        out + (tile.span->first_row + tile.first_row + r) * ldo + tile.kv_head * group_ * shape.head_dim;
    for (size_t h = 0; h < group_; ++h) {
      const size_t i = r * group_ + h;
      kernels.scale(total + i * out_stride_, 1.0f / sum[i], shape.head_dim);
      std::memcpy(row + h * shape.head_dim, total + i * out_stride_, shape.head_dim * sizeof(float));
    }
  }
}

void Attention::run(const Kernels& kernels, ThreadPool& pool, const KvPool& kv, const AttentionShape& shape,
                    const std::vector<AttentionSpan>& spans, const float* q, size_t ldq, float* out,
                    size_t ldo) {
  tiles_.clear();
  const size_t queries = tile_rows_ / group_;
  size_t segments = 0;
  for (const AttentionSpan& span : spans) {
    for (size_t head = 0; head < shape.kv_heads; ++head) {
      for (size_t first = 0; first < span.rows; first += queries) {
        Tile tile{};
        tile.span = &span;
        tile.first_row = first;
        tile.rows = std::min(queries, span.rows - first);
        tile.kv_head = head;
        const size_t position = span.position + first;
        const size_t oldest = shape.window == 0 || position < shape.window ? 0 : position - shape.window + 1;
        tile.first_segment = oldest / kPageTokens / kSegmentPages;
        tile.last_segment = (position + tile.rows - 1) / kPageTokens / kSegmentPages;
        tile.partial = segments;
        segments += tile.last_segment - tile.first_segment + 1;
        tiles_.push_back(tile);
      }
    }
  }
  // The longest first, so that no thread starts one when the others are done.
  std::stable_sort(tiles_.begin(), tiles_.end(), [](const Tile& a, const Tile& b) {
    return a.last_segment - a.first_segment > b.last_segment - b.first_segment;
  });

  const auto merge = [&](const Tile& tile, const Scratch& s, const float* part, const float* part_max,
                         const float* part_sum) {
    for (size_t i = 0; i < tile.rows * group_; ++i) {
      merge_row(kernels, s.total + i * out_stride_, s.total_max + i, s.total_sum + i, part + i * out_stride_,
                part_max[i], part_sum[i], layout_.value_panels() * 16, s.converted);
    }
  };

  const bool split =
      tiles_.size() < 4 * static_cast<size_t>(pool.size()) && segments > tiles_.size() && pool.size() > 1;
  if (!split) {
    pool.run(tiles_.size(), [&](size_t unit, int thread) {
      const Tile& tile = tiles_[unit];
      const Scratch s = scratch(thread);
      load_queries(shape, tile, q, ldq, s.q);
      std::fill(s.total_max, s.total_max + tile.rows * group_, kMinusInfinity);
      for (size_t index = tile.first_segment; index <= tile.last_segment; ++index) {
        segment(kernels, kv, shape, tile, index, s);
        merge(tile, s, s.out, s.max, s.sum);
      }
      store_rows(kernels, shape, tile, s.total, s.total_sum, out, ldo);
    });
    return;
  }

  units_.clear();
  size_t most_rows = 0;
  for (size_t t = 0; t < tiles_.size(); ++t) {
    most_rows = std::max(most_rows, tiles_[t].rows * group_);
    for (size_t index = tiles_[t].first_segment; index <= tiles_[t].last_segment; ++index)
      units_.emplace_back(t, index);
  }
  const size_t partial_floats = most_rows * (out_stride_ + 2);
  if (partials_.size() < segments * partial_floats * sizeof(float)) {
    partials_ = Memory(segments * partial_floats * sizeof(float));
  }
  const auto partial = [&](const Tile& tile, size_t index) {
    return partials_.as<float>() + (tile.partial + index - tile.first_segment) * partial_floats;
  };
  pool.run(units_.size(), [&](size_t unit, int thread) {
    const auto [t, index] = units_[unit];
    const Tile& tile = tiles_[t];
    const Scratch s = scratch(thread);
    load_queries(shape, tile, q, ldq, s.q);
    segment(kernels, kv, shape, tile, index, s);
    const size_t m = tile.rows * group_;
    float* part = partial(tile, index);
    std::memcpy(part, s.out, m * out_stride_ * sizeof(float));
    std::memcpy(part + most_rows * out_stride_, s.max, m * sizeof(float));
    std::memcpy(part + most_rows * (out_stride_ + 1), s.sum, m * sizeof(float));
  });
  pool.run(tiles_.size(), [&](size_t unit, int thread) {
    const Tile& tile = tiles_[unit];
    const Scratch s = scratch(thread);
    std::fill(s.total_max, s.total_max + tile.rows * group_, kMinusInfinity);
    for (size_t index = tile.first_segment; index <= tile.last_segment; ++index) {
      const float* part = partial(tile, index);
      merge(tile, s, part, part + most_rows * out_stride_, part + most_rows * (out_stride_ + 1));
    }
    store_rows(kernels, shape, tile, s.total, s.total_sum, out, ldo);
  });
}

}  // namespace longleaf

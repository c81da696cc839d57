#include "attention/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace longleaf {
namespace {

// Rows of queries that share an unpacked page: enough to make unpacking cheap, few enough that they and their
// outputs stay in the second-level cache; multiples of the register blocks.
constexpr size_t kFloatTileRows = 72;
constexpr size_t kIntegerTileRows = 192;
constexpr size_t kFewRows = 12;  // below, f16 keys are read in place: unpacking costs more
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kLog2E = 1.4426950408889634f;

size_t round_up(size_t n, size_t step) { return (n + step - 1) / step * step; }

}  // namespace

Attention::Attention(const Kernels& kernels, const KvLayout& layout, size_t heads, int threads)
    : kernels_(kernels),
      tiles_kernels_(layout.integers ? tile_kernels(kernels.name, layout.key_type, layout.value_type)
                                     : nullptr),
      layout_(layout),
      keys_(layout.keys()),
      values_(layout.values()),
      group_(heads / layout.kv_heads),
      q_stride_(tiles_kernels_ != nullptr ? tiles_kernels_->query_stride(layout.head_dim)
                                          : round_up(layout.head_dim, 32) + 16),
      out_stride_(values_.panels() * kPanelLanes + 16) {
  const size_t rows = tiles_kernels_ != nullptr ? kIntegerTileRows : kFloatTileRows;
  tile_rows_ = std::max<size_t>(1, rows / group_) * group_;
  thread_bytes_ = layout_scratch(nullptr, nullptr);
  memory_ = Memory(thread_bytes_ * static_cast<size_t>(threads));
  gathered_.resize(static_cast<size_t>(threads));
}

// Places of the buffers of one thread from `base` on; returns their bytes.
size_t Attention::layout_scratch(std::byte* base, Scratch* s) const {
  Scratch unused{};
  if (s == nullptr) s = &unused;
  size_t at = 0;
  const auto take = [&](auto*& place, size_t n) {
    place = base == nullptr ? nullptr : reinterpret_cast<std::decay_t<decltype(place)>>(base + at);
    at += round_up(n * sizeof *place, 64);
  };
  const size_t rows = round_up(tile_rows_, 16);
  const size_t page_elements =
      std::max(keys_.panels() * round_up(keys_.rows(), 2), values_.panels() * values_.rows()) * kPanelLanes;
  take(s->scores, rows * kPageTokens);
  take(s->key_scales, kPageTokens);
  take(s->value_scales, kPageTokens);
  take(s->low, rows);
  take(s->high, rows);
  take(s->correction, rows);
  take(s->max, rows);
  take(s->sum, rows);
  take(s->total_max, rows);
  take(s->total_sum, rows);
  take(s->out, rows * out_stride_);
  take(s->total, rows * out_stride_);
  take(s->copy, out_stride_);
  if (tiles_kernels_ != nullptr) {
    take(s->codes, rows * q_stride_);
    take(s->tile, page_elements);
    take(s->weights, rows * kPageTokens);
    take(s->query_scales, rows);
    take(s->sums, rows * 16);
    take(s->factor, rows);
  } else {
    take(s->q, rows * q_stride_);
    take(s->converted, page_elements);
  }
  return at;
}

// The pages of a segment that a query sees.
Attention::Pages Attention::pages_of(const AttentionShape& shape, const Query& query, size_t segment) {
  const size_t oldest =
      shape.window == 0 || query.position < shape.window ? 0 : query.position - shape.window + 1;
  return {std::max(segment * kSegmentPages, oldest / kPageTokens),
          std::min((segment + 1) * kSegmentPages, query.position / kPageTokens + 1)};
}

// Whether tiles begin a segment with the same page.
bool Attention::shares_pages(const AttentionShape& shape, const Tile& a, const Tile& b,
                             size_t segment) const {
  const auto first_page = [&](const Tile& tile) {
    const Query& query = queries_[tile.first];
    return query.pages[pages_of(shape, query, segment).first];
  };
  return a.kv_head == b.kv_head && first_page(a) == first_page(b);
}

void Attention::make_tiles(const AttentionShape& shape, const std::vector<AttentionSpan>& spans,
                           size_t threads) {
  queries_.clear();
  tiles_.clear();
  const size_t most = tile_rows_ / group_;
  for (const AttentionSpan& span : spans) {
    const size_t begin = queries_.size();
    for (size_t i = 0; i < span.rows; ++i)
      queries_.push_back({span.first_row + i, span.position + i, span.pages});
    for (size_t head = 0; head < shape.kv_heads; ++head) {
      for (size_t first = 0; first < span.rows; first += most) {
        Tile tile{};
        tile.first = begin + first;
        tile.count = std::min(most, span.rows - first);
        tile.kv_head = head;
        const size_t position = span.position + first;
        tile.first_segment = pages_of(shape, queries_[tile.first], 0).first / kSegmentPages;
        tile.last_segment = (position + tile.count - 1) / kPageTokens / kSegmentPages;
        tiles_.push_back(tile);
      }
    }
  }
  // Split are the segments of tiles too few to keep the threads busy, and those of few rows: they cost little
  // to put together, and other sequences may share their pages.
  const bool few_tiles = tiles_.size() < 4 * threads && threads > 1;
  size_t partials = 0;
  whole_tiles_.clear();
  split_tiles_.clear();
  for (size_t t = 0; t < tiles_.size(); ++t) {
    Tile& tile = tiles_[t];
    const bool shareable = spans.size() > 1 && tile.count * 2 <= most;
    tile.split = (few_tiles && tile.segments() > 1) || shareable;
    if (tile.split) {
      tile.partial = partials;
      partials += tile.segments() * tile.count * group_;
      split_tiles_.push_back(t);
    } else {
      whole_tiles_.push_back(t);
    }
  }
  // The longest first, so that no thread starts one when the others are done.
  std::stable_sort(whole_tiles_.begin(), whole_tiles_.end(),
                   [&](size_t a, size_t b) { return tiles_[a].segments() > tiles_[b].segments(); });
  const size_t bytes = partials * (out_stride_ + 2) * sizeof(float);
  if (partials_.size() < bytes) partials_ = Memory(bytes);
}

// Puts split tiles that share the pages of a segment together, as many as fit.
void Attention::make_parts(const AttentionShape& shape) {
  parts_.clear();
  part_tiles_.clear();
  size_t segments = 0;
  for (size_t t : split_tiles_) segments = std::max(segments, tiles_[t].last_segment + 1);
  std::vector<size_t> waiting;
  for (size_t segment = 0; segment < segments; ++segment) {
    waiting.clear();
    for (size_t t : split_tiles_) {
      if (tiles_[t].first_segment <= segment && segment <= tiles_[t].last_segment) waiting.push_back(t);
    }
    while (!waiting.empty()) {
      Part part{segment, part_tiles_.size(), 0};
      const Tile& leader = tiles_[waiting.front()];
      size_t rows = 0, kept = 0;
      for (size_t t : waiting) {
        const size_t more = tiles_[t].count * group_;
        if (rows + more <= tile_rows_ && shares_pages(shape, leader, tiles_[t], segment)) {
          part_tiles_.push_back(t);
          ++part.count;
          rows += more;
        } else {
          waiting[kept++] = t;
        }
      }
      waiting.resize(kept);
      parts_.push_back(part);
    }
  }
}

// The home of a unit is that of its newest page: all its pages lie there, but for a whole tile's if the pool
// has groups.
void Attention::sort_by_home(const Call& call, size_t homes) {
  const auto home_of = [&](const Tile& tile, size_t segment) {
    const Query& newest = queries_[tile.first + tile.count - 1];
    const size_t page = std::min(newest.position / kPageTokens, (segment + 1) * kSegmentPages - 1);
    return call.kv.home_of(newest.pages[page], tile.kv_head);
  };
  std::vector<std::vector<size_t>> units(homes);
  for (size_t i = 0; i < whole_tiles_.size(); ++i) {
    const Tile& tile = tiles_[whole_tiles_[i]];
    units[home_of(tile, tile.last_segment)].push_back(i);
  }
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Tile& tile = tiles_[part_tiles_[parts_[i].first]];
    units[home_of(tile, parts_[i].segment)].push_back(whole_tiles_.size() + i);
  }
  order_.clear();
  ends_.clear();
  for (const std::vector<size_t>& mine : units) {
    order_.insert(order_.end(), mine.begin(), mine.end());
    ends_.push_back(order_.size());
  }
}

void Attention::load_queries(const Call& call, const Query* queries, size_t count, size_t kv_head,
                             const Scratch& s, size_t first_row) const {
  const size_t dims = layout_.head_dim;
  for (size_t i = 0; i < count; ++i) {
    const float* from = call.q + queries[i].row * call.ldq + kv_head * group_ * dims;
    for (size_t h = 0; h < group_; ++h) {
      const size_t row = first_row + i * group_ + h;
      const float* vector = from + h * dims;
      if (tiles_kernels_ == nullptr) {
        std::memcpy(s.q + row * q_stride_, vector, dims * sizeof(float));
      } else {
        const float scale = tiles_kernels_->load_query(vector, dims, s.codes + row * q_stride_);
        s.query_scales[row] = scale * kLog2E;
      }
    }
  }
}

// Which keys of a page every row of these queries sees; true if all see all.
bool Attention::mark_visible(const AttentionShape& shape, const Query* queries, size_t count, size_t page,
                             const Scratch& s) const {
  const size_t base = page * kPageTokens;
  bool all = true;
  for (size_t i = 0; i < count; ++i) {
    const size_t end = queries[i].position + 1;  // keys [0, end) before the window
    const size_t from = shape.window == 0 || end <= shape.window ? 0 : end - shape.window;
    const size_t low = from > base ? std::min(from - base, kPageTokens) : 0;
    const size_t high = end > base ? std::min(end - base, kPageTokens) : 0;
    all = all && low == 0 && high == kPageTokens;
    for (size_t row = i * group_; row < (i + 1) * group_; ++row) {
      s.low[row] = static_cast<uint8_t>(low);
      s.high[row] = static_cast<uint8_t>(high);
    }
  }
  return all;
}

void Attention::float_page(const Call& call, const std::byte* keys, size_t rows, size_t keys_used,
                           const Scratch& s) const {
  const size_t dims = call.shape.head_dim;
  const std::byte* values = keys + keys_.bytes();
  const size_t key_stride = keys_.rows() * kPanelLanes;
  const size_t value_stride = kPageTokens * kPanelLanes;
  const auto in_place = [&](const KvPart& part) { return part.type == KvType::F16 && rows < kFewRows; };
  if (in_place(keys_)) {
    kernels_.gemm_f16(s.q, q_stride_, reinterpret_cast<const uint16_t*>(keys), key_stride, keys_.panels(),
                      dims, rows, s.scores, kPageTokens, kZero, nullptr);
  } else {
    const float* tile = unpack_panels(kernels_, keys_, keys, s.converted);
    kernels_.gemm(s.q, q_stride_, tile, key_stride, keys_.panels(), dims, rows, s.scores, kPageTokens, kZero,
                  nullptr);
  }
  const bool key_scales = load_scales(keys_, keys, s.key_scales);
  const bool value_scales = load_scales(values_, values, s.value_scales);
  for (size_t row = 0; row < rows; ++row) {
    float* scores = s.scores + row * kPageTokens;
    for (size_t i = 0; key_scales && i < kPageTokens; ++i) scores[i] *= s.key_scales[i];
    s.correction[row] = kernels_.softmax_step(scores, s.low[row], s.high[row], s.max + row, s.sum + row);
    // Only those seen: what stands behind them may be no number.
    for (size_t i = s.low[row]; value_scales && i < s.high[row]; ++i) scores[i] *= s.value_scales[i];
  }
  if (in_place(values_)) {
    kernels_.gemm_f16(s.scores, kPageTokens, reinterpret_cast<const uint16_t*>(values), value_stride,
                      values_.panels(), keys_used, rows, s.out, out_stride_, kScale, s.correction);
  } else {
    const float* tile = unpack_panels(kernels_, values_, values, s.converted);
    kernels_.gemm(s.scores, kPageTokens, tile, value_stride, values_.panels(), keys_used, rows, s.out,
                  out_stride_, kScale, s.correction);
  }
}

void Attention::integer_page(const std::byte* keys, size_t keys_used, const std::byte* next, size_t rows,
                             bool all_visible, const Scratch& s) const {
  const TileKernels& tiles = *tiles_kernels_;
  auto* scores = reinterpret_cast<int32_t*>(s.scores);
  tiles.scores(s.codes, q_stride_, rows, tiles.load_panels(keys_, keys, next, s.tile, s.key_scales),
               keys_used, s.tile, scores);
  const size_t values_at = keys_.bytes();
  const TilePanels values = tiles.load_panels(
      values_, keys + values_at, next == nullptr ? nullptr : next + values_at, s.tile, s.value_scales);
  tiles.softmax({rows, scores, s.key_scales, s.query_scales, s.value_scales, most_weight(values_.type),
                 all_visible ? nullptr : s.low, all_visible ? nullptr : s.high, s.max, s.sums, s.weights,
                 s.correction, s.factor});
  tiles.accumulate(s.weights, rows, values, keys_used, s.tile, s.correction, s.factor, s.out, out_stride_);
}

// The buffers from the rows of query `first` on.
Attention::Scratch Attention::from_query(const Scratch& s, size_t first) const {
  const size_t row = first * group_;
  Scratch rest = s;
  const auto skip = [&](auto*& place, size_t each) {
    if (place != nullptr) place += row * each;
  };
  if (tiles_kernels_ == nullptr) skip(rest.q, q_stride_);
  skip(rest.codes, q_stride_);
  skip(rest.scores, kPageTokens);
  skip(rest.weights, kPageTokens);
  skip(rest.query_scales, 1);
  skip(rest.sums, 16);
  skip(rest.factor, 1);
  skip(rest.correction, 1);
  skip(rest.low, 1);
  skip(rest.high, 1);
  skip(rest.out, out_stride_);
  skip(rest.max, 1);
  skip(rest.sum, 1);
  return rest;
}

// One segment of some queries of one KV head, loaded before: into s.out, s.max, s.sum. Queries that stand
// side by side go through a page together while it is the same for them.
void Attention::segment(const Call& call, const std::vector<Query>& queries, size_t kv_head, size_t index,
                        const Scratch& s) const {
  const size_t rows = queries.size() * group_;
  std::fill(s.max, s.max + rows, tiles_kernels_ != nullptr ? kNothing : kMinusInfinity);
  std::fill(s.out, s.out + rows * out_stride_, 0.0f);
  if (tiles_kernels_ != nullptr) {
    std::fill(s.sums, s.sums + rows * 16, 0.0f);
  } else {
    std::fill(s.sum, s.sum + rows, 0.0f);
  }
  // What one page is multiplied for, begun when the next one is known.
  struct Run {
    size_t first, count, page, last_position;
  };
  Run before{};
  const auto start = [&](const std::byte* next) {
    if (before.count == 0) return;
    run_page(call, queries.data() + before.first, before.count, kv_head, before.page, before.last_position,
             next, from_query(s, before.first));
  };
  const size_t end = (index + 1) * kSegmentPages;
  for (size_t page = index * kSegmentPages; page < end; ++page) {
    const auto sees = [&](const Query& query) {
      const Pages pages = pages_of(call.shape, query, index);
      return pages.first <= page && page < pages.end;
    };
    for (size_t first = 0; first < queries.size(); ++first) {
      if (!sees(queries[first])) continue;
      const uint32_t shared = queries[first].pages[page];
      size_t last = first, last_position = 0;
      for (; last < queries.size() && sees(queries[last]) && queries[last].pages[page] == shared; ++last) {
        last_position = std::max(last_position, queries[last].position);
      }
      start(call.kv.head_at(shared, kv_head));
      before = {first, last - first, page, last_position};
      first = last - 1;
    }
  }
  start(nullptr);
  if (tiles_kernels_ == nullptr) return;
  for (size_t row = 0; row < rows; ++row) {
    s.sum[row] = tiles_kernels_->total(s.sums + row * 16);
    s.max[row] = s.max[row] == kNothing ? kMinusInfinity : s.max[row] * (s.query_scales[row] / kLog2E);
  }
}

void Attention::run_page(const Call& call, const Query* queries, size_t count, size_t kv_head, size_t page,
                         size_t last_position, const std::byte* next, const Scratch& s) const {
  const std::byte* keys = call.kv.head_at(queries->pages[page], kv_head);
  const bool all_visible = mark_visible(call.shape, queries, count, page, s);
  // Keys past the last row have not been written; their weight is 0 for every row.
  const size_t keys_used = std::min(kPageTokens, last_position + 1 - page * kPageTokens);
  if (tiles_kernels_ != nullptr) {
    integer_page(keys, keys_used, next, count * group_, all_visible, s);
  } else {
    float_page(call, keys, count * group_, keys_used, s);
  }
}

// Adds a segment's result, unnormalised, to what has been put together of a row.
void Attention::merge(const Scratch& s, size_t row, const float* part, float part_max, float part_sum) const {
  const size_t n = values_.panels() * kPanelLanes;
  float* total = s.total + row * out_stride_;
  float* total_max = s.total_max + row;
  float* total_sum = s.total_sum + row;
  if (part_max == kMinusInfinity) return;
  if (*total_max == kMinusInfinity) {
    std::memcpy(total, part, n * sizeof(float));
    *total_max = part_max;
    *total_sum = part_sum;
    return;
  }
  const float max = std::max(*total_max, part_max);
  alignas(64) float factors[16] = {*total_max - max, part_max - max};
  kernels_.exp(factors, 16);
  kernels_.scale(total, factors[0], n);
  std::memcpy(s.copy, part, n * sizeof(float));
  kernels_.scale(s.copy, factors[1], n);
  kernels_.add(total, s.copy, n);
  *total_sum = *total_sum * factors[0] + part_sum * factors[1];
  *total_max = max;
}

void Attention::store_rows(const Call& call, const Tile& tile, const Scratch& s) const {
  const size_t dims = layout_.head_dim;
  for (size_t i = 0; i < tile.count; ++i) {
    float* to = call.out + queries_[tile.first + i].row * call.ldo + tile.kv_head * group_ * dims;
    for (size_t h = 0; h < group_; ++h) {
      const size_t row = i * group_ + h;
      kernels_.scale(s.total + row * out_stride_, 1.0f / s.total_sum[row], dims);
      if (values_.codes()) kernels_.rotate(s.total + row * out_stride_, dims);
      std::memcpy(to + h * dims, s.total + row * out_stride_, dims * sizeof(float));
    }
  }
}

void Attention::whole(const Call& call, const Tile& tile, std::vector<Query>& queries,
                      const Scratch& s) const {
  const auto begin = queries_.begin() + static_cast<std::ptrdiff_t>(tile.first);
  queries.assign(begin, begin + static_cast<std::ptrdiff_t>(tile.count));
  load_queries(call, queries.data(), queries.size(), tile.kv_head, s, 0);
  const size_t rows = tile.count * group_;
  std::fill(s.total_max, s.total_max + rows, kMinusInfinity);
  for (size_t index = tile.first_segment; index <= tile.last_segment; ++index) {
    segment(call, queries, tile.kv_head, index, s);
    for (size_t row = 0; row < rows; ++row) merge(s, row, s.out + row * out_stride_, s.max[row], s.sum[row]);
  }
  store_rows(call, tile, s);
}

float* Attention::partial(const Tile& tile, size_t segment, size_t row) const {
  const size_t index = tile.partial + (segment - tile.first_segment) * tile.count * group_ + row;
  return partials_.as<float>() + index * (out_stride_ + 2);
}

void Attention::part(const Call& call, const Part& part, std::vector<Query>& queries, const Scratch& s) {
  queries.clear();
  const size_t kv_head = tiles_[part_tiles_[part.first]].kv_head;
  for (size_t i = 0; i < part.count; ++i) {
    const Tile& tile = tiles_[part_tiles_[part.first + i]];
    load_queries(call, &queries_[tile.first], tile.count, kv_head, s, queries.size() * group_);
    const auto begin = queries_.begin() + static_cast<std::ptrdiff_t>(tile.first);
    queries.insert(queries.end(), begin, begin + static_cast<std::ptrdiff_t>(tile.count));
  }
  segment(call, queries, kv_head, part.segment, s);
  size_t from = 0;
  for (size_t i = 0; i < part.count; ++i) {
    const Tile& tile = tiles_[part_tiles_[part.first + i]];
    for (size_t row = 0; row < tile.count * group_; ++row, ++from) {
      float* out = partial(tile, part.segment, row);
      std::memcpy(out, s.out + from * out_stride_, out_stride_ * sizeof(float));
      out[out_stride_] = s.max[from];
      out[out_stride_ + 1] = s.sum[from];
    }
  }
}

void Attention::merge_parts(const Call& call, const Tile& tile, const Scratch& s) const {
  const size_t rows = tile.count * group_;
  std::fill(s.total_max, s.total_max + rows, kMinusInfinity);
  for (size_t index = tile.first_segment; index <= tile.last_segment; ++index) {
    for (size_t row = 0; row < rows; ++row) {
      const float* one = partial(tile, index, row);
      merge(s, row, one, one[out_stride_], one[out_stride_ + 1]);
    }
  }
  store_rows(call, tile, s);
}

void Attention::run(ThreadPool& pool, const KvPool& kv, const AttentionShape& shape,
                    const std::vector<AttentionSpan>& spans, const float* q, size_t ldq, float* out,
                    size_t ldo) {
  make_tiles(shape, spans, static_cast<size_t>(pool.size()));
  make_parts(shape);
  const Call call{kv, shape, q, ldq, out, ldo};
  const auto scratch = [&](int thread) {
    Scratch s{};
    layout_scratch(memory_.data() + static_cast<size_t>(thread) * thread_bytes_, &s);
    return s;
  };
  const auto work = [&](size_t unit, int thread) {
    std::vector<Query>& queries = gathered_[static_cast<size_t>(thread)];
    if (unit < whole_tiles_.size()) {
      whole(call, tiles_[whole_tiles_[unit]], queries, scratch(thread));
    } else {
      part(call, parts_[unit - whole_tiles_.size()], queries, scratch(thread));
    }
  };
  if (pool.homes() == 1) {
    pool.run(whole_tiles_.size() + parts_.size(), work);
  } else {
    sort_by_home(call, pool.homes());
    pool.run_at_homes(ends_, [&](size_t unit, int thread) { work(order_[unit], thread); });
  }
  pool.run(split_tiles_.size(),
           [&](size_t unit, int thread) { merge_parts(call, tiles_[split_tiles_[unit]], scratch(thread)); });
}

}  // namespace longleaf

#include "model/head.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "error.h"
#include "gguf/text.h"
#include "kernels/pack.h"

namespace longleaf {
namespace {

constexpr size_t kLogitBytes = size_t{64} << 20;  // of whole rows held at once
constexpr size_t kCalibrationRows = 8;
constexpr size_t kUnitBlocks = 16;
constexpr size_t kMostBytes = size_t{160} << 20;  // of the copy, which is memory on top of the weights
constexpr size_t kLeastBlocks = 64;               // below, the head is no burden
constexpr double kLeastSaving = 1.25;             // bytes of the head over bytes of its copy
constexpr double kMostShare = 0.35;  // of the head's bytes read besides, beyond which screening does not pay
constexpr double kMostCandidates = 0.75;  // of the head's rows, beyond which it stops
constexpr double kMemory = 0.9;           // weight of the past in the mean share
constexpr size_t kRest = 256;             // rows until screening that did not pay is tried again
constexpr size_t kBlocksPerBest = 16;     // at least; with fewer most blocks are among the best
constexpr float kLargest = 0x1p50f;       // of an activation; no sum of products overflows

bool all_finite(const float* x, size_t n) {
  constexpr uint32_t kExponent = 0x7F800000;
  uint32_t unbounded = 0;
  for (size_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, x + i, sizeof bits);
    unbounded |= (bits & kExponent) == kExponent ? 1 : 0;
  }
  return unbounded == 0;
}

// Weights that are no numbers, or whose sums overflow, must not become an answer.
Error not_finite(const std::string& path) {
  return Error(quoted(path) + ": the model computes what is no finite number; its weights are damaged");
}

// The k best of numbers offered by ascending id.
class Best {
 public:
  explicit Best(size_t k) : k_(k) { heap_.reserve(k); }

  void offer(const float* logits, size_t n, size_t first_id) {
    for (size_t i = 0; i < n; ++i) {
      if (heap_.size() == k_ && !(logits[i] > heap_.front().first)) continue;
      if (heap_.size() == k_) {
        std::pop_heap(heap_.begin(), heap_.end(), better);
        heap_.pop_back();
      }
      heap_.emplace_back(logits[i], static_cast<int32_t>(first_id + i));
      std::push_heap(heap_.begin(), heap_.end(), better);
    }
  }

  void store(int32_t* ids, float* logits) {
    std::sort(heap_.begin(), heap_.end(), better);
    for (size_t i = 0; i < heap_.size(); ++i) {
      logits[i] = heap_[i].first;
      ids[i] = heap_[i].second;
    }
  }

 private:
  using Entry = std::pair<float, int32_t>;
  static bool better(const Entry& a, const Entry& b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
  }
  size_t k_;
  std::vector<Entry> heap_;  // the worst in front
};

// The k largest of numbers offered.
class Lows {
 public:
  explicit Lows(size_t k) : k_(k) {}

  // True if there are k, and the least of them may be another now.
  bool offer(float low) {
    if (heap_.size() == k_) {
      if (!(low > heap_.front())) return false;
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.pop_back();
    }
    heap_.push_back(low);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    return heap_.size() == k_;
  }
  float least() const { return heap_.size() < k_ ? -std::numeric_limits<float>::infinity() : heap_.front(); }

 private:
  size_t k_;
  std::vector<float> heap_;  // the least in front
};

void raise(std::atomic<float>& threshold, float to) {
  float was = threshold.load(std::memory_order_relaxed);
  while (was < to && !threshold.compare_exchange_weak(was, to, std::memory_order_relaxed)) {
  }
}

// Of a computed logit, relative to the norms of activations and weights; derived in docs/decode.md.
double product_error(const PackedMatrix& weights) {
  const double rounding = weights.format.quantized() ? kCodeRounding : 0;
  return rounding + (static_cast<double>(weights.cols) + 8) * 0x1p-23;
}

// Logits below the result are below `logit` also after the softcap as computed, even where that rounds many
// to one number: tanh is within 2^-20 of itself.
float below_capped(float logit, float cap) {
  const double target = std::tanh(static_cast<double>(logit) / static_cast<double>(cap)) - 0x1p-18;
  if (target <= -1) return -std::numeric_limits<float>::infinity();
  return static_cast<float>(static_cast<double>(cap) * (std::atanh(target) - 1e-6));
}

size_t panels_of(size_t rows) { return (rows + kScreenPanelRows - 1) / kScreenPanelRows; }

size_t panels_bytes(const ScreenMatrix& m) { return panels_of(m.rows) * m.panel_bytes; }

size_t screen_bytes(const ScreenMatrix& m) { return panels_bytes(m) + m.rows * m.fine_bytes; }

// To whole steps, at most `most`, of an even sum: the offset of the codes takes half of it. Returns the sum.
int32_t round_group(const float* value, float step, int32_t most, int32_t* whole) {
  int32_t sum = 0;
  float farthest = -1;
  size_t at = 0;
  for (size_t c = 0; c < kScreenGroup; ++c) {
    const float place = value[c] / step;
    whole[c] = static_cast<int32_t>(std::nearbyint(place));
    sum += whole[c];
    const float away = std::fabs(place - static_cast<float>(whole[c]));
    if (away > farthest) {
      farthest = away;
      at = c;
    }
  }
  if (sum % 2 == 0) return sum;
  const bool up =
      whole[at] < most && (whole[at] == -most || value[at] / step > static_cast<float>(whole[at]));
  whole[at] += up ? 1 : -1;
  return sum + (up ? 1 : -1);
}

// Of a row's norms of groups as bytes.
size_t reach_bytes(size_t groups) { return (groups + 3) / 4 * 4; }

// Of products of codes and steps, over A.
float range_of(bool wide) { return 255.0f * (wide ? 128.0f : 8.0f); }

double square(float x) { return static_cast<double>(x) * static_cast<double>(x); }

}  // namespace

Head::Head(const Kernels& kernels, ThreadPool& pool, const PackedMatrix& weights, float softcap,
           std::string path)
    : kernels_(exact_set(kernels)),  // whose products are near enough to screen by
      screen_(screen_kernels(kernels.name)),
      pool_(pool),
      weights_(weights),
      softcap_(softcap),
      path_(std::move(path)),
      matrix_(screen_matrix(weights.rows, weights.cols)) {}

size_t Head::copy_bytes() const { return can_screen() ? screen_bytes(matrix_) : 0; }

size_t Head::least_read() const { return can_screen() ? panels_bytes(matrix_) : weights_.bytes(); }

bool Head::can_screen() const {
  // A minimum beside the scale can cancel, which the bound on the product's own error does not cover; types
  // that have one are too small to gain anyway.
  if (refused_ || weights_.format.has_min || weights_.rows < kLeastBlocks * kBlockRows) return false;
  if (matrix_.groups > kScreenMostGroups) return false;
  const double exact = static_cast<double>(weights_.block_bytes) / kBlockRows;
  if (screen_bytes(matrix_) > kMostBytes) return false;
  return exact >= kLeastSaving * static_cast<double>(matrix_.panel_bytes) / kScreenPanelRows;
}

// Caps logits where the model does so; false if they are no finite numbers.
bool Head::cap(float* logits, size_t n) const {
  if (softcap_ != 0) {
    for (size_t i = 0; i < n; ++i) logits[i] = softcap_ * std::tanh(logits[i] / softcap_);
  }
  return all_finite(logits, n);
}

void Head::logits(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, float* out) {
  const size_t n = weights_.rows;
  const Product product{&weights_, out, n};
  matmul(kernels_, pool_, scratch, x, ldx, rows, &product, 1);
  std::atomic<bool> finite{true};
  pool_.run(rows, [&](size_t row, int) {
    if (!cap(out + row * n, n)) finite.store(false);
  });
  if (!finite.load()) throw not_finite(path_);
}

void Head::all(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k, int32_t* ids,
               float* out) {
  const size_t n = weights_.rows;
  const size_t group = std::min(rows, std::max<size_t>(1, kLogitBytes / sizeof(float) / n));
  if (logits_.size() < group * n * sizeof(float)) logits_ = Memory(group * n * sizeof(float));
  for (size_t first = 0; first < rows; first += group) {
    const size_t now = std::min(group, rows - first);
    logits(scratch, x + first * ldx, ldx, now, logits_.as<float>());
    pool_.run(now, [&](size_t row, int) {
      Best best(k);
      best.offer(logits_.as<float>() + row * n, n, 0);
      best.store(ids + (first + row) * k, out + (first + row) * k);
    });
  }
  blocks_read_ = weights_.blocks() * rows;
}

void Head::top(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k, int32_t* ids,
               float* out) {
  const bool rests = resting_ > 0;
  resting_ -= std::min(resting_, rows);
  const bool fits = k * kBlocksPerBest <= weights_.blocks();
  if (fits && !rests && observe(x, ldx, rows) && screened(scratch, x, ldx, rows, k, ids, out)) return;
  all(scratch, x, ldx, rows, k, ids, out);
}

// Gathers what the copy must know; true once it stands.
bool Head::observe(const float* x, size_t ldx, size_t rows) {
  if (copy_.size() != 0) return true;
  if (!can_screen()) return false;
  energies_.resize(weights_.cols);
  for (size_t row = 0; row < rows; ++row) {
    if (!all_finite(x + row * ldx, weights_.cols)) return false;
    for (size_t i = 0; i < weights_.cols; ++i) energies_[i] += square(x[row * ldx + i]);
  }
  observed_ += rows;
  return observed_ >= kCalibrationRows && screen(energies_);
}

bool Head::screen(const std::vector<double>& energies) {
  if (refused_ || weights_.format.has_min) return false;
  sort_columns(energies);
  if (!quantize()) {
    refused_ = true;
    copy_ = Memory();
    return false;
  }
  return true;
}

// By their share in the logits' variance, as far as some rows of the weights tell.
void Head::sort_columns(const std::vector<double>& energies) {
  constexpr size_t kSampled = 256;
  std::vector<double> share(weights_.cols, 0);
  std::vector<float> row(weights_.cols);
  const size_t step = std::max<size_t>(1, weights_.rows / kSampled);
  for (size_t r = 0; r < weights_.rows; r += step) {
    packed_row(weights_, r, row.data());
    for (size_t i = 0; i < row.size(); ++i) share[i] += square(row[i]);
  }
  for (size_t i = 0; i < share.size(); ++i) {
    share[i] *= energies[i];
    if (!std::isfinite(share[i])) share[i] = 0;  // an order all the same
  }
  order_.resize(matrix_.groups * kScreenGroup);
  std::iota(order_.begin(), order_.end(), 0u);
  std::stable_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(weights_.cols),
                   [&](uint32_t a, uint32_t b) { return share[a] > share[b]; });
}

bool Head::quantize() {
  constexpr size_t kPackBlocks = 8;
  constexpr size_t kPair = 2;  // panels that are unpacked together
  const size_t panels = panels_of(weights_.rows);
  const size_t places = order_.size();
  copy_ = Memory(screen_bytes(matrix_));
  matrix_.panels = copy_.data();
  matrix_.fine = copy_.data() + panels_bytes(matrix_);
  std::atomic<bool> sound{true};
  const size_t blocks = weights_.blocks();
  pool_.run((blocks + kPackBlocks - 1) / kPackBlocks, [&](size_t unit, int thread) {
    std::vector<float> part(kPair * kTileCols * kLanes), columns(kPair * weights_.cols * kLanes);
    std::vector<float> permuted(places * kLanes, 0.0f);
    const size_t last = std::min(blocks, (unit + 1) * kPackBlocks) * kPanels;
    for (size_t p = unit * kPackBlocks * kPanels; p < std::min(last, panels) && sound.load(); p += kPair) {
      const std::byte* block = weights_.block(p / kPanels, pool_.home(thread));
      for (size_t k = 0; k < weights_.cols; k += kTileCols) {
        const size_t count = std::min(kTileCols, weights_.cols - k);
        kernels_.unpack(weights_.format, block, p % kPanels, k, count, part.data());
        for (size_t i = 0; i < kPair; ++i) {
          std::memcpy(columns.data() + (i * weights_.cols + k) * kLanes, part.data() + i * count * kLanes,
                      count * kLanes * sizeof(float));
        }
      }
      for (size_t i = 0; i < kPair && p + i < panels; ++i) {
        for (size_t at = 0; at < places; ++at) {
          if (order_[at] >= weights_.cols) continue;  // padding
          std::memcpy(permuted.data() + at * kLanes,
                      columns.data() + (i * weights_.cols + order_[at]) * kLanes, kLanes * sizeof(float));
        }
        if (!screen_.quantize(matrix_, p + i, permuted.data())) sound.store(false);
      }
    }
  });
  return sound.load();
}

// Rounds rows of activations; false when they are too large to vouch for, or no numbers.
bool Head::round_rows(const float* x, size_t ldx, size_t rows) {
  const size_t bunches = (rows + kScreenRows - 1) / kScreenRows * kScreenRows;
  const size_t groups = matrix_.groups;
  high_.resize(bunches * groups * kScreenGroup);
  codes_.resize(high_.size());
  low_.resize(bunches * matrix_.wide * kScreenGroup);
  reaches_.resize(bunches * reach_bytes(groups));
  offset_.resize(bunches * groups);
  reach_.resize(offset_.size());
  for (auto* each : {&factor_, &wide_factor_, &reach_step_, &slack_}) each->resize(bunches);
  std::atomic<bool> sound{true};
  pool_.run(rows, [&](size_t row, int) {
    if (!round_row(x + row * ldx, row)) sound.store(false);
  });
  return sound.load();
}

bool Head::round_row(const float* x, size_t row) {
  const size_t bunch = row / kScreenRows, m = row % kScreenRows;
  const size_t groups = matrix_.groups;
  const size_t narrow_at = matrix_.wide * kScreenGroup;
  std::vector<float> values(groups * kScreenGroup, 0.0f);
  float wide_most = 0, narrow_most = 0;
  for (size_t at = 0; at < values.size(); ++at) {
    if (order_[at] < weights_.cols) values[at] = x[order_[at]];
    const float size = std::fabs(values[at]);
    if (!(size < kLargest)) return false;
    float& most = at < narrow_at ? wide_most : narrow_most;
    most = std::max(most, size);
  }
  constexpr int32_t kSteps = 127, kWideSteps = 127 * 128;
  const float step = std::max(narrow_most / static_cast<float>(kSteps), 0x1p-100f);
  const float wide_step = std::max(wide_most / static_cast<float>(kWideSteps), 0x1p-100f);

  int8_t* high = high_.data() + bunch * kScreenRows * groups * kScreenGroup;
  int8_t* low = low_.data() + bunch * kScreenRows * matrix_.wide * kScreenGroup;
  int8_t* codes = codes_.data() + row * groups * kScreenGroup;
  double norm = 0, rounding = 0;
  float reach_most = 0;
  for (size_t g = 0; g < groups; ++g) {
    const bool wide = g < matrix_.wide;
    const float* value = values.data() + g * kScreenGroup;
    int32_t whole[kScreenGroup];
    const int32_t sum = round_group(value, wide ? wide_step : step, wide ? kWideSteps : kSteps, whole);
    double energy = 0;
    for (size_t c = 0; c < kScreenGroup; ++c) {
      const size_t place = ((g * kScreenGroup + c) / 4 * kScreenRows + m) * 4 + c % 4;
      const int32_t upper = wide ? (whole[c] + 64) >> 7 : whole[c];
      high[place] = codes[g * kScreenGroup + c] = static_cast<int8_t>(upper);
      if (wide) low[place] = static_cast<int8_t>(whole[c] - upper * 128);
      const double stands = static_cast<double>(whole[c]) * static_cast<double>(wide ? wide_step : step);
      const double missed = static_cast<double>(value[c]) - stands;
      rounding += missed * missed;
      energy += square(value[c]);
    }
    const size_t at = (bunch * groups + g) * kScreenRows + m;
    offset_[at] = sum / 2 * (wide ? -255 : -15);
    reach_[at] = static_cast<float>(std::sqrt(energy)) * 1.001f / range_of(wide);
    reach_most = std::max(reach_most, reach_[at]);
    norm += energy;
  }
  const float reach_step = std::max(reach_most * 1.001f / static_cast<float>(kScreenReach), 0x1p-120f);
  int8_t* reaches = reaches_.data() + bunch * kScreenRows * reach_bytes(groups);
  for (size_t g = 0; g < groups; ++g) {
    const float reach = reach_[(bunch * groups + g) * kScreenRows + m];
    reaches[(g / 4 * kScreenRows + m) * 4 + g % 4] = static_cast<int8_t>(std::ceil(reach / reach_step));
  }
  reach_step_[row] = reach_step * 1.001f;
  factor_[row] = step / range_of(false);
  wide_factor_[row] = wide_step / range_of(true);
  norm = std::sqrt(norm);
  const double relative = product_error(weights_) + (2 * static_cast<double>(groups) + 32) * 0x1p-22;
  slack_[row] = static_cast<float>((norm * relative + std::sqrt(rounding)) * 1.001);
  return true;
}

ScreenActivations Head::activations(size_t bunch) const {
  const size_t rows = bunch * kScreenRows;
  const size_t places = rows * matrix_.groups * kScreenGroup;
  const size_t groups = rows * matrix_.groups;
  ScreenActivations a{};
  a.high = high_.data() + places;
  a.low = low_.data() + rows * matrix_.wide * kScreenGroup;
  a.reaches = reaches_.data() + rows * reach_bytes(matrix_.groups);
  a.codes = codes_.data() + places;
  a.offset = offset_.data() + groups;
  a.reach = reach_.data() + groups;
  a.factor = factor_.data() + rows;
  a.wide_factor = wide_factor_.data() + rows;
  a.reach_step = reach_step_.data() + rows;
  a.slack = slack_.data() + rows;
  return a;
}

bool Head::screened(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k,
                    int32_t* ids, float* out) {
  if (!round_rows(x, ldx, rows) || !find_candidates(rows, k)) return false;
  refine_candidates();
  compute(scratch, x, ldx, rows, k, ids, out);
  return true;
}

// Logits below the result cannot be among the k best if k logits are at least `low`, softcap or not.
float Head::passing(float low) const { return softcap_ == 0 ? low : below_capped(low, softcap_); }

// Bounds for all rows of weights. Each block that may matter offers the lower bound of its most promising
// row, refined at once; the k-th largest of those that a thread was offered is a threshold, which rises as it
// goes. False if the candidates are too many to gain by them.
bool Head::find_candidates(size_t rows, size_t k) {
  const size_t blocks = weights_.blocks();
  const size_t units = (blocks + kUnitBlocks - 1) / kUnitBlocks;
  const auto most = static_cast<size_t>(kMostCandidates * static_cast<double>(rows * weights_.rows));
  if (order_of_units_.size() != units) {
    order_of_units_.resize(units);
    std::iota(order_of_units_.begin(), order_of_units_.end(), 0u);
  }
  if (thresholds_.size() < rows) thresholds_ = std::vector<std::atomic<float>>(rows);
  for (auto& each : thresholds_) each.store(-std::numeric_limits<float>::infinity());
  std::vector<Lows> offered(static_cast<size_t>(pool_.size()) * rows, Lows(k));
  std::atomic<size_t> found{0};
  candidates_.resize(units);
  pool_.run(units, [&](size_t index, int thread) {
    const size_t unit = order_of_units_[index];
    Lows* lows = offered.data() + static_cast<size_t>(thread) * rows;
    std::vector<Candidate>& list = candidates_[unit];
    list.clear();
    const size_t last = std::min(blocks, (unit + 1) * kUnitBlocks);
    for (size_t block = unit * kUnitBlocks; block < last && found.load() <= most; ++block) {
      const size_t valid = std::min(kBlockRows, weights_.rows - block * kBlockRows);
      for (size_t first = 0; first < rows; first += kScreenRows) {
        float low[kScreenRows * kBlockRows], high[kScreenRows * kBlockRows], highest[kScreenRows];
        const size_t now = std::min(kScreenRows, rows - first);
        const ScreenActivations activation = activations(first / kScreenRows);
        screen_.bounds(matrix_, block, activation, now, first / kScreenRows,
                       (rows + kScreenRows - 1) / kScreenRows, low, high, highest);
        for (size_t m = 0; m < now; ++m) {
          std::atomic<float>& threshold = thresholds_[first + m];
          if (highest[m] < threshold.load(std::memory_order_relaxed)) continue;
          float* lo = low + m * kBlockRows;
          float* hi = high + m * kBlockRows;
          size_t top = 0;
          for (size_t i = 1; i < valid; ++i) {
            if (lo[i] + hi[i] > lo[top] + hi[top]) top = i;
          }
          screen_.refine(matrix_, block * kBlockRows + top, activation, m, lo + top, hi + top);
          if (lows[first + m].offer(lo[top])) raise(threshold, passing(lows[first + m].least()));
          const float needed = threshold.load(std::memory_order_relaxed);
          for (size_t i = 0; i < valid; ++i) {
            if (hi[i] < needed) continue;
            list.push_back({static_cast<uint32_t>(first + m), static_cast<uint32_t>(block * kBlockRows + i),
                            lo[i], hi[i], i == top});
          }
        }
      }
    }
    found.fetch_add(list.size());
  });
  if (found.load() <= most) return true;
  resting_ = kRest;
  return false;
}

void Head::refine_candidates() {
  pool_.run(candidates_.size(), [&](size_t unit, int) {
    std::vector<Candidate>& list = candidates_[unit];
    const auto fails = [&](const Candidate& c) { return c.high < thresholds_[c.row].load(); };
    list.erase(std::remove_if(list.begin(), list.end(), fails), list.end());
    for (Candidate& c : list) {
      if (c.refined) continue;
      screen_.refine(matrix_, c.id, activations(c.row / kScreenRows), c.row % kScreenRows, &c.low, &c.high);
    }
  });
}

// The k best of every row among the blocks that the candidates leave.
void Head::compute(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k,
                   int32_t* ids, float* out) {
  struct Piece {
    size_t row, block;
  };
  std::vector<Lows> lows(rows, Lows(k));
  size_t refined = 0;
  for (const auto& list : candidates_) {
    for (const Candidate& c : list) lows[c.row].offer(c.low);
    refined += list.size();
  }
  std::vector<float> needed;
  for (const Lows& each : lows) needed.push_back(passing(each.least()));
  std::vector<Piece> pieces;
  std::vector<std::vector<size_t>> of_row(rows);
  for (const auto& list : candidates_) {
    for (const Candidate& c : list) {
      const size_t block = c.id / kBlockRows;
      auto& mine = of_row[c.row];
      if (c.high < needed[c.row] || (!mine.empty() && pieces[mine.back()].block == block)) continue;
      mine.push_back(pieces.size());
      pieces.push_back({c.row, block});
    }
  }
  const size_t bytes = pieces.size() * kBlockRows * sizeof(float);
  if (logits_.size() < bytes) logits_ = Memory(bytes);
  round_activations(kernels_, pool_, scratch, x, ldx, rows, weights_);
  std::atomic<bool> finite{true};
  const auto valid = [&](size_t block) { return std::min(kBlockRows, weights_.rows - block * kBlockRows); };
  pool_.run(pieces.size(), [&](size_t piece, int thread) {
    const auto [row, block] = pieces[piece];
    float* to = logits_.as<float>() + piece * kBlockRows;
    block_of_row(kernels_, scratch, x, ldx, row, weights_, pool_.home(thread), block, to);
    if (!cap(to, valid(block))) finite.store(false);
  });
  if (!finite.load()) throw not_finite(path_);
  pool_.run(rows, [&](size_t row, int) {
    Best best(k);
    for (const size_t piece : of_row[row]) {
      const size_t block = pieces[piece].block;
      best.offer(logits_.as<float>() + piece * kBlockRows, valid(block), block * kBlockRows);
    }
    best.store(ids + row * k, out + row * k);
  });
  for (size_t row = 0; row < rows; ++row) {
    const auto unit = static_cast<uint32_t>(static_cast<size_t>(ids[row * k]) / kBlockRows / kUnitBlocks);
    const auto at = std::find(order_of_units_.begin(), order_of_units_.end(), unit);
    std::rotate(order_of_units_.begin(), at, at + 1);
  }
  blocks_read_ = pieces.size();
  const double read =
      static_cast<double>(pieces.size() * weights_.block_bytes + refined * matrix_.fine_bytes);
  const double share = read / static_cast<double>(rows * weights_.bytes());
  mean_share_ += (share - mean_share_) * (1 - std::pow(kMemory, static_cast<double>(rows)));
  if (mean_share_ > kMostShare) {
    mean_share_ = 0;
    resting_ = kRest;
  }
}

}  // namespace longleaf

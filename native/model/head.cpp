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
constexpr double kMemory = 0.9;      // weight of the past in the mean share
constexpr size_t kRest = 256;        // rows until screening that did not pay is tried again
constexpr float kLargest = 0x1p50f;  // of an activation; no sum of products overflows

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

// Of a computed logit, relative to the norms of activations and weights; derived in docs/decode.md.
double product_error(const Kernels& kernels, size_t cols) {
  return kernels.rounding + (static_cast<double>(cols) + 8) * 0x1p-23;
}

// Logits below the result are below `logit` also after the softcap as computed, even where that rounds many
// to one number: tanh is within 2^-20 of itself.
float below_capped(float logit, float cap) {
  const double target = std::tanh(static_cast<double>(logit) / static_cast<double>(cap)) - 0x1p-18;
  if (target <= -1) return -std::numeric_limits<float>::infinity();
  return static_cast<float>(static_cast<double>(cap) * (std::atanh(target) - 1e-6));
}

size_t blocks_of(size_t rows) { return (rows + kBlockRows - 1) / kBlockRows; }

size_t panels_of(size_t rows) { return (rows + kScreenPanelRows - 1) / kScreenPanelRows; }

size_t panels_bytes(const ScreenMatrix& m) { return panels_of(m.rows) * m.panel_bytes; }

double square(float x) { return static_cast<double>(x) * static_cast<double>(x); }

}  // namespace

Head::Head(const Kernels& kernels, ThreadPool& pool, const PackedMatrix& weights, float softcap,
           std::string path)
    : kernels_(kernels),
      screen_(screen_kernels(kernels.name)),
      pool_(pool),
      weights_(weights),
      softcap_(softcap),
      path_(std::move(path)),
      matrix_(screen_matrix(weights.rows, weights.cols)) {}

size_t Head::copy_bytes() const {
  return can_screen() ? panels_bytes(matrix_) + matrix_.rows * matrix_.fine_bytes : 0;
}

bool Head::can_screen() const {
  // A minimum beside the scale can cancel, which the bound on the product's own error does not cover; types
  // that have one are too small to gain anyway.
  if (refused_ || weights_.format.has_min || weights_.rows < kLeastBlocks * kBlockRows) return false;
  const double exact = static_cast<double>(weights_.block_bytes) / kBlockRows;
  if (panels_bytes(matrix_) + matrix_.rows * matrix_.fine_bytes > kMostBytes) return false;
  return exact >= kLeastSaving * static_cast<double>(matrix_.panel_bytes) / kScreenPanelRows;
}

// Caps rows of logits where the model does so, and makes sure that they are numbers: weights that are not, or
// whose sums overflow, must not become an answer.
void Head::finish(float* logits, size_t count, size_t n) {
  std::atomic<bool> finite{true};
  pool_.run(count, [&](size_t row, int) {
    float* mine = logits + row * n;
    if (softcap_ != 0) {
      for (size_t i = 0; i < n; ++i) mine[i] = softcap_ * std::tanh(mine[i] / softcap_);
    }
    if (!all_finite(mine, n)) finite.store(false);
  });
  if (!finite.load())
    throw Error(quoted(path_) + ": the model computes what is no finite number; its weights are damaged");
}

void Head::logits(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, float* out) {
  const Product product{&weights_, out, weights_.rows};
  matmul(kernels_, pool_, scratch, x, ldx, rows, &product, 1);
  finish(out, rows, weights_.rows);
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
  blocks_read_ = blocks_of(n) * rows;
}

void Head::top(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k, int32_t* ids,
               float* out) {
  const bool rests = resting_ > 0;
  resting_ -= std::min(resting_, rows);
  const bool fits = rows <= kScreenRows && k <= blocks_of(weights_.rows);
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
  const size_t places = matrix_.groups * kScreenGroup;
  high_.resize(kScreenRows * places);
  low_.resize(kScreenRows * places);
  sum_.resize(kScreenRows * matrix_.groups);
  factor_.resize(kScreenRows * matrix_.groups);
  reach_.resize(kScreenRows * matrix_.groups);
  activations_.resize(kScreenRows);
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
  constexpr size_t kUnitPanels = 64;
  const size_t panels = panels_of(weights_.rows);
  const size_t places = order_.size();
  copy_ = Memory(panels_bytes(matrix_) + matrix_.rows * matrix_.fine_bytes);
  matrix_.panels = copy_.data();
  matrix_.fine = copy_.data() + panels_bytes(matrix_);
  std::atomic<bool> sound{true};
  pool_.run((panels + kUnitPanels - 1) / kUnitPanels, [&](size_t unit, int) {
    std::vector<float> row(weights_.cols), tile(places * kScreenPanelRows);
    const size_t last = std::min(panels, (unit + 1) * kUnitPanels);
    for (size_t p = unit * kUnitPanels; p < last && sound.load(std::memory_order_relaxed); ++p) {
      for (size_t lane = 0; lane < kScreenPanelRows; ++lane) {
        const size_t r = p * kScreenPanelRows + lane;
        if (r < weights_.rows) {
          packed_row(weights_, r, row.data());
        } else {
          std::fill(row.begin(), row.end(), 0.0f);
        }
        for (size_t at = 0; at < places; ++at) {
          tile[at * kScreenPanelRows + lane] = order_[at] < weights_.cols ? row[order_[at]] : 0.0f;
        }
      }
      if (!screen_.quantize(matrix_, p, tile.data())) sound.store(false, std::memory_order_relaxed);
    }
  });
  return sound.load();
}

// Rounds one row of activations; false when they are too large to vouch for, or no numbers.
bool Head::prepare(const float* x, size_t row) {
  constexpr float kSteps = 127 * 128;  // 15 bits in two signed bytes
  const size_t places = order_.size();
  int8_t* high = high_.data() + row * places;
  int8_t* low = low_.data() + row * places;
  int32_t* sums = sum_.data() + row * matrix_.groups;
  float* factor = factor_.data() + row * matrix_.groups;
  float* reach = reach_.data() + row * matrix_.groups;
  double norm = 0, rounding = 0;
  for (size_t g = 0; g < matrix_.groups; ++g) {
    float value[kScreenGroup];
    float most = 0;
    double energy = 0;
    for (size_t c = 0; c < kScreenGroup; ++c) {
      const uint32_t column = order_[g * kScreenGroup + c];
      value[c] = column < weights_.cols ? x[column] : 0.0f;
      if (!(std::fabs(value[c]) < kLargest)) return false;
      most = std::max(most, std::fabs(value[c]));
      energy += square(value[c]);
    }
    const float step = std::max(most / kSteps, 0x1p-100f);
    int32_t sum = 0;
    for (size_t c = 0; c < kScreenGroup; ++c) {
      const auto whole = static_cast<int32_t>(std::lround(value[c] / step));
      const int32_t upper = (whole + 64) >> 7;
      high[g * kScreenGroup + c] = static_cast<int8_t>(upper);
      low[g * kScreenGroup + c] = static_cast<int8_t>(whole - upper * 128);
      sum += whole;
      const double stands = static_cast<double>(whole) * static_cast<double>(step);
      const double missed = static_cast<double>(value[c]) - stands;
      rounding += missed * missed;
    }
    const bool wide = g < matrix_.wide;
    const float range = 255.0f * (wide ? 128.0f : 8.0f);
    sums[g] = sum;
    factor[g] = step / (2 * range);
    reach[g] = static_cast<float>(std::sqrt(energy)) * 1.001f / range;
    norm += energy;
  }
  norm = std::sqrt(norm);
  const auto groups = static_cast<double>(matrix_.groups);
  const double relative = product_error(kernels_, weights_.cols) + (2 * groups + 32) * 0x1p-22;
  const double slack = norm * relative + std::sqrt(rounding);
  activations_[row] = {high, low, sums, factor, reach, static_cast<float>(slack * 1.001)};
  return true;
}

bool Head::screened(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k,
                    int32_t* ids, float* out) {
  for (size_t row = 0; row < rows; ++row) {
    if (!prepare(x + row * ldx, row)) return false;
  }
  const size_t blocks = blocks_of(weights_.rows);
  const size_t block_floats = rows * kBlockRows;
  if (bounds_.size() < 2 * blocks * block_floats * sizeof(float)) {
    bounds_ = Memory(2 * blocks * kScreenRows * kBlockRows * sizeof(float));
  }
  least_.resize(rows * blocks);
  most_.resize(rows * blocks);
  const auto low_of = [&](size_t block) { return bounds_.as<float>() + 2 * block * block_floats; };
  const size_t units = (blocks + kUnitBlocks - 1) / kUnitBlocks;
  pool_.run(units, [&](size_t unit, int) {
    const size_t last = std::min(blocks, (unit + 1) * kUnitBlocks);
    for (size_t block = unit * kUnitBlocks; block < last; ++block) {
      float low[kScreenRows], high[kScreenRows];
      float* each_low = low_of(block);
      screen_.bounds(matrix_, block, activations_.data(), rows, each_low, each_low + block_floats, low, high);
      for (size_t row = 0; row < rows; ++row) {
        least_[row * blocks + block] = low[row];
        most_[row * blocks + block] = high[row];
      }
    }
  });
  blocks_read_ = 0;
  for (size_t row = 0; row < rows; ++row) {
    // k blocks hold a logit each that is not below the k-th largest of their lower bounds.
    const auto least = least_.begin() + static_cast<std::ptrdiff_t>(row * blocks);
    sorted_.assign(least, least + static_cast<std::ptrdiff_t>(blocks));
    const float coarse = threshold(k);
    candidates_.assign(units, {});
    pool_.run(units, [&](size_t unit, int) {
      const size_t last = std::min(blocks, (unit + 1) * kUnitBlocks);
      for (size_t block = unit * kUnitBlocks; block < last; ++block) {
        if (most_[row * blocks + block] < coarse) continue;
        float* low = low_of(block) + row * kBlockRows;
        float* high = low + block_floats;
        const size_t valid = std::min(kBlockRows, weights_.rows - block * kBlockRows);
        for (size_t i = 0; i < valid; ++i) {
          if (high[i] < coarse) continue;
          const size_t id = block * kBlockRows + i;
          screen_.refine(matrix_, id, activations_[row], low + i, high + i);
          candidates_[unit].push_back({static_cast<uint32_t>(id), low[i], high[i]});
        }
      }
    });
    compute(scratch, x + row * ldx, k, ids + row * k, out + row * k);
  }
  return true;
}

// The k-th largest of sorted_, or what no logit may be below to be among the k best after the softcap.
float Head::threshold(size_t k) {
  const auto kth = sorted_.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(sorted_.begin(), kth, sorted_.end(), std::greater<>());
  return softcap_ == 0 ? *kth : below_capped(*kth, softcap_);
}

// The k best of one row of activations among the blocks that the candidates leave.
void Head::compute(const MatmulScratch& scratch, const float* x, size_t k, int32_t* ids, float* out) {
  struct Run {
    PackedMatrix weights;
    size_t first_id;
  };
  sorted_.clear();
  for (const auto& unit : candidates_) {
    for (const Candidate& c : unit) sorted_.push_back(c.low);
  }
  const size_t refined = sorted_.size();
  const float fine = threshold(k);  // the k that set the coarse threshold are there
  std::vector<Run> runs;
  size_t blocks = 0;
  size_t next = 0;  // the first block not yet in a run
  for (const auto& unit : candidates_) {
    for (const Candidate& c : unit) {
      const size_t block = c.id / kBlockRows;
      if (block < next || c.high < fine) continue;
      const size_t first = block * kBlockRows;
      const size_t valid = std::min(kBlockRows, weights_.rows - first);
      if (block == next && !runs.empty()) {
        runs.back().weights.rows += valid;
      } else {
        PackedMatrix part = weights_;
        part.data += block * weights_.block_bytes;
        part.rows = valid;
        runs.push_back({part, first});
      }
      next = block + 1;
      ++blocks;
    }
  }
  if (logits_.size() < blocks * kBlockRows * sizeof(float)) {
    logits_ = Memory(blocks * kBlockRows * sizeof(float));
  }
  std::vector<Product> products;
  size_t n = 0;
  for (const Run& run : runs) {
    products.push_back({&run.weights, logits_.as<float>() + n, run.weights.rows});
    n += run.weights.rows;
  }
  matmul(kernels_, pool_, scratch, x, weights_.cols, 1, products.data(), products.size());
  finish(logits_.as<float>(), 1, n);
  Best best(k);
  n = 0;
  for (const Run& run : runs) {
    best.offer(logits_.as<float>() + n, run.weights.rows, run.first_id);
    n += run.weights.rows;
  }
  best.store(ids, out);
  blocks_read_ += blocks;
  const double bytes = static_cast<double>(blocks * weights_.block_bytes + refined * matrix_.fine_bytes);
  const double share = bytes / static_cast<double>(blocks_of(weights_.rows) * weights_.block_bytes);
  mean_share_ += (share - mean_share_) * (1 - kMemory);
  if (mean_share_ > kMostShare) {
    mean_share_ = 0;
    resting_ = kRest;
  }
}

}  // namespace longleaf

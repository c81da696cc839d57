#include "model/model.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <unordered_set>

#include "error.h"
#include "gguf/text.h"
#include "kernels/pack.h"
#include "runtime/cgroup.h"
#include "runtime/topology.h"

namespace longleaf {
namespace {

constexpr size_t kPassRows = 512;                 // rows that go through the layers together
constexpr size_t kStageRows = 4;                  // rows of one unit in element-wise steps
constexpr size_t kScoreBytes = size_t{64} << 20;  // logits held at once while scoring

// The model's description, its positions stretched if that was asked for.
Architecture architecture_of(const Gguf& file, const ModelOptions& options) {
  Architecture a = read_architecture(file);
  const RopeScaling none;
  const RopeScaling& scaling = options.rope_scaling ? *options.rope_scaling : none;
  check_rope_scaling(scaling);
  const size_t reach = reachable_context(a, scaling);
  if (options.context > reach) {
    char scale[32];
    std::snprintf(
        scale, sizeof scale, "%.4g",
        std::floor(1e4 * static_cast<double>(a.context) / static_cast<double>(options.context)) / 1e4);
    throw Error("a context of " + std::to_string(options.context) +
                " tokens was asked for, but the model was trained for " + std::to_string(a.context) +
                (reach > a.context ? ", with this rope scaling for " + std::to_string(reach) : "") +
                ". Ask for less, or stretch its positions, which costs quality: --rope-scaling yarn "
                "--rope-freq-scale " +
                scale);
  }
  if (options.rope_scaling) scale_rope(a, scaling, options.context);
  return a;
}

KvLayout layout_of(const Architecture& a, const ModelOptions& options, const Kernels& kernels) {
  const bool integers = tile_kernels(kernels.name, options.key_type, options.value_type) != nullptr;
  return {a.kv_heads, a.head_dim, options.key_type, options.value_type, a.windows, kPassRows, integers};
}

size_t budget_of(const KvLayout& layout, size_t context, size_t asked, size_t available) {
  if (asked != 0) {
    if (asked > available) {
      throw Error("a KV budget of " + human_bytes(asked) + " was asked for, but only " +
                  human_bytes(available) + " of memory is available");
    }
    return asked;
  }
  // Room for two full contexts, within half of what is free. Memory is taken page by page as tokens come.
  const size_t wanted = std::max(2 * layout.bytes_needed(context), size_t{512} << 20);
  return std::max(std::min(wanted, available / 2), layout.layers() * layout.page_bytes());
}

size_t activation_bytes(const Architecture& a) {
  const size_t floats = 2 * row_stride(a.embedding) + 2 * row_stride(a.heads * a.head_dim) +
                        2 * row_stride(a.kv_heads * a.head_dim) + 2 * row_stride(a.feed_forward);
  return kPassRows * floats * sizeof(float);
}

size_t weight_bytes(const Gguf& file) {
  size_t bytes = 0;
  for (const TensorInfo& t : file.tensors()) bytes += t.n_bytes;
  return bytes;
}

// Before anything large is taken. Returns what is left then.
size_t check_memory(const Gguf& file, const Architecture& a, const KvLayout& layout, size_t context,
                    const Placement& placement) {
  const size_t available = placement.available();
  const size_t weights = weight_bytes(file);
  const size_t kv = layout.bytes_needed(context);
  const size_t activations = activation_bytes(a);
  const size_t total = weights + kv + activations;
  if (total <= available) return available - total;
  throw Error(
      "a context of " + std::to_string(context) +
      " tokens does not fit into memory: " + human_bytes(weights) + " of weights + " + human_bytes(kv) +
      " of KV cache + " + human_bytes(activations) + " of activations = " + human_bytes(total) + ", but " +
      human_bytes(available) + " are available" +
      (placement.nodes().size() == 1 ? " on NUMA node " + std::to_string(placement.nodes().front()) : "") +
      ". Ask for a shorter context (--ctx-size) or a smaller KV type");
}

Weights placed_weights(const Gguf& file, const Architecture& a, const KvLayout& layout,
                       const ModelOptions& options, ThreadPool& pool, Placement& placement) {
  const size_t spare =
      check_memory(file, a, layout, options.context == 0 ? a.context : options.context, placement);
  const PlacementScope scope(&placement, options.lock_weights);
  return load_weights(file, a, pool, placement.copies(weight_bytes(file), spare));
}

int threads_of(const ModelOptions& options) {
  constexpr int kMostThreads = 1024;
  if (options.threads < 0 || options.threads > kMostThreads) {
    throw Error("the thread count must be between 0 and " + std::to_string(kMostThreads) + ", not " +
                std::to_string(options.threads));
  }
  return options.threads;
}

Placement placement_of(const ModelOptions& options) {
  return {options.numa, threads_of(options), cgroup_cpus(),
          options.sysfs.empty() ? this_machine() : read_topology(options.sysfs, {}), system_calls()};
}

size_t units(size_t rows) { return (rows + kStageRows - 1) / kStageRows; }

template <class Body>
void each_row(ThreadPool& pool, size_t rows, Body&& body) {
  pool.run(units(rows), [&](size_t unit, int) {
    const size_t last = std::min(rows, (unit + 1) * kStageRows);
    for (size_t row = unit * kStageRows; row < last; ++row) body(row);
  });
}

}  // namespace

Model::Model(const Gguf& file, const ModelOptions& options)
    : path_(file.path()),
      kernels_(kernel_set(options.kernel_set, options.exact)),
      architecture_(architecture_of(file, options)),
      placement_(placement_of(options)),
      loading_(std::in_place, &placement_, false),
      pool_(placement_.threads(), placement_.places()),
      weights_(placed_weights(file, architecture_, layout_of(architecture_, options, kernels_), options,
                              pool_, placement_)),
      head_(kernels_, pool_, weights_.output(), architecture_.final_softcap, path_),
      context_(options.context == 0 ? architecture_.context : options.context),
      kv_(layout_of(architecture_, options, kernels_),
          budget_of(layout_of(architecture_, options, kernels_), context_, options.kv_budget_bytes,
                    placement_.available()),
          &placement_),
      attention_(kernels_, kv_.layout(), architecture_.heads, pool_.size()) {
  file.check_intact();
  const Architecture& a = architecture_;
  global_rope_ = Rope(a.global_rope, a.rope_dims, weights_.rope_divisors);
  local_rope_ = Rope(a.local_rope, a.rope_dims, weights_.rope_divisors);
  ld_embedding_ = row_stride(a.embedding);
  ld_q_ = row_stride(a.heads * a.head_dim);
  ld_kv_ = row_stride(a.kv_heads * a.head_dim);
  ld_ff_ = row_stride(a.feed_forward);
  // Not fewer for a short context: a pass holds rows of many sequences.
  const auto floats = [](size_t stride) { return Memory(kPassRows * stride * sizeof(float)); };
  scratch_ = MatmulScratch(kernels_, pool_.size(), kPassRows,
                           std::max({a.embedding, a.feed_forward, a.heads * a.head_dim}));
  x_ = floats(ld_embedding_);
  h_ = floats(ld_embedding_);
  mixed_ = floats(ld_q_);
  q_ = floats(ld_q_);
  k_ = floats(ld_kv_);
  v_ = floats(ld_kv_);
  gate_ = floats(ld_ff_);
  up_ = floats(ld_ff_);
  angles_ = floats(4 * (a.rope_dims / 2));
  loading_.reset();
  find("weights", weights_.sample());
  if (kv_.layout().keys().codes()) measure_keys();
}

// Sets the bases of keys by what some tokens, spread over the vocabulary, have for queries and keys.
void Model::measure_keys() {
  constexpr size_t kTokens = 512;
  constexpr size_t kPositions = 8192;       // over more, less of what queries have in common is left
  constexpr uint64_t kSpread = 2654435761;  // a prime near 2^32 over the golden ratio
  const Architecture& a = architecture_;
  const int64_t sequence = kv_.create();
  std::vector<Row> rows;
  size_t tokens = std::min(kTokens, context_);
  while (tokens > 1 && kv_.layout().bytes_needed(tokens) > kv_budget_bytes()) tokens /= 2;
  for (size_t i = 0; i < tokens; ++i)
    rows.push_back({static_cast<int32_t>(i * kSpread % vocabulary()), 0, i, -1, -1});
  measured_.assign(a.layers * a.kv_heads, KeyMeasure(a.head_dim));
  run({{sequence, nullptr, rows.size(), 0, nullptr}}, rows, [](const std::vector<Row>&, size_t) {});
  kv_.release(sequence);
  for (size_t i = 0; i < measured_.size(); ++i) {
    const Rope& rope = a.local(i / a.kv_heads) ? local_rope_ : global_rope_;
    bases_.push_back(
        measured_[i].basis(kernels_, rope, std::min(a.context, kPositions), kv_.layout().keys()));
  }
  measured_.clear();
}

std::string Model::placement_trouble() const {
  std::lock_guard lock(mutex_);
  return placement_.trouble();
}

// addresses: of every home, or all in one list.
Found Model::find(const std::string& what, const std::vector<std::vector<const std::byte*>>& addresses) {
  Found total;
  for (size_t i = 0; !placement_.nodes().empty() && i < addresses.size(); ++i) {
    const bool one_home = addresses.size() > 1;
    const Found found = placement_.find(
        addresses[i], one_home ? std::vector<int>{placement_.homes()[i]} : placement_.nodes());
    total.pages += found.pages;
    total.elsewhere += found.elsewhere;
  }
  placement_.judge(what, total);
  return total;
}

NumaUse Model::numa_use() {
  std::lock_guard lock(mutex_);
  return {weights_.copies, find("weights", weights_.sample()), find("KV pages", kv_.addresses_at_homes())};
}

MemoryNeed Model::memory_need() const {
  return {weights_.bytes(), kv_.layout().bytes_needed(context_), activation_bytes(architecture_),
          head_.copy_bytes()};
}

Rates Model::rates() {
  std::lock_guard lock(mutex_);
  return probe_rates(pool_, kernels_.name);
}

int64_t Model::create() {
  std::lock_guard lock(mutex_);
  return kv_.create();
}

int64_t Model::fork(int64_t sequence) {
  std::lock_guard lock(mutex_);
  return kv_.fork(sequence);
}

bool Model::can_truncate(int64_t sequence, size_t tokens) const {
  std::lock_guard lock(mutex_);
  return kv_.can_truncate(sequence, tokens);
}

void Model::truncate(int64_t sequence, size_t tokens) {
  std::lock_guard lock(mutex_);
  kv_.truncate(sequence, tokens);
}

void Model::release(int64_t sequence) {
  std::lock_guard lock(mutex_);
  kv_.release(sequence);
}

size_t Model::length(int64_t sequence) const {
  std::lock_guard lock(mutex_);
  return kv_.length(sequence);
}

KvUse Model::kv_use(size_t* free_pages) const {
  std::lock_guard lock(mutex_);
  *free_pages = kv_.free_pages();
  return kv_.use();
}

std::vector<KvPage> Model::kv_pages(int64_t sequence) const {
  std::lock_guard lock(mutex_);
  return kv_.pages(sequence);
}

void Model::export_pages(int64_t sequence, const std::vector<KvPage>& pages,
                         const std::vector<std::byte*>& out) const {
  std::lock_guard lock(mutex_);
  for (size_t i = 0; i < pages.size(); ++i) kv_.copy_page(sequence, pages[i], out[i]);
}

int64_t Model::import_sequence(size_t length, const std::vector<KvPage>& pages) {
  if (length > context_) {
    throw Error("cannot import a sequence of " + std::to_string(length) + " tokens into a context of " +
                std::to_string(context_));
  }
  std::lock_guard lock(mutex_);
  return kv_.import_sequence(length, pages);
}

void Model::check(const std::vector<BatchItem>& batch) const {
  std::unordered_set<int64_t> seen;
  const auto vocabulary = static_cast<int64_t>(weights_.vocabulary);
  for (const BatchItem& item : batch) {
    const size_t length = kv_.length(item.sequence);
    const std::string name = "sequence " + std::to_string(item.sequence);
    if (!seen.insert(item.sequence).second) throw Error(name + " stands twice in one batch");
    if (item.wanted > item.count) {
      throw Error(name + ": " + std::to_string(item.wanted) + " rows of logits wanted of " +
                  std::to_string(item.count) + " tokens");
    }
    if (item.count > context_ - length) {
      throw Error(name + " has " + std::to_string(length) + " tokens; " + std::to_string(item.count) +
                  " more do not fit into the context of " + std::to_string(context_));
    }
    for (size_t i = 0; i < item.count; ++i) {
      if (item.tokens[i] < 0 || item.tokens[i] >= vocabulary) {
        throw Error(name + ": token " + std::to_string(item.tokens[i]) + " is not in the vocabulary of " +
                    std::to_string(vocabulary));
      }
      if (item.targets != nullptr && (item.targets[i] < -1 || item.targets[i] >= vocabulary)) {
        throw Error(name + ": target " + std::to_string(item.targets[i]) +
                    " is neither -1 nor in the vocabulary of " + std::to_string(vocabulary));
      }
    }
  }
}

// Takes all rows through the layers, kPassRows at a time; sink gets the wanted rows of every pass, their
// final hidden states normed in h_.
void Model::run(const std::vector<BatchItem>& batch, const std::vector<Row>& rows, const Sink& sink) {
  KvPool::Appends appends;
  for (const BatchItem& item : batch) appends.emplace_back(item.sequence, item.count);
  kv_.begin(appends);
  try {
    for (size_t first = 0; first < rows.size(); first += kPassRows) {
      const size_t count = std::min(kPassRows, rows.size() - first);
      KvPool::Appends parts;
      for (size_t i = first; i < first + count; ++i) {
        const int64_t sequence = batch[rows[i].item].sequence;
        if (parts.empty() || parts.back().first != sequence) parts.emplace_back(sequence, 0);
        ++parts.back().second;
      }
      for (const auto& [sequence, tokens] : parts) kv_.extend(sequence, tokens);
      layers(batch, rows.data() + first, count);
      for (const auto& [sequence, tokens] : parts) kv_.commit(sequence, tokens);
      std::vector<Row> wanted;
      for (size_t i = first; i < first + count; ++i) {
        if (rows[i].output >= 0) wanted.push_back(rows[i]);
      }
      if (!wanted.empty()) sink(wanted, wanted.size());
    }
  } catch (...) {
    for (const BatchItem& item : batch) kv_.roll_back(item.sequence);
    throw;
  }
  for (const BatchItem& item : batch) kv_.finish(item.sequence);
}

void Model::keys_and_values(const std::vector<BatchItem>& batch, const Row* rows, size_t count,
                            size_t layer) {
  const Architecture& a = architecture_;
  const Layer& l = weights_.layers[layer];
  const KvLayout& kv = kv_.layout();
  const size_t half = a.rope_dims / 2;
  const KvPart keys = kv.keys(), values = kv.values();
  const size_t angle_offset = a.local(layer) ? 2 * half : 0;
  const size_t group = a.heads / a.kv_heads;
  std::vector<const std::vector<uint32_t>*> tables(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) tables[i] = &kv_.table(batch[i].sequence, layer);
  each_row(pool_, count, [&](size_t row) {
    float* q = q_.as<float>() + row * ld_q_;
    float* k = k_.as<float>() + row * ld_kv_;
    float* v = v_.as<float>() + row * ld_kv_;
    const float* cos = angles_.as<float>() + row * 4 * half + angle_offset;
    const float* sin = cos + half;
    if (!l.q_bias.empty()) kernels_.add(q, l.q_bias.data(), l.q_bias.size());
    if (!l.k_bias.empty()) kernels_.add(k, l.k_bias.data(), l.k_bias.size());
    if (!l.v_bias.empty()) kernels_.add(v, l.v_bias.data(), l.v_bias.size());
    for (size_t head = 0; head < a.heads; ++head) {
      float* one = q + head * a.head_dim;
      if (a.qk_norms) kernels_.rms_norm(one, l.q_norm.data(), a.norm_eps, a.head_dim, one);
      kernels_.rope(one, cos, sin, half);
      kernels_.scale(one, a.attention_scale, a.head_dim);
      if (!bases_.empty()) bases_[layer * a.kv_heads + head / group].turn_query(one);
    }
    const size_t position = rows[row].position;
    const uint32_t page = (*tables[rows[row].item])[position / kPageTokens];
    const size_t token = position % kPageTokens;
    for (size_t head = 0; head < a.kv_heads; ++head) {
      float* key = k + head * a.head_dim;
      const float* value = v + head * a.head_dim;
      if (a.qk_norms) kernels_.rms_norm(key, l.k_norm.data(), a.norm_eps, a.head_dim, key);
      kernels_.rope(key, cos, sin, half);
      if (!bases_.empty()) bases_[layer * a.kv_heads + head].turn_key(key);
      std::byte* place = kv_.head_at(page, head);
      write_vector(kernels_, keys, place, token, key,
                   bases_.empty() ? nullptr : bases_[layer * a.kv_heads + head].shape());
      write_vector(kernels_, values, place + keys.bytes(), token, value);
    }
  });
  if (!measured_.empty()) add_measures(count, layer);
}

void Model::add_measures(size_t count, size_t layer) {
  const Architecture& a = architecture_;
  const size_t group = a.heads / a.kv_heads, dims = a.head_dim;
  for (size_t head = 0; head < a.kv_heads && count > 1; ++head) {
    // Not the first token: its keys are like no other's.
    measured_[layer * a.kv_heads + head].add(kernels_, q_.as<float>() + ld_q_ + head * group * dims, ld_q_,
                                             group, k_.as<float>() + ld_kv_ + head * dims, ld_kv_, count - 1);
  }
}

void Model::attend(const std::vector<BatchItem>& batch, const Row* rows, size_t count, size_t layer) {
  spans_.clear();
  for (size_t row = 0; row < count; ++row) {
    if (row > 0 && rows[row].item == rows[row - 1].item && rows[row].position == rows[row - 1].position + 1) {
      ++spans_.back().rows;
      continue;
    }
    const auto& table = kv_.table(batch[rows[row].item].sequence, layer);
    spans_.push_back({row, 1, rows[row].position, table.data()});
  }
  const AttentionShape shape{architecture_.heads, architecture_.kv_heads, architecture_.head_dim,
                             architecture_.windows[layer]};
  attention_.run(pool_, kv_, shape, spans_, q_.as<float>(), ld_q_, mixed_.as<float>(), ld_q_);
}

void Model::layers(const std::vector<BatchItem>& batch, const Row* rows, size_t count) {
  const Architecture& a = architecture_;
  float* x = x_.as<float>();
  float* h = h_.as<float>();
  float* gate = gate_.as<float>();
  float* up = up_.as<float>();
  const size_t half = a.rope_dims / 2;
  const bool any_local = std::any_of(a.windows.begin(), a.windows.end(), [](size_t w) { return w != 0; });
  each_row(pool_, count, [&](size_t row) {
    packed_row(weights_.embedding.view, static_cast<size_t>(rows[row].token), x + row * ld_embedding_);
    if (a.embedding_scale != 1) kernels_.scale(x + row * ld_embedding_, a.embedding_scale, a.embedding);
    float* angles = angles_.as<float>() + row * 4 * half;
    global_rope_.angles(rows[row].position, angles, angles + half);
    if (any_local) local_rope_.angles(rows[row].position, angles + 2 * half, angles + 3 * half);
    kernels_.rms_norm(x + row * ld_embedding_, weights_.layers[0].attention_norm.data(), a.norm_eps,
                      a.embedding, h + row * ld_embedding_);
  });
  std::vector<Row> kept;
  for (size_t layer = 0; layer < a.layers; ++layer) {
    const Layer& l = weights_.layers[layer];
    const Product qkv[] = {{&l.q.view, q_.as<float>(), ld_q_},
                           {&l.k.view, k_.as<float>(), ld_kv_},
                           {&l.v.view, v_.as<float>(), ld_kv_}};
    matmul(kernels_, pool_, scratch_, h, ld_embedding_, count, qkv, 3);
    keys_and_values(batch, rows, count, layer);
    const bool last = layer + 1 == a.layers;
    if (last) {
      // Behind the last keys and values only rows whose logits are wanted go on.
      for (size_t row = 0; row < count; ++row) {
        if (rows[row].output < 0) continue;
        if (kept.size() != row) {
          std::memcpy(x + kept.size() * ld_embedding_, x + row * ld_embedding_, a.embedding * sizeof(float));
          std::memcpy(q_.as<float>() + kept.size() * ld_q_, q_.as<float>() + row * ld_q_,
                      a.heads * a.head_dim * sizeof(float));
        }
        kept.push_back(rows[row]);
      }
      rows = kept.data();
      count = kept.size();
      if (count == 0) return;
    }
    attend(batch, rows, count, layer);
    const Product output{&l.o.view, h, ld_embedding_};
    matmul(kernels_, pool_, scratch_, mixed_.as<float>(), ld_q_, count, &output, 1);
    each_row(pool_, count, [&](size_t row) {
      float* xr = x + row * ld_embedding_;
      float* hr = h + row * ld_embedding_;
      if (!l.o_bias.empty()) kernels_.add(hr, l.o_bias.data(), a.embedding);
      if (a.post_norms) kernels_.rms_norm(hr, l.post_attention_norm.data(), a.norm_eps, a.embedding, hr);
      kernels_.add(xr, hr, a.embedding);
      kernels_.rms_norm(xr, l.feed_forward_norm.data(), a.norm_eps, a.embedding, hr);
    });
    const Product gate_up[] = {{&l.gate.view, gate, ld_ff_}, {&l.up.view, up, ld_ff_}};
    const Product down{&l.down.view, h, ld_embedding_};
    const After act = a.activation == Activation::Silu ? After::SiluMul : After::GeluMul;
    if (l.gate_bias.empty() && l.up_bias.empty()) {
      feed_forward(kernels_, pool_, scratch_, h, ld_embedding_, count, gate_up[0], gate_up[1], act, down);
    } else {
      matmul(kernels_, pool_, scratch_, h, ld_embedding_, count, gate_up, 2);
      each_row(pool_, count, [&](size_t row) {
        float* g = gate + row * ld_ff_;
        float* u = up + row * ld_ff_;
        if (!l.gate_bias.empty()) kernels_.add(g, l.gate_bias.data(), a.feed_forward);
        if (!l.up_bias.empty()) kernels_.add(u, l.up_bias.data(), a.feed_forward);
        (act == After::SiluMul ? kernels_.silu_mul : kernels_.gelu_mul)(g, u, a.feed_forward);
      });
      matmul(kernels_, pool_, scratch_, gate, ld_ff_, count, &down, 1);
    }
    const float* next_norm =
        last ? weights_.output_norm.data() : weights_.layers[layer + 1].attention_norm.data();
    each_row(pool_, count, [&](size_t row) {
      float* xr = x + row * ld_embedding_;
      float* hr = h + row * ld_embedding_;
      if (!l.down_bias.empty()) kernels_.add(hr, l.down_bias.data(), a.embedding);
      if (a.post_norms) kernels_.rms_norm(hr, l.post_feed_forward_norm.data(), a.norm_eps, a.embedding, hr);
      kernels_.add(xr, hr, a.embedding);
      kernels_.rms_norm(xr, next_norm, a.norm_eps, a.embedding, hr);
    });
  }
}

void Model::forward_both(const std::vector<BatchItem>& whole, const std::vector<BatchItem>& best, size_t k,
                         float* logits, int32_t* top_ids, float* top_logits) {
  if (k < 1 || k > weights_.vocabulary) {
    throw Error("between 1 and " + std::to_string(weights_.vocabulary) + " best tokens can be had, not " +
                std::to_string(k));
  }
  std::lock_guard lock(mutex_);
  const PlacementScope scope(&placement_, false);
  std::vector<BatchItem> batch = whole;
  batch.insert(batch.end(), best.begin(), best.end());
  check(batch);
  std::vector<Row> rows;
  int64_t output = 0;
  size_t in_whole = 0;  // rows wanted
  for (uint32_t i = 0; i < batch.size(); ++i) {
    const size_t length = kv_.length(batch[i].sequence);
    for (size_t t = 0; t < batch[i].count; ++t) {
      const bool wanted = t + batch[i].wanted >= batch[i].count;
      rows.push_back({batch[i].tokens[t], i, length + t, wanted ? output++ : -1, -1});
    }
    if (i < whole.size()) in_whole += batch[i].wanted;
  }
  run(batch, rows, [&](const std::vector<Row>& wanted, size_t count) {
    const float* hidden = h_.as<float>();
    const auto first = static_cast<size_t>(wanted.front().output);
    const size_t now = first < in_whole ? std::min(count, in_whole - first) : 0;
    if (now > 0) head_.logits(scratch_, hidden, ld_embedding_, now, logits + first * weights_.vocabulary);
    if (now == count) return;
    const size_t at = (first + now - in_whole) * k;
    head_.top(scratch_, hidden + now * ld_embedding_, ld_embedding_, count - now, k, top_ids + at,
              top_logits + at);
  });
}

void Model::score(const std::vector<BatchItem>& batch, float* log_probabilities) {
  std::lock_guard lock(mutex_);
  const PlacementScope scope(&placement_, false);
  check(batch);
  std::vector<Row> rows;
  int64_t output = 0;
  for (uint32_t i = 0; i < batch.size(); ++i) {
    const size_t length = kv_.length(batch[i].sequence);
    for (size_t t = 0; t < batch[i].count; ++t, ++output) {
      const int32_t target = batch[i].targets[t];
      log_probabilities[output] = 0;
      rows.push_back({batch[i].tokens[t], i, length + t, target < 0 ? -1 : output, target});
    }
  }
  const size_t n = weights_.vocabulary;
  const size_t group = std::max<size_t>(1, kScoreBytes / sizeof(float) / n);
  run(batch, rows, [&](const std::vector<Row>& wanted, size_t count) {
    const size_t needed = std::min(group, count) * n * sizeof(float);
    if (wanted_.size() < needed) wanted_ = Memory(needed);
    float* logits = wanted_.as<float>();
    for (size_t first = 0; first < count; first += group) {
      const size_t now = std::min(group, count - first);
      head_.logits(scratch_, h_.as<float>() + first * ld_embedding_, ld_embedding_, now, logits);
      pool_.run(now, [&](size_t row, int) {
        const float* mine = logits + row * n;
        const Row& r = wanted[first + row];
        log_probabilities[r.output] =
            static_cast<float>(static_cast<double>(mine[r.target]) - kernels_.log_sum_exp(mine, n));
      });
    }
  });
}

}  // namespace longleaf

// A model ready to run: weights, KV pool and the forward pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "attention/attention.h"
#include "gguf/gguf.h"
#include "kernels/kernels.h"
#include "kernels/matmul.h"
#include "kv/key_basis.h"
#include "kv/pool.h"
#include "model/architecture.h"
#include "model/cost.h"
#include "model/head.h"
#include "model/key_measure.h"
#include "model/weights.h"
#include "runtime/placement.h"
#include "runtime/probe.h"
#include "runtime/threads.h"

namespace longleaf {

struct ModelOptions {
  int threads = 0;             // 0: what the machine leaves us
  size_t context = 0;          // 0: what the model was trained for
  size_t kv_budget_bytes = 0;  // 0: by the context and the memory available
  std::string kernel_set;      // empty: the default of this machine
  bool exact = false;          // no set that rounds
  KvType key_type = KvType::F16;
  KvType value_type = KvType::F16;
  Numa numa = Numa::None;
  bool lock_weights = false;  // in memory
  std::string sysfs;          // for tests, a tree that describes another machine; empty: this one
  std::optional<RopeScaling> rope_scaling;
};

// What a model takes, in bytes.
struct MemoryNeed {
  size_t weights, kv, activations, screening;  // kv: of one sequence as long as the context
  size_t total() const { return weights + kv + activations + screening; }
};

// Where memory was found that was placed on NUMA nodes.
struct NumaUse {
  size_t weight_copies;
  Found weights, kv;  // a sample of the weights, and every head of every page in use
};

// Tokens to append to one sequence.
struct BatchItem {
  int64_t sequence;
  const int32_t* tokens;
  size_t count;
  size_t wanted;           // forward: rows of logits, for the last tokens
  const int32_t* targets;  // score: for every token the id whose probability is wanted, or -1
};

// Calls from several threads are safe: they run one after the other. A failed call changes no sequence.
class Model {
 public:
  Model(const Gguf& file, const ModelOptions& options);

  const Architecture& architecture() const { return architecture_; }
  size_t vocabulary() const { return weights_.vocabulary; }
  size_t context() const { return context_; }
  int threads() const { return pool_.size(); }
  const Kernels& kernels() const { return kernels_; }
  MemoryNeed memory_need() const;
  const Placement& placement() const { return placement_; }
  // What the system refused or did otherwise; empty if nothing.
  std::string placement_trouble() const;
  // Asks the system; what is wrong becomes trouble. Nothing is found on machines with one node.
  NumaUse numa_use();
  size_t screening_bytes() const { return head_.copy_bytes(); }
  size_t kv_budget_bytes() const { return kv_.budget_pages() * kv_.layout().page_bytes(); }

  Cost cost(size_t depth, size_t tokens, size_t outputs) const {
    return cost_of(architecture_, weights_, kv_.layout(), head_.least_read(), depth, tokens, outputs);
  }
  // What this machine can do at most with the model's threads and kernel set. Takes half a second.
  Rates rates();

  int64_t create();
  int64_t fork(int64_t sequence);
  bool can_truncate(int64_t sequence, size_t tokens) const;
  void truncate(int64_t sequence, size_t tokens);
  void release(int64_t sequence);
  size_t length(int64_t sequence) const;

  const KvLayout& kv_layout() const { return kv_.layout(); }
  size_t kv_budget_pages() const { return kv_.budget_pages(); }
  KvUse kv_use(size_t* free_pages) const;
  // Most bytes of KV that building a sequence of `tokens` takes, shared with no other.
  size_t kv_bytes_needed(size_t tokens) const { return kv_.layout().bytes_needed(tokens); }
  // The pages of a sequence, and copies of them, of page_bytes() each. Nothing may be appended to the
  // sequence in between: callers take a fork.
  std::vector<KvPage> kv_pages(int64_t sequence) const;
  void export_pages(int64_t sequence, const std::vector<KvPage>& pages,
                    const std::vector<std::byte*>& out) const;
  int64_t import_sequence(size_t length, const std::vector<KvPage>& pages);

  // logits: [sum of wanted][vocabulary] of `whole`; top_ids and top_logits: the k best of each of the rows
  // wanted of `best`, descending, ties by the lower id, bit for bit as they are among all.
  void forward_both(const std::vector<BatchItem>& whole, const std::vector<BatchItem>& best, size_t k,
                    float* logits, int32_t* top_ids, float* top_logits);
  // log_probabilities: [sum of count]
  void score(const std::vector<BatchItem>& batch, float* log_probabilities);

 private:
  struct Row {
    int32_t token;
    uint32_t item;
    size_t position;
    int64_t output;  // row of logits or index of the score, -1: none wanted
    int32_t target;
  };
  using Sink = std::function<void(const std::vector<Row>& rows, size_t count)>;
  Found find(const std::string& what, const std::vector<std::vector<const std::byte*>>& addresses);
  void check(const std::vector<BatchItem>& batch) const;
  void run(const std::vector<BatchItem>& batch, const std::vector<Row>& rows, const Sink& sink);
  void layers(const std::vector<BatchItem>& batch, const Row* rows, size_t count);
  void measure_keys();
  void add_measures(size_t count, size_t layer);
  void keys_and_values(const std::vector<BatchItem>& batch, const Row* rows, size_t count, size_t layer);
  void attend(const std::vector<BatchItem>& batch, const Row* rows, size_t count, size_t layer);

  const std::string path_;
  const Kernels& kernels_;
  Architecture architecture_;
  Placement placement_;
  std::optional<PlacementScope> loading_;  // while the constructor runs
  ThreadPool pool_;
  Weights weights_;
  Head head_;
  size_t context_;
  KvPool kv_;
  Attention attention_;
  std::vector<KeyBasis> bases_;       // of every KV head of every layer; empty: keys are kept as they are
  std::vector<KeyMeasure> measured_;  // while measure_keys() runs, of each of these
  Rope global_rope_, local_rope_;
  mutable std::mutex mutex_;

  size_t ld_embedding_, ld_q_, ld_kv_, ld_ff_;
  MatmulScratch scratch_;
  Memory x_, h_, q_, k_, v_, mixed_, gate_, up_, angles_, wanted_;
  std::vector<AttentionSpan> spans_;
};

}  // namespace longleaf

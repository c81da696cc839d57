// Small random models of every architecture and weight type run a few tokens with every kernel set; damaged
// ones and those with hostile hyperparameters are refused or run.
#include "model/model.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "check.h"
#include "error.h"
#include "gguf/gguf.h"
#include "gguf_writer.h"
#include "kernels/kernels.h"
#include "quant/quant.h"
#include "tiny_vocab.h"

namespace longleaf::test {

namespace {

const std::string kArchitectures[] = {"llama", "qwen2", "qwen3", "gemma3"};
constexpr uint64_t kVocabulary = 300;

struct Sizes {
  uint64_t layers, embedding, heads, kv_heads, head_dim, feed_forward;
};

bool has_large_blocks(TensorType type) {
  return block_format(static_cast<uint32_t>(type))->block_size == 256;
}

Sizes sizes_for(TensorType type) {
  return has_large_blocks(type) ? Sizes{1, 256, 2, 1, 128, 256} : Sizes{2, 64, 4, 2, 16, 96};
}

File small_model(const std::string& architecture, TensorType type, const Sizes& size, Random& random) {
  bool gemma = architecture == "gemma3";
  File file;
  auto key = [&](const std::string& name, Value value) {
    file.keys.push_back({architecture + "." + name, std::move(value)});
  };
  auto number = [](uint64_t value) { return Value(static_cast<uint32_t>(value)); };
  file.keys.push_back({"general.architecture", architecture});
  key("context_length", number(256));
  key("embedding_length", number(size.embedding));
  key("block_count", number(size.layers));
  key("feed_forward_length", number(size.feed_forward));
  key("attention.head_count", number(size.heads));
  key("attention.head_count_kv", number(size.kv_heads));
  key("attention.key_length", number(size.head_dim));
  key("attention.value_length", number(size.head_dim));
  key("attention.layer_norm_rms_epsilon", 1e-5f);
  key("rope.freq_base", 10000.0f);
  key("rope.dimension_count", number(size.head_dim));
  key("rope.scaling.type", std::string("yarn"));
  key("rope.scaling.factor", 4.0f);
  key("rope.scaling.original_context_length", number(64));
  if (gemma) key("attention.sliding_window", number(20));

  auto matrix = [&](const std::string& name, uint64_t n_in, uint64_t n_out) {
    file.tensors.push_back({name, {n_in, n_out}, type, random_blocks(type, {n_in, n_out}, random)});
  };
  auto vector = [&](const std::string& name, uint64_t n) {
    file.tensors.push_back({name, {n}, TensorType::F32, random_blocks(TensorType::F32, {n}, random)});
  };
  uint64_t q = size.heads * size.head_dim, kv = size.kv_heads * size.head_dim;
  matrix("token_embd.weight", size.embedding, kVocabulary);
  vector("output_norm.weight", size.embedding);
  if (architecture == "llama") vector("rope_freqs.weight", size.head_dim / 2);
  for (uint64_t layer = 0; layer < size.layers; ++layer) {
    std::string blk = "blk." + std::to_string(layer) + ".";
    vector(blk + "attn_norm.weight", size.embedding);
    matrix(blk + "attn_q.weight", size.embedding, q);
    matrix(blk + "attn_k.weight", size.embedding, kv);
    matrix(blk + "attn_v.weight", size.embedding, kv);
    matrix(blk + "attn_output.weight", q, size.embedding);
    if (architecture == "qwen2") {
      vector(blk + "attn_q.bias", q);
      vector(blk + "attn_k.bias", kv);
      vector(blk + "attn_v.bias", kv);
    }
    if (architecture == "qwen3" || gemma) {
      vector(blk + "attn_q_norm.weight", size.head_dim);
      vector(blk + "attn_k_norm.weight", size.head_dim);
    }
    if (gemma) {
      vector(blk + "post_attention_norm.weight", size.embedding);
      vector(blk + "post_ffw_norm.weight", size.embedding);
    }
    vector(blk + "ffn_norm.weight", size.embedding);
    matrix(blk + "ffn_gate.weight", size.embedding, size.feed_forward);
    matrix(blk + "ffn_up.weight", size.embedding, size.feed_forward);
    matrix(blk + "ffn_down.weight", size.feed_forward, size.embedding);
  }
  for (Tensor& tensor : file.tensors) {
    if (tensor.name != "rope_freqs.weight") continue;
    for (size_t i = 3; i < tensor.bytes.size(); i += 4) tensor.bytes[i] &= 0x7F;  // divisors are positive
  }
  return file;
}

ModelOptions options(const std::string& kernel_set) {
  ModelOptions out;
  out.threads = 2;
  out.kernel_set = kernel_set;
  out.kv_budget_bytes = size_t{64} << 20;
  return out;
}

void logits_of(Model& model, const std::vector<BatchItem>& batch, float* logits) {
  model.forward_both(batch, {}, 1, logits, nullptr, nullptr);
}

std::vector<int32_t> some_tokens(size_t n, Random& random) {
  std::vector<int32_t> tokens(n);
  for (int32_t& token : tokens) token = static_cast<int32_t>(random.below(kVocabulary));
  return tokens;
}

// Prefill over a page border beside another sequence, a fork, a truncation, decode, scores.
std::vector<float> run(Model& model, size_t n_prompt, Random& random) {
  size_t n = model.vocabulary();
  std::vector<float> logits(3 * n);
  std::vector<int32_t> prompt = some_tokens(n_prompt, random), few = some_tokens(5, random);
  int64_t first = model.create(), second = model.create();
  logits_of(model,
            {{first, prompt.data(), prompt.size(), 2, nullptr}, {second, few.data(), few.size(), 1, nullptr}},
            logits.data());
  int64_t fork = model.fork(first);
  logits_of(model, {{fork, few.data(), few.size(), 1, nullptr}}, logits.data());
  model.truncate(fork, n_prompt / 2);
  logits_of(model, {{first, few.data(), 1, 1, nullptr}, {fork, few.data(), 2, 1, nullptr}},
            logits.data() + n);
  std::vector<int32_t> targets = {1, -1, 2, 0, -1};
  std::vector<float> scores(few.size());
  model.score({{fork, few.data(), few.size(), 0, targets.data()}}, scores.data());
  for (int64_t sequence : {first, second, fork}) model.release(sequence);
  logits.insert(logits.end(), scores.begin(), scores.end());
  return logits;
}

void test_sound(Random& random) {
  for (const std::string& architecture : kArchitectures) {
    for (TensorType type : kAllTypes) {
      Sizes size = sizes_for(type);
      MemoryFile file(write(small_model(architecture, type, size, random)).bytes);
      Gguf gguf(file.path());
      for (const std::string& set : kernel_set_names()) {
        Model model(gguf, options(set));
        std::vector<float> results = run(model, 70, random);
        bool finite = std::all_of(results.begin(), results.end(), [](float x) { return std::isfinite(x); });
        std::string type_name = block_format(static_cast<uint32_t>(type))->name;
        check(finite, architecture + " " + type_name + " with " + set + " kernels");
      }
    }
  }
}

// Sizes that fill no vector, panel or page.
void test_odd_sizes(Random& random) {
  for (const Sizes& size : {Sizes{1, 36, 3, 1, 6, 20}, Sizes{2, 1, 1, 1, 2, 1}, Sizes{1, 130, 5, 5, 34, 70},
                            Sizes{1, 64, 1, 1, 1024, 33}}) {
    for (const std::string& architecture : kArchitectures) {
      for (TensorType type : {TensorType::F32, TensorType::BF16}) {
        MemoryFile file(write(small_model(architecture, type, size, random)).bytes);
        Gguf gguf(file.path());
        for (const std::string& set : kernel_set_names()) {
          for (KvType kv : {KvType::F16, KvType::BF16, KvType::Q8, KvType::Q4, KvType::F32}) {
            ModelOptions with_type = options(set);
            with_type.key_type = with_type.value_type = kv;
            Model model(gguf, with_type);
            run(model, 70, random);
          }
        }
      }
    }
  }
}

void try_model(const std::vector<uint8_t>& bytes, Random& random) {
  MemoryFile file(bytes);
  try {
    Gguf gguf(file.path());
    Model model(gguf, options(""));
    run(model, 3, random);
  } catch (const Error&) {
  }
}

void test_hostile(Random& random) {
  for (const std::string& architecture : kArchitectures) {
    File sound = small_model(architecture, TensorType::Q8_0, sizes_for(TensorType::Q8_0), random);
    Written written = write(sound);
    for (size_t i = 0; i < sound.keys.size(); ++i) {
      for (const Value& strange : strange_values(sound.keys[i].value, random)) {
        File changed = sound;
        changed.keys[i].value = strange;
        try_model(write(changed).bytes, random);
      }
      File without = sound;
      without.keys.erase(without.keys.begin() + static_cast<std::ptrdiff_t>(i));
      try_model(write(without).bytes, random);
    }
    for (size_t i = 0; i < sound.tensors.size(); ++i) {
      File without = sound;
      without.tensors.erase(without.tensors.begin() + static_cast<std::ptrdiff_t>(i));
      try_model(write(without).bytes, random);

      File turned = sound;
      std::reverse(turned.tensors[i].shape.begin(), turned.tensors[i].shape.end());
      try_model(write(turned).bytes, random);

      File noisy = sound;  // scales that are infinite or not a number
      for (uint8_t& byte : noisy.tensors[i].bytes) byte = static_cast<uint8_t>(random.next() | 0x7C);
      try_model(write(noisy).bytes, random);

      File other_type = sound;
      Tensor& tensor = other_type.tensors[i];
      tensor.type = kAllTypes[random.below(8)];
      tensor.bytes.resize(bytes_of(tensor.type, tensor.shape));
      try_model(write(other_type).bytes, random);
    }
    constexpr int kDamaged = 400;
    for (int i = 0; i < kDamaged; ++i) try_model(damaged(written, random), random);
  }
}

template <typename Work>
bool refused(Work work) {
  try {
    work();
  } catch (const Error&) {
    return true;
  }
  return false;
}

// Calls that make no sense.
void test_misuse(Random& random) {
  MemoryFile file(write(small_model("llama", TensorType::F32, sizes_for(TensorType::F32), random)).bytes);
  Gguf gguf(file.path());
  Model model(gguf, options(""));
  int64_t sequence = model.create();
  std::vector<float> logits(model.vocabulary() * 4);
  auto forward = [&](int64_t id, std::vector<int32_t> tokens, size_t wanted) {
    return refused(
        [&] { logits_of(model, {{id, tokens.data(), tokens.size(), wanted, nullptr}}, logits.data()); });
  };
  check(forward(sequence + 1, {1}, 1), "an unknown sequence");
  check(forward(-1, {1}, 1), "a negative sequence");
  check(forward(sequence, {-1}, 1), "a negative token");
  check(forward(sequence, {static_cast<int32_t>(kVocabulary)}, 1), "a token outside the vocabulary");
  check(forward(sequence, {1}, 2), "more logits than tokens");
  check(forward(sequence, std::vector<int32_t>(257, 1), 1), "more tokens than the context holds");
  check(refused([&] { model.truncate(sequence, 1); }) || model.length(sequence) == 0, "truncation to more");
  model.release(sequence);
  check(refused([&] { model.release(sequence); }), "a release twice");
  check(refused([&] { model.fork(sequence); }), "a fork of what is gone");
  check(refused([&] { Model(gguf, options("avx9")); }), "an unknown kernel set");
  ModelOptions large = options("");
  large.context = 1 << 20;
  check(refused([&] { Model(gguf, large); }), "a context beyond the model's");
  large = options("");
  large.kv_budget_bytes = ~size_t{0};
  check(refused([&] { Model(gguf, large); }), "a KV budget beyond the machine");
}

void test_small_budget(Random& random) {
  MemoryFile file(write(small_model("llama", TensorType::F32, sizes_for(TensorType::F32), random)).bytes);
  Gguf gguf(file.path());
  ModelOptions small = options("");
  small.kv_budget_bytes = 64 * 1024;  // few pages
  bool full = refused([&] {
    Model model(gguf, small);
    for (int i = 0; i < 100; ++i) {
      std::vector<int32_t> tokens = some_tokens(100, random);
      std::vector<float> logits(model.vocabulary());
      logits_of(model, {{model.create(), tokens.data(), tokens.size(), 1, nullptr}}, logits.data());
    }
  });
  check(full, "a full KV pool is an error");
}

}  // namespace

void test_model() {
  Random random(3);
  test_sound(random);
  test_odd_sizes(random);
  test_misuse(random);
  test_small_budget(random);
  test_hostile(random);
  check(true, "damaged and hostile models");
}

}  // namespace longleaf::test

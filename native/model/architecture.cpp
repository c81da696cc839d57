#include "model/architecture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "error.h"
#include "gguf/parts.h"
#include "gguf/text.h"

// Keys and conventions: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md and, for defaults that the
// document leaves open, what llama.cpp's loader assumes (src/llama-model.cpp, src/llama-context.cpp).

namespace longleaf {
namespace {

constexpr int64_t kMostLayers = 1024;
constexpr int64_t kMostWidth = 1 << 20;    // of any dimension but the vocabulary
constexpr int64_t kMostContext = 1 << 24;  // positions stay exact in float
constexpr double kPi = 3.14159265358979323846;

struct Reader {
  const Gguf& file;
  std::string arch;

  std::string key(const std::string& name) const { return arch + "." + name; }

  [[noreturn]] void fail(const std::string& name, const std::string& why) const {
    throw Error(quoted(file.path()) + ": " + key(name) + " " + why);
  }

  size_t size(const std::string& name, int64_t most, std::optional<int64_t> fallback = std::nullopt) const {
    const auto value = file.has(key(name)) ? file.integer(key(name)) : fallback;
    if (!value) fail(name, "is missing");
    if (*value < 1 || *value > most) {
      fail(name, "is " + std::to_string(*value) + ", not between 1 and " + std::to_string(most));
    }
    return static_cast<size_t>(*value);
  }

  double number(const std::string& name, double fallback, double least, double most) const {
    const double value = file.number(key(name)).value_or(fallback);
    if (!(value >= least && value <= most)) fail(name, "is out of range: " + std::to_string(value));
    return value;
  }
};

void read_sizes(const Reader& r, Architecture& a) {
  a.layers = r.size("block_count", kMostLayers);
  a.context = r.size("context_length", kMostContext);
  a.embedding = r.size("embedding_length", kMostWidth);
  a.feed_forward = r.size("feed_forward_length", kMostWidth);
  a.heads = r.size("attention.head_count", kMostWidth);
  a.kv_heads = r.size("attention.head_count_kv", kMostWidth, static_cast<int64_t>(a.heads));
  if (a.heads % a.kv_heads != 0) {
    r.fail("attention.head_count_kv", "is " + std::to_string(a.kv_heads) + ", which does not divide the " +
                                          std::to_string(a.heads) + " attention heads");
  }
  if (!r.file.has(r.key("attention.key_length")) && a.embedding % a.heads != 0) {
    r.fail("attention.head_count",
           "does not divide the embedding length, and attention.key_length is missing");
  }
  const auto even_share = static_cast<int64_t>(std::max<size_t>(1, a.embedding / a.heads));
  a.head_dim = r.size("attention.key_length", kMostHeadDim, even_share);
  if (r.size("attention.value_length", kMostHeadDim, static_cast<int64_t>(a.head_dim)) != a.head_dim) {
    r.fail("attention.value_length", "differs from attention.key_length, which is not supported");
  }
  a.rope_dims = r.size("rope.dimension_count", kMostHeadDim, static_cast<int64_t>(a.head_dim));
  if (a.rope_dims % 2 != 0 || a.rope_dims > a.head_dim) {
    r.fail("rope.dimension_count", "is " + std::to_string(a.rope_dims) +
                                       "; it must be even and at most the head size " +
                                       std::to_string(a.head_dim));
  }
  a.norm_eps = static_cast<float>(r.number("attention.layer_norm_rms_epsilon", -1, 0, 1));
  if (r.file.integer(r.key("expert_count")).value_or(0) != 0) {
    r.fail("expert_count", "is set: mixtures of experts are not supported yet");
  }
}

RopeKind read_rope(const Reader& r, const Architecture& a) {
  RopeKind rope;
  rope.base = r.number("rope.freq_base", 10000, 1e-3, 1e12);
  const std::string type(r.file.string(r.key("rope.scaling.type")).value_or("linear"));
  double factor = r.number("rope.scaling.factor", 0, 0, 1e6);
  if (factor == 0) factor = r.number("rope.scale_linear", 1, 0, 1e6);  // the older key
  if (factor == 0) factor = 1;
  if (factor < 1e-3) r.fail("rope.scaling.factor", "is out of range: " + std::to_string(factor));
  const double attention = r.number("rope.scaling.attn_factor", 1, 1e-3, 1e3);
  if (type == "none") return rope;
  rope.factor = factor;
  rope.magnitude = attention;
  if (type == "linear" || type == "llama3") return rope;  // llama3's divisors are in the tensor rope_freqs
  if (type != "yarn") {
    r.fail("rope.scaling.type", "is " + quoted(type) + "; supported are none, linear, llama3 and yarn");
  }
  rope.yarn = true;
  rope.original_context = static_cast<double>(
      r.size("rope.scaling.original_context_length", kMostContext, static_cast<int64_t>(a.context)));
  rope.ext_factor = r.number("rope.scaling.yarn_ext_factor", 1, 0, 1);
  rope.beta_fast = r.number("rope.scaling.yarn_beta_fast", 32, 1e-3, 1e6);
  rope.beta_slow = r.number("rope.scaling.yarn_beta_slow", 1, 1e-3, 1e6);
  rope.magnitude *= r.number("rope.scaling.yarn_attn_factor", 1, 1e-3, 1e3);
  const double log_multiplier = r.number("rope.scaling.yarn_log_multiplier", 0, 0, 1e3);
  if (rope.ext_factor != 0 && factor > 1) {
    rope.magnitude *= (1 + 0.1 * std::log(factor)) / (1 + 0.1 * log_multiplier * std::log(factor));
  }
  return rope;
}

size_t read_window(const Reader& r) { return r.size("attention.sliding_window", kMostContext, 512); }

void read_gemma3(const Reader& r, Architecture& a) {
  a.embedding_scale = std::sqrt(static_cast<float>(a.embedding));
  a.activation = Activation::GeluTanh;
  a.qk_norms = true;
  a.post_norms = true;
  const size_t window = read_window(r);
  const size_t period = r.size("attention.sliding_window_pattern", kMostLayers, 6);
  for (size_t layer = 0; layer < a.layers; ++layer)
    a.windows[layer] = layer % period + 1 < period ? window : 0;
  a.local_rope.base = r.number("rope.freq_base_swa", 10000, 1e-3, 1e12);
  a.local_rope.magnitude = r.number("rope.scaling.attn_factor", 1, 1e-3, 1e3);  // YaRN's boost is not theirs
  a.local_rope.divided = false;
  // The 27B model alone scales by the embedding's share of a head.
  constexpr size_t kLayersOf27B = 62;
  const size_t divisor = a.layers == kLayersOf27B ? std::max<size_t>(1, a.embedding / a.heads) : a.head_dim;
  a.attention_scale = 1.0f / std::sqrt(static_cast<float>(divisor));
  a.final_softcap = static_cast<float>(r.number("final_logit_softcapping", 0, 0, 1e6));
}

}  // namespace

Architecture read_architecture(const Gguf& file) {
  refuse_parts(file);
  const auto name = file.string("general.architecture");
  if (!name) throw Error(quoted(file.path()) + ": general.architecture is missing");
  Architecture a;
  a.name = std::string(*name);
  if (a.name != "llama" && a.name != "qwen2" && a.name != "qwen3" && a.name != "gemma3") {
    throw Error(quoted(file.path()) + ": unknown architecture " + quoted(a.name) +
                "; supported are llama, qwen2, qwen3 and gemma3");
  }
  const Reader r{file, a.name};
  read_sizes(r, a);
  a.windows.assign(a.layers, 0);
  a.attention_scale = 1.0f / std::sqrt(static_cast<float>(a.head_dim));
  a.global_rope = read_rope(r, a);
  if (a.name == "llama") {
    a.interleaved_rope = true;
    a.biases_allowed = true;
    // Mistral 7B v0.1 attends to a window in every layer.
    if (file.has(r.key("attention.sliding_window"))) a.windows.assign(a.layers, read_window(r));
    a.local_rope = a.global_rope;
  } else if (a.name == "qwen2") {
    a.qkv_biases = true;
  } else if (a.name == "qwen3") {
    a.qk_norms = true;
  } else {
    read_gemma3(r, a);
  }
  a.attention_scale = static_cast<float>(r.number("attention.scale", a.attention_scale, 1e-6, 1e6));
  return a;
}

std::string RopeKind::text() const {
  char out[256];
  std::snprintf(out, sizeof out,
                "base %.17g factor %.17g yarn %d of %.17g ext %.17g beta %.17g %.17g times %.17g", base,
                factor, yarn ? 1 : 0, original_context, ext_factor, beta_fast, beta_slow, magnitude);
  return out;
}

void check_rope_scaling(const RopeScaling& scaling) {
  const auto check = [](const char* option, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw Error(std::string(option) + " must be between " + std::to_string(least) + " and " +
                  std::to_string(most) + ", not " + std::to_string(value));
    }
  };
  if (scaling.frequency_scale != 0) check("--rope-freq-scale", scaling.frequency_scale, 1e-6, 1);
  check("--yarn-orig-ctx", scaling.original_context, 0, static_cast<double>(kMostContext));
  check("--yarn-ext-factor", scaling.ext_factor, 0, 1);
  check("--yarn-attn-factor", scaling.attention_factor, 1e-3, 1e3);
  check("--yarn-beta-fast", scaling.beta_fast, 1e-3, 1e6);
  check("--yarn-beta-slow", scaling.beta_slow, 1e-3, 1e6);
}

size_t reachable_context(const Architecture& a, const RopeScaling& scaling) {
  if (scaling.kind == RopeScaling::Kind::None) return a.context;
  if (scaling.frequency_scale == 0) return static_cast<size_t>(kMostContext);
  const double reach = static_cast<double>(a.context) / scaling.frequency_scale;
  return static_cast<size_t>(std::clamp(reach + 0.5, 0.0, static_cast<double>(kMostContext)));
}

void scale_rope(Architecture& a, const RopeScaling& scaling, size_t context) {
  RopeKind& rope = a.global_rope;
  RopeKind scaled;
  scaled.base = rope.base;
  scaled.divided = rope.divided;
  if (scaling.kind != RopeScaling::Kind::None) {
    const double needed = std::max(1.0, static_cast<double>(context) / static_cast<double>(a.context));
    scaled.factor = scaling.frequency_scale == 0 ? needed : 1 / scaling.frequency_scale;
    scaled.magnitude = scaling.attention_factor;
  }
  if (scaling.kind == RopeScaling::Kind::Yarn) {
    scaled.yarn = true;
    scaled.original_context =
        scaling.original_context == 0 ? static_cast<double>(a.context) : scaling.original_context;
    scaled.ext_factor = scaling.ext_factor;
    scaled.beta_fast = scaling.beta_fast;
    scaled.beta_slow = scaling.beta_slow;
    if (scaling.ext_factor != 0) scaled.magnitude *= 1 + 0.1 * std::log(scaled.factor);
  }
  rope = scaled;
}

Rope::Rope(const RopeKind& kind, size_t dims, const std::vector<float>& divisors)
    : magnitude_(kind.magnitude) {
  const auto n = static_cast<double>(dims);
  // The pair whose wave turns `turns` times within the original context.
  const auto pair_turning = [&](double turns) {
    return n * std::log(kind.original_context / (turns * 2 * kPi)) / (2 * std::log(kind.base));
  };
  double low = 0, high = 0;
  if (kind.yarn) {
    low = std::max(0.0, std::floor(pair_turning(kind.beta_fast)));
    high = std::min(n - 1, std::ceil(pair_turning(kind.beta_slow)));
  }
  for (size_t i = 0; i < dims / 2; ++i) {
    const auto pair = static_cast<double>(i);
    double plain = std::pow(kind.base, -2 * pair / n);
    if (kind.divided && !divisors.empty()) plain /= static_cast<double>(divisors[i]);
    double frequency = plain / kind.factor;
    if (kind.yarn) {
      const double ramp = 1 - std::clamp((pair - low) / std::max(0.001, high - low), 0.0, 1.0);
      frequency += (plain - frequency) * ramp * kind.ext_factor;
    }
    frequencies_.push_back(frequency);
  }
}

void Rope::angles(size_t position, float* cos, float* sin) const {
  for (size_t i = 0; i < frequencies_.size(); ++i) {
    const double angle = static_cast<double>(position) * frequencies_[i];
    cos[i] = static_cast<float>(std::cos(angle) * magnitude_);
    sin[i] = static_cast<float>(std::sin(angle) * magnitude_);
  }
}

}  // namespace longleaf

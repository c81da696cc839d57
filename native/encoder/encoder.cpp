#include "encoder/encoder.h"

#include <algorithm>
#include <numeric>

#include "error.h"
#include "gguf/text.h"
#include "kernels/kernels.h"

namespace longleaf {
namespace {

struct Set {
  const char* name;
  std::unique_ptr<EncoderBody> (*make)(const EncoderWeights&, int);
};

// Of the kernel set of that name, which this machine runs. Here sums are of integers on tiles too.
Set choose(const std::string& isa) {
  const std::vector<std::string> sets = kernel_set_names();
  const bool tiles = isa.empty() && std::find(sets.begin(), sets.end(), "amx") != sets.end();
  const std::string name = tiles ? "amx" : kernel_set(isa).name;
  if (name == "amx") return {"amx", amx_encoder};
  if (name == "amx-emulated") return {"amx-emulated", amx_emulated_encoder};
  if (name == "avx512") return {"avx512", avx512_encoder};
  if (name == "avx512bw" || name == "avx2") return {"avx2", avx2_encoder};
  return {"scalar", scalar_encoder};
}

void check(const LinearWeights& linear, size_t in, size_t out, const char* what) {
  if (linear.in != in || linear.out != out || in % 64 != 0 || out % 64 != 0 || in > 8192) {
    throw Error(std::string("the encoder's ") + what + " has " + std::to_string(linear.in) + " x " +
                std::to_string(linear.out) + " weights, which does not fit");
  }
}

std::unique_ptr<EncoderBody> make_body(const EncoderWeights& weights, int threads, const Set& set) {
  if (weights.layers.empty() || weights.heads == 0 || weights.width % weights.heads != 0 ||
      (weights.width / weights.heads != 32 && weights.width / weights.heads != 64) || weights.n_vocab == 0 ||
      weights.n_positions == 0 || weights.n_positions > 8192) {
    throw Error("the encoder's sizes make no sense");
  }
  const size_t width = weights.width, inner = weights.layers.front().up.out;
  for (const EncoderLayerWeights& layer : weights.layers) {
    check(layer.query, width, width, "query");
    check(layer.key, width, width, "key");
    check(layer.value, width, width, "value");
    check(layer.attention_out, width, width, "attention output");
    check(layer.up, width, inner, "first feed-forward");
    check(layer.down, inner, width, "second feed-forward");
  }
  return set.make(weights, threads);
}

}  // namespace

Encoder::Encoder(const EncoderWeights& weights, int threads, const std::string& isa)
    : body_(make_body(weights, threads, choose(isa))), isa_(choose(isa).name), pool_(threads) {}

Encoder::~Encoder() = default;

size_t Encoder::width() const { return body_->width(); }
size_t Encoder::n_positions() const { return body_->n_positions(); }

void Encoder::encode(const std::vector<std::vector<int32_t>>& texts, float* out) {
  for (const std::vector<int32_t>& ids : texts) {
    if (ids.empty() || ids.size() > body_->n_positions()) {
      throw Error("a text of " + std::to_string(ids.size()) + " tokens cannot be embedded; 1 to " +
                  std::to_string(body_->n_positions()) + " can");
    }
    for (const int32_t id : ids) {
      if (id < 0 || static_cast<size_t>(id) >= body_->n_vocab()) {
        throw Error("token " + std::to_string(id) + " is out of range");
      }
    }
  }
  const size_t width = body_->width();
  std::lock_guard lock(turn_);
  // The longest first, so that no thread starts one when the others are done.
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return texts[a].size() > texts[b].size(); });
  pool_.run(texts.size(), [&](size_t unit, int thread) {
    const std::vector<int32_t>& ids = texts[order[unit]];
    body_->encode(ids.data(), ids.size(), thread, out + order[unit] * width);
  });
}

}  // namespace longleaf

// The encoder on small random weights: every set against a model of it in double, whole and neighbourless.
#include "encoder/encoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "error.h"
#include "kernels/kernels.h"

namespace longleaf::test {
namespace {

constexpr size_t kVocab = 50, kPositions = 150;

struct Sizes {
  size_t width, heads, inner;
};

// Weights, and what they are worth, of some layers.
class RandomEncoder {
 public:
  RandomEncoder(const Sizes& sizes, size_t layers, uint64_t seed) : sizes_(sizes), random_(seed) {
    weights_.n_vocab = kVocab;
    weights_.n_positions = kPositions;
    weights_.width = sizes.width;
    weights_.heads = sizes.heads;
    weights_.epsilon = 1e-12f;
    weights_.words = bytes(kVocab * sizes.width);
    weights_.word_scales = floats(kVocab, 0.01f, 0.02f);
    weights_.positions = floats(kPositions * sizes.width, -0.3f, 0.3f);
    weights_.norm = norm();
    for (size_t i = 0; i < layers; ++i) {
      const size_t w = sizes.width;
      weights_.layers.push_back({linear(w, w), linear(w, w), linear(w, w), linear(w, w),
                                 linear(w, sizes.inner), linear(sizes.inner, w), norm(), norm()});
    }
  }

  const EncoderWeights& weights() const { return weights_; }

  std::vector<int32_t> text(size_t length) {
    std::vector<int32_t> ids(length);
    for (int32_t& id : ids) id = static_cast<int32_t>(random_.below(kVocab));
    return ids;
  }

  std::vector<double> exact(const std::vector<int32_t>& ids) const {
    const size_t width = sizes_.width, rows = ids.size(), dim = width / sizes_.heads;
    std::vector<double> x(rows * width);
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t id = static_cast<size_t>(ids[i / width]), column = i % width;
      x[i] = static_cast<double>(weights_.words[id * width + column]) * weights_.word_scales[id] +
             weights_.positions[i];
    }
    x = normed(x, {}, weights_.norm);
    for (const EncoderLayerWeights& layer : weights_.layers) {
      const std::vector<double> q = product(x, layer.query), k = product(x, layer.key),
                                v = product(x, layer.value);
      std::vector<double> mixed(rows * width), weight(rows);
      for (size_t head = 0; head < sizes_.heads; ++head) {
        for (size_t row = 0; row < rows; ++row) {
          double sum = 0;
          for (size_t key = 0; key < rows; ++key) {
            double score = 0;
            for (size_t d = head * dim; d < (head + 1) * dim; ++d)
              score += q[row * width + d] * k[key * width + d];
            sum += weight[key] = std::exp(score / std::sqrt(static_cast<double>(dim)));
          }
          for (size_t d = head * dim; d < (head + 1) * dim; ++d) {
            for (size_t key = 0; key < rows; ++key)
              mixed[row * width + d] += weight[key] / sum * v[key * width + d];
          }
        }
      }
      x = normed(x, product(mixed, layer.attention_out), layer.attention_norm);
      std::vector<double> inner = product(x, layer.up);
      for (double& value : inner) value *= 0.5 * (1 + std::erf(value / std::sqrt(2.0)));
      x = normed(x, product(inner, layer.down), layer.out_norm);
    }
    std::vector<double> mean(width);
    double length = 0;
    for (size_t i = 0; i < x.size(); ++i) mean[i % width] += x[i];
    for (const double value : mean) length += value * value;
    for (double& value : mean) value /= std::sqrt(length);
    return mean;
  }

 private:
  const int8_t* bytes(size_t n) {
    std::vector<int8_t>& kept = bytes_.emplace_back(n);
    for (int8_t& value : kept) value = static_cast<int8_t>(static_cast<int>(random_.below(255)) - 127);
    return kept.data();
  }
  const float* floats(size_t n, float low, float high) {
    std::vector<float>& kept = floats_.emplace_back(n);
    for (float& value : kept) value = low + (high - low) * random_.real();
    return kept.data();
  }
  NormWeights norm() { return {floats(sizes_.width, 0.7f, 1.3f), floats(sizes_.width, -0.1f, 0.1f)}; }
  LinearWeights linear(size_t in, size_t out) {
    const float size = 0.012f / std::sqrt(static_cast<float>(in));
    return {in, out, bytes(in * out), floats(out, size, 2 * size), floats(out, -0.1f, 0.1f)};
  }

  static std::vector<double> product(const std::vector<double>& x, const LinearWeights& w) {
    std::vector<double> y(x.size() / w.in * w.out);
    for (size_t row = 0; row < x.size() / w.in; ++row) {
      for (size_t n = 0; n < w.out; ++n) {
        double sum = 0;
        for (size_t k = 0; k < w.in; ++k) sum += x[row * w.in + k] * w.weight[k * w.out + n];
        y[row * w.out + n] = sum * w.scale[n] + w.bias[n];
      }
    }
    return y;
  }

  std::vector<double> normed(std::vector<double> x, const std::vector<double>& y,
                             const NormWeights& norm) const {
    const size_t width = sizes_.width;
    for (size_t i = 0; i < y.size(); ++i) x[i] += y[i];
    for (size_t row = 0; row < x.size() / width; ++row) {
      double* values = x.data() + row * width;
      double mean = 0, squares = 0;
      for (size_t i = 0; i < width; ++i) mean += values[i] / static_cast<double>(width);
      for (size_t i = 0; i < width; ++i) squares += (values[i] - mean) * (values[i] - mean);
      const double deviation = std::sqrt(squares / static_cast<double>(width) + weights_.epsilon);
      for (size_t i = 0; i < width; ++i) {
        values[i] = (values[i] - mean) / deviation * norm.weight[i] + norm.bias[i];
      }
    }
    return x;
  }

  Sizes sizes_;
  Random random_;
  EncoderWeights weights_;
  std::vector<std::vector<int8_t>> bytes_;
  std::vector<std::vector<float>> floats_;
};

bool equal(const float* a, const float* b, size_t n) { return std::memcmp(a, b, n * sizeof(float)) == 0; }

void check_sizes(const Sizes& sizes, const std::vector<std::string>& sets) {
  RandomEncoder model(sizes, 2, sizes.width);
  std::vector<std::vector<int32_t>> texts;
  for (const size_t length : {1, 2, 5, 6, 7, 15, 16, 17, 31, 64, 65, 130, 150})
    texts.push_back(model.text(length));
  const size_t width = sizes.width;
  std::vector<float> of_vectors;  // what avx512 says, to which tiles are equal
  for (const std::string& set : sets) {
    Encoder encoder(model.weights(), 2, set);
    const std::string what = std::string(encoder.isa()) + " width " + std::to_string(width);
    std::vector<float> together(texts.size() * width), alone(width);
    encoder.encode(texts, together.data());
    for (size_t i = 0; i < texts.size(); ++i) {
      const std::vector<double> exact = model.exact(texts[i]);
      double cosine = 0;
      for (size_t d = 0; d < width; ++d) cosine += exact[d] * together[i * width + d];
      check(cosine > 1 - 1e-3 && cosine < 1 + 1e-5,
            what + " tokens " + std::to_string(texts[i].size()) + " cosine " + std::to_string(cosine));
      encoder.encode({texts[i]}, alone.data());
      check(equal(alone.data(), together.data() + i * width, width), what + " alone");
    }
    if (set == "avx512") of_vectors = together;
    if (set.rfind("amx", 0) == 0)
      check(equal(together.data(), of_vectors.data(), together.size()), what + " tiles");
  }
}

template <class Do>
void check_refused(Do&& act, const std::string& what) {
  bool refused = false;
  try {
    act();
  } catch (const Error&) {
    refused = true;
  }
  check(refused, what);
}

}  // namespace

void test_encoder() {
  // The last, best, first: tiles are compared with what went before.
  std::vector<std::string> sets = kernel_set_names();
  std::reverse(sets.begin(), sets.end());
  if (std::find(sets.begin(), sets.end(), "avx512") != sets.end()) sets.push_back("amx-emulated");
  check_sizes({64, 2, 128}, sets);
  check_sizes({128, 2, 192}, sets);  // heads of 64
  RandomEncoder model({64, 2, 128}, 1, 1);
  Encoder encoder(model.weights(), 1, "");
  std::vector<float> out(64);
  check_refused([&] { encoder.encode({{}}, out.data()); }, "an empty text is refused");
  check_refused([&] { encoder.encode({model.text(kPositions + 1)}, out.data()); }, "a long text is refused");
  check_refused([&] { encoder.encode({{static_cast<int32_t>(kVocab)}}, out.data()); }, "an id is refused");
  EncoderWeights wrong = model.weights();
  wrong.heads = 4;
  check_refused([&] { Encoder(wrong, 1, ""); }, "heads of 16 are refused");
  check_refused([&] { Encoder(model.weights(), 1, "none"); }, "an unknown set is refused");
}

}  // namespace longleaf::test

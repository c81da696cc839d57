// A bidirectional BERT encoder for text embeddings: int8 weights, activations rounded to 8 bits a row.
//
// The weights are kept as their file has them (int8 with one scale an output). The inputs of each product are
// rounded to 8 bits with a scale and a least value of their own row, and so are queries, keys, values and the
// weights of the values, of each head: all products are exact sums of integers. The cosine to the model run
// in f32 is in docs/retrieval.md. Everything else is f32. A text is computed by one thread without padding,
// so its vector depends neither on the texts beside it nor on the thread count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/threads.h"

namespace longleaf {

// y = x . weight + bias; weight is int8 [in][out], times `scale` of each output.
struct LinearWeights {
  size_t in = 0, out = 0;
  const int8_t* weight = nullptr;
  const float* scale = nullptr;
  const float* bias = nullptr;
};

struct NormWeights {
  const float* weight = nullptr;
  const float* bias = nullptr;
};

struct EncoderLayerWeights {
  LinearWeights query, key, value, attention_out, up, down;
  NormWeights attention_norm, out_norm;
};

// Pointers into memory of the caller; the encoder copies what it keeps.
struct EncoderWeights {
  size_t n_vocab = 0, n_positions = 0, width = 0, heads = 0;
  float epsilon = 0;
  const int8_t* words = nullptr;       // [n_vocab][width]
  const float* word_scales = nullptr;  // [n_vocab]
  const float* positions = nullptr;    // [n_positions][width], the token type's row added
  NormWeights norm;
  std::vector<EncoderLayerWeights> layers;
};

class EncoderBody;

class Encoder {
 public:
  // Throws Error if a size does not fit. `isa`: a name of a kernel set, or empty for the best this machine
  // runs.
  Encoder(const EncoderWeights& weights, int threads, const std::string& isa);
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  size_t width() const;
  size_t n_positions() const;
  const char* isa() const { return isa_; }

  // out[text][width]: the mean over the tokens of the last layer, of unit length. Throws Error for a text
  // that is empty or longer than n_positions, or an id out of range. Callers take turns.
  void encode(const std::vector<std::vector<int32_t>>& texts, float* out);

 private:
  std::unique_ptr<EncoderBody> body_;
  const char* isa_;
  std::mutex turn_;
  ThreadPool pool_;
};

// What an instruction set brings: the products of u8 rows with packed int8 columns, and the rest of a layer.
class EncoderBody {
 public:
  virtual ~EncoderBody() = default;
  virtual size_t width() const = 0;
  virtual size_t n_positions() const = 0;
  virtual size_t n_vocab() const = 0;
  virtual void encode(const int32_t* ids, size_t count, int thread, float* out) = 0;
};

std::unique_ptr<EncoderBody> scalar_encoder(const EncoderWeights& weights, int threads);
// nullptr where the target cannot build it.
std::unique_ptr<EncoderBody> avx2_encoder(const EncoderWeights& weights, int threads);
std::unique_ptr<EncoderBody> avx512_encoder(const EncoderWeights& weights, int threads);
std::unique_ptr<EncoderBody> amx_encoder(const EncoderWeights& weights, int threads);
std::unique_ptr<EncoderBody> amx_emulated_encoder(const EncoderWeights& weights, int threads);

}  // namespace longleaf

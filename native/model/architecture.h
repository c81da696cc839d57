// What a forward pass must know of a model family, read from the metadata of a file and checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gguf/gguf.h"
#include "kv/page_format.h"

namespace longleaf {

enum class Activation { Silu, GeluTanh };

// Rotary embedding of one kind of layer. Scaling as defined by llama.cpp's metadata: angle of pair i at
// position p is p * base^(-2 i / dims) / divisor_i, blended by YaRN's ramp, cosines and sines times
// `magnitude`.
struct RopeKind {
  double base = 10000;
  double factor = 1;  // positions are divided by it (linear), or blended (YaRN)
  bool yarn = false;
  double original_context = 0;
  double ext_factor = 0;
  double beta_fast = 32;
  double beta_slow = 1;
  double magnitude = 1;
  bool divided = true;  // by the tensor rope_freqs, where there is one

  std::string text() const;
};

struct Architecture {
  std::string name;
  size_t layers = 0;
  size_t context = 0;  // tokens it was trained for
  size_t embedding = 0;
  size_t feed_forward = 0;
  size_t heads = 0;
  size_t kv_heads = 0;
  size_t head_dim = 0;
  size_t rope_dims = 0;
  float norm_eps = 0;
  float attention_scale = 0;
  float embedding_scale = 1;
  float final_softcap = 0;  // 0: none
  Activation activation = Activation::Silu;
  bool interleaved_rope =
      false;  // pairs (2i, 2i+1) in the file; kernels rotate (i, i + half), rows are moved at load
  bool qk_norms = false;
  bool post_norms = false;  // a norm after attention and after the feed-forward, before the residual
  bool qkv_biases = false;  // required; others may have them
  bool biases_allowed = false;
  RopeKind global_rope;
  RopeKind local_rope;
  std::vector<size_t> windows;  // of every layer; 0: all keys

  bool local(size_t layer) const { return windows[layer] != 0; }
};

// A wish of the user, in the place of what the file says. Named after llama.cpp's options.
struct RopeScaling {
  enum class Kind { None, Linear, Yarn };
  Kind kind = Kind::None;
  double frequency_scale = 0;   // 1 / factor; 0: as much as the context asks for
  double original_context = 0;  // YaRN; 0: what the model was trained for
  double ext_factor = 1;
  double attention_factor = 1;
  double beta_fast = 32;
  double beta_slow = 1;
};

// Throws Error naming the option that is out of range.
void check_rope_scaling(const RopeScaling& scaling);

// Tokens that positions can be stretched to.
size_t reachable_context(const Architecture& architecture, const RopeScaling& scaling);

// Stretches the positions of layers that see all keys; those of a window never look far.
void scale_rope(Architecture& architecture, const RopeScaling& scaling, size_t context);

// Throws Error naming the key and the file when a value is missing, of the wrong type or out of range, or
// when the architecture is none of those we run.
Architecture read_architecture(const Gguf& file);

// Turns positions into cosines and sines.
class Rope {
 public:
  Rope() = default;
  // divisors: one for every pair, or none (from rope_freqs.weight)
  Rope(const RopeKind& kind, size_t dims, const std::vector<float>& divisors);
  size_t half() const { return frequencies_.size(); }
  double frequency(size_t pair) const { return frequencies_[pair]; }  // radians a position
  void angles(size_t position, float* cos, float* sin) const;

 private:
  std::vector<double> frequencies_;
  double magnitude_ = 1;
};

}  // namespace longleaf

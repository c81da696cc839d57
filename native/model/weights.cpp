#include "model/weights.h"

#include <cmath>
#include <cstring>
#include <string>
#include <unordered_set>

#include "error.h"
#include "gguf/text.h"
#include "kernels/pack.h"
#include "quant/quant.h"
#include "runtime/placement.h"

namespace longleaf {
namespace {

std::string shape_text(const TensorInfo& t) {
  std::string text;
  for (int i = 0; i < t.n_dims; ++i)
    text += (i == 0 ? "" : " x ") + std::to_string(t.shape[static_cast<size_t>(i)]);
  return text;
}

class Loader {
 public:
  Loader(const Gguf& file, const Architecture& a, ThreadPool& pool, size_t copies)
      : file_(file), a_(a), pool_(pool), copies_(copies) {}

  Weights load() {
    Weights w;
    w.copies = copies_;
    w.vocabulary = vocabulary();
    w.embedding = matrix("token_embd.weight", w.vocabulary, a_.embedding);
    w.output_norm = vector("output_norm.weight", a_.embedding);
    if (file_.find_tensor("output.weight") != nullptr) {
      w.head = matrix("output.weight", w.vocabulary, a_.embedding);
    }
    if (file_.find_tensor("rope_freqs.weight") != nullptr) {
      w.rope_divisors = vector("rope_freqs.weight", a_.rope_dims / 2);
      for (float divisor : w.rope_divisors) {
        if (!(divisor > 0) || !std::isfinite(divisor)) {
          throw Error(quoted(file_.path()) + ": rope_freqs.weight has a value that is not positive");
        }
      }
    }
    w.layers.resize(a_.layers);
    for (size_t i = 0; i < a_.layers; ++i) layer("blk." + std::to_string(i) + ".", w.layers[i]);
    for (const TensorInfo& t : file_.tensors()) {
      if (used_.count(t.name) == 0) {
        throw Error(quoted(file_.path()) + ": unexpected tensor " + quoted(t.name) + " for architecture " +
                    a_.name);
      }
    }
    return w;
  }

 private:
  const TensorInfo& find(const std::string& name) {
    const TensorInfo* t = file_.find_tensor(name);
    if (t == nullptr) throw Error(quoted(file_.path()) + ": tensor \"" + name + "\" is missing");
    used_.insert(name);
    return *t;
  }

  size_t vocabulary() {
    const TensorInfo& t = find("token_embd.weight");
    if (t.n_dims != 2 || t.shape[1] < 1 || t.shape[1] > (1u << 28)) {
      throw Error(quoted(file_.path()) + ": tensor \"token_embd.weight\" has shape " + shape_text(t) +
                  "; expected embedding length x vocabulary");
    }
    return t.shape[1];
  }

  std::vector<float> vector(const std::string& name, size_t n) {
    const TensorInfo& t = find(name);
    if (t.shape[0] != n || t.shape[1] != 1 || t.shape[2] != 1 || t.shape[3] != 1) {
      throw Error(quoted(file_.path()) + ": tensor \"" + name + "\" has shape " + shape_text(t) +
                  "; expected " + std::to_string(n));
    }
    std::vector<float> out(n);
    dequantize(t.type, t.data, out.data(), n);
    return out;
  }

  std::vector<float> optional_vector(const std::string& name, size_t n, bool required, bool allowed) {
    if (!required && (!allowed || file_.find_tensor(name) == nullptr)) return {};
    return vector(name, n);
  }

  // rows outputs of cols inputs. head_rows > 0: the rows are heads of that many rows, to be put in rotation
  // order.
  Matrix matrix(const std::string& name, size_t rows, size_t cols, size_t head_rows = 0) {
    const TensorInfo& t = find(name);
    if (t.shape[0] != cols || t.shape[1] != rows || t.shape[2] != 1 || t.shape[3] != 1) {
      throw Error(quoted(file_.path()) + ": tensor \"" + name + "\" has shape " + shape_text(t) +
                  "; expected " + std::to_string(cols) + " x " + std::to_string(rows));
    }
    if (cols % packed_column_step(t.type) != 0) {
      throw Error(quoted(file_.path()) + ": tensor \"" + name + "\" has rows of " + std::to_string(cols) +
                  ", which its type " + block_format(static_cast<uint32_t>(t.type))->name + " cannot hold");
    }
    const std::vector<uint32_t> map =
        head_rows == 0 ? std::vector<uint32_t>{} : rotation_order(rows, head_rows);
    Matrix m;
    m.view.format = packed_format(t.type);
    m.view.rows = rows;
    m.view.cols = cols;
    m.view.block_bytes = packed_block_bytes(m.view.format, cols);
    m.memory = memory_in_copies(copies_, m.view.bytes());
    m.view.data = m.memory.data();
    if (copies_ > 1) m.view.copy_bytes = m.memory.size() / copies_;
    pool_.run(m.view.blocks(), [&](size_t block, int) {
      std::byte* const packed = m.memory.data() + block * m.view.block_bytes;
      pack_block(t.type, t.data, rows, cols, map.empty() ? nullptr : map.data(), block, packed);
      for (size_t copy = 1; copy < copies_; ++copy) {
        std::memcpy(packed + copy * m.view.copy_bytes, packed, m.view.block_bytes);
      }
    });
    release_mapping(t.data, t.n_bytes);
    return m;
  }

  // The file has rotated pairs side by side (2i, 2i + 1); the kernels want (i, i + half).
  std::vector<uint32_t> rotation_order(size_t rows, size_t head_rows) const {
    std::vector<uint32_t> map(rows);
    const size_t half = a_.rope_dims / 2;
    for (size_t row = 0; row < rows; ++row) {
      const size_t in_head = row % head_rows;
      size_t from = in_head;
      if (in_head < half) {
        from = 2 * in_head;
      } else if (in_head < 2 * half) {
        from = 2 * (in_head - half) + 1;
      }
      map[row] = static_cast<uint32_t>(row - in_head + from);
    }
    return map;
  }

  void layer(const std::string& prefix, Layer& l) {
    const size_t q = a_.heads * a_.head_dim;
    const size_t kv = a_.kv_heads * a_.head_dim;
    const size_t rotated = a_.interleaved_rope ? a_.head_dim : 0;
    l.attention_norm = vector(prefix + "attn_norm.weight", a_.embedding);
    l.q = matrix(prefix + "attn_q.weight", q, a_.embedding, rotated);
    l.k = matrix(prefix + "attn_k.weight", kv, a_.embedding, rotated);
    l.v = matrix(prefix + "attn_v.weight", kv, a_.embedding);
    l.o = matrix(prefix + "attn_output.weight", a_.embedding, q);
    l.q_bias = rotated_bias(prefix + "attn_q.bias", q);
    l.k_bias = rotated_bias(prefix + "attn_k.bias", kv);
    l.v_bias = optional_vector(prefix + "attn_v.bias", kv, a_.qkv_biases, a_.biases_allowed);
    l.o_bias = optional_vector(prefix + "attn_output.bias", a_.embedding, false, a_.biases_allowed);
    if (a_.qk_norms) {
      l.q_norm = vector(prefix + "attn_q_norm.weight", a_.head_dim);
      l.k_norm = vector(prefix + "attn_k_norm.weight", a_.head_dim);
    }
    if (a_.post_norms) {
      l.post_attention_norm = vector(prefix + "post_attention_norm.weight", a_.embedding);
      l.post_feed_forward_norm = vector(prefix + "post_ffw_norm.weight", a_.embedding);
    }
    l.feed_forward_norm = vector(prefix + "ffn_norm.weight", a_.embedding);
    l.gate = matrix(prefix + "ffn_gate.weight", a_.feed_forward, a_.embedding);
    l.up = matrix(prefix + "ffn_up.weight", a_.feed_forward, a_.embedding);
    l.down = matrix(prefix + "ffn_down.weight", a_.embedding, a_.feed_forward);
    l.gate_bias = optional_vector(prefix + "ffn_gate.bias", a_.feed_forward, false, a_.biases_allowed);
    l.up_bias = optional_vector(prefix + "ffn_up.bias", a_.feed_forward, false, a_.biases_allowed);
    l.down_bias = optional_vector(prefix + "ffn_down.bias", a_.embedding, false, a_.biases_allowed);
  }

  std::vector<float> rotated_bias(const std::string& name, size_t n) {
    std::vector<float> bias = optional_vector(name, n, a_.qkv_biases, a_.biases_allowed);
    if (bias.empty() || !a_.interleaved_rope) return bias;
    const std::vector<uint32_t> map = rotation_order(n, a_.head_dim);
    std::vector<float> moved(n);
    for (size_t i = 0; i < n; ++i) moved[i] = bias[map[i]];
    return moved;
  }

  const Gguf& file_;
  const Architecture& a_;
  ThreadPool& pool_;
  size_t copies_;
  std::unordered_set<std::string> used_;
};

template <class Body>
void each_matrix(const Weights& w, Body&& body) {
  body(w.embedding);
  body(w.head);
  for (const Layer& l : w.layers) {
    for (const Matrix* m : {&l.q, &l.k, &l.v, &l.o, &l.gate, &l.up, &l.down}) body(*m);
  }
}

}  // namespace

size_t Weights::bytes() const {
  size_t total = 0;
  each_matrix(*this, [&](const Matrix& m) { total += m.memory.size(); });
  return total;
}

std::vector<std::vector<const std::byte*>> Weights::sample() const {
  constexpr size_t kPlaces = 7;
  std::vector<std::vector<const std::byte*>> addresses(copies);
  each_matrix(*this, [&](const Matrix& m) {
    const size_t bytes = m.memory.size() / copies;
    for (size_t copy = 0; bytes != 0 && copy < copies; ++copy) {
      for (size_t i = 0; i < kPlaces; ++i)
        addresses[copy].push_back(m.memory.data() + copy * bytes + bytes * (2 * i + 1) / (2 * kPlaces));
    }
  });
  return addresses;
}

Weights load_weights(const Gguf& file, const Architecture& architecture, ThreadPool& pool, size_t copies) {
  return Loader(file, architecture, pool, copies).load();
}

}  // namespace longleaf

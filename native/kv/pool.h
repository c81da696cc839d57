// The KV cache: one pool of fixed pages under a hard budget, block tables, copy-on-write forks.
//
// A page holds the keys and values of 64 consecutive tokens in one layer, laid out as the tiles that
// Kernels::gemm eats. For every KV head:
//   keys    4 panels of 16 tokens, each [head_dim][16 tokens]
//   values  head_dim / 16 panels (rounded up), each [64 tokens][16]
// Elements are f16, or float by option. Positions are counted from the start of the sequence and page i of a
// sequence always holds positions [64 i, 64 i + 64), so block borders, and with them results, do not depend
// on how a sequence was built. A page with more than one owner is never written: the writer takes a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "error.h"
#include "runtime/memory.h"

namespace longleaf {

constexpr size_t kPageTokens = 64;

// No page is left: not a fault of the input. The caller may free sequences and try again.
struct KvFull : Error {
  using Error::Error;
};

enum class KvType { F16, F32 };

struct KvLayout {
  size_t layers;
  size_t kv_heads;
  size_t head_dim;
  KvType type;

  size_t element_bytes() const { return type == KvType::F32 ? 4 : 2; }
  size_t value_panels() const { return (head_dim + 15) / 16; }
  size_t key_elements() const { return kPageTokens * head_dim; }  // of one head
  size_t value_elements() const { return kPageTokens * value_panels() * 16; }
  size_t head_elements() const { return key_elements() + value_elements(); }
  size_t page_bytes() const { return kv_heads * head_elements() * element_bytes(); }
};

class KvPool {
 public:
  KvPool(const KvLayout& layout, size_t budget_bytes);

  const KvLayout& layout() const { return layout_; }
  size_t budget_pages() const { return references_.size(); }
  size_t free_pages() const { return free_.size() + references_.size() - touched_; }

  int64_t create();
  int64_t fork(int64_t sequence);  // shares all pages
  void truncate(int64_t sequence, size_t tokens);
  void release(int64_t sequence);
  size_t length(int64_t sequence) const;

  // Pages that appending `tokens` takes, copies of shared pages included.
  size_t pages_to_append(int64_t sequence, size_t tokens) const;
  // Makes room for `tokens` more, all layers, without changing the length; throws Error when the pool is too
  // small, and then nothing has changed.
  void reserve(int64_t sequence, size_t tokens);
  // Counts tokens whose keys and values have been written.
  void commit(int64_t sequence, size_t tokens);

  // Page `index` of a layer of a sequence.
  std::byte* page(int64_t sequence, size_t layer, size_t index) const;
  // The block table of a layer: page numbers; page_at turns one into its memory.
  const std::vector<uint32_t>& table(int64_t sequence, size_t layer) const;
  std::byte* page_at(uint32_t page) const { return memory_.data() + static_cast<size_t>(page) * page_bytes_; }

 private:
  struct Sequence {
    size_t length = 0;
    std::vector<std::vector<uint32_t>> tables;  // [layer][block]
  };
  const Sequence& find(int64_t sequence) const;
  Sequence& find(int64_t sequence);
  uint32_t take();
  void drop(uint32_t page);

  KvLayout layout_;
  size_t page_bytes_;
  Memory memory_;
  std::vector<uint32_t> references_;
  std::vector<uint32_t> free_;  // pages used before and given back
  size_t touched_ = 0;          // pages [0, touched_) have been used at least once
  std::unordered_map<int64_t, Sequence> sequences_;
  int64_t next_id_ = 0;
};

}  // namespace longleaf

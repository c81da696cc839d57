// The KV cache: one pool of fixed pages under a hard budget, block tables, copy-on-write forks.
//
// A page holds the keys and values of 64 consecutive tokens in one layer: for every KV head its keys and then
// its values, as kv/page_format.h says. Positions are counted from the start of the sequence and page i of a
// sequence always holds positions [64 i, 64 i + 64), so block borders, and with them results, do not depend
// on how a sequence was built. A page with more than one owner is never written: the writer takes a copy.
//
// A windowed layer gives pages back that no later row can see, but keeps kSlackPages more, so that the last
// tokens can be taken back. A fork owns its pages itself: kept at a branch point it keeps the window there.
//
// Over homes (runtime/placement.h) pages are spread by their heads: head h lies on home h mod homes. If the
// heads do not go evenly into the homes there are as many groups of pages as homes, and in group g head h
// lies on home (h + g) mod homes. A sequence's segments, of kSegmentPages blocks, take the groups in turn, so
// that the homes share the work on one long sequence even where a layer has a single head. A group without
// free pages gives way to another: where a page lies never changes a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "error.h"
#include "kv/page_format.h"
#include "runtime/memory.h"
#include "runtime/placement.h"

namespace longleaf {

constexpr size_t kSlackPages = 1;
constexpr size_t kSegmentPages = 16;  // attention takes so many through together (attention/attention.h)

// No page is left: not a fault of the input. The caller may free sequences and try again.
struct KvFull : Error {
  using Error::Error;
};

struct KvLayout {
  size_t kv_heads;
  size_t head_dim;
  KvType key_type;
  KvType value_type;
  std::vector<size_t> windows;  // of every layer, in tokens; 0: all keys
  size_t pass_tokens;           // most tokens that are appended to a sequence between two commits
  bool integers = false;        // attention multiplies integers (attention/tiles.h)

  size_t layers() const { return windows.size(); }
  KvPart keys() const { return {key_type, true, head_dim, integers}; }
  KvPart values() const { return {value_type, false, head_dim, integers}; }
  size_t head_bytes() const { return keys().bytes() + values().bytes(); }
  size_t page_bytes() const { return kv_heads * head_bytes(); }
  // Most pages that one layer of a sequence of `tokens` holds at any time while it is built.
  size_t most_pages(size_t layer, size_t tokens) const;
  size_t bytes_needed(size_t tokens) const;  // the same in all layers
};

// A page outside the pool: block `block` (positions [64 block, 64 block + 64)) of a layer.
struct KvPage {
  size_t layer;
  size_t block;
  const std::byte* data;
  size_t bytes;
};

// Pages in use, by kind of layer; a page that several sequences share counts once.
struct KvUse {
  size_t global_pages = 0;
  size_t window_pages = 0;
  size_t sequences = 0;
};

class KvPool {
 public:
  // placement: its homes are used, if it has any.
  KvPool(const KvLayout& layout, size_t budget_bytes, Placement* placement = nullptr);

  const KvLayout& layout() const { return layout_; }
  size_t budget_pages() const { return references_.size(); }
  size_t free_pages() const;
  KvUse use() const;

  int64_t create();
  int64_t fork(int64_t sequence);  // shares all pages
  // Whether the pages that a sequence of `tokens` tokens must see are still there.
  bool can_truncate(int64_t sequence, size_t tokens) const;
  void truncate(int64_t sequence, size_t tokens);
  void release(int64_t sequence);
  size_t length(int64_t sequence) const;

  // Appending. begin() makes sure that there is room for all of a batch, or throws KvFull and changes
  // nothing; then extend() and commit() in turn for parts of at most pass_tokens, and finish() at the end or
  // roll_back() to what was before begin(). Each sequence stands in `appends` once.
  using Appends = std::vector<std::pair<int64_t, size_t>>;  // sequence, tokens
  void begin(const Appends& appends);
  void extend(int64_t sequence, size_t tokens);  // pages of its own for the next tokens, in all layers
  void commit(int64_t sequence, size_t tokens);  // counts tokens whose keys and values have been written
  void finish(int64_t sequence);
  void roll_back(int64_t sequence);

  // The pages of a sequence in its present state, ready for import_sequence(); `data` is null.
  std::vector<KvPage> pages(int64_t sequence) const;
  // Copies one of these pages; tokens behind the sequence's end are zeroed, whoever they belonged to.
  void copy_page(int64_t sequence, const KvPage& page, std::byte* out) const;
  // A new sequence of `length` tokens from pages, in any order. Throws Error, and changes nothing, unless
  // they are just those that such a sequence needs: every block of a global layer, of a windowed one at
  // least those that the next row sees and none missing between them.
  int64_t import_sequence(size_t length, const std::vector<KvPage>& pages);

  // The block table of a layer: page numbers, kNoPage before the window; head_at turns one into the memory of
  // a KV head.
  static constexpr uint32_t kNoPage = UINT32_MAX;
  const std::vector<uint32_t>& table(int64_t sequence, size_t layer) const;
  std::byte* head_at(uint32_t page, size_t head) const {
    return memory_.data() + static_cast<size_t>(page) * page_stride_ + head * head_stride_;
  }
  // The home that memory was meant for.
  size_t home_of(uint32_t page, size_t head) const { return (head + page / group_pages_) % homes_; }
  // Of every home, an address amid each head of the pages in use that were meant for it.
  std::vector<std::vector<const std::byte*>> addresses_at_homes() const;

 private:
  struct Table {
    std::vector<uint32_t> pages;
    size_t first = 0;  // blocks before it have been given back
  };
  struct Sequence {
    size_t length = 0;
    std::vector<Table> tables;  // of every layer
    // While an append is going on: its length before, and the pages given back since that were full then.
    size_t length_before = 0;
    std::vector<Table> before;
  };
  const Sequence& find(int64_t sequence) const;
  Sequence& find(int64_t sequence);
  // Pages [first, end) of the pool; those before `next` have been used at least once.
  struct Group {
    uint32_t next, end;
    std::vector<uint32_t> free;  // used before and given back

    size_t available() const { return free.size() + (end - next); }
  };
  void spread(Placement& placement);
  uint32_t take(size_t layer, size_t group);
  size_t next_group(const Table& table) const;
  size_t roomiest_group() const;
  void append(size_t layer, Table& table);
  void drop(uint32_t page);
  size_t oldest_block(size_t layer, size_t tokens) const;
  void cut(Sequence& s, size_t tokens);

  KvLayout layout_;
  size_t page_bytes_;
  size_t homes_;
  size_t page_stride_, head_stride_;
  size_t group_pages_;
  Memory memory_;
  std::vector<uint32_t> references_;
  std::vector<bool> windowed_;  // the page belongs to a windowed layer
  std::vector<Group> groups_;
  size_t window_pages_ = 0;
  std::unordered_map<int64_t, Sequence> sequences_;
  int64_t next_id_ = 0;
};

}  // namespace longleaf

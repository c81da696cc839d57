#include "kv/pool.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace longleaf {

KvPool::KvPool(const KvLayout& layout, size_t budget_bytes)
    : layout_(layout), page_bytes_(layout.page_bytes()) {
  const size_t pages = budget_bytes / page_bytes_;
  if (pages < layout.layers) {
    throw Error("a KV budget of " + human_bytes(budget_bytes) + " is too small: 64 tokens take " +
                std::to_string(layout.layers) + " layers x " + human_bytes(page_bytes_) + " = " +
                human_bytes(layout.layers * page_bytes_));
  }
  const size_t most = std::min<size_t>(pages, UINT32_MAX);
  memory_ = Memory(most * page_bytes_);
  references_.assign(most, 0);
}

KvPool::Sequence& KvPool::find(int64_t sequence) {
  const auto it = sequences_.find(sequence);
  if (it == sequences_.end()) throw Error("no sequence " + std::to_string(sequence));
  return it->second;
}

const KvPool::Sequence& KvPool::find(int64_t sequence) const {
  return const_cast<KvPool*>(this)->find(sequence);
}

uint32_t KvPool::take() {
  uint32_t page;
  if (!free_.empty()) {
    page = free_.back();
    free_.pop_back();
  } else {
    page = static_cast<uint32_t>(touched_++);
  }
  references_[page] = 1;
  return page;
}

void KvPool::drop(uint32_t page) {
  if (--references_[page] == 0) free_.push_back(page);
}

int64_t KvPool::create() {
  Sequence sequence;
  sequence.tables.resize(layout_.layers);
  sequences_.emplace(next_id_, std::move(sequence));
  return next_id_++;
}

int64_t KvPool::fork(int64_t sequence) {
  Sequence copy = find(sequence);
  for (const auto& table : copy.tables) {
    for (uint32_t page : table) ++references_[page];
  }
  sequences_.emplace(next_id_, std::move(copy));
  return next_id_++;
}

void KvPool::truncate(int64_t sequence, size_t tokens) {
  Sequence& s = find(sequence);
  if (tokens > s.length) {
    throw Error("cannot truncate sequence " + std::to_string(sequence) + " to " + std::to_string(tokens) +
                " tokens: it has " + std::to_string(s.length));
  }
  const size_t pages = (tokens + kPageTokens - 1) / kPageTokens;
  for (auto& table : s.tables) {
    while (table.size() > pages) {
      drop(table.back());
      table.pop_back();
    }
  }
  s.length = tokens;
}

void KvPool::release(int64_t sequence) {
  find(sequence);
  truncate(sequence, 0);
  sequences_.erase(sequence);
}

size_t KvPool::length(int64_t sequence) const { return find(sequence).length; }

size_t KvPool::pages_to_append(int64_t sequence, size_t tokens) const {
  const Sequence& s = find(sequence);
  if (tokens == 0) return 0;
  const size_t blocks = (s.length + tokens + kPageTokens - 1) / kPageTokens;
  size_t needed = 0;
  for (const auto& table : s.tables) {
    needed += blocks - std::min(blocks, table.size());
    // The tables may be longer than the length needs after a reserve that was not committed.
    for (size_t b = s.length / kPageTokens; b < std::min(blocks, table.size()); ++b) {
      needed += references_[table[b]] > 1 ? 1 : 0;
    }
  }
  return needed;
}

void KvPool::reserve(int64_t sequence, size_t tokens) {
  Sequence& s = find(sequence);
  if (tokens == 0) return;
  const size_t needed = pages_to_append(sequence, tokens);
  if (needed > free_pages()) {
    throw KvFull("the KV pool is full: " + std::to_string(tokens) + " more tokens need " +
                 std::to_string(needed) + " pages, " + std::to_string(free_pages()) + " of " +
                 std::to_string(budget_pages()) + " are free (" + human_bytes(budget_pages() * page_bytes_) +
                 " in pages of " + human_bytes(page_bytes_) +
                 "). Free or truncate sequences, or give a larger KV budget");
  }
  const size_t blocks = (s.length + tokens + kPageTokens - 1) / kPageTokens;
  for (auto& table : s.tables) {
    for (size_t b = s.length / kPageTokens; b < std::min(blocks, table.size()); ++b) {
      if (references_[table[b]] <= 1) continue;
      const uint32_t copy = take();
      std::memcpy(page_at(copy), page_at(table[b]), page_bytes_);
      drop(table[b]);
      table[b] = copy;
    }
    while (table.size() < blocks) table.push_back(take());
  }
}

void KvPool::commit(int64_t sequence, size_t tokens) { find(sequence).length += tokens; }

std::byte* KvPool::page(int64_t sequence, size_t layer, size_t index) const {
  return page_at(find(sequence).tables[layer][index]);
}

const std::vector<uint32_t>& KvPool::table(int64_t sequence, size_t layer) const {
  return find(sequence).tables[layer];
}

}  // namespace longleaf

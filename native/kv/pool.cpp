#include "kv/pool.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace longleaf {
namespace {

size_t blocks_of(size_t tokens) { return (tokens + kPageTokens - 1) / kPageTokens; }

std::string place(const KvPage& page) {
  return "block " + std::to_string(page.block) + " of layer " + std::to_string(page.layer);
}

}  // namespace

size_t KvLayout::most_pages(size_t layer, size_t tokens) const {
  const size_t window = windows[layer];
  if (window == 0) return blocks_of(tokens);
  // A pass of rows sees from (its start - window + 1) on; both ends may lie within a page.
  return std::min(blocks_of(tokens), (window + pass_tokens) / kPageTokens + 2 + kSlackPages);
}

size_t KvLayout::bytes_needed(size_t tokens) const {
  size_t pages = 0;
  for (size_t layer = 0; layer < layers(); ++layer) pages += most_pages(layer, tokens);
  return pages * page_bytes();
}

KvPool::KvPool(const KvLayout& layout, size_t budget_bytes, Placement* placement)
    : layout_(layout),
      page_bytes_(layout.page_bytes()),
      homes_(placement == nullptr ? 1 : std::max<size_t>(1, placement->homes().size())) {
  const size_t pages = budget_bytes / page_bytes_;
  if (pages < layout.layers()) {
    throw Error("a KV budget of " + human_bytes(budget_bytes) + " is too small: 64 tokens take " +
                std::to_string(layout.layers()) + " layers x " + human_bytes(page_bytes_) + " = " +
                human_bytes(layout.layers() * page_bytes_));
  }
  const size_t most = std::min<size_t>(pages, UINT32_MAX - 1);
  references_.assign(most, 0);
  windowed_.assign(most, false);
  const size_t groups = layout.kv_heads % homes_ == 0 ? 1 : homes_;
  group_pages_ = (most + groups - 1) / groups;
  for (size_t first = 0; first < most; first += group_pages_) {
    groups_.push_back(
        {static_cast<uint32_t>(first), static_cast<uint32_t>(std::min(first + group_pages_, most)), {}});
  }
  // A page's heads stand side by side, or all pages' parts of one head.
  page_stride_ = homes_ == 1 ? page_bytes_ : layout.head_bytes();
  head_stride_ = homes_ == 1 ? layout.head_bytes() : most * layout.head_bytes();
  if (homes_ == 1) {
    memory_ = Memory(most * page_bytes_);
  } else {
    spread(*placement);
  }
}

void KvPool::spread(Placement& placement) {
  const PlacementScope by_hand(nullptr, false);
  memory_ = Memory(references_.size() * page_bytes_);
  for (size_t head = 0; head < layout_.kv_heads; ++head) {
    for (const Group& group : groups_) {
      placement.place_at(home_of(group.next, head), head_at(group.next, head),
                         (group.end - group.next) * page_stride_);
    }
  }
}

std::vector<std::vector<const std::byte*>> KvPool::addresses_at_homes() const {
  std::vector<std::vector<const std::byte*>> addresses(homes_);
  for (uint32_t page = 0; page < references_.size(); ++page) {
    if (references_[page] == 0) continue;
    for (size_t head = 0; head < layout_.kv_heads; ++head) {
      addresses[home_of(page, head)].push_back(head_at(page, head) + layout_.head_bytes() / 2);
    }
  }
  return addresses;
}

size_t KvPool::free_pages() const {
  size_t pages = 0;
  for (const Group& group : groups_) pages += group.available();
  return pages;
}

KvPool::Sequence& KvPool::find(int64_t sequence) {
  const auto it = sequences_.find(sequence);
  if (it == sequences_.end()) throw Error("no sequence " + std::to_string(sequence));
  return it->second;
}

const KvPool::Sequence& KvPool::find(int64_t sequence) const {
  return const_cast<KvPool*>(this)->find(sequence);
}

size_t KvPool::roomiest_group() const {
  const auto best = std::max_element(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
    return a.available() < b.available();
  });
  return static_cast<size_t>(best - groups_.begin());
}

// For the next block of a table.
size_t KvPool::next_group(const Table& table) const {
  if (groups_.size() == 1) return 0;
  const size_t block = table.pages.size();
  if (block == table.first) return roomiest_group();
  const size_t before = table.pages.back() / group_pages_;
  return block % kSegmentPages == 0 ? (before + 1) % groups_.size() : before;
}

uint32_t KvPool::take(size_t layer, size_t group) {
  Group& from = groups_[groups_[group].available() != 0 ? group : roomiest_group()];
  uint32_t page;
  if (!from.free.empty()) {
    page = from.free.back();
    from.free.pop_back();
  } else {
    page = from.next++;
  }
  references_[page] = 1;
  windowed_[page] = layout_.windows[layer] != 0;
  window_pages_ += windowed_[page] ? 1 : 0;
  return page;
}

void KvPool::drop(uint32_t page) {
  if (--references_[page] != 0) return;
  window_pages_ -= windowed_[page] ? 1 : 0;
  groups_[page / group_pages_].free.push_back(page);
}

void KvPool::append(size_t layer, Table& table) { table.pages.push_back(take(layer, next_group(table))); }

// The first block that rows behind the first `tokens` tokens see.
size_t KvPool::oldest_block(size_t layer, size_t tokens) const {
  const size_t window = layout_.windows[layer];
  return window == 0 || tokens < window ? 0 : (tokens - window + 1) / kPageTokens;
}

KvUse KvPool::use() const {
  const size_t used = budget_pages() - free_pages();
  return {used - window_pages_, window_pages_, sequences_.size()};
}

int64_t KvPool::create() {
  Sequence sequence;
  sequence.tables.resize(layout_.layers());
  sequences_.emplace(next_id_, std::move(sequence));
  return next_id_++;
}

int64_t KvPool::fork(int64_t sequence) {
  Sequence copy = find(sequence);
  for (const Table& table : copy.tables) {
    for (size_t b = table.first; b < table.pages.size(); ++b) ++references_[table.pages[b]];
  }
  sequences_.emplace(next_id_, std::move(copy));
  return next_id_++;
}

bool KvPool::can_truncate(int64_t sequence, size_t tokens) const {
  const Sequence& s = find(sequence);
  if (tokens > s.length) return false;
  if (tokens == 0) return true;
  for (size_t layer = 0; layer < layout_.layers(); ++layer) {
    if (oldest_block(layer, tokens) < s.tables[layer].first) return false;
  }
  return true;
}

void KvPool::truncate(int64_t sequence, size_t tokens) {
  Sequence& s = find(sequence);
  const std::string what =
      "cannot truncate sequence " + std::to_string(sequence) + " to " + std::to_string(tokens) + " tokens: ";
  if (tokens > s.length) throw Error(what + "it has " + std::to_string(s.length));
  if (!can_truncate(sequence, tokens)) {
    size_t least = 0;
    for (size_t layer = 0; layer < layout_.layers(); ++layer) {
      const size_t first = s.tables[layer].first;
      if (first > 0) least = std::max(least, first * kPageTokens + layout_.windows[layer] - 1);
    }
    throw Error(what + "of its " + std::to_string(s.length) +
                " tokens windowed layers keep only the last. It can go back to " + std::to_string(least) +
                " or more, or to 0; keep a fork where you want to go on from later");
  }
  cut(s, tokens);
}

void KvPool::cut(Sequence& s, size_t tokens) {
  for (Table& table : s.tables) {
    while (table.pages.size() > std::max(blocks_of(tokens), table.first)) {
      drop(table.pages.back());
      table.pages.pop_back();
    }
    if (tokens == 0) table = {};
  }
  s.length = tokens;
}

void KvPool::release(int64_t sequence) {
  cut(find(sequence), 0);
  sequences_.erase(sequence);
}

size_t KvPool::length(int64_t sequence) const { return find(sequence).length; }

void KvPool::begin(const Appends& appends) {
  // Copies of shared pages: one for each owner that writes, none for the last one left.
  std::unordered_map<uint32_t, uint32_t> given_up;
  size_t needed = 0, tokens = 0;
  for (const auto& [id, count] : appends) {
    const Sequence& s = find(id);
    if (count == 0) continue;
    tokens += count;
    const size_t blocks = blocks_of(s.length + count);
    for (size_t layer = 0; layer < layout_.layers(); ++layer) {
      const std::vector<uint32_t>& pages = s.tables[layer].pages;
      needed += std::min(blocks - pages.size(), layout_.most_pages(layer, s.length + count));
      if (s.length % kPageTokens == 0 || references_[pages.back()] == 1) continue;
      if (references_[pages.back()] - given_up[pages.back()] > 1) {
        ++needed;
        ++given_up[pages.back()];
      }
    }
  }
  if (needed > free_pages()) {
    throw KvFull("the KV pool is full: " + std::to_string(tokens) + " more tokens need " +
                 std::to_string(needed) + " pages (" + human_bytes(needed * page_bytes_) + "), " +
                 std::to_string(free_pages()) + " of " + std::to_string(budget_pages()) + " are free (" +
                 human_bytes(free_pages() * page_bytes_) + " of " +
                 human_bytes(budget_pages() * page_bytes_) +
                 "). Free or truncate sequences, or give a larger KV budget");
  }
  for (const auto& append : appends) {
    Sequence& s = find(append.first);
    s.length_before = s.length;
    s.before.assign(layout_.layers(), {});
    for (size_t layer = 0; layer < layout_.layers(); ++layer) s.before[layer].first = s.tables[layer].first;
  }
}

void KvPool::extend(int64_t sequence, size_t tokens) {
  Sequence& s = find(sequence);
  if (tokens == 0) return;
  const size_t blocks = blocks_of(s.length + tokens);
  for (size_t layer = 0; layer < layout_.layers(); ++layer) {
    Table& table = s.tables[layer];
    std::vector<uint32_t>& pages = table.pages;
    if (s.length % kPageTokens != 0 && references_[pages.back()] > 1) {
      const uint32_t copy = take(layer, pages.back() / group_pages_);
      for (size_t head = 0; head < layout_.kv_heads; ++head) {
        std::memcpy(head_at(copy, head), head_at(pages.back(), head), layout_.head_bytes());
      }
      drop(pages.back());
      pages.back() = copy;
    }
    while (pages.size() < blocks) append(layer, table);
  }
}

void KvPool::commit(int64_t sequence, size_t tokens) {
  Sequence& s = find(sequence);
  s.length += tokens;
  for (size_t layer = 0; layer < layout_.layers(); ++layer) {
    Table& table = s.tables[layer];
    const size_t oldest = oldest_block(layer, s.length);
    for (; table.first + kSlackPages < oldest; ++table.first) {
      uint32_t& page = table.pages[table.first];
      if (table.first < blocks_of(s.length_before)) {
        s.before[layer].pages.push_back(page);  // roll_back() may need it
      } else {
        drop(page);
      }
      page = kNoPage;
    }
  }
}

void KvPool::finish(int64_t sequence) {
  Sequence& s = find(sequence);
  for (const Table& table : s.before) {
    for (uint32_t page : table.pages) drop(page);
  }
  s.before.clear();
}

void KvPool::roll_back(int64_t sequence) {
  Sequence& s = find(sequence);
  const size_t blocks = blocks_of(s.length_before);
  for (size_t layer = 0; layer < layout_.layers(); ++layer) {
    Table& table = s.tables[layer];
    while (table.pages.size() > blocks) {
      if (table.pages.back() != kNoPage) drop(table.pages.back());
      table.pages.pop_back();
    }
    const Table& before = s.before[layer];
    std::copy(before.pages.begin(), before.pages.end(),
              table.pages.begin() + static_cast<std::ptrdiff_t>(before.first));
    table.first = before.first;
  }
  s.length = s.length_before;
  s.before.clear();
}

std::vector<KvPage> KvPool::pages(int64_t sequence) const {
  const Sequence& s = find(sequence);
  std::vector<KvPage> out;
  for (size_t layer = 0; layer < layout_.layers(); ++layer) {
    for (size_t block = s.tables[layer].first; block < s.tables[layer].pages.size(); ++block) {
      out.push_back({layer, block, nullptr, page_bytes_});
    }
  }
  return out;
}

void KvPool::copy_page(int64_t sequence, const KvPage& page, std::byte* out) const {
  const Sequence& s = find(sequence);
  const uint32_t number = s.tables[page.layer].pages[page.block];
  const size_t used = s.length - page.block * kPageTokens;
  const KvPart keys = layout_.keys(), values = layout_.values();
  for (size_t head = 0; head < layout_.kv_heads; ++head) {
    std::byte* at = out + head * layout_.head_bytes();
    std::memcpy(at, head_at(number, head), layout_.head_bytes());
    if (used >= kPageTokens) continue;
    clear_tokens(keys, at, used);
    clear_tokens(values, at + keys.bytes(), used);
  }
}

int64_t KvPool::import_sequence(size_t length, const std::vector<KvPage>& pages) {
  const size_t blocks = blocks_of(length);
  std::vector<std::vector<const std::byte*>> sources(layout_.layers());
  for (const KvPage& page : pages) {
    if (page.layer >= layout_.layers()) {
      throw Error("cannot import pages: " + place(page) + ", but the model has " +
                  std::to_string(layout_.layers()) + " layers");
    }
    if (page.block >= blocks) {
      throw Error("cannot import pages: " + place(page) + ", but " + std::to_string(length) +
                  " tokens take " + std::to_string(blocks) + " blocks");
    }
    if (page.bytes != page_bytes_) {
      throw Error("cannot import pages: " + place(page) + " has " + std::to_string(page.bytes) +
                  " bytes, but a page of this KV cache has " + std::to_string(page_bytes_));
    }
    auto& mine = sources[page.layer];
    mine.resize(blocks, nullptr);
    if (mine[page.block] != nullptr)
      throw Error("cannot import pages: " + place(page) + " stands there twice");
    mine[page.block] = page.data;
  }
  std::vector<size_t> first(layout_.layers(), 0);
  for (size_t layer = 0; blocks > 0 && layer < layout_.layers(); ++layer) {
    sources[layer].resize(blocks, nullptr);
    const size_t needed = std::min(oldest_block(layer, length), blocks);
    while (first[layer] < needed && sources[layer][first[layer]] == nullptr) ++first[layer];
    for (size_t block = first[layer]; block < blocks; ++block) {
      if (sources[layer][block] == nullptr)
        throw Error("cannot import pages: " + place({layer, block, nullptr, 0}) + " is missing");
    }
  }
  if (pages.size() > free_pages()) {
    throw KvFull("the KV pool is full: the pages to import are " + std::to_string(pages.size()) + " (" +
                 human_bytes(pages.size() * page_bytes_) + "), " + std::to_string(free_pages()) + " of " +
                 std::to_string(budget_pages()) +
                 " are free. Free or truncate sequences, or give a larger KV budget");
  }
  const int64_t id = create();
  Sequence& s = find(id);
  s.length = length;
  for (size_t layer = 0; blocks > 0 && layer < layout_.layers(); ++layer) {
    Table& table = s.tables[layer];
    table.first = first[layer];
    table.pages.assign(first[layer], kNoPage);
    for (size_t block = first[layer]; block < blocks; ++block) {
      append(layer, table);
      const size_t bytes = layout_.head_bytes();
      for (size_t head = 0; head < layout_.kv_heads; ++head) {
        std::memcpy(head_at(table.pages.back(), head), sources[layer][block] + head * bytes, bytes);
      }
    }
  }
  return id;
}

const std::vector<uint32_t>& KvPool::table(int64_t sequence, size_t layer) const {
  return find(sequence).tables[layer].pages;
}

}  // namespace longleaf

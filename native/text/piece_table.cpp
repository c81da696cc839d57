#include "text/piece_table.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace longleaf {

namespace {

// Different in each process, so that no file can be made whose pieces all meet in one slot.
uint64_t seed() {
  static const uint64_t value = [] {
    std::random_device device;
    return static_cast<uint64_t>(device()) << 32 | device();
  }();
  return value;
}

uint64_t mix(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t hash_of(std::string_view text) {
  uint64_t hash = seed() ^ text.size();
  while (text.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, text.data(), 8);
    hash = mix(hash ^ word, 0x9E3779B97F4A7C15u);
    text.remove_prefix(8);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, text.data(), text.size());
  return mix(hash ^ rest, 0xD6E8FEB86659FD93u);
}

}  // namespace

PieceTable::PieceTable(size_t expected) {
  size_t slots = 16;
  while (slots < 2 * expected) slots *= 2;
  slots_.resize(slots);
  texts_.reserve(expected);
}

size_t PieceTable::locate(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  const uint32_t tag = static_cast<uint32_t>(hash >> 32);
  size_t at = hash & mask;
  while (slots_[at].id != kAbsent && !(slots_[at].tag == tag && texts_[slots_[at].id] == text))
    at = (at + 1) & mask;
  return at;
}

int32_t PieceTable::find(std::string_view text) const {
  if (text.size() > longest_) return kAbsent;
  return slots_[locate(text, hash_of(text))].id;
}

int32_t PieceTable::add(std::string_view text) {
  if (2 * (taken_ + 1) > slots_.size()) grow();
  const int32_t id = static_cast<int32_t>(texts_.size());
  const uint64_t hash = hash_of(text);
  Slot& slot = slots_[locate(text, hash)];
  texts_.push_back(text);
  longest_ = std::max(longest_, text.size());
  if (slot.id == kAbsent) {
    slot = {id, static_cast<uint32_t>(hash >> 32)};
    ++taken_;
  }
  return id;
}

void PieceTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.id == kAbsent) continue;
    slots_[locate(texts_[slot.id], hash_of(texts_[slot.id]))] = slot;
  }
}

}  // namespace longleaf

#include "text/spm.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "error.h"
#include "gguf/text.h"
#include "text/merge.h"
#include "text/unicode.h"

namespace longleaf {

namespace {

constexpr std::string_view kSpace = "\xE2\x96\x81";  // U+2581, written for a space in pieces

// Ascending with a falling score, so that the best score comes first. No score at all is the worst.
uint32_t order_of(float score) {
  if (std::isnan(score)) return UINT32_MAX;
  if (score == 0) score = 0;  // -0 and 0 are one score
  uint32_t bits;
  std::memcpy(&bits, &score, sizeof bits);
  const uint32_t ascending = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return ~ascending;
}

// The byte that a piece "<0xAB>" stands for, -1 if it is not of that form.
int byte_value(std::string_view piece) {
  if (piece.size() != 6 || piece.substr(0, 3) != "<0x" || piece[5] != '>') return -1;
  int value = 0;
  for (char digit : piece.substr(3, 2)) {
    value *= 16;
    if (digit >= '0' && digit <= '9')
      value += digit - '0';
    else if (digit >= 'A' && digit <= 'F')
      value += digit - 'A' + 10;
    else if (digit >= 'a' && digit <= 'f')
      value += digit - 'a' + 10;
    else
      return -1;
  }
  return value;
}

}  // namespace

Spm::Spm(const Gguf& file, const Vocab& vocab) : vocab_(vocab), path_(file.path()) {
  adds_space_ = file.integer("tokenizer.ggml.add_space_prefix").value_or(1) != 0;
  auto scores = file.floats("tokenizer.ggml.scores");
  if (!scores || scores->size() != vocab.pieces.size())
    throw Error(quoted(path_) + ": a 'llama' vocabulary of " + std::to_string(vocab.pieces.size()) +
                " tokens needs as many tokenizer.ggml.scores; the file has " +
                (scores ? std::to_string(scores->size()) : "none"));
  orders_.reserve(scores->size());
  for (float score : *scores) orders_.push_back(order_of(score));
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", byte);
    const char raw = static_cast<char>(byte);
    byte_ids_[byte] = vocab.pieces.find(name);
    if (byte_ids_[byte] < 0) byte_ids_[byte] = vocab.pieces.find({&raw, 1});
  }
}

void Spm::encode(std::string_view text, bool space_first, std::vector<int32_t>& ids) const {
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 2 + 3);
  if (space_first) escaped += kSpace;
  for (char byte : text) {
    if (byte == ' ')
      escaped += kSpace;
    else
      escaped += byte;
  }
  if (escaped.size() > static_cast<size_t>(INT32_MAX))
    throw Error("a text of " + std::to_string(text.size()) + " bytes is too long to tokenize in one piece");

  std::vector<Symbol> symbols;
  for (size_t at = 0; at < escaped.size();) {
    const size_t size = std::min(utf8_length(escaped[at]), escaped.size() - at);
    symbols.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(size), -1, -1, -1});
    at += size;
  }
  Merge merge{};
  merge_all(symbols, [&](const Symbol& left, const Symbol& right) -> const Merge* {
    const int32_t id = vocab_.pieces.find({escaped.data() + left.start, left.size + right.size});
    if (id < 0) return nullptr;
    merge = {orders_[id], id};
    return &merge;
  });
  for (const Symbol& symbol : symbols) {
    if (symbol.size == 0) continue;
    const std::string_view piece(escaped.data() + symbol.start, symbol.size);
    // Most characters are merged away, so that single ones are looked up only here.
    const int32_t id = symbol.id >= 0 ? symbol.id : vocab_.pieces.find(piece);
    if (id >= 0)
      ids.push_back(id);
    else
      append_bytes(piece, ids);
  }
}

void Spm::append_bytes(std::string_view text, std::vector<int32_t>& ids) const {
  for (char byte : text) {
    const int value = static_cast<uint8_t>(byte);
    int32_t id = byte_ids_[value];
    if (id < 0) id = vocab_.unk;
    if (id < 0)
      throw Error(quoted(path_) + ": the vocabulary has no token for byte " + std::to_string(value) +
                  " and no unknown token either");
    ids.push_back(id);
  }
}

std::string Spm::bytes_of(int32_t id) const {
  const std::string_view piece = vocab_.pieces[id];
  if (vocab_.types[id] == TokenType::Byte)
    if (const int value = byte_value(piece); value >= 0) return std::string(1, static_cast<char>(value));
  if (vocab_.types[id] != TokenType::Normal) return std::string(piece);
  std::string out;
  for (size_t at = 0; at < piece.size();) {
    if (piece.compare(at, kSpace.size(), kSpace) == 0) {
      out += ' ';
      at += kSpace.size();
    } else {
      out += piece[at++];
    }
  }
  return out;
}

}  // namespace longleaf

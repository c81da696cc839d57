#include "text/bpe.h"

#include <limits>

#include "error.h"
#include "gguf/text.h"
#include "text/unicode.h"

namespace longleaf {

namespace {

// GPT-2 writes each byte as a printable character: itself if it is one in Latin-1, else U+0100 and up in
// order. https://github.com/openai/gpt-2/blob/master/src/encoder.py
struct ByteAlphabet {
  std::array<std::string, 256> text;      // UTF-8
  std::array<int, 0x144> byte_of_char{};  // -1: no byte is written so

  ByteAlphabet() {
    byte_of_char.fill(-1);
    uint32_t next = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
      const uint32_t code = printable ? static_cast<uint32_t>(byte) : next++;
      byte_of_char[code] = byte;
      if (code < 0x80)
        text[byte] = {static_cast<char>(code)};
      else
        text[byte] = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
    }
  }
};

const ByteAlphabet& alphabet() {
  static const ByteAlphabet value;
  return value;
}

size_t slot_of(uint64_t pair, size_t mask) { return (pair * 0x9E3779B97F4A7C15u >> 20) & mask; }

}  // namespace

Bpe::Bpe(const Gguf& file, const Vocab& vocab, PreTokenizerInfo words)
    : vocab_(vocab), words_(words), symbols_(vocab.pieces.size()) {
  for (size_t id = 0; id < vocab.pieces.size(); ++id) symbols_.add(vocab.pieces[id]);
  const auto merges = file.strings("tokenizer.ggml.merges");
  if (!merges) throw Error(quoted(file.path()) + ": a 'gpt2' vocabulary needs tokenizer.ggml.merges");
  if (merges->size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()) / 4)
    throw Error(quoted(file.path()) + ": " + std::to_string(merges->size()) + " merges are more than can be");
  size_t slots = 16;
  while (slots < 2 * merges->size()) slots *= 2;
  rules_.resize(slots);
  std::string joined;
  for (size_t i = 0; i < merges->size(); ++i) {
    const std::string_view text = (*merges)[i];
    const size_t space = text.find(' ', 1);
    if (space == std::string_view::npos || space + 1 == text.size())
      throw Error(quoted(file.path()) + ": merge " + std::to_string(i) + " of tokenizer.ggml.merges, " +
                  quoted(text) + ", is not two pieces with a space between");
    const int32_t left = intern(text.substr(0, space));
    const int32_t right = intern(text.substr(space + 1));
    joined.assign(text.substr(0, space)).append(text.substr(space + 1));
    int32_t both = symbols_.find(joined);
    if (both < 0) both = intern(made_.emplace_back(joined));
    add_rule(left, right, {static_cast<uint32_t>(i), both});
  }
  for (int byte = 0; byte < 256; ++byte) byte_symbols_[byte] = symbols_.find(alphabet().text[byte]);
}

int32_t Bpe::intern(std::string_view text) {
  const int32_t id = symbols_.find(text);
  return id >= 0 ? id : symbols_.add(text);
}

const Merge* Bpe::rule(int32_t left, int32_t right) const {
  if (left < 0 || right < 0) return nullptr;
  const uint64_t pair = static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
  const size_t mask = rules_.size() - 1;
  for (size_t at = slot_of(pair, mask); rules_[at].pair != UINT64_MAX; at = (at + 1) & mask)
    if (rules_[at].pair == pair) return &rules_[at].merge;
  return nullptr;
}

void Bpe::add_rule(int32_t left, int32_t right, Merge merge) {
  const uint64_t pair = static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
  const size_t mask = rules_.size() - 1;
  size_t at = slot_of(pair, mask);
  for (; rules_[at].pair != UINT64_MAX; at = (at + 1) & mask)
    if (rules_[at].pair == pair) return;  // the first one of two counts
  rules_[at] = {pair, merge};
}

void Bpe::encode(std::string_view text, std::vector<int32_t>& ids) const {
  std::vector<std::string_view> words;
  pre_tokenize(*words_.rules, text, words);
  std::vector<Symbol> symbols;
  for (std::string_view word : words) encode_word(word, symbols, ids);
}

void Bpe::encode_word(std::string_view word, std::vector<Symbol>& symbols, std::vector<int32_t>& ids) const {
  if (words_.whole_words_first && word.size() <= vocab_.pieces.longest()) {
    std::string written;
    for (char byte : word) written += alphabet().text[static_cast<uint8_t>(byte)];
    if (const int32_t id = vocab_.pieces.find(written); id >= 0) {
      ids.push_back(id);
      return;
    }
  }
  symbols.clear();
  for (size_t i = 0; i < word.size(); ++i)
    symbols.push_back({static_cast<uint32_t>(i), 1, byte_symbols_[static_cast<uint8_t>(word[i])], -1, -1});
  merge_all(symbols, [this](const Symbol& left, const Symbol& right) { return rule(left.id, right.id); });
  for (const Symbol& symbol : symbols) {
    if (symbol.size == 0 || symbol.id < 0) continue;
    if (static_cast<size_t>(symbol.id) < vocab_.pieces.size()) {
      ids.push_back(symbol.id);
      continue;
    }
    // Merged to something that is no piece: the characters it is written with, where they are pieces.
    const std::string_view written = symbols_[symbol.id];
    for (size_t i = 0; i < written.size(); ++i)
      if (const int32_t id = vocab_.pieces.find(written.substr(i, 1)); id >= 0) ids.push_back(id);
  }
}

std::string Bpe::bytes_of(int32_t id) const {
  const std::string_view piece = vocab_.pieces[id];
  if (vocab_.types[id] != TokenType::Normal) return std::string(piece);
  std::string out;
  for (size_t at = 0; at < piece.size();) {
    const size_t start = at;
    const uint32_t code = next_code_point(piece, at);
    const int byte = code < alphabet().byte_of_char.size() ? alphabet().byte_of_char[code] : -1;
    if (byte >= 0)
      out += static_cast<char>(byte);
    else
      out += piece.substr(start, at - start);  // not written in the alphabet: the text itself
  }
  return out;
}

}  // namespace longleaf

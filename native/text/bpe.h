// Byte-level BPE as GPT-2 has it: words, their bytes as symbols, merges in the order of the file.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/gguf.h"
#include "text/merge.h"
#include "text/pretokenize.h"
#include "text/vocab.h"

namespace longleaf {

class Bpe {
 public:
  // Both must outlive it. Throws Error naming the file when the merges are missing or unsound.
  Bpe(const Gguf& file, const Vocab& vocab, PreTokenizerInfo words);
  // Appends the ids of a text without special tokens. Like llama.cpp it leaves out bytes that the vocabulary
  // has no piece for (SmolLM2 lacks six control characters and bytes that only U+40000 and above use).
  void encode(std::string_view text, std::vector<int32_t>& ids) const;
  std::string bytes_of(int32_t id) const;

 private:
  struct Rule {
    uint64_t pair = UINT64_MAX;  // left symbol << 32 | right symbol
    Merge merge{};
  };
  int32_t intern(std::string_view text);
  const Merge* rule(int32_t left, int32_t right) const;
  void add_rule(int32_t left, int32_t right, Merge merge);
  void encode_word(std::string_view word, std::vector<Symbol>& symbols, std::vector<int32_t>& ids) const;

  const Vocab& vocab_;
  PreTokenizerInfo words_;
  PieceTable symbols_;            // the pieces, then what occurs in merges only
  std::deque<std::string> made_;  // the bytes of symbols that stand nowhere in the file
  std::vector<Rule> rules_;       // open addressing, at most half full
  std::array<int32_t, 256> byte_symbols_{};
};

}  // namespace longleaf

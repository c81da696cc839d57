// Text to token ids and back, built from a GGUF; ids are those that llama.cpp gives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gguf/gguf.h"

namespace longleaf {

// Immutable once built: any number of threads may use it.
class Tokenizer {
 public:
  // Keeps views into `file`, which must outlive it. Throws Error naming the file and what is missing, unsound
  // or not known.
  explicit Tokenizer(const Gguf& file);
  ~Tokenizer();
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // `add_ends` puts BOS and EOS around where the model wants them, unless the text has them there already.
  // `parse_special` reads control tokens written in the text; user-defined ones are always read. Bytes that
  // are not UTF-8 are tokenized as bytes. The cost is O(n log n) in the length, whatever the text.
  std::vector<int32_t> encode(std::string_view text, bool add_ends, bool parse_special) const;
  // Where, in bytes, `parse_special` would read a control or unknown token in the text: [start, end).
  std::vector<std::pair<size_t, size_t>> control_spans(std::string_view text) const;
  // The bytes a token adds to a text: none for control tokens and those that are not in use. Throws Error for
  // an id outside the vocabulary, as the next one does.
  std::string decode(int32_t id) const;
  // The bytes a token stands for, the name of a control token included.
  std::string token_bytes(int32_t id) const;

  size_t n_vocab() const;
  bool add_bos() const;
  std::optional<int32_t> bos() const;
  std::optional<int32_t> eos() const;
  const std::vector<int32_t>& eog() const;  // ascending: all that end generation

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace longleaf

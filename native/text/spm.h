// SentencePiece's BPE: the neighbours whose joined piece has the best score merge first; characters that are
// no piece become their bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/gguf.h"
#include "text/vocab.h"

namespace longleaf {

class Spm {
 public:
  // Both must outlive it. Throws Error naming the file when the scores are missing or unsound.
  Spm(const Gguf& file, const Vocab& vocab);
  // Appends the ids of a text without special tokens. `space_first` puts a space before it.
  void encode(std::string_view text, bool space_first, std::vector<int32_t>& ids) const;
  bool adds_space() const { return adds_space_; }
  std::string bytes_of(int32_t id) const;

 private:
  void append_bytes(std::string_view text, std::vector<int32_t>& ids) const;

  const Vocab& vocab_;
  std::string path_;
  bool adds_space_;
  std::vector<uint32_t> orders_;         // of each piece; the best score has the lowest
  std::array<int32_t, 256> byte_ids_{};  // -1: no piece for that byte
};

}  // namespace longleaf

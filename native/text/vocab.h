// The vocabulary of a GGUF: its pieces, what kind each is, and the special ones.
// Metadata keys: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md#tokenizer
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gguf/gguf.h"
#include "text/piece_table.h"

namespace longleaf {

// Numbers as in tokenizer.ggml.token_type.
enum class TokenType : uint8_t {
  Undefined = 0,
  Normal = 1,
  Unknown = 2,
  Control = 3,
  UserDefined = 4,
  Unused = 5,
  Byte = 6,
};

struct Vocab {
  // Throws Error naming the file and the key that is missing or unsound. Views into `file`, which must
  // outlive it. `adds_bos` is what holds when the file does not say.
  Vocab(const Gguf& file, bool adds_bos, int32_t bos_if_absent, int32_t eos_if_absent, int32_t unk_if_absent);

  PieceTable pieces;  // id = place in tokenizer.ggml.tokens; an empty piece is never matched
  std::vector<TokenType> types;
  int32_t bos = -1;  // -1: none
  int32_t eos = -1;
  int32_t unk = -1;
  bool add_bos = false;
  bool add_eos = false;
  std::vector<int32_t> eog;  // ascending: every token that ends generation
};

}  // namespace longleaf

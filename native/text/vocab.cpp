#include "text/vocab.h"

#include <algorithm>
#include <limits>
#include <string>

#include "error.h"
#include "gguf/text.h"

namespace longleaf {

namespace {

[[noreturn]] void fail(const Gguf& file, const std::string& what) {
  throw Error(quoted(file.path()) + ": " + what);
}

std::vector<std::string_view> piece_texts(const Gguf& file) {
  auto texts = file.strings("tokenizer.ggml.tokens");
  if (!texts || texts->empty()) fail(file, "it has no vocabulary (tokenizer.ggml.tokens)");
  if (texts->size() > static_cast<size_t>(std::numeric_limits<int32_t>::max()) / 4)
    fail(file, "a vocabulary of " + std::to_string(texts->size()) + " tokens is more than can be");
  return *std::move(texts);
}

std::vector<TokenType> token_types(const Gguf& file, size_t n_tokens) {
  auto numbers = file.integers("tokenizer.ggml.token_type");
  if (!numbers) return std::vector<TokenType>(n_tokens, TokenType::Normal);
  if (numbers->size() != n_tokens)
    fail(file, "tokenizer.ggml.token_type has " + std::to_string(numbers->size()) + " entries for " +
                   std::to_string(n_tokens) + " tokens");
  std::vector<TokenType> types(n_tokens);
  std::transform(numbers->begin(), numbers->end(), types.begin(), [](int64_t number) {
    return number >= 0 && number <= 6 ? static_cast<TokenType>(number) : TokenType::Undefined;
  });
  return types;
}

// An id outside the vocabulary counts as absent: files write -1 or 4294967295 for "none".
int32_t special_id(const Gguf& file, std::string_view key, size_t n_tokens, int32_t if_absent) {
  const int64_t id = file.integer(key).value_or(if_absent);
  return id >= 0 && static_cast<uint64_t>(id) < n_tokens ? static_cast<int32_t>(id) : -1;
}

// Pieces that end generation wherever they are found, whatever else the file says; the names are those that
// llama.cpp knows (its llama-vocab.cpp, October 2026).
constexpr std::string_view kEndings[] = {
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "<|eom_id|>",
    "<EOT>",
    "_<EOT>",
    "<|end_of_text|>",
    "<end_of_utterance>",
    "<｜end▁of▁sentence｜>",
    "<|fim_pad|>",
    "<fim-pad>",
    "<fim_pad>",
    "<PAD>",
    "<|fim_repo|>",
    "<|repo_name|>",
    "<fim-repo>",
    "<REPO>",
    "<reponame>",
    "<|file_sep|>",
};

// Marks of code infilling, never text either; the same source.
constexpr std::string_view kInfillMarks[] = {
    "<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>", "<|code_prefix|>",
    "<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>",  "<SUF>", "▁<SUF>", "<|code_suffix|>",
    "<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>",   "<MID>", "▁<MID>", "<|code_middle|>",
};

// "<|end|>" closes a channel, not the answer, in vocabularies that have these pairs.
bool end_is_inner(const PieceTable& pieces) {
  auto has = [&](std::string_view text) { return pieces.find(text) != PieceTable::kAbsent; };
  const bool call = has("<|call|>") || has("<|calls|>");
  return call && (has("<|return|>") || has("<|flush|>"));
}

}  // namespace

Vocab::Vocab(const Gguf& file, bool adds_bos, int32_t bos_if_absent, int32_t eos_if_absent,
             int32_t unk_if_absent)
    : pieces(0) {
  const std::vector<std::string_view> texts = piece_texts(file);
  const size_t n_tokens = texts.size();
  pieces = PieceTable(n_tokens);
  for (std::string_view text : texts) pieces.add(text);
  types = token_types(file, n_tokens);

  bos = special_id(file, "tokenizer.ggml.bos_token_id", n_tokens, bos_if_absent);
  eos = special_id(file, "tokenizer.ggml.eos_token_id", n_tokens, eos_if_absent);
  unk = special_id(file, "tokenizer.ggml.unknown_token_id", n_tokens, unk_if_absent);
  add_bos = file.integer("tokenizer.ggml.add_bos_token").value_or(adds_bos) != 0;
  add_eos = file.integer("tokenizer.ggml.add_eos_token").value_or(0) != 0;
  if (add_bos && bos < 0)
    fail(file, "texts must begin with a BOS token, but tokenizer.ggml.bos_token_id names none");
  if (add_eos && eos < 0)
    fail(file, "texts must end with an EOS token, but tokenizer.ggml.eos_token_id names none");

  for (int32_t id : {eos, special_id(file, "tokenizer.ggml.eot_token_id", n_tokens, -1),
                     special_id(file, "tokenizer.ggml.eom_token_id", n_tokens, -1)})
    if (id >= 0) eog.push_back(id);
  for (std::string_view text : kEndings) {
    const int32_t id = pieces.find(text);
    if (id == PieceTable::kAbsent || (text == "<|end|>" && end_is_inner(pieces))) continue;
    eog.push_back(id);
    types[id] = TokenType::Control;  // some converters call them normal; they would be split and printed
  }
  for (std::string_view text : kInfillMarks)
    if (const int32_t id = pieces.find(text); id != PieceTable::kAbsent) types[id] = TokenType::Control;
  std::sort(eog.begin(), eog.end());
  eog.erase(std::unique(eog.begin(), eog.end()), eog.end());
}

}  // namespace longleaf

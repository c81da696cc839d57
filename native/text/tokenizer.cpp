#include "text/tokenizer.h"

#include "error.h"
#include "gguf/parts.h"
#include "gguf/text.h"
#include "text/bpe.h"
#include "text/special.h"
#include "text/spm.h"
#include "text/vocab.h"

namespace longleaf {

namespace {

struct Kind {
  bool spm;
  std::optional<PreTokenizerInfo> words;
};

Kind kind_of(const Gguf& file) {
  const auto model = file.string("tokenizer.ggml.model");
  if (!model) {
    refuse_parts(file);
    throw Error(quoted(file.path()) + ": it has no tokenizer (tokenizer.ggml.model)");
  }
  if (*model == "llama") return {true, std::nullopt};
  if (*model != "gpt2")
    throw Error(quoted(file.path()) + ": tokenizer " + quoted(*model) +
                " is not known; known are llama (SentencePiece BPE) and gpt2 (byte-level BPE)");
  const auto pre = file.string("tokenizer.ggml.pre");
  // Without it the words would be guessed, and the model would read other ids than it was trained on:
  // https://github.com/ggml-org/llama.cpp/issues/7476
  if (!pre)
    throw Error(quoted(file.path()) +
                ": it does not name its pre-tokenizer (tokenizer.ggml.pre), so that its text would be cut "
                "wrongly; convert the model again with a current converter");
  try {
    return {false, find_pre_tokenizer(*pre)};
  } catch (const Error& error) {
    throw Error(quoted(file.path()) + ": " + error.what());
  }
}

}  // namespace

struct Tokenizer::Impl {
  Impl(const Gguf& source, Kind kind)
      : file(source),
        vocab(file, kind.spm || kind.words->adds_bos, kind.spm ? 1 : -1, kind.spm ? 2 : -1,
              kind.spm ? 0 : -1),
        special(vocab) {
    if (kind.spm)
      spm.emplace(file, vocab);
    else
      bpe.emplace(file, vocab, *kind.words);
    file.check_intact();
  }

  void check(int32_t id) const {
    if (id < 0 || static_cast<size_t>(id) >= vocab.types.size())
      throw Error("token id " + std::to_string(id) + " is outside the vocabulary of " +
                  std::to_string(vocab.types.size()));
  }

  const Gguf& file;  // pieces are views into it: what was made of them counts only while it is intact
  const Vocab vocab;
  const SpecialSplitter special;
  std::optional<Spm> spm;
  std::optional<Bpe> bpe;
};

Tokenizer::Tokenizer(const Gguf& file) : impl_(std::make_unique<Impl>(file, kind_of(file))) {}

Tokenizer::~Tokenizer() = default;

std::vector<int32_t> Tokenizer::encode(std::string_view text, bool add_ends, bool parse_special) const {
  const Vocab& vocab = impl_->vocab;
  const std::vector<Fragment> fragments = impl_->special.split(text, parse_special);
  std::vector<int32_t> ids;
  if (add_ends && vocab.add_bos && (fragments.empty() || fragments.front().token != vocab.bos))
    ids.push_back(vocab.bos);
  bool after_special = true;
  for (const Fragment& fragment : fragments) {
    if (fragment.token >= 0)
      ids.push_back(fragment.token);
    else if (impl_->spm)
      impl_->spm->encode(fragment.text, after_special && impl_->spm->adds_space(), ids);
    else
      impl_->bpe->encode(fragment.text, ids);
    after_special = fragment.token >= 0;
  }
  if (add_ends && vocab.add_eos && (fragments.empty() || fragments.back().token != vocab.eos))
    ids.push_back(vocab.eos);
  impl_->file.check_intact();
  return ids;
}

std::vector<std::pair<size_t, size_t>> Tokenizer::control_spans(std::string_view text) const {
  std::vector<std::pair<size_t, size_t>> spans;
  size_t at = 0;
  for (const Fragment& fragment : impl_->special.split(text, true)) {
    const size_t size =
        fragment.token < 0 ? fragment.text.size() : impl_->vocab.pieces[fragment.token].size();
    if (fragment.token >= 0 && impl_->vocab.types[fragment.token] != TokenType::UserDefined)
      spans.emplace_back(at, at + size);
    at += size;
  }
  impl_->file.check_intact();
  return spans;
}

std::string Tokenizer::decode(int32_t id) const {
  impl_->check(id);
  switch (impl_->vocab.types[id]) {
    case TokenType::Normal:
    case TokenType::UserDefined:
    case TokenType::Byte:
      return token_bytes(id);
    default:
      return {};
  }
}

std::string Tokenizer::token_bytes(int32_t id) const {
  impl_->check(id);
  std::string bytes = impl_->spm ? impl_->spm->bytes_of(id) : impl_->bpe->bytes_of(id);
  impl_->file.check_intact();
  return bytes;
}

size_t Tokenizer::n_vocab() const { return impl_->vocab.types.size(); }

bool Tokenizer::add_bos() const { return impl_->vocab.add_bos; }

std::optional<int32_t> Tokenizer::bos() const {
  return impl_->vocab.bos < 0 ? std::nullopt : std::optional(impl_->vocab.bos);
}

std::optional<int32_t> Tokenizer::eos() const {
  return impl_->vocab.eos < 0 ? std::nullopt : std::optional(impl_->vocab.eos);
}

const std::vector<int32_t>& Tokenizer::eog() const { return impl_->vocab.eog; }

}  // namespace longleaf

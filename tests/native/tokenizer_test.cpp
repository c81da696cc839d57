// Tokenizers built from sound and damaged vocabularies, on text of all kinds.
#include "text/tokenizer.h"

#include <exception>

#include "check.h"
#include "error.h"
#include "gguf/gguf.h"
#include "gguf_writer.h"
#include "tiny_vocab.h"

namespace longleaf::test {

namespace {

std::string random_text(Random& random) {
  static const std::string kPieces[] = {
      "the ", "agree", "ment", " ",       "\n\n", "2024", "\xC3\xA9",
      "\xE4", "\xFF",  "\t",   "<s>",     "</s>", "a",    "\xF0\x9F\x98\x80",
      "\0x",  "'s",    "##",   "<|end|>", "0",    "é中"};
  std::string text;
  for (size_t n = random.below(40); n-- > 0;) text += kPieces[random.below(std::size(kPieces))];
  return text;
}

void use(const Tokenizer& tokenizer, Random& random) {
  std::string text = random_text(random);
  for (int32_t id : tokenizer.encode(text, random.below(2) == 0, random.below(2) == 0)) {
    tokenizer.decode(id);
    tokenizer.token_bytes(id);
  }
  for (int64_t id : {int64_t{-1}, static_cast<int64_t>(tokenizer.n_vocab()), int64_t{0}}) {
    try {
      tokenizer.decode(static_cast<int32_t>(id));
    } catch (const Error&) {
    }
  }
}

void try_tokenizer(const std::vector<uint8_t>& bytes, Random& random) {
  MemoryFile file(bytes);
  try {
    Gguf gguf(file.path());
    Tokenizer tokenizer(gguf);
    use(tokenizer, random);
  } catch (const Error&) {
  }
}

// What was read before may still be used; what is lost must not become other ids.
void test_cut_while_open(const std::vector<uint8_t>& bytes) {
  MemoryFile file(bytes);
  Gguf gguf(file.path());
  Tokenizer tokenizer(gguf);
  std::vector<int32_t> before = tokenizer.encode("the agreement", false, false);
  file.cut(0);
  bool sound = true;
  try {
    sound = tokenizer.encode("the agreement", false, false) == before;
  } catch (const Error&) {
  }
  check(sound, "a vocabulary lost while in use gives no wrong ids");
}

}  // namespace

void test_tokenizer() {
  Random random(2);
  for (bool spm : {true, false}) {
    File file;
    add_vocab(file, spm);
    Written written = write(file);
    MemoryFile sound(written.bytes);
    Gguf gguf(sound.path());
    Tokenizer tokenizer(gguf);
    std::string back;
    for (int32_t id : tokenizer.encode("the agreement é 2024", false, false)) back += tokenizer.decode(id);
    check(back == "the agreement é 2024" || back == " the agreement é 2024", "text comes back: " + back);
    test_cut_while_open(written.bytes);
    for (int i = 0; i < 300; ++i) use(tokenizer, random);
    for (int i = 0; i < 1500; ++i) try_tokenizer(damaged(written, random), random);

    // Sound files whose vocabulary says strange things.
    for (const Key& key : file.keys) {
      for (const Value& strange : strange_values(key.value, random)) {
        File changed = file;
        for (Key& one : changed.keys) {
          if (one.name == key.name) one.value = strange;
        }
        try_tokenizer(write(changed).bytes, random);
      }
    }
  }
  check(true, "damaged vocabularies");
}

}  // namespace longleaf::test

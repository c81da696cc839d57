#include "tiny_vocab.h"

#include <cmath>
#include <limits>
#include <string>

namespace longleaf::test {

namespace {

constexpr int32_t kNormal = 1, kUnknown = 2, kControl = 3, kByte = 6;
const std::string kWords[] = {"the", "agreement", "term", "2024"};

std::string utf8_below_u0800(unsigned code) {
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 63))};
}

// Byte-level BPE writes a byte as a letter: printable Latin-1 as it is, the others from U+0100 on.
std::string byte_letter(unsigned byte) {
  auto printable = [](unsigned b) { return (b > 32 && b < 127) || (b > 160 && b != 173); };
  if (printable(byte)) return utf8_below_u0800(byte);
  unsigned code = 256;
  for (unsigned b = 0; b < byte; ++b) code += printable(b) ? 0 : 1;
  return utf8_below_u0800(code);
}

void add_spm(File& file) {
  std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
  std::vector<int32_t> types = {kUnknown, kControl, kControl};
  constexpr char kHex[] = "0123456789ABCDEF";
  for (unsigned byte = 0; byte < 256; ++byte) {
    tokens.push_back(std::string("<0x") + kHex[byte >> 4] + kHex[byte & 15] + ">");
    types.push_back(kByte);
  }
  for (const std::string& word : kWords) {
    std::string marked = "\xE2\x96\x81" + word;
    for (size_t length = 4; length <= marked.size(); ++length) tokens.push_back(marked.substr(0, length));
  }
  tokens.push_back("\xE2\x96\x81");
  for (char letter = 'a'; letter <= 'z'; ++letter) tokens.emplace_back(1, letter);
  types.resize(tokens.size(), kNormal);
  std::vector<float> scores;
  for (size_t i = 0; i < tokens.size(); ++i) scores.push_back(-static_cast<float>(i));
  file.keys.push_back({"tokenizer.ggml.model", std::string("llama")});
  file.keys.push_back({"tokenizer.ggml.tokens", std::move(tokens)});
  file.keys.push_back({"tokenizer.ggml.scores", std::move(scores)});
  file.keys.push_back({"tokenizer.ggml.token_type", std::move(types)});
  file.keys.push_back({"tokenizer.ggml.bos_token_id", uint32_t{1}});
  file.keys.push_back({"tokenizer.ggml.eos_token_id", uint32_t{2}});
  file.keys.push_back({"tokenizer.ggml.add_bos_token", true});
}

void add_bpe(File& file) {
  std::vector<std::string> tokens, merges;
  for (unsigned byte = 0; byte < 256; ++byte) tokens.push_back(byte_letter(byte));
  for (const std::string& word : kWords) {
    std::string left = word.substr(0, 1);
    for (char letter : word.substr(1)) {
      merges.push_back(left + " " + letter);
      tokens.push_back(left += letter);
    }
  }
  std::vector<int32_t> types(tokens.size(), kNormal);
  tokens.push_back("<|endoftext|>");
  types.push_back(kControl);
  file.keys.push_back({"tokenizer.ggml.model", std::string("gpt2")});
  file.keys.push_back({"tokenizer.ggml.pre", std::string("qwen2")});
  file.keys.push_back({"tokenizer.ggml.eos_token_id", static_cast<uint32_t>(tokens.size() - 1)});
  file.keys.push_back({"tokenizer.ggml.tokens", std::move(tokens)});
  file.keys.push_back({"tokenizer.ggml.token_type", std::move(types)});
  file.keys.push_back({"tokenizer.ggml.merges", std::move(merges)});
}

struct Spoiler {
  Random& random;
  std::vector<Value> out;

  void any_type() {
    out.insert(out.end(), {uint32_t{0}, int64_t{-1}, 0.5f, true, std::string("x"), std::vector<int32_t>{},
                           std::vector<std::string>{}, std::vector<float>{}});
  }
  void operator()(uint32_t value) {
    any_type();
    for (uint32_t other : {1u, 2u, 3u, value + 1, value * 2, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
      out.emplace_back(other);
    }
    for (int64_t other : {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(),
                          int64_t{1} << 32, int64_t{1} << 20}) {
      out.emplace_back(other);
    }
  }
  void operator()(int64_t value) { (*this)(static_cast<uint32_t>(value)); }
  void operator()(bool) { any_type(); }
  void operator()(float) {
    any_type();
    for (float other : {0.0f, -1.0f, std::nanf(""), HUGE_VALF, -HUGE_VALF, 1e-45f, 3e38f})
      out.emplace_back(other);
  }
  void operator()(const std::string& value) {
    any_type();
    for (const char* other : {"", "llama", "gpt2", "bert", "t5", "rwkv", "none", "linear", "yarn", "\xff"}) {
      out.emplace_back(std::string(other));
    }
    out.emplace_back(value + "x");
    out.emplace_back(std::string(100000, 'a'));
  }
  template <typename Element>
  void operator()(const std::vector<Element>& values) {
    any_type();
    for (int i = 0; i < 20; ++i) {
      std::vector<Element> other = values;
      size_t at = random.below(values.size());
      switch (i % 4) {
        case 0:
          other.resize(at);
          break;
        case 1:
          other.insert(other.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        case 2:
          std::swap(other[at], other[random.below(values.size())]);
          break;
        default:
          spoil(other[at]);
      }
      out.emplace_back(std::move(other));
    }
  }
  void spoil(std::string& text) {
    static const std::string kTexts[] = {"",       " ",    "\xff", "a b c", std::string(70000, 'x'),
                                         "<0xZZ>", "<0x>", "\0"};
    text = kTexts[random.below(std::size(kTexts))];
  }
  void spoil(float& value) { value = random.below(2) == 0 ? std::nanf("") : HUGE_VALF; }
  void spoil(int32_t& value) { value = static_cast<int32_t>(random.next()); }
};

}  // namespace

void add_vocab(File& file, bool spm) { spm ? add_spm(file) : add_bpe(file); }

std::vector<Value> strange_values(const Value& sound, Random& random) {
  Spoiler spoiler{random, {}};
  std::visit(spoiler, sound);
  return std::move(spoiler.out);
}

}  // namespace longleaf::test

// The rules are those of the models' own tokenizers as llama.cpp reads them (its llama-vocab.cpp and
// unicode.cpp, October 2026), each written here as a scanner that never goes back over more than it keeps.
#include "text/pretokenize.h"

#include <algorithm>

#include "error.h"
#include "gguf/text.h"
#include "text/unicode.h"

namespace longleaf {

namespace {

// A character with its class and where its bytes begin; one more, empty one stands at the end of the text.
struct Char {
  uint32_t code;
  uint32_t start;
  CharClass kind;
};

constexpr uint32_t kEnd = 0xFFFFFFFF;

// The characters [begin, end) of a text. Reading outside gives an end mark of no class.
struct Span {
  const Char* chars;
  size_t begin;
  size_t end;

  uint32_t code(size_t at) const { return at < end ? chars[at].code : kEnd; }
  bool is(size_t at, CharClass kind) const { return at < end && chars[at].kind == kind; }
  bool letter(size_t at) const { return is(at, CharClass::Letter); }
  bool number(size_t at) const { return is(at, CharClass::Number); }
  bool space(size_t at) const { return is(at, CharClass::Space); }
  bool line_end(size_t at) const { return code(at) == '\r' || code(at) == '\n'; }
  bool lower(size_t at) const { return code(at) >= 'a' && code(at) <= 'z'; }
  bool upper(size_t at) const { return code(at) >= 'A' && code(at) <= 'Z'; }
  // Neither letter, number nor white space.
  bool other(size_t at) const { return at < end && !letter(at) && !number(at) && !space(at); }
};

// Ends of words, as indexes of characters.
using Cuts = std::vector<size_t>;

template <typename Holds>
size_t run(size_t at, Holds holds) {
  while (holds(at)) ++at;
  return at;
}

// 's 't 'm 'd 're 've 'll at `at`: the number of characters, 0 if there is none.
size_t contraction(const Span& text, size_t at, bool any_case) {
  if (text.code(at) != '\'') return 0;
  auto letter = [&](size_t place) {
    const uint32_t code = text.code(place);
    return any_case && code >= 'A' && code <= 'Z' ? code + 32 : code;
  };
  const uint32_t one = letter(at + 1);
  const uint32_t two = letter(at + 2);
  if (one == 's' || one == 't' || one == 'm' || one == 'd') return 2;
  return (one == 'r' && two == 'e') || (one == 'v' && two == 'e') || (one == 'l' && two == 'l') ? 3 : 0;
}

// White space at `at`: all of it at the end of the text, else all but the last, which belongs to the next
// word.
size_t end_of_space(const Span& text, size_t at) {
  const size_t end = run(at, [&](size_t i) { return text.space(i); });
  return end < text.end && end - at > 1 ? end - 1 : end;
}

// GPT-2: contractions, then letters, numbers or others, each with a space before it, then white space.
void cut_gpt2(const Span& text, Cuts& cuts) {
  for (size_t at = text.begin; at < text.end; cuts.push_back(at)) {
    if (const size_t size = contraction(text, at, false)) {
      at += size;
      continue;
    }
    const size_t word = at + (text.code(at) == ' ');
    if (text.letter(word))
      at = run(word, [&](size_t i) { return text.letter(i); });
    else if (text.number(word))
      at = run(word, [&](size_t i) { return text.number(i); });
    else if (text.other(word))
      at = run(word, [&](size_t i) { return text.other(i); });
    else
      at = end_of_space(text, at);
  }
}

// What differs between the relatives of tiktoken's cl100k and o200k rules.
struct WordRules {
  size_t digits;   // numbers are cut after so many
  bool cases;      // a word also ends where lower case is followed by upper case; contractions belong to it
  bool line_ends;  // line ends after punctuation belong to it
  bool slashes;    // so do slashes
  bool contractions;  // 's and the like are (part of) words
};

// The end of a word of the o200k family whose letters begin at `at`, or `at` if there is none. Classes are
// llama.cpp's: letters outside ASCII count as both cases.
size_t end_of_cased_word(const Span& text, size_t at) {
  auto not_lower = [&](size_t i) { return text.letter(i) && !text.lower(i); };
  auto not_upper = [&](size_t i) { return text.letter(i) && !text.upper(i); };
  const size_t upper_end = run(at, not_lower);
  if (not_upper(upper_end)) return run(upper_end, not_upper);
  size_t last = upper_end;
  while (last > at && text.upper(last - 1)) --last;
  return last > at ? last : upper_end;
}

size_t end_of_word(const Span& text, size_t at, const WordRules& rules) {
  if (!rules.cases) return run(at, [&](size_t i) { return text.letter(i); });
  const size_t end = end_of_cased_word(text, at);
  return end > at && rules.contractions ? end + contraction(text, end, true) : end;
}

void cut_words(const Span& text, Cuts& cuts, const WordRules& rules) {
  for (size_t at = text.begin; at < text.end; cuts.push_back(at)) {
    if (rules.contractions && !rules.cases) {
      if (const size_t size = contraction(text, at, true)) {
        at += size;
        continue;
      }
    }
    // One character that is no letter, number or line end may begin a word.
    const bool led = !text.letter(at) && !text.number(at) && !text.line_end(at);
    if (text.letter(at + led)) {
      at = end_of_word(text, at + led, rules);
      continue;
    }
    if (text.number(at)) {
      const size_t end = std::min(text.end, at + rules.digits);
      at = run(at, [&](size_t i) { return i < end && text.number(i); });
      continue;
    }
    const size_t word = at + (text.code(at) == ' ');
    if (text.other(word)) {
      at = run(word, [&](size_t i) { return text.other(i); });
      at = run(at, [&](size_t i) {
        return (rules.line_ends && text.line_end(i)) || (rules.slashes && text.code(i) == '/');
      });
      continue;
    }
    const size_t end = run(at, [&](size_t i) { return text.space(i); });
    size_t last = end;
    while (last > at && !text.line_end(last - 1)) --last;
    at = last > at ? last : end_of_space(text, at);
  }
}

void cut_llama3(const Span& text, Cuts& cuts) { cut_words(text, cuts, {3, false, true, false, true}); }
void cut_qwen2(const Span& text, Cuts& cuts) { cut_words(text, cuts, {1, false, true, false, true}); }
void cut_seed_coder(const Span& text, Cuts& cuts) { cut_words(text, cuts, {1, false, false, false, true}); }
void cut_tekken(const Span& text, Cuts& cuts) { cut_words(text, cuts, {1, true, true, true, false}); }
void cut_gpt4o(const Span& text, Cuts& cuts) { cut_words(text, cuts, {3, true, true, true, true}); }

// Cuts before and after each run that `holds`, or after every `size` characters of it; a rest that is shorter
// than `size` stays with what follows it.
template <typename Holds>
void cut_around(const Span& text, Cuts& cuts, size_t size, Holds holds) {
  for (size_t at = text.begin; at < text.end;) {
    size_t end = at;
    while (end < text.end && end - at < size && holds(end)) ++end;
    if (end > at && (size == SIZE_MAX || end - at == size)) {
      if (at > text.begin && (cuts.empty() || cuts.back() != at)) cuts.push_back(at);
      cuts.push_back(end);
      at = end;
    } else {
      at = std::max(end, at + 1);
    }
  }
  if (cuts.empty() || cuts.back() != text.end) cuts.push_back(text.end);
}

void cut_each_number(const Span& text, Cuts& cuts) {
  cut_around(text, cuts, 1, [&](size_t i) { return text.number(i); });
}

void cut_numbers(const Span& text, Cuts& cuts) {
  cut_around(text, cuts, SIZE_MAX, [&](size_t i) { return text.number(i); });
}

void cut_three_digits(const Span& text, Cuts& cuts) {
  cut_around(text, cuts, 3, [&](size_t i) { return text.code(i) >= '0' && text.code(i) <= '9'; });
}

bool falcon_mark(const Span& text, size_t at) {
  return text.is(at, CharClass::Punctuation) || (text.code(at) < 128 && text.is(at, CharClass::Symbol));
}

void cut_falcon_marks(const Span& text, Cuts& cuts) {
  cut_around(text, cuts, SIZE_MAX, [&](size_t i) { return falcon_mark(text, i); });
}

void cut_default_marks(const Span& text, Cuts& cuts) {
  cut_around(text, cuts, SIZE_MAX, [&](size_t i) { return falcon_mark(text, i) && text.code(i) != '`'; });
}

}  // namespace

// Passes one after the other; each cuts what the ones before it have left.
struct PreTokenizer {
  std::vector<void (*)(const Span&, Cuts&)> passes;
};

namespace {

const PreTokenizer kGpt2{{cut_gpt2}};
const PreTokenizer kSmollm{{cut_each_number, cut_gpt2}};
const PreTokenizer kLlama3{{cut_llama3}};
const PreTokenizer kQwen2{{cut_qwen2}};
const PreTokenizer kSeedCoder{{cut_seed_coder}};
const PreTokenizer kTekken{{cut_tekken}};
const PreTokenizer kGpt4o{{cut_gpt4o}};
const PreTokenizer kFalcon{{cut_falcon_marks, cut_gpt2, cut_three_digits}};
const PreTokenizer kDefault{{cut_default_marks, cut_gpt2, cut_numbers, cut_three_digits}};

struct Named {
  std::string_view name;
  PreTokenizerInfo info;
};

const Named kKnown[] = {
    {"default", {&kDefault, false, false}},
    {"falcon", {&kFalcon, false, false}},
    {"gpt-2", {&kGpt2, false, false}},
    {"phi-2", {&kGpt2, false, false}},
    {"mpt", {&kGpt2, false, false}},
    {"olmo", {&kGpt2, false, false}},
    {"jais", {&kGpt2, false, false}},
    {"trillion", {&kGpt2, false, false}},
    {"exaone4", {&kGpt2, false, false}},
    {"mellum", {&kGpt2, false, false}},
    {"gigachat", {&kGpt2, false, false}},
    {"granite-docling", {&kGpt2, false, false}},
    {"a.x-4.0", {&kGpt2, false, false}},
    {"smollm", {&kSmollm, false, false}},
    {"starcoder", {&kSmollm, false, false}},
    {"refact", {&kSmollm, false, false}},
    {"command-r", {&kSmollm, false, false}},
    {"codeshell", {&kSmollm, false, false}},
    {"exaone", {&kSmollm, false, false}},
    {"minerva-7b", {&kSmollm, false, false}},
    {"mellum2", {&kSmollm, false, false}},
    {"llama-bpe", {&kLlama3, true, true}},
    {"llama3", {&kLlama3, true, true}},
    {"llama-v3", {&kLlama3, true, true}},
    {"falcon3", {&kLlama3, true, true}},
    {"falcon-h1", {&kLlama3, true, true}},
    {"pixtral", {&kLlama3, true, true}},
    {"midm-2.0", {&kLlama3, true, true}},
    {"lfm2", {&kLlama3, true, true}},
    {"dbrx", {&kLlama3, false, false}},
    {"smaug-bpe", {&kLlama3, false, false}},
    {"qwen2", {&kQwen2, false, false}},
    {"deepseek-r1-qwen", {&kQwen2, false, false}},
    {"megrez", {&kQwen2, false, false}},
    {"stablelm2", {&kQwen2, false, false}},
    {"hunyuan", {&kQwen2, false, false}},
    {"kormo", {&kQwen2, false, false}},
    {"grok-2", {&kQwen2, false, false}},
    {"solar-open", {&kQwen2, false, false}},
    {"seed-coder", {&kSeedCoder, false, false}},
    {"tekken", {&kTekken, true, true}},
    {"gpt-4o", {&kGpt4o, false, false}},
    {"llama4", {&kGpt4o, false, false}},
    {"kanana2", {&kGpt4o, false, false}},
};

}  // namespace

PreTokenizerInfo find_pre_tokenizer(std::string_view name) {
  std::string known;
  for (const Named& entry : kKnown) {
    if (entry.name == name) return entry.info;
    known += known.empty() ? "" : ", ";
    known += entry.name;
  }
  throw Error("pre-tokenizer " + quoted(name) + " is not known; known are " + known);
}

void pre_tokenize(const PreTokenizer& rules, std::string_view text, std::vector<std::string_view>& words) {
  if (text.empty()) return;
  if (text.size() > static_cast<size_t>(INT32_MAX))
    throw Error("a text of " + std::to_string(text.size()) + " bytes is too long to tokenize in one piece");
  std::vector<Char> chars;
  chars.reserve(text.size() + 1);
  for (size_t at = 0; at < text.size();) {
    const uint32_t start = static_cast<uint32_t>(at);
    const uint32_t code = next_code_point(text, at);
    chars.push_back({code, start, char_class(code)});
  }
  const size_t n_chars = chars.size();
  chars.push_back({kEnd, static_cast<uint32_t>(text.size()), CharClass::Other});

  Cuts ends = {n_chars};
  for (auto pass : rules.passes) {
    Cuts finer;
    Cuts part;
    size_t begin = 0;
    for (size_t end : ends) {
      part.clear();
      pass({chars.data(), begin, end}, part);
      finer.insert(finer.end(), part.begin(), part.end());
      begin = end;
    }
    ends = std::move(finer);
  }
  size_t begin = 0;
  for (size_t end : ends) {
    words.push_back(text.substr(chars[begin].start, chars[end].start - chars[begin].start));
    begin = end;
  }
}

}  // namespace longleaf

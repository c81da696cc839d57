// Cuts text into the words that byte-level BPE never merges across.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace longleaf {

struct PreTokenizer;

struct PreTokenizerInfo {
  const PreTokenizer* rules;
  bool whole_words_first;  // a word that is a piece is taken as it is, before any merge
  bool adds_bos;           // unless the file says otherwise
};

// By the value of tokenizer.ggml.pre; throws Error naming it and those that are known.
PreTokenizerInfo find_pre_tokenizer(std::string_view name);

// Appends the words of the text in order; joined they are the text.
void pre_tokenize(const PreTokenizer& rules, std::string_view text, std::vector<std::string_view>& words);

}  // namespace longleaf

// UTF-8 and character classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace longleaf {

enum class CharClass : uint8_t { Other, Letter, Number, Mark, Punctuation, Symbol, Space };

// Start of a run of code points with one class: start << 3 | class, ascending. From make_unicode_table.py.
extern const size_t kUnicodeRangeCount;
extern const uint32_t kUnicodeRanges[];

// The general category's first letter, but Space for all White_Space; Other above U+10FFFF.
CharClass char_class(uint32_t code_point);

// How many bytes a character takes, judged by its first byte only: 1 for a stray continuation byte.
inline size_t utf8_length(char first) {
  static const uint8_t lengths[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
  return lengths[static_cast<uint8_t>(first) >> 4];
}

// The code point at `at`, which moves past it. A byte that starts no well-formed character is taken alone, as
// U+FFFD.
uint32_t next_code_point(std::string_view text, size_t& at);

}  // namespace longleaf

#include "text/unicode.h"

#include <algorithm>
#include <array>

namespace longleaf {

namespace {

CharClass search(uint32_t code_point) {
  const uint32_t* end = kUnicodeRanges + kUnicodeRangeCount;
  const uint32_t* after = std::upper_bound(kUnicodeRanges, end, code_point << 3 | 7u);
  return static_cast<CharClass>(after[-1] & 7u);
}

}  // namespace

CharClass char_class(uint32_t code_point) {
  static const std::array<CharClass, 256> latin = [] {
    std::array<CharClass, 256> classes;
    for (uint32_t i = 0; i < classes.size(); ++i) classes[i] = search(i);
    return classes;
  }();
  if (code_point < latin.size()) return latin[code_point];
  return code_point > 0x10FFFF ? CharClass::Other : search(code_point);
}

uint32_t next_code_point(std::string_view text, size_t& at) {
  constexpr uint32_t kReplacement = 0xFFFD;
  // Smallest code point of each length, so that overlong forms are refused (RFC 3629).
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  const uint8_t first = static_cast<uint8_t>(text[at]);
  const size_t length = utf8_length(text[at]);
  if (first < 0x80) return text[at++];
  if (first < 0xC0 || first >= 0xF8 || length > text.size() - at) return ++at, kReplacement;
  uint32_t value = first & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    const uint8_t next = static_cast<uint8_t>(text[at + i]);
    if ((next & 0xC0) != 0x80) return ++at, kReplacement;
    value = value << 6 | (next & 0x3Fu);
  }
  if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
    return ++at, kReplacement;
  at += length;
  return value;
}

}  // namespace longleaf

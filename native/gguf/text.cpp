#include "gguf/text.h"

#include <cstddef>

namespace longleaf {

namespace {

// Length of the well-formed character at the start of `text`, 0 if there is none.
size_t character_length(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  auto continues = [&](size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return continues(1) ? 2 : 0;
  if (first < 0xF0) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;   // overlong
    if (first == 0xED && byte(1) >= 0xA0) return 0;  // surrogate
    return 3;
  }
  if (first < 0xF5) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;   // overlong
    if (first == 0xF4 && byte(1) >= 0x90) return 0;  // above U+10FFFF
    return 4;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string quoted(std::string_view text) {
  constexpr size_t kLimit = 256;
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  while (!text.empty() && out.size() <= kLimit) {
    auto first = static_cast<unsigned char>(text[0]);
    size_t length = character_length(text);
    if (length == 0 || first < 0x20 || first == 0x7F) {
      out += "\\x";
      out += kHex[first >> 4];
      out += kHex[first & 15];
      length = 1;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  out += text.empty() ? "\"" : "...\"";
  return out;
}

}  // namespace longleaf

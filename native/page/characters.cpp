#include "page/characters.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace longleaf {

namespace {

constexpr uint32_t kHyphen = 0x02;  // what pdfium puts for the hyphen of a word it saw broken at a line end
constexpr uint16_t kNoCharacter =
    0xFFFE;                   // its bulk text has this for that hyphen and for what has no meaning
constexpr double kFar = 1e5;  // points

bool is_space(uint32_t code) {
  if (code < 0x80) return code == 32 || (code >= 9 && code <= 13);
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

std::vector<uint32_t> read_codes(const TextFunctions& functions, void* page, int count) {
  const auto n = static_cast<size_t>(count);
  std::vector<uint16_t> units(2 * n + 2);
  const int written = count > 0 ? functions.text(page, 0, count, units.data()) - 1 : 0;
  const bool one_each =
      written == count && std::none_of(units.begin(), units.begin() + count,
                                       [](uint16_t u) { return u == 0 || (u & 0xF800) == 0xD800; });
  std::vector<uint32_t> codes(n);
  for (size_t i = 0; i < n; ++i) {
    // Where the bulk call leaves characters out or uses two units for one, each is asked for by itself.
    const bool known = one_each && units[i] != kNoCharacter;
    codes[i] = known ? units[i] : functions.unicode(page, static_cast<int>(i));
    if (codes[i] == kHyphen) codes[i] = '-';
  }
  return codes;
}

}  // namespace

std::array<double, 4> as_shown(const std::array<float, 4>& sides, const PageFrame& frame) {
  if (!std::all_of(sides.begin(), sides.end(), [](float side) { return std::isfinite(side); })) return {};
  const double left = std::min(sides[0], sides[2]), right = std::max(sides[0], sides[2]);
  const double bottom = std::min(sides[1], sides[3]), top = std::max(sides[1], sides[3]);
  std::array<double, 4> box;
  switch (frame.turns) {
    case 0:
      box = {left - frame.left, frame.top - top, right - frame.left, frame.top - bottom};
      break;
    case 1:
      box = {bottom - frame.bottom, left - frame.left, top - frame.bottom, right - frame.left};
      break;
    case 2:
      box = {frame.right - right, bottom - frame.bottom, frame.right - left, top - frame.bottom};
      break;
    default:
      box = {frame.top - top, frame.right - right, frame.top - bottom, frame.right - left};
  }
  for (double& side : box) side = std::clamp(side, -kFar, kFar);
  return box;
}

Characters read_characters(const TextFunctions& functions, void* page, int count, const PageFrame& frame) {
  const bool upright = frame.turns % 2 == 0;
  const double across = frame.right - frame.left, along = frame.top - frame.bottom;
  const double width = upright ? across : along, height = upright ? along : across;
  const std::vector<uint32_t> codes = read_codes(functions, page, count);
  Characters found;
  found.codes.reserve(codes.size());
  found.boxes.reserve(4 * codes.size());
  found.before.reserve(codes.size());
  found.indexes.reserve(codes.size());
  uint8_t before = kNone;
  for (int i = 0; i < count; ++i) {
    const uint32_t code = codes[static_cast<size_t>(i)];
    if (code == '\n' || code == '\r') {
      before = kLine;
    } else if (is_space(code)) {
      const Break made = functions.generated(page, i) == 1 ? kGenerated : kSpace;
      before = std::max<uint8_t>(before, made);
    } else {
      std::array<float, 4> sides{};
      functions.loose_box(page, i, sides.data());
      const std::array<double, 4> box = as_shown(sides, frame);
      if (box[2] < 0 || box[3] < 0 || box[0] > width || box[1] > height) {
        ++found.outside;
        continue;
      }
      found.codes.push_back(code);
      found.boxes.insert(found.boxes.end(), box.begin(), box.end());
      found.before.push_back(before);
      found.indexes.push_back(i);
      before = kNone;
    }
  }
  return found;
}

}  // namespace longleaf

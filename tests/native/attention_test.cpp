// Attention on tiles: near the set without them, whatever the head, the window, the rows and the cache; and
// the emulation's bits.
#include "attention/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "kernels/kernels.h"
#include "kv/pool.h"

namespace longleaf::test {
namespace {

struct Case {
  size_t head_dim, heads, kv_heads, window;
  size_t before, rows;  // tokens in the cache, and those whose attention is computed
  KvType type;

  std::string text() const {
    std::string name = "attention";
    for (const size_t n : {head_dim, heads, kv_heads, window, before, rows, static_cast<size_t>(type)}) {
      name += " " + std::to_string(n);
    }
    return name;
  }
};

std::vector<float> random_floats(size_t n, Random& random, float size) {
  std::vector<float> values(n);
  for (float& value : values) value = size * (2 * random.real() - 1);
  return values;
}

std::vector<float> attend(const Case& c, const std::string& set) {
  const Kernels& kernels = kernel_set(set);
  Random random(c.head_dim * 31 + c.rows);
  const size_t tokens = c.before + c.rows, width = c.heads * c.head_dim;
  const bool integers = tile_kernels(set, c.type, c.type) != nullptr;
  KvPool pool({c.kv_heads, c.head_dim, c.type, c.type, {c.window}, tokens, integers}, size_t{16} << 20);
  const int64_t sequence = pool.create();
  pool.begin({{sequence, tokens}});
  pool.extend(sequence, tokens);
  const std::vector<uint32_t>& pages = pool.table(sequence, 0);
  const KvPart keys = pool.layout().keys(), values = pool.layout().values();
  for (size_t token = 0; token < tokens; ++token) {
    for (size_t head = 0; head < c.kv_heads; ++head) {
      std::byte* page = pool.head_at(pages[token / kPageTokens], head);
      const std::vector<float> key = random_floats(c.head_dim, random, 2),
                               value = random_floats(c.head_dim, random, token % 7 == 0 ? 30.0f : 1.0f);
      write_vector(kernels, keys, page, token % kPageTokens, key.data());
      write_vector(kernels, values, page + keys.bytes(), token % kPageTokens, value.data());
    }
  }
  pool.commit(sequence, tokens);
  pool.finish(sequence);
  ThreadPool threads(2);
  Attention attention(kernels, pool.layout(), c.heads, 2);
  const std::vector<float> q = random_floats(c.rows * width, random, 1);
  std::vector<float> out(c.rows * width);
  attention.run(threads, pool, {c.heads, c.kv_heads, c.head_dim, c.window},
                {{0, c.rows, c.before, pool.table(sequence, 0).data()}}, q.data(), width, out.data(), width);
  return out;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double apart = 0, length = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    apart += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
    length += double{b[i]} * b[i];
  }
  return std::sqrt(apart / length);
}

}  // namespace

void test_attention() {
  const std::vector<std::string> sets = kernel_set_names();
  const auto runs = [&](const char* set) { return std::find(sets.begin(), sets.end(), set) != sets.end(); };
  if (!runs("avx512")) return;
  // A score of n products has an error of 0.0022 |q| |k| / sqrt(n), here at most 0.04, and so has a weight.
  constexpr double kNear = 0.02;
  const Case cases[] = {
      {64, 3, 1, 0, 0, 75, KvType::F16},     // rows that fill no tile behind those that do
      {64, 2, 1, 40, 90, 33, KvType::BF16},  // a window, behind others
      {128, 4, 2, 0, 130, 8, KvType::Q8},    // one tile of 16 rows each
      {128, 4, 2, 0, 5, 70, KvType::Q4},     //
      {256, 4, 1, 50, 70, 90, KvType::F16},  // more rows than a tile of attention has
      {256, 1, 1, 0, 1050, 17, KvType::Q8},  // more than a segment
      {192, 1, 1, 0, 3, 40, KvType::Q4},     //
      {96, 2, 1, 0, 60, 40, KvType::F16},    // heads that do not fill tiles
      {64, 15, 1, 0, 100, 1, KvType::F16},   // too few rows
  };
  for (const Case& c : cases) {
    const std::vector<float> expected = attend(c, "avx512"), emulated = attend(c, "amx-emulated");
    check(std::any_of(expected.begin(), expected.end(), [](float x) { return x != 0; }), c.text());
    const double apart = distance(emulated, expected);
    check(apart > 0 && apart < kNear, c.text() + ": " + std::to_string(apart) + " from avx512");
    if (!runs("amx")) continue;
    const std::vector<float> out = attend(c, "amx");
    check(std::memcmp(out.data(), emulated.data(), out.size() * sizeof(float)) == 0, c.text() + " on tiles");
  }
}

}  // namespace longleaf::test

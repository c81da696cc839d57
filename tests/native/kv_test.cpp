// Pages: every type written, read and cleared; products in integers against plain loops; the pool under
// random operations, with pages to import that make no sense.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "attention/tiles.h"
#include "check.h"
#include "error.h"
#include "kernels/kernels.h"
#include "kv/error_shape.h"
#include "kv/fit.h"
#include "kv/key_basis.h"
#include "kv/pool.h"

namespace longleaf::test {

namespace {

const KvType kTypes[] = {KvType::F32, KvType::F16, KvType::BF16, KvType::Q8, KvType::Q4};
const size_t kDims[] = {1, 2, 7, 24, 64, 80, 256, 1024};

std::vector<float> some_floats(size_t n, Random& random) {
  std::vector<float> x(n);
  const float scale = std::exp2(20 * random.real() - 10);
  for (float& value : x) value = scale * (random.real() - 0.5f);
  return x;
}

float largest(const std::vector<float>& x) {
  float most = 0;
  for (float value : x) most = std::max(most, std::fabs(value));
  return most;
}

size_t place(const KvPart& part, size_t token, size_t dim) {
  return part.keys ? (token / 16 * part.rows() + dim) * 16 + token % 16
                   : (dim / 16 * 64 + token) * 16 + dim % 16;
}

void test_format(const Kernels& kernels, const KvPart& part, Random& random) {
  std::vector<std::byte> page(part.bytes());
  std::vector<std::vector<float>> written;
  for (size_t token = 0; token < kPageTokens; ++token) {
    written.push_back(some_floats(part.dims, random));
    if (token == 5) std::fill(written.back().begin(), written.back().end(), 0.0f);
    write_vector(kernels, part, page.data(), token, written.back().data());
  }
  std::vector<float> tile(part.panels() * part.rows() * 16), scales(kPageTokens, 1.0f);
  const float* panels = unpack_panels(kernels, part, page.data(), tile.data());
  load_scales(part, page.data(), scales.data());
  bool near = true;
  double squares = 0, errors = 0;
  for (size_t token = 0; token < kPageTokens; ++token) {
    std::vector<float> stored = written[token];
    if (part.codes() && !part.keys) kernels.rotate(stored.data(), part.dims);
    for (size_t i = 0; i < part.dims; ++i) {
      const float x = stored[i];
      const double error = panels[place(part, token, i)] * scales[token] - x;
      squares += x * x / std::pow(largest(stored) + 1e-30, 2);
      errors += error * error / std::pow(largest(stored) + 1e-30, 2);
      if (part.type == KvType::Q4) continue;
      const float whole = part.whole_numbers() ? 0.501f * scales[token] : 0;
      const float step = whole + (part.type == KvType::Q8     ? 1.01f / 254 * largest(stored)
                                  : part.type == KvType::BF16 ? 0x1p-8f * std::fabs(x)
                                  : part.type == KvType::F16  ? 0x1p-11f * std::fabs(x) + 0x1p-25f
                                                              : 0);
      near = near && std::fabs(error) <= step;
    }
  }
  near = near && errors < 0.015 * squares;
  check(near, "a page gives back what was written to it");
  if (part.whole_numbers()) {
    KvPart floats = part;
    floats.integers = false;
    std::vector<std::byte> float_page(floats.bytes());
    std::vector<float> float_tile(floats.panels() * floats.rows() * 16);
    for (size_t token = 0; token < kPageTokens; ++token)
      write_vector(kernels, floats, float_page.data(), token, written[token].data());
    unpack_panels(kernels, floats, float_page.data(), float_tile.data());
    bool rounded = true;
    for (size_t token = 0; token < kPageTokens; ++token) {
      const float inverse = scales[token] > 0 ? 1 / scales[token] : 0;
      for (size_t i = 0; i < part.dims; ++i) {
        const float expected = std::nearbyint(float_tile[place(floats, token, i)] * inverse);
        rounded = rounded && panels[place(part, token, i)] == expected;
      }
    }
    check(rounded, "whole numbers are the floats in steps of the scale");
  }
  // The bytes of a token do not depend on what is written after it or stood there before.
  std::vector<std::byte> other(part.bytes());
  for (size_t token = kPageTokens; token-- > 0;) {
    if (token % 3 == 0) {
      const std::vector<float> noise = some_floats(part.dims, random);
      write_vector(kernels, part, other.data(), token, noise.data());
    }
    write_vector(kernels, part, other.data(), token, written[token].data());
  }
  check(page == other, "a page depends on its tokens alone");
  clear_tokens(part, page.data(), 17);
  std::vector<std::byte> short_page(part.bytes());
  for (size_t token = 0; token < 17; ++token)
    write_vector(kernels, part, short_page.data(), token, written[token].data());
  check(page == short_page, "cleared tokens leave no trace");
}

void test_tiles(const Kernels& kernels, const TileKernels& tiles, KvType type, size_t dims, Random& random) {
  const KvPart keys{type, true, dims, true}, values{type, false, dims, true};
  const size_t pairs = (keys.rows() + 1) / 2, panels = values.panels();
  std::vector<std::byte> key_page(keys.bytes()), value_page(values.bytes());
  for (size_t token = 0; token < kPageTokens; ++token) {
    write_vector(kernels, keys, key_page.data(), token, some_floats(dims, random).data());
    write_vector(kernels, values, value_page.data(), token, some_floats(dims, random).data());
  }
  std::vector<int16_t> key_tile(4 * pairs * 32), value_tile(panels * 32 * 32);
  std::vector<float> key_scales(64), value_scales(64), key_floats(4 * keys.rows() * 16), scales(64, 1.0f);
  const auto numbers_of = [](const TilePanels& p) {
    return std::vector<int16_t>(p.numbers, p.numbers + p.panels * p.pairs * 32);
  };
  const TilePanels key_panels =
      tiles.load_panels(keys, key_page.data(), key_page.data(), key_tile.data(), key_scales.data());
  const TilePanels value_panels =
      tiles.load_panels(values, value_page.data(), nullptr, value_tile.data(), value_scales.data());
  const std::vector<int16_t> key_numbers = numbers_of(key_panels), value_numbers = numbers_of(value_panels);
  const float* plain = unpack_panels(kernels, keys, key_page.data(), key_floats.data());
  load_scales(keys, key_page.data(), scales.data());
  bool near = true;
  for (size_t token = 0; token < 64; ++token) {
    for (size_t i = 0; i < dims; ++i) {
      const int16_t code = key_numbers[(token / 16 * pairs + i / 2) * 32 + token % 16 * 2 + i % 2];
      const float x = plain[place(keys, token, i)] * scales[token];
      near = near && std::fabs(code * key_scales[token] - x) <= 0.51f * key_scales[token];
    }
  }
  check(near, "keys as 16-bit numbers");

  const size_t rows = 1 + random.below(40), ldq = (dims + 31) / 32 * 32;
  std::vector<int16_t> q(rows * ldq);
  std::vector<float> query_scales(rows), max(rows, kNothing), sums(rows * 16), correction(rows), factor(rows);
  for (size_t row = 0; row < rows; ++row)
    query_scales[row] = tiles.load_query(some_floats(dims, random).data(), dims, &q[row * ldq]) * 1.4426950f;
  std::vector<int32_t> scores(rows * 64);
  const size_t tokens = 1 + random.below(64);
  tiles.scores(q.data(), ldq, rows, key_panels, tokens, key_tile.data(), scores.data());
  bool exact = true;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t token = 0; token < tokens; ++token) {
      int64_t sum = 0;
      for (size_t i = 0; i < dims; ++i) {
        sum += int64_t{q[row * ldq + i]} *
               key_numbers[(token / 16 * pairs + i / 2) * 32 + token % 16 * 2 + i % 2];
      }
      exact = exact && sum == scores[row * 64 + token];
    }
  }
  check(exact, "scores are exact sums, none overflows");

  std::vector<uint8_t> low(rows), high(rows);
  for (size_t row = 0; row < rows; ++row) {
    low[row] = static_cast<uint8_t>(random.below(tokens));
    high[row] = static_cast<uint8_t>(low[row] + random.below(tokens + 1 - low[row]));  // none now and then
  }
  std::vector<int16_t> weights(rows * 64);
  const std::vector<int32_t> sums_of_products = scores;
  const float most = most_weight(type);
  tiles.softmax({rows, scores.data(), key_scales.data(), query_scales.data(), value_scales.data(), most,
                 low.data(), high.data(), max.data(), sums.data(), weights.data(), correction.data(),
                 factor.data()});
  std::vector<float> out(rows * panels * 16, 0.0f);
  tiles.accumulate(weights.data(), rows, value_panels, tokens, value_tile.data(), correction.data(),
                   factor.data(), out.data(), panels * 16);
  bool right = true;
  for (size_t row = 0; row < rows; ++row) {
    double top = -1e300, total = 0, largest_value = 0;
    std::vector<double> x(64), expected(dims, 0.0);
    for (size_t token = low[row]; token < high[row]; ++token) {
      x[token] = double{key_scales[token]} * query_scales[row] * sums_of_products[row * 64 + token];
      top = std::max(top, x[token]);
    }
    for (size_t token = low[row]; token < high[row]; ++token) {
      const double weight = std::exp2(x[token] - top);
      total += weight;
      for (size_t i = 0; i < dims; ++i) {
        const double value = double{value_scales[token]} *
                             value_numbers[(i / 16 * 32 + token / 2) * 32 + i % 16 * 2 + token % 2];
        expected[i] += weight * value;
        largest_value = std::max(largest_value, std::fabs(value));
      }
    }
    right = right && std::fabs(tiles.total(&sums[row * 16]) - total) <= 1e-5 * total;
    for (size_t i = 0; i < dims; ++i) {
      const double error = std::fabs(out[row * panels * 16 + i] - expected[i]);
      right = right && error <= (64 / double{most} + 1e-5) * largest_value;
    }
  }
  check(right, "softmax and weighted values");
}

double product(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

// Of some vectors with few large dimensions: sums of products of dimensions, [dims][dims].
std::vector<float> some_products(size_t dims, Random& random) {
  std::vector<float> sums(dims * dims), sizes(dims);
  for (float& size : sizes) size = random.below(4) == 0 ? 0 : std::exp2(8 * random.real() - 4);
  for (size_t each = 0; each < 2 * dims; ++each) {
    std::vector<float> x = some_floats(dims, random);
    for (size_t i = 0; i < dims; ++i) x[i] *= sizes[i];
    for (size_t i = 0; i < dims; ++i) {
      for (size_t j = 0; j < dims; ++j) sums[i * dims + j] += x[i] * x[j];
    }
  }
  return sums;
}

void test_basis(const Kernels& kernels, const KvPart& part, Random& random) {
  const size_t dims = part.dims;
  std::vector<float> queries = some_products(dims, random), keys(dims);
  for (float& key : keys) key = random.below(4) == 0 ? 0 : std::exp2(16 * random.real() - 8);
  if (random.below(8) == 0) keys[random.below(dims)] = NAN;
  if (random.below(8) == 0) queries[random.below(dims * dims)] = NAN;
  const KeyBasis basis(kernels, queries, keys, dims / 2 * 2, part);
  std::vector<float> q = some_floats(dims, random), k = some_floats(dims, random);
  const double before = product(q, k);
  basis.turn_query(q.data());
  basis.turn_key(k.data());
  const double most = std::sqrt(product(q, q) * product(k, k));
  check(std::fabs(product(q, k) - before) <= 1e-5 * most, "a basis leaves products as they are");
}

// Squares of what is off with codes of half a byte.
double off(const float* x, size_t n, const Fit& fit, float step) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += std::pow(double{x[i]} - kHalfLevels[fit.codes[i]] * double{fit.multiplier} * step, 2);
  return sum;
}

void test_fit(Random& random) {
  const size_t dims = 88;
  const ErrorShape shape(some_products(dims, random), dims);
  bool same = true, near = true;
  for (int time = 0; time < 300; ++time) {
    std::vector<float> x = some_floats(dims, random);
    const size_t begin = random.below(dims),
                 end = begin + 1 + random.below(std::min<size_t>(kMostFit, dims - begin));
    const float step = largest(x) / 63 / 8, first = 1 + static_cast<float>(random.below(8));
    const ErrorShape* shaped = random.below(2) == 0 ? nullptr : &shape;
    x.resize(dims + 16);
    std::vector<float> after = x;
    Fit fit{};
    scalar_fit()(after.data(), begin, end, shaped, step, first, 15, &fit);
    for (const std::string& set : kernel_set_names()) {
      std::vector<float> other_after = x;
      Fit other{};
      fit_group(set)(other_after.data(), begin, end, shaped, step, first, 15, &other);
      same = same && fit.multiplier == other.multiplier && other_after == after &&
             std::memcmp(fit.codes, other.codes, sizeof fit.codes) == 0;
    }
    near = near && fit.multiplier >= first && fit.multiplier <= 15;
    if (shaped != nullptr) continue;
    near = near && after == x;
    const double least = off(&x[begin], end - begin, fit, step);
    for (float multiplier = first; multiplier <= 15; ++multiplier) {
      Fit other{multiplier, {}};
      for (size_t i = 0; i < end - begin; ++i) {
        for (uint8_t code = 1; code < 16; ++code) {
          const auto far = [&](uint8_t each) {
            return std::fabs(x[begin + i] - kHalfLevels[each] * multiplier * step);
          };
          if (far(code) < far(other.codes[i])) other.codes[i] = code;
        }
      }
      near = near && least <= off(&x[begin], end - begin, other, step) * (1 + 1e-4);
    }
  }
  check(same, "codes of half a byte are the same on every instruction set");
  check(near, "codes of half a byte are the nearest, with the best multiplier");
}

// Entries of a Walsh-Hadamard matrix differ in sign by the common bits of row and column.
void test_rotate(size_t dims, Random& random) {
  const std::vector<float> x = some_floats(dims, random);
  const size_t block = rotated_block(dims);
  std::vector<float> scalar = x;
  scalar_kernels()->rotate(scalar.data(), dims);
  bool right = true, same = true;
  for (size_t i = 0; i < dims; ++i) {
    double sum = 0;
    for (size_t j = 0; j < block; ++j)
      sum += (__builtin_popcountll(i % block & j) % 2 == 0 ? 1.0 : -1.0) * x[i / block * block + j];
    right = right && std::fabs(scalar[i] - sum / std::sqrt(block)) <= 1e-5 * std::sqrt(block) * largest(x);
  }
  check(right, "a vector is rotated by the Walsh-Hadamard matrix");
  for (const std::string& set : kernel_set_names()) {
    std::vector<float> other = x;
    kernel_set(set).rotate(other.data(), dims);
    same = same && other == scalar;
  }
  check(same, "vectors are rotated alike on every instruction set");
}

// Rounding to integers in turn.
std::vector<float> rounded(std::vector<float> x, const ErrorShape* shape) {
  std::vector<float> levels;
  for (size_t i = 0; i < x.size(); ++i) {
    levels.push_back(std::nearbyint(x[i]));
    for (size_t j = i + 1; shape != nullptr && j < x.size(); ++j)
      x[j] += (x[i] - levels[i]) * shape->shares(i)[j];
  }
  return levels;
}

void test_shape(size_t dims, Random& random) {
  const Kernels& kernels = *scalar_kernels();
  std::vector<float> measure = some_products(dims, random);
  for (size_t i = 0; i < dims; ++i) measure[i * dims + i] += 1e-3f * measure[0];
  std::vector<float> turned = measure;  // so that errors in one dimension matter in others
  for (int side = 0; side < 2; ++side) {
    for (size_t i = 0; i < dims; ++i) kernels.rotate(&turned[i * dims], dims);
    for (size_t i = 0; i < dims; ++i) {
      for (size_t j = 0; j < i; ++j) std::swap(turned[i * dims + j], turned[j * dims + i]);
    }
  }
  const ErrorShape shape(turned, dims);
  double plain = 0, shaped = 0;
  for (int time = 0; time < 200; ++time) {
    std::vector<float> x(dims);
    for (float& each : x) each = 20 * random.real();
    const auto harm = [&](const std::vector<float>& levels) {
      double sum = 0;
      for (size_t i = 0; i < dims; ++i) {
        for (size_t j = 0; j < dims; ++j)
          sum += double{turned[i * dims + j]} * (levels[i] - x[i]) * (levels[j] - x[j]);
      }
      return sum;
    };
    plain += harm(rounded(x, nullptr));
    shaped += harm(rounded(x, &shape));
  }
  check(shaped < 0.8 * plain, "errors are shaped by what they do");
  turned[dims - 1] = NAN;
  const std::vector<float> x = some_floats(dims, random);
  const ErrorShape none(turned, dims);
  check(rounded(x, &none) == rounded(x, nullptr), "a measure that is no number shapes nothing");
}

// Pages are filled with what they should hold; the oracle is a map.
void test_pool(Random& random) {
  KvLayout layout{2, 8, KvType::Q8, KvType::F16, {0, 100, 1, 0}, 128};
  KvPool pool(layout, 60 * layout.page_bytes());
  struct Held {
    std::vector<uint32_t> tokens;
  };
  std::map<int64_t, Held> held;
  std::vector<std::pair<std::vector<uint32_t>, std::vector<std::vector<std::byte>>>> exports;
  std::vector<std::vector<KvPage>> exported_pages;
  const auto stamp = [&](int64_t id, size_t layer, size_t position, uint32_t token) {
    std::byte* page = pool.head_at(pool.table(id, layer)[position / 64], 0);
    std::memcpy(page + position % 64 * 4, &token, sizeof token);
  };
  const auto verify = [&](int64_t id) {
    const Held& h = held[id];
    bool right = pool.length(id) == h.tokens.size();
    for (const KvPage& page : pool.pages(id)) {
      const std::byte* data = pool.head_at(pool.table(id, page.layer)[page.block], 0);
      for (size_t p = page.block * 64; p < std::min(page.block * 64 + 64, h.tokens.size()); ++p)
        right = right && std::memcmp(data + p % 64 * 4, &h.tokens[p], 4) == 0;
    }
    return right;
  };
  uint32_t next_token = 0;
  bool right = true;
  for (int step = 0; step < 4000; ++step) {
    const size_t what = random.below(8);
    int64_t id = -1;
    if (!held.empty()) {
      auto it = held.begin();
      std::advance(it, static_cast<std::ptrdiff_t>(random.below(held.size())));
      id = it->first;
    }
    try {
      if (id < 0 || (what == 0 && held.size() < 6)) {
        held[pool.create()] = {};
      } else if (what == 1 && held.size() < 6) {
        held[pool.fork(id)] = held[id];
      } else if (what == 2) {
        const size_t n = random.below(held[id].tokens.size() + 1);
        if (pool.can_truncate(id, n)) {
          pool.truncate(id, n);
          held[id].tokens.resize(n);
        }
      } else if (what == 3) {
        pool.release(id);
        held.erase(id);
      } else if (what == 4) {
        std::vector<KvPage> pages = pool.pages(id);
        std::vector<std::vector<std::byte>> bytes;
        for (KvPage& page : pages) {
          bytes.emplace_back(page.bytes);
          pool.copy_page(id, page, bytes.back().data());
          std::memcpy(bytes.back().data(), pool.head_at(pool.table(id, page.layer)[page.block], 0), 256);
        }
        if (exports.size() < 20) {
          exports.emplace_back(held[id].tokens, std::move(bytes));
          for (size_t i = 0; i < pages.size(); ++i) pages[i].data = exports.back().second[i].data();
          exported_pages.push_back(pages);
        }
      } else if (what == 5 && !exports.empty() && held.size() < 6) {
        const size_t i = random.below(exports.size());
        std::vector<KvPage> pages = exported_pages[i];
        size_t length = exports[i].first.size();
        const size_t harm = random.below(8);
        if (harm == 0 && !pages.empty()) pages.pop_back();
        if (harm == 1 && !pages.empty()) pages.push_back(pages[random.below(pages.size())]);
        if (harm == 2 && !pages.empty()) pages[random.below(pages.size())].bytes -= 1;
        if (harm == 3 && !pages.empty()) pages[random.below(pages.size())].layer = random.next();
        if (harm == 4 && !pages.empty()) pages[random.below(pages.size())].block = random.next();
        if (harm == 5) length = length + 65;
        const int64_t imported = pool.import_sequence(length, pages);
        right = right && (harm > 5 || pages.empty());
        held[imported] = {exports[i].first};
      } else if (what >= 6) {
        const size_t count = 1 + random.below(300);
        pool.begin({{id, count}});
        const std::vector<uint32_t> before = held[id].tokens;
        for (size_t done = 0; done < count;) {
          const size_t part = std::min(count - done, layout.pass_tokens);
          pool.extend(id, part);
          for (size_t i = 0; i < part; ++i, ++next_token) {
            for (size_t layer = 0; layer < layout.layers(); ++layer)
              stamp(id, layer, held[id].tokens.size(), next_token);
            held[id].tokens.push_back(next_token);
          }
          pool.commit(id, part);
          done += part;
        }
        if (random.below(3) == 0) {
          pool.roll_back(id);
          held[id].tokens = before;
        } else {
          pool.finish(id);
        }
      }
    } catch (const Error&) {
    }
    for (const auto& each : held) right = right && verify(each.first);
    if (!right) break;
  }
  check(right, "random operations on a pool");
  while (!held.empty()) {
    pool.release(held.begin()->first);
    held.erase(held.begin());
  }
  check(pool.free_pages() == pool.budget_pages(), "every page comes back");
}

}  // namespace

void test_kv() {
  Random random(11);
  for (const std::string& set : kernel_set_names()) {
    const Kernels& kernels = kernel_set(set);
    for (KvType type : kTypes) {
      for (size_t dims : kDims) {
        test_format(kernels, {type, true, dims}, random);
        test_format(kernels, {type, false, dims}, random);
        if (type == KvType::F16 || type == KvType::BF16) {
          test_format(kernels, {type, true, dims, true}, random);
          test_format(kernels, {type, false, dims, true}, random);
        }
        const TileKernels* tiles = tile_kernels(set, type, type);
        if (tiles != nullptr) test_tiles(kernels, *tiles, type, dims, random);
      }
    }
  }
  for (size_t dims : {size_t{1}, size_t{2}, size_t{7}, size_t{24}, size_t{64}, size_t{80}, size_t{128}}) {
    for (int i = 0; i < 5; ++i) {
      test_basis(*scalar_kernels(), {KvType::Q8, true, dims}, random);
      test_basis(*scalar_kernels(), {KvType::Q4, true, dims}, random);
    }
  }
  for (size_t dims : kDims) test_rotate(dims, random);
  for (size_t dims : {size_t{64}, size_t{80}}) test_shape(dims, random);
  test_fit(random);
  test_pool(random);
}

}  // namespace longleaf::test

// The first process of a machine with AMX, emulated by Bochs (bochs.py beside this makes it): the tile
// instructions that a processor's maker describes, done by somebody else's hand, against our own emulation of
// them, and all that the core builds on them, under a real kernel that gives and takes tile state.
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "check.h"
#include "gguf/gguf.h"
#include "guest.h"
#include "kernels/kernels.h"
#include "kernels/tiles.h"
#include "model/model.h"

namespace longleaf {
namespace test {

size_t checks = 0;

// Of the suites of tests/native that run here too.
void check(bool passed, const std::string& what) {
  ++checks;
  if (!passed) guest::check(false, what);
}

}  // namespace test

namespace guest {
namespace {

bool tiles_allowed() {
  constexpr long kGet = 0x1022;  // ARCH_GET_XCOMP_PERM
  uint64_t features = 0;
  return syscall(SYS_arch_prctl, kGet, &features) == 0 && (features >> 18 & 1) != 0;
}

void test_permission() {
  check(!tiles_allowed(), "nobody may use tiles who has not asked");
  in_child("a process whose signal stack is too small for tiles", [] {
    std::vector<char> little(6144);
    stack_t stack{};
    stack.ss_sp = little.data();
    stack.ss_size = little.size();
    check(sigaltstack(&stack, nullptr) == 0, "there is a small signal stack");
    check(kernel_set_names()[1] == "avx512bw" && !tiles_allowed(), "tiles are refused, and no set has them");
  });
  const std::vector<std::string> expected{"avx512", "amx", "avx512bw", "avx2", "scalar"};
  check(kernel_set_names() == expected && tiles_allowed(), "all sets are found, and tiles allowed");
  check(std::string(kernel_set("").name) == "avx512", "avx512 is the default");
}

using Configuration = std::array<uint8_t, 64>;

Configuration configuration() {
  Configuration now;
  asm volatile("sttilecfg %0" : "=m"(now));
  return now;
}

const Configuration kNone{};

void test_configuration() {
  check(configuration() == kNone, "a thread begins without tiles");
  pthread_barrier_t both;
  pthread_barrier_init(&both, nullptr, 2);
  Configuration others{};
  std::thread other([&] {
    pthread_barrier_wait(&both);
    others = configuration();
  });
  {
    const HardwareTiles tiles;
    const Configuration mine = configuration();
    check(mine[0] == 1 && mine[16] == 64 && mine[48] == 16 && mine[30] == 64 && mine[55] == 16,
          "a thread has what it configured");
    pthread_barrier_wait(&both);
    other.join();
    check(others == kNone, "which is not another's");
    check(configuration() == mine, "and stays when that has run");
  }
  check(configuration() == kNone, "it is released in the end");
}

using AllTiles = std::make_integer_sequence<int, 8>;

template <int... N>
void load_all(HardwareTiles& tiles, const uint32_t (&words)[8][256], std::integer_sequence<int, N...>) {
  (tiles.load<N>(words[N], 64), ...);
}

template <int... N>
void store_all(HardwareTiles& tiles, uint32_t (&words)[8][256], std::integer_sequence<int, N...>) {
  (tiles.store<N>(words[N], 64), ...);
}

// A thread that fills its tiles, waits until the other has filled its own, and looks whether they are as
// before.
void keep_tiles(uint32_t seed, pthread_barrier_t* both, size_t* wrong) {
  alignas(64) uint32_t before[8][256], after[8][256];
  for (size_t round = 0; round < 200; ++round) {
    for (auto& tile : before) {
      for (uint32_t& word : tile) word = seed = seed * 1664525u + 1013904223u;
    }
    HardwareTiles tiles;
    load_all(tiles, before, AllTiles{});
    pthread_barrier_wait(both);
    store_all(tiles, after, AllTiles{});
    *wrong += std::memcmp(before, after, sizeof before) != 0;
  }
}

void test_switches() {
  size_t wrong[2] = {};
  pthread_barrier_t both;
  pthread_barrier_init(&both, nullptr, 2);
  std::thread other(keep_tiles, 1, &both, &wrong[1]);
  keep_tiles(2, &both, &wrong[0]);
  other.join();
  check(wrong[0] == 0 && wrong[1] == 0, "tiles survive the switches between threads of one CPU");
}

struct Operands {
  alignas(64) uint32_t a[256], b[256], c[256];
};

template <class Tiles, class Dot>
void multiply(Operands* x, Dot&& dot) {
  Tiles tiles;
  tiles.template load<0>(x->c, 64);
  tiles.template load<1>(x->a, 64);
  tiles.template load<2>(x->b, 64);
  dot(tiles);
  tiles.template store<0>(x->c, 64);
}

bool none(uint32_t word) { return (word & 0x7FFFFFFF) > 0x7F800000; }

// The same bits, where both are numbers.
bool agree(const Operands& x, const Operands& y) {
  for (size_t i = 0; i < 256; ++i) {
    if (x.c[i] != y.c[i] && !(none(x.c[i]) && none(y.c[i]))) return false;
  }
  return true;
}

// `draw` gives the next word of an operand.
template <class Draw, class Dot>
void test_product(const std::string& what, Draw&& draw, Dot&& dot) {
  size_t wrong = 0;
  for (size_t round = 0; round < 40; ++round) {
    Operands hardware;
    for (auto* words : {&hardware.a, &hardware.b, &hardware.c}) {
      for (uint32_t& word : *words) word = draw();
    }
    Operands emulated = hardware;
    multiply<HardwareTiles>(&hardware, dot);
    multiply<EmulatedTiles>(&emulated, dot);
    wrong += !agree(hardware, emulated);
  }
  check(wrong == 0, what + ": " + std::to_string(wrong) + " of 40 products differ");
}

template <Bytes OfA, Bytes OfB, class Draw>
void test_bytes(const std::string& what, Draw&& draw) {
  test_product(what, draw, [](auto& tiles) { tiles.template dot_bytes<OfA, OfB, 0, 1, 2>(); });
}

void test_instructions() {
  test::Random random(1);
  const auto any = [&] { return static_cast<uint32_t>(random.next()); };
  // bf16 pairs whose exponents lie in [first, first + count).
  const auto within = [&](uint32_t first, uint32_t count) {
    return [&random, first, count] {
      uint32_t word = static_cast<uint32_t>(random.next()) & 0x807F807F;
      word |= static_cast<uint32_t>(first + random.below(count)) << 7;
      return word | static_cast<uint32_t>(first + random.below(count)) << 23;
    };
  };
  const auto dot = [](auto& tiles) { tiles.template dot<0, 1, 2>(); };
  test_product("bf16 near one", within(120, 14), dot);
  test_product("bf16 with subnormal operands", within(0, 3), dot);
  test_product("bf16 with subnormal products", within(60, 8), dot);
  test_product("bf16 of all sizes", within(0, 190), dot);
  test_product("bf16 with infinities", within(180, 76), dot);
  test_product("bf16 of any bits", any, dot);
  test_bytes<Bytes::Unsigned, Bytes::Unsigned>("tdpbuud", any);
  test_bytes<Bytes::Unsigned, Bytes::Signed>("tdpbusd", any);
  test_bytes<Bytes::Signed, Bytes::Unsigned>("tdpbsud", any);
  test_bytes<Bytes::Signed, Bytes::Signed>("tdpbssd", any);
}

std::vector<float> logits(const Gguf& file, const std::string& set, int threads, size_t chunk) {
  ModelOptions options;
  options.kernel_set = set;
  options.threads = threads;
  options.kv_budget_bytes = size_t{4} << 20;
  Model model(file, options);
  constexpr size_t kTokens = 75;  // more than a page, and no whole number of tiles
  std::vector<int32_t> tokens(kTokens);
  for (size_t i = 0; i < kTokens; ++i) tokens[i] = static_cast<int32_t>((i * 37 + i / 7) % 250 + 5);
  std::vector<float> rows(kTokens * model.vocabulary());
  const int64_t sequence = model.create();
  for (size_t at = 0; at < kTokens; at += chunk) {
    const size_t count = std::min(chunk, kTokens - at);
    model.forward_both({{sequence, tokens.data() + at, count, count, nullptr}}, {}, 1,
                       rows.data() + at * model.vocabulary(), nullptr, nullptr);
  }
  return rows;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double apart = 0, length = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    apart += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
    length += double{b[i]} * b[i];
  }
  return std::sqrt(apart / length);
}

void test_model(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const Gguf file(path);
  const std::vector<float> whole = logits(file, "amx", 2, 75), vectors = logits(file, "avx512", 2, 75);
  check(equal(whole, logits(file, "amx-emulated", 2, 75)), name + ": the emulation's bits");
  check(equal(whole, logits(file, "amx", 1, 75)), name + ": the same bits on one thread");
  for (const size_t chunk : {1, 7, 33, 64}) {
    check(equal(whole, logits(file, "amx", 2, chunk)),
          name + ": the same bits in pieces of " + std::to_string(chunk));
  }
  const double apart = distance(whole, vectors);
  check(apart < 0.03, name + ": " + std::to_string(apart) + " from avx512");
}

}  // namespace

void run_tests() {
  test_permission();
  test_configuration();
  test_switches();
  test_instructions();
  const std::vector<std::string> paths = models();
  check(!paths.empty(), "there are models to run");
  for (const std::string& path : paths) test_model(path);
  test::test_attention();
  test::test_encoder();
  check(test::checks > 100, "of attention and the encoder " + std::to_string(test::checks) + " checks ran");
}

}  // namespace guest
}  // namespace longleaf

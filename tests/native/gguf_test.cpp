// GGUF files and weight types: sound ones are read, thousands of damaged ones are refused or read.
#include "gguf/gguf.h"

#include <cmath>
#include <exception>
#include <functional>

#include "check.h"
#include "error.h"
#include "gguf_writer.h"
#include "quant/quant.h"

namespace longleaf::test {

namespace {

File sample(Random& random) {
  File file;
  file.keys = {{"general.architecture", std::string("llama")},
               {"a.u32", uint32_t{7}},
               {"a.i64", int64_t{-9}},
               {"a.f32", 1.5f},
               {"a.bool", true},
               {"a.strings", std::vector<std::string>{"one", "", "\xff\x00three"}},
               {"a.floats", std::vector<float>{0.5f, -1.0f}},
               {"a.integers", std::vector<int32_t>{1, -2, 3}}};
  for (TensorType type : kAllTypes) {
    std::vector<uint64_t> shape = {512, 2};
    std::string name = block_format(static_cast<uint32_t>(type))->name;
    file.tensors.push_back({name, shape, type, random_blocks(type, shape, random)});
  }
  return file;
}

std::vector<float> values_of(const TensorInfo& tensor) {
  size_t n = 1;
  for (uint64_t size : tensor.shape) n *= size;
  std::vector<float> values(n);
  dequantize(tensor.type, tensor.data, values.data(), n);
  return values;
}

void ignore_errors(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error&) {
  }
}

// Every accessor on every key, whatever its type, and every value of every tensor.
void read_to_the_end(const std::vector<uint8_t>& bytes) {
  MemoryFile file(bytes);
  ignore_errors([&] {
    Gguf gguf(file.path());
    for (const std::string& key : gguf.keys()) {
      ignore_errors([&] { gguf.string(key); });
      ignore_errors([&] { gguf.integer(key); });
      ignore_errors([&] { gguf.number(key); });
      ignore_errors([&] {
        size_t n = 0;
        if (auto strings = gguf.strings(key)) {
          for (std::string_view text : *strings) n += static_cast<size_t>(text.empty() ? 0 : text.back());
        }
        static_cast<void>(n);
      });
      ignore_errors([&] { gguf.integers(key); });
      ignore_errors([&] { gguf.floats(key); });
    }
    for (const TensorInfo& tensor : gguf.tensors()) values_of(tensor);
  });
}

void test_sound(const Written& written) {
  MemoryFile file(written.bytes);
  Gguf gguf(file.path());
  check(gguf.keys().size() == 8, "all keys are there");
  check(gguf.integer("a.u32") == 7 && gguf.integer("a.i64") == -9, "integers");
  check(gguf.number("a.f32") == 1.5 && gguf.integer("a.bool") == 1, "numbers");
  check(gguf.strings("a.strings")->size() == 3 && gguf.integers("a.integers")->at(1) == -2, "arrays");
  check(!gguf.string("absent") && gguf.find_tensor("absent") == nullptr, "what is absent");
  for (const TensorInfo& tensor : gguf.tensors()) {
    bool finite = true;
    for (float value : values_of(tensor)) finite = finite && std::isfinite(value);
    check(finite, tensor.name + " has finite values");
  }
}

void test_any_alignment(const File& sound) {
  for (const Tensor& tensor : sound.tensors) {
    std::vector<uint8_t> shifted(tensor.bytes.size() + 1);
    std::copy(tensor.bytes.begin(), tensor.bytes.end(), shifted.begin() + 1);
    const auto* straight = reinterpret_cast<const std::byte*>(tensor.bytes.data());
    const auto* odd = reinterpret_cast<const std::byte*>(shifted.data() + 1);
    std::vector<float> one(1024), two(1024);
    dequantize(tensor.type, straight, one.data(), one.size());
    dequantize(tensor.type, odd, two.data(), two.size());
    check(one == two, tensor.name + " at an odd address");
  }
}

void test_cut_while_open(const Written& written) {
  MemoryFile file(written.bytes);
  Gguf gguf(file.path());
  gguf.check_intact();
  file.cut(16);
  for (const TensorInfo& tensor : gguf.tensors()) values_of(tensor);
  bool told = false;
  try {
    gguf.check_intact();
  } catch (const Error&) {
    told = true;
  }
  check(told, "a file cut short while open is noticed");
}

}  // namespace

void test_gguf() {
  Random random(1);
  File sound = sample(random);
  Written written = write(sound);
  test_sound(written);
  test_any_alignment(sound);
  test_cut_while_open(written);
  for (size_t length = 0; length <= written.header_bytes; ++length) {
    read_to_the_end({written.bytes.begin(), written.bytes.begin() + static_cast<std::ptrdiff_t>(length)});
  }
  constexpr int kDamaged = 8000;
  for (int i = 0; i < kDamaged; ++i) read_to_the_end(damaged(written, random));
  check(true, "damaged files");
}

}  // namespace longleaf::test

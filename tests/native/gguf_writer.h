// Writes small GGUF files, sound or not, and knows where each field begins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "check.h"
#include "gguf/gguf.h"

namespace longleaf::test {

using Value = std::variant<uint32_t, int64_t, float, bool, std::string, std::vector<std::string>,
                           std::vector<float>, std::vector<int32_t>>;

struct Key {
  std::string name;
  Value value;
};

struct Tensor {
  std::string name;
  std::vector<uint64_t> shape;
  TensorType type;
  std::vector<uint8_t> bytes;
};

struct File {
  std::vector<Key> keys;
  std::vector<Tensor> tensors;
};

struct Written {
  std::vector<uint8_t> bytes;
  std::vector<size_t> fields;  // where each field of the header begins
  size_t header_bytes;
};

Written write(const File& file);

size_t bytes_of(TensorType type, const std::vector<uint64_t>& shape);

// Blocks of random bits whose scales are about 1 / 64, so that every value is finite and small.
std::vector<uint8_t> random_blocks(TensorType type, const std::vector<uint64_t>& shape, Random& random);

// One random defect: a cut, flipped bits, a field with an unlikely number, a piece lost or repeated.
std::vector<uint8_t> damaged(const Written& sound, Random& random);

inline constexpr TensorType kAllTypes[] = {
    TensorType::F32,  TensorType::F16,  TensorType::BF16, TensorType::Q4_0,  TensorType::Q4_1,
    TensorType::Q5_0, TensorType::Q5_1, TensorType::Q8_0, TensorType::Q2_K,  TensorType::Q3_K,
    TensorType::Q4_K, TensorType::Q5_K, TensorType::Q6_K, TensorType::IQ4_NL};

}  // namespace longleaf::test

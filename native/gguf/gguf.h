// GGUF v2 and v3 files: mapped read-only, every count, offset, size and type checked before use.
// Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace longleaf {

// Numbers as in the file format.
enum class TensorType : uint32_t {
  F32 = 0,
  F16 = 1,
  Q4_0 = 2,
  Q4_1 = 3,
  Q5_0 = 6,
  Q5_1 = 7,
  Q8_0 = 8,
  Q2_K = 10,
  Q3_K = 11,
  Q4_K = 12,
  Q5_K = 13,
  Q6_K = 14,
  IQ4_NL = 20,
  BF16 = 30,
};

// Types of metadata values, numbers as in the file format.
enum class ValueType : uint32_t {
  U8 = 0,
  I8 = 1,
  U16 = 2,
  I16 = 3,
  U32 = 4,
  I32 = 5,
  F32 = 6,
  Bool = 7,
  String = 8,
  Array = 9,
  U64 = 10,
  I64 = 11,
  F64 = 12,
};

struct TensorInfo {
  std::string name;
  TensorType type;
  std::array<uint64_t, 4> shape;  // shape[0] is the row length, as in the file; unused dimensions are 1
  int n_dims;
  const std::byte* data;  // inside the mapping, n_bytes of it checked
  size_t n_bytes;
};

class Gguf {
 public:
  explicit Gguf(const std::string& path);  // throws Error naming the file, the byte and what was wrong
  ~Gguf();
  Gguf(const Gguf&) = delete;
  Gguf& operator=(const Gguf&) = delete;

  const std::string& path() const;
  // Throws Error if bytes read so far are not the file's because it was cut short after it was opened. Work
  // on tensor data or views of metadata may be trusted only if this passes after it.
  void check_intact() const;
  const std::vector<TensorInfo>& tensors() const;
  const TensorInfo* find_tensor(std::string_view name) const;  // nullptr if absent

  bool has(std::string_view key) const;
  std::optional<ValueType> type(std::string_view key) const;
  std::optional<ValueType> element_type(std::string_view key) const;  // of an array; empty for other types
  // Empty when the key is absent; throws Error when its type does not fit.
  std::optional<std::string_view> string(std::string_view key) const;
  std::optional<int64_t> integer(std::string_view key) const;  // any integer type or bool
  std::optional<double> number(std::string_view key) const;    // any integer or float type
  // Arrays are views or copies of the mapped file; strings are views into it.
  std::optional<std::vector<std::string_view>> strings(std::string_view key) const;
  std::optional<std::vector<int64_t>> integers(std::string_view key) const;
  std::optional<std::vector<float>> floats(std::string_view key) const;
  std::vector<std::string> keys() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace longleaf

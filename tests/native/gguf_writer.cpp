#include "gguf_writer.h"

#include <cstring>

#include "quant/quant.h"

namespace longleaf::test {

namespace {

struct Output {
  std::vector<uint8_t> bytes;
  std::vector<size_t> fields;

  void number(uint64_t value, size_t size) {
    fields.push_back(bytes.size());
    for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }
  void u32(uint64_t value) { number(value, 4); }
  void u64(uint64_t value) { number(value, 8); }
  void real(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    u32(bits);
  }
  void text(std::string_view value) {
    u64(value.size());
    fields.push_back(bytes.size());
    bytes.insert(bytes.end(), value.begin(), value.end());
  }

  void operator()(uint32_t value) { u32(4), u32(value); }
  void operator()(int64_t value) { u32(11), u64(static_cast<uint64_t>(value)); }
  void operator()(float value) { u32(6), real(value); }
  void operator()(bool value) { u32(7), number(value ? 1 : 0, 1); }
  void operator()(const std::string& value) { u32(8), text(value); }
  void operator()(const std::vector<std::string>& values) {
    u32(9), u32(8), u64(values.size());
    for (const std::string& value : values) text(value);
  }
  void operator()(const std::vector<float>& values) {
    u32(9), u32(6), u64(values.size());
    for (float value : values) real(value);
  }
  void operator()(const std::vector<int32_t>& values) {
    u32(9), u32(5), u64(values.size());
    for (int32_t value : values) u32(static_cast<uint32_t>(value));
  }
};

constexpr size_t kAlignment = 32;

// Bytes of a block that are f16 scales, or -1.
struct ScaleBytes {
  int first;
  int second;
};

ScaleBytes scale_bytes(TensorType type) {
  switch (type) {
    case TensorType::Q4_0:
    case TensorType::Q5_0:
    case TensorType::Q8_0:
    case TensorType::IQ4_NL:
      return {0, -1};
    case TensorType::Q4_1:
    case TensorType::Q5_1:
    case TensorType::Q4_K:
    case TensorType::Q5_K:
      return {0, 2};
    case TensorType::Q2_K:
      return {80, 82};
    case TensorType::Q3_K:
      return {108, -1};
    case TensorType::Q6_K:
      return {208, -1};
    default:
      return {-1, -1};
  }
}

void put_small_number(TensorType type, uint8_t* bytes, Random& random) {
  float value = (random.real() - 0.5f) * 0.25f;
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (type == TensorType::F32) {
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<uint8_t>(bits >> (8 * i));
  } else if (type == TensorType::BF16) {
    bytes[0] = static_cast<uint8_t>(bits >> 16);
    bytes[1] = static_cast<uint8_t>(bits >> 24);
  } else {  // F16: sign, an exponent of 2^-4 at most, any fraction
    bytes[0] = static_cast<uint8_t>(random.next());
    bytes[1] = static_cast<uint8_t>((random.next() & 0x83) | (8 + random.below(3)) << 2);
  }
}

}  // namespace

Written write(const File& file) {
  Output out;
  out.u32(0x46554747);  // "GGUF"
  out.u32(3);
  out.u64(file.tensors.size());
  out.u64(file.keys.size());
  for (const Key& key : file.keys) {
    out.text(key.name);
    std::visit(out, key.value);
  }
  uint64_t offset = 0;
  for (const Tensor& tensor : file.tensors) {
    out.text(tensor.name);
    out.u32(tensor.shape.size());
    for (uint64_t size : tensor.shape) out.u64(size);
    out.u32(static_cast<uint32_t>(tensor.type));
    out.u64(offset);
    offset += (tensor.bytes.size() + kAlignment - 1) / kAlignment * kAlignment;
  }
  auto pad = [&] { out.bytes.resize((out.bytes.size() + kAlignment - 1) / kAlignment * kAlignment); };
  pad();
  size_t header_bytes = out.bytes.size();
  for (const Tensor& tensor : file.tensors) {
    out.bytes.insert(out.bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
    pad();
  }
  return {std::move(out.bytes), std::move(out.fields), header_bytes};
}

size_t bytes_of(TensorType type, const std::vector<uint64_t>& shape) {
  const BlockFormat& format = *block_format(static_cast<uint32_t>(type));
  size_t n = 1;
  for (uint64_t size : shape) n *= size;
  return n / format.block_size * format.block_bytes;
}

std::vector<uint8_t> random_blocks(TensorType type, const std::vector<uint64_t>& shape, Random& random) {
  const BlockFormat& format = *block_format(static_cast<uint32_t>(type));
  std::vector<uint8_t> bytes(bytes_of(type, shape));
  ScaleBytes scales = scale_bytes(type);
  for (size_t block = 0; block < bytes.size(); block += format.block_bytes) {
    if (format.block_size == 1) {
      put_small_number(type, &bytes[block], random);
      continue;
    }
    for (size_t i = 0; i < format.block_bytes; ++i) bytes[block + i] = static_cast<uint8_t>(random.next());
    for (int at : {scales.first, scales.second}) {
      if (at < 0) continue;
      bytes[block + static_cast<size_t>(at)] = static_cast<uint8_t>(random.next());
      bytes[block + static_cast<size_t>(at) + 1] = static_cast<uint8_t>(4 | (random.next() & 3));
    }
  }
  return bytes;
}

std::vector<uint8_t> damaged(const Written& sound, Random& random) {
  std::vector<uint8_t> bytes = sound.bytes;
  switch (random.below(5)) {
    case 0:
      bytes.resize(random.below(2) == 0 ? random.below(bytes.size())
                                        : sound.fields[random.below(sound.fields.size())]);
      break;
    case 1:
      for (size_t n = 1 + random.below(4); n-- > 0;) {
        bytes[random.below(sound.header_bytes)] ^= static_cast<uint8_t>(1u << random.below(8));
      }
      break;
    case 2: {
      static constexpr uint64_t kUnlikely[] = {0,          1,          0x7FFFFFFF,  0x80000000, 0xFFFFFFFF,
                                               1ull << 32, 1ull << 60, ~0ull >> 1,  1ull << 63, ~0ull,
                                               31,         255,        0x7F800000u, 0x7FC00000u};
      uint64_t value = kUnlikely[random.below(std::size(kUnlikely))];
      size_t at = sound.fields[random.below(sound.fields.size())];
      size_t size = random.below(2) == 0 ? 4 : 8;
      for (size_t i = 0; i < size && at + i < bytes.size(); ++i) {
        bytes[at + i] = static_cast<uint8_t>(value >> (8 * i));
      }
      break;
    }
    case 3: {
      auto begin =
          bytes.begin() + static_cast<std::ptrdiff_t>(sound.fields[random.below(sound.fields.size())]);
      auto end = bytes.begin() + static_cast<std::ptrdiff_t>(sound.fields[random.below(sound.fields.size())]);
      if (begin > end) std::swap(begin, end);
      if (random.below(2) == 0) {
        bytes.erase(begin, end);
      } else {
        std::vector<uint8_t> piece(begin, end);
        bytes.insert(end, piece.begin(), piece.end());
      }
      break;
    }
    default:
      for (size_t n = 1 + random.below(8); n-- > 0;) {
        bytes[random.below(bytes.size())] = static_cast<uint8_t>(random.next());
      }
  }
  return bytes;
}

}  // namespace longleaf::test

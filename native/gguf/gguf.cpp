#include "gguf/gguf.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "error.h"
#include "gguf/mapped_file.h"
#include "gguf/text.h"
#include "quant/quant.h"

namespace longleaf {

namespace {

// Limits that no real file comes near; they bound what a hostile one can make us keep.
constexpr uint64_t kMaxKeys = 1 << 16;
constexpr uint64_t kMaxTensors = 1 << 17;
constexpr uint64_t kMaxKeyBytes = 65535;      // the format's own limit
constexpr uint64_t kMaxTensorNameBytes = 64;  // the format's own limit
constexpr int kMaxArrayDepth = 4;
constexpr uint64_t kDefaultAlignment = 32;

constexpr size_t kMinKeyEntryBytes = 8 + 1 + 4 + 1;             // key, type, value
constexpr size_t kMinTensorEntryBytes = 8 + 1 + 4 + 8 + 4 + 8;  // name, count, dimension, type, offset

struct ValueFormat {
  const char* name;
  size_t bytes;  // 0 for String and Array
};

const ValueFormat* value_format(uint32_t type) {
  static constexpr ValueFormat kFormats[] = {
      {"uint8", 1}, {"int8", 1},   {"uint16", 2}, {"int16", 2},  {"uint32", 4}, {"int32", 4},  {"float32", 4},
      {"bool", 1},  {"string", 0}, {"array", 0},  {"uint64", 8}, {"int64", 8},  {"float64", 8}};
  return type < std::size(kFormats) ? &kFormats[type] : nullptr;
}

template <typename Bits>
Bits load(const std::byte* bytes) {
  Bits value = 0;
  for (size_t i = 0; i < sizeof(Bits); ++i) {
    value |= static_cast<Bits>(static_cast<Bits>(std::to_integer<uint8_t>(bytes[i])) << (8 * i));
  }
  return value;
}

template <typename Value, typename Bits>
Value bit_cast(Bits bits) {
  static_assert(sizeof(Value) == sizeof(Bits));
  Value value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::string_view text_at(const std::byte* bytes, size_t length) {
  return {reinterpret_cast<const char*>(bytes), length};
}

// Tensor types of other programs, so that the error can name what the file wants.
const char* foreign_type_name(uint32_t type) {
  switch (type) {
    case 9:
      return "Q8_1";
    case 15:
      return "Q8_K";
    case 16:
      return "IQ2_XXS";
    case 17:
      return "IQ2_XS";
    case 18:
      return "IQ3_XXS";
    case 19:
      return "IQ1_S";
    case 21:
      return "IQ3_S";
    case 22:
      return "IQ2_S";
    case 23:
      return "IQ4_XS";
    case 24:
      return "I8";
    case 25:
      return "I16";
    case 26:
      return "I32";
    case 27:
      return "I64";
    case 28:
      return "F64";
    case 29:
      return "IQ1_M";
    case 34:
      return "TQ1_0";
    case 35:
      return "TQ2_0";
    case 39:
      return "MXFP4";
    default:
      return "unknown";
  }
}

struct Entry {
  std::string_view key;
  ValueType type;
  ValueType element;      // of an array
  uint64_t count;         // elements of an array, bytes of a string
  const std::byte* data;  // the value itself: of a string its text, of an array its first element
};

// Walks the file and never past its end.
class Cursor {
 public:
  Cursor(const std::string& path, const std::byte* data, size_t size)
      : path_(path), data_(data), size_(size) {}

  size_t position() const { return position_; }
  size_t remaining() const { return size_ - position_; }
  const std::byte* here() const { return data_ + position_; }

  [[noreturn]] void fail(size_t at, const std::string& what) const {
    throw Error(quoted(path_) + ": byte " + std::to_string(at) + ": " + what);
  }

  const std::byte* take(uint64_t bytes, const char* what) {
    if (bytes > remaining()) {
      fail(position_, std::string("the file ends inside ") + what + ": " + std::to_string(bytes) +
                          " bytes expected, " + std::to_string(remaining()) + " left");
    }
    const std::byte* start = here();
    position_ += static_cast<size_t>(bytes);
    return start;
  }

  template <typename Bits>
  Bits read(const char* what) {
    return load<Bits>(take(sizeof(Bits), what));
  }

  std::string_view read_string(const char* what) {
    auto length = read<uint64_t>(what);
    return text_at(take(length, what), static_cast<size_t>(length));
  }

  std::string_view read_name(const char* what, uint64_t max_bytes) {
    size_t at = position_;
    std::string_view name = read_string(what);
    if (name.empty()) fail(at, std::string(what) + " is empty");
    if (name.size() > max_bytes) {
      fail(at, std::string(what) + " has " + std::to_string(name.size()) + " bytes, the limit is " +
                   std::to_string(max_bytes));
    }
    if (!is_utf8(name)) fail(at, std::string(what) + " " + quoted(name) + " is not UTF-8");
    return name;
  }

  ValueType read_value_type(const char* what) {
    size_t at = position_;
    auto type = read<uint32_t>(what);
    if (value_format(type) == nullptr)
      fail(at, std::string(what) + " " + std::to_string(type) + " is unknown");
    return static_cast<ValueType>(type);
  }

 private:
  const std::string& path_;
  const std::byte* data_;
  size_t size_;
  size_t position_ = 0;
};

void read_array(Cursor& cursor, Entry& entry, int depth) {
  size_t at = cursor.position();
  if (depth > kMaxArrayDepth) cursor.fail(at, "metadata arrays are nested too deeply");
  entry.element = cursor.read_value_type("the element type of a metadata array");
  entry.count = cursor.read<uint64_t>("the length of a metadata array");
  entry.data = cursor.here();
  size_t bytes = value_format(static_cast<uint32_t>(entry.element))->bytes;
  size_t least = bytes != 0 ? bytes : entry.element == ValueType::String ? 8 : 12;
  if (entry.count > cursor.remaining() / least) {
    cursor.fail(at, "a metadata array claims " + std::to_string(entry.count) + " elements, but only " +
                        std::to_string(cursor.remaining()) + " bytes are left");
  }
  if (bytes != 0) {
    cursor.take(entry.count * bytes, "a metadata array");
  } else if (entry.element == ValueType::String) {
    for (uint64_t i = 0; i < entry.count; ++i) cursor.read_string("a string of a metadata array");
  } else {
    Entry inner{};
    for (uint64_t i = 0; i < entry.count; ++i) read_array(cursor, inner, depth + 1);
  }
}

Entry read_entry(Cursor& cursor) {
  Entry entry{};
  entry.key = cursor.read_name("a metadata key", kMaxKeyBytes);
  entry.type = cursor.read_value_type("the type of a metadata value");
  if (entry.type == ValueType::Array) {
    read_array(cursor, entry, 1);
  } else if (entry.type == ValueType::String) {
    std::string_view text = cursor.read_string("a metadata string");
    entry.count = text.size();
    entry.data = reinterpret_cast<const std::byte*>(text.data());
  } else {
    size_t at = cursor.position();
    entry.data = cursor.take(value_format(static_cast<uint32_t>(entry.type))->bytes, "a metadata value");
    if (entry.type == ValueType::Bool && std::to_integer<uint8_t>(*entry.data) > 1) {
      cursor.fail(at, "the value of " + quoted(entry.key) + " is neither true nor false");
    }
  }
  return entry;
}

bool multiply(uint64_t a, uint64_t b, uint64_t& product) {
  if (a != 0 && b > std::numeric_limits<uint64_t>::max() / a) return false;
  product = a * b;
  return true;
}

struct TensorEntry {
  TensorInfo info;
  uint64_t offset;  // from the start of the tensor data
  size_t at;        // of its description
};

TensorEntry read_tensor(Cursor& cursor) {
  TensorEntry tensor{};
  tensor.at = cursor.position();
  TensorInfo& info = tensor.info;
  info.name = cursor.read_name("a tensor name", kMaxTensorNameBytes);
  std::string label = "tensor " + quoted(info.name);
  auto n_dims = cursor.read<uint32_t>("a tensor description");
  if (n_dims < 1 || n_dims > 4) {
    cursor.fail(tensor.at, label + " has " + std::to_string(n_dims) + " dimensions, expected 1 to 4");
  }
  info.n_dims = static_cast<int>(n_dims);
  info.shape = {1, 1, 1, 1};
  uint64_t n_values = 1;
  for (uint32_t i = 0; i < n_dims; ++i) {
    info.shape[i] = cursor.read<uint64_t>("a tensor description");
    if (info.shape[i] == 0) cursor.fail(tensor.at, label + " has a dimension of 0");
    if (!multiply(n_values, info.shape[i], n_values)) {
      cursor.fail(tensor.at, label + " has more values than can be counted");
    }
  }
  auto type = cursor.read<uint32_t>("a tensor description");
  const BlockFormat* format = block_format(type);
  if (format == nullptr) {
    cursor.fail(tensor.at, label + " has type " + std::to_string(type) + " (" + foreign_type_name(type) +
                               "), which Longleaf does not read");
  }
  info.type = static_cast<TensorType>(type);
  if (info.shape[0] % format->block_size != 0) {
    cursor.fail(tensor.at, label + " has rows of " + std::to_string(info.shape[0]) +
                               " values, not a multiple of the " + std::to_string(format->block_size) +
                               " in a block of " + format->name);
  }
  uint64_t n_bytes = 0;
  if (!multiply(n_values / format->block_size, format->block_bytes, n_bytes) ||
      n_bytes > std::numeric_limits<size_t>::max()) {
    cursor.fail(tensor.at, label + " has more bytes than can be counted");
  }
  info.n_bytes = static_cast<size_t>(n_bytes);
  tensor.offset = cursor.read<uint64_t>("a tensor description");
  return tensor;
}

// Numbers of the sorted order of `names`; two equal ones are an error.
template <typename Name>
std::vector<uint32_t> sorted_index(size_t count, Name name, const std::string& path, const char* what) {
  std::vector<uint32_t> order(count);
  for (size_t i = 0; i < count; ++i) order[i] = static_cast<uint32_t>(i);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return name(a) < name(b); });
  for (size_t i = 1; i < count; ++i) {
    if (name(order[i - 1]) == name(order[i])) {
      throw Error(quoted(path) + ": " + what + " " + quoted(name(order[i])) + " is there twice");
    }
  }
  return order;
}

template <typename Name>
std::optional<uint32_t> find_sorted(const std::vector<uint32_t>& order, Name name, std::string_view wanted) {
  auto at = std::lower_bound(order.begin(), order.end(), wanted,
                             [&](uint32_t i, std::string_view value) { return name(i) < value; });
  if (at == order.end() || name(*at) != wanted) return std::nullopt;
  return *at;
}

bool is_integer(ValueType type) {
  switch (type) {
    case ValueType::F32:
    case ValueType::F64:
    case ValueType::String:
    case ValueType::Array:
      return false;
    default:
      return true;
  }
}

bool is_number(ValueType type) {
  return is_integer(type) || type == ValueType::F32 || type == ValueType::F64;
}

// Precondition: is_integer(type). Empty when the value does not fit.
std::optional<int64_t> load_integer(ValueType type, const std::byte* data) {
  switch (type) {
    case ValueType::U8:
    case ValueType::Bool:
      return load<uint8_t>(data);
    case ValueType::I8:
      return bit_cast<int8_t>(load<uint8_t>(data));
    case ValueType::U16:
      return load<uint16_t>(data);
    case ValueType::I16:
      return bit_cast<int16_t>(load<uint16_t>(data));
    case ValueType::U32:
      return load<uint32_t>(data);
    case ValueType::I32:
      return bit_cast<int32_t>(load<uint32_t>(data));
    case ValueType::I64:
      return bit_cast<int64_t>(load<uint64_t>(data));
    default: {
      auto value = load<uint64_t>(data);
      if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
      return static_cast<int64_t>(value);
    }
  }
}

// Precondition: is_number(type).
double load_number(ValueType type, const std::byte* data) {
  if (type == ValueType::F32) return bit_cast<float>(load<uint32_t>(data));
  if (type == ValueType::F64) return bit_cast<double>(load<uint64_t>(data));
  if (type == ValueType::U64) return static_cast<double>(load<uint64_t>(data));
  return static_cast<double>(*load_integer(type, data));
}

}  // namespace

struct Gguf::Impl {
  explicit Impl(const std::string& file_path) : path(file_path), file(file_path) {
    Cursor cursor(path, file.data(), file.size());
    read_header(cursor);
    read_metadata(cursor);
    read_tensors(cursor);
    file.check_intact();
  }

  std::string path;
  MappedFile file;
  uint64_t n_keys = 0;
  uint64_t n_tensors = 0;
  std::vector<Entry> entries;  // file order
  std::vector<uint32_t> entry_order;
  std::vector<TensorInfo> tensors;  // file order
  std::vector<uint32_t> tensor_order;

  std::string_view key_of(uint32_t i) const { return entries[i].key; }
  std::string_view name_of(uint32_t i) const { return tensors[i].name; }

  const Entry* find(std::string_view key) const {
    auto at = find_sorted(entry_order, [this](uint32_t i) { return key_of(i); }, key);
    return at ? &entries[*at] : nullptr;
  }

  [[noreturn]] void fail_type(const Entry& entry, const char* expected) const {
    std::string found = value_format(static_cast<uint32_t>(entry.type))->name;
    if (entry.type == ValueType::Array) {
      found = std::string("array of ") + value_format(static_cast<uint32_t>(entry.element))->name;
    }
    fail_entry(entry, "has the type " + found + ", expected " + expected);
  }

  [[noreturn]] void fail_entry(const Entry& entry, const std::string& what) const {
    throw Error(quoted(path) + ": byte " + std::to_string(entry.data - file.data()) + ": metadata key " +
                quoted(entry.key) + " " + what);
  }

  void read_header(Cursor& cursor) {
    std::string_view magic = text_at(cursor.take(4, "the header"), 4);
    if (magic != "GGUF") {
      cursor.fail(0, "not a GGUF file: it starts with " + quoted(magic) + " instead of \"GGUF\"");
    }
    auto version = cursor.read<uint32_t>("the header");
    if ((version & 0xFFFF) == 0 && version != 0) {
      cursor.fail(4, "a big-endian GGUF file; Longleaf reads little-endian ones, convert the file");
    }
    if (version == 1) cursor.fail(4, "GGUF version 1 is no longer read; convert the file to version 3");
    if (version != 2 && version != 3) {
      cursor.fail(4, "GGUF version " + std::to_string(version) + " is unknown, expected 2 or 3");
    }
    n_tensors = cursor.read<uint64_t>("the header");
    n_keys = cursor.read<uint64_t>("the header");
    check_count(cursor, 8, n_tensors, kMinTensorEntryBytes, kMaxTensors, "tensors");
    check_count(cursor, 16, n_keys, kMinKeyEntryBytes, kMaxKeys, "metadata keys");
  }

  static void check_count(const Cursor& cursor, size_t at, uint64_t count, size_t least_bytes, uint64_t limit,
                          const char* what) {
    if (count > limit || count > cursor.remaining() / least_bytes) {
      cursor.fail(at, "the header claims " + std::to_string(count) + " " + what + ", more than " +
                          (count > limit ? "any model has" : "fit in the rest of the file"));
    }
  }

  void read_metadata(Cursor& cursor) {
    for (uint64_t i = 0; i < n_keys; ++i) entries.push_back(read_entry(cursor));
    entry_order =
        sorted_index(entries.size(), [this](uint32_t i) { return key_of(i); }, path, "metadata key");
  }

  uint64_t alignment() const {
    const Entry* entry = find("general.alignment");
    if (entry == nullptr) return kDefaultAlignment;
    if (!is_integer(entry->type)) fail_type(*entry, "an integer");
    std::optional<int64_t> value = load_integer(entry->type, entry->data);
    if (!value || *value <= 0 || *value % 8 != 0) {
      fail_entry(*entry, "is not a positive multiple of 8");
    }
    return static_cast<uint64_t>(*value);
  }

  void read_tensors(Cursor& cursor) {
    std::vector<TensorEntry> described;
    for (uint64_t i = 0; i < n_tensors; ++i) described.push_back(read_tensor(cursor));

    uint64_t align = alignment();
    uint64_t padding = (align - cursor.position() % align) % align;
    if (padding > cursor.remaining()) {
      if (n_tensors == 0) return;
      cursor.fail(cursor.position(), "the file ends before its tensor data");
    }
    uint64_t data_start = cursor.position() + padding;
    uint64_t data_size = file.size() - data_start;
    for (TensorEntry& tensor : described) {
      std::string label = "tensor " + quoted(tensor.info.name);
      if (tensor.offset % align != 0) {
        cursor.fail(tensor.at, label + " starts at offset " + std::to_string(tensor.offset) +
                                   ", not a multiple of the alignment " + std::to_string(align));
      }
      if (tensor.offset > data_size || tensor.info.n_bytes > data_size - tensor.offset) {
        cursor.fail(tensor.at, label + " needs " + std::to_string(tensor.info.n_bytes) + " bytes at byte " +
                                   std::to_string(data_start) + " + " + std::to_string(tensor.offset) +
                                   ", but the file has " + std::to_string(file.size()) + " bytes");
      }
      tensor.info.data = file.data() + data_start + tensor.offset;
    }
    check_no_overlap(cursor, described);

    tensors.reserve(described.size());
    for (TensorEntry& tensor : described) tensors.push_back(std::move(tensor.info));
    tensor_order = sorted_index(tensors.size(), [this](uint32_t i) { return name_of(i); }, path, "tensor");
  }

  // Two tensors never share bytes in a sound file; a damaged offset otherwise gives wrong weights in silence.
  static void check_no_overlap(const Cursor& cursor, const std::vector<TensorEntry>& described) {
    std::vector<const TensorEntry*> order;
    order.reserve(described.size());
    for (const TensorEntry& tensor : described) order.push_back(&tensor);
    std::sort(order.begin(), order.end(),
              [](const TensorEntry* a, const TensorEntry* b) { return a->offset < b->offset; });
    for (size_t i = 1; i < order.size(); ++i) {
      const TensorEntry& before = *order[i - 1];
      if (order[i]->offset - before.offset < before.info.n_bytes) {
        cursor.fail(order[i]->at,
                    "tensor " + quoted(order[i]->info.name) + " overlaps tensor " + quoted(before.info.name));
      }
    }
  }
};

Gguf::Gguf(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
Gguf::~Gguf() = default;

const std::string& Gguf::path() const { return impl_->path; }
void Gguf::check_intact() const { impl_->file.check_intact(); }
const std::vector<TensorInfo>& Gguf::tensors() const { return impl_->tensors; }

const TensorInfo* Gguf::find_tensor(std::string_view name) const {
  auto at = find_sorted(impl_->tensor_order, [this](uint32_t i) { return impl_->name_of(i); }, name);
  return at ? &impl_->tensors[*at] : nullptr;
}

bool Gguf::has(std::string_view key) const { return impl_->find(key) != nullptr; }

std::optional<ValueType> Gguf::type(std::string_view key) const {
  const Entry* entry = impl_->find(key);
  if (entry == nullptr) return std::nullopt;
  return entry->type;
}

std::optional<ValueType> Gguf::element_type(std::string_view key) const {
  const Entry* entry = impl_->find(key);
  if (entry == nullptr || entry->type != ValueType::Array) return std::nullopt;
  return entry->element;
}

std::optional<std::string_view> Gguf::string(std::string_view key) const {
  const Entry* entry = impl_->find(key);
  if (entry == nullptr) return std::nullopt;
  if (entry->type != ValueType::String) impl_->fail_type(*entry, "a string");
  return text_at(entry->data, static_cast<size_t>(entry->count));
}

std::optional<int64_t> Gguf::integer(std::string_view key) const {
  const Entry* entry = impl_->find(key);
  if (entry == nullptr) return std::nullopt;
  if (!is_integer(entry->type)) impl_->fail_type(*entry, "an integer");
  std::optional<int64_t> value = load_integer(entry->type, entry->data);
  if (!value) impl_->fail_entry(*entry, "is larger than a signed 64-bit integer");
  return value;
}

std::optional<double> Gguf::number(std::string_view key) const {
  const Entry* entry = impl_->find(key);
  if (entry == nullptr) return std::nullopt;
  if (!is_number(entry->type)) impl_->fail_type(*entry, "a number");
  return load_number(entry->type, entry->data);
}

std::optional<std::vector<std::string_view>> Gguf::strings(std::string_view key) const {
  const Entry* entry = impl_->find(key);
  if (entry == nullptr) return std::nullopt;
  if (entry->type != ValueType::Array || entry->element != ValueType::String) {
    impl_->fail_type(*entry, "an array of strings");
  }
  std::vector<std::string_view> out;
  out.reserve(static_cast<size_t>(entry->count));
  const std::byte* at = entry->data;
  for (uint64_t i = 0; i < entry->count; ++i) {
    auto length = static_cast<size_t>(load<uint64_t>(at));
    out.push_back(text_at(at + 8, length));
    at += 8 + length;
  }
  return out;
}

std::optional<std::vector<int64_t>> Gguf::integers(std::string_view key) const {
  const Entry* entry = impl_->find(key);
  if (entry == nullptr) return std::nullopt;
  if (entry->type != ValueType::Array || !is_integer(entry->element)) {
    impl_->fail_type(*entry, "an array of integers");
  }
  size_t bytes = value_format(static_cast<uint32_t>(entry->element))->bytes;
  std::vector<int64_t> out;
  out.reserve(static_cast<size_t>(entry->count));
  for (uint64_t i = 0; i < entry->count; ++i) {
    std::optional<int64_t> value = load_integer(entry->element, entry->data + i * bytes);
    if (!value) impl_->fail_entry(*entry, "holds a value larger than a signed 64-bit integer");
    out.push_back(*value);
  }
  return out;
}

std::optional<std::vector<float>> Gguf::floats(std::string_view key) const {
  const Entry* entry = impl_->find(key);
  if (entry == nullptr) return std::nullopt;
  if (entry->type != ValueType::Array || !is_number(entry->element)) {
    impl_->fail_type(*entry, "an array of numbers");
  }
  size_t bytes = value_format(static_cast<uint32_t>(entry->element))->bytes;
  std::vector<float> out;
  out.reserve(static_cast<size_t>(entry->count));
  for (uint64_t i = 0; i < entry->count; ++i) {
    out.push_back(static_cast<float>(load_number(entry->element, entry->data + i * bytes)));
  }
  return out;
}

std::vector<std::string> Gguf::keys() const {
  std::vector<std::string> out;
  out.reserve(impl_->entries.size());
  for (const Entry& entry : impl_->entries) out.emplace_back(entry.key);
  return out;
}

}  // namespace longleaf

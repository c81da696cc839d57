// A regular file mapped read-only.
#pragma once

#include <cstddef>
#include <string>

namespace longleaf {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);  // throws Error for what is not a readable, non-empty file
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace longleaf

// A regular file mapped read-only.
//
// A mapped page behind the end of a file that somebody cut short raises SIGBUS. Mappings made here are
// registered with a handler that puts zeros in the place of the lost pages and remembers the damage, so the
// process lives and check_intact() can say what happened. Faults elsewhere go to whoever handled them before.
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
  void check_intact() const;  // throws Error if bytes read so far were lost because the file was cut short

 private:
  const std::string path_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  size_t guard_ = 0;  // number of its slot in the handler's table
};

}  // namespace longleaf

// Block formats of GGUF weights and their exact values as float.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gguf/gguf.h"

namespace longleaf {

struct BlockFormat {
  const char* name;
  uint32_t block_size;   // values a block
  uint32_t block_bytes;  // bytes a block
};

// nullptr for a number that is not a TensorType we read.
const BlockFormat* block_format(uint32_t type);

// n values (a multiple of the block size) from packed blocks to float, one rounding per value at most.
void dequantize(TensorType type, const std::byte* blocks, float* out, size_t n);

}  // namespace longleaf

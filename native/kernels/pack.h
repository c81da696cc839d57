// From the blocks of a GGUF tensor to the panels of kernels/packed.h. No value changes: what the kernels
// unpack is what quant/ dequantizes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gguf/gguf.h"
#include "kernels/packed.h"

namespace longleaf {

PackedFormat packed_format(TensorType type);

// Columns that a matrix of this type must have a multiple of.
size_t packed_column_step(TensorType type);

// Bytes of one block of 64 rows.
size_t packed_block_bytes(const PackedFormat& format, size_t cols);

// Packs block `block` of a tensor of rows x cols. row_map, if given, names the source row of every packed
// row.
void pack_block(TensorType type, const std::byte* tensor, size_t rows, size_t cols, const uint32_t* row_map,
                size_t block, std::byte* out);

// One row as float.
void packed_row(const PackedMatrix& matrix, size_t row, float* out);

}  // namespace longleaf

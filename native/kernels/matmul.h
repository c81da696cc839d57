// Products of activations with packed weights, split over threads by output columns.
#pragma once

#include <cstddef>

#include "kernels/kernels.h"
#include "kernels/packed.h"
#include "runtime/memory.h"
#include "runtime/threads.h"

namespace longleaf {

// Floats of scratch one thread needs for matmul.
size_t matmul_scratch_floats();

// Floats from one row of activations to the next for n columns: room for whole blocks of 64, and no multiple
// of 4 KiB, which would put the rows of a register block into one cache set.
size_t row_stride(size_t n);

struct Product {
  const PackedMatrix* weights;
  float* out;  // [rows][ldo], ldo >= weights->rows
  size_t ldo;
};

// What to do with a finished piece of the outputs: rows x columns [first, first + count) of every product.
enum class After { Nothing, SiluMul, GeluMul };

// out_i = x . weights_i^T for every product, x being [rows][ldx]. With SiluMul or GeluMul there are two
// products of the same shape, and the first becomes act(first) * second.
void matmul(const Kernels& kernels, ThreadPool& pool, const Memory& scratch, const float* x, size_t ldx,
            size_t rows, const Product* products, size_t count, After after = After::Nothing);

}  // namespace longleaf

// Products of activations with packed weights, split over threads by output columns.
#pragma once

#include <cstddef>

#include "kernels/kernels.h"
#include "kernels/packed.h"
#include "runtime/memory.h"
#include "runtime/threads.h"

namespace longleaf {

// Memory that products work in: made once for the largest rows x cols of activations.
class MatmulScratch {
 public:
  MatmulScratch() = default;
  MatmulScratch(const Kernels& kernels, int threads, size_t rows, size_t cols);

  std::byte* tile(int thread) const;
  int16_t* codes(size_t row) const { return codes_.as<int16_t>() + row * ld_; }
  ActivationGroup* groups(size_t row) const { return groups_.as<ActivationGroup>() + row * ld_groups_; }
  QuantizedRows rows() const { return {codes(0), ld_, groups(0), ld_groups_}; }
  // For sets that multiply on tiles: two matrices of rounded rows, and two blocks of outputs [rows][64] a
  // thread.
  TileRows tiles(size_t which, size_t row_tiles, size_t cols) const {
    return {rounded_[which].as<int16_t>(), row_tiles, cols};
  }
  float* outputs(int thread, size_t which) const {
    return outputs_.as<float>() + (2 * static_cast<size_t>(thread) + which) * rows_ * kBlockRows;
  }

 private:
  size_t rows_ = 0, ld_ = 0, ld_groups_ = 0;
  Memory tiles_, codes_, groups_, rounded_[2], outputs_;
};

// Floats from one row of activations to the next for n columns: room for whole blocks of 64, and no multiple
// of 4 KiB, which would put the rows of a register block into one cache set.
size_t row_stride(size_t n);

struct Product {
  const PackedMatrix* weights;
  float* out;  // [rows][ldo], ldo >= weights->rows
  size_t ldo;
};

// For products of single blocks of 64 rows of weights. First the activations, [rows][ldx], are rounded as the
// weights want it.
void round_activations(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
                       size_t ldx, size_t rows, const PackedMatrix& weights);
// Then out[64] = row `row` of x . block, what matmul gives, from the weights near threads of
// this home; rows of weights that are missing give zeros.
void block_of_row(const Kernels& kernels, const MatmulScratch& scratch, const float* x, size_t ldx,
                  size_t row, const PackedMatrix& weights, size_t home, size_t block, float* out);

// What to do with a finished piece of the outputs: rows x columns [first, first + count) of every product.
enum class After { Nothing, SiluMul, GeluMul };

// out_i = x . weights_i^T for every product, x being [rows][ldx]. With SiluMul or GeluMul there are two
// products of the same shape, and the first becomes act(first) * second.
void matmul(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
            size_t ldx, size_t rows, const Product* products, size_t count, After after = After::Nothing);

// down.out = (act(x . gate^T) * (x . up^T)) . down^T; what stands between is left in gate.out and up.out, or
// nowhere.
void feed_forward(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
                  size_t ldx, size_t rows, const Product& gate, const Product& up, After act,
                  const Product& down);

}  // namespace longleaf

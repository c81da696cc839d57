// Products of kernel sets that multiply on tiles: what matmul.h promises, by the functions of TileProducts.
#pragma once

#include "kernels/matmul.h"

namespace longleaf {

// Whether these weights are multiplied on tiles by this set.
bool on_tiles(const Kernels& kernels, const Product* products, size_t count);

void tile_matmul(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
                 size_t ldx, size_t rows, const Product* products, size_t count, After after);

// What act(x . gate^T) * (x . up^T) gives is rounded, a piece at a time, into tiles and goes from there into
// down.
void tile_feed_forward(const Kernels& kernels, ThreadPool& pool, const MatmulScratch& scratch, const float* x,
                       size_t ldx, size_t rows, const PackedMatrix& gate, const PackedMatrix& up, After act,
                       const Product& down);

}  // namespace longleaf

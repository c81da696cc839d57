// The output head: logits of final hidden states, all of them or the k best.
//
// The best are found by screening: a coarse copy of the weights (kernels/screen.h) gives every block of 64
// rows bounds that its logits surely keep; blocks that can hold one of the k best are computed exactly, by
// the product that computes all logits. So both ways give the same numbers, bit for bit. docs/decode.md
// derives the bounds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/matmul.h"
#include "kernels/packed.h"
#include "kernels/screen.h"
#include "runtime/memory.h"
#include "runtime/threads.h"

namespace longleaf {

class Head {
 public:
  // softcap 0: none. path names the model in errors.
  Head(const Kernels& kernels, ThreadPool& pool, const PackedMatrix& weights, float softcap,
       std::string path);

  // x is [rows][ldx] for all functions, scratch as for matmul. All throw Error when a logit is no finite
  // number.
  void logits(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, float* out);
  // The k best of every row, descending, ties by the lower id; ids and out are [rows][k].
  void top(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k, int32_t* ids,
           float* out);

  // Whether a coarse copy would save reading. It is made once some rows have come by, which tell it the
  // columns that matter.
  bool can_screen() const;
  size_t copy_bytes() const;  // of the coarse copy, made or not; 0 when there will be none
  size_t least_read() const;  // bytes that the best logits of some rows take at least
  // Makes the copy now, whatever it saves, for activations of these mean squares; false if the weights forbid
  // it.
  bool screen(const std::vector<double>& energies);
  size_t blocks_read() const { return blocks_read_; }  // exactly, by the last call of top, of all its rows

 private:
  // A row of weights that may give one of the k best logits of a row of activations.
  struct Candidate {
    uint32_t row, id;
    float low, high;
    bool refined;
  };
  void all(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k, int32_t* ids,
           float* out);
  bool screened(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k, int32_t* ids,
                float* out);
  bool observe(const float* x, size_t ldx, size_t rows);
  bool round_rows(const float* x, size_t ldx, size_t rows);
  bool round_row(const float* x, size_t row);
  ScreenActivations activations(size_t bunch) const;
  bool find_candidates(size_t rows, size_t k);
  void refine_candidates();
  float passing(float low) const;
  void compute(const MatmulScratch& scratch, const float* x, size_t ldx, size_t rows, size_t k, int32_t* ids,
               float* out);
  bool cap(float* logits, size_t n) const;
  void sort_columns(const std::vector<double>& energies);
  bool quantize();

  const Kernels& kernels_;
  const ScreenKernels& screen_;
  ThreadPool& pool_;
  PackedMatrix weights_;
  float softcap_;
  std::string path_;

  Memory copy_;  // empty: not made
  ScreenMatrix matrix_{};
  std::vector<uint32_t> order_;
  bool refused_ = false;  // by weights no copy can stand for
  std::vector<double> energies_;
  size_t observed_ = 0;
  double mean_share_ = 0;  // of the head's bytes that screening leaves to read
  size_t resting_ = 0;     // rows until it is tried again
  size_t blocks_read_ = 0;

  // Of all rows, kScreenRows together, as ScreenActivations has them.
  std::vector<int8_t> high_, low_, reaches_, codes_;
  std::vector<int32_t> offset_;
  std::vector<float> reach_, factor_, wide_factor_, reach_step_, slack_;
  std::vector<uint32_t> order_of_units_;            // those that held a best logit of late first
  std::vector<std::atomic<float>> thresholds_;      // of every row: below it no logit is among the best
  std::vector<std::vector<Candidate>> candidates_;  // by unit of blocks, in the order of blocks, then of rows
  Memory logits_;
};

}  // namespace longleaf

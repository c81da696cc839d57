// What this machine can do at most: multiply-adds from registers and reads from memory, measured, so that
// speeds can be stated as a share of it.
#pragma once

#include "runtime/threads.h"

namespace longleaf {

// Per second, all threads of the pool together. 0: the CPU or the kernel set has no such unit.
struct Rates {
  double float_macs;    // f32 fused multiply-adds
  double integer_macs;  // 16-bit products summed in 32 bits
  double tile_macs;     // products of bf16 on tiles
  double read_bytes;    // from memory: a buffer larger than every cache
};

// Takes about half a second. `isa` is the name of a kernel set and bounds the units that are tried.
Rates probe_rates(ThreadPool& pool, const char* isa);

}  // namespace longleaf

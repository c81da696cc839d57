#include "attention/tiles.h"

namespace longleaf {

float most_weight(KvType values) {
  const bool codes = values == KvType::Q8 || values == KvType::Q4;
  return codes ? 16383.0f : 8191.0f;  // values up to 15 * 127; up to 4095
}

const TileKernels* tile_kernels(const std::string& kernel_set, KvType keys, KvType values) {
  if (keys == KvType::F32 || values == KvType::F32) return nullptr;
  if (kernel_set == "amx") return amx_tiles();
  if (kernel_set == "amx-emulated") return amx_emulated_tiles();
  return kernel_set == "avx512" ? avx512_tiles() : nullptr;
}

}  // namespace longleaf

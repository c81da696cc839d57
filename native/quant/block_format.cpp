#include "quant/quant.h"

namespace longleaf {

const BlockFormat* block_format(uint32_t type) {
  static constexpr BlockFormat kF32{"F32", 1, 4}, kF16{"F16", 1, 2}, kBF16{"BF16", 1, 2};
  static constexpr BlockFormat kQ4_0{"Q4_0", 32, 18}, kQ4_1{"Q4_1", 32, 20}, kQ5_0{"Q5_0", 32, 22};
  static constexpr BlockFormat kQ5_1{"Q5_1", 32, 24}, kQ8_0{"Q8_0", 32, 34}, kIQ4_NL{"IQ4_NL", 32, 18};
  static constexpr BlockFormat kQ2_K{"Q2_K", 256, 84}, kQ3_K{"Q3_K", 256, 110}, kQ4_K{"Q4_K", 256, 144};
  static constexpr BlockFormat kQ5_K{"Q5_K", 256, 176}, kQ6_K{"Q6_K", 256, 210};
  switch (static_cast<TensorType>(type)) {
    case TensorType::F32:
      return &kF32;
    case TensorType::F16:
      return &kF16;
    case TensorType::BF16:
      return &kBF16;
    case TensorType::Q4_0:
      return &kQ4_0;
    case TensorType::Q4_1:
      return &kQ4_1;
    case TensorType::Q5_0:
      return &kQ5_0;
    case TensorType::Q5_1:
      return &kQ5_1;
    case TensorType::Q8_0:
      return &kQ8_0;
    case TensorType::Q2_K:
      return &kQ2_K;
    case TensorType::Q3_K:
      return &kQ3_K;
    case TensorType::Q4_K:
      return &kQ4_K;
    case TensorType::Q5_K:
      return &kQ5_K;
    case TensorType::Q6_K:
      return &kQ6_K;
    case TensorType::IQ4_NL:
      return &kIQ4_NL;
  }
  return nullptr;
}

}  // namespace longleaf

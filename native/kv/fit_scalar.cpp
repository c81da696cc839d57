#include "kv/fit.h"
#include "kv/fit.inc"

namespace longleaf {

void fit_group_scalar(float* x, size_t begin, size_t end, const ErrorShape* shape, float step, float first,
                      float last, Fit* out) {
  fit(x, begin, end, shape, step, first, last, out);
}

FitGroup fit_group(const std::string& kernel_set) {
  const bool wide = kernel_set == "avx512" || kernel_set == "amx" || kernel_set == "amx-emulated";
  return wide ? fit_group_avx512 : fit_group_scalar;
}

}  // namespace longleaf

#include "kv/fit.h"
#include "kv/fit.inc"

namespace longleaf {

FitGroup scalar_fit() { return fit; }

FitGroup fit_group(std::string_view kernel_set) {
  const bool wide = kernel_set == "avx512" || kernel_set == "amx" || kernel_set == "amx-emulated";
  return wide ? avx512_fit() : scalar_fit();
}

}  // namespace longleaf

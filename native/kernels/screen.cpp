#include "kernels/screen.h"

#include <cstring>

namespace longleaf {

const ScreenKernels& screen_kernels(const char* set) {
  const auto is = [&](const char* name) { return std::strcmp(set, name) == 0; };
  const ScreenKernels* found = scalar_screen();
  if (is("avx2")) found = avx2_screen();
  if (is("avx512bw")) found = avx512_screen();
  if (is("avx512") || is("amx") || is("amx-emulated")) found = vnni_screen();
  return *found;
}

ScreenMatrix screen_matrix(size_t rows, size_t cols) {
  ScreenMatrix m{};
  m.rows = rows;
  m.groups = (cols + kScreenGroup - 1) / kScreenGroup;
  m.wide = 1;
  m.panel_bytes = 64 + (m.groups + 3) / 4 * 4 * kScreenPanelRows + (m.groups + m.wide) * kScreenPlane;
  m.fine_bytes = (m.groups - m.wide) * 8 + m.groups + 5;
  return m;
}

}  // namespace longleaf

#include "kernels/screen.h"

#include <cstring>

namespace longleaf {

const ScreenKernels& screen_kernels(const char* set) {
  if (std::strcmp(set, "scalar") != 0) {
    const ScreenKernels* best = std::strcmp(set, "avx2") == 0 ? nullptr : avx512_screen();
    if (best == nullptr) best = avx2_screen();
    if (best != nullptr) return *best;
  }
  return *scalar_screen();
}

ScreenMatrix screen_matrix(size_t rows, size_t cols) {
  ScreenMatrix m{};
  m.rows = rows;
  m.groups = (cols + kScreenGroup - 1) / kScreenGroup;
  m.wide = 1;
  m.panel_bytes = 64 + (m.groups * kScreenPanelRows + 63) / 64 * 64 + (m.groups + m.wide) * kScreenPlane;
  m.fine_bytes = (m.groups - m.wide) * 8 + m.groups + 5;
  return m;
}

}  // namespace longleaf

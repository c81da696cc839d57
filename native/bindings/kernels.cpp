#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/bindings.h"
#include "error.h"
#include "kernels/matmul.h"
#include "kernels/pack.h"
#include "model/head.h"
#include "model/weights.h"
#include "quant/quant.h"

namespace longleaf {
namespace {

TensorType tensor_type_named(const std::string& name) {
  for (uint32_t number = 0; number < 64; ++number) {
    const BlockFormat* format = block_format(number);
    if (format != nullptr && name == format->name) return static_cast<TensorType>(number);
  }
  throw Error("no weight type \"" + name + "\"");
}

// Rows of a GGUF weight type, packed; x tells their length.
Matrix packed_matrix(const std::string& type_name, const py::bytes& packed, size_t n_out, const Floats& x) {
  const TensorType type = tensor_type_named(type_name);
  const BlockFormat* source = block_format(static_cast<uint32_t>(type));
  if (x.ndim() != 2) throw Error("x must be (rows, n_in)");
  const auto cols = static_cast<size_t>(x.shape(1));
  const std::string_view bytes = packed;
  if (cols % packed_column_step(type) != 0 || cols % source->block_size != 0 ||
      bytes.size() != n_out * (cols / source->block_size) * source->block_bytes) {
    throw Error("the packed bytes do not fit the shape");
  }
  Matrix matrix;
  matrix.view.format = packed_format(type);
  matrix.view.rows = n_out;
  matrix.view.cols = cols;
  matrix.view.block_bytes = packed_block_bytes(matrix.view.format, cols);
  matrix.memory = Memory(matrix.view.bytes());
  matrix.view.data = matrix.memory.data();
  for (size_t block = 0; block < matrix.view.blocks(); ++block) {
    pack_block(type, reinterpret_cast<const std::byte*>(bytes.data()), n_out, cols, nullptr, block,
               matrix.memory.data() + block * matrix.view.block_bytes);
  }
  return matrix;
}

// x . weights^T by one kernel set, for tests: the products, and the weights as the kernels unpack them.
py::tuple matmul_test(const std::string& type_name, const py::bytes& packed, size_t n_out, const Floats& x,
                      const std::string& isa, int threads) {
  const Matrix owned = packed_matrix(type_name, packed, n_out, x);
  const PackedMatrix& matrix = owned.view;
  const auto rows = static_cast<size_t>(x.shape(0));
  const size_t cols = matrix.cols;
  py::array_t<float> out({rows, n_out});
  py::array_t<float> weights({n_out, cols});
  ThreadPool pool(threads);
  const Kernels& kernels = kernel_set(isa);
  const MatmulScratch scratch(kernels, pool.size(), rows, cols);
  const Product product{&matrix, out.mutable_data(), n_out};
  matmul(kernels, pool, scratch, x.data(), cols, rows, &product, 1);
  for (size_t row = 0; row < n_out; ++row) {
    packed_row(matrix, row, weights.mutable_data() + row * cols);
  }
  return py::make_tuple(out, weights);
}

// The k best logits of every row, for tests: as the screened head finds them, computed in full, and the
// blocks of 64 rows that screening left to compute (-1: it refused).
py::tuple head_test(const std::string& type_name, const py::bytes& packed, size_t n_out, const Floats& x,
                    size_t k, const std::string& isa, float softcap, size_t together, int threads) {
  const Matrix matrix = packed_matrix(type_name, packed, n_out, x);
  const auto rows = static_cast<size_t>(x.shape(0));
  const auto cols = static_cast<size_t>(x.shape(1));
  const Kernels& kernels = kernel_set(isa);
  ThreadPool pool(threads);
  const MatmulScratch scratch(kernels, pool.size(), rows, cols);
  Head head(kernels, pool, matrix.view, softcap, "a test");
  py::array_t<float> logits({rows, n_out}), best({rows, k});
  py::array_t<int32_t> ids({rows, k});
  head.logits(scratch, x.data(), cols, rows, logits.mutable_data());
  std::vector<double> energies(cols, 1e-30);
  for (size_t i = 0; i < rows * cols; ++i)
    energies[i % cols] += std::pow(static_cast<double>(x.data()[i]), 2);
  const bool screens = head.screen(energies);
  py::list blocks;
  for (size_t row = 0; row < rows; row += together) {
    head.top(scratch, x.data() + row * cols, cols, std::min(together, rows - row), k,
             ids.mutable_data() + row * k, best.mutable_data() + row * k);
    blocks.append(screens ? static_cast<int64_t>(head.blocks_read()) : -1);
  }
  return py::make_tuple(ids, best, logits, blocks);
}

py::array_t<float> exp_test(const Floats& x, const std::string& isa) {
  py::array_t<float> out(x.size());
  std::copy(x.data(), x.data() + x.size(), out.mutable_data());
  kernel_set(isa).exp(out.mutable_data(), static_cast<size_t>(x.size()));
  return out;
}

}  // namespace

void bind_kernels(py::module_& m) {
  m.def("kernel_sets", &kernel_set_names, "Kernel sets that this machine runs, the default first.");
  m.def("matmul_test", &matmul_test, py::arg("type_name"), py::arg("packed"), py::arg("n_out"), py::arg("x"),
        py::arg("isa"), py::arg("threads") = 1,
        "For tests: (x . weights^T, weights) from packed rows of a GGUF weight type.");
  m.def(
      "head_test", &head_test, py::arg("type_name"), py::arg("packed"), py::arg("n_out"), py::arg("x"),
      py::arg("k"), py::arg("isa"), py::arg("softcap") = 0.0f, py::arg("together") = 1,
      py::arg("threads") = 1,
      "For tests: (ids, logits) of the k best rows by a screened head, all logits, and the blocks of 64 that "
      "each `together` rows read exactly, -1 where the weights cannot be screened.");
  m.def("exp_test", &exp_test, py::arg("x"), py::arg("isa"), "For tests: the vector exp of a kernel set.");
}

}  // namespace longleaf

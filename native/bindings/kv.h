#pragma once

#include "bindings/bindings.h"
#include "model/model.h"

namespace longleaf {

// Sequences of a model, and their pages.
void bind_kv(py::class_<Model>& model);

}  // namespace longleaf

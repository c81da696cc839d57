// Files of the format that hold a part of a model, or an addition to one.
#pragma once

#include "gguf/gguf.h"

namespace longleaf {

// Throws an Error that says what the file is, if it is no language model by itself.
void refuse_parts(const Gguf& file);

}  // namespace longleaf

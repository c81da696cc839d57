#include "gguf/parts.h"

#include <algorithm>
#include <string>

#include "error.h"
#include "gguf/text.h"

namespace longleaf {

void refuse_parts(const Gguf& file) {
  const std::string type(file.string("general.type").value_or("")),
      name(file.string("general.architecture").value_or(""));
  const std::string is = quoted(file.path()) + ": is ";
  const double parts = file.number("split.count").value_or(0);
  if (parts > 1) {
    const double part = file.number("split.no").value_or(0);
    throw Error(is + "part " + std::to_string(static_cast<uint64_t>(std::clamp(part, 0.0, 1e9)) + 1) +
                " of " + std::to_string(static_cast<uint64_t>(std::min(parts, 1e9))) +
                " of a split model; merge the parts with llama-gguf-split --merge and use that file");
  }
  if (type == "adapter" || file.has("adapter.type")) {
    throw Error(is + "an adapter (LoRA), not a model; merge it into its base model and use that file");
  }
  if (type == "mmproj" || name == "clip") {
    throw Error(is + "a projector of a vision or audio model (mmproj), not a model; use the file beside it");
  }
  if (type == "imatrix") {
    throw Error(is + "an importance matrix for quantizing, not a model; use the model it was made for");
  }
  if (type == "vocab") throw Error(is + "a vocabulary without weights, not a model; use the whole model");
}

}  // namespace longleaf

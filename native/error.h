// The one exception of the core. bindings/ turns it into longleaf._native.NativeError.
#pragma once

#include <stdexcept>
#include <string>

namespace longleaf {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace longleaf

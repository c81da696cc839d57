// Text from files, checked and made fit for error messages.
#pragma once

#include <string>
#include <string_view>

namespace longleaf {

// Well-formed UTF-8 as in RFC 3629: no overlong forms, surrogates or values above U+10FFFF.
bool is_utf8(std::string_view text);

// In double quotes, always valid UTF-8 on one line: other bytes are written \xNN, long text is cut.
std::string quoted(std::string_view text);

}  // namespace longleaf

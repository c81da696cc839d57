"""Writes unicode_table.cpp, the character classes the pre-tokenizers ask for.

    python native/text/make_unicode_table.py

llama.cpp classifies by Unicode 15.1, so the ids are equal only with that version: run it with a Python whose
unicodedata has it (3.13), or with the package unicodedata2==15.1.0 installed.
"""

from __future__ import annotations

import importlib
import unicodedata
from pathlib import Path
from types import ModuleType

VERSION = "15.1.0"
CLASSES = {"L": "Letter", "N": "Number", "M": "Mark", "P": "Punctuation", "S": "Symbol"}
# str.isspace() is the White_Space property plus the four separators U+001C to U+001F:
# https://www.unicode.org/Public/15.1.0/ucd/PropList.txt
NOT_WHITE_SPACE = range(0x1C, 0x20)


def database() -> ModuleType:
    data: ModuleType = unicodedata
    if data.unidata_version != VERSION:
        data = importlib.import_module("unicodedata2")
    if data.unidata_version != VERSION:
        raise SystemExit(f"need Unicode {VERSION}, have {data.unidata_version}")
    return data


def class_of(data: ModuleType, code_point: int) -> str:
    character = chr(code_point)
    if character.isspace() and code_point not in NOT_WHITE_SPACE:
        return "Space"
    return CLASSES.get(data.category(character)[0], "Other")


def main() -> None:
    data = database()
    ranges: list[tuple[int, str]] = []
    for code_point in range(0x110000):
        name = class_of(data, code_point)
        if not ranges or ranges[-1][1] != name:
            ranges.append((code_point, name))
    codes = ["Other", "Letter", "Number", "Mark", "Punctuation", "Symbol", "Space"]
    words = [f"0x{(start << 3) | codes.index(name):06x}" for start, name in ranges]
    lines = [", ".join(words[at : at + 12]) + "," for at in range(0, len(words), 12)]
    out = Path(__file__).with_name("unicode_table.cpp")
    out.write_text(
        f"// Written by make_unicode_table.py from Unicode {VERSION}; do not edit.\n"
        "// clang-format off\n"
        '#include "text/unicode.h"\n\n'
        "namespace longleaf {\n\n"
        f"const size_t kUnicodeRangeCount = {len(ranges)};\n"
        "const uint32_t kUnicodeRanges[] = {\n" + "\n".join(lines) + "\n};\n\n}  // namespace longleaf\n"
    )
    print(f"{out}: {len(ranges)} ranges")


if __name__ == "__main__":
    main()

// Two small vocabularies, as SentencePiece and byte-level BPE files have them, and how to spoil metadata.
#pragma once

#include <vector>

#include "gguf_writer.h"

namespace longleaf::test {

void add_vocab(File& file, bool spm);

// Values that are wrong, or right and unlikely, in the place of a sound one.
std::vector<Value> strange_values(const Value& sound, Random& random);

}  // namespace longleaf::test

"""Compares token ids with llama.cpp's on random texts of many scripts. Not in CI.

    python -m bench.crosstokens MODEL.gguf ... [--texts 600] [--seed 0]

Needs llama-cpp-python beside longleaf; its source distribution brings vocabularies without weights
(vendor/llama.cpp/models/ggml-vocab-*.gguf), which this reads too. One difference is wanted and not counted: a
text that begins with a written BOS gets a second one from llama.cpp.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import argparse
import random
from typing import Any

from longleaf import _native
from longleaf.engine.prompt.tokenizer import Tokenizer, load_tokenizer

_WORDS = """
    The agreement Agreement AGREEMENT party's we'll DON'T I'm 's 't ' naïve café Größe Straße été façade
    İstanbul Договор вступает Україна ελληνικά שלום العربية فارسی हिन्दी বাংলা தமிழ் ไทย မြန်မာ ქართული አማርኛ
    合同编号 株式会社 カタカナ 한국어 👩‍⚖️ 👍🏽 🇩🇪 ﬁrst ½ ² Ⅻ ٣٤٥ १२३ e\u0301 \u0301 \u200d $394,328
    (2.8)% 10-K §7.2(b)(iii) x**2 https://a.b/c_d?e=f#g
"""
WORDS = _WORDS.split()
SPACES = (" ", "  ", "    ", "\n", "\n\n", "\r\n", " \n ", "\t", "\t\t", "\u00a0", "\u3000", "\x0b", "\x85")
RANGES = ((0x01, 0x20), (0x20, 0x7F), (0x80, 0x3000), (0x3000, 0xD800), (0xE000, 0x110000))


def random_text(rng: random.Random, special: list[str]) -> str:
    parts: list[str] = []
    for _ in range(rng.randrange(40)):
        pools = (WORDS, SPACES, [str(rng.randrange(10 ** rng.randrange(1, 8)))], special)
        pool = rng.choice(pools)
        parts.append(rng.choice(pool) if pool else chr(rng.randrange(*rng.choice(RANGES))))
        if rng.random() < 0.2:
            parts.append(chr(rng.randrange(*rng.choice(RANGES))))
    return "".join(parts)


def peer_ids(llama: Any, vocab: Any, text: str, parse_special: bool) -> list[int]:
    data = text.encode()
    buffer = (llama.llama_token * (2 * len(data) + 16))()
    count = llama.llama_tokenize(vocab, data, len(data), buffer, len(buffer), True, parse_special)
    return list(buffer[:count])


def compare(llama: Any, path: Path, texts: int, seed: int) -> int:
    """The number of texts whose ids differ; the first two are printed."""
    gguf = _native.Gguf(path)
    ours: Tokenizer = load_tokenizer(gguf)
    options = llama.llama_model_default_params()
    options.vocab_only = True
    model = llama.llama_model_load_from_file(str(path).encode(), options)
    vocab = llama.llama_model_get_vocab(model)
    rng = random.Random(seed)
    names = [ours.token_bytes(token).decode("utf-8", "replace") for token in range(ours.n_vocab)]
    special = [name for name in names if len(name) > 2 and ours.control_spans(name.encode())]
    special = rng.sample(special, min(40, len(special)))
    different = 0
    for _ in range(texts):
        text, parse_special = random_text(rng, special), rng.random() < 0.5
        want, got = (
            peer_ids(llama, vocab, text, parse_special),
            ours.encode(text, parse_special=parse_special),
        )
        if ours.add_bos and want[:2] == [ours.bos_id] * 2:
            want = want[1:]
        if got != want:
            different += 1
            if different <= 2:
                print(f"  {text!r}\n  ours {got}\n  peer {want}")
    llama.llama_model_free(model)
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--texts", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    import llama_cpp

    llama_cpp.llama_backend_init()
    total = 0
    for path in options.models:
        different = compare(llama_cpp, path, options.texts, options.seed)
        print(f"{path.name}: {different} of {options.texts} texts differ")
        total += different
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())

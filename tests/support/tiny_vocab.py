"""Two small vocabularies as GGUF files hold them: SentencePiece with byte fallback, and byte-level BPE."""

from __future__ import annotations

import string
from dataclasses import dataclass

from gguf import TokenType

# Words whose pieces the vocabularies hold, so that merging has several levels.
WORDS = ("the", "agreement", "term", "notice", "of", "party", "and", "2024", "payment")


@dataclass(frozen=True)
class Vocab:
    model: str  # tokenizer.ggml.model
    pre: str
    tokens: tuple[str, ...]
    types: tuple[TokenType, ...]
    scores: tuple[float, ...]
    merges: tuple[str, ...]
    bos: int | None
    eos: int


def spm_vocab() -> Vocab:
    """<unk>, <s>, </s>, two turn marks, 256 bytes, then pieces, those merged earlier with higher scores."""
    special = {
        "<unk>": TokenType.UNKNOWN,
        "<s>": TokenType.CONTROL,
        "</s>": TokenType.CONTROL,
        "<start_of_turn>": TokenType.CONTROL,
        "<end_of_turn>": TokenType.CONTROL,
    }
    tokens = [*special, *(f"<0x{i:02X}>" for i in range(256))]
    types = [*special.values(), *([TokenType.BYTE] * 256)]
    scores = [0.0] * len(tokens)
    pieces = dict.fromkeys(
        prefix
        for word in WORDS
        for text in (word, "▁" + word)
        for length in range(2, len(text) + 1)
        for prefix in (text[:length],)
    )
    singles = ["▁", *string.ascii_letters, *string.digits, *".,;:()-\"'", "é", "中"]
    for rank, piece in enumerate([*sorted(pieces, key=len), *singles]):
        tokens.append(piece)
        types.append(TokenType.NORMAL)
        scores.append(-float(rank))
    return Vocab("llama", "default", tuple(tokens), tuple(types), tuple(scores), (), bos=1, eos=2)


def byte_letters() -> list[str]:
    """The letter of each byte in byte-level BPE: printable Latin-1 as it is, others from U+0100 on."""
    printable = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte) if byte in printable else chr(next(others)) for byte in range(256)]


def bpe_vocab(pre: str) -> Vocab:
    """256 byte letters, merged pieces, three control tokens; `pre` names the pre-tokenizer."""
    letters = byte_letters()
    tokens, merges = list(letters), []
    for word in WORDS:
        for text in (word, letters[32] + word):
            left = text[0]
            for letter in text[1:]:
                if left + letter not in tokens:
                    merges.append(f"{left} {letter}")
                    tokens.append(left + letter)
                left += letter
    n_normal = len(tokens)
    tokens += ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    types = [TokenType.NORMAL] * n_normal + [TokenType.CONTROL] * 3
    return Vocab("gpt2", pre, tuple(tokens), tuple(types), (), tuple(merges), bos=None, eos=n_normal + 2)

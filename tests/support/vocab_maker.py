"""GGUF files with a vocabulary and nothing else, and texts to try it on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gguf import GGUFWriter
from hypothesis import strategies as st
from tokenizers import Tokenizer as Trained
from tokenizers import models, pre_tokenizers, trainers

from tests.support.tiny_vocab import byte_letters


@dataclass(frozen=True)
class RawVocab:
    """What is written, sound or not; None leaves a key out."""

    model: str | None
    pre: str | None = None
    tokens: Sequence[str | bytes] | None = None
    types: Sequence[int] | None = None
    scores: Sequence[float] | None = None
    merges: Sequence[str] | None = None
    extra: dict[str, int | bool | str] = field(default_factory=dict)  # after "tokenizer.ggml."


def write_vocab(path: Path, vocab: RawVocab) -> Path:
    writer = GGUFWriter(path, "llama")
    if vocab.model is not None:
        writer.add_tokenizer_model(vocab.model)
    if vocab.pre is not None:
        writer.add_tokenizer_pre(vocab.pre)
    if vocab.tokens is not None:
        writer.add_token_list(list(vocab.tokens))  # type: ignore[arg-type]
    if vocab.types is not None:
        writer.add_token_types(list(vocab.types))
    if vocab.scores is not None:
        writer.add_token_scores(list(vocab.scores))
    if vocab.merges is not None:
        writer.add_token_merges(list(vocab.merges))
    for key, value in vocab.extra.items():
        name = f"tokenizer.ggml.{key}"
        if isinstance(value, bool):
            writer.add_bool(name, value)
        elif isinstance(value, int):
            writer.add_uint32(name, value) if value >= 0 else writer.add_int32(name, value)
        else:
            writer.add_string(name, value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path


def trained_bpe(texts: Sequence[str], size: int) -> tuple[list[str], list[str]]:
    """Pieces (the 256 bytes first) and merges of a byte-level BPE trained on texts."""
    trained = Trained(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    letters = byte_letters()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=letters, show_progress=False)
    trained.train_from_iterator(texts, trainer)
    pieces = sorted(trained.get_vocab().items(), key=lambda item: item[1])
    tokens = [piece for piece, _ in pieces]
    merges = json.loads(trained.to_str())["model"]["merges"]
    return tokens, [" ".join(pair) if isinstance(pair, list) else pair for pair in merges]


_WORDS = """
    The quick brown fox agreement Agreement AGREEMENT party's we'll they've I'm he'd you're don't DON'T
    We'LL x y 's 't 're ' '' naïve café Größe Übung straße été ÉTÉ élan façade œuvre İstanbul Ångström
    Договор вступает силу Москва Україна ελληνικά Αθήνα עברית שלום العربية اتفاقية فارسی हिन्दी नमस्ते
    বাংলা தமிழ் తెలుగు ไทย ภาษา ລາວ မြန်မာ ქართული Հայերեն አማርኛ
    合同编号 付款 株式会社 契約 カタカナ ひらがな 한국어 계약 👩‍⚖️ 📄
    👍🏽 🇩🇪 😀 ﬁrst ﬂoor ½ ² Ⅻ ① ٣٤٥ १२३ 一二三 e\u0301 a\u0308\u0323 \u0301 \u200b \u200d \ufeff $ € £ % & @
    # * ( ) [ ] { } < > / \\ | ~ ^ _ - – — … “ ” ‘ ’ « » § ¶ © ™ + = ` .. ... ,, ;; !? :-)
    https://example.com/a_b?c=d#e a@b.org 0x1F3A 1,234,567.89 2024-01-31 (2.8)% 10-K §7.2(b)(iii) x**2
    i++ a/b/c
"""
WORDS = _WORDS.split()
SPACES = (
    " ",
    "  ",
    "   ",
    "\n",
    "\n\n",
    "\r\n",
    " \n",
    "\n ",
    "\t",
    "\t\t",
    " \t ",
    "\u00a0",
    "\u3000",
    "\u2003",
    "\x0b",
    "\x85",
)
NUMBERS = ("1", "12", "123", "1234", "12345", "2024", "007", "3.14", "1e10")


def texts(*, without: str = "") -> st.SearchStrategy[str]:
    """Mixed scripts, numbers and white space, with any other characters between; none of `without`."""
    any_text = st.text(st.characters(exclude_categories=["Cs", "Co", "Cn"]), max_size=4)
    part = st.one_of(st.sampled_from(WORDS), st.sampled_from(SPACES), st.sampled_from(NUMBERS), any_text)
    mixed = st.lists(part, max_size=24).map("".join)
    return mixed.map(lambda text: "".join(char for char in text if char not in without))

"""The tokenizers against llama.cpp's ids, against other implementations, and on hostile input."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from gguf import TokenType
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Regex, models, pre_tokenizers
from tokenizers import Tokenizer as Reference
from tokenizers.pre_tokenizers import PreTokenizer

from longleaf import _native
from longleaf.engine.prompt.tokenizer import Tokenizer, load_tokenizer
from tests.support.real_models import GOLDENS, real_model
from tests.support.tiny_vocab import byte_letters, spm_vocab
from tests.support.vocab_maker import WORDS, RawVocab, texts, trained_bpe, write_vocab

MODELS = {"SmolLM2": "smollm2-135m-instruct", "gemma3": "gemma-3-270m"}
N, C, U, BYTE = TokenType.NORMAL, TokenType.CONTROL, TokenType.USER_DEFINED, TokenType.BYTE

UNUSED = ("Ā Ā",)  # gguf writes no empty list, and two NULs are in no text here

quick = settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@cache
def real(name: str) -> Tokenizer:
    return load_tokenizer(_native.Gguf(real_model(name).path))


@cache
def real_gguf(name: str) -> _native.Gguf:
    return _native.Gguf(real_model(name).path)


def build(folder: Path, vocab: RawVocab) -> Tokenizer:
    return load_tokenizer(_native.Gguf(write_vocab(folder / "vocab.gguf", vocab)))


# -- llama.cpp's ids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("parse_special", [False, True], ids=["plain", "special"])
@pytest.mark.parametrize("text", ["contract_a", "mixed"])
@pytest.mark.parametrize("model", MODELS)
def test_ids_equal_llama_cpp(model: str, text: str, parse_special: bool) -> None:
    golden = GOLDENS / f"{model}.{text}.{'special' if parse_special else 'plain'}.ids.json"
    if not golden.exists():
        pytest.skip(f"no goldens at {GOLDENS}")
    content = (GOLDENS / f"{text}.txt").read_bytes().decode()
    assert real(MODELS[model]).encode(content, parse_special=parse_special) == json.loads(golden.read_text())


@pytest.mark.parametrize("model", MODELS.values())
def test_long_contract_comes_back(model: str) -> None:
    path = GOLDENS / "contract_long.txt"
    if not path.exists():
        pytest.skip(f"no goldens at {GOLDENS}")
    text = path.read_bytes().decode()
    tokenizer = real(model)
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_special_ids() -> None:
    smol, gemma = real("smollm2-135m-instruct"), real("gemma-3-270m")
    assert (smol.n_vocab, smol.bos_id, smol.eos_id, smol.add_bos) == (49152, 1, 2, False)
    assert (gemma.n_vocab, gemma.bos_id, gemma.eos_id, gemma.add_bos) == (262144, 2, 1, True)
    names = {gemma.token_bytes(token) for token in gemma.eog_ids}
    assert names == {b"<eos>", b"<end_of_turn>"}
    assert {b"<|im_end|>", b"<|endoftext|>"} <= {smol.token_bytes(token) for token in smol.eog_ids}


# -- BOS and special tokens ----------------------------------------------------------------------------------


def test_bos_is_added_once() -> None:
    gemma = real("gemma-3-270m")
    assert gemma.encode("Hi")[:1] == [2]
    assert gemma.encode("Hi", add_bos=False)[0] != 2
    assert gemma.encode("<bos>Hi", parse_special=True) == gemma.encode("Hi")
    assert gemma.encode("<bos>Hi").count(2) == 1  # the written one is text
    assert gemma.encode("") == [2]
    assert real("smollm2-135m-instruct").encode("") == []


def test_control_tokens_are_read_only_on_request() -> None:
    smol = real("smollm2-135m-instruct")
    text = "<|im_start|>user\nHi<|im_end|>"
    read = smol.encode(text, parse_special=True)
    assert read[0] == 1 and read[-1] == 2
    assert not {1, 2} & set(smol.encode(text))
    assert smol.decode(read) == "user\nHi"
    assert smol.decode(smol.encode(text)) == text
    assert smol.control_spans(b"a<|im_end|>b") == [(1, 11)]


def test_user_defined_tokens_are_always_read() -> None:
    gemma = real("gemma-3-270m")
    assert gemma.encode("\n" * 31, add_bos=False) == [137]
    assert gemma.encode("\n" * 33, add_bos=False) == [137, 108]
    assert len(gemma.encode("<b>bold</b>", add_bos=False)) == 3


def test_longer_special_tokens_go_first(tmp_path: Path) -> None:
    tokens = [*byte_letters(), "<a>", "<a><b", "b><c><", "><", "x"]
    types = [N] * 256 + [C, U, U, U, U]
    tokenizer = build(tmp_path, RawVocab("gpt2", "gpt-2", tokens, types, None, UNUSED))
    start = 256
    # "b><c><" is the longest; "<a><b" then no longer fits, "<a>" does.
    assert tokenizer.encode("<a><b><c><", parse_special=True) == [start, ord("<"), start + 2]
    assert tokenizer.encode("<a><b", parse_special=True) == [start + 1]
    # Without parse_special the control token is text, the user-defined ones are still cut out.
    assert tokenizer.encode("<a><x") == [*map(ord, "<a"), start + 3, start + 4]


@given(st.text("<ab>", max_size=40), st.booleans())
@quick
def test_special_splitting_equals_the_slow_way(text: str, parse_special: bool) -> None:
    names = {"<a>": C, "<ab>": U, "b>": U, "ab>a": C, "aa": U, "<": U, "a>": C, "bb": C, "<<a": U}
    tokenizer = _overlapping(tuple(names.items()))
    ids = {name: 256 + at for at, name in enumerate(names)}
    letters = {char: ord(char) for char in "<ab>"}
    pieces: list[str | int] = [text]
    for name in sorted(names, key=len, reverse=True):
        if names[name] == C and not parse_special:
            continue
        split: list[str | int] = []
        for piece in pieces:
            parts = piece.split(name) if isinstance(piece, str) else [piece]
            for at, part in enumerate(parts):
                split += [ids[name], part] if at else [part]
        pieces = split
    want = [
        token
        for piece in pieces
        for token in ([letters[c] for c in piece] if isinstance(piece, str) else [piece])
    ]
    got = tokenizer.encode(text, parse_special=parse_special)
    assert tokenizer.token_bytes(256) == b"<a>"
    assert got == want


@cache
def _overlapping(names: tuple[tuple[str, int], ...]) -> Tokenizer:
    tokens = [*byte_letters(), *(name for name, _ in names)]
    types = [N] * 256 + [kind for _, kind in names]
    with tempfile.TemporaryDirectory() as folder:
        return build(Path(folder), RawVocab("gpt2", "gpt-2", tokens, types, None, UNUSED))


# -- round trips and other implementations -------------------------------------------------------------------

SMOL_LACKS = "\x04\x06\x13\x14\x16\x1d"


@given(texts(without=SMOL_LACKS))
@quick
def test_smollm2_round_trip(text: str) -> None:
    tokenizer = real("smollm2-135m-instruct")
    assert tokenizer.decode(tokenizer.encode(text)) == text


@given(texts(without="\u2581"))
@quick
def test_gemma_round_trip(text: str) -> None:
    tokenizer = real("gemma-3-270m")
    assert tokenizer.decode(tokenizer.encode(text)) == text


@given(texts())
@quick
def test_stream_gives_what_decode_gives(text: str) -> None:
    for model in MODELS.values():
        tokenizer = real(model)
        ids = tokenizer.encode(text)
        stream = tokenizer.stream()
        parts = [stream.push(token) for token in ids]
        assert "".join(parts) + stream.flush() == tokenizer.decode(ids)
        if model == "gemma-3-270m":
            assert "\ufffd" not in "".join(parts) or "\ufffd" in text


@given(st.lists(st.integers(0, 49151), max_size=30))
@quick
def test_stream_of_any_ids_gives_what_decode_gives(ids: list[int]) -> None:
    tokenizer = real("smollm2-135m-instruct")
    stream = tokenizer.stream()
    assert "".join(map(stream.push, ids)) + stream.flush() == tokenizer.decode(ids)


@cache
def smollm2_reference() -> Reference:
    gguf = real_gguf("smollm2-135m-instruct")
    tokens, merges = gguf.get("tokenizer.ggml.tokens"), gguf.get("tokenizer.ggml.merges")
    assert isinstance(tokens, list) and isinstance(merges, list)
    digits = pre_tokenizers.Digits(individual_digits=True)
    return _reference(tokens, merges, pre_tokenizers.Sequence([digits, _byte_level(use_regex=True)]))


def _byte_level(*, use_regex: bool = False) -> PreTokenizer:
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=use_regex)


def _reference(
    tokens: list[str], merges: list[str], words: PreTokenizer, *, whole: bool = False
) -> Reference:
    pairs = [(left, right) for left, right in (merge.split(" ") for merge in merges)]
    bpe = models.BPE(vocab={token: at for at, token in enumerate(tokens)}, merges=pairs, ignore_merges=whole)
    reference = Reference(bpe)
    reference.pre_tokenizer = words
    return reference


@given(texts(without=SMOL_LACKS))
@quick
def test_smollm2_equals_tokenizers(text: str) -> None:
    assert real("smollm2-135m-instruct").encode(text) == smollm2_reference().encode(text).ids


LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
SEED = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# Case classes are only those of ASCII here, as llama.cpp has them; see end_of_cased_word.
UPPER, LOWER = r"(?:(?=\p{L})[^a-z])", r"(?:(?=\p{L})[^A-Z])"
ENDS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
REST = r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LED = r"[^\r\n\p{L}\p{N}]?"


def _cased(ends: str) -> str:
    return f"{LED}{UPPER}*{LOWER}+{ends}|{LED}{UPPER}+{LOWER}*{ends}"


def _split(pattern: str) -> PreTokenizer:
    return pre_tokenizers.Split(Regex(pattern), "isolated")


def _words(pre: str) -> PreTokenizer:
    passes = {
        "gpt-2": [_byte_level(use_regex=True)],
        "smollm": [pre_tokenizers.Digits(individual_digits=True), _byte_level(use_regex=True)],
        "llama-bpe": [_split(LLAMA3), _byte_level()],
        "qwen2": [_split(LLAMA3.replace("{1,3}", "")), _byte_level()],
        "seed-coder": [_split(SEED), _byte_level()],
        "tekken": [_split(_cased("") + r"|\p{N}" + REST), _byte_level()],
        "gpt-4o": [_split(_cased(ENDS) + r"|\p{N}{1,3}" + REST), _byte_level()],
        "falcon": [_split(r"[\p{P}\$\+<=>\^~\|`]+"), _split(GPT2), _split("[0-9]{3}"), _byte_level()],
        "default": [
            _split(r"[\p{P}\$\+<=>\^~\|]+"),
            _split(GPT2),
            _split(r"\p{N}+"),
            _split("[0-9]{3}"),
            _byte_level(),
        ],
    }
    return pre_tokenizers.Sequence(passes[pre])


@cache
def _trained() -> tuple[list[str], list[str]]:
    phrases = [" ".join(WORDS), "\n\n".join(WORDS), "  ".join(WORDS), *(word * 2 for word in WORDS)]
    return trained_bpe(phrases * 3, 1200)


@cache
def _family(pre: str) -> tuple[Tokenizer, Reference]:
    tokens, merges = _trained()
    with tempfile.TemporaryDirectory() as folder:
        vocab = RawVocab("gpt2", pre, tokens, None, None, merges, {"add_bos_token": False})
        ours = build(Path(folder), vocab)
    whole = pre in ("llama-bpe", "tekken")
    return ours, _reference(tokens, merges, _words(pre), whole=whole)


@pytest.mark.parametrize(
    "pre", ["gpt-2", "smollm", "llama-bpe", "qwen2", "seed-coder", "tekken", "gpt-4o", "falcon", "default"]
)
def test_pre_tokenizers_equal_tokenizers(pre: str) -> None:
    ours, reference = _family(pre)

    @given(texts())
    @quick
    def equal(text: str) -> None:
        assert ours.encode(text) == reference.encode(text).ids
        assert ours.decode(ours.encode(text)) == text

    equal()


def slow_spm(text: str, scores: dict[str, float], ids: dict[str, int]) -> list[int]:
    """SentencePiece's BPE, written down plainly: the best-scored pair merges, the leftmost of equals."""
    symbols = list(text.replace(" ", "▁"))
    while True:
        pairs = [(scores[a + b], -at) for at, (a, b) in enumerate(pairwise(symbols)) if a + b in scores]
        if not pairs:
            break
        at = -max(pairs)[1]
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
    out: list[int] = []
    for symbol in symbols:
        out += [ids[symbol]] if symbol in ids else [ids[f"<0x{byte:02X}>"] for byte in symbol.encode()]
    return out


@cache
def gemma_pieces() -> tuple[dict[str, float], dict[str, int]]:
    gguf = real_gguf("gemma-3-270m")
    tokens, scores = gguf.get("tokenizer.ggml.tokens"), gguf.get("tokenizer.ggml.scores")
    assert isinstance(tokens, list) and isinstance(scores, list)
    return dict(zip(tokens, scores, strict=True)), {token: at for at, token in enumerate(tokens)}


@given(texts(without="\n\t<"))
@quick
def test_gemma_equals_the_slow_way(text: str) -> None:
    # User-defined pieces of Gemma are runs of line ends, tabs and spaces, and tags.
    while "  " in text:
        text = text.replace("  ", " ")
    text = text.replace("[multimodal]", "")
    scores, ids = gemma_pieces()
    assert real("gemma-3-270m").encode(text, add_bos=False) == slow_spm(text, scores, ids)


def test_spm_puts_a_space_before_text_and_after_special_tokens(tmp_path: Path) -> None:
    small = spm_vocab()
    vocab = RawVocab("llama", "default", small.tokens, small.types, small.scores)
    tokenizer = build(tmp_path, vocab)
    ids = {token: at for at, token in enumerate(small.tokens)}
    assert tokenizer.encode("the") == [1, ids["▁the"]]
    assert tokenizer.encode("<s>the</s>the", parse_special=True) == [1, ids["▁the"], 2, ids["▁the"]]
    assert tokenizer.decode(tokenizer.encode("the term")) == " the term"
    plain = build(tmp_path, RawVocab("llama", "default", small.tokens, small.types, small.scores, None,
                                     {"add_space_prefix": False, "add_eos_token": True}))  # fmt: skip
    assert plain.encode("the term") == [1, ids["the"], ids["▁term"], 2]
    assert plain.encode("the</s>", parse_special=True) == [1, ids["the"], 2]
    assert plain.encode("ü", add_bos=False) == [ids["<0xC3>"], ids["<0xBC>"]]


# -- hostile input -------------------------------------------------------------------------------------------

HOSTILE = {
    "letters": "a" * 400_000,
    "spaces": " " * 400_000,
    "line ends": "\n" * 400_000,
    "marks": "e" + "\u0301" * 200_000,
    "brackets": "<" * 400_000,
    "half a special token": "<unused1" * 50_000,
    "apostrophes": "'" * 400_000,
    "digits": "7" * 400_000,
    "both cases": "Àa" * 150_000,
}


@pytest.mark.timeout(60)  # quadratic would be hours
@pytest.mark.parametrize("kind", HOSTILE)
def test_much_of_one_thing_takes_no_quadratic_time(kind: str) -> None:
    for model in MODELS.values():
        tokenizer = real(model)
        assert tokenizer.decode(tokenizer.encode(HOSTILE[kind], parse_special=True)) == HOSTILE[kind]
    for pre in ("tekken", "default"):
        ours, _ = _family(pre)
        assert ours.decode(ours.encode(HOSTILE[kind])) == HOSTILE[kind]


def test_lone_surrogates_are_replaced() -> None:
    gemma = real("gemma-3-270m")
    assert gemma.decode(gemma.encode("a\ud800b")) == "a\ufffdb"
    assert gemma.decode(gemma.encode("\ud83d\ude00")) == "😀"  # a pair is a character


@pytest.mark.parametrize("token", [-1, 49152, 2**31 - 1])
def test_ids_out_of_range_are_errors(token: int) -> None:
    smol = real("smollm2-135m-instruct")
    with pytest.raises(_native.NativeError, match="outside the vocabulary"):
        smol.decode([token])
    with pytest.raises(_native.NativeError, match="outside the vocabulary"):
        smol.token_bytes(token)


@pytest.mark.parametrize("wrong", [b"bytes", None, 7])
def test_only_str_is_text(wrong: object) -> None:
    with pytest.raises(TypeError):
        real("smollm2-135m-instruct").encode(wrong)  # type: ignore[arg-type]


LETTERS = byte_letters()
NAMES = ["<unk>", "<s>", "</s>"]
UNSOUND = {
    "no tokenizer": (RawVocab(None, None, LETTERS), "no tokenizer"),
    "unknown tokenizer": (RawVocab("rwkv", None, LETTERS), '"rwkv" is not known; known are llama'),
    "no pre-tokenizer": (RawVocab("gpt2", None, LETTERS, merges=UNUSED), "does not name its pre-tokenizer"),
    "unknown words": (RawVocab("gpt2", "what", LETTERS, merges=UNUSED), '"what" is not known; known are'),
    "no tokens": (RawVocab("gpt2", "gpt-2", None, merges=UNUSED), "no vocabulary"),
    "no merges": (RawVocab("gpt2", "gpt-2", LETTERS), "needs tokenizer.ggml.merges"),
    "no scores": (RawVocab("llama", None, NAMES), "needs as many tokenizer.ggml.scores"),
    "few scores": (RawVocab("llama", None, NAMES, scores=[0.0]), "the file has 1"),
    "few types": (RawVocab("gpt2", "gpt-2", LETTERS, [1, 1], merges=UNUSED), "has 2 entries for 256"),
    "many types": (RawVocab("gpt2", "gpt-2", LETTERS, [1] * 300, merges=UNUSED), "has 300 entries"),
    "merge of one": (RawVocab("gpt2", "gpt-2", LETTERS, merges=["a b", "ab"]), 'merge 1 .*"ab"'),
    "merge of nothing": (RawVocab("gpt2", "gpt-2", LETTERS, merges=["a "]), "merge 0"),
    "no BOS": (RawVocab("llama", None, ["a"], scores=[0], extra={"bos_token_id": 77}), "a BOS token"),
}


@pytest.mark.parametrize("kind", UNSOUND)
def test_unsound_vocabularies_are_named_errors(tmp_path: Path, kind: str) -> None:
    vocab, message = UNSOUND[kind]
    with pytest.raises(_native.NativeError, match=message):
        build(tmp_path, vocab)


def test_odd_vocabularies_have_defined_behaviour(tmp_path: Path) -> None:
    # An empty piece is never matched and writes nothing; of two equal pieces the first is found.
    twice = build(tmp_path, RawVocab("gpt2", "gpt-2", [*LETTERS, "", "!"], merges=UNUSED))
    assert twice.encode("!") == [33]
    assert twice.decode([256, 257]) == "!"
    # A merge whose result is no piece is undone; bytes without a piece are left out, as llama.cpp does both.
    few = build(tmp_path, RawVocab("gpt2", "gpt-2", ["a", "b"], merges=["a b"]))
    assert few.encode("abcab") == [0, 1, 0, 1]
    # Without a byte piece the unknown token stands in; without that it is an error when it is needed.
    spm = ["<unk>", "<s>", "</s>", "a", "\u2581"]
    unknown = build(tmp_path, RawVocab("llama", None, spm, [2, 3, 3, 1, 1], [0.0] * 5))
    assert unknown.encode("a!") == [1, 4, 3, 0]
    none = build(tmp_path, RawVocab("llama", None, spm, None, [0.0] * 5, None, {"unknown_token_id": -1}))
    with pytest.raises(_native.NativeError, match="no token for byte 33"):
        none.encode("a!")
    # Scores may be anything.
    scores = [float("nan"), float("inf"), 0.0, 0.0, 0.0, float("nan"), float("-inf")]
    odd = build(tmp_path, RawVocab("llama", None, [*spm, "aa", "\u2581a"], None, scores))
    assert odd.decode(odd.encode("aaa", add_bos=False)) == " aaa"
    # Pieces need not be UTF-8.
    tokens = [*LETTERS, b"\xff\xfe", b"\xc3"]
    broken = build(tmp_path, RawVocab("gpt2", "gpt-2", tokens, [N] * 256 + [U, N], merges=UNUSED))
    assert broken.token_bytes(256) == b"\xff\xfe"
    assert broken.token_bytes(257) == b"\xc3"
    assert broken.decode(broken.encode("ÿþÃ")) == "ÿþÃ"


@given(
    tokens=st.lists(st.one_of(st.text(max_size=5), st.binary(max_size=4)), min_size=1, max_size=12),
    types=st.lists(st.integers(-2, 9), min_size=12, max_size=12),
    scores=st.lists(st.floats(width=32), min_size=12, max_size=12),
    merges=st.lists(st.text(max_size=5).map(lambda text: text + " a"), max_size=8),
    text=st.text(max_size=30),
    model=st.sampled_from(["llama", "gpt2"]),
    ids=st.dictionaries(
        st.sampled_from(["bos_token_id", "eos_token_id", "unknown_token_id", "eot_token_id"]),
        st.integers(-2, 14),
    ),
)
@quick
def test_any_vocabulary_works_or_is_a_named_error(
    tokens: list[str | bytes],
    types: list[int],
    scores: list[float],
    merges: list[str],
    text: str,
    model: str,
    ids: dict[str, int],
) -> None:
    n = len(tokens)
    vocab = RawVocab(model, "default", tokens, types[:n], scores[:n], merges, dict(ids))
    with tempfile.TemporaryDirectory() as folder:
        try:
            tokenizer = build(Path(folder), vocab)
            for parse_special in (False, True):
                encoded = tokenizer.encode(text, parse_special=parse_special)
                assert all(0 <= token < n for token in encoded)
                tokenizer.decode(encoded)
        except _native.NativeError as error:
            assert "vocab.gguf" in str(error)
        else:
            assert all(0 <= token < n for token in tokenizer.eog_ids)

"""Constraints by a grammar: JSON Schema, a regular expression, or a choice of texts.

llguidance makes the masks, on a thread of its own while the model steps.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from longleaf import LongleafError
from longleaf.engine.constraint.constraint import allows, in_background, mask_of
from longleaf.engine.constraint.token_bytes import TokenBytes, token_bytes
from longleaf.engine.prompt.tokenizer import Tokenizer

if TYPE_CHECKING:
    import llguidance

# What ends a JSON value soonest, in order. In a string, where these letters may stand, only the quote does.
_ENDINGS = b'}],:"01ntf{[-'
_LETTERS = b"xXaAzZ"
_MARGIN = 32  # tokens kept free for a value that is opened just before the end
_LONGEST_END = 512  # tokens: a longer end is not looked for


class GrammarError(LongleafError):
    """A schema, expression or choice that cannot be followed, or an output that left it."""


class Grammar:
    """A checked grammar for one tokenizer, from which each request gets a constraint of its own."""

    def __init__(self, tokenizer: Tokenizer, source: str, what: str, *, is_json: bool = False) -> None:
        """`source` is in llguidance's form, `what` names it for people. Raises GrammarError."""
        import llguidance  # not needed by most runs, and slow to import

        vocabulary = _vocabulary(tokenizer)
        wrong, messages = llguidance.LLMatcher.validate_grammar_with_warnings(source, vocabulary.native)
        if wrong:
            raise GrammarError(f"{what} cannot be used: {' '.join(messages[0].split())}")
        self._vocabulary = vocabulary
        limits = llguidance.LLParserLimits(verbose_errors=False)
        self._start = llguidance.LLMatcher(vocabulary.native, source, log_level=0, limits=limits)
        self._what = what
        self._close_within = 0  # tokens before the end of a request, where a value may have to be closed
        vocabulary.mask(self._start.deep_copy(), what)  # nothing at all may be what it allows
        if is_json:
            shortest = shortest_end(self._start, vocabulary, what, _LONGEST_END)
            self._close_within = (_LONGEST_END if shortest is None else len(shortest)) + 2 * _MARGIN

    def constraint(self, max_tokens: int | None = None) -> GrammarConstraint:
        """For one request. With its `max_tokens`, a JSON value is closed in time where that is possible.

        Without room, or for other grammars, the output then ends with finish "length", unfinished.
        """
        return GrammarConstraint(
            self._start.deep_copy(), self._vocabulary, self._what, max_tokens, self._close_within
        )


def json_schema(tokenizer: Tokenizer, schema: Mapping[str, Any] | str) -> Grammar:
    """JSON that validates against a JSON Schema; `{}` is any JSON value. Raises GrammarError.

    Keywords that cannot be followed token by token ("not", "uniqueItems" …) are refused by name.
    """
    import llguidance

    try:
        value = json.loads(schema) if isinstance(schema, str) else schema
        if not isinstance(value, Mapping):
            raise ValueError(f"it is {type(value).__name__}")
        value = dict(value)
        json.dumps(value, allow_nan=False)  # which would become null
        # As json.dumps writes it: small models go on for ever with white space where it is free.
        source = llguidance.LLMatcher.grammar_from_json_schema(
            value, defaults={"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise GrammarError(f"the JSON Schema is no JSON object: {error}") from error
    return Grammar(tokenizer, source, "the JSON Schema", is_json=True)


def regex(tokenizer: Tokenizer, pattern: str) -> Grammar:
    """Text that an expression without look-around matches as a whole. Raises GrammarError."""
    import llguidance

    try:
        source = llguidance.LLMatcher.grammar_from_regex(pattern)
    except UnicodeEncodeError as error:
        raise GrammarError(f"half a surrogate pair, which no text can hold, is in {pattern!r}") from error
    return Grammar(tokenizer, source, f"the expression {pattern!r}")


def choice(tokenizer: Tokenizer, texts: Sequence[str]) -> Grammar:
    """Exactly one of the texts. Raises GrammarError if there is none, or an empty one."""
    if isinstance(texts, str):
        raise GrammarError(f"a choice is among a list of texts, not the letters of {texts!r}")
    if not texts or not all(texts):
        raise GrammarError("a choice needs at least one text, and none of them empty")
    for text in texts:
        if token_bytes(tokenizer).spell(text.encode("utf-8", "replace")) is None:
            raise GrammarError(f"the model's vocabulary cannot write {text!r}")
    return regex(tokenizer, "|".join(map(re.escape, texts)))


class GrammarConstraint:
    """A Constraint of one request, in the state that its output has reached."""

    def __init__(
        self,
        matcher: llguidance.LLMatcher,
        vocabulary: _Vocabulary,
        what: str,
        max_tokens: int | None,
        close_within: int,
    ) -> None:
        self._matcher = matcher
        self._vocabulary = vocabulary
        self._what = what
        self._left = max_tokens
        self._margin = min(_MARGIN, (max_tokens or 0) // 8)
        self._close_within = close_within
        self._forced: list[int] = []
        self._mask: Future[NDArray[np.uint32]] | None = None
        self._closing: list[int] | None = None  # what ends the output, once there is room for nothing else
        self._stopped = False
        self._look()

    def allowed(self) -> NDArray[np.uint32]:
        if self._mask is None:
            raise GrammarError(f"{self._what} leaves no choice here: tokens are forced, or it is finished")
        return self._mask.result()

    def accept(self, token: int) -> None:
        if self._mask is not None:
            self._mask.result()  # the matcher does one thing at a time
            self._mask = None
        if not self._matcher.consume_token(token):
            error = self._matcher.get_error()
            raise GrammarError(f"{self._what}: token {token} is not allowed here ({_plain(error)})")
        if self._left is not None:
            self._left -= 1
        if self._closing is not None:
            self._closing = self._forced = self._closing[1:]
        elif self._forced[:1] == [token]:
            self._forced = self._forced[1:]
        else:
            self._forced = []
        if not self._forced:
            self._look()

    def forced(self) -> list[int]:
        return list(self._forced)

    def finished(self) -> bool:
        return self._stopped or self._closing == []

    def _look(self) -> None:
        """What comes next: nothing, forced tokens, or a choice, whose mask is begun."""
        whole_at_last = self._left == 0 and self._matcher.is_accepting()
        self._stopped = whole_at_last or self._matcher.is_stopped()
        if self.finished():
            return
        self._forced = self._matcher.compute_ff_tokens()
        if not self._forced:
            self._mask = in_background(self._compute)

    def _compute(self) -> NDArray[np.uint32]:
        mask = self._vocabulary.mask(self._matcher, self._what)
        if self._left is None or self._left > self._close_within:
            return mask
        closing = shortest_end(self._matcher, self._vocabulary, self._what, self._left)
        if not closing or len(closing) + self._margin < self._left:
            return mask
        self._closing = closing
        return mask_of(closing[:1], self._vocabulary.token_bytes.n_vocab)


def shortest_end(
    matcher: llguidance.LLMatcher, vocabulary: _Vocabulary, what: str, most: int
) -> list[int] | None:
    """Tokens that end a JSON value from here, about as few as possible; None if `most` do not do."""
    ahead, tokens = matcher.deep_copy(), list[int]()
    while not ahead.is_accepting():
        step = ahead.compute_ff_tokens() or [vocabulary.ending(vocabulary.mask(ahead, what))]
        tokens += step
        if len(tokens) > most or not ahead.consume_tokens(step):
            return None
    return tokens


def _plain(error: str) -> str:
    if "NoExtensionBias" in error:
        return "it allows nothing that could be written here"
    return " ".join(error.replace("<non-verbose/>", "").split())


class _Vocabulary:
    """A tokenizer in llguidance's form. The names of control tokens are not text to it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        import llguidance

        self.token_bytes = token_bytes(tokenizer)
        if not self.token_bytes.ends:
            raise GrammarError("the model has no end token, so nothing constrained could end")
        self._words = -(-tokenizer.n_vocab // 32)
        source = _Source(tokenizer, self.token_bytes)
        self.native = llguidance.LLTokenizer(
            source,  # type: ignore[arg-type]  # what it needs of one, without the class
            n_vocab=tokenizer.n_vocab,
            eos_token=self.token_bytes.ends,
        )
        self._endings, self._letters, (self._quote,) = map(self._single, (_ENDINGS, _LETTERS, b'"'))

    def _single(self, characters: bytes) -> list[int]:
        """The tokens of single characters, -1 for one that has none."""
        return [self.token_bytes.ids.get(bytes([byte]), -1) for byte in characters]

    def mask(self, matcher: llguidance.LLMatcher, what: str) -> NDArray[np.uint32]:
        mask = np.frombuffer(matcher.compute_bitmask(), np.dtype("<u4"))[: self._words]
        if matcher.is_error():  # the mask then has the end token, as if the output were whole
            raise GrammarError(f"{what} cannot be followed any further: {_plain(matcher.get_error())}")
        return mask

    def ending(self, mask: NDArray[np.uint32]) -> int:
        """The allowed token that brings a JSON value nearest to its end."""

        def allowed(tokens: Sequence[int]) -> list[int]:
            known = [token for token in tokens if token >= 0]
            return [token for token, bit in zip(known, allows(mask, known), strict=True) if bit]

        if allowed([self._quote]) and allowed(self._letters):
            return self._quote
        if endings := allowed(self._endings):
            return endings[0]
        word = int(np.flatnonzero(mask)[0])
        bits = int(mask[word])
        return 32 * word + (bits & -bits).bit_length() - 1


class _Source:
    """What llguidance asks of a tokenizer: the bytes of each token, and the tokens of a text."""

    is_tokenizer_wrapper = True

    def __init__(self, tokenizer: Tokenizer, token_bytes: TokenBytes) -> None:
        self._token_bytes = token_bytes
        self.eos_token_id = tokenizer.eos_id if tokenizer.eos_id is not None else token_bytes.ends[0]
        self.bos_token_id = tokenizer.bos_id
        self.special_token_ids = [token for token, text in enumerate(token_bytes.written) if not text]
        self.tokens = [text or tokenizer.token_bytes(token) for token, text in enumerate(token_bytes.written)]

    def __call__(self, text: bytes | str) -> list[int]:
        data = text.encode() if isinstance(text, str) else text
        if (tokens := self._token_bytes.spell(data)) is None:
            raise GrammarError(f"the model's vocabulary cannot write {data.decode('utf-8', 'replace')!r}")
        return tokens


_vocabularies: WeakKeyDictionary[Tokenizer, _Vocabulary] = WeakKeyDictionary()
_lock = threading.Lock()


def _vocabulary(tokenizer: Tokenizer) -> _Vocabulary:
    """Made once for a tokenizer, which takes seconds for a large vocabulary."""
    with _lock:
        if (known := _vocabularies.get(tokenizer)) is None:
            known = _vocabularies[tokenizer] = _Vocabulary(tokenizer)
        return known

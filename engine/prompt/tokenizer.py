"""Text to token ids and back, for the model of a GGUF."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from longleaf import _native
from longleaf.engine.models.store import OnProgress, resolve


class Tokenizer:
    """A model's tokenizer: ids are those llama.cpp gives. Any number of threads may use one.

    `decode(encode(text))` is the text, with these exceptions:

    - control tokens read with `parse_special` write nothing;
    - vocabularies that put a space before a text (Llama 2, Mistral 7B) give it back;
    - bytes that a byte-level vocabulary has no piece for (control characters in SmolLM2) are left out;
    - U+2581 becomes a space with a SentencePiece vocabulary;
    - a lone surrogate, which no encoding can hold, is read as U+FFFD.
    """

    def __init__(self, native: _native.Tokenizer) -> None:
        self._native = native
        self.n_vocab = native.n_vocab
        self.bos_id = native.bos_id
        self.eos_id = native.eos_id
        self.eog_ids = frozenset(native.eog_ids)
        self.add_bos = native.add_bos

    def encode(self, text: str, *, add_bos: bool = True, parse_special: bool = False) -> list[int]:
        """Ids of the text, between BOS and EOS where the model wants them and `add_bos` allows it.

        `parse_special` reads control tokens written in the text, as rendered chat templates need. A BOS that
        the text begins with is then not doubled.
        """
        try:
            return self._native.encode(text, add_bos, parse_special)
        except UnicodeEncodeError:
            return self._native.encode(_without_lone_surrogates(text), add_bos, parse_special)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the ids; bytes that are no UTF-8 become U+FFFD. NativeError for an id out of range."""
        return self._native.decode(ids).decode("utf-8", "replace")

    def count(self, text: str) -> int:
        """How many tokens the text takes inside a prompt, no BOS counted."""
        return len(self.encode(text, add_bos=False))

    def token_bytes(self, token: int) -> bytes:
        """The bytes one token stands for; for a control token its name."""
        return self._native.token_bytes(token)

    def written_bytes(self, token: int) -> bytes:
        """The bytes one token writes into a text; none for a control token."""
        return self._native.decode([token])

    def control_spans(self, utf8: bytes) -> list[tuple[int, int]]:
        """(start, end) in bytes of each control token that `parse_special` would read in a UTF-8 text."""
        return self._native.control_spans(utf8)

    def stream(self) -> StreamDecoder:
        """A decoder for ids that come one by one."""
        return StreamDecoder(self)


class StreamDecoder:
    """Turns ids into text as they come, holding bytes back until their character is whole.

    All that `push` and then `flush` returned, joined, is what `decode` gives for the same ids.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._native = tokenizer._native
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, token: int) -> str:
        return self._decoder.decode(self._native.decode([token]))

    def flush(self) -> str:
        """What is left of a character that was never finished, as U+FFFD; the decoder starts anew."""
        rest = self._decoder.decode(b"", final=True)
        self._decoder.reset()
        return rest


def open_tokenizer(model: str, *, offline: bool = False, progress: OnProgress | None = None) -> Tokenizer:
    """The tokenizer of a model by name or path, without its weights; pulled first if it is not here."""
    return load_tokenizer(_native.Gguf(str(resolve(model, offline=offline, progress=progress).path)))


def load_tokenizer(gguf: _native.Gguf) -> Tokenizer:
    """The tokenizer a GGUF describes. Raises NativeError naming what is missing, unsound or not known."""
    return Tokenizer(_native.Tokenizer(gguf))


def _without_lone_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

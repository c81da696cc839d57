"""The text of an output as it comes: whole characters, no part of a stop text, whatever the tokens."""

from __future__ import annotations

import codecs

from hypothesis import given
from hypothesis import strategies as st

from longleaf.engine.scheduling.output import OutputText

LETTERS = st.sampled_from(["a", "b", "ab", "é", "日", "🇯🇵", "\n", "e\u0301"])


class Bytes:
    """A decoder whose tokens are pieces of bytes, numbered."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = pieces
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, token: int) -> str:
        return self._decoder.decode(self._pieces[token])

    def flush(self) -> str:
        return self._decoder.decode(b"", final=True)


@given(
    st.lists(LETTERS, max_size=30).map("".join),
    st.lists(st.lists(LETTERS, min_size=1, max_size=4).map("".join), max_size=3),
    st.lists(st.integers(1, 5), min_size=1, max_size=40),
    st.integers(0, 3),
    st.integers(1, 4),
)
def test_what_is_shown_is_the_text_up_to_the_first_stop_text(
    text: str, stops: list[str], sizes: list[int], lost: int, every: int
) -> None:
    data = text.encode()[: len(text.encode()) - lost]  # may end within a character
    pieces, at = [], 0
    while at < len(data):
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(data[at : at + size])
        at += size
    output, shown, ended = OutputText(Bytes(pieces), stops), "", False  # type: ignore[arg-type]
    for token in range(len(pieces)):
        ended = output.push(token)
        known = b"".join(pieces[: token + 1]).decode("utf-8", "ignore")
        assert ended == any(stop in known for stop in stops)
        if ended or token % every == 0:
            shown += output.take()
        if ended:
            break
    if ended:
        expected = known[: min(known.index(stop) for stop in stops if stop in known)]
    else:
        output.flush()
        shown += output.take()
        expected = data.decode("utf-8", "replace")
    assert shown == output.text == expected
    assert output.take() == ""

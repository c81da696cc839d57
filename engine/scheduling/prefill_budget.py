"""How many prompt tokens a step may take so that running streams go on without a stutter."""

from __future__ import annotations

from longleaf.engine.smoothing import smoothed

STEP_ROWS = 512  # the core takes as many rows through the layers at once
LEAST_CHUNK = 4  # a step always makes some way; the kernels take four rows at least as fast as three
LONGEST_STEP = 2.0  # in steps without prompt tokens; five are promised, and a step's time varies
MEASURE_EVERY = 32  # steps; decode alone is timed again, as contexts grow
_NEWEST = 0.3  # weight of the last measurement
_SLOWER = 0.1  # of one of decode alone that took longer: mostly chance, and to believe it makes long steps


class PrefillBudget:
    """Learns from the time of steps. A row is a token that goes through the model."""

    def __init__(self) -> None:
        self._decode: dict[int, float] = {}  # seconds of a step of decode rows alone, by their number
        self._token: float | None = None  # seconds a prompt token adds to a step
        self._chunk = LEAST_CHUNK  # prompt tokens of the last step with any
        self._mixed = 0  # steps since decode was timed alone

    def tokens(self, decode_rows: int, *, streamed: bool) -> int:
        """Prompt tokens to take along with so many decode rows; 0 when these are to be timed alone.

        If none of the rows is `streamed`, as many as a step holds.
        """
        room = max(LEAST_CHUNK, STEP_ROWS - decode_rows)
        if not streamed:
            return room
        alone = self._alone(decode_rows)
        if alone is None or self._mixed >= MEASURE_EVERY:
            return 0
        if self._token is None:
            return LEAST_CHUNK
        # A small chunk's time says little of a token's: what was learned from it is not trusted far.
        tokens = min(int((LONGEST_STEP - 1) * alone / self._token), 2 * self._chunk)
        return min(room, max(LEAST_CHUNK, tokens - tokens % LEAST_CHUNK))

    def observe(self, decode_rows: int, prompt_tokens: int, seconds: float) -> None:
        if prompt_tokens == 0:
            known = self._decode.get(decode_rows)
            self._decode[decode_rows] = smoothed(known, seconds, rise=_SLOWER, fall=_NEWEST)
            self._mixed = 0
            return
        alone = 0.0 if decode_rows == 0 else self._alone(decode_rows)
        if alone is not None:
            each = max(seconds - alone, 0.0) / prompt_tokens + 1e-9
            self._token = smoothed(self._token, each, rise=_NEWEST, fall=_NEWEST)
        self._chunk = prompt_tokens
        self._mixed += 1

    def _alone(self, rows: int) -> float | None:
        """Of as many rows, else of the next fewer: then too short rather than too long."""
        fewer = [known for known in self._decode if known <= rows]
        return self._decode[max(fewer)] if fewer else None

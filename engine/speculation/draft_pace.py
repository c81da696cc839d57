"""How many drafts a step is worth: by the measured time of steps and the measured chance of each draft."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from itertools import islice

from longleaf.engine.smoothing import smoothed
from longleaf.engine.speculation.drafter import StepCost

MOST_DRAFTS = 31  # a step of 32 rows
_ROW = 0.15  # of a one-row step, what each further row is taken to cost until it is measured
_RISE, _FALL = 0.1, 0.4  # weight of the newest measurement of a step: what slows one down is mostly chance
_SURE = 3  # measurements
_STALE = 64  # steps after which the time without drafts is measured again
_LEAST_GAIN = 1.1  # expected tokens a second, drafts against none: less is within the error of the estimates
_LEAST_CHANCE = 0.05  # that a draft counts, all before it right: no further one is worth a row
_MOST_LOSS = 0.01  # of the time spent, after which drafting stops until it is made up for


class StepTimes:
    """Seconds of a step by its rows of logits; one for all requests of a model: their steps are the same."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._counts: dict[int, int] = {}
        self._seen: dict[int, int] = {}
        self._sure: list[int] = []  # rows measured often enough, ascending
        self._steps = 0
        self._last: StepCost | None = None

    def record(self, cost: StepCost) -> None:
        """A step without prefill. The requests of one step may each give it; it counts once."""
        if cost is self._last:
            return
        self._last = cost
        rows = cost.rows
        self._steps += 1
        self._seen[rows] = self._steps
        self._counts[rows] = self._counts.get(rows, 0) + 1
        if self._counts[rows] == _SURE:
            insort(self._sure, rows)
        self._seconds[rows] = smoothed(self._seconds.get(rows), cost.seconds, rise=_RISE, fall=_FALL)

    def age(self, rows: int) -> int | None:
        """Steps since one of `rows` rows was recorded; None if there was none."""
        seen = self._seen.get(rows)
        return None if seen is None else self._steps - seen

    def seconds(self, rows: int) -> float:
        """Between what was measured often in proportion, and on past it. Some step must have been recorded.

        What was measured once or twice may have been slow by chance, and must not keep others from trying.
        """
        count = self._counts.get(rows, 0)
        if count >= _SURE:
            return self._seconds[rows]
        between = self._between(rows, self._sure or sorted(self._seconds))
        return min(between, self._seconds[rows]) if count else between

    def most_rows(self) -> int:
        """Rows that may be tried next: twice as many as were, so that a wrong guess of the cost is cheap."""
        return 2 * max(self._sure, default=1)

    def _between(self, rows: int, measured: Sequence[int]) -> float:
        first, last = measured[0], measured[-1]
        at = bisect_left(measured, rows)
        if at == 0:
            return self._seconds[first] * (1 + _ROW * (rows - 1)) / (1 + _ROW * (first - 1))
        if at == len(measured):
            # As steeply as on the whole: the last rows alone may have been where other kernels set in.
            slope = self._slope(first, last) if len(measured) > 1 else _ROW * self._seconds[last]
            return self._seconds[last] + slope * (rows - last)
        low = measured[at - 1]
        return self._seconds[low] + self._slope(low, measured[at]) * (rows - low)

    def _slope(self, low: int, high: int) -> float:
        return (self._seconds[high] - self._seconds[low]) / (high - low)


class DraftPace:
    """One request's draft length. Drafts are taken while all requests of a step get more tokens a second by
    them.

    It keeps account of the seconds that drafts won and lost. Once they have lost more than a hundredth of the
    time spent (and one step), none are taken until that much time has passed.
    """

    def __init__(self, times: StepTimes) -> None:
        self._times = times
        self._others, self._requests = 0, 1  # rows and requests beside this one's, as of the last step
        self._elapsed = self._balance = 0.0

    def best(self, chances: Iterable[float], seconds_each: float = 0.0) -> int:
        """How many drafts to take, `chances[i]` being that of draft `i` if those before it are right.

        `seconds_each` is the time it takes to make one draft.
        """
        base = self._others + 1
        age = self._times.age(base)
        if age is None or age > _STALE:
            return 0
        alone = self._times.seconds(base)
        if self._balance < -(_MOST_LOSS * self._elapsed + alone):
            return 0
        best, best_rate = 0, _LEAST_GAIN * self._requests / alone
        tokens, chance = float(self._requests), 1.0
        most = min(MOST_DRAFTS, max(self._times.most_rows() - base, 1))
        for drafts, each in enumerate(islice(chances, most), 1):
            chance *= each
            if chance < _LEAST_CHANCE:
                break
            tokens += chance
            rate = tokens / (self._times.seconds(base + drafts) + drafts * seconds_each)
            if rate > best_rate:
                best, best_rate = drafts, rate
        return best

    def observe(self, drafted: int, accepted: int, cost: StepCost | None, drafting: float = 0.0) -> None:
        """As for `Drafter`; `drafting` is the seconds it took to make the drafts."""
        if cost is None:
            return
        self._times.record(cost)
        self._others, self._requests = max(cost.rows - drafted - 1, 0), cost.requests
        self._elapsed += cost.seconds + drafting
        if drafted:
            alone = self._times.seconds(self._others + 1)
            won = accepted * alone / self._requests
            self._balance += won - (cost.seconds - alone) - drafting
            self._balance = min(self._balance, alone)  # what was won long ago pays for no loss now

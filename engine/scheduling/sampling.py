"""The next token from a row of logits: pure functions, in the order llama-server applies its samplers.

    constraint mask, ignore_eos, logit_bias, penalties, top_k, top_p, min_p, temperature, draw

So top_p and min_p look at the probabilities before the temperature, as there. At temperature 0 the best token
left after the penalties is taken. The draw needs one number from [0, 1), made from the seed and the position
in the output alone (a counter-based generator): no other request, batch, draft or restart can shift it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from longleaf.engine.errors import SamplingError
from longleaf.engine.types import SamplingParams, TokenLogprob

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

_FIRST_SORTED = 256  # of a vocabulary: a nucleus is seldom larger


@dataclass(frozen=True, slots=True)
class Row:
    """Logits to choose by: of the whole vocabulary, or of its best tokens only.

    `ids` is None for the whole vocabulary; else (k,), with the logits descending and equals by ascending id.
    """

    logits: NDArray[np.float32]
    ids: NDArray[np.int32] | None = None


def choose(
    row: Row, params: SamplingParams, seen: Sequence[int], position: int, barred: Collection[int] = ()
) -> int:
    """The token for output position `position` (from 0); `seen` are prompt and output so far.

    None of `barred` is chosen, and none that a constraint forbids, which has minus infinity in the row. A row
    of best tokens must hold `params.candidates` of them besides those, or all there are. SamplingError if no
    token is left.
    """
    if row.ids is not None:
        kept = ~np.isin(row.ids, list(barred))
        ids, logits = row.ids[kept].astype(np.int64), row.logits[kept].astype(np.float64)
        if not len(ids):
            raise _none_left()
        if params.temperature == 0:
            return int(ids[0])
    elif params.temperature == 0 and params.plain and not barred:
        return _best(row.logits)
    else:
        logits = row.logits.astype(np.float64)
        logits[list(barred)] = -np.inf
        bias(logits, params)
        penalize(logits, params, seen)
        best = _best(logits)
        if params.temperature == 0:
            return best
        ids = np.flatnonzero(logits > -np.inf)
        logits = logits[ids]
    ids, logits = top_k(ids, logits, params.top_k)
    ids, logits = top_p(ids, logits, params.top_p)
    ids, logits = min_p(ids, logits, params.min_p)
    with np.errstate(over="ignore"):  # a temperature so low that only the best is left
        cooled = (logits - logits.max()) / params.temperature
    return draw(ids, cooled, uniform(params.seed, position))


def bias(logits: Floats, params: SamplingParams) -> None:
    """Adds the logit biases in place."""
    for token, value in params.logit_bias.items():
        logits[token] += value


def penalize(logits: Floats, params: SamplingParams, seen: Sequence[int]) -> None:
    """Applies the penalties for the last `repeat_last_n` tokens in place.

    As llama-server does: a positive logit is divided by repeat_penalty, another multiplied; then
    count * frequency_penalty + presence_penalty is taken off.
    """
    n = len(seen) if params.repeat_last_n < 0 else params.repeat_last_n
    if n == 0 or not seen:
        return
    tokens, counts = np.unique(np.asarray(seen[-n:], np.int64), return_counts=True)
    values = logits[tokens]
    values = np.where(values > 0, values / params.repeat_penalty, values * params.repeat_penalty)
    logits[tokens] = values - counts * params.frequency_penalty - params.presence_penalty


def top_k(ids: Ids, logits: Floats, k: int) -> tuple[Ids, Floats]:
    """The k best, of equals those with lower ids; all if k is 0."""
    if not 0 < k < len(ids):
        return ids, logits
    least = np.partition(logits, len(logits) - k)[len(logits) - k]
    better, equal = np.flatnonzero(logits > least), np.flatnonzero(logits == least)
    kept = np.concatenate([better, equal[np.argsort(ids[equal])][: k - len(better)]])
    return ids[kept], logits[kept]


def top_p(ids: Ids, logits: Floats, p: float) -> tuple[Ids, Floats]:
    """The fewest best tokens whose probabilities sum to at least p; all if p is 1."""
    if p >= 1:
        return ids, logits
    weights = np.exp(logits - logits.max())
    enough = p * weights.sum()
    n = _FIRST_SORTED
    while True:
        best_ids, best = top_k(ids, logits, n)
        order = np.lexsort((best_ids, -best))
        sums = np.cumsum(np.exp(best[order] - logits.max()))
        if sums[-1] >= enough or len(order) == len(ids):
            kept = order[: int(np.searchsorted(sums, enough)) + 1]
            return best_ids[kept], best[kept]
        n *= 16


def min_p(ids: Ids, logits: Floats, p: float) -> tuple[Ids, Floats]:
    """The tokens at least p times as probable as the best; all if p is 0."""
    if p <= 0:
        return ids, logits
    kept = logits >= logits.max() + np.log(p)
    return ids[kept], logits[kept]


def draw(ids: Ids, logits: Floats, number: float) -> int:
    """The token at `number` of the way through the probabilities, ids ascending; the best logit is 0."""
    order = np.argsort(ids)
    sums = np.cumsum(np.exp(logits[order]))
    # Rounding must not carry it to the end, where no token or one of no probability stands.
    at = min(number * sums[-1], np.nextafter(sums[-1], 0))
    return int(ids[order[np.searchsorted(sums, at, side="right")]])


def uniform(seed: int, position: int) -> float:
    """The number from [0, 1) that a request with this seed draws with at a position of its output."""
    return float(np.random.Generator(np.random.Philox(key=seed, counter=position)).random())


def logprob_of(logits: NDArray[np.float32], token: int, n: int) -> TokenLogprob:
    """The model's own log-probability of a token and of the `n` likeliest, from a row of all logits."""
    wide = logits.astype(np.float64)
    most = wide.max()
    total = most + np.log(np.exp(wide - most).sum())
    ids, best = top_k(np.arange(len(wide)), wide, n) if n else (np.empty(0, np.int64), np.empty(0))
    order = np.lexsort((ids, -best))
    return TokenLogprob(
        token,
        float(wide[token] - total),
        tuple((int(ids[i]), float(best[i] - total)) for i in order),
    )


def _best(logits: NDArray[np.float32] | Floats) -> int:
    best = int(np.argmax(logits))
    if logits[best] == -np.inf:
        raise _none_left()
    return best


def _none_left() -> SamplingError:
    return SamplingError("no token is left to choose: constraint, ignore_eos and logit_bias rule all out")

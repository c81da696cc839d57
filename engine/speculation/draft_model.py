"""Drafts from a smaller model of the same vocabulary."""

from __future__ import annotations

import time
import weakref
from collections.abc import Sequence
from typing import Self

from longleaf import _native
from longleaf.engine.models.load_options import trained_context
from longleaf.engine.models.store import ModelError, resolve
from longleaf.engine.prompt.tokenizer import Tokenizer, load_tokenizer
from longleaf.engine.speculation.draft_pace import MOST_DRAFTS, DraftPace, StepTimes
from longleaf.engine.speculation.drafter import StepCost

_PREFILL_CHUNK = 512  # tokens a step: the other requests wait for them
_CHANCE = 0.7  # that a draft is right, until it is measured
_NEW = 0.05  # weight of the newest draft in that
_BACK = 0.005  # of the way back to _CHANCE with each step without drafts: retried after hundreds of steps


class DraftModel:
    """A loaded draft model, shared by the requests it drafts for."""

    def __init__(self, native: _native.Model, n_vocab: int) -> None:
        self.native = native
        self.n_vocab = n_vocab  # ids that both models know: 0 to n_vocab - 1

    @classmethod
    def open(
        cls,
        model: str,
        target: Tokenizer,
        *,
        ctx_size: int,
        threads: int | None = None,
        offline: bool = False,
    ) -> Self:
        """`model` as for `Engine.open`; `ctx_size` is the target's. Raises ModelError unless the vocabularies
        agree. Behind as many tokens as the draft model was trained for, nothing is drafted."""
        found = resolve(model, offline=offline)
        gguf = _native.Gguf(str(found.path))
        own = load_tokenizer(gguf)
        check_vocabularies(found.name, own, target)
        ctx_size = min(ctx_size, trained_context(gguf) or ctx_size)
        native = _native.Model(gguf, threads=threads or 0, ctx_size=ctx_size)
        return cls(native, min(own.n_vocab, target.n_vocab))

    def drafter(self, times: StepTimes | None = None) -> ModelDrafter:
        """For one request. `times` is the target's, best shared by all its requests."""
        return ModelDrafter(self, times or StepTimes())


class ModelDrafter:
    """A Drafter that takes the draft model's own greedy continuation."""

    def __init__(self, model: DraftModel, times: StepTimes) -> None:
        self._model = model
        self._pace = DraftPace(times)
        self._held: list[int] = []  # tokens in the draft model's sequence
        self._handle = model.native.new_sequence()
        self._free = weakref.finalize(self, model.native.free, self._handle)
        self._chance = _CHANCE
        self._seconds_each = 0.0
        self._drafting = 0.0  # seconds, for the drafts of this step

    def propose(self, context: Sequence[int], most: int) -> list[int]:
        self._drafting = 0.0
        room = min(most, MOST_DRAFTS, self._model.native.n_ctx - len(context))
        drafts = self._pace.best([self._chance] * max(room, 0), self._seconds_each)
        if drafts == 0 or max(context[self._common(context) :], default=0) >= self._model.n_vocab:
            self._chance += _BACK * (_CHANCE - self._chance)
            return []
        try:
            return self._drafted(context, drafts)
        except _native.KvFullError:  # other requests' drafts hold the pages: this step goes without
            return []

    def observe(self, drafted: int, accepted: int, cost: StepCost | None) -> None:
        self._pace.observe(drafted, accepted, cost, self._drafting)
        for i in range(min(accepted + 1, drafted)):
            self._chance += _NEW * ((i < accepted) - self._chance)

    def _drafted(self, context: Sequence[int], drafts: int) -> list[int]:
        native = self._model.native
        keep = min(self._common(context), len(context) - 1)
        native.truncate(self._handle, keep)
        del self._held[keep:]
        # Reading the prompt is no part of the pace: it is paid once, by choosing to have a draft model.
        if len(context) - len(self._held) > _PREFILL_CHUNK:
            self._read(context[len(self._held) : len(self._held) + _PREFILL_CHUNK])
            return []
        start = time.perf_counter()
        out: list[int] = []
        new: Sequence[int] = context[len(self._held) :]
        while len(out) < drafts:
            token = self._best(new)
            if token >= self._model.n_vocab:  # no token of the target: nothing to say
                break
            out.append(token)
            new = [token]
        self._drafting = time.perf_counter() - start
        each = self._drafting / max(len(out), 1)
        self._seconds_each += (each - self._seconds_each) * (0.25 if self._seconds_each else 1.0)
        return out

    def _read(self, tokens: Sequence[int]) -> None:
        self._model.native.forward([(self._handle, tokens, 0)])
        self._held += tokens

    def _best(self, new: Sequence[int]) -> int:
        """The draft model's own next token after these."""
        ids, _ = self._model.native.forward_top([(self._handle, new, 1)], 1)
        self._held += new
        return int(ids[0, 0])

    def _common(self, context: Sequence[int]) -> int:
        """Length of the common beginning of what the sequence holds and the context, which only grows."""
        limit = min(len(self._held), len(context))
        start = max(limit - MOST_DRAFTS, 0)  # before it both are known to agree
        for at in range(start, limit):
            if self._held[at] != context[at]:
                return at
        return limit


def check_vocabularies(name: str, draft: Tokenizer, target: Tokenizer) -> None:
    """Raises ModelError naming the first token in which they differ. One may have further tokens at its
    end."""
    for token in range(min(draft.n_vocab, target.n_vocab)):
        ours, theirs = draft.token_bytes(token), target.token_bytes(token)
        ends = token in draft.eog_ids, token in target.eog_ids
        if ours != theirs or ends[0] != ends[1]:
            what = f"is {_shown(ours, ends[0])} in it and {_shown(theirs, ends[1])} in the model"
            raise ModelError(
                f"{name} cannot draft for this model: token {token} {what} "
                f"(vocabularies of {draft.n_vocab} and {target.n_vocab} tokens); "
                "choose a smaller model of the same family"
            )


def _shown(token: bytes, end: bool) -> str:
    return repr(token.decode("utf-8", "replace")) + (", an end token," if end else "")

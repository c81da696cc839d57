"""How a model is loaded: where its threads and memory lie, and how far its positions are stretched."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from longleaf import _native

Numa = Literal["none", "distribute", "isolate"]
RopeKind = Literal["none", "linear", "yarn"]


def trained_context(file: _native.Gguf) -> int | None:
    """Tokens the model was trained for, as its file says; None if it does not (the core refuses it then)."""
    length = file.get(f"{file.get('general.architecture')}.context_length")
    return length if isinstance(length, int) else None


@dataclass(frozen=True, slots=True)
class RopeScaling:
    """In the place of what the model's file says; see docs/long-contexts.md. Lossy."""

    kind: RopeKind
    frequency_scale: float = 0  # positions are multiplied by it; 0 takes what the context size needs
    original_context: int = 0  # YaRN, in tokens; 0 is what the model was trained for
    ext_factor: float = 1
    attention_factor: float = 1
    beta_fast: float = 32
    beta_slow: float = 1


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """Bytes; `kv` for one sequence of `ctx_size` tokens."""

    ctx_size: int
    weights: int
    kv: int
    activations: int
    screening: int  # the coarse copy of the output head (docs/decode.md)

    def __str__(self) -> str:
        parts = {
            "weights": self.weights,
            f"KV cache of {self.ctx_size:,} tokens": self.kv,
            "activations": self.activations,
            "head copy": self.screening,
        }
        total = sum(parts.values())
        return " + ".join(f"{n / 2**20:,.0f} MiB {what}" for what, n in parts.items()) + (
            f" = {total / 2**20:,.0f} MiB"
        )


@dataclass(frozen=True, slots=True)
class NumaUse:
    """How memory was placed on NUMA nodes, and where pages of it were found (docs/numa.md)."""

    nodes: list[int]  # that memory was placed on; none where the system decides
    homes: list[int]  # of those, the ones that KV pages are spread over
    weight_copies: int
    weight_pages: int  # of a sample
    weight_pages_elsewhere: int
    kv_pages: int  # one of every head of every page in use
    kv_pages_elsewhere: int

    def __str__(self) -> str:
        if not self.nodes:
            return "memory lies where the system puts it (one node, or --numa none)"
        weights = (
            f"{self.weight_copies} copies of the weights, one a node"
            if self.weight_copies > 1
            else "weights interleaved"
            if len(self.nodes) > 1
            else "weights"
        )
        return (
            f"nodes {', '.join(map(str, self.nodes))}; {weights}, {self.weight_pages_elsewhere} of "
            f"{self.weight_pages} pages looked at elsewhere; KV cache "
            + (f"spread over nodes {', '.join(map(str, self.homes))}, " if self.homes else "")
            + f"{self.kv_pages_elsewhere} of {self.kv_pages} pages elsewhere"
        )


@dataclass(frozen=True, slots=True)
class LoadOptions:
    numa: Numa = "none"
    mlock: bool = False  # keep the weights from being swapped out
    rope: RopeScaling | None = None
    exact: bool = False  # refuse a kernel set that rounds: the same bits on every machine
    isa: str = ""  # a kernel set by name; empty is LONGLEAF_ISA, or the default of the machine

    def native(self) -> dict[str, Any]:
        """As arguments of `_native.Model`."""
        return {
            "numa": self.numa,
            "mlock": self.mlock,
            "rope_scaling": asdict(self.rope) if self.rope else None,
            "exact": self.exact,
            "isa": self.isa,
        }

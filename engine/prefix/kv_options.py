"""How an engine keeps its KV cache: how much memory, and whether prefixes stay on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from longleaf import _native
from longleaf.engine.models.content_hash import content_hash
from longleaf.engine.models.store import ResolvedModel
from longleaf.engine.prefix.disk import Identity, PrefixStore
from longleaf.engine.prefix.folder import DEFAULT_LIMIT


@dataclass(frozen=True, slots=True)
class KvOptions:
    type_k: str = "f16"  # f16 is exact; what the others cost is in docs/kv-cache.md
    type_v: str = "f16"
    budget_bytes: int = 0  # of memory; 0 chooses by the context and what is free
    save_path: Path | None = None  # folder for prefixes on disk; None keeps none there
    save_limit: int = DEFAULT_LIMIT  # bytes on disk


def open_store(model: ResolvedModel, native: _native.Model, options: KvOptions) -> PrefixStore | None:
    """The prefixes on disk that fit this model, this build and these options, if they are to be kept.

    Raises DiskCacheError, and OSError if the model cannot be read.
    """
    if options.save_path is None or options.save_limit <= 0:
        return None
    kv = native.kv_stats()
    identity = Identity(
        {
            "model": content_hash(model.path),  # weights and tokenizer
            "core": content_hash(Path(_native.__file__)),
            "isa": native.isa,
            "rope": native.rope,  # with the options that change it
            "kv_type_k": options.type_k,
            "kv_type_v": options.type_v,
            "page_bytes": kv["page_bytes"],
            "page_tokens": kv["page_tokens"],
        },
        {"name": model.name, "windows": native.kv_windows},
    )
    return PrefixStore(
        options.save_path,
        identity,
        page_tokens=kv["page_tokens"],
        windowed=kv["window_layers"] > 0,
        limit=options.save_limit,
    )

"""Options that several commands share, named as llama-server's where they mean the same."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from longleaf.app import defaults

Command = TypeVar("Command", bound=Callable[..., Any])


def model() -> Callable[[Command], Command]:
    return click.option(
        "-m",
        "--model",
        "model",
        default=defaults.LANGUAGE_MODEL,
        show_default=True,
        envvar="LONGLEAF_MODEL",
        help="Catalogue name, path of a GGUF, or hf:ORG/REPO/FILE.gguf.",
    )


def ctx_size(default: int | None = None) -> Callable[[Command], Command]:
    return click.option(
        "-c",
        "--ctx-size",
        "--ctx",
        "ctx_size",
        type=click.IntRange(4, 2**31 - 1),
        default=default,
        show_default=default is not None,
        help="Context length in tokens.",
    )


threads = click.option(
    "-t",
    "--threads",
    type=click.IntRange(1, 1024),
    default=None,
    help="Threads [default: one a usable core].",
)
offline = click.option(
    "--offline", is_flag=True, envvar="LONGLEAF_OFFLINE", help="Never connect to a network."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON (see: longleaf schema).")
pages = click.option(
    "--pages",
    metavar="SPEC",
    default=None,
    help="Only these pages, by printed label or position, as 1-5,iv,12-.",
)
library = click.option(
    "--library",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="The library's SQLite file [default: $LONGLEAF_LIBRARY, else in the XDG data folder].",
)
ocr = click.option(
    "--ocr",
    type=click.Choice(["auto", "off", "force"]),
    default="auto",
    show_default=True,
    help="Recognize the text of PDF pages that are pictures (by longleaf[ocr] or tesseract); force: of all.",
)
save_path = click.option(
    "--slot-save-path",
    "save_path",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    envvar="LONGLEAF_SLOT_SAVE_PATH",
    help="Folder of the KV caches of texts that were read [default: prefixes in Longleaf's cache folder].",
)
# What the core knows; it checks them itself, but --help cannot wait for it to be loaded.
KV_TYPES = ("f16", "bf16", "q8", "q4", "f32")


def _kv_type(letter: str, what: str) -> Callable[[Command], Command]:
    return click.option(
        f"--cache-type-{letter}",
        f"-ct{letter}",
        f"type_{letter}",
        type=click.Choice(KV_TYPES),
        default="f16",
        show_default=True,
        help=f"How {what} are kept; q8 and q4 take less memory and are not exact.",
    )


cache_type_k = _kv_type("k", "keys")
cache_type_v = _kv_type("v", "values")
_KV_OPTIONS = (
    cache_type_k,
    cache_type_v,
    click.option(
        "--kv-budget",
        type=click.IntRange(min=1),
        default=None,
        help="MiB of memory for the KV cache [default: by the context size and what is free].",
    ),
    save_path,
    click.option(
        "--slot-save-size",
        "save_size",
        type=click.IntRange(min=0),
        default=4096,
        show_default=True,
        envvar="LONGLEAF_SLOT_SAVE_SIZE",
        help="MiB on disk for KV caches of texts that were read; 0 keeps none.",
    ),
)


_LOAD_OPTIONS = (
    click.option(
        "--numa",
        type=click.Choice(["none", "distribute", "isolate"]),
        default="none",
        show_default=True,
        help="Spread threads and memory over NUMA nodes, or stay on one (docs/numa.md).",
    ),
    click.option("--mlock", is_flag=True, help="Keep the weights from being swapped out."),
    click.option(
        "--exact",
        is_flag=True,
        help="Refuse LONGLEAF_ISA=amx, which rounds products: the same numbers as on every other machine.",
    ),
    click.option(
        "--rope-scaling",
        type=click.Choice(["none", "linear", "yarn"]),
        default=None,
        help="Stretch positions to contexts longer than the model was trained for; costs quality.",
    ),
    click.option(
        "--rope-freq-scale",
        type=click.FloatRange(min=0, max=1, min_open=True),
        default=None,
        help="Factor of positions, 1/N for N times the context [default: what --ctx-size needs].",
    ),
    click.option("--yarn-orig-ctx", type=click.IntRange(min=0), default=0, show_default="as trained"),
    click.option("--yarn-ext-factor", type=click.FloatRange(0, 1), default=1.0, show_default=True),
    click.option("--yarn-attn-factor", type=click.FloatRange(1e-3, 1e3), default=1.0, show_default=True),
    click.option("--yarn-beta-fast", type=click.FloatRange(1e-3, 1e6), default=32.0, show_default=True),
    click.option("--yarn-beta-slow", type=click.FloatRange(1e-3, 1e6), default=1.0, show_default=True),
)


def loading(command: Command) -> Command:
    """How a model is loaded, handed to the command as one `load: LoadOptions`."""

    @functools.wraps(command)
    def with_load(
        *args: Any,
        numa: Any,
        mlock: bool,
        exact: bool,
        rope_scaling: Any,
        rope_freq_scale: float | None,
        yarn_orig_ctx: int,
        yarn_ext_factor: float,
        yarn_attn_factor: float,
        yarn_beta_fast: float,
        yarn_beta_slow: float,
        **others: Any,
    ) -> Any:
        from longleaf.engine.models.load_options import LoadOptions, RopeScaling

        if rope_freq_scale is not None and rope_scaling is None:
            raise click.UsageError("--rope-freq-scale needs --rope-scaling linear or yarn")
        rope = None
        if rope_scaling is not None:
            rope = RopeScaling(
                kind=rope_scaling,
                frequency_scale=rope_freq_scale or 0,
                original_context=yarn_orig_ctx,
                ext_factor=yarn_ext_factor,
                attention_factor=yarn_attn_factor,
                beta_fast=yarn_beta_fast,
                beta_slow=yarn_beta_slow,
            )
        return command(*args, load=LoadOptions(numa=numa, mlock=mlock, rope=rope, exact=exact), **others)

    for option in reversed(_LOAD_OPTIONS):
        with_load = option(with_load)
    return with_load  # type: ignore[return-value]


def kv_cache(command: Command) -> Command:
    """The options of the KV cache, handed to the command as one `kv: KvOptions`."""

    @functools.wraps(command)
    def with_kv(
        *args: Any,
        type_k: str,
        type_v: str,
        kv_budget: int | None,
        save_path: Path | None,
        save_size: int,
        **others: Any,
    ) -> Any:
        from longleaf.engine.prefix.folder import default_root
        from longleaf.engine.prefix.kv_options import KvOptions

        kv = KvOptions(
            type_k=type_k,
            type_v=type_v,
            budget_bytes=(kv_budget or 0) << 20,
            save_path=save_path or default_root(),
            save_limit=save_size << 20,
        )
        return command(*args, kv=kv, **others)

    for option in reversed(_KV_OPTIONS):
        with_kv = option(with_kv)
    return with_kv  # type: ignore[return-value]


def workspace(*, engine: bool) -> Callable[[Command], Command]:
    """What a Workspace is opened with, with or without its engine's part; handed to the command as one
    `opening: WorkspaceOptions`."""
    engines = (ctx_size(), threads, kv_cache) if engine else ()

    def with_options(command: Command) -> Command:
        @functools.wraps(command)
        def with_opening(*args: Any, **others: Any) -> Any:
            from longleaf.app.workspace import WorkspaceOptions

            names = WorkspaceOptions.__annotations__.keys() & others.keys()
            opening = {name: others.pop(name) for name in names}
            return command(*args, opening=opening, **others)

        for option in reversed((model(), *engines, ocr, library, offline)):
            with_opening = option(with_opening)
        return with_opening  # type: ignore[return-value]

    return with_options


_SAMPLING_OPTIONS = (
    click.option(
        "-n",
        "--predict",
        "max_tokens",
        type=click.IntRange(min=1),
        default=128,
        help="Tokens.",
        show_default=True,
    ),
    click.option("--temp", "temperature", type=float, default=0.0, help="0 is greedy."),
    click.option("--top-k", type=int, default=0, help="Choose among the k best; 0: all."),
    click.option("--top-p", type=float, default=1.0, help="Choose among the best that make up p."),
    click.option(
        "--min-p", type=float, default=0.0, help="Choose among those p times as likely as the best."
    ),
    click.option("--repeat-penalty", type=float, default=1.0, help="Against tokens seen; 1: none."),
    click.option("--presence-penalty", type=float, default=0.0, help="The same, subtracted."),
    click.option("--frequency-penalty", type=float, default=0.0, help="The same, for each time seen."),
    click.option("--repeat-last-n", type=int, default=64, help="Tokens the penalties look at; -1: all."),
    click.option("-s", "--seed", type=int, default=0, help="The same seed gives the same text."),
    click.option("-r", "--reverse-prompt", "stop", multiple=True, help="Stop before this text; repeatable."),
    click.option("--ignore-eos", is_flag=True, help="Never choose an end token."),
)


def sampling(command: Command) -> Command:
    """The options of sampling, handed to the command as one `sampling: SamplingOptions`."""

    @functools.wraps(command)
    def with_sampling(*args: Any, **options: Any) -> Any:
        from longleaf.engine.errors import SamplingError
        from longleaf.engine.types import SamplingOptions, SamplingParams

        names = SamplingOptions.__annotations__.keys() & options.keys()
        chosen = {name: options.pop(name) for name in names}
        try:
            SamplingParams(**chosen)
        except SamplingError as error:
            raise click.UsageError(str(error)) from error
        return command(*args, sampling=chosen, **options)

    for option in reversed(_SAMPLING_OPTIONS):
        with_sampling = option(with_sampling)
    return with_sampling  # type: ignore[return-value]

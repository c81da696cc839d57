"""`longleaf tokenize|perplexity|generate|bench`: the engine by itself."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from longleaf.app.cli.options import (
    cache_type_k,
    cache_type_v,
    ctx_size,
    kv_cache,
    loading,
    model,
    offline,
    sampling,
    threads,
)
from longleaf.app.cli.output import counting, err, gap_line, out, print_json, pulling, reading_bar
from longleaf.app.cli.text import read_text
from longleaf.app.text.printable import plain_text

if TYPE_CHECKING:
    from longleaf.engine.bench import BenchRow
    from longleaf.engine.engine import Engine
    from longleaf.engine.models.load_options import LoadOptions
    from longleaf.engine.prefix.kv_options import KvOptions
    from longleaf.engine.types import SamplingOptions

LONG_CONTEXT = 32768  # tokens, from which on the memory is shown before it is taken


def warn_of(engine: Engine) -> None:
    """Says on stderr what a long context takes, and what the system refused."""
    if engine.ctx_size >= LONG_CONTEXT:
        err.print(f"Memory: {engine.memory}")
    warn_of_placement(engine.placement_trouble)


def warn_of_placement(trouble: str) -> None:
    if trouble:
        err.print(f"Warning: {trouble}.")


@click.command()
@model()
@click.option(
    "--file", "file", type=click.Path(path_type=Path), help="Text file, UTF-8; '-' is standard input."
)
@click.option("-p", "--prompt", help="The text itself.")
@click.option("--no-special", is_flag=True, help="Read special tokens in the text as plain text.")
@offline
def tokenize(model: str, file: Path | None, prompt: str | None, no_special: bool, offline: bool) -> None:
    """Token ids of a text, as a JSON list (a BOS first where the model adds one)."""
    from longleaf.engine.prompt.tokenizer import open_tokenizer

    text = read_text(file, prompt)
    with pulling() as progress:
        tokenizer = open_tokenizer(model, offline=offline, progress=progress)
    sys.stdout.write(f"{tokenizer.encode(text, parse_special=not no_special)}\n")


@click.command()
@model()
@ctx_size(default=512)
@threads
@loading
@kv_cache
@offline
@click.argument("file", type=click.Path(path_type=Path))
def perplexity(
    model: str,
    ctx_size: int,
    threads: int | None,
    load: LoadOptions,
    kv: KvOptions,
    offline: bool,
    file: Path,
) -> None:
    """Perplexity of a text file by llama.cpp's method, as JSON."""
    from longleaf.engine.engine import Engine

    text = read_text(file, None)
    with pulling() as progress:
        engine = Engine.open(
            model, ctx_size=ctx_size, threads=threads, offline=offline, progress=progress, load=load, kv=kv
        )
    warn_of(engine)
    with engine, counting("chunks") as bar:
        print_json(asdict(engine.perplexity(text, ctx=ctx_size, progress=bar)))


@click.command()
@model()
@ctx_size()
@threads
@kv_cache
@loading
@offline
@click.option("-p", "--prompt", help="The prompt, or with --file what follows the file's text.")
@click.option("-f", "--file", "file", type=click.Path(path_type=Path), help="Read the prompt from a file.")
@click.option(
    "--document",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Continue --prompt after each part of a PDF, DOCX, … that is longer than the context.",
)
@click.option("-sys", "--system-prompt", "instructions", default="", help="What each part begins with.")
@sampling
@click.option("--json", "as_json", is_flag=True, help="Print text, ids and usage as JSON.")
def generate(
    model: str,
    ctx_size: int | None,
    threads: int | None,
    kv: KvOptions,
    load: LoadOptions,
    offline: bool,
    prompt: str | None,
    file: Path | None,
    document: Path | None,
    instructions: str,
    sampling: SamplingOptions,
    as_json: bool,
) -> None:
    """Continue a prompt, as plain text: no chat template, nothing verified.

    With --file and --prompt the file is kept as a text that other prompts will follow too. With --document
    and --prompt there is one continuation a part of the document, with the pages of the part.
    """
    from longleaf.engine.engine import Engine

    if document is not None and (prompt is None or file is not None):
        raise click.UsageError("--document takes a --prompt, and no --file")
    if instructions and document is None:
        raise click.UsageError("--system-prompt takes a --document")
    shared = read_text(file, None) if file and prompt is not None else ""
    text = shared + prompt if shared and prompt else read_text(file, prompt)
    with pulling() as progress:
        engine = Engine.open(
            model, ctx_size=ctx_size, threads=threads, offline=offline, progress=progress, kv=kv, load=load
        )
    warn_of(engine)
    if document is not None:
        with engine:
            _by_part(engine, document, text, instructions, sampling, as_json)
        return
    with engine:
        pieces = engine.stream(text, shared=shared, **sampling)
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                result = end.value
                break
            if not as_json:
                sys.stdout.write(piece)
                sys.stdout.flush()
        if load.numa != "none":
            err.print(f"NUMA: {engine.numa_use()}")
    if as_json:
        print_json(asdict(result))
    else:
        sys.stdout.write("\n")


def _by_part(
    engine: Engine, file: Path, prompt: str, instructions: str, sampling: SamplingOptions, as_json: bool
) -> None:
    from longleaf.app.contexts.generate_by_part import generate_by_part
    from longleaf.app.gaps import gap_reports
    from longleaf.ingest import read_document

    with reading_bar(str(file)) as bar:
        document = read_document(file, name=str(file), progress=bar)
    gaps = gap_reports(document)
    parts = []
    for gap in gaps:
        err.print(gap_line(gap), markup=False)
    for part in generate_by_part(engine, document, prompt, instructions=instructions, **sampling):
        context, result = part.context, part.generation
        if as_json:
            first, last = context.page_index_start, context.page_index_end
            pages = {"pages": context.pages, "page_index_start": first, "page_index_end": last}
            parts.append(pages | asdict(result))
        else:
            reused = f"{result.usage.reused_tokens:,} of {result.usage.prompt_tokens:,} tokens reused"
            err.print(f"pages {plain_text(context.pages)}: {reused}", markup=False)
            sys.stdout.write(f"[pages {plain_text(context.pages)}]\n{result.text.strip()}\n\n")
            sys.stdout.flush()
    if as_json:
        print_json({"file": document.name, "gaps": [gap.model_dump() for gap in gaps], "parts": parts})


class Lengths(click.ParamType[tuple[int, ...]]):
    """Token counts as llama-bench takes them: 512,2048."""

    name = "N,N,…"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            lengths = tuple(int(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is no list of token counts such as 512,2048", param, ctx)
        if any(length < 0 or length >= 2**31 for length in lengths):
            self.fail(f"{value!r}: token counts are between 0 and {2**31 - 1}", param, ctx)
        return lengths


@click.command()
@model()
@threads
@loading
@cache_type_k
@cache_type_v
@offline
@click.option("-p", "--n-prompt", "prompts", type=Lengths(), default="512", show_default=True)
@click.option("-n", "--n-gen", "generations", type=Lengths(), default="128", show_default=True)
@click.option("-d", "--n-depth", "depths", type=Lengths(), default="0", show_default=True)
@click.option(
    "-r",
    "--repetitions",
    type=click.IntRange(min=1),
    default=None,
    help="Runs of each point [default: 3, fewer when 5 seconds are spent].",
)
@click.option(
    "--isa",
    default="",
    metavar="NAME|all",
    help="An instruction set of this machine, or all but the plainest in turn [default: LONGLEAF_ISA].",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench(
    model: str,
    threads: int | None,
    load: LoadOptions,
    type_k: str,
    type_v: str,
    offline: bool,
    prompts: tuple[int, ...],
    generations: tuple[int, ...],
    depths: tuple[int, ...],
    repetitions: int | None,
    isa: str,
    as_json: bool,
) -> None:
    """Speed of prefill and decode at given depths, and the share of what this machine could do at most."""
    from longleaf.engine.bench import Bench, instruction_sets, measure
    from longleaf.engine.models.store import resolve

    if not any(prompts) and not any(generations):
        raise click.UsageError("give -p or -n a length above 0")
    with pulling() as progress:
        path = resolve(model, offline=offline, progress=progress).path
    rows: list[BenchRow] = []
    for one in instruction_sets() if isa == "all" else [isa]:
        opened = Bench(
            path,
            ctx_size=max(depths) + max(*prompts, *generations),
            threads=threads,
            load=replace(load, isa=one),
            type_k=type_k,
            type_v=type_v,
        )
        if opened.stretched and not rows:
            err.print("Positions are stretched: these points go beyond what the model was trained for.")
        warn_of_placement(opened.placement_trouble)
        with counting("points") as bar:
            for row in measure(
                opened,
                prompts=prompts,
                generations=generations,
                depths=depths,
                runs=repetitions,
                progress=bar,
            ):
                rows.append(row)
        del opened  # and its memory, before the next is opened
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    out.print(_bench_table(rows))


def _bench_table(rows: Sequence[BenchRow]) -> Table:
    columns = ("set", "test", "depth", "tokens/s", "range", "runs", "roofline", "limit", "peak MB")
    table = Table(*columns, title=f"{rows[0].threads} threads", title_justify="left", box=None)
    for row in rows:
        tokens = row.prompt_tokens or row.generated_tokens
        table.add_row(
            row.isa,
            f"prefill {row.prompt_tokens:,}" if row.prompt_tokens else f"decode {row.generated_tokens:,}",
            f"{row.depth:,}",
            f"{row.tokens_per_second:,.1f}",
            f"{tokens / row.seconds_max:,.1f}–{tokens / row.seconds_min:,.1f}",
            str(row.runs),
            f"{row.roofline_share:.0%}",
            row.limit,
            f"{row.peak_rss_bytes / 1e6:,.0f}",
        )
    return table

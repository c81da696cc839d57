"""`longleaf tokenize|perplexity|generate`: the engine by itself."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from longleaf.app.cli.options import ctx_size, model, offline, threads
from longleaf.app.cli.output import counting, print_json, pulling
from longleaf.app.cli.text import read_text


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
    from longleaf.engine.tokenizer import open_tokenizer

    text = read_text(file, prompt)
    with pulling() as progress:
        tokenizer = open_tokenizer(model, offline=offline, progress=progress)
    sys.stdout.write(f"{tokenizer.encode(text, parse_special=not no_special)}\n")


@click.command()
@model()
@ctx_size(default=512)
@threads
@offline
@click.argument("file", type=click.Path(path_type=Path))
def perplexity(model: str, ctx_size: int, threads: int | None, offline: bool, file: Path) -> None:
    """Perplexity of a text file by llama.cpp's method, as JSON."""
    from longleaf.engine.engine import Engine

    text = read_text(file, None)
    with pulling() as progress:
        engine = Engine.open(model, ctx_size=ctx_size, threads=threads, offline=offline, progress=progress)
    with engine, counting("chunks") as bar:
        print_json(asdict(engine.perplexity(text, ctx=ctx_size, progress=bar)))


@click.command()
@model()
@ctx_size()
@threads
@offline
@click.option("-p", "--prompt", help="The prompt.")
@click.option("-f", "--file", "file", type=click.Path(path_type=Path), help="Read the prompt from a file.")
@click.option(
    "-n", "--predict", "n", type=click.IntRange(min=1), default=128, show_default=True, help="Tokens."
)
@click.option("--temp", type=click.FloatRange(min=0), default=0.0, show_default=True, help="0 is greedy.")
@click.option("-s", "--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--ignore-eos", is_flag=True, help="Go on after the end of text.")
@click.option("--json", "as_json", is_flag=True, help="Print text, ids and usage as JSON.")
def generate(
    model: str,
    ctx_size: int | None,
    threads: int | None,
    offline: bool,
    prompt: str | None,
    file: Path | None,
    n: int,
    temp: float,
    seed: int,
    ignore_eos: bool,
    as_json: bool,
) -> None:
    """Continue a prompt, as plain text: no chat template, nothing verified."""
    from longleaf.engine.engine import Engine

    text = read_text(file, prompt)
    with pulling() as progress:
        engine = Engine.open(model, ctx_size=ctx_size, threads=threads, offline=offline, progress=progress)
    with engine:
        pieces = engine.stream(text, max_tokens=n, temperature=temp, seed=seed, ignore_eos=ignore_eos)
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                result = end.value
                break
            if not as_json:
                sys.stdout.write(piece)
                sys.stdout.flush()
    if as_json:
        print_json(asdict(result))
    else:
        sys.stdout.write("\n")

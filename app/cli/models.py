"""`longleaf models`: what is known, what is here, what it is licensed as."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from longleaf.app import defaults
from longleaf.app.cli.output import out, print_json, pulling
from longleaf.engine.models import store


@click.group()
def models() -> None:
    """List, pull, show and remove models."""


@models.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> None:
    """The models Longleaf knows by name, and those pulled from a hub."""
    infos = store.list_models()
    if as_json:
        print_json([_plain(info) for info in infos])
        return
    table = Table("name", "kind", "size", "licence", "context", "here", box=None)
    for info in infos:
        size = f"{info.size / 1e6:.0f} MB" if info.size else "?"
        context = f"{info.context_length:,}" if info.context_length else "?"
        here = "yes" if info.path else "no"
        table.add_row(info.name, info.kind, size, info.licence or "unknown", context, here)
    out.print(table)


@models.command()
@click.argument("names", nargs=-1)
@click.option(
    "--defaults", "default_ones", is_flag=True, help="All models that summarize and ask use by default."
)
@click.option("--offline", is_flag=True, help="Never connect: fail if a model is not here.")
def pull(names: tuple[str, ...], default_ones: bool, offline: bool) -> None:
    """Bring models to this machine and check them: catalogue names or hf:ORG/REPO/FILE.gguf."""
    wanted = [*names, *(defaults.ALL_MODELS if default_ones else ())]
    if not wanted:
        raise click.UsageError("name a model to pull, or use --defaults")
    for name in dict.fromkeys(wanted):
        with pulling() as progress:
            resolved = store.resolve(name, offline=True) if offline else store.pull(name, progress)
        out.print(f"{store.show(name).licence_line}\n{resolved.path}", style=None)


@models.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(name: str, as_json: bool) -> None:
    """Source, licence, checksum and place of one model."""
    info = _plain(store.show(name))
    if as_json:
        print_json(info)
        return
    width = max(map(len, info))
    for key, value in info.items():  # no table, which would cut checksums and paths to the terminal's width
        text = ", ".join(value) if isinstance(value, list) else "" if value is None else str(value)
        out.print(f"{key.replace('_', ' '):<{width}}  {text}".rstrip(), markup=False)


@models.command()
@click.argument("name")
def path(name: str) -> None:
    """Where the model's file is on this machine."""
    out.print(str(store.path(name)), markup=False)


@models.command()
@click.argument("names", nargs=-1, required=True)
def rm(names: tuple[str, ...]) -> None:
    """Delete models from this machine."""
    for name in names:
        out.print(f"{name}: {store.remove(name) / 1e6:.0f} MB freed")


def _plain(info: store.ModelInfo) -> dict[str, object]:
    values = asdict(info)
    values["source"] = list(info.source)
    values["path"] = str(info.path) if isinstance(info.path, Path) else None
    return values

"""`longleaf cache`: prefixes that are kept on disk, so that a text need not be read twice."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from longleaf.app.cli.options import as_json, save_path
from longleaf.app.cli.output import err, out, print_json
from longleaf.engine.prefix import folder as store
from longleaf.engine.prefix.counters import read_counters


@click.group()
def cache() -> None:
    """List, check and prune the KV caches of texts that were read, kept on disk for the next question."""


@cache.command("list")
@save_path
@as_json
def list_(save_path: Path | None, as_json: bool) -> None:
    """Every part of a text that is kept, the longest unused first."""
    root = save_path or store.default_root()
    rows = [(entry, store.describe(entry)) for entry in store.entries(root)]
    if as_json:
        print_json(
            [
                {
                    "key": entry.key,
                    "parent": entry.parent,
                    "model": store.about(root, entry.identity).get("name"),
                    "first_token": part.start if part else None,
                    "tokens": part.tokens if part else None,
                    "bytes": entry.size,
                    "used": entry.used.isoformat(),
                    "file": str(entry.path),
                }
                for entry, part in rows
            ]
        )
        return
    table = Table("key", "model", "tokens", "size", "last used", box=None)
    for entry, part in rows:
        span = f"{part.start:,}–{part.start + part.tokens:,}" if part else "damaged"
        name = str(store.about(root, entry.identity).get("name", "?"))
        table.add_row(entry.key[:12], name, span, _megabytes(entry.size), f"{entry.used:%Y-%m-%d %H:%M}")
    out.print(table)


@cache.command()
@save_path
@click.option(
    "--max-size",
    type=click.IntRange(min=0),
    default=store.DEFAULT_LIMIT >> 20,
    show_default=True,
    help="MiB to leave at most; 0 removes everything.",
)
@as_json
def prune(save_path: Path | None, max_size: int, as_json: bool) -> None:
    """Remove what was longest unused, and what writers that were killed left behind."""
    files, freed = store.prune_folder(save_path or store.default_root(), max_size << 20)
    if as_json:
        print_json({"files": files, "bytes": freed})
    else:
        out.print(f"{files} removed, {_megabytes(freed)} freed")


@cache.command()
@save_path
@as_json
def verify(save_path: Path | None, as_json: bool) -> None:
    """Check every byte and remove what is not intact, whose text will be read again.

    Exit code 1 if anything was removed.
    """
    damaged = []
    found = store.entries(save_path or store.default_root())
    for entry in found:
        if (wrong := store.check(entry)) is not None:
            damaged.append({"file": str(entry.path), "damage": wrong})
            store.remove(entry)
    if as_json:
        print_json({"checked": len(found), "damaged": damaged})
    else:
        for each in damaged:
            err.print(f"{each['file']}: {each['damage']}; removed", markup=False)
        out.print(f"{len(found)} checked, {len(damaged)} damaged")
    sys.exit(1 if damaged else 0)


@cache.command()
@save_path
@as_json
def stats(save_path: Path | None, as_json: bool) -> None:
    """What is kept, and what all processes that used it have saved by it."""
    root = save_path or store.default_root()
    total = store.totals(root)
    done = asdict(read_counters(root))
    if as_json:
        print_json({"folder": str(root), **asdict(total), **done})
        return
    asked = done["reused_tokens"] + done["computed_tokens"]
    share = f" ({done['reused_tokens'] / asked:.0%} of all asked for)" if asked else ""
    lines = {
        "folder": str(root),
        "kept": f"{total.segments:,} parts, {total.tokens:,} tokens, {_megabytes(total.bytes)}",
        "pages": f"{total.pages:,}: {_megabytes(total.global_bytes)} of layers that see all, "
        f"{_megabytes(total.window_bytes)} of windowed layers",
        "requests": f"{done['requests']:,}, of which {done['hits']:,} began with something known",
        "tokens reused": f"{done['reused_tokens']:,}{share}",
        "written": f"{done['spills']:,} parts, {_megabytes(done['spilled_bytes'])}",
        "not written": f"{done['failed_spills']:,}, for want of space or rights",
        "read back": f"{done['restores']:,} texts, {done['restored_tokens']:,} tokens",
        "removed": f"{done['pruned']:,} for the limit, {done['damaged']:,} damaged",
        "dropped from memory": f"{done['evictions']:,}",
    }
    width = max(map(len, lines))
    for name, text in lines.items():
        out.print(f"{name:<{width}}  {text}", markup=False)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"

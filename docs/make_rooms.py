"""Draws docs/rooms.svg and lists the rooms in docs/architecture.md, from the imports and the docstrings.

    python docs/make_rooms.py     # after a room was added, or a room imports another for the first time

An arrow says that a room imports another; those that a longer way says too are left out. That both files are
as this makes them is checked by tests/docs/test_rooms.py.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from pathlib import Path

import grimp

HERE = Path(__file__).parent
ROOT = HERE.parent
TOPS = ("app", "engine", "ingest")
_BOX, _ROW, _GAP, _EDGE = 26, 62, 18, 8  # heights of a box and of a row; between boxes; between arrows
_PAD, _TITLE = 22, 34
_COLOURS = {"app": "#e8f0fe", "engine": "#e6f4ea", "ingest": "#fef3e0", "ui": "#f3e8fd", "native": "#eceff1"}


@dataclass
class Node:
    """A box, or a bend of an arrow that passes a row."""

    name: str  # empty for a bend
    row: int
    width: float
    x: float = 0.0  # its middle
    above: list[Node] = field(default_factory=list)
    below: list[Node] = field(default_factory=list)


@dataclass(frozen=True)
class Panel:
    title: str
    rows: list[list[Node]]  # the highest room first
    width: float
    height: float


# --- what imports what ---


def import_graph() -> dict[str, dict[str, set[str]]]:
    """For each of TOPS: its rooms, and which others of it each imports."""
    graph = grimp.build_graph("longleaf", cache_dir=None)
    rooms: dict[str, dict[str, set[str]]] = {top: {} for top in TOPS}
    for module in sorted(graph.modules):
        parts = module.split(".")
        if len(parts) < 3 or parts[1] not in TOPS:
            continue
        imported = rooms[parts[1]].setdefault(parts[2], set())
        for other in graph.find_modules_directly_imported_by(module):
            there = other.split(".")
            if len(there) > 2 and there[1] == parts[1] and there[2] != parts[2]:
                imported.add(there[2])
    return rooms


def reduced(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Without the arrows that a longer way says too."""

    def reach(room: str) -> set[str]:
        return {room}.union(*map(reach, edges[room]))

    return {
        room: {other for other in others if not any(other in reach(each) for each in others - {other})}
        for room, others in edges.items()
    }


def in_order(edges: dict[str, set[str]]) -> list[list[str]]:
    """The rooms in rows, each as low as what it imports allows; the lowest row first."""
    height: dict[str, int] = {}

    def of(room: str) -> int:
        if room not in height:
            height[room] = max((of(other) + 1 for other in edges[room]), default=0)
        return height[room]

    rows: list[list[str]] = [[] for _ in range(max(map(of, edges)) + 1)]
    for room in sorted(edges):
        rows[height[room]].append(room)
    return rows


# --- where it stands ---


def laid_out(title: str, edges: dict[str, set[str]]) -> Panel:
    arrows = reduced(edges)
    names = in_order(edges)[::-1]
    boxes = {name: Node(name, row, 8.0 * len(name) + 22) for row, of in enumerate(names) for name in of}
    rows = [[boxes[name] for name in of] for of in names]
    for name in sorted(arrows):
        for other in sorted(arrows[name]):
            upper = boxes[name]
            for row in range(boxes[name].row + 1, boxes[other].row):
                bend = Node("", row, 0.0)
                rows[row].append(bend)
                _join(upper, bend)
                upper = bend
            _join(upper, boxes[other])
    for turn in range(24):
        down = turn % 2 == 0
        for row in rows if down else reversed(rows):
            beside = {id(node): at for row_ in rows for at, node in enumerate(row_)}
            at = {id(node): number for number, node in enumerate(row)}
            row.sort(key=lambda n: _mean([beside[id(o)] for o in (n.above if down else n.below)], at[id(n)]))
    _place(rows)
    left = min(node.x - node.width / 2 for row in rows for node in row)
    right = max(node.x + node.width / 2 for row in rows for node in row)
    for row in rows:
        for node in row:
            node.x += _PAD - left
    return Panel(title, rows, right - left + 2 * _PAD, _TITLE + _ROW * len(rows))


def _join(upper: Node, lower: Node) -> None:
    upper.below.append(lower)
    lower.above.append(upper)


def _mean(numbers: Iterable[float], otherwise: float) -> float:
    found = list(numbers)
    return sum(found) / len(found) if found else otherwise


def _place(rows: list[list[Node]]) -> None:
    """Each node near the middle of those it is joined to, as far as its neighbours let it."""
    for row in rows:
        _spread(row, [0.0] * len(row))
    for turn in range(40):
        for row in rows if turn % 2 == 0 else reversed(rows):
            _spread(row, [_mean([other.x for other in (*n.above, *n.below)], n.x) for n in row])


def _spread(row: list[Node], wanted: list[float]) -> None:
    """Moves nodes to where they want to be, in order and apart: half from the left, half from the right."""
    from_left, from_right = list(wanted), list(wanted)
    for at in range(1, len(row)):
        from_left[at] = max(wanted[at], from_left[at - 1] + _apart(row[at - 1], row[at]))
    for at in range(len(row) - 2, -1, -1):
        from_right[at] = min(wanted[at], from_right[at + 1] - _apart(row[at], row[at + 1]))
    for node, left, right in zip(row, from_left, from_right, strict=True):
        node.x = (left + right) / 2


def _apart(left: Node, right: Node) -> float:
    return (left.width + right.width) / 2 + (_GAP if left.name or right.name else _EDGE)


# --- the picture ---


def rooms_svg() -> str:
    panels = {top: laid_out(f"{top}/", edges) for top, edges in import_graph().items()}
    lower = [panels["engine"], panels["ingest"]]
    width = max(panels["app"].width, sum(panel.width for panel in lower) + _PAD) + 2 * _PAD
    drawn: list[str] = []
    y: float = _PAD
    drawn += _bar("ui/", "ui", y, width)
    y += _BOX + 2 * _PAD
    drawn += _arrow(width / 2, y - 2 * _PAD, y)
    drawn += _panel(panels["app"], "app", (width - panels["app"].width) / 2, y)
    y += panels["app"].height + 2 * _PAD
    x = (width - sum(panel.width for panel in lower) - _PAD) / 2
    bottom = y + max(panel.height for panel in lower)
    for panel in lower:
        drawn += _panel(panel, panel.title[:-1], x, y, bottom - y)
        middle = x + panel.width / 2
        drawn += _arrow(middle, y - 2 * _PAD, y)
        if panel.title == "engine/":
            drawn += _arrow(middle, bottom, bottom + 2 * _PAD)
        else:
            drawn += _arrow(middle, bottom, bottom + 2 * _PAD, "characters and lines of a page only")
        x += panel.width + _PAD
    drawn += _bar("native/", "native", bottom + 2 * _PAD, width)
    height = bottom + 3 * _PAD + _BOX
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        'font-family="sans-serif" font-size="13">\n'
        "<title>The rooms of Longleaf and what they import</title>\n"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L8 4L0 8z" fill="#5f6368"/></marker></defs>\n'
        '<rect width="100%" height="100%" fill="white"/>\n'
    )
    return head + "\n".join(drawn) + "\n</svg>\n"


def _panel(panel: Panel, top: str, x: float, y: float, height: float | None = None) -> Iterator[str]:
    yield (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{panel.width:.0f}" height="{height or panel.height:.0f}" '
        f'rx="8" fill="{_COLOURS[top]}"/>'
    )
    yield f'<text x="{x + 12:.0f}" y="{y + 20:.0f}" font-weight="bold">{escape(panel.title)}</text>'
    for row in panel.rows:
        for node in row:
            if node.name:
                for lower in node.below:
                    yield _path(node, lower, x, y)
    for row in panel.rows:
        for node in row:
            if node.name:
                yield from _box(node.name, x + node.x, y + _top(node), node.width)


def _path(node: Node, lower: Node, x: float, y: float) -> str:
    """An arrow from a box by its bends to the next box."""
    points = [(node.x, _top(node) + _BOX)]
    while not lower.name:
        points += [(lower.x, _top(lower)), (lower.x, _top(lower) + _BOX)]
        lower = lower.below[0]
    points.append((lower.x, _top(lower)))
    steps = [f"M{x + points[0][0]:.0f} {y + points[0][1]:.0f}"]
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = y + (y0 + y1) / 2
        steps.append(f"C{x + x0:.0f} {middle:.0f} {x + x1:.0f} {middle:.0f} {x + x1:.0f} {y + y1:.0f}")
    return f'<path d="{"".join(steps)}" fill="none" stroke="#5f6368" marker-end="url(#tip)"/>'


def _top(node: Node) -> float:
    return _TITLE + node.row * _ROW


def _box(name: str, x: float, y: float, width: float) -> Iterator[str]:
    yield (
        f'<rect x="{x - width / 2:.0f}" y="{y:.0f}" width="{width:.0f}" height="{_BOX}" rx="5" fill="white" '
        'stroke="#5f6368"/>'
    )
    yield f'<text x="{x:.0f}" y="{y + 17:.0f}" text-anchor="middle">{escape(name)}</text>'


def _bar(title: str, top: str, y: float, width: float) -> Iterator[str]:
    yield (
        f'<rect x="{_PAD}" y="{y:.0f}" width="{width - 2 * _PAD:.0f}" height="{_BOX + 8}" rx="8" '
        f'fill="{_COLOURS[top]}"/>'
    )
    yield f'<text x="{_PAD + 12}" y="{y + 22:.0f}" font-weight="bold">{escape(title)}</text>'


def _arrow(x: float, y0: float, y1: float, words: str = "") -> Iterator[str]:
    line = f"M{x:.0f} {y0 + 8:.0f}V{y1 - 2:.0f}"
    yield f'<path d="{line}" stroke="#5f6368" stroke-width="2" marker-end="url(#tip)"/>'
    if words:
        yield f'<text x="{x + 10:.0f}" y="{(y0 + y1) / 2 + 6:.0f}" fill="#5f6368">{escape(words)}</text>'


# --- the list ---


def rooms_list() -> str:
    """A table for each of TOPS: the rooms from the highest to the lowest, by the first sentence of each."""
    parts = []
    for top, edges in import_graph().items():
        parts += [f"| `{top}/` | what it is for |", "|---|---|"]
        for row in reversed(in_order(edges)):
            parts += [f"| `{room}` | {_sentence(ROOT / top / room)} |" for room in row]
        parts.append("")
    return "\n".join(parts)


def _sentence(room: Path) -> str:
    """The first sentence of a module's docstring."""
    file = room / "__init__.py" if room.is_dir() else room.with_suffix(".py")
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    first = re.split(r"(?<=[a-z\"`)])\.(?:\s|$)", " ".join(said.split("\n\n")[0].split()), maxsplit=1)[0]
    return first.removesuffix(".").replace("|", "\\|")


def with_list(page: str) -> str:
    """The page of the architecture with the list of rooms between its marks."""
    begin, end = "<!-- rooms: made by docs/make_rooms.py -->\n", "<!-- end of rooms -->"
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n{rooms_list()}\n{end}{rest.partition(end)[2]}"


if __name__ == "__main__":
    (HERE / "rooms.svg").write_text(rooms_svg(), encoding="utf-8")
    page = HERE / "architecture.md"
    page.write_text(with_list(page.read_text(encoding="utf-8")), encoding="utf-8")

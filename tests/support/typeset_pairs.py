"""Pairs of contracts set twice in different layouts, with known edits between them or none.

`edit` changes a list of paragraphs and says what it did; `typeset` sets paragraphs as a PDF, DOCX, HTML or
text file in a `Layout`; `score` compares what was found with what was done.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import docx
from docx.enum.text import WD_BREAK
from docx.shared import Pt
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

for _font in ("Vera", "VeraBd"):  # come with reportlab
    registerFont(TTFont(_font, f"{_font}.ttf"))

KINDS = ("changed", "added", "removed", "moved", "renumbered", "split", "merged")
_LABEL = re.compile(r"(?:(?:Section|SECTION|Article|ARTICLE)\s+)?(\d{1,2}(?:\.\d{1,2})*)(?=[.)\s])")
_BULLET = re.compile(r"^[•●▪*–-]\s+")


@dataclass(frozen=True)
class Layout:
    form: str = "pdf"  # pdf, docx, html or txt
    size: tuple[float, float] = (612.0, 792.0)
    font: str = "Times-Roman"
    points: float = 11.0
    leading: float = 1.25
    margin: float = 72.0
    columns: int = 1
    justify: bool = False
    gap: float = 0.6  # of a line, after a paragraph
    indent: float = 0.0  # points, of a paragraph's first line
    hanging: float = 0.0  # points, of what follows a label's line
    hyphenate: bool = False
    header: str = ""
    footer: str = ""  # "{page}" and "{pages}" are filled in
    bullet: str = "•"
    curly: bool = True
    centred_titles: bool = False
    ligatures: bool = False


@dataclass
class Edit:
    kind: str
    old: str = ""  # the sentence or paragraph that must be in the change's old text
    new: str = ""


@dataclass
class Pair:
    old: list[str]
    new: list[str]
    edits: list[Edit] = field(default_factory=list)


class Changed(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def old_text(self) -> str: ...
    @property
    def new_text(self) -> str: ...


def random_layout(rng: random.Random, form: str | None = None, title: str = "Agreement") -> Layout:
    font = rng.choice(["Times-Roman", "Helvetica", "Courier", "Times-Roman", "Vera"])
    columns = 1 if font == "Courier" else rng.choice([1, 1, 1, 2])
    size = rng.choice([(612.0, 792.0), (595.3, 841.9), (612.0, 1008.0), (419.5, 595.3)])
    small = size[0] < 500
    spaced = rng.random() < 0.8
    return Layout(
        form=form or rng.choice(["pdf", "pdf", "pdf", "docx", "html", "txt"]),
        size=size,
        font=font,
        points=rng.choice([8.0, 9.0, 10.0])
        if small or columns == 2
        else rng.choice([9.0, 10.0, 11.0, 12.0, 13.0]),
        leading=rng.choice([1.12, 1.2, 1.3, 1.5]),
        margin=rng.choice([36.0, 50.0]) if small else rng.choice([54.0, 72.0, 90.0]),
        columns=1 if small else columns,
        justify=rng.random() < 0.5,
        gap=rng.choice([0.4, 0.6, 1.0]) if spaced else 0.0,
        indent=0.0 if spaced and rng.random() < 0.7 else rng.choice([18.0, 24.0]),
        hanging=rng.choice([0.0, 0.0, 18.0]) if spaced else 0.0,
        hyphenate=rng.random() < 0.4,
        header=rng.choice(["", title, f"{title} - Confidential", "Execution Version"]),
        footer=rng.choice(["", "{page}", "Page {page} of {pages}", "- {page} -", f"{title}  {{page}}"]),
        bullet=rng.choice("•▪*–"),
        curly=rng.random() < 0.7,
        centred_titles=rng.random() < 0.5,
        ligatures=font == "Vera" and rng.random() < 0.6,
    )


# Edits

_NUMBERS = re.compile(r"(?<![\d.,(])\d{1,3}(?:,\d{3})*(?![\d.,)]*\d)")
_SWAPS = (
    ("shall not", "may"),
    ("shall", "may"),
    ("will", "may"),
    ("may", "shall"),
    ("any", "each"),
    ("days", "months"),
    ("written", "oral"),
    ("and", "or"),
    ("all", "some"),
    ("exclusive", "non-exclusive"),
    ("prior", "subsequent"),
)
_NEW_SENTENCES = (
    "The foregoing obligation survives for a further period of {n} months after the last delivery.",
    "In no event is the fee owed under this provision greater than ${n},500 in a calendar quarter.",
    "Each notice of this kind takes effect on the {n}th business day after it was handed over.",
    "A party that relies on this sentence bears the burden of proving the loss it claims.",
    "No waiver of this requirement is valid unless an officer of each company has signed it.",
)
_NEW_PARAGRAPHS = (
    "Inspection of Books. Upon {n} days written request, either company opens its ledgers to an independent "
    "auditor, who keeps what is learned in confidence and reports only whether the sums paid were correct.",
    "Insurance. Throughout the engagement the contractor keeps public liability cover of at least "
    "${n},000,000 with an insurer of good standing and hands over the certificate when asked.",
    "Business Continuity. The supplier maintains a recovery plan that restores service in {n} hours after "
    "a fire, flood or failure of power, and rehearses it once every year with the customer's staff.",
    "Publicity. Nobody issues a press release that names the other company without showing the draft to it "
    "{n} working days in advance and taking its corrections into account.",
    "Environmental Standards. Goods are packed in cardboard that contains no less than {n} per cent recycled "
    "fibre, and the carrier is chosen with regard to the fuel its vehicles burn.",
    "Training. The vendor trains up to {n} employees of the client, free of charge, in the safe handling of "
    "the equipment before the first unit is put into operation.",
)


def edit(paragraphs: Sequence[str], rng: random.Random, kinds: Sequence[str]) -> Pair:
    """One edit a kind, each to a paragraph of its own, none beside another."""
    old = list(paragraphs)
    slots: list[list[str]] = [[p] for p in old]  # what stands in the new version for each old paragraph
    free = {i for i, p in enumerate(old) if _is_prose(p) and old.count(p) == 1}
    edits: list[Edit] = []
    moves: list[tuple[int, str]] = []
    renamed: dict[str, str] = {}

    def take(test: Any = lambda i: True) -> int | None:
        choices = sorted(i for i in free if test(i))
        if not choices:
            return None
        i = rng.choice(choices)
        for k in (i - 1, i, i + 1):
            free.discard(k)
        return i

    for kind in kinds:
        if kind == "changed":
            i = take()
            if i is None:
                continue
            before, after, whole = _change(old[i], rng)
            slots[i] = [whole]
            edits.append(Edit("changed", before, after))
        elif kind == "added":
            i = take()
            if i is None:
                continue
            text = rng.choice(_NEW_PARAGRAPHS).format(n=rng.randint(2, 80))
            if any(e.new.split(".")[0] == text.split(".")[0] for e in edits if e.kind == "added"):
                continue
            slots[i] = [old[i], text]
            edits.append(Edit("added", "", text))
        elif kind == "removed":
            i = take()
            if i is None:
                continue
            slots[i] = []
            edits.append(Edit("removed", old[i], ""))
        elif kind in ("moved", "moved_edited"):
            i = take()
            if i is None:
                continue
            before, after, whole = (old[i], old[i], old[i]) if kind == "moved" else _change(old[i], rng)
            slots[i] = []
            moves.append((i, whole))
            edits.append(Edit("moved", before, after))
        elif kind == "renumbered":
            i = take(lambda i: _label(old[i]) and sum(_label(p) == _label(old[i]) for p in old) == 1)
            if i is None:
                continue
            label = _label(old[i])
            head, _, last = label.rpartition(".")
            fresh = f"{head}.{int(last) + 40}" if head else str(int(last) + 40)
            renamed[label] = fresh
            slots[i] = [old[i].replace(label, fresh, 1)]
            edits.append(Edit("renumbered", old[i], slots[i][0]))
        elif kind == "split":
            i = take(lambda i: len(_sentences(old[i])) >= 2)
            if i is None:
                continue
            sentences = _sentences(old[i])
            cut = rng.randint(1, len(sentences) - 1)
            slots[i] = [" ".join(sentences[:cut]), " ".join(sentences[cut:])]
            edits.append(Edit("split", old[i], slots[i][1]))
        elif kind == "merged":
            i = take(
                lambda i: (
                    i + 1 < len(old)
                    and _is_prose(old[i + 1])
                    and not _marked(old[i + 1])
                    and old[i].rstrip().endswith((".", ";"))
                    and len(slots[i + 1]) == 1
                    and slots[i + 1][0] == old[i + 1]
                    and i + 1 in free
                )
            )
            if i is None:
                continue
            free.discard(i + 2)
            slots[i] = [f"{old[i]} {old[i + 1]}"]
            slots[i + 1] = []
            edits.append(Edit("merged", old[i + 1], slots[i][0]))
    for i, text in moves:
        far = [k for k in range(len(old)) if abs(k - i) > 4 and slots[k] == [old[k]] and k in free]
        if not far:
            far = [k for k in range(len(old)) if abs(k - i) > 3 and slots[k] == [old[k]]]
        k = rng.choice(far)
        free.discard(k)
        slots[k] = [*slots[k], text]
    new = [text for slot in slots for text in slot]
    for label, fresh in renamed.items():
        pattern = re.compile(rf"((?:Section|Article|Paragraph|Clause)s?\s+){re.escape(label)}(?![\d.]\d)")
        new = [pattern.sub(rf"\g<1>{fresh}", p) for p in new]
        for e in edits:
            e.new = pattern.sub(rf"\g<1>{fresh}", e.new)
    return Pair(old, new, edits)


def _label(text: str) -> str:
    match = _LABEL.match(text)
    return match[1] if match else ""


def _marked(text: str) -> bool:
    return bool(
        re.match(r"\(?(?:[a-z]{1,3}|\d[\d.]*|[A-Z]|[ivxIVX]+)[.)]|[•●▪*–-]\s|\d[\d.]*\s|[A-Z][A-Z ]+\b", text)
    )


def _is_prose(text: str) -> bool:
    words = text.split()
    letters = sum(w.isalpha() for w in words)
    return (
        len(words) >= 12
        and letters > 0.6 * len(words)
        and "  " not in text
        and "__" not in text
        and ". . ." not in text
    )


def _sentences(text: str) -> list[str]:
    parts = re.split(r"(?<=[a-z)]{2}[.;]) (?=[A-Z][a-z]+ )", text)
    return parts if all(len(p.split()) >= 6 for p in parts) else []


def _change(text: str, rng: random.Random) -> tuple[str, str, str]:
    """A sentence as it was and as it is, and the whole paragraph as it is."""
    sentences = _sentences(text) or [text]
    k = rng.randrange(len(sentences))
    before = sentences[k]
    options = ["swap", "number", "words", "add", "drop"]
    rng.shuffle(options)
    for option in options:
        after = before
        if option == "number":
            found = [m for m in _NUMBERS.finditer(before) if m.start() > 12]
            if found:
                m = rng.choice(found)
                value = int(m[0].replace(",", ""))
                after = f"{before[: m.start()]}{value + rng.randint(1, 30):,}{before[m.end() :]}"
        elif option == "swap":
            swaps = [(a, b) for a, b in _SWAPS if re.search(rf"\s{a}\s", before)]
            if swaps:
                a, b = rng.choice(swaps)
                after = re.sub(rf"(\s){a}(\s)", rf"\g<1>{b}\g<2>", before, count=1)
        elif option == "words":
            words = before.split(" ")
            at = rng.randint(4, len(words) - 2)
            extra = rng.choice(
                ["promptly and in good faith", "acting reasonably", "at its own cost", "in writing"]
            )
            after = " ".join([*words[:at], extra, *words[at:]])
        elif option == "add":
            extra = rng.choice(_NEW_SENTENCES).format(n=rng.randint(4, 90))
            if before.rstrip().endswith("."):
                after = f"{before} {extra}"
        elif option == "drop" and len(sentences) > 2:
            whole = " ".join(sentences[:k] + sentences[k + 1 :])
            return before, "", whole
        if after != before:
            return before, after, " ".join([*sentences[:k], after, *sentences[k + 1 :]])
    raise AssertionError("words can always be added")


# Layouts


def typeset(paragraphs: Sequence[str], layout: Layout, path: Path) -> Path:
    """Writes the paragraphs; the path gets the ending of the layout's form."""
    path = path.with_suffix(f".{layout.form}")
    texts = [_dressed(p, layout) for p in paragraphs]
    if layout.form == "pdf":
        _pdf(texts, layout, path)
    elif layout.form == "docx":
        _docx(texts, layout, path)
    elif layout.form == "html":
        body = "\n".join(f"<p>{t.replace('&', '&amp;').replace('<', '&lt;')}</p>" for t in texts)
        path.write_text(f"<html><body>\n{body}\n</body></html>", encoding="utf-8")
    else:
        import textwrap

        path.write_text(
            "\n\n".join(textwrap.fill(t, 88, break_on_hyphens=False, break_long_words=False) for t in texts)
            + "\n",
            encoding="utf-8",
        )
    return path


def _dressed(text: str, layout: Layout) -> str:
    text = _BULLET.sub(f"{layout.bullet} ", text)
    if layout.curly:
        text = re.sub(r'(^|[\s(])"', r"\1“", text).replace('"', "”").replace("'", "’")
    else:
        text = text.replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'")
    return text


def _is_title(text: str) -> bool:
    return (
        len(text.split()) <= 9
        and not text.rstrip().endswith((".", ";", ",", ":"))
        and (text.isupper() or text.istitle())
    )


def _lines(text: str, layout: Layout, font: str, width: float) -> list[str]:
    """Words in lines; a long word may be broken by a hyphen."""
    lines: list[str] = []
    line = ""
    room = width - (layout.indent if not lines else 0)
    for word in text.split():
        while True:
            longer = f"{line} {word}" if line else word
            if stringWidth(longer, font, layout.points) <= room:
                line = longer
                break
            cut = _hyphen(line, word, font, layout, room) if layout.hyphenate else 0
            if cut:
                lines.append(f"{line} {word[:cut]}-" if line else f"{word[:cut]}-")
                word, line = word[cut:], ""
            elif line:
                lines.append(line)
                line = ""
            else:  # wider than a line: cut where it is full
                fits = next(
                    n for n in range(len(word), 0, -1) if n == 1 or _width(word[:n], font, layout) <= room
                )
                lines.append(word[:fits])
                word = word[fits:]
                if not word:
                    break
            room = width - layout.hanging
    if line:
        lines.append(line)
    return lines


def _width(text: str, font: str, layout: Layout) -> float:
    return float(stringWidth(text, font, layout.points))


def _hyphen(line: str, word: str, font: str, layout: Layout, room: float) -> int:
    if not word.isalpha() or not word.islower() or len(word) < 7:
        return 0
    for cut in range(len(word) - 3, 2, -1):
        between = word[cut] in "bcdfglmnprstv" and word[cut - 1] in "aeiounrlst"
        if between and stringWidth(f"{line} {word[:cut]}-", font, layout.points) <= room:
            return cut
    return 0


def _pdf(texts: Sequence[str], layout: Layout, path: Path) -> None:
    pages = _pdf_pages(texts, layout, path, 0)
    if "{pages}" in layout.footer:
        _pdf_pages(texts, layout, path, pages)


def _pdf_pages(texts: Sequence[str], layout: Layout, path: Path, pages: int) -> int:
    width, height = layout.size
    canvas = Canvas(str(path), pagesize=layout.size, invariant=1)
    bold = {"Times-Roman": "Times-Bold", "Vera": "VeraBd"}.get(layout.font, f"{layout.font}-Bold")
    gutter = 20.0
    column_width = (width - 2 * layout.margin - gutter * (layout.columns - 1)) / layout.columns
    step = layout.points * layout.leading
    page, column = 1, 0
    y = height - layout.margin - layout.points

    def furniture() -> None:
        canvas.setFont("Helvetica", 8)
        if layout.header:
            canvas.drawString(layout.margin, height - layout.margin * 0.55, layout.header)
        if layout.footer:
            words = layout.footer.format(page=page, pages=pages)
            canvas.drawCentredString(width / 2, layout.margin * 0.5, words)

    for text in texts:
        title = _is_title(text)
        font = bold if title else layout.font
        plain = replace(layout, indent=0.0, hanging=0.0) if title else layout
        if not re.match(r"\(?[\da-zA-Z.]{1,5}[.)]\s|\d+\.\d+\s", text):
            plain = replace(plain, hanging=0.0)
        if plain.hanging:
            plain = replace(plain, indent=0.0)
        lines = _lines(text, plain, font, column_width)
        for n, line in enumerate(lines):
            if y < layout.margin:
                column += 1
                y = height - layout.margin - layout.points
                if column == layout.columns:
                    furniture()
                    canvas.showPage()
                    page, column = page + 1, 0
            x = layout.margin + column * (column_width + gutter)
            inset = plain.indent if n == 0 else plain.hanging
            natural = stringWidth(line, font, layout.points)
            if title and layout.centred_titles:
                inset = (column_width - natural) / 2
            drawn = canvas.beginText(x + inset, y)
            drawn.setFont(font, layout.points)
            blanks = line.count(" ")
            stretched = layout.justify and n < len(lines) - 1 and blanks and not title
            drawn.setWordSpace(max(column_width - inset - natural, 0) / blanks if stretched else 0)
            drawn.textOut(_ligated(line) if layout.ligatures else line)
            canvas.drawText(drawn)
            y -= step
        y -= layout.gap * step
    furniture()
    canvas.save()
    return page


def _ligated(text: str) -> str:
    return text.replace("fi", "ﬁ").replace("fl", "ﬂ")


def _docx(texts: Sequence[str], layout: Layout, path: Path) -> None:
    made = docx.Document()
    made.styles["Normal"].font.name = "Georgia"
    made.styles["Normal"].font.size = Pt(layout.points)
    if layout.header:
        made.sections[0].header.paragraphs[0].text = layout.header
    if layout.footer:
        made.sections[0].footer.paragraphs[0].text = layout.footer.format(page=1, pages=9)
    for n, text in enumerate(texts):
        paragraph = made.add_paragraph()
        run = paragraph.add_run(text)
        run.bold = _is_title(text)
        if n % 25 == 24:
            paragraph.add_run().add_break(WD_BREAK.PAGE)
    made.save(str(path))


# Scores


@dataclass
class Score:
    found: int = 0
    edits: int = 0
    false: int = 0
    missed: list[Edit] = field(default_factory=list)
    wrong: list[Any] = field(default_factory=list)


def score(changes: Sequence[Changed], edits: Sequence[Edit]) -> Score:
    """An edit is found by a change of its kind that has its old and its new words."""
    result = Score(edits=len(edits))
    used: set[int] = set()
    for wanted in edits:
        hit = next(
            (
                n
                for n, c in enumerate(changes)
                if c.kind == wanted.kind and _has(c.old_text, wanted.old) and _has(c.new_text, wanted.new)
            ),
            None,
        )
        if hit is None:
            result.missed.append(wanted)
        else:
            result.found += 1
            used.add(hit)
    for n, change in enumerate(changes):
        if n not in used:
            result.wrong.append(change)
            result.false += 1
    return result


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.replace("ﬁ", "fi").replace("ﬂ", "fl")).casefold()


def _has(text: str, wanted: str) -> bool:
    return not wanted or _plain(wanted) in _plain(text)

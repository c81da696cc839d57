"""Builds the sample documents: `python sample_docs/make.py [OUTDIR]` (default: build/samples).

The same input gives the same bytes. What the documents say, and on which printed page, is in truth.json.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reportlab.platypus import Flowable, KeepTogether, PageBreak, Spacer, Table  # noqa: E402

from sample_docs import agreement, layout, report  # noqa: E402


def build_agreement(name: str, outdir: Path) -> Path:
    terms = agreement.VERSIONS[name]
    path = outdir / f"{name}.pdf"
    doc = layout.Sample(
        path,
        title=agreement.TITLE,
        author="Kestrel Bay Polymers LLC",
        header=agreement.HEADER,
        file_labels=False,
    )
    story: list[Flowable] = [
        *layout.turn("one")[:1],
        layout.text(agreement.TITLE.upper(), layout.TITLE),
        Spacer(1, 18),
        layout.text(terms["dates"]),
        *(layout.text(party, layout.CLAUSE) for party in agreement.PARTIES),
        layout.text(agreement.PARTIES_TAIL),
        layout.text("Background", layout.ARTICLE),
    ]
    story += [
        layout.text(words, layout.LIST, bulletText=f"{mark}.")
        for mark, words in zip("ABC", agreement.RECITALS, strict=True)
    ]
    story.append(layout.text("The Parties therefore agree as follows."))
    for number, article in enumerate(agreement.ARTICLES, start=1):
        story.append(layout.text(f"Article {number}. {article.title}", layout.ARTICLE))
        for part, (caption, words) in enumerate(article.clauses, start=1):
            clause = words.format(**terms)
            joined = f"“{caption}” {clause}" if number == 1 else f"{caption}. {clause}"
            story.append(layout.text(f"{number}.{part}  {joined}", layout.CLAUSE))
    story.append(KeepTogether([_signatures(), Spacer(1, 1)]))
    for letter, (code, title, intro, rows) in zip("ABC", agreement.EXHIBITS, strict=True):
        story += [
            PageBreak(),
            layout.Mark("D", f"{letter}-"),
            layout.text(f"{code}. {title}", layout.ARTICLE),
        ]
        story += [layout.text(intro), layout.grid(rows)]
    doc.multiBuild(story)
    return path


def _signatures() -> Table:
    columns = []
    for company, person, role in agreement.SIGNATURES:
        lines = [company, "", "By: ________________________", f"Name: {person}", f"Title: {role}"]
        columns.append([layout.text(line or "\u00a0") for line in lines])
    intro = layout.text(
        "Signed by the authorized representatives of the Parties, to take effect on the Effective Date."
    )
    return Table(
        [[intro, ""], columns], style=[("SPAN", (0, 0), (1, 0)), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    )


def make(outdir: Path) -> list[Path]:
    outdir.mkdir(parents=True, exist_ok=True)
    paths = [build_agreement(name, outdir) for name in agreement.VERSIONS]
    return [*paths, report.build(outdir / "annual_report.pdf")]


if __name__ == "__main__":
    for made in make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "build" / "samples"):
        print(made)

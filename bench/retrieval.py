"""Recall of retrieval on the shared contracts and filings: words, vectors, both fused, and plain baselines.

    python -m bench.retrieval [--library FILE] [--only TEXT] [--no-vectors] [--misses]

A label (a clause category that lawyers marked in a contract) is found if one of its passages is covered by
the top k chunks for one plain question (bench/eval_data.py says how). A filing's question is found
if a page of its evidence is among the first k different pages of the ranked chunks. Baselines run beside it:
BM25 and vectors over plain windows of 180 words with a step of 150, and BM25 over whole pages.
"Other words", "plain words", "terse" and "unseen" are the same questions in words of our own, "our questions"
further ones (bench/clause_questions.py, bench/filing_questions.py). Numbers and concepts were chosen on every
other contract; the "kept half" are the rest. The library is kept, so a second run neither reads nor embeds
again. The time of "all together" is that of a question to about 10,000 chunks, kept in memory.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/NAME.py` too

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from bench import clause_questions, filing_questions
from bench.eval_data import EVAL, Label, Question, covered, labels, questions
from bench.retrieval_questions import QUESTIONS
from longleaf.app.library.documents import Library, StoredDocument
from longleaf.app.library.indexing import EMBED_AT_ONCE, embed_document, index_file
from longleaf.app.retrieval.bm25 import bm25
from longleaf.app.retrieval.retriever import Retriever, ScoredChunk, Way
from longleaf.app.text.index_terms import query_terms
from longleaf.engine.embedding.embedder import Embedder, load_embedder
from longleaf.engine.models.store import cache_root, resolve
from longleaf.engine.prompt.tokenizer import load_tokenizer
from longleaf.ingest import Chunk, Document
from longleaf.ingest.document import Span

KS = (5, 10)
_DEEP = 40  # passages of a filing, so that there are ten pages among them; of a contract as many as count
_FRESH = Path(__file__).with_name("fresh_clause_questions.tsv")
TOKENIZER = "gemma-3-270m"
Search = Callable[[str, list[StoredDocument], int], list[ScoredChunk]]
Hits = Callable[[Sequence[ScoredChunk]], list[bool]]


def measure(name: str, search: Search, stored: dict[Path, StoredDocument], misses: bool) -> None:
    clauses = [label for label in labels() if label.file in stored]
    not_tuned_on = set(sorted({label.file for label in labels()})[1::2])
    kept = [label for label in clauses if label.file in not_tuned_on]
    asked = [question for question in questions() if question.file in stored]
    filings = [stored[file] for file in dict.fromkeys(question.file for question in asked)]
    tasks: list[tuple[str, list[tuple[str, list[StoredDocument], Hits]]]] = [
        ("contracts", _asked(clauses, QUESTIONS, stored)),
        ("contracts, kept half", _asked(kept, QUESTIONS, stored)),
        ("filings, its own", [(q.question, [stored[q.file]], partial(_page_hits, q)) for q in asked]),
        ("filings, all together", [(q.question, filings, partial(_page_hits, q)) for q in asked]),
        *(
            (f"{what}, {words}", _asked(labelled, wording, stored))
            for what, labelled in (("contracts", clauses), ("kept half", kept))
            for words, wording in (
                ("other words", clause_questions.PARAPHRASES),
                ("plain words", clause_questions.PLAIN),
                ("terse", clause_questions.TERSE),
                ("unseen", clause_questions.UNSEEN),
            )
        ),
        ("contracts, fresh words", _fresh(clauses, stored, 0)),
        ("contracts, fresh unseen", _fresh(clauses, stored, 1)),
        ("filings, other words", _paraphrased(asked, filing_questions.PARAPHRASES, stored)),
        ("filings, unseen words", _paraphrased(asked, filing_questions.UNSEEN, stored)),
        ("filings, our questions", _our_own(filing_questions.OWN, filings, stored)),
        ("filings, further ones", _our_own(filing_questions.FURTHER, filings, stored)),
    ]
    for what, searches in tasks:
        hits, seconds = [], []
        for question, documents, judge in searches:
            start = time.perf_counter()
            found = search(question, documents, KS[-1] if what.startswith(("contracts", "kept")) else _DEEP)
            seconds.append(time.perf_counter() - start)
            hits.append(judge(found))
            if misses and not hits[-1][-1]:
                click.echo(f"  missed in {documents[0].name}: {question}")
        if hits:
            recall = zip(KS, np.mean(hits, axis=0), strict=True)
            scores = "  ".join(f"@{k} {value:.3f}" for k, value in recall)
            time_each = f"{np.median(seconds) * 1000:6.1f} ms"
            click.echo(f"{what:22} {len(hits):4}  {name:36} {scores}  {time_each}")


def _asked(
    clauses: Sequence[Label], wording: Mapping[str, str], stored: dict[Path, StoredDocument]
) -> list[tuple[str, list[StoredDocument], Hits]]:
    return [(wording[c.category], [stored[c.file]], partial(_label_hits, c)) for c in clauses]


def _fresh(
    clauses: Sequence[Label], stored: dict[Path, StoredDocument], first: int
) -> list[tuple[str, list[StoredDocument], Hits]]:
    """Every other wording of bench/fresh_clause_questions.tsv; those from `first` 0 on were tuned on."""
    rows = [line.split("\t") for line in _FRESH.read_text(encoding="utf-8").splitlines()]
    wordings = {category: ways[first::2] for category, *ways in rows}
    return [(way, [stored[c.file]], partial(_label_hits, c)) for c in clauses for way in wordings[c.category]]


def _our_own(
    asked: Sequence[tuple[str, str, tuple[int, ...]]],
    filings: list[StoredDocument],
    stored: dict[Path, StoredDocument],
) -> list[tuple[str, list[StoredDocument], Hits]]:
    """Each of all filings together."""
    own = [Question(EVAL / "reports" / file, text, pages) for file, text, pages in asked]
    return [(q.question, filings, partial(_page_hits, q)) for q in own if q.file in stored]


def _paraphrased(
    asked: Sequence[Question], wording: Sequence[str], stored: dict[Path, StoredDocument]
) -> list[tuple[str, list[StoredDocument], Hits]]:
    words = dict(zip((q.question for q in questions()), wording, strict=True))
    return [(words[q.question], [stored[q.file]], partial(_page_hits, q)) for q in asked]


def plain_bm25(library: Library, question: str, documents: list[StoredDocument], k: int) -> list[ScoredChunk]:
    """The words of the question alone, all of one weight: the baseline."""
    indexes = [library.search_index(document).words for document in documents]
    places = [(document, i) for document in documents for i in range(document.chunk_count)]
    with library.file.read() as db:
        scores = bm25(indexes, dict.fromkeys(query_terms(db, question), 1.0))
    return _first(library, places, scores, k)


def plain_vectors(
    library: Library, embedder: Embedder, question: str, documents: list[StoredDocument], k: int
) -> list[ScoredChunk]:
    """The question's vector alone: the baseline."""
    vectors = np.concatenate([library.vectors(each, embedder.name, embedder.dim) for each in documents])
    places = [(document, i) for document in documents for i in range(document.chunk_count)]
    return _first(library, places, vectors @ embedder.embed([question])[0], k)


def _first(
    library: Library, places: Sequence[tuple[StoredDocument, int]], scores: NDArray[Any], k: int
) -> list[ScoredChunk]:
    return [
        ScoredChunk(library.chunk(places[best][0], places[best][1]), places[best][0], float(scores[best]))
        for best in np.argsort(-scores, kind="stable")[:k]
    ]


def _label_hits(label: Label, ranked: Sequence[ScoredChunk]) -> list[bool]:
    texts = [scored.chunk.text for scored in ranked]
    return [any(covered(span, texts[:k]) for span in label.spans) for k in KS]


def _page_hits(question: Question, ranked: Sequence[ScoredChunk]) -> list[bool]:
    found = [(scored.document.name, page) for scored in ranked for page in _pages(scored.chunk)]
    pages = list(dict.fromkeys(found))
    wanted = {(question.file.name, page) for page in question.pages}
    return [any(page in wanted for page in pages[:k]) for k in KS]


def _pages(chunk: Chunk) -> list[int]:
    """The pages of a chunk, the one with most of its characters first."""
    size = {span.page_index: 0 for span in chunk.spans}
    for span in chunk.spans:
        size[span.page_index] += span.end - span.start
    return sorted(size, key=lambda page: -size[page])


def windows(document: Document, size: int = 180, step: int = 150) -> list[Chunk]:
    """Plain windows of words over the whole text, blind to sections: the baseline."""
    places = [
        (page.page_index, start, start + len(word))
        for page in document.pages
        for start, word in _words(page.text)
    ]
    chunks: list[Chunk] = []
    for first in range(0, len(places), step):
        window = places[first : first + size]
        spans = tuple(
            Span(page, min(p[1] for p in window if p[0] == page), max(p[2] for p in window if p[0] == page))
            for page in dict.fromkeys(p[0] for p in window)
        )
        texts = [document.pages[span.page_index].text[span.start : span.end] for span in spans]
        chunks.append(Chunk(len(chunks), "\n".join(texts), (), spans, len(window)))
    return chunks


def whole_pages(document: Document) -> list[Chunk]:
    return [
        Chunk(i, page.text, (), (Span(page.page_index, 0, len(page.text)),), len(page.text.split()))
        for i, page in enumerate(page for page in document.pages if page.text.strip())
    ]


def _words(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for word in text.split():
        start = text.index(word, start)
        yield start, word
        start += len(word)


@click.command()
@click.option("--library", "path", type=Path, help="where documents are kept [cache/bench/retrieval.db]")
@click.option("--vectors/--no-vectors", default=True)
@click.option("--only", default="", help="only files whose path has this in it")
@click.option("--misses", is_flag=True, help="list what the last ranking did not find")
def main(path: Path | None, vectors: bool, only: str, misses: bool) -> None:
    from longleaf import _native

    library = Library(path or cache_root() / "bench" / "retrieval.db")
    embedder = load_embedder()
    tokenizer = load_tokenizer(_native.Gguf(str(resolve(TOKENIZER).path)))
    files = sorted({label.file for label in labels()} | {question.file for question in questions()})
    cut: dict[str, dict[Path, StoredDocument]] = {"sections": {}, "windows": {}, "pages": {}}
    for file in (file for file in files if only in str(file)):
        stored = index_file(library, file, tokenizer.count, tokenizer=TOKENIZER)
        document = library.load(stored)
        cut["sections"][file] = stored
        for name, make in (("windows", windows), ("pages", whole_pages)):
            cut[name][file] = library.find(stored.sha256, parser=stored.parser, chunking=name) or library.add(
                document, make(document), parser=stored.parser, chunking=name
            )
        if vectors:
            for name in ("sections", "windows"):
                embed_document(library, cut[name][file], embedder)
        click.echo(f"\r{file.name[:60]:60}", nl=False, err=True)
    retriever = Retriever(library, embedder)

    def by(*ways: Way) -> Search:
        return lambda question, documents, k: retriever.search(
            question, documents=documents, k=k, by=ways, wide=True
        )

    def shipped(question: str, documents: list[StoredDocument], k: int) -> list[ScoredChunk]:
        """With vectors of small documents only, as `longleaf search` makes them."""
        small = all(document.chunk_count <= EMBED_AT_ONCE for document in documents)
        return (
            by("words", "vectors")(question, documents, k) if small else by("words")(question, documents, k)
        )

    plain, nearest = partial(plain_bm25, library), partial(plain_vectors, library, embedder)
    rows: list[tuple[str, str, Search]] = [
        ("plain BM25, pages", "pages", plain),
        ("plain BM25, windows of 180 words", "windows", plain),
        ("plain BM25, section chunks", "sections", plain),
        ("words and concepts, section chunks", "sections", by("words")),
    ]
    if vectors:
        rows += [
            ("as shipped, section chunks", "sections", shipped),
            ("vectors, windows of 180 words", "windows", nearest),
            ("vectors, section chunks", "sections", nearest),
            ("words and vectors, section chunks", "sections", by("words", "vectors")),
        ]
    click.echo(f"\r{'':60}", err=True)
    for name, cutting, search in rows:
        measure(name, search, cut[cutting], misses and name == rows[-1][0])


if __name__ == "__main__":
    main()

"""The whole comparison of two versions, as it is shown and printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from longleaf.app.compare.alignment.labels import KEYWORDS, label_of
from longleaf.app.compare.alignment.token_stream import LIKELY, Stream
from longleaf.app.compare.changes import RawChange
from longleaf.app.compare.compare import Compared, Side, compare_texts, kinds, word_ops
from longleaf.app.compare.meaning import Meaning, defined_terms, read_change
from longleaf.app.compare.schema import Change, Comparison, KeyFactPair
from longleaf.app.compare.topics import facts_in, topics_of
from longleaf.app.gaps import gap_reports
from longleaf.app.proof.citations import cite
from longleaf.app.schema import Citation, GapReport, KeyFact
from longleaf.app.text.pages import page_of

_ALIKE = 0.25  # share of words in common below which two files are hardly versions of one text
_DOUBTFUL = 0.8  # confidence of recognized text below which a small difference may be none
_DOUBTFUL_WORDS = 3
_USES = 12  # clauses named that use a changed definition
_RANK = {"substantive": 0, "wording": 1, "clerical": 2}


def compare(
    old: Side, new: Side, old_facts: Sequence[KeyFact] = (), new_facts: Sequence[KeyFact] = ()
) -> Comparison:
    """What changed from the old to the new version; what costs money comes first."""
    compared = compare_texts(old, new)
    read = [_read(compared, raw, old_facts, new_facts) for raw in compared.changes]
    order = sorted(range(len(read)), key=lambda n: (_RANK[read[n][0].class_], -read[n][1], n))
    changes = [read[n][0].model_copy(update={"id": f"c{k}"}) for k, n in enumerate(order, start=1)]
    return Comparison(
        old_file=old.document.name,
        new_file=new.document.name,
        notes=_notes(compared, _made(old_facts), _made(new_facts)),
        changes=changes,
        key_facts=pair_facts(old_facts, new_facts),
        counts=kinds(compared.changes),
        gaps=[*gap_reports(old.document), *gap_reports(new.document), *_unread(compared)],
    )


def _unread(compared: Compared) -> list[GapReport]:
    """What could not be compared because it was recognized too badly."""
    found = []
    for part in compared.unread:
        side = compared.new if part.new else compared.old
        page = page_of(side.document, side.words[part.start].page_index)
        detail = (
            f"{part.end - part.start} words were recognized with confidence {part.confidence:.0%} only and "
            f"could not be compared: read “{side.text(part.start, part.end)[:60]}” on the page itself"
        )
        found.append(
            GapReport(
                kind="doubtful_text",
                detail=detail,
                file=side.document.name,
                page_index=page.page_index,
                page_label=page.label,
            )
        )
    return found


def _read(
    compared: Compared, raw: RawChange, old_facts: Sequence[KeyFact], new_facts: Sequence[KeyFact]
) -> tuple[Change, int]:
    old_text = compared.old.shown(*raw.old) if raw.old else ""
    new_text = compared.new.shown(*raw.new) if raw.new else ""
    words = word_ops(compared, raw)
    deleted = [op.text for op in words if op.op == "delete"]
    inserted = [op.text for op in words if op.op == "insert"]
    meaning = read_change(
        raw.kind, old_text, new_text, deleted, inserted, _note(compared, raw, old_text, new_text)
    )
    cited_old = _cited(compared.old, [raw.old, *(a for a, _ in raw.references)])
    cited_new = _cited(compared.new, [raw.new, *(b for _, b in raw.references)])
    topics = dict.fromkeys(
        [*facts_in(cited_old, old_facts), *facts_in(cited_new, new_facts), *topics_of([old_text, new_text])]
    )
    change = Change(
        id="",
        kind=raw.kind,
        **{"class": meaning.class_},
        topics=list(topics),
        reason=meaning.reason,
        old_text=old_text,
        new_text=new_text,
        old=cited_old,
        new=cited_new,
        words=words,
        doubt=_doubt([*cited_old, *cited_new], meaning, deleted, inserted),
    )
    return change, meaning.weight + 2 * bool(topics)


def _cited(side: Stream, parts: Sequence[tuple[int, int] | None]) -> list[Citation]:
    return [c for part in parts if part for c in cite(side.document, side.lines(*part))]


def _doubt(
    citations: Sequence[Citation], meaning: Meaning, deleted: Sequence[str], inserted: Sequence[str]
) -> str:
    """Why a change may be none: a few letters of text that was recognized in a picture."""
    sure = min((c.ocr_confidence for c in citations if c.ocr_confidence is not None), default=None)
    if sure is None:
        return ""
    few = (
        len(" ".join(deleted).split()) <= _DOUBTFUL_WORDS
        and len(" ".join(inserted).split()) <= _DOUBTFUL_WORDS
    )
    if sure < _DOUBTFUL or (few and meaning.class_ != "substantive"):
        return (
            f"the text was recognized in a picture of the page, with confidence {sure:.0%}: compare the pages"
        )
    return ""


def _note(compared: Compared, raw: RawChange, old_text: str, new_text: str) -> str:
    """Who uses a definition that changed, and which references followed a new number or did not."""
    parts: list[str] = []
    if raw.kind in ("changed", "removed") or (raw.kind == "moved" and raw.hunks):
        for term in defined_terms(old_text, new_text)[:2]:
            uses = _uses(compared.new, term, raw.new) if _defines(f"{old_text} {new_text}", term) else []
            if uses:
                named = ", ".join(uses) if len(uses) <= _USES else f"{len(uses)} clauses"
                parts.append(f"“{term}” is used in {named}")
    if raw.references:
        places = [_name(compared.new, *b) for _, b in raw.references]
        parts.append(f"references to it follow in {', '.join(dict.fromkeys(places))}")
    if raw.kind == "renumbered" and raw.old and raw.new:
        stale = _stale(compared, raw)
        if stale:
            parts.append(stale)
    return "; ".join(parts)


def _clauses(side: Stream) -> list[tuple[int, int]]:
    starts = [i for i, border in enumerate(side.border) if i == 0 or border >= LIKELY]
    return list(zip(starts, [*starts[1:], len(side)], strict=True))


def _uses(side: Stream, term: str, own: tuple[int, int] | None) -> list[str]:
    """The clauses that use a term, other than the one that defines it, by their labels or pages."""
    wanted = term.split()
    found: dict[str, None] = {}
    starts = _clauses(side)
    at = 0
    for i, word in enumerate(side.words):
        if word.key != wanted[0] or (own and own[0] <= i < own[1]):
            continue
        if [w.key for w in side.words[i : i + len(wanted)]] != wanted:
            continue
        while at + 1 < len(starts) and starts[at + 1][0] <= i:
            at += 1
        found[_name(side, *starts[at])] = None
    return list(found)


def _name(side: Stream, start: int, end: int) -> str:
    label = label_of(side, start, end).text
    if label:
        return label if label[0].isalpha() and " " in label else f"({label})" if label.isalpha() else label
    page_index = side.words[start].page_index
    return f"p. {next(p.label for p in side.document.pages if p.page_index == page_index)}"


def _stale(compared: Compared, raw: RawChange) -> str:
    """References of the new version that still name the old number of a clause that has another now."""
    if raw.old is None or raw.new is None:
        return ""
    label = label_of(compared.old, *raw.old).text.split()
    now = label_of(compared.new, *raw.new).text.split()
    if not label or not now or "." not in label[-1]:
        return ""
    clauses = _clauses(compared.new)
    labels = [label_of(compared.new, a, b).text.split()[-1:] for a, b in clauses]
    places = [_name(compared.new, a, b) for a, b in clauses if _refers(compared.new, a, b, label[-1])]
    if not places:
        return ""
    means = "now another clause" if label[-1:] in labels else "no clause any more"
    return f"{', '.join(dict.fromkeys(places))} still refers to {label[-1]}, which is {means}"


def _refers(side: Stream, start: int, end: int, label: str) -> bool:
    """Whether a clause says "Section 4.2"."""
    keys = [word.key.casefold() for word in side.words[start:end]]
    return any(key == label and before in KEYWORDS for before, key in pairwise(keys))


def _defines(text: str, term: str) -> bool:
    quoted = rf"[“\"]{re.escape(term)},?[”\"]"
    means = rf"{quoted}\)?,?\s*(?:\w+\s+)?(?:means?|shall mean|is|has)\b"
    return re.search(rf"{means}|\((?:\w+\s+){{0,3}}{quoted}", text) is not None


def _made(facts: Sequence[KeyFact]) -> str:
    """The agreement's date, if it is whole: as 2025-03-03."""
    value = next((value_of(fact) for fact in facts if fact.name == "agreement_date"), "")
    return value if re.fullmatch(r"\d{4}-\d\d-\d\d", value) else ""


def _notes(compared: Compared, old_date: str, new_date: str) -> list[str]:
    old, new = compared.old.document, compared.new.document
    if old.sha256 == new.sha256:
        return ["both are the same file"]
    notes: list[str] = []
    if not compared.changes:
        notes.append("the texts are the same; only the layout differs")
    if compared.alike < _ALIKE:
        notes.append(
            f"the texts have {compared.alike:.0%} of their words in common: these may not be versions of one"
        )
    if old_date > new_date > "":
        dates = f"{old.name} is dated {old_date}, {new.name} {new_date}"
        notes.append(f"{dates}: perhaps they were given in the wrong order")
    elif old_date == new_date and _dated(old.metadata) > _dated(new.metadata) > "":
        notes.append(f"{old.name} was made later than {new.name}: perhaps they were given in the wrong order")
    return notes


def _dated(metadata: dict[str, str]) -> str:
    value = next(
        (v for k, v in metadata.items() if k.lower() in ("modified", "moddate", "created", "creationdate")),
        "",
    )
    return re.sub(r"\D", "", value)[:14]


def pair_facts(old: Sequence[KeyFact], new: Sequence[KeyFact]) -> list[KeyFactPair]:
    """Each key fact's value in both versions."""
    by_name = {fact.name: fact for fact in new}
    pairs = []
    for fact in old:
        other = by_name.pop(fact.name, None)
        pairs.append(_pair(fact.name, fact.title, fact, other))
    return [*pairs, *(_pair(fact.name, fact.title, None, fact) for fact in by_name.values())]


def _pair(name: str, title: str, old: KeyFact | None, new: KeyFact | None) -> KeyFactPair:
    a, b = value_of(old), value_of(new)
    return KeyFactPair(
        name=name,
        title=title,
        old_value=a,
        new_value=b,
        same=folded(a) == folded(b),
        old=list(old.citations) if old else [],
        new=list(new.citations) if new else [],
    )


def value_of(fact: KeyFact | None) -> str:
    """The bare values where there are any, else the words that say it; empty if it was not found."""
    if fact is None or fact.status == "not_found":
        return ""
    return "; ".join(fact.values) or fact.text


def folded(value: str) -> str:
    """A value without what does not make it another one: "five (5) years", "Five (5) Years"."""
    return re.sub(r"[\W_]+", " ", value).casefold().strip()

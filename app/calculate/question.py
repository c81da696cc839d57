"""What a question on figures asks for: which measure, period, kind of answer and unit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from longleaf.app.calculate.formula import (
    Binary,
    Item,
    Node,
    NotAFormula,
    Token,
    name_at,
    parse,
    parse_tokens,
    tokens_of,
)
from longleaf.app.calculate.question_words import (
    ANOTHER_MATTER,
    ASIDE,
    CHANGE,
    DEFINED,
    DOWN,
    ESCAPE,
    FILLER,
    LENGTH,
    NUMBERS,
    QUARTER,
    QUESTION,
    RANGE,
    SENTENCE,
    STATEMENTS,
    STRAIGHT,
    UP,
    YEAR,
)
from longleaf.app.calculate.ratios import BY_NAME as RATIOS
from longleaf.app.facts.figures.line_items import BY_NAME
from longleaf.app.text.entities import find_dates

Intent = Literal[
    "value",
    "change",
    "average",
    "cagr",
    "direction",
    "sign",
    "steady",
    "most_cash",
    "intensity",
    "liquidity",
    "paid",
]


@dataclass(frozen=True, slots=True)
class Asked:
    """`years` in the order in which they are named; `wanted` what a yes/no question says: +1 up, -1 down."""

    intent: Intent
    nodes: tuple[Node, ...]
    names: tuple[str, ...]  # of the measures, "" for a formula that has none
    words: str
    years: tuple[int, ...] = ()
    months: int = 0
    quarter: int = 0
    date: str = ""
    wanted: int = 0
    percent: bool = False
    difference: bool = False
    scale: str = ""
    decimals: int | None = None
    span: int = 0  # "3 year average"
    limit: str = ""  # of what counts as steady
    escape: bool = False  # "if it is not a useful measure, say so"
    definitions: Mapping[str, Node] = field(default_factory=dict)


def read_frame(question: str, is_name: Callable[[str], bool]) -> Asked | None:
    """The question without what is measured: its words, periods, unit; None where it is for no figures."""
    text = " ".join(question.translate(STRAIGHT).split())
    escape = bool(ESCAPE.search(text))
    definitions, rest = _definitions(text)
    core = _core(rest)
    if not core:
        return None
    scale, decimals, percent = _unit(text)
    core, inner = _brackets(core, definitions)
    if ANOTHER_MATTER.search(_without_names(core, is_name)):
        return None
    lowered = core.lower()
    years, quarter, months, date = _period(core)
    intent, wanted = _intent(lowered)
    if intent is None:
        return None
    limit = ""
    if found := re.search(r"(\d+(?:\.\d+)?)\s*(?:%|percent|points?|pp)", f"{lowered} {' '.join(inner)}"):
        limit = found[1]
    span = 0
    if found := re.search(r"\b(\d+|two|three|four|five)[- ]year\b", lowered):
        span = int(NUMBERS.get(found[1], 0) or found[1])
    return Asked(
        intent,
        (),
        (),
        core,
        years,
        months,
        quarter,
        date,
        wanted,
        percent or bool(_PERCENT.search(lowered)),
        bool(_DIFFERENCE.search(lowered)),
        scale,
        decimals,
        span,
        limit,
        escape,
        definitions,
    )


def doubted_measure(question: str) -> str:
    """The measure that a question of another kind allows to be of no use ("what drove margin? If …")."""
    text = " ".join(question.translate(STRAIGHT).split())
    if not ESCAPE.search(text):
        return ""
    found = (name_at(text, match.start()) for match in re.finditer(r"(?<![\w-])[A-Za-z]", text))
    return next((name for name, _ in filter(None, found) if name in RATIOS), "")


def read_question(question: str, is_name: Callable[[str], bool]) -> Asked | None:
    """What is asked, or None where it is no question for figures; `is_name` knows names of companies."""
    asked = read_frame(question, is_name)
    if asked is None or asked.intent in ("most_cash", "intensity"):
        return asked
    core, intent = asked.words, asked.intent
    definitions = dict(asked.definitions)
    nodes = [] if _OF_PART.search(core) else _nodes(core, intent, definitions, is_name)
    if intent == "liquidity" and not nodes:
        nodes = [("quick_ratio", Item("quick_ratio")), ("current_ratio", Item("current_ratio"))]
    if not nodes and (intent not in ("value", "change", "direction") or definitions):
        return None
    if _unlikely(core, [node for _, node in nodes]):
        return None
    return replace(asked, nodes=tuple(node for _, node in nodes), names=tuple(name for name, _ in nodes))


def _unlikely(core: str, nodes: Sequence[Node]) -> bool:
    """Whether the verb does not go with the line: money is not counted, and a balance is not spent."""
    lines = [BY_NAME[node.name] for node in nodes if isinstance(node, Item) and node.name in BY_NAME]
    counted = re.search(r"\bhow many\b", core, re.IGNORECASE)
    spent = re.search(r"\bspen[dt]\b|\binvest(?:ed|s)?\b", core, re.IGNORECASE)
    return any(
        (counted and line.kind == "amount") or (spent and line.where[0] == "balance") for line in lines
    )


_OF_PART = re.compile(r"\b(?:segments?|divisions?|regions?|business unit)\b", re.IGNORECASE)
_PERCENT = re.compile(r"%|\bpercent|\brate\b|\bgrowth\b|\b(?:share|proportion|portion) of\b")
_DIFFERENCE = re.compile(
    r"\bdollars?\b|\$|\bdifference\b|\bhow much more\b|\bhow much less\b|\bmore\b.{0,60}\bthan\b"
)


# --- the pieces of a question ---------------------------------------------------------------------------


def _definitions(text: str) -> tuple[dict[str, Node], str]:
    """The formulas that the question gives, by the measure's name, and the question without them."""
    found: dict[str, Node] = {}
    kept: list[str] = []
    for sentence in SENTENCE.split(text):
        taken = False
        for pattern in DEFINED:
            match = pattern.search(sentence)
            if not match or "?" in sentence[match.start() : match.end() - 1]:
                continue
            formula = _trim_formula(match["formula"])
            try:
                node = parse(formula)
            except NotAFormula:
                continue
            if isinstance(node, Item):
                continue
            found[_name_of(match["name"])] = node
            taken = True
            if match.start() > 3:
                kept.append(sentence[: match.start()])
            break
        if not taken:
            kept.append(sentence)
    return found, " ".join(kept)


def _trim_formula(text: str) -> str:
    text = re.split(
        r"(?<=[a-z)0-9])[.;?](?:\s|$)|,? (?:round|give|answer|please|using the|based on)\b",
        text,
        maxsplit=1,
        flags=re.IGNORECASE,
    )[0]
    return text.strip(" .?")


def _name_of(words: str) -> str:
    """The measure that words name: ours if we know it, else the words."""
    words = (
        re.sub(r"^.*\b(?:assume|define|here|where|and|that|the)\b\s+", "", words.strip(), flags=re.IGNORECASE)
        or words
    )
    for position in range(len(words)):
        if (position == 0 or words[position - 1] == " ") and (found := name_at(words, position)):
            after = re.sub(r"\b(?:ratio|metric|measure)\b|\([^)]*\)", " ", words[found[1] :])
            return found[0] if not after.strip() else words.lower()
    return words.strip().lower()


def _core(text: str) -> str:
    """The sentence that asks, without the phrases that only say where to look or how to answer."""
    sentences = SENTENCE.split(text)
    asking = [sentence for sentence in sentences if sentence.endswith("?")]
    asking = asking or [sentence for sentence in sentences if QUESTION.search(sentence)] or sentences[:1]
    asking = [
        sentence for sentence in asking if not re.match(r"(?:if|give (?:a|your|the))\b", sentence, re.I)
    ]
    best = next((sentence for sentence in asking if _names_something(sentence)), asking[0] if asking else "")
    pieces = re.split(r"(?<=[a-z)])[:,] ", best)
    while len(pieces) > 1 and not (QUESTION.match(pieces[0]) and not ASIDE.search(pieces[0])):
        if ASIDE.search(pieces[0]):
            pieces.pop(0)
        elif QUESTION.match(pieces[1]):
            pieces.append(pieces.pop(0))  # "In 2022, what was ...": the period belongs to the question
            break
        else:
            break
    best = ", ".join(pieces)
    best = re.sub(r",? and why\b|,? and (?:please )?explain\b.*", " ", best, flags=re.IGNORECASE)
    best = re.sub(
        rf"(?:,? ?\b(?:based (?:up)?on|using|from|within|in|on|per|by (?:using|looking at)|according to"
        rf"|relying on)\b (?:the )?(?:details|information|data|line items)?[^,?.]*?{STATEMENTS}(?:(?:,"
        rf"| and) {STATEMENTS})*)",
        " ",
        best,
        flags=re.IGNORECASE,
    )
    best = re.sub(
        r",? ?\bbased on (?:the )?(?:its )?(?:FY\s?\d+|fiscal \d+|\d+)?\s?(?:data|figures|results)\b",
        lambda m: " " + " ".join(re.findall(r"(?:FY\s?)?\d{2,4}", m.group(0))),
        best,
        flags=re.IGNORECASE,
    )
    return " ".join(best.split())


def _names_something(sentence: str) -> bool:
    return any(name_at(sentence, m.start()) for m in re.finditer(r"(?<![\w-])[A-Za-z]", sentence))


def _unit(text: str) -> tuple[str, int | None, bool]:
    lowered = text.lower()
    scale = ""
    if match := re.search(
        r"\b(?:in|to|of)\s+(?:units of\s+)?(?:usd|us\$|u\.s\. dollars|us dollars|\$"
        r"|dollars)?\s*(?:in\s+)?(thousand|million|billion)s?\b|\busd (thousand|million|billion)s?\b"
        r"|\$ ?(million|billion|thousand)s?\b|\((?:usd |\$ ?)?(thousand|million|billion)s?\)",
        lowered,
    ):
        scale = next(group for group in match.groups() if group)
    decimals = None
    if places := re.search(r"\b(one|two|three|four|zero|no|\d)\s+decimals?\b", lowered):
        decimals = NUMBERS[places[1]] if places[1] in NUMBERS else int(places[1])
    elif re.search(
        r"\bnearest (?:whole|integer|million|thousand|billion|dollar|percent|day)\b|\bwhole number\b", lowered
    ):
        decimals = 0
    elif re.search(r"\bnearest (?:tenth|0\.1)\b", lowered):
        decimals = 1
    elif re.search(r"\bnearest (?:hundredth|cent|0\.01)\b", lowered):
        decimals = 2
    return scale, decimals, bool(re.search(r"\bas a %|units of percent|in percent\b|as a percent", lowered))


def _brackets(core: str, definitions: dict[str, Node]) -> tuple[str, list[str]]:
    """The question without what stands in brackets; a formula there defines what is asked."""
    inner = []
    for match in re.finditer(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)", core):
        words = match[1]
        inner.append(words)
        formula = re.sub(
            r"^(?:using|i\.e\.|defined as|calculated as|that is|measured as|=)[:,]?\s*",
            "",
            words,
            flags=re.IGNORECASE,
        )
        try:
            node = parse(formula)
        except NotAFormula:
            continue
        if not isinstance(node, Item):
            definitions[""] = node
    return " ".join(re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", " ", core).split()), inner


def _period(core: str) -> tuple[tuple[int, ...], int, int, str]:
    date = next((d.iso for d in find_dates(core) if d.complete and d.year), "")
    years: list[int] = []
    if date:
        core = re.sub(
            r"\b[A-Z][a-z]+\.? \d{1,2},? (?:19|20)\d\d|\d{1,2} [A-Z][a-z]+ (?:19|20)\d\d", " ", core
        )
    for match in YEAR.finditer(core):
        year = int(match[1] or f"20{match[2]}")
        if year not in years:
            years.append(year)
    if span := RANGE.search(core):
        first, last = int(span[1]), int(span[2])
        if 0 < last - first < 10 and "average" in core.lower():
            years = list(range(first, last + 1))
    quarter = 0
    if part := QUARTER.search(core):
        named = next(group for group in part.groups() if group).lower()
        quarter = int(named) if named.isdigit() else _NUMBERS_ORDINAL[named]
    months = (
        3 if quarter else next((n for n, pattern in LENGTH if re.search(pattern, core, re.IGNORECASE)), 0)
    )
    return tuple(years), quarter, months, date


_NUMBERS_ORDINAL = {"first": 1, "second": 2, "third": 3, "fourth": 4}


def _intent(text: str) -> tuple[Intent | None, int]:
    yes_no = re.match(r"(?:so |and |but )?(?:does|do|did|is|are|was|were|has|have|had)\b", text)
    if re.search(r"\bcapital[- ](?:intensive|intensity|heavy)\b", text) and yes_no:
        return "intensity", 0
    if re.search(r"\boperat\w+\b.*\binvest\w+\b.*\bfinanc\w+", text) and re.search(
        r"\bmost\b|\bleast\b|\bhighest\b|\blargest\b|\bbiggest\b", text
    ):
        return "most_cash", 0
    if yes_no:
        if re.search(r"\bliquidity\b|\bquick ratio\b|\bcurrent ratio\b", text) and re.search(
            r"\bhealthy|\breasonabl|\bgood\b|\bsound\b|\bstrong\b|\badequate", text
        ):
            return "liquidity", 0
        if re.search(r"\bpositive\b", text):
            return "sign", 1
        if re.search(r"\bnegative\b", text):
            return "sign", -1
        if re.search(r"\bconsistent|\bstable\b|\bfluctuat|\bvolatil|\bsteady\b", text):
            return "steady", -1 if re.search(r"\bvolatil", text) else 1
        if re.search(rf"\b(?:{UP})", text):
            return "direction", 1
        if re.search(rf"\b(?:{DOWN})", text):
            return "direction", -1
        if re.search(r"\bpa(?:y|id)\b.{0,20}\bdividends?\b", text) and not re.search(
            r"\bcommon\b|\bper share\b", text
        ):
            return "paid", 1
        return None, 0
    if re.search(r"\bcagr\b|\bcompound(?:ed)?\b.{0,20}\bgrowth\b", text):
        return "cagr", 0
    if re.search(
        r"\b(?:\d|two|three|four|five)[- ]year (?:\w+ )?average\b|\baverage (?!collection|payment|accounts"
        r"|inventory|total|age|price)(?:\w+ ){0,5}(?:over|from|between|for|across|during)\b|\baveraged\b"
        r"|\baverage of\b.*\bover\b",
        text,
    ):
        return "average", 0
    if CHANGE.search(re.sub(r"\bsustainable growth\b", " ", text)):
        return "change", 0
    return "value", 0


def bare_words(asked: Asked, is_name: Callable[[str], bool]) -> str:
    """What is left of the question without names, periods and the words that every question has."""
    text = _without_names(_without_frame(asked.words, asked.intent), is_name)
    return re.sub(rf"(?<![\w-])(?:{FILLER.pattern})", " ", text, flags=re.IGNORECASE)


def _without_frame(text: str, intent: Intent) -> str:
    """The question without its periods and the words that make it a question of that kind."""
    text = re.sub(r"\b[A-Z][a-z]+\.? \d{1,2},? (?:19|20)\d\d|\d{1,2} [A-Z][a-z]+ (?:19|20)\d\d", " ", text)
    text = re.sub(r"\b(?:19|20)\d\dQ[1-4]\b|\bQ[1-4]\b|\b[1-4]Q\b", " ", text)
    text = YEAR.sub(" ", text)
    if intent == "change" or intent == "direction":
        text = re.sub(r"\byear[- ]over[- ]year\b|\byoy\b", " ", text, flags=re.IGNORECASE)
        text = CHANGE.sub(
            lambda m: (
                " "
                if not re.match(r"(?:more|less)\b", m.group(0), re.I)
                else " " + re.sub(r"(?i)^(?:more|less)\b|\bthan$", " ", m.group(0)) + " "
            ),
            text,
        )
    if intent == "average":
        text = re.sub(
            r"\b(?:\d|two|three|four|five)[- ]year\b|\baverage[ds]?\b|\bover\b|\bacross\b",
            " ",
            text,
            flags=re.IGNORECASE,
        )
    if intent == "cagr":
        text = re.sub(
            r"\b(?:\d|two|three|four|five)[- ]year\b|\bcagr\b|\bcompound(?:ed)?\b|\bannual\b|\bgrowth\b"
            r"|\brate\b",
            " ",
            text,
            flags=re.IGNORECASE,
        )
    if intent in ("sign", "steady", "liquidity", "paid", "direction"):
        text = re.sub(
            r"\b(?:positive|negative|historically|consistent\w*|stable|steady|fluctuat\w*|volatil\w*|not"
            r"|more|each|roughly|reasonabl[ey]|healthy|good|sound|strong|adequate|liquidity|improving|any"
            r"|common|shareholders)\b|\d+(?:\.\d+)?\s*(?:%|percent)",
            " ",
            text,
            flags=re.IGNORECASE,
        )
    return text


def _nodes(
    core: str, intent: Intent, definitions: dict[str, Node], is_name: Callable[[str], bool]
) -> list[tuple[str, Node]]:
    """The measures asked for, by name, and the formula of each."""
    for name, node in list(definitions.items()):
        if name and name in core.lower() and " " in name:
            definitions[""] = node
    text = " ".join(_without_names(_without_frame(core, intent), is_name).split())
    try:
        tokens = tokens_of(text, FILLER)
    except NotAFormula:
        return _as_defined(text, definitions)
    tokens = [token for token in tokens if token[0] not in ("year", "number")]
    names = [str(value) for kind, value in tokens if kind == "name"]
    given = definitions.get("") or next(
        (definitions[name] for name in names if name in definitions and len(set(names)) == 1), None
    )
    if given is not None and len(set(names)) <= 1:
        return [(names[0] if names else "", given)]
    if any(kind in ("op", "average", "change") for kind, _ in tokens):
        try:
            return [("", parse_tokens(_trim_tokens(tokens)))]
        except NotAFormula:
            return []
    distinct = list(dict.fromkeys(names))
    if len(distinct) == 2 and _SHARE_OF.search(text) and intent in ("value", "average", "change"):
        return [("", Binary("/", Item(distinct[1]), Item(distinct[0])))]
    return [(name, Item(name)) for name in distinct]


_SHARE_OF = re.compile(
    r"\b(?:percentage|per ?cent|%|share|proportion|portion|fraction|part) of (?:its |the |their |total "
    r"|net )*"
    r"(?:revenue|sales|assets|net|earnings|income|operating|cash|equity|liabilities|capital)|% of ",
    re.IGNORECASE,
)


def _as_defined(text: str, definitions: Mapping[str, Node]) -> list[tuple[str, Node]]:
    """The formula that the question gives in brackets, whatever it calls it; but not of a part."""
    if (
        "" not in definitions
        or re.search(r"(?<!^)\b(?<![.?!] )[A-Z]\w+", text)
        or re.search(_PART, text, re.IGNORECASE)
    ):
        return []
    return [("", definitions[""])]


_PART = (
    r"\b(?:segment|division|subsidiar\w+|region|domestic|international|business(?:es)?|unit|brand"
    r"|country|product line)\b"
)


def _trim_tokens(tokens: Sequence[Token]) -> list[Token]:
    trimmed = [token for token in tokens if token[0] != "and"]
    while trimmed and trimmed[0][0] == "op":
        trimmed.pop(0)
    while trimmed and trimmed[-1][0] == "op":
        trimmed.pop()
    return trimmed


_OPENING = frozenset(
    re.findall(
        r"\w+",
        "why who whom whose what when where which how is are was were do does did has have had can could "
        "will would"
        " should in on at by of for from the a an and or if among between excluding adjusted core organic "
        "expected",
    )
)


def _without_names(text: str, is_name: Callable[[str], bool]) -> str:
    """Without the names of companies: words in capitals that are theirs."""

    def drop(match: re.Match[str]) -> str:
        word = match[1]
        position = match.start()
        if name_at(text, position) or word.lower() in _OPENING:
            return match.group(0)
        return " " if is_name(word) else match.group(0)

    return re.sub(r"\b(\d?[A-Z][\w.&-]*)(?:'s|'(?=\s))?", drop, text)

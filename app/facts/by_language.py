"""The facts of a contract by its language; of one in two languages, first as its English says them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from longleaf.app.facts import languages
from longleaf.app.facts.contracts import contract
from longleaf.app.facts.document_text import Passages
from longleaf.app.facts.finding import Finding, Search
from longleaf.app.facts.ranking import Ranker
from longleaf.app.text.language import Languages

_BILINGUAL = 0.3  # of the text in a second language, from which on both are read

TITLES: Mapping[str, str] = {**languages.TITLES, **contract.TITLES}


def find_contract_facts(
    passages: Passages, search: Search, ranker: Ranker, spoken: Languages
) -> Iterator[tuple[str, Finding | None]]:
    """Each fact's name with what was found, None where the document does not say it in known words."""
    others = (code for code, share in spoken.shares if code in languages.LANGUAGES and share >= _BILINGUAL)
    other = next(others, None)
    if other is None:
        yield from contract.find_contract_facts(passages, search, ranker)
        return
    foreign = languages.find_facts(passages, languages.LANGUAGES[other])
    if spoken.share("en") < _BILINGUAL:
        yield from foreign
        return
    english = dict(contract.find_contract_facts(passages, search, ranker))
    for name, finding in foreign:
        yield name, english.get(name) or finding

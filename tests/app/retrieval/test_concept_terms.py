"""The lists of words by which a question is understood."""

from __future__ import annotations

from pathlib import Path

from longleaf.app.library.documents import Library
from longleaf.app.retrieval.concept_terms import _STATEMENTS
from longleaf.app.retrieval.concepts import CONCEPTS, CONTRACT_PLACES
from longleaf.app.text.index_terms import query_terms, terms


def test_every_phrase_that_gives_a_concept_away_can_be_in_a_question(tmp_path: Path) -> None:
    """A question loses its stop words, so that a phrase with one ("in force") would never be found."""
    lists = [concept.named for concept in CONCEPTS] + [given for _, _, given in _STATEMENTS]
    phrases = [" ".join(phrase.split()) for given in lists for phrase in given.split(";")]
    with Library(tmp_path / "library.db") as library, library.file.read() as db:
        dead = [phrase for phrase in phrases if query_terms(db, phrase) != terms(db, [phrase])[0]]
    assert dead == []


def test_no_common_word_names_a_concept_of_contracts(tmp_path: Path) -> None:
    with Library(tmp_path / "library.db") as library, library.file.read() as db:
        common = {term for (term,) in terms(db, ["contract", "contracting", "agreement", "party", "parties"])}
        naming = {
            tuple(term) for place in CONTRACT_PLACES for term in terms(db, CONCEPTS[place].named.split(";"))
        }
    assert not {(term,) for term in common} & naming

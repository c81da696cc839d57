"""Key facts of contracts in German, French, Spanish, Italian, Portuguese, Dutch, Chinese and Japanese."""

from longleaf.app.facts.languages.chinese import CHINESE
from longleaf.app.facts.languages.dutch import DUTCH
from longleaf.app.facts.languages.engine import TITLES, find_facts
from longleaf.app.facts.languages.french import FRENCH
from longleaf.app.facts.languages.german import GERMAN
from longleaf.app.facts.languages.italian import ITALIAN
from longleaf.app.facts.languages.japanese import JAPANESE
from longleaf.app.facts.languages.patterns import LanguagePatterns
from longleaf.app.facts.languages.portuguese import PORTUGUESE
from longleaf.app.facts.languages.spanish import SPANISH

__all__ = ["LANGUAGES", "TITLES", "LanguagePatterns", "find_facts"]

LANGUAGES = {
    language.code: language
    for language in (GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, CHINESE, JAPANESE)
}

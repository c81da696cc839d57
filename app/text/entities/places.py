"""States, provinces and countries, by the names and adjectives contracts use for them."""

from __future__ import annotations

import re
from dataclasses import dataclass

US_STATES = """
    Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii
    Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan
    Minnesota Mississippi Missouri Montana Nebraska Nevada New_Hampshire New_Jersey New_Mexico New_York
    North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island South_Carolina
    South_Dakota Tennessee Texas Utah Vermont Virginia Washington West_Virginia Wisconsin Wyoming
    District_of_Columbia Puerto_Rico Guam
"""
_PROVINCES = """
    Ontario Quebec Québec British_Columbia Alberta Manitoba Saskatchewan Nova_Scotia New_Brunswick
    Newfoundland_and_Labrador Prince_Edward_Island New_South_Wales Victoria Queensland Western_Australia
    South_Australia Tasmania Bavaria Catalonia Madeira
"""
# Short English names of ISO 3166-1, with the ways contracts write them.
_COUNTRIES = """
    Afghanistan Albania Algeria Andorra Angola Antigua_and_Barbuda Argentina Armenia Aruba Australia
    Austria Azerbaijan Bahamas Bahrain Bangladesh Barbados Belarus Belgium Belize Benin Bermuda Bhutan
    Bolivia Bosnia_and_Herzegovina Botswana Brazil British_Virgin_Islands Brunei Bulgaria Burkina_Faso
    Burundi Cambodia Cameroon Canada Cayman_Islands Chile China Colombia Costa_Rica Croatia Cuba Curaçao
    Curacao Cyprus Czech_Republic Czechia Denmark Dominica Dominican_Republic Ecuador Egypt El_Salvador
    England England_and_Wales Estonia Ethiopia Fiji Finland France Gabon Germany Ghana Gibraltar
    Great_Britain Greece Greenland Guatemala Guernsey Guinea Guyana Haiti Honduras Hong_Kong Hungary
    Iceland India Indonesia Iran Iraq Ireland Isle_of_Man Israel Italy Jamaica Japan Jersey Jordan
    Kazakhstan Kenya Korea South_Korea Kuwait Laos Latvia Lebanon Liberia Libya Liechtenstein Lithuania
    Luxembourg Macao Macau Macedonia Madagascar Malaysia Maldives Mali Malta Marshall_Islands Mauritius
    Mexico Moldova Monaco Mongolia Montenegro Morocco Mozambique Myanmar Namibia Nepal Netherlands
    New_Zealand Nicaragua Niger Nigeria Northern_Ireland Norway Oman Pakistan Panama Papua_New_Guinea
    Paraguay Peru Philippines Poland Portugal Qatar Romania Russia Russian_Federation Rwanda Samoa
    San_Marino Saudi_Arabia Scotland Senegal Serbia Seychelles Singapore Slovakia Slovenia South_Africa
    Spain Sri_Lanka Sudan Suriname Sweden Switzerland Syria Taiwan Tanzania Thailand Togo
    Trinidad_and_Tobago Tunisia Turkey Turkmenistan Uganda Ukraine United_Arab_Emirates United_Kingdom
    United_States United_States_of_America Uruguay Uzbekistan Vanuatu Venezuela Vietnam Viet_Nam Wales
    Yemen Zambia Zimbabwe
"""
_ALIASES = {
    "people's republic of china": "China",
    "p.r. china": "China",
    "p.r.china": "China",
    "p. r. china": "China",
    "pr china": "China",
    "prc": "China",
    "p.r.c.": "China",
    "republic of china": "Taiwan",
    "republic of korea": "South Korea",
    "korea": "South Korea",
    "hong kong sar": "Hong Kong",
    "hksar": "Hong Kong",
    "usa": "United States",
    "u.s.a.": "United States",
    "u.s.": "United States",
    "united states of america": "United States",
    "uk": "United Kingdom",
    "u.k.": "United Kingdom",
    "great britain": "United Kingdom",
    "uae": "United Arab Emirates",
    "the netherlands": "Netherlands",
    "holland": "Netherlands",
    "english": "England",
    "québec": "Quebec",
    "macau": "Macao",
    "viet nam": "Vietnam",
    "czechia": "Czech Republic",
    "russian federation": "Russia",
    "new york state": "New York",
    "washington, d.c.": "District of Columbia",
    "washington d.c.": "District of Columbia",
    "d.c.": "District of Columbia",
}
# Adjectives of jurisdictions that contracts use before "law".
_ADJECTIVES = {
    "english": "England",
    "scottish": "Scotland",
    "scots": "Scotland",
    "irish": "Ireland",
    "german": "Germany",
    "french": "France",
    "swiss": "Switzerland",
    "swedish": "Sweden",
    "dutch": "Netherlands",
    "belgian": "Belgium",
    "italian": "Italy",
    "spanish": "Spain",
    "israeli": "Israel",
    "japanese": "Japan",
    "korean": "South Korea",
    "chinese": "China",
    "indian": "India",
    "canadian": "Canada",
    "australian": "Australia",
    "danish": "Denmark",
    "norwegian": "Norway",
    "finnish": "Finland",
    "austrian": "Austria",
    "brazilian": "Brazil",
    "mexican": "Mexico",
    "polish": "Poland",
    "texan": "Texas",
}


def _names(*lists: str) -> list[str]:
    return [name.replace("_", " ") for names in lists for name in names.split()]


_PLACES = {name.lower(): name for name in _names(US_STATES, _PROVINCES, _COUNTRIES)} | _ALIASES
_PLACE = re.compile(
    r"(?<![\w.])(?:"
    + "|".join(
        re.escape(name).replace(r"\ ", r"\s+").replace("'", "['’‘´`]?")
        for name in sorted({*_PLACES} - {"english"}, key=len, reverse=True)
    )
    + r")(?![\w])",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(
    r"\b(?:" + "|".join(_ADJECTIVES) + r")(?=\s+(?:substantive\s+|domestic\s+|internal\s+)?laws?\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PlaceMention:
    """A state, province or country as written; `name` is its usual short name ("China", "New York")."""

    start: int
    end: int
    text: str
    name: str


def find_places(text: str) -> list[PlaceMention]:
    """States, provinces and countries of a text in order, with adjectives before "law" ("English law")."""
    found: list[PlaceMention] = []
    for match in _PLACE.finditer(text):
        written = match.group(0)
        if written[0].islower():
            continue
        folded = re.sub(r"\s+", " ", written.lower()).replace("’", "'").replace("‘", "'").replace("´", "'")
        name = _PLACES.get(folded) or _PLACES.get(folded.replace("peoples", "people's"))
        if name is None or (len(written) <= 3 and not written.isupper()):
            continue
        found.append(PlaceMention(match.start(), match.end(), written, _ALIASES.get(name.lower(), name)))
    for match in _ADJECTIVE.finditer(text):
        if not any(m.start < match.end() and match.start() < m.end for m in found):
            name = _ADJECTIVES[match.group(0).lower()]
            found.append(PlaceMention(match.start(), match.end(), match.group(0), name))
    return sorted(found, key=lambda m: m.start)

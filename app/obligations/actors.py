"""Who acts in a contract: its parties under all their names, and the words for all or each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from longleaf.app.facts.contracts.parties import Party

# What a party is called where the contract gives no term of its own. Capitalised in the text, or after "the".
_ROLES = [
    "Seller",
    "Buyer",
    "Purchaser",
    "Supplier",
    "Customer",
    "Client",
    "Vendor",
    "Lessor",
    "Lessee",
    "Landlord",
    "Tenant",
    "Licensor",
    "Licensee",
    "Sublicensee",
    "Franchisor",
    "Franchisee",
    "Distributor",
    "Reseller",
    "Consultant",
    "Contractor",
    "Subcontractor",
    "Company",
    "Owner",
    "Manufacturer",
    "Provider",
    "Borrower",
    "Lender",
    "Agent",
    "Principal",
    "Guarantor",
    "Sponsor",
    "Investor",
    "Trustee",
    "Employer",
    "Employee",
    "Executive",
    "Endorser",
    "Athlete",
    "Artist",
    "Talent",
    "Producer",
    "Publisher",
    "Author",
    "Carrier",
    "Shipper",
    "Operator",
    "Manager",
    "Bank",
    "Administrator",
    "Developer",
    "Host",
    "Recipient",
    "Discloser",
    "Grantor",
    "Grantee",
    "Assignor",
    "Assignee",
    "Holder",
    "Advertiser",
    "Promoter",
    "Affiliate",
    "Member",
    "Partner",
    "Corporation",
    "Service",
    "Provider",
]
_ALL = re.compile(
    r"(?P<neither>neither\s+(?:of\s+the\s+)?part(?:y|ies)(?:\s+hereto)?|no\s+party)|"
    r"(?P<each>(?:each|either|both|all|every|any)(?:\s+of)?(?:\s+the)?\s+part(?:y|ies)(?:\s+hereto)?|"
    r"the\s+parties(?:\s+hereto)?|each\s+of\s+\w+\s+and\s+\w+)|"
    r"(?P<other>(?:the|such)\s+(?:other|non-?\w+|\w+ing|first|affected|aggrieved)\s+party|"
    r"(?:a|such|that|one|any)\s+party)",
    re.IGNORECASE,
)
PRONOUN = re.compile(r"\b(?:it|he|she|they)\b", re.IGNORECASE)
EACH = "each party"


@dataclass(frozen=True, slots=True)
class Actor:
    """`term` is how the contract calls it; `name` the party's full name, "" where that is not known."""

    term: str
    name: str = ""
    negated: bool = False  # "neither party"


@dataclass(frozen=True, slots=True)
class ActorMention:
    start: int
    end: int
    actor: Actor


@dataclass(frozen=True)
class Actors:
    """The parties of one contract."""

    names: dict[str, Actor]  # by each folded way of naming it

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        ways = sorted({*self.names, *(role.lower() for role in _ROLES)}, key=len, reverse=True)
        joined = "|".join(re.escape(way).replace(r"\ ", r"\s+") for way in ways)
        return re.compile(
            rf"\b(?:(?P<the>the)\s+)?(?P<way>{joined})\b(?!['’]s\b|['’](?:\s|$))", re.IGNORECASE
        )

    def mentions(self, text: str) -> list[ActorMention]:
        """All of them in order; possessives ("Supplier's") name no actor."""
        found = [
            ActorMention(
                m.start(), m.end(), Actor(EACH if not m["other"] else _tidy(m[0]), "", bool(m["neither"]))
            )
            for m in _ALL.finditer(text)
        ]
        for match in self._pattern.finditer(text):
            way = match["way"]
            if not way[0].isupper() and not (match["the"] and self._is_lower(way)):
                continue
            if any(each.start < match.end() and match.start() < each.end for each in found):
                continue
            if (
                re.match(r"\s+(?:of\s+)?(?:[A-Z]\w+|['’])", text[match.end() : match.end() + 30])
                and not way[-1:].isdigit()
            ):
                following = text[match.end() :].split()[:1]
                if following and following[0].strip(".,;:").lower() not in _MAY_FOLLOW:
                    continue  # "Company Products", "Customer Data": part of another name
            found.append(
                ActorMention(match.start(), match.end(), self.names.get(_fold(way), Actor(_tidy(way))))
            )
        return sorted(found, key=lambda each: each.start)

    def other_than(self, actor: Actor) -> Actor | None:
        """The other party, where there are just two."""
        both = {each.name or each.term: each for each in self.names.values()}
        if len(both) != 2 or actor.term == EACH:
            return None
        rest = [each for each in both.values() if each != actor]
        return rest[0] if len(rest) == 1 else None

    def _is_lower(self, way: str) -> bool:
        """Whether the contract's own term is written small ("the company")."""
        return way.lower() in {role.lower() for role in _ROLES}


_MAY_FOLLOW = frozenset(
    [
        "shall",
        "will",
        "may",
        "must",
        "and",
        "or",
        "hereby",
        "agrees",
        "represents",
        "is",
        "has",
        "agree",
        "acknowledges",
        "covenants",
        "grants",
    ]
)


def actors_of(parties: Sequence[Party]) -> Actors:
    """The ways of naming each party: its defined term, its full name, and its name without the legal form."""
    names: dict[str, Actor] = {}
    for party in parties:
        terms = [t.strip(" .,\"“”'") for t in re.split(r"[\"“”]\s*(?:or|and)\s*[\"“”]|\bor\b", party.role)]
        terms = [re.sub(r"^(?:the|each a|a)\s+", "", t, flags=re.IGNORECASE) for t in terms if t.strip()]
        short = re.sub(
            r",?\s+(?:inc|incorporated|corp|corporation|ltd|limited|llc|l\.l\.c|plc|gmbh|ag|co|company|l\.?p|n\.?v|s\.?a|b\.?v)\.?$",
            "",
            party.name.strip(),
            flags=re.IGNORECASE,
        )
        actor = Actor(terms[0] if terms else short or party.name, party.name)
        for way in (*terms, party.name, short):
            if len(way) > 1:
                names.setdefault(_fold(way), actor)
    return Actors(names)


def _fold(text: str) -> str:
    return " ".join(text.lower().split())


def _tidy(text: str) -> str:
    return re.sub(r"^(?:The|Such)\b", lambda m: m[0].lower(), " ".join(text.split()))

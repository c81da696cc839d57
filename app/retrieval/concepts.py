"""What contracts and reports call the things people ask about.

A question uses a reader's words ("can they quit early?"), a clause or statement its own ("terminate upon
ninety days' notice"). The gain is in docs/retrieval.md.
"""

from __future__ import annotations

from longleaf.app.retrieval.concept import Concept, with_ways
from longleaf.app.retrieval.contract_concepts import CONTRACT_CONCEPTS
from longleaf.app.retrieval.report_concepts import REPORT_CONCEPTS
from longleaf.app.retrieval.ways_to_ask import CONTRACT_WAYS, REPORT_WAYS

CONCEPTS: tuple[Concept, ...] = (
    *with_ways(CONTRACT_CONCEPTS, CONTRACT_WAYS),
    *with_ways(REPORT_CONCEPTS, REPORT_WAYS),
)
CONTRACT_PLACES = range(len(CONTRACT_CONCEPTS))
REPORT_PLACES = range(len(CONTRACT_CONCEPTS), len(CONCEPTS))

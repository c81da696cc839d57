"""What contracts and reports call the things people ask about.

A question uses a reader's words ("can they quit early?"), a clause or statement its own ("terminate upon
ninety days' notice"). The gain is in docs/retrieval.md.
"""

from __future__ import annotations

from longleaf.app.retrieval.concept import Concept
from longleaf.app.retrieval.contract_concepts import CONTRACT_CONCEPTS
from longleaf.app.retrieval.report_concepts import REPORT_CONCEPTS

CONCEPTS: tuple[Concept, ...] = (*CONTRACT_CONCEPTS, *REPORT_CONCEPTS)
CONTRACT_PLACES = range(len(CONTRACT_CONCEPTS))
REPORT_PLACES = range(len(CONTRACT_CONCEPTS), len(CONCEPTS))

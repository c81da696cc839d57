"""What is answered over documents in a language whose questions are not understood."""

from __future__ import annotations

from collections.abc import Sequence

from longleaf.app.schema import Statement
from longleaf.app.text.language import NAMES, READ, document_languages
from longleaf.ingest.document import Document


def not_answered(documents: Sequence[Document]) -> Statement | None:
    """That it is not known whether they answer, if all documents are in other languages than English."""
    spoken = list(dict.fromkeys(document_languages(document).main for document in documents))
    if not spoken or "en" in spoken:
        return None
    unread = [NAMES[code] for code in spoken if code not in READ]
    if unread:
        why = f"Longleaf does not read {_listed(unread)}"
    else:
        why = f"in {_listed([NAMES[code] for code in spoken])} Longleaf reads only the key facts of contracts"
    return Statement(
        text=f"Not answered: {why}. The documents may say it all the same; passages that share words with "
        "the question are shown where there are any.",
        status="not_found",
        pages_searched=sorted({page.page_index for d in documents for page in d.pages if page.text.strip()}),
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

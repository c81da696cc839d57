"""Whether a statement follows from its source: what its words mean, not only which they are."""

from longleaf.app.proof.meaning.entails import Verdict, entails

__all__ = ["Verdict", "entails"]

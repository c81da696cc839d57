"""LangChain classes over the engine, the Library and the readers."""

from __future__ import annotations

from longleaf.app.langchain.chat import ChatLongleaf
from longleaf.app.langchain.embeddings import LongleafEmbeddings
from longleaf.app.langchain.loader import LongleafLoader
from longleaf.app.langchain.retriever import LongleafRetriever

__all__ = ["ChatLongleaf", "LongleafEmbeddings", "LongleafLoader", "LongleafRetriever"]

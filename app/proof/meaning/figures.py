"""The numbers and dates of a text, found once: the checks ask for them again and again."""

from __future__ import annotations

from functools import lru_cache

from longleaf.app.text import entities
from longleaf.app.text.entities import DateMention, NumberMention


@lru_cache(maxsize=1024)
def find_numbers(text: str) -> tuple[NumberMention, ...]:
    return tuple(entities.find_numbers(text))


@lru_cache(maxsize=1024)
def find_dates(text: str) -> tuple[DateMention, ...]:
    return tuple(entities.find_dates(text))

"""Dates, numbers, amounts, places and organisations, found in text by pattern and grammar.

Shared by the key facts, which choose among such mentions, and by verification, which compares them. Every
mention has `start`, `end` (characters of the text given, end exclusive) and `text`; what it means is
normalised, so that "16t h day of May, 2017" and "May 16, 2017" are the same date and "$5 million" and
"5,000,000 dollars" the same amount.
"""

from longleaf.app.text.entities.dates import DateMention, DateOrder, date_order, find_dates
from longleaf.app.text.entities.durations import DurationMention, find_durations
from longleaf.app.text.entities.names import NameMention, find_names, find_organisations
from longleaf.app.text.entities.numbers import NumberMention, find_amounts, find_numbers
from longleaf.app.text.entities.places import PlaceMention, find_places
from longleaf.app.text.entities.text import fold

__all__ = [
    "DateMention",
    "DateOrder",
    "DurationMention",
    "NameMention",
    "NumberMention",
    "PlaceMention",
    "date_order",
    "find_amounts",
    "find_dates",
    "find_durations",
    "find_names",
    "find_numbers",
    "find_organisations",
    "find_places",
    "fold",
]

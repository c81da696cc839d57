"""The words of dates in the languages read: a further language is a row of each table."""

from __future__ import annotations

import calendar

from longleaf.app.text.entities.text import words

MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
ENGLISH = (
    MONTHS | {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
)

# Twelve names a language, January first; of these a date has its day before the month.
_OTHERS = {
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "de-AT": "jänner feber märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
OTHERS = {name: number for names in _OTHERS.values() for number, name in enumerate(words(names), start=1)} | {
    "setiembre": 9,
    "fevrier": 2,
    "aout": 8,
    "decembre": 12,
    "marco": 3,
    "maerz": 3,
}

DAYS = {
    word: number
    for number, word in enumerate(
        words(
            """
            first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
            fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
            twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth
            twenty-ninth thirtieth thirty-first
            """
        ),
        start=1,
    )
}

# The first year of an era less one: Reiwa 7 is 2025.
ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911}

"""The words and signs of money: currencies, and what multiplies a number. Further languages add rows."""

from __future__ import annotations

import re
from decimal import Decimal

from longleaf.app.text.entities.text import words

# Codes that are no English words, before or after the number.
CODES = frozenset(
    words(
        """
        USD EUR GBP JPY CNY CHF CAD AUD NZD HKD SGD TWD KRW INR ILS SEK NOK DKK ISK PLN CZK HUF RON BGN TRY
        RUB UAH BRL MXN ARS CLP COP PEN ZAR NGN KES EGP AED SAR QAR KWD THB MYR IDR PHP VND PKR LKR BDT DEM
        FRF ITL ESP NLG ATS BEF
        """
    )
)
SIGNS = {
    "$": "USD",
    "us$": "USD",
    "u.s.$": "USD",
    "u.s. $": "USD",
    "us $": "USD",
    "usd$": "USD",
    "u.s. dollars": "USD",
    "c$": "CAD",
    "cdn$": "CAD",
    "can$": "CAD",
    "a$": "AUD",
    "au$": "AUD",
    "nz$": "NZD",
    "hk$": "HKD",
    "s$": "SGD",
    "nt$": "TWD",
    "r$": "BRL",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "￥": "JPY",
    "₹": "INR",
    "₩": "KRW",
    "₪": "ILS",
    "rs.": "INR",
    "rs": "INR",
    "rmb": "CNY",
    "rmb¥": "CNY",
    "人民币": "CNY",
    "sfr.": "CHF",
    "fr.": "CHF",
    "nis": "ILS",
    "kr.": "SEK",
    "kr": "SEK",
    "zł": "PLN",
    "dm": "DEM",
}
# Written after the number: "1,000 dollars", "2,5 Mio. Euro", "1,000万円".
AFTER = (
    (re.compile(r"(?:u\.?\s?s\.?|united states|american)\s+dollars?", re.IGNORECASE), "USD"),
    (re.compile(r"US\$|U\.S\.\s?\$"), "USD"),
    (re.compile(r"canadian\s+dollars?", re.IGNORECASE), "CAD"),
    (re.compile(r"australian\s+dollars?", re.IGNORECASE), "AUD"),
    (re.compile(r"hong\s+kong\s+dollars?", re.IGNORECASE), "HKD"),
    (re.compile(r"singapore\s+dollars?", re.IGNORECASE), "SGD"),
    (re.compile(r"dollars?\b", re.IGNORECASE), "USD"),
    (re.compile(r"euros?\b|€", re.IGNORECASE), "EUR"),
    (re.compile(r"pounds(?:\s+sterling)?\b|£", re.IGNORECASE), "GBP"),
    (re.compile(r"yen\b|日本円|円", re.IGNORECASE), "JPY"),
    (re.compile(r"(?:rmb|renminbi|yuan)\b|人民币|元", re.IGNORECASE), "CNY"),
    (re.compile(r"(?:swiss\s+)?francs\b|(?:Schweizer\s+)?Franken\b|s?Fr\.", re.IGNORECASE), "CHF"),
    (re.compile(r"(?:indian\s+)?rupees\b|₹", re.IGNORECASE), "INR"),
    (re.compile(r"swedish\s+(?:kronor|crowns)\b|kr\b|SEK\b"), "SEK"),
    (re.compile(r"reais\b", re.IGNORECASE), "BRL"),
    (re.compile(r"zł|złoty", re.IGNORECASE), "PLN"),
    (re.compile(r"\$"), "USD"),
)
SCALES = {
    "hundred": Decimal(100),
    "thousand": Decimal(1_000),
    "million": Decimal(1_000_000),
    "billion": Decimal(1_000_000_000),
    "trillion": Decimal(1_000_000_000_000),
}
# After digits only; a stop belongs to the abbreviation.
SCALE_WORDS = SCALES | {
    "tsd.": Decimal(1_000),
    "tausend": Decimal(1_000),
    "mille": Decimal(1_000),
    "mil": Decimal(1_000),
    "lakh": Decimal(100_000),
    "lakhs": Decimal(100_000),
    "lac": Decimal(100_000),
    "lacs": Decimal(100_000),
    "crore": Decimal(10_000_000),
    "crores": Decimal(10_000_000),
    "mio.": Decimal(1_000_000),
    "mio": Decimal(1_000_000),
    "mill.": Decimal(1_000_000),
    "mln": Decimal(1_000_000),
    "mln.": Decimal(1_000_000),
    "millions": Decimal(1_000_000),
    "millionen": Decimal(1_000_000),
    "millones": Decimal(1_000_000),
    "milioni": Decimal(1_000_000),
    "milhões": Decimal(1_000_000),
    "miljoen": Decimal(1_000_000),
    "mrd.": Decimal(1_000_000_000),
    "mrd": Decimal(1_000_000_000),
    "milliarden": Decimal(1_000_000_000),
    "milliard": Decimal(1_000_000_000),
    "milliards": Decimal(1_000_000_000),
    "miliardi": Decimal(1_000_000_000),
    "miljard": Decimal(1_000_000_000),
    "万": Decimal(10_000),
    "萬": Decimal(10_000),
    "億": Decimal(100_000_000),
    "亿": Decimal(100_000_000),
}
# One or two letters, where a currency stands beside the number: "$5M", "EUR 5 m".
SCALE_LETTERS = {
    "mm": Decimal(1_000_000),
    "m": Decimal(1_000_000),
    "mn": Decimal(1_000_000),
    "bn": Decimal(1_000_000_000),
    "b": Decimal(1_000_000_000),
    "k": Decimal(1_000),
}
# Where one point before three digits parts thousands ("EUR 250.000") rather than cents.
POINTS_GROUP = frozenset(
    words(
        "EUR CHF DKK NOK SEK ISK PLN CZK HUF RON TRY BRL ARS CLP COP IDR VND DEM FRF ITL ESP NLG ATS BEF RUB"
    )
)

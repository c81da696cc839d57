"""The words of questions on figures: what only frames them, and what makes them another matter."""

from __future__ import annotations

import re

STRAIGHT = str.maketrans("“”„‘’‚´`–—‐‑−", "\"\"\"'''''-----")
SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z\"(])")
NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "zero": 0,
    "no": 0,
}
STATEMENTS = (
    r"(?:the )?(?:consolidated )?(?:income statements?|statements? of (?:consolidated )?(?:income"
    r"|operations|earnings|cash ?flows?|financial (?:position|condition))"
    r"|balance sheets?|cash ?flow statements?|p ?& ?l(?: statements?)?|profit and loss statements?"
    r"|cash flows? statements?)"
)
ASIDE = re.compile(
    r"\b(?:here's the question|help us|financial metric|assum|analyst|banker|investor|perspective|resource"
    r"|information|details?|outlined|stated|shown"
    r"|provided|utiliz|relying|rely|based|base"
    r"|basing|according|accordance|agreement|using|use|drawing|conclusions?|judg|referring|reference"
    r"|look(?:ing)? at|within|primarily|answer)\w*",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"\b(?:what(?:'s)?|how|which|by how|does|do|did|is|are|was|were|has|have|can you|calculate|compute|give"
    r"|tell|provide|find|determine|we need|among)\b",
    re.IGNORECASE,
)
DEFINED = (
    re.compile(
        r"(?P<name>[^.?!;:()]{2,80}?)(?:\s*\([A-Za-z/& ]{2,10}\))? (?:is|are|can be|should be"
        r"|be)? ?(?:defined|calculated|computed|measured) (?:as|by)(?: follows)?:? (?P<formula>.+)",
        re.I,
    ),
    re.compile(
        r"\b(?:define|calculate|compute|where|take|let|treat)\s+(?P<name>[^.?!;:]{2,80}?)\s+(?:as|be|="
        r"|equals?|is|using)\s*:?\s*(?P<formula>.+)",
        re.I,
    ),
    re.compile(r"(?P<name>[A-Za-z][^.?!;:=()]{1,60}?)\s*(?:=|equals)\s*(?P<formula>.+)", re.I),
)
ANOTHER_MATTER = re.compile(
    r"\bwh(?:y|o|om|ose)\b|\bdr(?:ove|iv\w+)\b|\breasons?\b|\bexplain\b|\bexpect(?:s|ed|ing|ation)?\b"
    r"|\bguidance\b|\bforecast\w*|\boutlook\b|\bwill\b|\bplans?\b|\bplanned\b|\btarget\w*"
    r"|\bnext (?:year|quarter)\b|\banticipat\w+|\b(?<!un)adjusted\b|\bcore\b|\borganic\w*"
    r"|\bconstant[- ]currency\b|\bnon-gaap\b|\bcomparable\b|\bsame[- ]store\b"
    r"|\blike[- ]for[- ]like\b|\bexclud\w+|\bpro[- ]forma\b|\bgeograph\w+"
    r"|\bcustomers?\b|\bcomponents?\b|\bbreakdown\b|\bpolic(?:y|ies)\b|\bhow (?:is|are|does"
    r"|do) .{0,40}\b(?:valued|measured|recogni[sz]ed|calculated|determined|compare)"
    r"|\bbudget\w*|\bimpact\b|\beffects?\b|\bmaximum\b|\bminimum\b|\bcovenants?\b|\bpeers?\b|\bindustry\b"
    r"|\bcompetitors?\b|\bpercentage points?\b.*\braise",
    re.IGNORECASE,
)
ESCAPE = re.compile(
    r"\bif\b.{0,90}\b(?:not|n't|isn't|aren't)\b.{0,60}\b(?:useful|relevant|meaningful|applicable"
    r"|appropriate|metric|explicitly|managed)\b|\bif conventional\b",
    re.IGNORECASE,
)
UP = (
    r"improv\w*|increas\w*|grow\w*|grew|ris(?:e|en|ing)|rose|higher|better|expand\w*|accelerat\w*|up\b"
    r"|strengthen\w*|upward"
)
DOWN = (
    r"decreas\w*|declin\w*|fall(?:s|en|ing)?|fell|drop(?:s|ped)?|lower\w*|worse\w*|shr[iau]nk\w*"
    r"|deteriorat\w*|contract(?:ed|ing)|reduc\w+|down\b|weaken\w*|downward"
)
CHANGE = re.compile(
    rf"\b(?:year[- ]over[- ]year|yoy|y/y|y-o-y)\b|\b(?:(?:percent(?:age)?|%|rate of|total|annual|relative"
    rf"|dollar|absolute) )*(?:change[ds]?|changing|difference|{UP}|{DOWN})(?: rates?)?\b"
    rf"|\bdevelop(?:ed)?\b|\bevolved?\b|\btrend\b|\bmore\b.{{0,60}}\bthan\b|\bless\b.{{0,60}}\bthan\b",
    re.IGNORECASE,
)
YEAR = re.compile(
    r"\b(?:FYE?|fiscal(?: years?)?|calendar years?|CY|years?)?\s*['’]?((?:19|20)\d\d)\b(?!-)"
    r"|\bFY\s*['’]?(\d\d)\b",
    re.IGNORECASE,
)
RANGE = re.compile(
    r"((?:19|20)\d\d)\s*(?:-|to|through|until)\s*(?:FY\s*|fiscal )?((?:19|20)\d\d)", re.IGNORECASE
)
QUARTER = re.compile(
    r"\bQ([1-4])\b|\b([1-4])Q\b|\b(first|second|third|fourth)[- ](?:fiscal )?quarter\b|(?<=\d)Q([1-4])\b",
    re.IGNORECASE,
)
LENGTH = (
    (3, r"\bquarter(?:ly)?\b|\bthree months\b|\bin the quarter\b"),
    (6, r"\bsix months\b|\bhalf[- ]year\b|\bfirst half\b"),
    (9, r"\bnine months\b"),
    (12, r"\bfull[- ]year\b|\btwelve months\b|\bannual(?:ly)?\b|\bfor the year\b"),
)
FILLER = re.compile(
    r"(?:year-ends?|shown|stated|given|listed|presented|disclosed|incur(?:red)?|develop(?:ed)?|what|what's"
    r"|how|much|many|quantity|directly|explicitly"
    r"|outlined|which|is|was|were|are|did|does|do"
    r"|has|have|had|the|an?|of|for|in|at|as|on|by|its?|their|they|it|we|our|company|firm|business"
    r"|group|corporation|inc|co|plc|ltd|corp|fiscal|calendar|fy|cy|years?|year-end|end(?:ed|ing)?|close"
    r"|during|over the|reported?|report|amount(?:ed)?|value|figures?|numbers?|total|overall|levels?|you"
    r"|calculate|compute|give|tell|me|us|please|find|show|state|determine|provide|to|from|than|that|this"
    r"|these|those|be|been|being|there|then|whole|full|latest|most recent|recent|last|previous|prior"
    r"|current(?= (?:year|quarter|period))"
    r"|ratios?|unadjusted|gaap|usd|u\.?s\.?(?= dollars)|dollars?|dollar terms|millions?|billions?"
    r"|thousands?|percent(?:s|age)?|points?|terms|units|approximately|roughly|about|around|exactly"
    r"|earn(?:ed|s)?|ma[dk]e|generated?s?|spen[dt]|pa(?:y|id)|book(?:ed)?|record(?:ed)?|post(?:ed)?|h[eo]ld"
    r"|own(?:ed)?|owed?|carr(?:y|ied)|br(?:ing|ought)(?: in)?|stand|stood|equal|outstanding"
    r"|historically|historical|basis|based|data|profile|metric|measure|consolidated|gross(?= (?:amount))"
    r"|year-over-year|yoy|quarters?|months?|three|six|nine|twelve|first|second|third|fourth|half|q[1-4]"
    r"|period|between|versus|vs|compared?|with"
    r"|and then|far|big|large|high|low|fast|quickly|per cent|own|come|came|respective|same|both|balance"
    r"|when|if|so|out|rounded|any|'s|s|also|now|just|really|has its|each|annual|annually|all|annum"
    r"|per(?= annum)|year(?:'s)?|statement|sheet|income statement|financial)(?![\w])|[,;:'\"?.!%$]|-(?!\S)",
    re.IGNORECASE,
)

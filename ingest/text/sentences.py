"""Where sentences end in legal and financial prose."""

from __future__ import annotations

import re


def words(listed: str) -> frozenset[str]:
    """A set of words written as one string."""
    return frozenset(listed.split())


_CANDIDATE = re.compile(r"[.!?]+[\"”’')\]]*(\s+)(?=[\"“‘'(\[]*[A-Z0-9$€£•§])")
_LAST_TOKEN = re.compile(r"(\S+)$")

# Never end a sentence before a capital or digit.
_TITLES = words("mr mrs ms dr messrs prof hon st rev gen sen rep gov capt lt col sgt")
_REFERENCES = words(
    "no nos sec secs sect art arts para paras par pt cl ch fig figs ex exh app sched vol p pp ed cf "
    "see e.g i.e viz vs v art subsec rul reg regs stat r rel approx ca est tel ext attn c.f nr nrs num "
    "abs ziff lit bzw z.b d.h u.a ggf inkl zzgl max min núm abb anl aufl bd"
)
# Stand before or after a sum, and end a sentence only where one begins behind them.
_SUMS = words("rs re mio mrd mill mln tsd kr fr sfr dm usd eur chf gbp inr ca approx p.a cts fl kč zł lfd")
# End a sentence only if what follows looks like the start of one.
_EITHER = words(
    "inc corp co cos ltd llc l.l.c l.p lp llp l.l.p plc n.a n.v b.v s.a s.p.a s.r.l a.g u.s u.k u.s.a "
    "e.u d.c n.y ph.d m.d jr sr esq bros assn dept div dist etc al a.m p.m int'l nat'l mfg jan feb "
    "mar apr jun jul aug sep sept oct nov dec ave blvd rd ste u.s.c c.f.r gmbh pty"
)
_STARTERS = words(
    "the a an this that these those in on at by for from if upon when where while as all any each "
    "every no neither such it its he she they we our you your there to with without subject "
    "notwithstanding except provided unless until after before during under pursuant however further "
    "furthermore accordingly nothing both either licensee licensor buyer seller supplier company "
    "customer"
)


def sentence_ends(text: str) -> list[int]:
    """Offsets after the last character of each sentence but the last, spaces left to the next one."""
    ends = []
    begin = 0
    for match in _CANDIDATE.finditer(text):
        if _is_end(text, begin, match):
            ends.append(match.start(1))
            begin = match.end(1)
    return ends


def _is_end(text: str, begin: int, match: re.Match[str]) -> bool:
    if match[0][0] != ".":
        return True
    before = _LAST_TOKEN.search(text, begin, match.start())
    if before is None:
        return False
    token = before[1].lstrip("\"“‘'([").lower()
    after = text[match.end() :]
    if not token:
        return True
    if token in _SUMS and not _starts_sentence(after, strict=True):
        return False
    if token in _TITLES or (token in _REFERENCES and not _starts_sentence(after, strict=True)):
        return False
    if token in _EITHER or re.fullmatch(r"(?:[a-z]\.)+[a-z]", token):
        return _starts_sentence(after, strict=True)
    if re.fullmatch(r"[a-z]", token) and before[1].isupper():
        return False  # an initial, or a marker: "J. Smith", "A. Term"
    # The number of the clause itself, at its beginning: "2.1. Term", "Section 5. Fees", "ITEM 7. Title"
    if re.fullmatch(r"\(?[\divxlc]+(?:\.[\da-z]+)*", token):
        return not re.fullmatch(r"(?:[A-Za-z]+\s+)?\S+", text[begin : match.start()])
    return True


def _starts_sentence(after: str, *, strict: bool) -> bool:
    word = re.match(r"[\"“‘'(\[]*([A-Za-z]+)", after)
    if word is None:
        return False
    return word[1].lower() in _STARTERS if strict else True

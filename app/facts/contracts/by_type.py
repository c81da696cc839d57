"""The facts that matter for one sort of document: what an amendment changes, a lease lets, a loan costs."""

from __future__ import annotations

from collections.abc import Iterator

from longleaf.app.facts.contracts.amendments import changes
from longleaf.app.facts.contracts.clause import (
    DURATION,
    PRINTED_MONEY,
    Clause,
    choose,
    heading,
    rank_clause,
    rules,
)
from longleaf.app.facts.document_text import Passages
from longleaf.app.facts.finding import Finding
from longleaf.app.facts.quoting import plain_quote, quoted
from longleaf.app.text.entities import find_amounts, find_dates, find_durations, find_numbers

_RENT = Clause(
    "rent",
    "Rent",
    "base rent, monthly rent payable by the tenant",
    heading(r"\brent\b"),
    rules(
        (2.0, r"\b(?:base|basic|annual|monthly|minimum|fixed)?\s*rent(?:al)?s?\b"),
        (
            2.0,
            r"\b(?:shall|will|agrees?\s+to|covenants\s+to)\s+pay\b|\bpayable\b|\brent\b[^.;]{0,30}\b(?:is|shall\s+be)\b",
        ),
        (2.0, PRINTED_MONEY),
        (0.5, r"\bper\s+(?:month|annum|year|square)|\bmonthly\b|\bannual"),
        (-2.0, r"\b(?:late|default|holdover|abate\w*|tax(?:es)?|insurance)\b"),
    ),
    4.5,
)
_PREMISES = Clause(
    "premises",
    "Premises",
    "the premises let, their address and size",
    heading(r"\bpremises\b|\bdemise\b"),
    rules(
        (
            3.0,
            r"\b(?:leases?|lets?|demises?|rents?|sublets?|subleases?)\b[^.;]{0,120}\b(?:to|from|unto)\b[^.;]{0,160}\b(?:premises|"
            r"space|building|property|land|suite|floor|unit|square)\b|\"(?:the\s+)?(?:leased\s+|demised\s+)?premises\"",
        ),
        (1.5, r"\b(?:located|situated?|known\s+as|square\s+feet|consisting)\b"),
        (-2.0, r"\b(?:insurance|damage|repair|sublet\s+without|assign)\b"),
    ),
    4.0,
    most=1,
)
_DEPOSIT = Clause(
    "security_deposit",
    "Security deposit",
    "security deposit paid by the tenant",
    heading(r"\bdeposit\b"),
    rules((2.5, r"\bsecurity\s+deposit\b|\bdeposit(?:ed|s)?\b[^.;]{0,60}\bsecurity\b"), (2.0, PRINTED_MONEY)),
    4.0,
    most=1,
)
_PRINCIPAL = Clause(
    "principal",
    "Principal",
    "principal amount of the loan, commitment of the lender",
    heading(r"\bloan\b|\bprincipal\b|\bcommitment\b|\badvances?\b"),
    rules(
        (
            2.5,
            r"\bprincipal\s+(?:amount|sum)\b|\b(?:loan|advance|facility|commitment)s?\b[^.;]{0,80}\b(?:of|amount)\b",
        ),
        (2.0, PRINTED_MONEY),
        (
            1.0,
            r"\b(?:lend|advance|borrow|promises?\s+to\s+pay|make\s+(?:a|the)\s+(?:\w+\s+)?loan|make\s+available)\b",
        ),
        (-2.0, r"\b(?:minimum|multiples?\s+of|prepay\w*|insurance|default)\b"),
    ),
    4.5,
    most=1,
)
_INTEREST = Clause(
    "interest_rate",
    "Interest rate",
    "rate of interest on the loan",
    heading(r"\binterest\b"),
    rules(
        (
            2.0,
            r"\b(?:bear|accrue)s?\b[^.;]{0,40}\binterest\b|\binterest\b[^.;]{0,80}\b(?:rate|accrue)|\brate\s+of\s+interest\b",
        ),
        (
            2.5,
            r"\d\s*%|\bper\s?cent\b|\bpercent\b|\bLIBOR\b|\bSOFR\b|\bprime\s+rate\b|\bEURIBOR\b|\bbase\s+rate\b",
        ),
        (-2.0, r"\b(?:default\s+rate|overdue|late|maximum|highest|usur\w+)\b"),
    ),
    4.5,
    most=1,
)
_MATURITY = Clause(
    "maturity",
    "Maturity",
    "maturity date, when the loan is to be repaid",
    heading(r"\bmaturity\b|\brepayment\b"),
    rules(
        (
            3.0,
            r"\bmaturity(?:\s+date)?\b|\b(?:due\s+and\s+payable|repaid|repay|pay)\b[^.;]{0,60}\b(?:in\s+full|on|by)\b",
        ),
        (1.5, r"\b(?:19|20)\d\d\b|\banniversary\b|" + DURATION),
        (-2.0, r"\b(?:default|accelerat\w+|prepay\w*)\b"),
    ),
    4.0,
    most=1,
)
_CONFIDENTIAL = Clause(
    "confidentiality_period",
    "How long it stays confidential",
    "how long the duty of confidentiality lasts",
    heading(r"\bterm\b|\bduration\b|\bconfidential|\bsurviv"),
    rules(
        (
            2.0,
            r"\b(?:confidential\w*|obligations?|duties|non-?disclosure|restrictions?)\b[^.;]{0,160}\b(?:surviv\w+|continue\w*|"
            r"remain\w*|last\w*|expire\w*|for\s+a\s+period|until)\b",
        ),
        (2.0, DURATION + r"|\bindefinite\w*\b|\bperpetual\w*\b|\btrade\s+secret"),
        (-2.0, r"\bnotice\b|\breturn\b|\bdestroy\b"),
    ),
    4.0,
)
_PURPOSE = Clause(
    "purpose",
    "Purpose of the disclosure",
    "the purpose for which confidential information may be used",
    heading(r"\bpurpose\b|\buse\b"),
    rules(
        (
            3.0,
            r"\b(?:solely|only|exclusively)\s+(?:for|in\s+connection\s+with|to)\b|\"(?:the\s+)?(?:permitted\s+)?purpose\"",
        ),
        (1.5, r"\bconfidential\s+information\b|\bdisclos\w+\b|\bevaluat\w+\b|\bpurpose\b"),
    ),
    4.5,
    most=1,
)
_LICENSE = Clause(
    "license_grant",
    "License granted",
    "grant of license, what may be used, where and by whom",
    heading(r"\bgrant\b|\blicen[cs]e\b"),
    rules(
        (3.0, r"\b(?:hereby\s+)?grants?\b[^.;]{0,160}\blicen[cs]e\b|\blicen[cs]es\s+to\b"),
        (1.0, r"\bto\s+(?:use|make|sell|distribute|reproduce|manufacture|practice|market|copy)\b"),
        (0.5, r"\b(?:exclusive|non-exclusive|territory|worldwide|royalty|perpetual|irrevocable)\b"),
        (-2.5, r"\b(?:no\s+(?:other\s+)?licen[cs]e|nothing|not\s+grant)\b"),
    ),
    4.0,
)
_ROYALTY = Clause(
    "royalty",
    "Royalties",
    "royalty rate, license fees",
    heading(r"\broyalt|\bfees?\b"),
    rules(
        (2.0, r"\broyalt(?:y|ies)\b|\blicen[cs]e\s+fees?\b"),
        (2.0, r"\d\s*%|\bpercent\b|" + PRINTED_MONEY),
        (1.0, r"\b(?:shall|will)\s+pay\b|\bpayable\b"),
        (-1.5, r"\b(?:audit|late|interest|records?)\b"),
    ),
    4.0,
)
_RELEASED = Clause(
    "released_claims",
    "Released claims",
    "who releases whom from which claims",
    heading(r"\brelease\b"),
    rules(
        (
            3.5,
            r"\b(?:release[sd]?|discharges?|acquits?)\b[^.;]{0,240}\b(?:from|of)\b[^.;]{0,120}\b(?:claims?|liabilit\w+|causes?\s+of\s+"
            r"action|demands?|actions?)\b",
        ),
        (0.5, r"\bforever\b|\bknown\s+or\s+unknown\b|\bhereby\b"),
        (-2.0, r"\b(?:not\s+release|does\s+not|press\s+release|excluded)\b"),
    ),
    3.5,
)
_SETTLEMENT = Clause(
    "settlement_amount",
    "Paid for the release",
    "settlement payment, severance",
    heading(r"\bpayment\b|\bconsideration\b|\bseverance\b"),
    rules(
        (
            2.0,
            r"\b(?:shall|will|agrees?\s+to)\s+pay\b|\bpayment\s+of\b|\bseverance\b|\bsettlement\s+(?:amount|sum|payment)\b",
        ),
        (2.5, PRINTED_MONEY),
    ),
    4.0,
    most=1,
)
_POWERS = Clause(
    "powers",
    "Powers granted",
    "attorney-in-fact is appointed, with power to sign and act",
    heading(r"\bpowers?\b|\bappoint"),
    rules(
        (
            3.0,
            r"\b(?:constitutes?|appoints?|designates?)\b[^.;]{0,240}\b(?:attorney|agent)s?(?:-|\s)?(?:in-?\s?fact|in\s+fact)?\b",
        ),
        (1.0, r"\bpower\b|\bauthority\b|\bto\s+(?:sign|execute|act|file)\b"),
    ),
    3.5,
)
_WORK = Clause(
    "work",
    "Work and deliverables",
    "services and deliverables under the statement of work",
    heading(r"\bscope\b|\bservices\b|\bdeliverables\b|\bwork\b"),
    rules(
        (
            2.5,
            r"\b(?:shall|will)\s+(?:provide|perform|deliver|develop|complete|prepare|supply)\b|\bdeliverables?\b[^.;]{0,40}\b(?:are|is|"
            r"include)\b",
        ),
        (1.5, r"\bservices\b|\bdeliverables?\b|\bwork\b|\bscope\b"),
        (-2.0, r"\b(?:insurance|invoice|confidential|warrant\w*)\b"),
    ),
    4.0,
)
_MASTER = Clause(
    "master_agreement",
    "Made under",
    "the agreement that this paper belongs to or changes",
    heading(r"\brecitals\b|\bbackground\b"),
    rules(
        (
            3.0,
            r"\b(?:amend(?:s|ed|ment)?|pursuant\s+to|under|supplements?|incorporated|subject\s+to|governed\s+by|parties\s+to|entered"
            r"\s+into)\b[^.;]{0,160}\b(?:agreement|lease|contract|note)\b[^.;]{0,60}\b(?:dated|made|effective|entered)\b",
        ),
        (
            1.5,
            r"\bamend(?:s|ment|ed)?\b|\bstatement\s+of\s+work\b|\bmaster\b|\"(?:the\s+)?(?:original\s+|existing\s+|master\s+)?"
            r"(?:agreement|lease)\"",
        ),
    ),
    4.0,
    most=1,
)
_MEETING = Clause(
    "meeting",
    "Meeting",
    "date, time and place of the annual meeting",
    heading(r"\bmeeting\b|\bnotice\b"),
    rules(
        (
            2.5,
            r"\b(?:annual|special)\s+meeting\b[^.;]{0,200}\b(?:will\s+be|to\s+be|is|shall\s+be)\s+(?:held|convened)\b|\bmeeting\b"
            r"[^.;]{0,80}\bheld\s+on\b",
        ),
        (
            2.0,
            r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d",
        ),
    ),
    4.0,
    most=1,
)
_RECORD = Clause(
    "record_date",
    "Record date",
    "record date, holders of record entitled to vote",
    heading(r"\brecord\s+date\b|\bvoting\b"),
    rules(
        (
            3.0,
            r"\brecord\s+date\b|\b(?:holders|stockholders|shareholders)\s+of\s+record\b[^.;]{0,80}\b(?:on|as\s+of)\b",
        ),
        (
            1.5,
            r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d",
        ),
    ),
    4.0,
    most=1,
)
_PROPOSALS = Clause(
    "proposals",
    "What is voted on",
    "proposals to elect directors, ratify the auditor, approve",
    heading(r"\bproposals?\b|\bitems?\s+of\s+business\b|\bagenda\b"),
    rules(
        (
            2.5,
            r"\b(?:to\s+)?(?:elect(?:ion)?|ratif\w+|approv\w+)\b[^.;]{0,120}\b(?:directors?|accounting\s+firm|auditors?|compensation|plan|"
            r"amendment|advisory|merger)\b",
        ),
        (1.5, r"\bproposal\b|\bvote\b|\bto\s+consider\b|\bpurposes\b"),
    ),
    4.0,
    most=3,
)
OF_TYPE: dict[str, tuple[Clause, ...]] = {
    "amendment": (_MASTER,),
    "statement of work": (_MASTER, _WORK),
    "non-disclosure agreement": (_PURPOSE, _CONFIDENTIAL),
    "lease": (_PREMISES, _RENT, _DEPOSIT),
    "loan": (_PRINCIPAL, _INTEREST, _MATURITY),
    "license": (_LICENSE, _ROYALTY),
    "release": (_RELEASED, _SETTLEMENT),
    "power of attorney": (_POWERS,),
    "proxy statement": (_MEETING, _RECORD, _PROPOSALS),
}
CHANGES = "changes"


def titles(sort: str) -> dict[str, str]:
    found = {clause.name: clause.title for clause in OF_TYPE.get(sort, ())}
    return {CHANGES: "Changes", **found} if sort == "amendment" else found


def find_typed_facts(passages: Passages, sort: str) -> Iterator[tuple[str, Finding | None]]:
    if sort == "amendment":
        yield CHANGES, _changes(passages)
    for clause in OF_TYPE.get(sort, ()):
        finding = quoted(passages, clause, choose(clause, rank_clause(clause, passages)))
        yield clause.name, _with_values(finding) if finding else None


def _changes(passages: Passages) -> Finding | None:
    found = changes(passages)
    if not found:
        return None
    ranges = tuple((change.start, change.end) for change in found)
    values = dict.fromkeys(change.new for change in found if change.old and change.new)
    text = " … ".join(plain_quote(passages, *span) for span in ranges)
    return Finding(CHANGES, "Changes", text, ranges, tuple(values))


def _with_values(finding: Finding) -> Finding:
    text = finding.text
    found: list[str] = []
    if finding.name in ("rent", "security_deposit", "principal", "settlement_amount"):
        found = [m.text for m in find_amounts(text)]
    elif finding.name in ("interest_rate", "royalty"):
        found = [m.text for m in find_numbers(text, spelled=False) if m.unit == "%"]
    elif finding.name in ("maturity", "meeting", "record_date"):
        found = [m.iso for m in find_dates(text, "") if m.complete and m.iso]
    elif finding.name == "confidentiality_period":
        found = [m.text for m in find_durations(text)]
    return Finding(
        finding.name,
        finding.title,
        text,
        finding.ranges,
        tuple(dict.fromkeys(" ".join(v.split()) for v in found)),
    )

"""The clauses a contract's key facts stand in: what marks each, and the sentences that carry the marks.

Every clause has rules: patterns with weights, matched on a sentence with its white space folded. Weights add
up, the heading above and the place among the retrieved chunks add to them, and a sentence below the
threshold is not the clause. So "exclusive" in "non-exclusive" or "exclusive remedy" does not make a contract
exclusive, and a contract without the clause is said to have none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from longleaf.app.facts.document_text import Passages, Sentence


@dataclass(frozen=True, slots=True)
class Clause:
    name: str
    title: str
    query: str  # what is asked of the retriever, and of the model
    heading: re.Pattern[str]
    rules: tuple[tuple[float, re.Pattern[str]], ...]
    threshold: float
    heading_weight: float = 1.5
    most: int = 2  # sentences quoted


@dataclass(frozen=True, slots=True)
class ClauseCandidate:
    sentence: Sentence
    score: float


def rules(*pairs: tuple[float, str]) -> tuple[tuple[float, re.Pattern[str]], ...]:
    return tuple((weight, re.compile(pattern, re.IGNORECASE)) for weight, pattern in pairs)


def heading(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_NUMBER = (
    r"(?:\w+(?:[\s-]\w+){0,3}\s*\(\s*\d+\s*\)|\d+|one|two|three|four|five|six|seven|eight|nine|"
    r"ten|twelve|fifteen|twenty|thirty|sixty|ninety|\[[*\s]+\])"
)
_DURATION = (
    rf"\b{_NUMBER}[\s-]*(?:\(?s?\)?\s*)?(?:calendar\s+|consecutive\s+|additional\s+|business\s+|"
    rf"full\s+)?[\s-]?(?:year|month|day|week)(?:s|\(s\))?\b"
)
_AGREEMENT = (
    r"(?:this|the|such)\s+(?:\w+[\s-]+){0,4}?(?:agreement|contract|venture|lease|license|"
    r"amendment|arrangement|engagement)\b"
)
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"

TERM = Clause(
    "term",
    "Term",
    "term and duration of the agreement, when it begins and how long it continues in effect",
    heading(r"\b(?:term|duration|period)\b(?!s)"),
    rules(
        (
            2.0,
            rf"\b(?:initial\s+)?(?:term|duration|period)\s+of\s+(?:{_AGREEMENT}|the\s+parties|employment|"
            rf"engagement|\w+'s\s+engagement)",
        ),
        (
            2.0,
            r"\b(?:initial\s+)?(?:term|period)\b[^.;]{0,70}\b(?:shall|will)\s+(?:commence|begin|start|"
            r"continue|be|extend|end|expire|run|last|remain)\b",
        ),
        (
            1.5,
            rf"\b{_AGREEMENT}[^.;]{{0,110}}\b(?:commence|begin|continue|remain|effective|"
            rf"in\s+(?:full\s+)?(?:force|effect)|expire|term\s+of)",
        ),
        (
            1.5,
            r"\b(?:continue|remain)s?\s+(?:to\s+be\s+)?in\s+(?:full\s+)?(?:force|effect|operation)\b|"
            r"\bcontinues?\s+(?:thereafter|for|until|through|indefinitely)\b",
        ),
        (1.0, _DURATION),
        (
            1.5,
            rf"\b(?:until|through|expires?\s+on|ends?\s+on|terminates?\s+on|ending\s+on|"
            rf"expiring\s+on)\s+(?:and\s+including\s+)?(?:the\s+)?(?:\d|{_MONTH}|_)",
        ),
        (2.0, r"\(?\s*(?:the|collectively,?\s+the)?\s*\"(?:initial\s+)?term\"?\s*\)?"),
        (1.5, r"\binitial\s+(?:\w+\s+){0,2}(?:term|period)\b"),
        (1.5, rf"\bterm\b[^.;]{{0,50}}\b(?:is|of|for)\b[^.;]{{0,30}}{_DURATION}"),
        (
            1.5,
            rf"\b{_AGREEMENT}[^.;]{{0,30}}\b(?:shall|will)\s+(?:expire|terminate|end)\b(?!\s+upon\s+notice)",
        ),
        (
            1.0,
            r"\bunless\s+(?:it\s+is\s+)?(?:sooner|earlier|otherwise|previously)\s+terminated|"
            r"\bunless\s+terminated|\bearlier\s+terminated\b",
        ),
        (
            1.5,
            r"\bindefinite(?:ly)?\b|\bperpetual(?:ly)?\b|\buntil\s+terminated\b|"
            r"\bautomatically\s+terminate\b",
        ),
        (
            -1.5,
            r"\b(?:payment|invoice|warrant(?:y|ies)|confidential|royalt(?:y|ies)|insurance|survive|"
            r"restrictive|indemni\w+|non-?compet\w+)\b",
        ),
        (-1.5, r"\b(?:breach|default|cure|bankrupt\w*|insolven\w*)\b"),
        (-2.0, r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:means?|has|have)\b"),
        (-1.5, r"\bduring\s+the\s+term\s+of\s+this\b"),
    ),
    3.5,
)

RENEWAL = Clause(
    "renewal",
    "Renewal",
    "renewal or extension of the term, automatic renewal for successive periods",
    heading(r"\brenew(?:al|als|ed)?\b|\bextension\b"),
    rules(
        (
            3.0,
            r"\bautomatically\s+(?:be\s+)?(?:renew|extend)(?:ed|s)?\b|\b(?:renew|extend)(?:ed|"
            r"s)?\s+automatically\b",
        ),
        (
            2.0,
            r"\b(?:renew(?:ed|s|able)?|renewal|extend(?:ed|s)?|extension)\b[^.;]{0,80}\b(?:successive|"
            r"additional|further|consecutive|subsequent|another|like)\b",
        ),
        (1.5, rf"\b(?:renew(?:ed|s|able)?|extend(?:ed|s)?)\b[^.;]{{0,100}}{_DURATION}"),
        (1.5, r"\brenewal\s+(?:term|period)s?\b"),
        (2.5, r"\b(?:option|right|entitled)\s+to\s+(?:renew|extend)\b|\b(?:renewal|extension)\s+option\b"),
        (
            2.0,
            r"\b(?:may|shall|will|can)\s+(?:also\s+|only\s+|mutually\s+|be\s+)*(?:renew|extend)(?:ed)?\b|"
            r"\brenewable\b",
        ),
        (
            2.0,
            rf"\b(?:renew|extend)(?:ed|ing|s)?\s+(?:the\s+(?:initial\s+)?term|{_AGREEMENT})|"
            rf"\b(?:{_AGREEMENT}|(?:initial\s+)?term)[^.;]{{0,60}}\b(?:renew|extend)(?:ed|s)?\b",
        ),
        (0.5, _DURATION),
        (
            -3.0,
            r"\b(?:renewal|extension)s?\s+of\s+(?:\w+\s+){0,3}(?:patents?|licen[cs]es?|permits?|insurance|"
            r"lease|registrations?|copyrights?|trademarks?|polic(?:y|ies)|note|loan)\b",
        ),
        (
            -2.5,
            r"\b(?:extend(?:ed|s)?|renew(?:ed)?)\s+(?:credit|the\s+(?:time|deadline|closing|delivery|cure|"
            r"warranty)|to\s+(?:any|the|all))\b|\bextent\b[^.;]{0,20}\bextend",
        ),
        (-2.0, r"\b(?:force\s+majeure|reissue|divisional|continuation|statute\s+of\s+limitations)\b"),
        (
            -1.5,
            r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:means?|has|have)\b|"
            r"\bno\s+(?:right\s+(?:of|to)\s+)?renew",
        ),
        (-1.5, r"\bunless\s+(?:\w+\s+)?(?:extended|renewed)\b|\bunanimous\b"),
    ),
    4.0,
)

NOTICE = Clause(
    "notice",
    "Notice to end renewal",
    "notice of non-renewal, how many days before the end of the term a party must give notice not to renew",
    heading(r"\brenew(?:al|als)?\b|\bterm\b"),
    rules(
        (1.5, r"\brenew(?:al|ed|s)?\b|\bextend(?:ed|s)?\b|\bextension\b"),
        (1.0, r"\bnotice\b|\bnotif(?:y|ies|ied|ication)\b"),
        (
            2.5,
            r"\b(?:not\s+(?:to\s+)?(?:renew|extend|continue)|non-?\s?renewal|nonrenewal|"
            r"not\s+be\s+(?:renewed|extended)|elect(?:s|ion)?\s+not|"
            r"intent(?:ion)?\s+(?:not\s+)?to\s+(?:terminate|renew|allow))\b",
        ),
        (
            1.5,
            r"\bunless\s+(?:either|one|any|the|a|such|written|terminated|\w+)\b[^.;]{0,60}\b(?:notice|notif)",
        ),
        (
            1.5,
            rf"{_DURATION}[^.;]{{0,40}}\b(?:prior|before|in\s+advance|preceding|advance)\b|"
            rf"\bprior\s+(?:written\s+)?notice\b",
        ),
        (
            1.0,
            r"\b(?:end|expir(?:ation|y)|beginning|commencement|anniversary|"
            r"conclusion)\s+(?:date\s+)?(?:of\s+)?(?:the|each|any|such|its|then|date)\b",
        ),
        (-2.0, r"\b(?:breach|default|cure|bankrupt\w*|insolven\w*|patent|insurance)\b"),
    ),
    6.0,
    heading_weight=0.5,
    most=1,
)

CONVENIENCE = Clause(
    "termination_for_convenience",
    "Termination for convenience",
    "termination without cause, for convenience, at any time upon written notice",
    heading(r"\bterminat(?:ion|e|ing)\b|\bwithout\s+(?:good\s+)?(?:cause|reason)\b|\bconvenience\b"),
    rules(
        (
            2.0,
            r"\b(?:may|shall\s+have\s+the\s+right|has\s+the\s+right|have\s+the\s+right|entitled|option|"
            r"right|discretion|can)\b[^.;]{0,70}\bterminat(?:e|ed|ing|ion)\b|"
            r"\b(?:is|be)\s+(?:terminable|terminated)\b[^.;]{0,60}\bby\s+(?:either|any|the|a|\w+)\b|"
            r"\bterminable\b",
        ),
        (
            2.5,
            r"\bfor\s+(?:(?:its|their|his|her|the)\s+)?(?:own\s+)?convenience\b|"
            r"\bwithout\s+(?:any\s+)?cause\b|\bterminat\w*\b[^.;]{0,90}\bfor\s+any\s+(?:or\s+no\s+)"
            r"?reason\b|\bwith\s+or\s+without\s+(?:cause|reason)\b|\bfor\s+no\s+reason\b|"
            r"\bwithout\s+(?:having\s+to\s+)?(?:stat|giv|show|assign)\w+\s+(?:any\s+)?(?:reason|cause)\b",
        ),
        (
            1.5,
            r"\bat\s+any\s+time\b|\bat\s+(?:its|their|his|the)\s+(?:sole\s+|own\s+|"
            r"absolute\s+)*(?:discretion|option|election)\b|\bvoluntarily\b|"
            r"\bwithout\s+(?:the\s+payment\s+of\s+any\s+)?penalty\b",
        ),
        (
            1.5,
            rf"(?:{_DURATION}|\bday's?\b)['s]*[^.;]{{0,50}}\b(?:notice|notification)\b|"
            rf"\bnotice\b[^.;]{{0,80}}{_DURATION}",
        ),
        (0.5, r"\beither\s+party\b"),
        (0.5, _AGREEMENT),
        (
            -3.0,
            r"\b(?:material(?:ly)?\s+)?breach(?:es|ed)?\b|\bdefault(?:s|ed)?\b|\bfails?\b|\bfailure\b|"
            r"\binsolven\w*|\bbankrupt\w*|\bcure[ds]?\b|\bforce\s+majeure\b|\bviolat\w+|\bmisconduct\b|"
            r"\bfor\s+cause\b",
        ),
        (
            -2.5,
            r"\b(?:in\s+the\s+event|if\s+(?!any\b|either\s+party\s+wishes)|provided\s+that\s+(?:the|such)|"
            r"upon\s+the\s+occurrence|in\s+case)\b",
        ),
        (
            -3.0,
            r"\b(?:following|upon|after|if|on|(?<!notice )of)\s+(?:the\s+|such\s+|"
            r"any\s+)?(?:expir\w+\s+or\s+)?(?:earlier\s+)?termination\b",
        ),
        (-2.0, r"\bmutual(?:ly)?\s+(?:written\s+)?(?:consent|agree\w*)\b|\bchange\s+(?:of|in)\s+control\b"),
        (-1.5, r"\b(?:renew(?:al)?|non-renewal)\b"),
        (
            -1.5,
            r"\bsurviv\w+\b|\brequired\s+by\s+law\b|\bregulatory\b|\bdeath\b|\bdisab\w+\b|"
            r"\b(?:statement\s+of\s+work|purchase\s+order|task\s+order)\b",
        ),
        (-1.0, r"\bunless\s+(?:sooner|earlier|it\s+is)?\s*terminated\b"),
    ),
    4.0,
)

TERMINATION = Clause(
    "termination",
    "Termination",
    "termination of the agreement by a party, for breach, default, insolvency, with notice",
    heading(r"\bterminat(?:ion|e|ing)\b|\bdefault\b"),
    rules(
        (
            2.5,
            r"\b(?:may|right|entitled|option|shall)\b[^.;]{0,80}\bterminat(?:e|ed)\b|\b(?:may|shall|"
            r"can)\s+be\s+terminated\b|\bterminable\b",
        ),
        (1.0, r"\b(?:breach(?:es)?|default|insolven\w*|bankrupt\w*|fails?)\b"),
        (
            1.0,
            rf"(?:{_DURATION})[^.;]{{0,60}}\bnotice\b|\bnotice\b[^.;]{{0,80}}{_DURATION}|"
            rf"\bwritten\s+notice\b",
        ),
        (1.0, r"\beither\s+party\b|\bany\s+party\b"),
        (1.0, _AGREEMENT),
        (
            -1.5,
            r"\b(?:following|upon|after|before)\s+(?:the\s+|such\s+|"
            r"any\s+)?(?:expiration\s+or\s+)?termination\b|\bsurviv\w+\b",
        ),
        (-1.5, r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:means?|has|have)\b"),
    ),
    4.0,
)

ASSIGNMENT = Clause(
    "assignment",
    "Assignment",
    "assignment or transfer of the agreement, rights and obligations, consent of the other party",
    heading(r"\bassign\w*|\btransfer\b|\bsuccessors\b"),
    rules(
        (
            2.5,
            r"\b(?:not|neither|nor|no|cannot|without)\b[^.;]{0,140}\b(?:assign(?:ed|able|ment|s)?|"
            r"transfer(?:red|able|s)?|delegate[ds]?|sublicense)\b",
        ),
        (
            2.5,
            r"\b(?:assign(?:ed|able|ment|s)?|transfer(?:red|s)?|delegate[ds]?)\b[^.;]{0,220}\b(?:consent|"
            r"approval|permission)\b|\bconsent\b[^.;]{0,120}\b(?:assign|transfer)",
        ),
        (
            1.0,
            rf"\b(?:assign|transfer)\w*\b[^.;]{{0,60}}\b(?:{_AGREEMENT}|rights?|obligations?|duties|"
            rf"interests?)\b|\b{_AGREEMENT}[^.;]{{0,60}}\bassign",
        ),
        (1.5, r"\bnot\s+(?:be\s+)?assign(?:ed|able)?\b|\bnon-?assignable\b|\bno\s+assignment\b"),
        (0.5, r"\bwithout\s+(?:the\s+)?(?:prior|express|written)\b"),
        (0.5, r"\b(?:void|null)\b"),
        (-4.0, r"\bfor\s+the\s+(?:general\s+)?benefit\s+of\s+(?:its\s+|the\s+|their\s+)?creditors\b"),
        (
            -2.0,
            r"\b(?:hereby\s+assigns?|assigns?\s+to\s+(?:the\s+)?\w+\s+all|"
            r"right,?\s+title,?\s+and\s+interest|inventions?|copyrights?)\b",
        ),
        (
            -2.0,
            r"\b(?:confidential\s+information|shares?\s+of|wire\s+transfer|transfer\s+(?:price|agent|"
            r"of\s+title|of\s+funds|of\s+technology)|title\s+to\s+the)\b",
        ),
        (-2.5, r"^(?:(?!\bassign).)*$"),  # no word of assigning at all
    ),
    4.5,
)

EXCLUSIVITY = Clause(
    "exclusivity",
    "Exclusivity",
    "exclusive rights, exclusive distributor or supplier, not dealing with competitors or other parties",
    heading(r"\bexclusiv\w+|\bnon-?compet\w+"),
    rules(
        (
            2.5,
            r"(?<!non-)(?<!non )(?<!not an )(?<!not )(?<!co-)\bexclusive(?:ly)?\b[^.;]{0,70}\b(?:rights?|"
            r"licen[cs]es?|distribut\w+|suppl\w+|provider|basis|agent|representative|appoint\w*|partner|"
            r"manufactur\w+|reseller|sponsor|dealer|sell|use|promot\w+|endors\w+|market\w*)\b",
        ),
        (
            1.5,
            r"\b(?:grants?|granted|appoints?|appointed|engages?|retains?|designates?|"
            r"from\s+a\s+non-exclusive\s+to)\b[^.;]{0,130}(?<!non-)(?<!non )\bexclusive(?:ly)?\b",
        ),
        (1.0, r"\bsole\s+and\s+exclusive\b|\bexclusive\s+and\s+sole\b|\bon\s+an\s+exclusive\s+basis\b"),
        (
            2.5,
            r"\b(?:shall|will|may|agrees?\s+(?:that\s+it\s+(?:shall|will)\s+)?)\s*(?:not|"
            r"nor)\b[^.;]{0,120}\b(?:sell|supply|purchase|distribute|market|promote|endorse|license|"
            r"manufacture|provide|engage|appoint|order|offer)\b[^.;]{0,120}\b(?:any\s+other|for\s+others|"
            r"to\s+others|other\s+than|third\s+part(?:y|ies)|competit\w+|competing|compete|any\s+person|"
            r"anyone|another)\b",
        ),
        (
            1.5,
            r"\b(?:not|nor)\b[^.;]{0,80}\b(?:sell|supply|purchase|buy|order|distribute|market|promote|"
            r"endorse|license|manufacture|provide)\b"
            r"[^.;]{0,80}\b(?:for|to|from|of|by)\s+(?:or\s+on\s+behalf\s+of\s+)"
            r"?(?:any\s+(?:other\s+(?:person|party|source|"
            r"supplier|provider|distributor|customer|company|entity)|source\s+other|one\s+other)|anyone|"
            r"others|competit\w+)\b",
        ),
        (2.0, r"\bexclusivity\b"),
        (1.5, r"\b(?:shall\s+have|has|have|with|as)\s+(?:the|an|its|\w+'s)\s+(?:sole\s+and\s+)?exclusive\b"),
        (
            -4.0,
            r"^(?!.*(?<!non-)(?<!non )(?<!non)\bexclusive).*\bnon-?\s?exclusive(?:ly)?\b|"
            r"\bnot\s+(?:be\s+)?(?:an\s+)?exclusive\b|\bmutually\s+exclusive\b",
        ),
        (
            -3.5,
            r"\bexclusive\s+(?:jurisdiction|venue|remed(?:y|ies)|property|owner(?:ship)?|of\b|control|"
            r"forum|responsibilit\w+|discretion|authority|liabilit\w+|means|recourse|statement|"
            r"obligation)|\b(?:sole|exclusive)\s+and\s+(?:sole|exclusive)\s+(?:remed\w+|propert\w+|"
            r"owner\w*|jurisdiction|judg\w+|responsib\w+|discretion|obligation|liabilit\w+)|"
            r"\bexclusive\s+(?:\w+\s+){0,2}jurisdiction",
        ),
        (-2.0, r"\b(?:confidential(?:ity)?|information|disclos\w+|copyright|governing|courts?)\b"),
        (-1.5, r"\b(?:employees?|solicit|hire)\b"),
        (-1.0, r"\b(?:represents|warrants)\b[^.;]{0,40}\b(?:that|and)\b"),
        (-2.0, r"^(?:and\s+)?whereas\b|\bexclusive\s+(?:and\s+irrevocable\s+)?(?:right\s+and\s+)?option\b"),
        (-1.5, r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:means?|has|have)\b"),
    ),
    3.9,
)

MINIMUM = Clause(
    "minimum_commitment",
    "Minimum commitment",
    "minimum purchase commitment, minimum order quantity, minimum payment, guaranteed amount",
    heading(r"\bminimum\b|\bcommitment\b|\bquota\b|\btargets?\b"),
    rules(
        (
            3.0,
            r"\bminimum\b[^.;]{0,45}\b(?:purchase|commitment|quantit\w+|orders?|amount|payments?|"
            r"guarantee\w*|royalt\w+|fees?|sales|performance|volume|revenue|spend|charge|usage|units|"
            r"number)\b",
        ),
        (
            1.5,
            r"\bminimum\s+(?:annual|quarterly|monthly|purchas\w+|payment|guarantee|royalty|fee|order|"
            r"quantit\w+|commitment|sales)|\bannual\s+minimum\b|\bguaranteed\s+minimum\b",
        ),
        (1.0, r"\b(?:shall|agrees?|must|required|will|commits?|guarantees?)\b"),
        (
            3.0,
            r"\b(?:purchase|buy|order|spend|sell|invest|pay|generate|"
            r"employ)\w*\b[^.;]{0,70}\b(?:at\s+least|no\s+less\s+than|not\s+less\s+than|a\s+minimum\s+of|"
            r"no\s+fewer\s+than)\s+(?:[\$\d\[]|(?:\w+\s+){1,6}(?:dollars|units|percent|million|thousand|"
            r"hundred|\())",
        ),
        (3.0, r"\b(?:must|shall|ensures?)\b[^.;]{0,90}\b(?:no|not)\s+less\s+than\s+[\d$\[]"),
        (1.0, r"\bsubject\s+to\s+a\s+minimum\b|\bfail\w*\s+to\s+(?:meet|satisfy|purchase|achieve)\b"),
        (3.5, r"\btake[\s-]or[\s-]pay\b|\bshortfall\s+payment\b"),
        (3.0, r"\b(?:sales?|purchas(?:e|ing))\s+(?:targets?|quotas?|goals?)\b"),
        (
            -4.0,
            r"\b(?:insurance|insured|coverage|polic(?:y|ies)|wages?|limits\s+of|per\s+occurrence|"
            r"net\s+worth|capital\s+stock|beneficial)\b",
        ),
        (
            -2.0,
            r"\bminimum\s+(?:\w+\s+)?(?:standards?|requirements?\s+of|specifications?|qualifications?|"
            r"notice|age|level\s+of\s+service|shelf|temperature)\b",
        ),
        (
            -2.0,
            r"\b(?:at\s+least|not\s+less\s+than|"
            r"no\s+less\s+than)\s+\w+\s*(?:\(\d+\))?\s*(?:business\s+)?(?:days?|hours?)\b",
        ),
        (-1.5, r"\b(?:interest|late\s+payment|audit\w*|inspect\w*)\b"),
        (-1.0, r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:has|have)\b"),
    ),
    4.0,
)

LIABILITY = Clause(
    "liability_cap",
    "Liability cap",
    "limitation of liability, maximum aggregate liability shall not exceed, no consequential or "
    "indirect damages",
    heading(
        r"\blimit\w*\s+(?:of|on)\s+(?:liabilit\w+|damages|remed\w+)|\bliabilit\w+|\bdamages\b|\bdisclaimer\b"
    ),
    rules(
        (
            3.0,
            r"\b(?:liabilit(?:y|ies)|liable|damages|claims?|obligations?)\b[^.;]{0,260}\b(?:not|never|"
            r"no\s+event)\b[^.;]{0,50}\bexceed\b|\b(?:not|"
            r"no\s+event)\b[^.;]{0,80}\bexceed\b[^.;]{0,160}\bliabilit",
        ),
        (
            3.0,
            r"\b(?:liabilit(?:y|ies)|damages|recovery)\b[^.;]{0,140}\b(?:(?:is|are|be)\s+(?:expressly\s+|"
            r"strictly\s+)?limited\s+to|maximum|capped?)\b|\b(?:aggregate|total|maximum|cumulative|"
            r"entire)\s+(?:\w+\s+){0,2}liabilit",
        ),
        (
            2.0,
            r"\b(?:no\s+event|no\s+circumstances?|neither\s+(?:party|\w+\s+nor)|not|nor|"
            r"no\s+party)\b[^.;]{0,140}\b(?:liable|responsible|liability)\b",
        ),
        (
            2.0,
            r"\b(?:consequential|indirect|incidental|special|punitive|exemplary|loss\s+of\s+(?:profits?|"
            r"business|revenues?)|lost\s+profits?)\b",
        ),
        (
            0.5,
            r"\bhowever\s+caused|\btheory\s+of\s+liability|\badvised\s+of\s+the\s+possibility|\bnegligence\b",
        ),
        (-2.5, r"\b(?:insurance|insured|policy\s+limits|coverage|premiums?)\b"),
        (-1.0, r"\bindemnif\w+|\bhold\s+harmless\b"),
        (
            -1.5,
            r"\b(?:tax(?:es)?|delay(?:ed)?\s+(?:or|in)|force\s+majeure|act\s+of\s+god|"
            r"acts\s+or\s+omissions|shareholders?|trustees?\s+of)\b",
        ),
        (-1.5, r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:means?|has|have)\b"),
    ),
    4.0,
    heading_weight=1.0,
    most=3,
)

PAYMENT = Clause(
    "payment",
    "Payment",
    "payment terms, fees, price, compensation, invoices due within days",
    heading(
        r"\bpayments?\b|\bfees?\b|\bcompensation\b|\bpric(?:e|es|ing)\b|\bcharges\b|\broyalt\w+|"
        r"\bconsideration\b"
    ),
    rules(
        (
            2.0,
            r"\b(?:shall|will|agrees?\s+to|must|to)\s+(?:\w+\s+)?(?:pay|remit|reimburse)\b|\b(?:is|are|"
            r"be)\s+(?:due|payable|paid)\b",
        ),
        (1.5, r"\binvoices?\b"),
        (
            1.5,
            rf"\b(?:within|net|no\s+later\s+than|"
            rf"not\s+later\s+than)\s+{_NUMBER}\s*(?:\(\d+\)\s*)?(?:business\s+|calendar\s+)?days?\b|"
            rf"\b(?:monthly|quarterly|annually|per\s+(?:month|year|annum))\b",
        ),
        (
            1.0,
            r"\b(?:fees?|prices?|compensation|royalt\w+|commission|salary|consideration|purchase\s+price)\b",
        ),
        (1.0, r"(?:\$|USD|EUR|£|€|RMB)\s?\d|\d\s*(?:%|percent\b|dollars)|\$\s?\["),
        (-1.5, r"\b(?:tax(?:es)?|insurance|damages|indemnif\w+|interest\s+at|terminat\w+|audit|breach)\b"),
        (-1.5, r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:means?|has|have)\b"),
    ),
    4.0,
)

CLAUSES = (
    TERM,
    RENEWAL,
    NOTICE,
    PAYMENT,
    MINIMUM,
    LIABILITY,
    CONVENIENCE,
    TERMINATION,
    ASSIGNMENT,
    EXCLUSIVITY,
)

_LISTED = re.compile(r"\.{4,}|(?:\. ){4,}")  # a line of a table of contents
RETRIEVED_WEIGHT = 0.5
_READ = 6000  # characters of a sentence; longer ones are tables or no prose


def rank_clause(
    clause: Clause, passages: Passages, retrieved: Mapping[int, float] | None = None
) -> list[ClauseCandidate]:
    """Sentences that carry the clause's marks, best first.

    `retrieved` gives a sentence's index a weight of 0 to 1.
    """
    found: list[ClauseCandidate] = []
    for sentence in passages.sentences:
        body = sentence.plain[:_READ]
        if len(body) < 24 or _LISTED.search(body):
            continue
        score = sum(weight for weight, pattern in clause.rules if pattern.search(body))
        if score <= 0:
            continue
        if clause.heading.search(sentence.heading):
            score += clause.heading_weight
        if retrieved:
            score += RETRIEVED_WEIGHT * retrieved.get(sentence.index, 0.0)
        if score >= clause.threshold:
            found.append(ClauseCandidate(sentence, score))
    return sorted(found, key=lambda c: (-c.score, c.sentence.index))


def choose(clause: Clause, candidates: list[ClauseCandidate]) -> list[ClauseCandidate]:
    """The best sentence and those nearly as good, at most `clause.most`, in the order of the text."""
    if not candidates:
        return []
    best = candidates[0].score
    near = [c for c in candidates[: clause.most] if c.score >= best - 1.5]
    return sorted(near, key=lambda c: c.sentence.index)


_NOT_EXCLUSIVE = re.compile(
    r"\b(?:agreement|relationship|appointment|supply|arrangement|purchase|engagement|services)\b[^.;]{0,60}"
    r"\b(?:is|are|shall\s+be|will\s+be)\s+(?:on\s+a\s+)?non-?\s?exclusive\b",
    re.IGNORECASE,
)


def not_exclusive(passages: Passages) -> list[ClauseCandidate]:
    """Sentences that say the whole relation is not exclusive: an answer too, where nothing is exclusive."""
    return [ClauseCandidate(s, 0.0) for s in passages.sentences if _NOT_EXCLUSIVE.search(s.plain)]

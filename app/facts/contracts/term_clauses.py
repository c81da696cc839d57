"""The clauses on how long a contract lasts and how it ends."""

from __future__ import annotations

import re

from longleaf.app.facts.contracts.clause import AGREEMENT, DURATION, MONTH, Clause, heading, rules

TERM = Clause(
    "term",
    "Term",
    "term and duration of the agreement, when it begins and how long it continues in effect",
    heading(r"\b(?:term|duration|period)\b(?!s)"),
    rules(
        (
            2.0,
            rf"\b(?:initial\s+)?(?:term|duration|period|life)\s+of\s+(?:{AGREEMENT}|the\s+parties|employment|"
            rf"engagement|\w+'s\s+engagement)",
        ),
        (
            2.0,
            r"\b(?:initial\s+)?(?:term|period)\b[^.;]{0,70}\b(?:shall|will)\s+(?:commence|begin|start|"
            r"continue|be|extend|end|expire|run|last|remain)\b",
        ),
        (
            1.5,
            rf"\b{AGREEMENT}[^.;]{{0,110}}\b(?:commence|begin|continue|remain|effective|"
            rf"in\s+(?:full\s+)?(?:force|effect)|expire|term\s+of)",
        ),
        (
            1.5,
            r"\b(?:continue|remain)s?\s+(?:to\s+be\s+)?in\s+(?:full\s+)?(?:force|effect|operation)\b|"
            r"\bcontinues?\s+(?:thereafter|for|until|through|indefinitely)\b",
        ),
        (1.0, DURATION),
        (
            1.5,
            rf"\b(?:until|through|expires?\s+on|ends?\s+on|terminates?\s+on|ending\s+on|"
            rf"expiring\s+on)\s+(?:and\s+including\s+)?(?:the\s+)?(?:\d|{MONTH}|_)",
        ),
        (2.0, r"\(?\s*(?:the|collectively,?\s+the)?\s*\"(?:initial\s+)?term\"?\s*\)?"),
        (1.5, r"\binitial\s+(?:\w+\s+){0,2}(?:term|period)\b"),
        (1.5, rf"\bterm\b[^.;]{{0,50}}\b(?:is|of|for)\b[^.;]{{0,30}}{DURATION}"),
        (
            1.5,
            rf"\b{AGREEMENT}[^.;]{{0,30}}\b(?:shall|will)\s+(?:expire|terminate|end)\b(?!\s+upon\s+notice)",
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
        (-3.0, r"\b(?:amended|waived|changed|modified|supplemented)\b[^.;]{0,60}\b(?:writing|written)\b"),
        (-1.5, r"\b(?:breach|default|cure|bankrupt\w*|insolven\w*)\b"),
        (-2.0, r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:means?|has|have)\b"),
        (-1.5, r"\bduring\s+the\s+term\s+of\s+this\b"),
        (-4.0, r"\b(?:void|invalid|unenforceable|severab\w+|remaining\s+(?:terms|provisions))\b"),
        (3.0, r"\b(?:expir(?:ation|y)|termination|end)\s+date\"?\s*(?::|(?:shall\s+)?(?:means?|be|is)\s)"),
        (
            2.0,
            rf"\bterm\b[^.;]{{0,40}}\b(?:from|beginning|commencing)\b[^.;]{{0,60}}\b(?:to|through|until)\s+(?:and\s+"
            rf"including\s+)?(?:the\s+)?(?:\d|{MONTH}|_)",
        ),
        (-2.5, r"\brenews?\b(?![^.;]*\b(?:commence|begin|continue)s?\b)(?<!initial)"),
        (
            2.0,
            rf"\b(?:agreement|contract|lease|license)\s+(?:\w+\s+)?(?:runs?\b|lasts?\b|is\s+(?:concluded|made|"
            rf"entered\s+into)|endures?|stays?|shall\s+(?:run|last|endure|remain|continue))\b[^.;]{{0,60}}"
            rf"(?:{DURATION}|\b(?:through|until|to)\b)",
        ),
        (
            3.5,
            r"\b(?:agreement|contract|lease|license|term|it)\b[^.;]{0,80}\b(?:(?:terminates?|expires?|ends?|ending|valid|lapses?|ceases?|determines?)\b"
            r"[^.;]{0,50}\b(?:on|at|until|till|through|to|including|of)|(?:force|effect|continues?|remains?)\b[^.;]{0,50}"
            r"\b(?:until|till|through|including))\s+(?:and\s+"
            rf"including\s+|midnight\s+(?:on|of)\s+)?(?:the\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)?\b|\d{{4}}-|{MONTH})",
        ),
        (
            -2.5,
            r"^(?:thereafter|(?:at|upon|after|following|on)\s+(?:the\s+)?(?:expir\w+|end)\s+of\s+(?:the|its|such)\s+"
            r"(?:initial\s+)?term)\b",
        ),
        (
            2.0,
            rf"\b(?:term|duration|life)\s+(?:hereof|of\s+{AGREEMENT})[^.;]{{0,40}}\b(?:is|be|of|for)\b[^.;]{{0,40}}{DURATION}",
        ),
        (
            2.5,
            rf"\b(?:engagement|appointment|agreement|contract)\s+(?:is|shall\s+be)\s+for\s+(?:an?\s+(?:\w+\s+)?(?:term|period)\s+of\s+)?"
            rf"{DURATION}",
        ),
        (2.0, r"\bfixed\s+(?:term|period)\b|\bexpir(?:ation|y)\s+date\b[^.;]{0,30}\d"),
        (
            -3.0,
            r"\b(?:may|shall|right|option|entitled)\b[^.;]{0,60}\b(?:be\s+)?(?:extend|renew|prolong)(?:ed)?\b"
            r"(?![^.;]*\b(?:commence|begin)s?\b)(?!.*\binitial\s+term\s+(?:of\s+this\s+\w+\s+)?(?:is|shall))",
        ),
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
        (1.5, rf"\b(?:renew(?:ed|s|able)?|extend(?:ed|s)?)\b[^.;]{{0,100}}{DURATION}"),
        (1.5, r"\brenewal\s+(?:term|period)s?\b"),
        (
            2.5,
            r"\b(?:options?|right|entitled)\s+to\s+(?:renew|extend|prolong)\b|\b(?:renewal|extension)\s+option\b",
        ),
        (
            2.0,
            r"\b(?:may|shall|will|can)\s+(?:also\s+|only\s+|mutually\s+|be\s+)*(?:renew|extend)(?:ed)?\b|"
            r"\brenewable\b",
        ),
        (
            2.0,
            rf"\b(?:renew|extend)(?:ed|ing|s)?\s+(?:the\s+(?:initial\s+)?term|{AGREEMENT})|"
            rf"\b(?:{AGREEMENT}|(?:initial\s+)?term)[^.;]{{0,60}}\b(?:renew|extend)(?:ed|s)?\b",
        ),
        (0.5, DURATION),
        (
            4.0,
            r"\b(?:prolonged|extended|renewed|continues?|extends?|renews?(?:\s+itself)?)\b[^.;]{0,40}"
            r"\b(?:from\s+year\s+to\s+year|year[\s-]to[\s-]year|annually|month[\s-]to[\s-]month|"
            r"from\s+month\s+to\s+month|automatically|by\s+(?:one|two|twelve|a)\s+(?:\w+\s+)?(?:year|month|term)s?\b)|"
            r"\brenewal\b[^.;]{0,20}\b(?:is|takes?\s+place|occurs?|shall\s+be)\s+automatic(?:ally)?\b|"
            r"\b(?:from\s+year\s+to\s+year|year[\s-]to[\s-]year)\b",
        ),
        (2.0, r"\b(?:renews?\s+itself|prolong(?:ed|s)?)\b|\beach\s+renewal\b"),
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
        (-3.0, r"\b(?:payment|credit)\s+terms?\b"),
        (4.0, rf"\b(?:{AGREEMENT}|term|it)\b[^.;]{{0,30}}\b(?:rolls?\s+over|self-renewing)\b"),
        (
            -5.0,  # what is extended is a time to act, or another paper
            r"\b(?:time|deadline|date)\s+(?:for|of|within)\s+(?:\w+\s+){1,4}(?:may|shall|will)\s+be\s+extended\b|"
            r"\b(?:cure|grace|notice|inspection|delivery|diligence)\s+period\s+(?:may|shall|will)\s+be\s+extended\b|"
            r"\bclosing\s+(?:date\s+)?(?:may|shall|will)\s+be\s+extended\b|\binterest\b[^.;]{0,40}\baccrue|"
            r"\b(?:letters?\s+of\s+credit|maturity(?:\s+date)?|bonds?|domain\s+names?|registrations?|permits?|note|loan|"
            r"insurance|polic(?:y|ies)|warranty)\s+(?:\w+\s+){0,3}(?:renewed|extended)\b|"
            r"\b(?:renew|extend)\s+(?:the|its|any|such|all)\s+(?:maturity|domain|letters?\s+of|polic(?:y|ies)|notes?|loans?|"
            r"bonds?|registrations?|permits?|insurance|credit)\b",
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
    never=re.compile(
        r"^(?!.*\b(?:unless|if|notice|notif\w+|inform\w*|advis\w+|tells?)\b).*"
        r"\b(?:shall|will|does|may)\s+not\s+(?:be\s+)?(?:automatically\s+)?(?:renew|extend|prolong)(?:ed)?\b"
        r"(?![^.;]*\b(?:unless|except|without|but|however|until|by|more|beyond)\b)",
        re.IGNORECASE,
    ),
    words=re.compile(r"renew|exten|prolong|year to year|month[ -]to|rolls? over", re.IGNORECASE),
)

NOTICE = Clause(
    "notice",
    "Notice to end renewal",
    "notice of non-renewal, how many days before the end of the term a party must give notice not to renew",
    heading(r"\brenew(?:al|als)?\b|\bterm\b"),
    rules(
        (
            1.5,
            r"\bprolong|\brolls?\s+over\b|\bcontinu(?:ed|es?)\b|\brenew(?:al|ed|s)?\b|\bextend(?:ed|s)?\b|\bextension\b",
        ),
        (1.0, r"\bnotice\b|\bnotif\w+"),
        (
            2.5,
            r"\b(?:not\s+(?:to\s+)?(?:renew|extend|continue)|non-?\s?renewal|nonrenewal|"
            r"not\s+be\s+(?:renewed|extended)|elect(?:s|ion)?\s+not|"
            r"(?:not\s+wish|no\s+wish|not\s+want|not\s+desire|not\s+intend)\w*\s+(?:\w+\s+){0,3}to\s+(?:extend|"
            r"renew|continue|prolong|go\s+on)|(?:prevent|avoid|stop|declin|oppos|reject)\w*\s+(?:\w+\s+){0,3}(?:renewal|extension)|unless\s+(?:\w+\s+){0,2}(?:cancel|terminat)\w+\s+by\b|"
            r"intent(?:ion)?\s+(?:not\s+)?to\s+(?:terminate|renew|allow))\b",
        ),
        (
            4.0,
            rf"\b(?:if|unless)\s+(?:it\s+)?(?:has\s+not\s+been|is\s+not|not)?\s*(?:cancel|terminat|denounc)\w+\b[^.;]{{0,30}}"
            rf"{DURATION}[^.;]{{0,20}}\b(?:before|prior\s+to)\b|\bunless\s+(?:\w+\s+){{1,3}}tells\b",
        ),
        (
            1.5,
            r"\bunless\s+(?:either|one|any|the|a|such|written|terminated|\w+)\b[^.;]{0,60}\b(?:notice|notif)",
        ),
        (
            1.5,
            rf"{DURATION}[^.;]{{0,40}}\b(?:prior|before|in\s+advance|preceding|advance)\b|"
            rf"\bprior\s+(?:written\s+)?notice\b",
        ),
        (
            1.0,
            r"\b(?:end|expir(?:ation|y)|beginning|commencement|anniversary|"
            r"conclusion)\s+(?:date\s+)?(?:of\s+)?(?:the|each|any|such|its|then|date)\b",
        ),
        (1.0, r"\b(?:anniversary|its\s+expiry|each\s+term|then[\s-]current|term)\b"),
        (1.0, r"\b(?:automatic(?:ally)?|year\s+to\s+year|annually|successive|further\s+terms?)\b"),
        (-2.0, r"\b(?:breach|default|cure|bankrupt\w*|insolven\w*|patent|insurance)\b"),
        (  # notice that takes up an option is not notice that ends a renewal
            -4.0,
            r"^(?!.*\bnot\s+(?:to\s+)?(?:renew|extend|exercise|continue)).*\bexercise\w*\b[^.;]{0,60}\b(?:option|right)\s+to\s+"
            r"(?:renew|extend)\b",
        ),
    ),
    6.0,
    heading_weight=0.5,
    most=1,
    needs=re.compile(
        r"^(?=.*\b(?:notice|notif|inform|advis|elect|cancel|declin|tells)).*(?:\brolls?\s+over|\brenew|\bextend|\bextension|\bprolong|\byear\s+to\s+year|\banniversary)",
        re.IGNORECASE,
    ),
    words=re.compile(r"renew|exten|prolong|year to year|anniversary|rolls? over", re.IGNORECASE),
)

_END = (
    r"(?:terminat(?:e|ed|ing|ion)|cancel(?:l?ed|l?ing|lation)?|withdraw(?:al|n|ing)?\s+from|discontinu(?:e|ed|ing)|"
    r"end(?:ed|ing)?\s+(?:this|the|its|his)|bring\s+(?:this|the)\s+\w+\s+to\s+an\s+end|put(?:ting)?\s+an\s+end\s+to|be\s+ended)\b"
)
_RIGHT = (
    r"\b(?:may|can|ha(?:s|ve)\s+(?:the|a|an)\s+(?:\w+\s+){0,2}(?:right|option)|(?:is|be|are)\s+(?:entitled|free)|"
    r"option|right|reserves?|discretion|at\s+liberty|power|shall\s+have\s+(?:the|a|an)\s+(?:\w+\s+){0,2}"
    r"(?:right|option))\b"
)
_CAUSELESS = (
    r"\bfor\s+(?:(?:its|their|his|her|the)\s+)?(?:own\s+)?convenience\b|\bwithout\s+(?:any\s+)?cause\b|"
    rf"\b{_END}[^.;]{{0,120}}\bfor\s+any\s+(?:or\s+no\s+)?(?:cause\s+or\s+)?reason\b|\bfor\s+any\s+reason\b[^.;]{{0,60}}"
    rf"\b(?:may|right\s+to)\s+{_END}|\bnotice\b[^.;]{{0,40}}\bfor\s+any\s+reason\b|"
    r"\bwith\s+or\s+without\s+(?:\w+\s+)?(?:cause|reason)\b|"
    r"\bfor\s+no\s+(?:cause|reason)\b|\bat[\s-]+will\b(?!\s+employ)|\bno[\s-]fault\b|\bfor\s+any\s+cause\s+whatsoever\b|"
    r"\bwithout\s+(?:having\s+to\s+|the\s+need\s+to\s+)?(?:stat|giv|show|assign|specify)\w*\s+(?:\w+\s+)?(?:reasons?|"
    r"cause|grounds)\b|\bwithout\s+(?:\w+\s+)?reasons?\b"
)

CONVENIENCE = Clause(
    "termination_for_convenience",
    "Termination for convenience",
    "termination without cause, for convenience, at any time upon written notice",
    heading(r"\bwithout\s+(?:good\s+)?(?:cause|reason)\b|\bconvenience\b"),
    rules(
        (1.0, r"\b(?:upon|by|on|with|giving)\s+(?:\w+\s+){0,6}?(?:notice|notification)\b"),
        (
            2.0,
            rf"{_RIGHT}[^.;]{{0,110}}\b{_END}|\b(?:may|can|shall)\s+be\s+(?:terminated|cancel?led|ended)\b|"
            r"\bterminable\b|\b(?:is|be)\s+(?:terminated)\b[^.;]{0,60}\bby\s+(?:either|any|the|a|\w+)\b",
        ),
        (2.5, _CAUSELESS),
        (
            1.5,
            r"\bat\s+any\s+time\b|\bwhenever\s+(?:it|they|he)\s+(?:sees?|thinks?|deems?)\s+(?:it\s+)?fit\b|\bat\s+(?:its|their|his|the|either)\s+(?:\w+'s\s+)?(?:sole\s+|own\s+|"
            r"absolute\s+)*(?:discretion|option|election)\b|\bsole\s+(?:and\s+\w+\s+)?discretion\b|\bvoluntarily\b|"
            r"\bwithout\s+(?:the\s+payment\s+of\s+any\s+|any\s+)?(?:penalty|liability)\b",
        ),
        (
            1.5,
            rf"(?:{DURATION}|\bday's?\b|\bmonths?'?\b)['s)]*[^.;]{{0,50}}\b(?:notice|notification)\b|"
            rf"\b(?:notice|notification)\b[^.;]{{0,80}}{DURATION}",
        ),
        (0.5, r"\beither\s+party\b|\bany\s+party\b"),
        (0.5, AGREEMENT),
        (
            -3.0,
            r"\b(?:material(?:ly)?\s+)?breach(?:es|ed)?\b|\bdefault(?:s|ed)?\b|\bfail(?:s|ed|ing)?\b|\bfailure\b|"
            r"\binsolven\w*|\bbankrupt\w*|\bcure[ds]?\b|\bforce\s+majeure\b|\bviolat\w+|\bmisconduct\b|"
            r"(?<!without\s)\bfor\s+(?:good\s+)?cause\b|\bceases?\b",
        ),
        (
            -1.5,
            r"^(?:in\s+the\s+event|if|should|upon\s+(?:the|any)|in\s+case)\b|\b(?:after|from|following)\s+the\s+time\s+that\b",
        ),
        (
            -2.5,
            r"\b(?:in\s+the\s+event|if\b(?!\s+any[,)]|\s+either\s+party\s+(?:wishes|elects|desires)|\s+it\s+(?:so\s+)?(?:wishes|elects|desires))|"
            r"provided\s+that\s+(?:the|such)|upon\s+the\s+occurrence|in\s+case|should\s+(?:the|either|any|\w+)\s)",
        ),
        (
            -3.0,
            r"\b(?:following|upon|after|if|on|(?<!notice )of)\s+(?:the\s+|such\s+|any\s+|a\s+|its\s+)?"
            r"(?:effective\s+date\s+of\s+)?(?:expir\w+\s+or\s+)?(?:earlier\s+)?(?:termination|cancellation)\b",
        ),
        (
            -2.0,
            r"\bmutual(?:ly)?\s+(?:\w+\s+)?(?:consent|agree\w*)\b|\bchange\s+(?:of|in)\s+(?:\w+\s+)?control\b|"
            r"\bupon\s+(?:a|the)\s+(?:sale|merger|change)\b",
        ),
        (-1.5, r"\b(?:renew(?:al)?|non-renewal)\b"),
        (-4.0, r"\bemployment\s+of\s+(?:any|each|an?|such|its|their)\b"),
        (
            -1.5,
            r"\bsurviv\w+\b|\brequired\s+by\s+law\b|\bregulatory\b|\bdeath\b|\bdisab\w+\b|"
            r"\b(?:statement\s+of\s+work|purchase\s+order|task\s+order)\b",
        ),
        (
            -3.0,
            r"\b(?:terminat|cancel)\w*\s+(?:any|an?|each|individual|such|the|all)\s+(?:\w+\s+){0,2}(?:orders?|"
            r"statements?\s+of\s+work|shipments?|sows?|reservations?|bookings?)\b",
        ),
        (-1.0, r"\bunless\s+(?:sooner|earlier|it\s+is)?\s*terminated\b"),
    ),
    4.0,
    never=re.compile(
        rf"\b(?:may\s+not|shall\s+not|cannot|can\s+not|will\s+not|not\s+be\s+entitled|no\s+(?:\w+\s+)?right\s+to|"
        rf"not\s+have\s+(?:the|a|any)\s+right|neither\s+(?:\w+\s+){{1,4}}(?:may|shall|has|have|can|will|is)|"
        rf"no\s+party\s+(?:may|shall|has|can))\b(?!\s+(?:less|fewer|more|later))[^.;]{{0,60}}\b{_END}"
        rf"(?![^.;]*\b(?:except|other\s+than|unless|until|without\s+(?:first\s+)?giving|before|prior)\b)|"
        rf":$|\b(?:only|solely)\s+for\s+(?:good\s+)?cause\b|\bno\s+right\s+to\s+terminate\b",
        re.IGNORECASE,
    ),
    words=re.compile(r"terminat|terminable|cancel|withdraw|discontinu|end", re.IGNORECASE),
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
            rf"(?:{DURATION})[^.;]{{0,60}}\bnotice\b|\bnotice\b[^.;]{{0,80}}{DURATION}|"
            rf"\bwritten\s+notice\b",
        ),
        (1.0, r"\beither\s+party\b|\bany\s+party\b"),
        (1.0, AGREEMENT),
        (
            -1.5,
            r"\b(?:following|upon|after|before)\s+(?:the\s+|such\s+|"
            r"any\s+)?(?:expiration\s+or\s+)?termination\b|\bsurviv\w+\b",
        ),
        (-1.5, r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:means?|has|have)\b"),
    ),
    4.0,
    words=re.compile(r"terminat|terminable", re.IGNORECASE),
)

"""The clauses on what the parties owe each other and may not do."""

from __future__ import annotations

import re

from longleaf.app.facts.contracts.clause import (
    AGREEMENT,
    DEFINITION,
    DURATION,
    NUMBER,
    PRINTED_MONEY,
    Clause,
    heading,
    rules,
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
            r"\b(?:assign(?:ed|able|ment|s)?|transfer(?:red|s)?|delegate[ds]?)\b[^.;]{0,220}\b(?:consent\w*|"
            r"approval|permission)\b|\bconsent\b[^.;]{0,120}\b(?:assign|transfer)",
        ),
        (
            1.0,
            rf"\b(?:assign|transfer)\w*\b[^.;]{{0,60}}\b(?:{AGREEMENT}|rights?|obligations?|duties|"
            rf"interests?)\b|\b{AGREEMENT}[^.;]{{0,60}}\bassign",
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
        (
            1.0,
            r"\b(?:not|no)\b[^.;]{0,80}\btransfer(?:red|able)?\b[^.;]{0,30}\b(?:rights?|interests?|agreement|another)",
        ),
        (2.0, r"\brights?\b[^.;]{0,60}\bnot\s+(?:be\s+)?transferable\b|\bpersonal\s+to\b"),
        (
            1.5,
            r"\b(?:neither|nor|not)\b[^.;]{0,60}\b(?:may|shall|can)\s+(?:be\s+)?assign(?:ed)?\b|\bnot\s+to\s+(?:\w+\s+or\s+)?assign\b",
        ),
        (4.0, r"\bassign\b[^.;]{0,60}\bonly\s+(?:to|with|if)\b|\bassignment\b[^.;]{0,60}\brequires?\b"),
        (
            -2.5,  # no word of assigning at all
            r"^(?:(?!\bassign|\bdelegat|\btransfer\w*\b[^.;]{0,60}\b(?:agreement|contract|rights?|interests?|"
            r"obligations?|another)\b|\b(?:rights?|agreement)\b[^.;]{0,60}\btransfer).)*$",
        ),
    ),
    4.5,
    words=re.compile(r"assign|transfer|delegat|sublicen|personal to", re.IGNORECASE),
)

_NOT_EXCLUSIVE_USE = re.compile(
    r"\bnon-?\s?exclusive(?:ly)?\b|\bnot\s+(?:be\s+)?(?:an?\s+|on\s+an\s+)?exclusive(?:ly)?\b|\bmutually\s+exclusive\b|"
    r"\b(?:only|solely)\s+(?:with|upon|in\s+connection\s+with)\s+(?:the\s+|its\s+)?(?:\w+\s+){0,3}(?:consent|approval|"
    r"permission)\b|\bdoes\s+not\s+grant\b|\bno\s+(?:rights?\s+(?:to|of)\s+)?(?:any\s+)?exclusiv\w+|\b(?:owns?|intellectual\s+property)\b[^.;]{0,60}"
    r"\bexclusive(?:ly)?\b|\bexclusive\s+rights?\s+(?:of|in|to)\s+(?:the\s+|its\s+|such\s+)?(?:intellectual|inventions?|"
    r"copyrights?|patents?|works?)\b|\bexclusive\s+of\b|\bneither\s+exclusive\b|"
    r"\bexclusive(?:ly)?\s+(?:and\s+\w+\s+)?(?:\w+\s+){0,2}?(?:remed(?:y|ies)|jurisdiction|venue|forum|propert(?:y|ies)|"
    r"owne[rd]\w*|control|responsibilit\w+|discretion|authority|liabilit\w+|means|recourse|statement|obligation|"
    r"judg\w+|understanding|warrant(?:y|ies)|vest\w*|resolved|determined|governed|heard|brought|litigated|submit\w*|"
    r"option\b|courts?|benefit|rule|list|procedure|period\s+of\s+negotiation)|"
    r"\bexclusive(?:ly)?,?\s+(?:in|by|before)\s+(?:the\s+)?(?:\w+\s+){0,3}(?:courts?|arbitrat\w+|tribunals?)|"
    r"\bexclusivity\s+of\s+(?:warrant\w+|remed\w+)|"
    r"\b(?:remed(?:y|ies)|jurisdiction|venue|warrant(?:y|ies)|courts?|forum|exclusions?)\b[^.;]{0,70}\bexclusive(?:ly)?\b|"
    r"\bexclusive\s+and\s+(?:in\s+lieu|replace)|\b(?:property|owner\w*|title)\b[^.;]{0,30}\bexclusive(?:ly)?\b|"
    r"\bexclusive\s+rights?,?[^.;]{0,45}\bto\s+(?:prosecute|enforce|settle|file|register|amend|select|take|bring)\b|"
    r"\bexclusive\s+(?:right,?\s+)?title\b|\bexclusive\s+rights?\s+to\s+(?:terminate|approve|determine|decide|control|"
    r"negotiate|defend)\b",
    re.IGNORECASE,
)
_DEAL = (
    r"(?:sell|suppl(?:y|ies)|purchase|buy|distribute|market|promote|endorse|licen[cs]e|manufacture|provide|engage|"
    r"appoint|order|offer|carry|represent|advertise|render|perform|develop|produce|handle|deal|use|grant|enter|"
    r"contract|accept|appear|sponsor|solicit|authori[sz]e|permit|retain|work|procure|source|obtain|establish|"
    r"operate|compete|participate|associate|deliver|import|export|commerciali[sz]e)"
)

EXCLUSIVITY = Clause(
    "exclusivity",
    "Exclusivity",
    "exclusive rights, exclusive distributor or supplier, not dealing with competitors or other parties",
    heading(r"\bexclusiv\w+|\bnon-?compet\w+"),
    rules(
        (
            3.0,
            r"(?<!co-)\bexclusive(?:ly)?\b[^.;]{0,70}\b(?:rights?|licen[cs]e[es]*|distribut\w+|suppl\w+|providers?|basis|"
            r"agen(?:t|cy)|representatives?|appoint\w*|partners?|manufactur\w+|resellers?|sponsor\w*|dealers?|sell|use|"
            r"promot\w+|endors\w+|market\w*|franchis\w+|territory|sources?|brokers?|carriers?|vendors?|consultants?)\b",
        ),
        (
            1.0,
            r"\b(?:grants?|granted|appoints?|appointed|engages?|retains?|designates?|from\s+a\s+to)\b"
            r"[^.;]{0,130}\bexclusive(?:ly)?\b|"
            r"\b(?:shall\s+have|has|have|with|as|be|is)\s+(?:the|an|its|\w+'s)\s+(?:sole\s+and\s+)?exclusive\b|"
            r"\bon\s+an\s+exclusive\s+basis\b|\bsole\s+and\s+exclusive\b|\bexclusive\s+and\s+sole\b",
        ),
        (
            3.5,
            r"\b(?:purchase|buy|obtain|procure|source|order|acquire|take|sell|supply|distribute|market|use|work|deal|"
            r"provide|perform|promote|render|endorse|wear)(?:s|es|d|ed|ing)?\b[^.;]{0,90}\b(?:exclusively\s+(?:from|to|through|with|by|for)|"
            r"(?:solely|only)\s+(?:from|through|with))\b(?!\s+(?:the\s+)?(?:purposes?|use|benefit|means|reference|extent))|"
            r"\b(?:shall|will|agrees?\s+to)\s+exclusively\s+\w+",
        ),
        (
            3.5,
            r"(?:\b(?:all|entire|total)|100\s?%\)?)\s+(?:of\s+)?(?:its|their|his|the|\w+'s)\s+(?:\w+\s+){0,3}(?:requirements|"
            r"needs)\b(?=[^.;]*\b(?:from|purchas\w+|suppl\w+|buy|order\w*|obtain\w*)\b)",
        ),
        (
            3.5,
            r"\b(?:the|its|as|be|are|is)\s+(?:\w+'s\s+)?(?:sole|only)\s+(?:and\s+(?:exclusive|only)\s+)?(?:authori[sz]ed\s+)?"
            r"(?:distributor|dealer|agent|supplier|provider|reseller|manufacturer|source|representative|licensee|"
            r"broker|sponsor|vendor|partner)s?\b",
        ),
        (
            3.5,
            rf"(?:\b(?:shall|will|may|must|agrees?|undertakes?|covenants?)\b[^.;]{{0,40}}\b(?:not|nor|neither)\b|"
            rf"\bneither\s+(?:\w+\s+){{1,4}}(?:shall|will|may)\b)[^.;]{{0,80}}\b{_DEAL}(?:s|es|d|ed|ing)?\b[^.;]{{0,100}}\b"
            r"any\s+(?:other|additional|further)\s+(?:\w+\s+){0,2}(?:person|part(?:y|"
            r"ies)|entit(?:y|ies)|dealers?|distributors?|agents?|resellers?|suppliers?|providers?|manufacturers?|"
            r"licensees?|compan(?:y|ies)|representatives?|vendors?|sources?|sponsors?|customers?|brokers?|carriers?|"
            r"products?|brand)|"
            r"\b(?:deal|work|contract|negotiate|engage)\w*\s+with\s+no\s+other\b|\bno\s+other\s+(?:person|party|entity|"
            r"dealer|distributor|agent|reseller|supplier|provider|licensee)\s+(?:shall|will|may)\b",
        ),
        (
            3.5,
            rf"\b(?:shall|will|may|must|does|agrees?|undertakes?|covenants?|neither)\b[^.;]{{0,60}}\b(?:not|nor|"
            rf"neither|refrain)\b[^.;]{{0,140}}\b{_DEAL}(?:s|es|d|ed|ing)?\b[^.;]{{0,140}}\b(?:competit\w+|competing|competes?|"
            rf"similar\s+(?:products?|goods|services|business)|(?:from|to|through|with)\s+(?:any\w*|a)\s+(?:\w+\s+)?other\s+than|"
            rf"(?:products?|goods|services)\s+other\s+than)\b",
        ),
        (
            2.5,
            rf"\b(?:shall|will|may|agrees?\s+(?:that\s+it\s+(?:shall|will)\s+)?)\s*(?:not|nor)\b[^.;]{{0,120}}"
            rf"\b{_DEAL}\b[^.;]{{0,120}}\b(?:for\s+others|to\s+others|third\s+part(?:y|ies)|any\s+person|anyone|"
            r"another)\b",
        ),
        (
            3.5,
            rf"\b(?:shall|will|must|agrees?|undertakes?)\b[^.;]{{0,40}}\b{_DEAL}\b[^.;]{{0,100}}\b(?:to|from|with|through|for)\s+"
            r"(?:no\s?one|nobody|none)\s+(?:but|else|other\s+than|except)\b",
        ),
        (
            3.5,
            r"\b(?:buy|purchase|obtain|procure|order|take)\s+all\s+(?:of\s+)?(?:its|their)\s+(?:\w+\s+){1,4}from\b|"
            r"\bsole\s+(?:right|licen[cs]e|privilege)s?\s+to\s+(?:sell|distribute|market|manufacture|make|operate|supply|"
            r"promote|exploit|publish|perform)\b|"
            r"\bnot\s+(?:permit|allow|authori[sz]e|engage)\s+any(?:one\s+else|body\s+else|\s+other\s+\w+)\s+to\s+(?:sell|"
            r"distribute|market|operate|manufacture|supply|promote|provide)\b",
        ),
        (2.5, r"\bexclusivity\b"),
        (3.5, r"\brights?\b[^.;]{0,60}\b(?:is|are|shall\s+be|will\s+be)\s+exclusive\b"),
        (
            1.5,
            r"\bnot\b[^.;]{0,30}\bcompete\b|\bduring\s+the\s+term\b|\bin\s+the\s+territory\b|"
            r"\bexclusive\s+(?:distributor|licen[cs]ee?|agent|supplier|dealer|provider)\b",
        ),
        (-3.5, r"\b(?:confidential(?:ity)?|disclos\w+|reverse\s+engineer\w*|copyright|governing|courts?)\b"),
        (-1.0, r"\binformation\b"),
        (-3.0, r"\b(?:merge|consolidat\w+|securities|encumbr\w+|liens?|ordinary\s+course|commingl\w+)\b"),
        (
            -4.0,
            r"\b(?:assign|sub-?licen[cs]e|sub-?contract|transfer|pledge)\b(?=[^.;]{0,90}\b(?:third|any|other)\b)",
        ),
        (-2.0, r"\b(?:employees?|solicit|hire)\b"),
        (
            -1.5,
            r"\b(?:represents|warrants)\b[^.;]{0,40}\b(?:that|and)\b|\bretains?\b|\breserves?\b|\bin\s+lieu\s+of\b",
        ),
        (
            -3.0,
            r"^(?:and\s+)?whereas\b|\bexclusive\s+(?:and\s+irrevocable\s+)?(?:right\s+and\s+)?option\b|"
            r"\b(?:represent\w*\s+or\s+bind|bind|obligate|liable|liability|indemnif\w+|insurance|waive[rd]?)\b",
        ),
        (-1.5, DEFINITION),
    ),
    3.5,
    most=3,
    mask=_NOT_EXCLUSIVE_USE,
    never=re.compile(
        r"\bnothing\b[^.;]{0,80}\b(?:exclusive|prevent|restrict|prohibit|preclude|limit)|"
        r"\b(?:not|nothing)\b[^.;]{0,40}\b(?:restricted|prohibited|precluded|prevented)\b|"
        r"\b(?:free|entitled|permitted)\s+to\s+(?:\w+\s+){0,3}(?:appoint|sell|supply|license|engage|deal|purchase)\b"
        r"(?![^.;]*\bexclusiv)",
        re.IGNORECASE,
    ),
    words=re.compile(
        r"exclusiv|sole|only|requirements|needs|other|compet|third|another|all|anyone|person|similar|no\s?one|nobody|none",
        re.IGNORECASE,
    ),
)

_QUANTITY = (
    r"(?:at\s+least|not?\s+(?:be\s+)?less\s+than|not?\s+(?:be\s+)?fewer\s+than|a\s+minimum\s+of|minimum\s+of|equal\s+to\s+or\s+"
    r"greater\s+than)\s+(?:an?\s+)?(?:(?:aggregate|total|amount|sum|average)\s+(?:of\s+)?)*"
)
_TIME_UNIT = r"(?:business\s+|calendar\s+|working\s+)?(?:day|hour|week|month|year|minute)s?\b"

MINIMUM = Clause(
    "minimum_commitment",
    "Minimum commitment",
    "minimum purchase commitment, minimum order quantity, minimum payment, guaranteed amount",
    heading(r"\bminimum\b|\bcommitment\b|\bquota\b|\btargets?\b"),
    rules(
        (
            3.0,
            r"\bminimum\b[^.;]{0,45}\b(?:purchase|commitment|quantit\w+|orders?|amount|payments?|"
            r"guarantee\w*|royalt\w+|fees?|sales|performance|volume|revenue|spend\w*|charge|usage|units|"
            r"number|quota|rent|tonnage|requirements?)\b",
        ),
        (
            1.5,
            r"\bminimum\s+(?:annual|quarterly|monthly|purchas\w+|payment|guarantee|royalty|fee|order|"
            r"quantit\w+|commitment|sales|spend|volume)|\b(?:annual|monthly|quarterly)\s+minimum\b|"
            r"\bguaranteed\s+minimum\b|\bminimum\b[^.;]{0,30}" + f"(?:{PRINTED_MONEY})",
        ),
        (1.0, r"\b(?:shall|agrees?|must|required|will|commits?|guarantees?|undertakes?|is|are)\b"),
        (
            3.0,
            r"\b(?:purchas\w+|buy|order|spend|sell|sales|invest|pay|generate|take\s+delivery|acquire|procure|"
            r"expend|commit\w*|contribute|guarantee\w*|royalt\w+|fees?|ship|achieve|reach|open|advertis\w+|lift)\b"
            rf"[^.;]{{0,90}}\b{_QUANTITY}(?:[\$\d\[€£]|(?:usd|eur|us)\b|\w+(?:[\s-]\w+){{0,5}}\s*(?:dollars|units|"
            r"percent|million|thousand|hundred|\())",
        ),
        (
            2.0,
            r"\b(?:employ|maintain|keep|deliver|produce|manufactur\w+|provide|make|supply|stock|develop|perform|assign|"
            rf"devote|participate|ensure|must\s+be)\b[^.;]{{0,90}}\b{_QUANTITY}(?:[\$\d\[€£]|\w+(?:[\s-]\w+){{0,2}}\s*"
            r"(?:\(\d+\)|dollars|units))",
        ),
        (
            1.0,
            r"\b(?:per|each|every|any|a)\s+(?:\w+\s+)?(?:year|month|quarter|week|annum|order)\b|\b(?:annual|monthly|"
            r"quarterly|yearly)(?:ly)?\b|\bcontract\s+year\b",
        ),
        (3.0, r"\b(?:must|ensures?)\b[^.;]{0,90}\b(?:no|not)\s+less\s+than\s+[\d$\[]"),
        (
            1.0,
            r"\bsubject\s+to\s+a\s+minimum\b|\bfail\w*\s+to\s+(?:meet|satisfy|purchase|achieve)\b|\bfall\w*\s+short\b",
        ),
        (3.0, r"\bfall\w*\s+short\s+of\b[^.;]{0,40}\bminimum\b|\bbelow\s+the\s+minimum\b"),
        (
            4.0,
            r"\b(?:purchases|orders|sales|royalties|payments)\b[^.;]{0,60}\b(?:fall\w*\s+short\s+of|(?:are|is)\s+less\s+than|"
            r"(?:are|fall)\s+below)\b[^.;]{0,80}\bpay\b[^.;]{0,50}\b(?:difference|shortfall|deficiency)\b|"
            r"\bin\s+no\s+(?:\w+\s+){0,2}(?:year|quarter|month)\b[^.;]{0,40}\b(?:purchases|orders|sales|royalt\w+|payments|fees?|rent)"
            r"\b[^.;]{0,60}\b(?:less|fewer)\s+than\b|\b(?:purchases|orders|sales|royalt\w+|outlays?|"
            r"expenditures?|rent(?:al)?s?|fees)\b[^.;]{0,40}\b(?:equal\s+or\s+exceed|(?:in\s+no\s+event|never|not)\s+be\s+"
            r"(?:under|below))\s+[$\d]|\bif\s+not\s+taken,?\s+(?:to\s+)?pay\s+for\b",
        ),
        (3.5, r"\btake[\s-]or[\s-]pay\b|\bshortfall\s+payment\b"),
        (3.0, r"\b(?:sales?|purchas(?:e|ing))\s+(?:targets?|quotas?|goals?)\b"),
        (
            -4.0,
            r"\b(?:insurance|insured|coverage|polic(?:y|ies)|wages?|limits\s+of|per\s+occurrence|"
            r"net\s+worth|capital\s+stock|beneficial|liability\s+limits?)\b",
        ),
        (
            -4.0,
            r"\b(?:voting|outstanding|quorum|majority|shares\s+of|directors|holders|ownership|equity\s+interest|"
            r"credit\s+rating|rated|records|votes?|members)\b",
        ),
        (
            -2.0,
            r"\bminimum\s+(?:\w+\s+)?(?:standards?|requirements?\s+of|specifications?|qualifications?|"
            r"notice|age|level\s+of\s+service|shelf|temperature|extent|legal|rate)\b",
        ),
        (-1.5, r"\b(?:interest|late\s+payment|audit\w*|inspect\w*|bind|penalt\w+)\b"),
        (-1.0, r"^\s*(?:\([a-z]+\)\s*)?\"[^\"]+\"\s+(?:shall\s+)?(?:has|have)\b"),
        (-2.0, r"\bif\b[^.;]{0,60}\b(?:at\s+least|not\s+less\s+than|no\s+less\s+than)\b"),
    ),
    4.0,
    # References ("Section 4.2") and least times ("at least ten (10) days") are no quantities.
    mask=re.compile(
        r"\b(?:sections?|articles?|clauses?|schedules?|exhibits?|paragraphs?|annex(?:es)?|appendix|item)\s+[\dIVXA-Z]"
        r"[\w.()-]*|"
        rf"{_QUANTITY}[\w-]+(?:\s\w+)?\s*(?:\(\d+\)\s*)?{_TIME_UNIT}(?!/)(?:\s+of\s+age)?",
        re.IGNORECASE,
    ),
    never=re.compile(
        r"\b(?:no|not|nothing|never)\b[^.;]{0,70}\b(?:oblig\w+|requir\w+|commit\w*|guarante\w+|bound)\b[^.;]{0,70}"
        r"\b(?:minimum|purchase|any)\b|\bno\s+minimum\b|\bwithout\s+(?:any\s+)?minimum\b|\bminimum\s+extent\b|"
        r"\bnot\s+subject\s+to\s+(?:any\s+)?minimum\b",
        re.IGNORECASE,
    ),
    words=re.compile(
        r"minimum|least|less than|fewer|or[ -]pay|shortfall|short of|quota|target|goal|greater|"
        r"not taken|below|be under|exceed",
        re.IGNORECASE,
    ),
)

_LIABLE = r"(?:liabilit(?:y|ies)|liable|damages|recover\w*|responsib\w+|exposure)"
_OTHER_SUMS = (-2.5, r"\b(?:insurance|insured|policy\s+limits|coverage|premiums?)\b")
_LIABILITY_HEADING = heading(
    r"\blimit\w*\s+(?:of|on)\s+(?:liabilit\w+|damages|remed\w+)|\bliabilit\w+|\bdamages\b|\bdisclaimer\b"
)

CAP = Clause(
    "liability_cap",
    "Liability cap",
    "limitation of liability, maximum aggregate liability shall not exceed, limited to the amount paid",
    _LIABILITY_HEADING,
    rules(
        (
            3.5,
            rf"\b{_LIABLE}\b[^.;]{{0,280}}\b(?:exceed\w*|in\s+excess\s+of|(?:greater|more)\s+than|(?<!not )"
            r"(?:is|are|be|"
            r"shall\s+be|to|and)?\s*limited\s+(?:\w+ly\s+)?to|capped|caps?\b|maximum|(?:any\s+)?(?:sums?|amounts?)\s+"
            r"(?:above|beyond)|up\s+to)\b|"
            rf"\b(?:not|never|no\s+(?:event|case))\b[^.;]{{0,80}}\bexceed\b[^.;]{{0,160}}\bliabilit|"
            rf"\b(?:limits?|caps?|maximum)\b[^.;]{{0,60}}\b(?:liab(?!ility\s+(?:company|partner))|responsible\b)|"
            r"\b(?:obligations?|indemni\w+|compensat\w+|responsib\w+)\b[^.;]{0,120}\b(?:capped|limited\s+to|"
            r"not\s+(?:to\s+)?exceed)\b",
        ),
        (
            4.5,
            r"\bmost\s+(?:that\s+)?(?:\w+\s+){1,3}(?:can|may|shall)\s+(?:recover|claim)\b|"
            r"\b(?:damages|liabilit\w+|recover\w*)\b[^.;]{0,80}\b(?:confined|restricted)\s+to\s+(?:a\s+|the\s+)?"
            r"(?:refund|return|repayment|price|fees?|charges|amounts?|sum)\b|"
            r"\bno\s+claims?\b[^.;]{0,60}\bgreater\s+(?:in\s+amount\s+)?than\b[^.;]{0,30}\bprice\b|"
            r"\bliab(?:le|ility)\s+beyond\s+(?:the\s+)?(?:\w+\s+){0,2}(?:price|fees?|amounts?|sums?)\b|"
            rf"\b(?:liabilit\w+|indemni\w+)\b[^.;]{{0,60}}\b(?:go|extend|run)\s+beyond\s+(?:{PRINTED_MONEY})|"
            r"\b(?:not|neither|no\s+(?:event|circumstances?|case))\b[^.;]{0,50}\b(?:answer(?:able)?\b[^.;]{0,40}\b(?:sum|amount)\s+"
            r"(?:greater|more|larger)\s+than\b|(?:bound|required|obliged|obligated)\s+to\s+pay\s+more\s+than\b[^.;]{0,80}"
            r"\b(?:claims|damages|loss(?:es)?)\b)",
        ),
        (0.5, r"\b(?:aggregate|total|maximum|cumulative|entire|overall|combined)\s+(?:\w+\s+){0,3}liabilit"),
        (
            0.5,
            rf"{PRINTED_MONEY}|\b(?:fees?|amounts?|sums?|prices?|consideration|payments?|commissions?|royalties)\b|"
            r"\bpercent\b|%|\[\s?\*+|\bcost\s+of\b|\bdirect\s+damages\b",
        ),
        (0.5, r"\b(?:not|no\s+(?:event|wise|way|case)|capped|never|neither|nor|limited|maximum)\b"),
        (-3.0, r"\b(?:insurance|insured|policy\s+limits|coverage|premiums?)\b(?![^.;]*\bliability\s+of\b)"),
        (-1.0, r"\bindemnif\w+|\bhold\s+harmless\b"),
        (-3.0, r"\b(?:members?|partners?)\b[^.;]{0,60}\b(?:contribut\w+|capital)\b"),
        (-2.5, r"\b(?:tax(?:es)?|interest|expenses|budget|shareholders?|stockholders?|trustees?\s+of)\b"),
        (-1.5, DEFINITION),
    ),
    4.5,
    heading_weight=1.0,
    mask=re.compile(
        r"\b(?:but\s+)?not\s+(?:be\s+)?limited\s+to\b|\bwithout\s+(?:being\s+)?limit\w+(?:\s+to)?\b|"
        r"\blimited\s+liability\s+(?:company|partnership|units?)\b|\bmaximum\s+extent\b|\bfullest\s+extent\b|"
        r"\b(?:more|less)\s+than\s+(?:\w+\s+)?(?:\(\d+\)\s+)?(?:days?|years?|months?)\b|\blimited\s+to\s+(?:the\s+)?(?:extent|"
        r"purposes?|use)\b|\bproduct\s+liability\b|\bbe\s+unlimited\b",
        re.IGNORECASE,
    ),
    never=re.compile(
        r"\bliabilit\w+\b[^.;]{0,40}\bnot\s+(?:be\s+)?(?:limited|capped)\b(?!\s+to)|"
        r"\b(?:nothing|not|no\s+provision)\b[^.;]{0,60}\b(?:limits?|excludes?)\b[^.;]{0,60}\bliab",
        re.IGNORECASE,
    ),
    words=re.compile(
        r"liab|damages|recover|responsib|obligation|indemni|compensat|claim|answer|loss|exposure",
        re.IGNORECASE,
    ),
)

EXCLUDED = Clause(
    "liability_cap",
    "Limits of liability (no cap stated)",
    "no consequential or indirect damages, not liable for lost profits, no liability for loss",
    _LIABILITY_HEADING,
    rules(
        (
            2.0,
            r"\b(?:no\s+event|no\s+circumstances?|no\s+case|neither|not|nor|no\s+party|never)\b[^.;]{0,160}\b(?:liable|"
            r"responsible|liability)\b|\b(?:waives?|disclaims?|excludes?)\b[^.;]{0,100}\b(?:damages|liabilit\w+|loss)|"
            r"\bno\s+(?:\w+\s+){0,2}(?:liability|responsibility)\b|"
            r"\b(?:not|no)\b[^.;]{0,60}\b(?:recover|claim|award\w*|entitled)\b[^.;]{0,60}\bdamages\b",
        ),
        (
            2.0,
            r"\b(?:consequential|indirect|incidental|special|punitive|exemplary|loss\s+of\s+(?:profits?|"
            r"business|revenues?|use|data)|lost\s+(?:profits?|revenues?|business))\b",
        ),
        (
            1.0,
            r"\bfor\s+any\s+(?:\w+\s+){0,2}(?:loss(?:es)?|damages?|liabilit\w+|injur\w+|claims?|errors?)\b",
        ),
        (
            0.5,
            r"\bhowever\s+caused|\btheory\s+of\s+liability|\badvised\s+of\s+the\s+possibility|\bnegligence\b",
        ),
        (
            4.0,
            r"\bno\s+(?:legal\s+|such\s+)?(?:action|claim|suit|proceeding)s?\b[^.;]{0,160}\b(?:more\s+than|after|later\s+than)"
            rf"\b[^.;]{{0,40}}{DURATION}",
        ),
        _OTHER_SUMS,
        (-1.0, r"\bindemnif\w+|\bhold\s+harmless\b"),
        (
            -1.5,
            r"\b(?:tax(?:es)?|delay(?:ed)?\s+(?:or|in)|force\s+majeure|act\s+of\s+god|"
            r"acts\s+or\s+omissions|shareholders?|trustees?\s+of|agents?\s+of\s+the|arbitrat\w+)\b",
        ),
        (-1.5, DEFINITION),
    ),
    4.0,
    heading_weight=1.0,
    words=re.compile(r"liab|respons|damages|loss|action|claim|suit|proceeding", re.IGNORECASE),
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
            rf"not\s+later\s+than)\s+{NUMBER}\s*(?:\(\d+\)\s*)?(?:business\s+|calendar\s+)?days?\b|"
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

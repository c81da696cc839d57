"""What a reader of a contract wants on its first page, and how the sentence that tells it is known."""

from __future__ import annotations

import re
from dataclasses import dataclass

WHAT, WHO, MONEY, TIME, OUT, LIMITS, RIGHTS, AFTER = (
    "What it is",
    "Who does what",
    "Money",
    "Time",
    "Ways out",
    "Liability and protection",
    "Rights and restrictions",
    "Control and after the end",
)
PAGE_ORDER = (WHAT, WHO, MONEY, TIME, OUT, LIMITS, RIGHTS, AFTER)


@dataclass(frozen=True, slots=True)
class Topic:
    """A clause of a kind: `tells` is in its sentence, `title` may be over it; `most` sentences are taken."""

    name: str
    group: str
    tells: re.Pattern[str]
    title: re.Pattern[str] | None = None
    never: re.Pattern[str] | None = None
    most: int = 1


def _topic(name: str, group: str, tells: str, title: str = "", never: str = "", most: int = 1) -> Topic:
    return Topic(
        name,
        group,
        re.compile(tells, re.IGNORECASE),
        re.compile(title, re.IGNORECASE) if title else None,
        re.compile(never, re.IGNORECASE) if never else None,
        most,
    )


_ANY = r"[^.;]{0,90}?"
TOPICS = (
    _topic("license", WHO, rf"\b(?:grants?|granted)\b{_ANY}\b(?:licen[cs]e|right)", r"licen[cs]e|grant|rights", r"no (?:right|licen[cs]e)|nothing (?:in|herein)", 2),
    _topic("appointment", WHO, r"\b(?:appoints?|engages?|retains?)\b[^.;]{0,60}\b(?:as|to)\b|\bagrees? to (?:sell|purchase|supply|provide|manufacture|distribute|develop|sponsor|endorse|perform|host|promote)\b", r"appoint|engage|services|supply|scope"),
    _topic("minimum", MONEY, rf"\b(?:minimum|at least|no less than)\b{_ANY}\b(?:purchas|order|guarante|commitment|royalt|payment|quantit|sales|units|fee|annual|volume)", r"minimum|guarantee", r"minimum (?:rating|insurance|limits?|coverage)", 2),
    _topic("revenue_share", MONEY, r"\b(?:\d+(?:\.\d+)?\s?%|percent|percentage)[^.;]{0,80}\b(?:of (?:the |all |any )?(?:net |gross |total |cumulative )?(?:revenue|sales|profit|income|receipts|proceeds|collections|amounts)|commission|royalt)|\broyalt(?:y|ies)\b[^.;]{0,60}\b(?:equal|percent|%|pay)|\bshare\b[^.;]{0,30}\b(?:revenue|profit)|\bcommission\b[^.;]{0,60}(?:%|percent)", r"royalt|commission|revenue|profit|compensation|payment", "", 2),
    _topic("price_limits", MONEY, rf"\b(?:price|fee|rate)s?\b{_ANY}\b(?:increase|adjust|change|raise|not exceed|remain fixed|reduc)|\b(?:increase|raise|adjust)\b[^.;]{{0,40}}\b(?:prices?|fees?|rates?)\b", r"pric|fees|adjust", r"indemnif|interest rate"),
    _topic("volume", MONEY, rf"\b(?:maximum|up to|not exceed|no more than|in excess of|limited to)\b{_ANY}\b(?:units|users|copies|quantit|hours|seats|locations|calls|orders|products|volume|impressions|minutes|stores)\b", r"volume|quantit|usage", r"liabilit|damages"),
    _topic("liquidated", MONEY, r"\b(?:liquidated damages|termination fee|early termination (?:fee|charge)|late fee|penalt(?:y|ies) (?:of|equal)|as (?:a )?(?:liquidated|penalty)|cancellation fee|break-?up fee)\b", r"liquidated|penalt|fee"),
    _topic("most_favoured", MONEY, r"\bmost[- ]favou?red|\b(?:no|not) less favou?rable[^.;]{0,80}\b(?:than|price|terms)|\b(?:terms|prices?)[^.;]{0,60}\b(?:at least as|no less) favou?rable|\blowest price|better (?:price|terms)", r"favou?red|pric", r"notice|insurance"),
    _topic("effective", TIME, r"\b(?:effective (?:date|as of)|commence[sd]? on|shall (?:commence|begin|become effective|take effect)|come into force)\b", r"effective|term|commence", r"termination is effective|assign"),
    _topic("term", TIME, rf"\bterm\b{_ANY}\b(?:years?|months?|expire|until|continue|commence|terminat|perpetual)|\bremain in (?:full )?(?:force|effect)|\bshall (?:expire|continue)\b[^.;]{{0,60}}\b(?:until|years?|months|on)\b|\bin effect for\b", r"\bterm\b|duration", r"payment terms?|terms and conditions"),
    _topic("renewal", TIME, rf"\b(?:renew(?:s|ed|al)?|automatically extend|extended? for|extend the term|successive)\b{_ANY}\b(?:year|month|term|period|automatic|notice)", r"renew|term|extension", r"insurance|policy"),
    _topic("renewal_notice", TIME, rf"\bunless\b{_ANY}\b(?:notice|notif)[^.;]{{0,80}}\b(?:renew|days|months|terminat|extend|expir)|\bnotice\b[^.;]{{0,60}}\b(?:not to renew|non-?renewal|intent(?:ion)? (?:not )?to (?:renew|terminate))", r"renew|term"),
    _topic("convenience", OUT, rf"\bterminate\b{_ANY}\b(?:without cause|for convenience|for any reason|any time|no reason|at will|(?:days|months)['’]?\s+(?:prior\s+)?(?:written\s+)?notice|upon (?:\w+\s+)?(?:\(\d+\)\s+)?(?:days|months))|\b(?:without cause|for convenience|for any reason)\b{_ANY}\bterminat", r"terminat", r"\bbreach|default|cure|insolven"),
    _topic("termination", OUT, rf"\bterminat\w*\b{_ANY}\b(?:breach|default|cure|remed|insolven|bankrupt|fails?|failure)|\b(?:breach|default|insolven|bankrupt)\w*\b{_ANY}\bterminat", r"terminat|default"),
    _topic("change_of_control", OUT, r"\bchange (?:of|in) (?:the )?control\b|\b(?:merger|acquisition|acquired|merges?|consolidat|sale of (?:all|substantially))\b[^.;]{0,120}\b(?:terminat|consent|assign|notice)|\b(?:terminat|consent|assign|notice)\w*\b[^.;]{0,120}\b(?:merger|change of control|acquisition of|sale of (?:all|substantially)|controlling interest|ownership)\b", r"control|assign|merger", r"compan(?:y|ies) controlled"),
    _topic("cap", LIMITS, rf"\b(?:liabilit\w+|damages)\b{_ANY}\b(?:exceed|limited to|maximum|greater than|in excess|aggregate)|\b(?:exceed|limited to|maximum|aggregate)\b{_ANY}\b(?:liabilit|damages)", r"liabilit|limitation", r"insurance", 2),
    _topic("excluded", LIMITS, r"\b(?:consequential|indirect|incidental|punitive|lost profits|loss of profits?)\b", r"liabilit|limitation|damages"),
    _topic("uncapped", LIMITS, rf"\b(?:except|exclud|other than|shall not apply|not limit|nothing)\b{_ANY}\b(?:gross negligence|willful|wilful|fraud|indemnif|confidential|death|personal injury|intellectual property)", r"liabilit|limitation", r"arbitrat"),
    _topic("indemnity", LIMITS, r"\bindemnif(?:y|ies)\b|\bhold harmless\b", r"indemnif"),
    _topic("warranty", LIMITS, rf"\bwarrant(?:s|y|ies)\b{_ANY}\b(?:period|months?|years?|days|defects?|conform)|\bwarranty period\b|\bfree (?:from|of) defects", r"warrant", r"disclaim|no warrant|makes no|except as", 2),
    _topic("insurance", LIMITS, r"\b(?:maintain|obtain|carry|procure|keep|provide|have)\b[^.;]{0,80}\binsurance\b|\binsurance\b[^.;]{0,80}\b(?:not less than|at least|coverage|limits?|\$|per occurrence|additional insured)", r"insurance", "", 2),
    _topic("covenant_not_to_sue", LIMITS, r"\b(?:covenants? not to sue|(?:shall|will|agrees?) (?:not|never)[^.;]{0,60}\b(?:contest|challenge|attack|dispute|oppose|assert|claim)\b|(?:contest|challenge|attack|dispute)\b[^.;]{0,80}\b(?:validity|ownership|title|enforceability|right))", r"ownership|trademark|marks|intellectual|propert"),
    _topic("exclusivity", RIGHTS, r"(?<!non-)(?<!non)\bexclusiv(?:e|ely|ity)\b[^.;]{0,120}\b(?:right|distribut|licen[cs]|supplier|provider|appoint|territory|purchas|sell|market|basis|agent|period)|\b(?:shall|will|may) not\b[^.;]{0,100}\b(?:any other (?:person|party|company|supplier|distributor|provider)|third part(?:y|ies))[^.;]{0,60}\b(?:sell|distribut|market|licen[cs]|manufactur|purchas|suppl|provid)|\bonly from\b|\bsolely from\b", r"exclusiv|appoint|grant", r"exclusive (?:of any|remedy|jurisdiction|property|venue)|sole and exclusive", 2),
    _topic("noncompete", RIGHTS, r"\b(?:compet(?:e|es|ing|itive|itor|itors|ition))\b", r"compet|restrict|exclusiv", r"competent|competitive (?:bid|pric)", 2),
    _topic("no_solicit", RIGHTS, r"\b(?:solicit|hire|recruit|entice|induce|employ)\b[^.;]{0,100}\b(?:employee|customer|client|personnel|staff|consultant)", r"solicit|hire|employ", r"equal|benefits", 2),
    _topic("disparage", RIGHTS, r"\bdisparag\w+|\bderogatory|\bunfavorable light|\b(?:reputation|goodwill|image)\b[^.;]{0,60}\b(?:harm|damage|injur|tarnish|adverse|detract)|\b(?:harm|damage|injur|tarnish|detract)\w*\b[^.;]{0,60}\b(?:reputation|goodwill|image)\b", r"disparag|conduct|quality"),
    _topic("first_refusal", RIGHTS, r"\b(?:right of first (?:refusal|offer|negotiation)|first right|right to match|first offer|first opportunity|pre-?emptive right|option to (?:purchase|acquire|extend|license))\b|\b(?:before|prior to)\b[^.;]{0,60}\boffer(?:ing|s|ed)?\b[^.;]{0,60}\b(?:third part|other)", r"refusal|offer|option"),
    _topic("assignment", RIGHTS, rf"\b(?:assign(?:ed|s|ment|able)?|transfer(?:red|able)?)\b{_ANY}\b(?:consent|prior written|approval|agreement|rights|null|void|successor|affiliate)|\b(?:consent|not|neither)\b{_ANY}\b(?:assign|transfer|delegate)\b", r"assign|transfer", r"hereby (?:irrevocably )?assigns|work made", 2),
    _topic("non_transferable", RIGHTS, r"\bnon-?\s?transferable|\bnon-?\s?assignable|\b(?:sub-?licen[cs]e)\w*\b", r"licen[cs]e|grant"),
    _topic("affiliate_license", RIGHTS, r"\blicen[cs]\w+\b[^.;]{0,140}\b(?:affiliates?|subsidiar(?:y|ies))\b|\b(?:affiliates?|subsidiar(?:y|ies))\b[^.;]{0,140}\blicen[cs]\w+", r"licen[cs]e|grant"),
    _topic("perpetual", RIGHTS, r"\b(?:perpetual|irrevocabl[ey]|in perpetuity|royalty-free|paid-up|unlimited (?:right|use|number|licen))\b", r"licen[cs]e|grant|ownership|propert", r"irrevocably (?:submit|consent|waive)", 2),
    _topic("ip_ownership", RIGHTS, r"\b(?:own(?:s|ed|ership)?|title|vest|property of|work(?:s)? made for hire|assigns?)\b[^.;]{0,120}\b(?:invention|intellectual|work product|work|improvement|develop|copyright|patent|trademark|mark|data|content|material|software|deliverable|result|right)s?\b|\b(?:invention|intellectual property|work product|improvement|copyright|patent|deliverable)s?\b[^.;]{0,100}\b(?:own(?:s|ed)?|title|vest|property of|belong|assign)", r"ownership|intellectual|propert|invention|proprietary|work", r"stock|shares", 2),
    _topic("joint_ip", RIGHTS, r"\bjoint(?:ly)?[- ]own|\bown(?:ed)? jointly|\bjoint (?:ownership|invention|intellectual|patent|work|propert)|\bco-?own", r"ownership|joint|intellectual"),
    _topic("escrow", RIGHTS, r"\bsource code\b[^.;]{0,100}\bescrow|\bescrow\b[^.;]{0,100}\b(?:source|agent|agreement|deposit)", r"escrow|source"),
    _topic("audit", AFTER, r"\baudit\w*\b|\b(?:inspect|examine|review)\b[^.;]{0,80}\b(?:books|records|premises|facilit|accounts)|\b(?:books|records|accounts)\b[^.;]{0,100}\b(?:inspect|examin|audit|access|available)", r"audit|records|inspect|books|report", r"auditor's opinion|audited financial", 2),
    _topic("after_end", AFTER, rf"\b(?:upon|after|following|in the event of|on)\b[^.;]{{0,40}}\b(?:terminat|expir)\w*\b{_ANY}\b(?:shall|will|must|may|continue|sell|return|cease|pay|surviv|destroy|transition|wind)|\bsell-?off\b|\btransition (?:period|services|assistance)|\bsurviv(?:e|es|al)\b", r"effect|terminat|surviv|post|consequence|transition|return", r"terminate this agreement (?:if|upon|for)", 3),
    _topic("third_party", AFTER, r"\bthird[- ]party beneficiar|\b(?:no|not|nothing)\b[^.;]{0,100}\b(?:confer|rights?|benefit)[^.;]{0,60}\b(?:third part(?:y|ies)|other person|any person)|\bintended (?:third|benefic)", r"benefic|third|miscell|general"),
    _topic("governing_law", AFTER, r"\bgoverned by\b|\blaws of\b[^.;]{0,60}\b(?:govern|apply|control|construed)", r"law|govern|jurisdiction"),
    _topic("disputes", AFTER, r"\b(?:arbitrat\w+|exclusive jurisdiction|courts? (?:located )?(?:in|of)|mediation)\b", r"disput|arbitrat|jurisdiction|venue"),
    _topic("confidential", AFTER, r"\bconfidential\w*\b[^.;]{0,100}\b(?:not|shall|hold|keep|disclos|years)", r"confiden|non-?disclos"),
)  # fmt: skip

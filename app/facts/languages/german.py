"""German contracts."""

from longleaf.app.facts.languages.patterns import ClausePatterns, LanguagePatterns, number_words

_CONTRACT = r"(?:vertrag\w*|vereinbarung|\w*vertrags?|vertragsverhältnis\w*|mietverhältnis\w*|arbeitsverhältnis|pachtverhältnis)"
_TIME = r"(?:tag|monat|jahr|woche|werktag)\w*"
_SUM = r"(?:€|EUR|euro|CHF|franken)"

GERMAN = LanguagePatterns(
    code="de",
    clauses={
        "term": ClausePatterns(
            r"laufzeit|vertragsdauer|dauer|mietzeit|vertragsbeginn|inkrafttreten|befristung|geltungsdauer",
            (
                (
                    3.0,
                    rf"\b{_CONTRACT}\b.{{0,80}}\b(?:beginnt|läuft|endet|gilt|dauert|befristet|geschlossen|abgeschlossen)\b.{{0,80}}(?:\d{{4}}|{_TIME}|unbestimmt|unbefristet)",
                ),
                (
                    3.0,
                    rf"\b(?:laufzeit|vertragsdauer|vertragslaufzeit|mietdauer|mietzeit|grundlaufzeit|mindestlaufzeit|festlaufzeit)\b.{{0,60}}(?:beträgt|von|beginnt|endet|ist|umfasst|:).{{0,60}}(?:\d|{_TIME})",
                ),
                (2.0, r"\b(?:unbestimmte|unbefristete)\s+(?:zeit|dauer)|\bunbefristet\b"),
                (
                    1.0,
                    r"\b(?:auf|für)\s+(?:die\s+dauer\s+von|(?:eine\s+)?(?:feste\s+)?(?:laufzeit|dauer)|einen\s+zeitraum)",
                ),
                (
                    1.0,
                    r"\b(?:beginnt|beginnend|tritt|läuft|startet)\b.{0,30}\b(?:am|ab|mit|zum)\b.{0,60}\b(?:endet|bis|läuft|dauert)\b",
                ),
                (
                    -2.0,
                    r"verlänger|gewährleistung|geheimhaltung|verjähr|rechnung|zahlung|garantie|lieferfrist",
                ),
                (-1.5, r"kündig"),
            ),
        ),
        "renewal": ClausePatterns(
            r"verlänger|laufzeit|vertragsdauer|dauer|option",
            (
                (
                    3.0,
                    r"\bverlängert\s+(?:sich|er|es)|\bsich\b.{0,80}\bverlänger(?:t|n)\b|\bverlängerungsoption|\bautomatisch\b.{0,40}verlänger|\bverlängerung\b.{0,60}(?:um|monat|jahr)",
                ),
                (
                    1.0,
                    rf"\bum\s+(?:jeweils\s+)?(?:weitere|ein|zwei|\w+\s+weitere).{{0,20}}{_TIME}|\bjeweils\b",
                ),
                (
                    -2.5,
                    r"lieferfrist|nachfrist|zahlungsfrist|gewährleistung|eigentumsvorbehalt|frist\s+verlänger",
                ),
            ),
        ),
        "notice": ClausePatterns(
            r"kündigung|kündigungsfrist|gekündigt|kündigt|\bfrist\b",
            (
                (
                    2.5,
                    r"\bverlänger\w*\b.{0,160}(?:kündig|widersprich|widerspruch)|(?:kündig|widersprich|widerspruch)\w*.{0,160}\bverlänger",
                ),
                (1.0, rf"\b(?:frist|spätestens|mindestens)\b.{{0,40}}{_TIME}"),
                (-3.0, r"wichtige[mn]?\s+grund|fristlos"),
            ),
        ),
        "price": ClausePatterns(
            r"preis|vergütung|entgelt|miete|honorar|kaufpreis|lizenzgebühr|gehalt|zahlung",
            (
                (
                    2.5,
                    rf"\b(?:\w*preis|\w*vergütung|\w*miete|\w*mietzins|\w*honorar|\w*entgelt|\w*gebühr|\w*pacht|\w*gehalt|\w*pauschale|auftragssumme|\w*satz)\b.{{0,80}}(?:beträgt|betragen|beläuft|von|in\s+höhe|:|ist|zahlt|zu\s+zahlen)?.{{0,30}}(?:\d.{{0,16}}{_SUM}|{_SUM}\s?\d)",
                ),
                (1.5, r"\b(?:zahlt|zahlen|entrichtet|schuldet|vergütet)\b"),
                (-2.5, r"haft|vertragsstrafe|kaution|versicher|schaden|sicherheit|mahn|verzug|mindest"),
            ),
        ),
        "payment": ClausePatterns(
            r"zahlung|preis|vergütung|miete|rechnung|honorar|fällig|entgelt",
            (
                (
                    2.5,
                    r"\b(?:zahlbar|fällig|zu\s+(?:be)?zahlen|zu\s+begleichen|zu\s+entrichten|zu\s+überweisen|zahlungsziel|zahlungsfrist)\b",
                ),
                (1.5, r"\brechnung"),
                (
                    1.0,
                    rf"\b(?:innerhalb|binnen)\b.{{0,30}}{_TIME}|\bim\s+voraus\b|\bwerktag|\bmonatlich\b|\bjährlich\b|\bnetto\b",
                ),
                (-2.0, r"haft|vertragsstrafe|kündig|verzugszins"),
            ),
        ),
        "minimum_commitment": ClausePatterns(
            r"mindest|abnahme",
            (
                (
                    3.0,
                    r"\bmindest(?:abnahme|menge|bestell|umsatz|vergütung|lizenz|einkauf|kauf)\w*|\babnahmeverpflichtung",
                ),
                (
                    2.5,
                    r"\b(?:verpflichtet\s+sich|nimmt|kauft|bestellt|bezieht|abzunehmen)\b.{0,100}\b(?:mindestens|wenigstens)\b.{0,30}\d",
                ),
                (-3.0, r"\bkeine?\b.{0,20}mindest|versicher|frist|laufzeit"),
            ),
        ),
        "liability_cap": ClausePatterns(
            r"haftung",
            (
                (
                    3.0,
                    r"\b(?:haft\w*|haftung\w*|schadens?ersatz\w*|ersatzpflicht)\b.{0,140}\b(?:begrenzt|beschränkt|höchstens|maximal|höchstbetrag|übersteig\w+|bis\s+zu|limitiert|nicht\s+mehr\s+als|obergrenze)",
                ),
                (2.5, r"\b(?:haftungs(?:höchst|ober)\w*|höchsthaftung\w*)\b"),
                (
                    -3.0,
                    r"versicherung\w*\s+(?:über|von|mit|in\s+höhe)|deckungssumme|verzug|vertragsstrafe|kaution",
                ),
            ),
        ),
        "termination_for_convenience": ClausePatterns(
            r"kündigung|laufzeit|beendigung",
            (
                (
                    3.0,
                    r"\b(?:jederzeit|ohne\s+angabe\s+von\s+gründen|ordentlich\w*)\b.{0,120}kündig|kündig\w*.{0,120}\b(?:jederzeit|ohne\s+angabe\s+von\s+gründen|ordentlich)",
                ),
                (
                    3.0,
                    r"\b(?:kann|können|darf|ist)\b.{0,100}\bmit\s+einer\s+(?:kündigungs)?frist\s+von\b.{0,100}\b(?:kündigen|gekündigt|kündbar)|\bmit\s+einer\s+(?:kündigungs)?frist\s+von\b.{0,60}\bkündbar",
                ),
                (
                    -4.0,
                    r"wichtige[mn]?\s+grund|fristlos|verlänger|ausgeschlossen|nicht\s+ordentlich|\bkeine\s+ordentliche",
                ),
            ),
        ),
        "termination": ClausePatterns(
            r"kündigung|beendigung",
            (
                (
                    2.5,
                    r"\b(?:wichtige[mn]?\s+grund|fristlos\w*|außerordentlich\w*)\b.{0,120}kündig|kündig\w*.{0,120}(?:wichtige[mn]?\s+grund|fristlos|außerordentlich)|recht\s+zur\s+(?:außerordentlichen\s+)?kündigung",
                ),
                (1.5, r"\bkann\b.{0,80}\b(?:kündigen|gekündigt)|\bkündbar\b|\bkündigungsfrist\b"),
                (-1.5, r"verlänger"),
            ),
            2.5,
        ),
        "assignment": ClausePatterns(
            r"abtretung|übertragung|rechtsnachfolge",
            (
                (2.0, r"\b(?:abtret\w*|abzutreten|abgetreten|übertragen|übertragung|übertragbar)\b"),
                (1.5, r"\b(?:zustimmung|einwilligung|genehmigung)\b|\bnicht\b|\bunzulässig"),
                (1.0, rf"\b(?:rechte?\w*|pflichten|ansprüche|forderungen|{_CONTRACT})\b"),
                (-3.0, r"nutzungsrecht|urheber|eigentum|arbeitsergebnis|daten\b|gefahr|erfindung"),
            ),
            3.5,
        ),
        "exclusivity": ClausePatterns(
            r"exklusiv|ausschließlichkeit|alleinvertrieb|wettbewerb",
            (
                (
                    3.0,
                    r"\bexklusiv(?!e?r?\s+gerichtsstand)\w*|\balleinvertrieb\w*|\balleinbezug\w*|\bausschließlichkeit\w*",
                ),
                (
                    3.0,
                    r"\bausschließlich\w*\s+(?:vertriebsrecht|recht|lizenz|nutzungsrecht|bezug)(?!\s+der\s+bundes)|\bausschließlich\b.{0,30}\b(?:beim?|von|über)\b.{0,40}\b(?:bezieh|kauf|erwerb)",
                ),
                (-4.0, r"gerichtsstand|zuständig|deutsches\s+recht|recht\s+der\s|nicht\s+ausschließlich"),
            ),
        ),
    },
    law=r"\b(?:gilt|gelten|unterlieg\w+|unterworfen|findet|finden|anwendbar\w*|maßgeb\w+|anzuwenden|anwendung|geregelt)\b.{0,80}\b\w*recht\w*\b|\b\w*recht\b.{0,60}\b(?:anwendbar|anzuwenden|anwendung|maßgeb\w+|gilt)\b|\brechtswahl\b",
    law_heading=r"\brecht\b|rechtswahl|schlussbestimmung",
    not_in_law=r"gerichtsstand|unter\s+ausschluss|ausschluss\s+des|mit\s+ausnahme|zuständig",
    places={
        "Germany": r"deutsch(?:e[mnrs]?)?|bundesrepublik\s+deutschland|deutschland|deutschlands",
        "Austria": r"österreich\w*|republik\s+österreich",
        "Switzerland": r"schweizer(?:isch\w*)?|schweiz|eidgenossenschaft|kantons?\s+\w+",
        "Liechtenstein": r"liechtenstein\w*",
        "France": r"französisch\w*|frankreichs?",
        "Italy": r"italienisch\w*|italiens?",
        "Spain": r"spanisch\w*|spaniens?",
        "Netherlands": r"niederländisch\w*|der\s+niederlande",
        "Belgium": r"belgisch\w*|belgiens?",
        "Luxembourg": r"luxemburg\w*",
        "England": r"englisch\w*|englands?",
        "Ireland": r"irisch\w*|irlands?",
        "Poland": r"polnisch\w*|polens?",
        "Czech Republic": r"tschechisch\w*|tschechiens?",
        "Sweden": r"schwedisch\w*|schwedens?",
        "Denmark": r"dänisch\w*|dänemarks?",
        "Hungary": r"ungarisch\w*|ungarns?",
        "United States": r"us-amerikanisch\w*|vereinigten\s+staaten",
        "China": r"chinesisch\w*|volksrepublik\s+china",
        "Japan": r"japanisch\w*|japans",
        "Turkey": r"türkisch\w*|türkei",
    },
    begins_before=r"\b(?:ab|ab\s+dem|beginnt|beginnend|beginn|beginnt\s+am|am|zum|mit\s+wirkung\s+(?:ab|vom|zum)(?:\s+dem)?|mit\s+dem|seit|vom|seit\s+dem)\b\s?(?:dem|:)?",
    begins_after=r"(?:in\s+kraft|wirksam|beginn)",
    ends_before=r"\b(?:bis|bis\s+zum|bis\s+einschließlich|endet|endet\s+am|endet\s+mit\s+(?:ablauf\s+des\s+)?|ablauf\s+des|läuft\s+am|endend\s+am|endet\s+(?:automatisch|ohne\s+kündigung|ohne\s+dass[^.]{0,40})\s+am|und\s+endet\b.{0,30}\bam|zum\s+ablauf\s+des)\b",
    ends_after=r"(?:befristet|aus\b|enden)",
    effective=r"in\s+kraft|wirksam|mit\s+wirkung|beginnt|vertragsbeginn",
    on_signing=r"\b(?:mit|nach)\s+(?:der\s+|ihrer\s+|seiner\s+)?(?:beiderseitigen?\s+|letzten\s+)?unterzeichnung\b.{0,60}\b(?:in\s+kraft|wirksam|beginnt)|(?:in\s+kraft|wirksam|beginnt)\b.{0,60}\b(?:mit|nach)\s+(?:\w+\s+)?(?:beiderseitigen?\s+)?unterzeichnung",
    signed_label=r"datum|vertragsdatum|datum\s+des\s+vertrags|abschlussdatum|(?:[A-ZÄÖÜ][\w/ -]{1,28}),\s(?:den|am)|(?:^|_\s?)[A-ZÄÖÜ][a-zäöüß]{2,20},",
    signed_before=r"\b(?:geschlossen|abgeschlossen|unterzeichnet|unterschrieben|vereinbart)\s+(?:am|zu\s+\w+\s+am|in\s+\w+\s+am|mit\s+datum\s+vom)|(?:^|\b(?:dieser|der\s+vorliegende)\s+)vertrag\s+vom",
    signed_after=r"(?:\w+\s){0,3}(?:geschlossen|abgeschlossen|unterzeichnet|unterschrieben)\b",
    role_labels=r"(?:auftraggeber|auftragnehmer|verkäufer|käufer|vermieter|mieter|lieferant|besteller|kunde|anbieter|dienstleister|lizenzgeber|lizenznehmer|arbeitgeber|arbeitnehmer|verpächter|pächter|darlehensgeber|darlehensnehmer|hersteller|händler|partei\s+[ab12]|vertragspartei(?:\s+[ab12])?)(?:in)?",
    persons=r"Herrn?|Frau|Dr\.|Prof\.",
    not_a_party=r"vertreten\s+durch|geschäftsführer|tochter\w*\s+der|bank|notar\w*|konto\s+bei|handelsregister|firmen",
    numbers=number_words(
        """ein 1 eine 1 einem 1 einen 1 einer 1 eines 1 zwei 2 zweier 2 drei 3 dreier 3 vier 4 fünf 5 sechs 6 sieben 7 acht 8 neun 9
        zehn 10 elf 11 zwölf 12 vierzehn 14 fünfzehn 15 achtzehn 18 zwanzig 20 einundzwanzig 21 vierundzwanzig 24 dreißig 30
        sechsunddreißig 36 achtundvierzig 48 fünfundvierzig 45 sechzig 60 neunzig 90"""
    ),
    units={
        r"(?:werk|arbeits|bank|geschäfts)tag\w*": "business day",
        r"(?:kalender)?tag(?:e[ns]?|es)?\b|tägige\w*": "day",
        r"wochen?\b|wöchige\w*": "week",
        r"(?:kalender|voll\w+\s)?monat(?:e[ns]?|s)?\b|monatige\w*": "month",
        r"(?:kalender|vertrags)?jahr(?:e[ns]?|es|s)?\b|jährige\w*": "year",
        r"quartal\w*": "quarter",
    },
    questions={
        "parties": r"\bwer sind\b.{0,30}\bpartei|\bvertragsparteien\b|\bwer (?:hat|schließt)\b.{0,30}\bvertrag",
        "governing_law": r"\bwelches recht\b|\banwendbare[sn]? recht\b|\bwelchem recht\b",
        "agreement_date": r"\bwann\b.{0,40}\b(?:geschlossen|unterzeichnet|unterschrieben|abgeschlossen)\b|\bvertragsdatum\b",
        "effective_date": r"\bwann\b.{0,40}\b(?:beginnt|kraft|wirksam)\b|\b(?:vertragsbeginn|inkrafttreten)\b",
        "expiration_date": r"\bwann\b.{0,40}\b(?:endet|läuft)\b|\bvertragsende\b",
        "notice": r"\bkündigungsfrist\b|\bfrist\b.{0,40}\bkündig",
        "renewal": r"verlänger",
        "term": r"\b(?:laufzeit|vertragsdauer)\b|\bwie lange\b.{0,30}(?:läuft|gilt|dauert)",
        "liability_cap": r"haftung\w*|\bhaftet\b",
        "payment": r"\bzahlungs(?:frist|ziel|bedingung)\w*|\bwann\b.{0,40}\b(?:zahlen|zahlbar|bezahlt|fällig)\b",
        "minimum_commitment": r"\bmindest(?:abnahme|menge)\w*",
        "price": r"\b(?:\w*preis|\w*vergütung|\w*miete|\w*honorar|\w*entgelt|\w*gebühr)\b",
        "termination_for_convenience": r"\b(?:ordentlich|ohne grund|jederzeit)\b.{0,40}künd",
        "termination": r"\bkündig",
        "assignment": r"\b(?:abgetreten|abtretung|abtreten|übertragen)\b",
        "exclusivity": r"exklusiv",
    },
    report=r"\b(?:umsatzerlöse|jahresabschluss|konzernabschluss|lagebericht|geschäftsjahr|bilanzsumme|jahresüberschuss|konzernergebnis|aktionäre|ebitda?|geschäftsbericht|halbjahresbericht)\b",
)

"""Italian contracts."""

from longleaf.app.facts.languages.patterns import ClausePatterns, LanguagePatterns, number_words

_CONTRACT = r"(?:contratto|accordo|convenzione|scrittura|locazione)"
_TIME = r"(?:giorn[oi]|mes[ei]|ann[oi]|settiman[ae])"
_SUM = r"(?:€|EUR|euro|CHF|\$)"

ITALIAN = LanguagePatterns(
    code="it",
    clauses={
        "term": ClausePatterns(
            r"durata|decorrenza|efficacia|entrata\s+in\s+vigore",
            (
                (
                    3.0,
                    rf"\b{_CONTRACT}\b.{{0,60}}\b(?:durata|decorre|decorrenza|efficac\w+|vigore|validità|vigente|dura)\b.{{0,60}}(?:\d|{_TIME}|indeterminat)",
                ),
                (
                    3.0,
                    rf"\bdurata\b.{{0,50}}\b(?:di|è|pari|sarà|fissata)\b.{{0,40}}(?:{_TIME}|indeterminat)|\btempo\s+indeterminato",
                ),
                (1.0, r"\ba\s+(?:decorrere|partire)\s+da|\bfino\s+al\b|\bscad|\bcessa|\btermin"),
                (-2.0, r"garanzia|riservatezza|fattur|pagamento|preavviso|rinnov|consegna|prorog"),
            ),
        ),
        "renewal": ClausePatterns(
            r"durata|rinnovo|proroga",
            (
                (
                    3.0,
                    r"\b(?:rinnov\w+|prorog\w+)\b.{0,120}(?:tacit\w*|automatic\w*|period[oi]|ann[oi]|mes[ei]|ugual|success)|(?:tacitamente|automaticamente)\s+(?:\w+\s+){0,3}(?:rinnov|prorog)",
                ),
                (
                    -2.5,
                    r"termine\s+di\s+consegna|garanzia|senza\s+(?:tacito\s+)?rinnovo|esclus\w+\s+(?:\w+\s+){0,3}rinnovo",
                ),
            ),
        ),
        "notice": ClausePatterns(
            r"preavviso|disdetta|anticipo|prima\s+della\s+scadenza",
            (
                (
                    2.5,
                    r"\b(?:rinnov\w+|prorog\w+|scadenza)\b.{0,200}\b(?:preavviso|disdetta|salvo|comunic\w+|prima)|\b(?:preavviso|disdetta|salvo)\b.{0,200}\b(?:rinnov\w+|prorog\w+|scadenza)",
                ),
                (1.0, rf"\b(?:preavviso|almeno|prima)\b.{{0,40}}{_TIME}|{_TIME}\s+(?:prima|di\s+preavviso)"),
                (-2.0, r"inadempi|giusta\s+causa"),
            ),
        ),
        "price": ClausePatterns(
            r"prezzo|corrispettiv|canone|compenso|onorari|retribuzione",
            (
                (
                    3.0,
                    rf"\b(?:prezz[oi]|corrispettiv[oi]|canone|compens[oi]|onorari[oi]?|retribuzione|importo|tariffa|somma|provvigione)\b.{{0,90}}(?:\d.{{0,16}}{_SUM}|{_SUM}\s?\d)",
                ),
                (
                    1.0,
                    r"\b(?:verserà|pagherà|corrisponderà|ammonta|è\s+(?:pari|di|fissato|stabilito|convenuto)|pari\s+a)\b",
                ),
                (
                    -3.0,
                    r"responsabilità|penale|cauzion|deposito|assicur|capitale\s+sociale|risarc|danni|minim|mora",
                ),
            ),
        ),
        "payment": ClausePatterns(
            r"prezzo|pagament|corrispettiv|canone|fattur|compenso",
            (
                (
                    2.5,
                    r"\b(?:pagat[oaie]|pagament[oi]|pagabil[ei]|pagherà|versat[oaie]|versamento|corrispost[oaie]|liquidat[oaie]|saldat[oaie])\b.{0,90}(?:giorn|mes[ei]|anticipat|trimestr|ricevimento|data)",
                ),
                (1.5, r"\bfattur"),
                (1.0, r"\bentro\b|\bfine\s+mese|\bricevimento|\bmensil|\btrimestral|\banticipat"),
                (-2.0, r"responsabilità|penale|risolu|recesso|interessi"),
            ),
        ),
        "minimum_commitment": ClausePatterns(
            r"minim",
            (
                (
                    3.0,
                    r"\b(?:acquisto|ordine|quantit\w+|quantitativ\w+|volume|fatturato|importo|royalty|canone)\s+(?:\w+\s+){0,2}minim|\bminim[oi]\s+(?:di\s+(?:acquisto|ordine)|garantit|annu)",
                ),
                (
                    2.5,
                    r"\bsi\s+(?:obbliga|impegna)\b.{0,100}\b(?:almeno|non\s+meno\s+di|un\s+minimo\s+di)\b.{0,30}\d",
                ),
                (-3.0, r"assicur|preavviso|nessun\w*\s+(?:\w+\s+){0,2}minim|senza\s+(?:\w+\s+){0,2}minim"),
            ),
        ),
        "liability_cap": ClausePatterns(
            r"responsabilità",
            (
                (
                    3.0,
                    r"\b(?:responsabilità|risarciment\w+|danni|indennizzo)\b.{0,160}\b(?:limitat\w*|massim[oae]|eccede\w+|supera\w+|superior\w*|massimale|limite|fino\s+a|sino\s+a)\b",
                ),
                (-3.0, r"\bassicurativ|polizza|penale"),
            ),
        ),
        "termination_for_convenience": ClausePatterns(
            r"recesso|durata|cessazione",
            (
                (
                    3.5,
                    r"\b(?:in\s+(?:qualsiasi|qualunque|ogni)\s+momento|liberamente|senza\s+(?:obbligo\s+di\s+|necessità\s+di\s+)?(?:motiv\w+|giusta\s+causa|giustific\w+|causa)|ad\s+nutum)\b.{0,140}|reced\w+.{0,120}\b(?:in\s+(?:qualsiasi|qualunque|ogni)\s+momento|liberamente|senza\s+motiv)",
                ),
                (1.0, r"\b(?:reced\w+|recesso)\b"),
                (1.0, r"\bpreavviso\b"),
                (
                    -4.0,
                    r"inadempi|\bnon\s+(?:può|potrà|possono|potranno)\b.{0,60}reced|ispezion|access|verific",
                ),
            ),
            4.0,
        ),
        "termination": ClausePatterns(
            r"risoluzione|recesso|cessazione",
            (
                (
                    3.0,
                    r"\b(?:risolv\w+|risoluzione|risolt[oi]|reced\w+|recesso)\b.{0,160}\b(?:inadempi\w+|giusta\s+causa|diffida|1456|diritto|preavviso)|\binadempi\w+\b.{0,160}\brisol",
                ),
                (-1.0, r"rinnov|prorog"),
            ),
        ),
        "assignment": ClausePatterns(
            r"cessione|cedibilità|divieto\s+di",
            (
                (2.0, r"\b(?:cedut[oaie]|cedere|cessione|trasferit[oaie]|trasferire|cedibile|subloca\w+)\b"),
                (
                    1.5,
                    r"\b(?:consenso|autorizzazione|assenso)\b|\bnon\s+(?:può|potrà|possono|potranno)|\bvietat",
                ),
                (1.0, rf"\b(?:diritti|obblighi|{_CONTRACT})\b"),
                (-3.0, r"proprietà\s+intellettuale|diritti\s+d'autore|risultati|dati\s+personali|quote"),
            ),
            3.5,
        ),
        "exclusivity": ClausePatterns(
            r"esclusiva|esclusività",
            (
                (
                    3.0,
                    r"\b(?:in|di|l'|con)\s?esclusiva\b|\besclusività\b|\b(?:diritto|distributore|licenza|fornitore|carattere|concessionario|agente)\s+esclusiv[oa]|\bin\s+via\s+esclusiva",
                ),
                (
                    -4.0,
                    r"foro|competen|tribunal|giurisdizione|non\s+(?:in\s+)?esclusiv|senza\s+(?:\w+\s+)?esclusiv",
                ),
            ),
        ),
    },
    law=r"\b(?:regolat[oaie]|disciplinat[oaie]|soggett[oaie]|rett[oaie]|governat[oaie]|sottopost[oaie]|interpretat[oaie]|applicabile|applica)\b.{0,90}\b(?:legg[ei]|diritto|normativa|legislazione)\b|\b(?:legge|diritto)\s+applicabile\b|\b(?:legge|diritto)\s+\w+\s+(?:regola|disciplina|si\s+applica)",
    law_heading=r"\blegge\b|diritto|applicabile",
    not_in_law=r"\bforo\b|competen|tribunal|giurisdizione|ad\s+esclusione|con\s+esclusione|arbitrat|fatta\s+eccezione|escluse?\s+le",
    places={
        "Italy": r"italian[aoei]|italia|repubblica\s+italiana",
        "Switzerland": r"svizzer[aoei]",
        "San Marino": r"sammarinese|san\s+marino",
        "Germany": r"tedesc[aoh]i?|germania",
        "France": r"francese|francia",
        "Spain": r"spagnol[aoei]|spagna",
        "Austria": r"austriac[aoh]i?|austria",
        "England": r"inglese|inghilterra",
        "Ireland": r"irlandese|irlanda",
        "Netherlands": r"olandese|paesi\s+bassi",
        "Belgium": r"belga|belgio",
        "Portugal": r"portoghese|portogallo",
        "Luxembourg": r"lussemburghese|lussemburgo",
        "Poland": r"polacc[aoh]i?|polonia",
        "United States": r"statunitense|stati\s+uniti",
        "China": r"cinese|repubblica\s+popolare\s+cinese",
        "Japan": r"giapponese|giappone",
    },
    begins_before=r"\b(?:a\s+(?:decorrere|partire|far\s+data)\s+dal|dal(?:\s+giorno)?|decorr\w+\s+dal|con\s+decorrenza\s+(?:dal)?|con\s+effetto\s+(?:dal)?|entra(?:no)?\s+in\s+vigore\s+il|entrerà\s+in\s+vigore\s+il|in\s+vigore\s+(?:dal|il)|inizio\s+(?:il)?:?|avrà\s+inizio\s+il|ha\s+inizio\s+il|decorrenza\s?:|efficace\s+dal|efficacia\s+dal)",
    begins_after=r"(?:\(?[\"']?data\s+di\s+(?:efficacia|decorrenza))",
    ends_before=r"\b(?:fino\s+al|sino\s+al|al|scad\w+\s+il|scadenza\s+(?:il|al|:)|termin\w+\s+il|cess\w+\s+(?:\w+\s+){0,3}il|avrà\s+(?:termine|fine)\s+il|ha\s+termine\s+il|con\s+termine\s+(?:il|al)|entro\s+e\s+non\s+oltre\s+il)",
    ends_after=r"(?:compreso|incluso)",
    effective=r"entr\w+\s+in\s+vigore|decorr\w+|efficac\w+|con\s+effetto|a\s+partire\s+dal|ha\s+inizio|avrà\s+inizio",
    on_signing=r"\b(?:vigore|efficac\w+|effetto|decorre\w*)\b.{0,60}\b(?:sottoscrizione|firma)",
    signed_label=r"data|data\s+(?:di\s+(?:sottoscrizione|stipula|firma)|del\s+contratto)|^\s?(?:letto,\s+confermato\s+e\s+sottoscritto\s+(?:in|a)\s+)?[A-ZÀ-Þ][\w' ]{2,24},\s+(?:lì|il|addì|li')|in\s+data|stipulato\s+il|l'anno\s+\w+,?\s+il\s+giorno",
    signed_before=r"\b(?:stipulat[oa]|sottoscritt[oa]|firmat[oa]|conclus[oa]|concordat[oa])\b.{0,40}\b(?:il(?:\s+giorno)?|in\s+data|addì)",
    signed_after=r"(?:è\s+stato\s+(?:stipulato|firmato|sottoscritto)|si\s+(?:stipula|conviene))\b",
    role_labels=r"(?:il\s+|la\s+|l')?(?:committente|appaltatore|venditore|acquirente|compratore|locatore|conduttore|fornitore|cliente|prestatore|consulente|licenziante|licenziatario|concedente|concessionario|distributore|preponente|agente|mutuante|mutuatario|parte\s+[ab12])",
    persons=r"Sig\.ra|Sig\.|Signora?|Dott\.ssa|Dott\.|Avv\.|Ing\.",
    not_a_party=r"rappresentat[oa]\s+da|controllata\s+da|banca|notaio|iscritta\s+(?:al|presso)",
    numbers=number_words(
        """un 1 uno 1 una 1 due 2 tre 3 quattro 4 cinque 5 sei 6 sette 7 otto 8 nove 9 dieci 10 undici 11 dodici 12 quindici 15
        diciotto 18 venti 20 ventiquattro 24 trenta 30 trentasei 36 quarantacinque 45 quarantotto 48 sessanta 60 novanta 90
        centoventi 120 centottanta 180"""
    ),
    units={
        r"giorn[oi]\s+(?:lavorativ[oi]|feriali)": "business day",
        r"giorn[oi]\b": "day",
        r"settiman[ae]\b": "week",
        r"mes[ei]\b": "month",
        r"ann[oi]\b": "year",
        r"trimestr[ei]\b": "quarter",
    },
    questions={
        "parties": r"\bchi sono\b.{0,30}\bparti\b|\bparti (?:del|dell')\s?(?:contratto|accordo)",
        "governing_law": r"\bquale (?:legge|diritto)\b|\b(?:legge|diritto) applicabile\b",
        "agreement_date": r"\bquando\b.{0,50}\b(?:firmat|stipulat|sottoscritt|conclus)|\bdata (?:di stipula|del contratto|di firma)",
        "effective_date": r"\bquando\b.{0,50}\b(?:vigore|decorre|inizia|efficac)|\bdata di (?:efficacia|decorrenza|inizio)",
        "expiration_date": r"\bquando\b.{0,50}\b(?:scade|termina|finisce|cessa)|\bdata di scadenza\b",
        "notice": r"\b(?:preavviso|disdetta)\b",
        "renewal": r"\b(?:rinnov|prorog)",
        "term": r"\bdurata\b|\bquanto dura\b",
        "liability_cap": r"\bresponsabilità\b",
        "payment": r"\b(?:termini|condizioni|modalità) di pagamento\b|\bquando\b.{0,40}\bpaga",
        "minimum_commitment": r"\bminim",
        "price": r"\b(?:prezzo|canone|corrispettivo|compenso|importo|onorari)",
        "termination_for_convenience": r"\b(?:senza motivo|in qualsiasi momento|senza giusta causa)\b|\breced",
        "termination": r"\b(?:risol|recesso)",
        "assignment": r"\b(?:ceduto|cedere|cessione)\b",
        "exclusivity": r"\besclusiv",
    },
    report=r"\b(?:bilancio\s+consolidato|ricavi|utile\s+netto|conto\s+economico|stato\s+patrimoniale|relazione\s+(?:annuale|finanziaria)|azionisti|rendiconto\s+finanziario|esercizio\s+chiuso)\b",
)

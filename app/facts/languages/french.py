"""French contracts."""

from longleaf.app.facts.languages.patterns import ClausePatterns, LanguagePatterns, number_words

_CONTRACT = r"(?:contrat|convention|accord|bail|présentes)"
_TIME = r"(?:jours?|mois|ans?|années?|semaines?)"
_SUM = r"(?:€|EUR|euros?|CHF|francs|\$)"

FRENCH = LanguagePatterns(
    code="fr",
    clauses={
        "term": ClausePatterns(
            r"\bdurée\b|entrée\s+en\s+vigueur|prise\s+d'effet|\bterme\b",
            (
                (
                    3.0,
                    rf"\b{_CONTRACT}\b.{{0,60}}\b(?:conclue?|consentie?|souscrite?|établie?|prend|entre|est|signée?)\b.{{0,60}}\b(?:pour|durée|période|jusqu'au|terme|indéterminée)\b",
                ),
                (3.0, rf"\bdurée\b.{{0,50}}\b(?:de|est|fixée)\b.{{0,40}}{_TIME}|\bdurée\s+(?:in)?déterminée"),
                (1.0, r"\bà\s+compter\s+d|\bjusqu'au\b|\bà\s+partir\s+d|\bexpire|\bprend\s+fin"),
                (
                    -2.0,
                    r"garantie|confidentialité|factur|paiement|préavis\s+de|reconduction|renouvel|livraison",
                ),
            ),
        ),
        "renewal": ClausePatterns(
            r"durée|renouvellement|reconduction",
            (
                (
                    3.0,
                    r"\b(?:renouvel\w+|reconduit\w*|reconduction|prorog\w+|prolong\w+)\b.{0,100}(?:tacite\w*|période|durée|an\b|ans\b|année|mois|automatique\w*)|\btacite\w*\s+(?:reconduction|reconduit)|\btacitement\b",
                ),
                (-2.5, r"\bdélai\s+de\s+livraison|garantie|sans\s+(?:tacite\s+)?reconduction\s+possible"),
            ),
        ),
        "notice": ClausePatterns(
            r"préavis|dénonciation|dénonc|avant\s+(?:l'échéance|le\s+terme|l'expiration|la\s+date|son\s+terme)",
            (
                (
                    2.5,
                    r"\b(?:renouvel\w+|reconduit\w*|reconduction|prorog\w+|prolong\w+|échéance|terme)\b.{0,200}\b(?:préavis|dénonc\w+|sauf|notifi\w+|opposition)|\b(?:préavis|dénonc\w+|sauf)\b.{0,200}\b(?:renouvel\w+|reconduit|reconduction|échéance)",
                ),
                (1.0, rf"\b(?:préavis|moins|avant)\b.{{0,40}}{_TIME}|{_TIME}\s+(?:au\s+moins\s+)?avant"),
                (-2.0, r"manquement|faute\s+grave|\binexécution"),
            ),
        ),
        "price": ClausePatterns(
            r"\bprix\b|rémunération|loyer|honoraires|redevance|conditions\s+financières|tarif",
            (
                (
                    3.0,
                    rf"\b(?:prix|rémunération|loyer|honoraires|redevance|forfait|tarif|montant|salaire|somme|commission)\b.{{0,90}}(?:\d.{{0,16}}{_SUM}|{_SUM}\s?\d)",
                ),
                (1.0, r"\b(?:versera|paiera|règlera|verse|paie|fixée?|s'élève|est\s+de)\b"),
                (
                    -3.0,
                    r"responsabilité|pénalité|dépôt\s+de\s+garantie|caution|assur|capital\s+(?:social\s+)?de|dommages|minimum|retard|indemnité\s+forfaitaire",
                ),
            ),
        ),
        "payment": ClausePatterns(
            r"prix|paiement|rémunération|loyer|factur|règlement|honoraires|redevance|conditions\s+financières",
            (
                (
                    2.5,
                    r"\b(?:payables?|réglée?s?|exigibles?|paiement|règlement|payée?s?|versée?s?|acquittée?s?)\b.{0,80}(?:jours?|mois|avance|terme|réception|échéance|trimestr)",
                ),
                (1.5, r"\bfactur"),
                (1.0, r"\bfin\s+de\s+mois|\bréception\b|\bmensuel|\btrimestriel|\bd'avance"),
                (-2.0, r"responsabilité|pénalité|résili|intérêt"),
            ),
        ),
        "minimum_commitment": ClausePatterns(
            r"minimum|minima|engagement",
            (
                (
                    3.0,
                    r"\b(?:minimum|minimale?|minima)\s+(?:d'achat|de\s+commande|garanti\w*|annuel\w*)|\b(?:quantité|volume|montant|commande|redevance|achats?)\s+(?:\w+\s+){0,2}minim",
                ),
                (2.5, r"\bs'engage\b.{0,100}\bau\s+(?:moins|minimum)\b.{0,30}\d"),
                (-3.0, r"aucun\w*\s+\w*\s?minim|assur|préavis"),
            ),
        ),
        "liability_cap": ClausePatterns(
            r"responsabilité",
            (
                (
                    3.0,
                    r"\b(?:responsabilité|indemni\w+|dommages(?:-intérêts)?|réparation)\b.{0,160}\b(?:limitée?|plafonnée?|excéd\w*|excèd\w*|dépass\w*|plafond|maximum|supérieure?|hauteur\s+de)",
                ),
                (2.0, r"\bplafond\b.{0,40}\bresponsabilité"),
                (-3.0, r"\bassurance|pénalités?\s+de\s+retard|police"),
            ),
        ),
        "termination_for_convenience": ClausePatterns(
            r"résiliation|durée|fin\s+du\s+contrat",
            (
                (
                    3.5,
                    r"\b(?:à\s+tout\s+moment|sans\s+(?:avoir\s+à\s+\w+\s+(?:de\s+)?)?(?:motif|justifi\w+|cause|raison)|pour\s+convenance|ad\s+nutum|discrétionnaire\w*)\b.{0,140}|résili\w+.{0,120}\b(?:à\s+tout\s+moment|sans\s+motif|pour\s+convenance|librement)\b",
                ),
                (1.0, r"\brésili\w+|\bmettre\s+fin|\bdénonc|\brompre"),
                (1.0, r"\bpréavis\b"),
                (
                    -4.0,
                    r"manquement|faute|inexécution|\bne\s+(?:peut|pourra|peuvent)\b.{0,60}résili|contrôl|accès|inspect|audit",
                ),
            ),
            4.0,
        ),
        "termination": ClausePatterns(
            r"résiliation|résolution",
            (
                (
                    3.0,
                    r"\b(?:résili\w+|résolution|résolu)\b.{0,160}\b(?:manquement|inexécution|faute|mise\s+en\s+demeure|défaut|plein\s+droit|préavis)|\b(?:manquement|inexécution|faute|défaut)\b.{0,160}\brésili",
                ),
                (-1.0, r"reconduction|renouvel"),
            ),
        ),
        "assignment": ClausePatterns(
            r"cession|incessibilité|transfert|intuitu",
            (
                (2.0, r"\b(?:cédée?s?|céder|cession|transférée?s?|transférer|cessible|incessible)\b"),
                (
                    1.5,
                    r"\b(?:accord|consentement|autorisation|agrément)\b|\bne\s+(?:peut|pourra|peuvent|saurait)|\binterdit",
                ),
                (1.0, rf"\b(?:droits|obligations|{_CONTRACT})\b"),
                (
                    -3.0,
                    r"propriété\s+intellectuelle|droits\s+d'auteur|résultats|données|contrôle\s+de\s+la\s+société|cession\s+de\s+parts",
                ),
            ),
            3.5,
        ),
        "exclusivity": ClausePatterns(
            r"exclusivité",
            (
                (
                    3.0,
                    r"\bexclusivité\b|\b(?:droit|distributeur|licence|distribution|concession|fournisseur|titre)\s+exclusi(?:f|ve)\b|\bà\s+titre\s+exclusif",
                ),
                (
                    -4.0,
                    r"compéten|tribun|juridiction|non[\s-]exclusi|sans\s+exclusivité|usage\s+exclusif|aucune\s+exclusivité",
                ),
            ),
        ),
    },
    law=r"\b(?:régie?s?|soumise?s?|gouvernée?s?|assujettie?s?|interprétée?s?|applicable|s'applique)\b.{0,90}\b(?:droit|lois?|législation)\b|\b(?:droit|loi|législation)\s+(?:\w+\s)?(?:applicable|\w+)\s+(?:est|s'applique|régit|régira|sera)\b|\b(?:droit|loi)\s+applicable\b",
    law_heading=r"\bdroit\b|\bloi\b|législation",
    not_in_law=r"tribuna|compéten|juridiction|à\s+l'exclusion|à\s+l'exception|litige|différend",
    places={
        "France": r"français\w*|france|république\s+française",
        "Belgium": r"belge|belgique",
        "Switzerland": r"suisse",
        "Luxembourg": r"luxembourg\w*",
        "Quebec": r"québec\w*|quebec",
        "Germany": r"allemand\w*|allemagne",
        "Austria": r"autrichien\w*|autriche",
        "Spain": r"espagnole?|espagne",
        "Italy": r"italien\w*|italie",
        "Netherlands": r"néerlandais\w*|pays-bas",
        "Portugal": r"portugais\w*|portugal",
        "England": r"anglais\w*|angleterre",
        "Morocco": r"marocain\w*|maroc",
        "Tunisia": r"tunisien\w*|tunisie",
        "Algeria": r"algérien\w*|algérie",
        "Senegal": r"sénégalais\w*|sénégal",
        "Ivory Coast": r"ivoirien\w*|côte\s+d'ivoire",
        "Cameroon": r"camerounais\w*|cameroun",
        "Monaco": r"monégasque|monaco",
        "Canada": r"canadien\w*",
        "United States": r"américain\w*|états-unis",
        "China": r"chinois\w*|république\s+populaire\s+de\s+chine",
        "Japan": r"japonais\w*|japon",
    },
    begins_before=r"\b(?:à\s+compter\s+du|à\s+partir\s+du|depuis\s+le|dès\s+le|prend\s+effet\s+le|prend\s+effet\s+au|prendra\s+effet\s+le|effet\s+(?:au|le)|entre(?:ra)?\s+en\s+vigueur\s+(?:le|au)|en\s+vigueur\s+(?:le|au)|débute(?:ra)?\s+le|commence(?:ra)?\s+(?:à\s+courir\s+)?le|du|date\s+d'effet\s?:|prise\s+d'effet\s?:)",
    begins_after=r"(?:\(?date\s+d'(?:effet|entrée))",
    ends_before=r"\b(?:jusqu'au|expire(?:ra)?\s+le|prend(?:ra)?\s+fin\s+le|s'achève(?:ra)?\s+le|se\s+termine(?:ra)?\s+le|échéance\s+(?:est\s+fixée\s+)?(?:le|au)|\bau|fin\s+au|arrive(?:ra)?\s+à\s+(?:son\s+)?(?:terme|échéance)\s+le|terme\s+le|plein\s+droit\s+le)",
    ends_after=r"(?:inclus)",
    effective=r"prend\w*\s+effet|entr\w+\s+en\s+vigueur|date\s+d'effet|prise\s+d'effet|à\s+compter\s+du|débute",
    on_signing=r"\b(?:effet|vigueur)\b.{0,60}\b(?:signature|jour\s+de\s+sa\s+signature)",
    signed_label=r"date|date\s+de\s+signature|(?:fait|signé|conclu)\s+à\s+[^,\d]{2,30},?\s+(?:en\s+\w+\s+exemplaires(?:\s+originaux)?,?\s+)?le|(?:fait|signé|conclu)\s+le|^[A-ZÀ-Þ][\w-]{2,20},\s+le|en\s+date\s+du",
    signed_before=r"\b(?:conclue?|signée?|intervenue?|passée?)\s+(?:à\s+\w+,?\s+)?(?:le|en\s+date\s+du)|(?:présent|présente)\s+\w+\s+(?:daté|datée|en\s+date)\s+du",
    signed_after=r"(?:a\s+été\s+)?(?:conclu|signé)e?\b",
    role_labels=r"(?:le\s+|la\s+|l')?(?:client|prestataire|vendeur|acheteur|acquéreur|bailleur|preneur|locataire|fournisseur|employeur|salarié|concédant|licencié|distributeur|mandant|mandataire|emprunteur|prêteur|partie\s+[ab12])e?",
    persons=r"M\.|Mme|Monsieur|Madame|Mlle|Maître",
    not_a_party=r"représentée?\s+par|filiale\s+(?:de|du)|banque|notaire|inscrite?\s+au|registre",
    numbers=number_words(
        """un 1 une 1 deux 2 trois 3 quatre 4 cinq 5 six 6 sept 7 huit 8 neuf 9 dix 10 onze 11 douze 12 quatorze 14 quinze 15
        dix-huit 18 vingt 20 vingt-quatre 24 trente 30 trente-six 36 quarante-cinq 45 quarante-huit 48 soixante 60
        quatre-vingt-dix 90"""
    ),
    units={
        r"jours?\s+(?:ouvrés?|ouvrables?)": "business day",
        r"jours?\b": "day",
        r"semaines?\b": "week",
        r"mois\b": "month",
        r"ans?\b|années?\b": "year",
        r"trimestres?\b": "quarter",
    },
    questions={
        "parties": r"\bqui sont\b.{0,30}\bparties\b|\bparties (?:au|à la|du)\b",
        "governing_law": r"\bquel(?:le)? (?:droit|loi)\b|\b(?:droit|loi) applicable\b",
        "agreement_date": r"\bquand\b.{0,50}\b(?:signée?|conclue?)\b|\bdate (?:de signature|du contrat)\b",
        "effective_date": r"\bquand\b.{0,50}\b(?:vigueur|effet|commence|débute)\b|\bdate d'(?:effet|entrée)",
        "expiration_date": r"\bquand\b.{0,50}\b(?:expire|fin|termine)\b|\bdate (?:d'expiration|de fin)\b",
        "notice": r"\bpréavis\b",
        "renewal": r"\brenouvel|\breconduc",
        "term": r"\bdurée (?:du|de la|de l')\s?(?:contrat|bail|convention|accord)|\bquelle est la durée\b|\bcombien de temps\b",
        "liability_cap": r"\bresponsabilité\b",
        "payment": r"\b(?:délai|conditions|modalités) de (?:paiement|règlement)\b|\bquand\b.{0,40}\b(?:payer|payé|réglé)",
        "minimum_commitment": r"\bminimum\b",
        "price": r"\b(?:prix|loyer|rémunération|honoraires|redevance|tarif)\b",
        "termination_for_convenience": r"\b(?:sans motif|à tout moment|convenance)\b",
        "termination": r"\brésili",
        "assignment": r"\b(?:cédé|céder|cession|transférer)\b",
        "exclusivity": r"\bexclusi",
    },
    report=r"\b(?:chiffre\s+d'affaires|comptes\s+consolidés|résultat\s+net|exercice\s+clos|rapport\s+annuel|rapport\s+de\s+gestion|actionnaires|résultat\s+opérationnel|bilan\s+consolidé|flux\s+de\s+trésorerie)\b",
)

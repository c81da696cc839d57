"""Dutch contracts."""

from longleaf.app.facts.languages.patterns import ClausePatterns, LanguagePatterns, number_words

_CONTRACT = r"(?:\w*overeenkomst|contract|huurovereenkomst|huur)"
_TIME = r"(?:dag(?:en)?|maand(?:en)?|jaar|jaren|we(?:ek|ken)|werkdagen)"
_SUM = r"(?:€|EUR|euro)"

DUTCH = LanguagePatterns(
    code="nl",
    clauses={
        "term": ClausePatterns(
            r"duur|looptijd|ingangsdatum|inwerkingtreding|aanvang",
            (
                (
                    3.0,
                    rf"\b{_CONTRACT}\b.{{0,60}}\b(?:aangegaan|gesloten|loopt|geldt|vangt\s+aan|gaat\s+in|duurt|treedt|eindigt|duur|looptijd)\b.{{0,70}}(?:\d|{_TIME}|onbepaalde)",
                ),
                (
                    3.0,
                    rf"\b(?:looptijd|duur|contractduur|huurperiode|huurtermijn)\b.{{0,50}}\b(?:van|bedraagt|is)\b.{{0,40}}(?:{_TIME}|onbepaalde)|\bonbepaalde\s+(?:tijd|duur)",
                ),
                (
                    1.0,
                    r"\bingaande\b|\bmet\s+ingang\s+van|\btot\s+en\s+met\b|\bvanaf\b|\beindigt\b|\bvan\s+rechtswege",
                ),
                (-2.0, r"garantie|geheimhouding|factu|betal|opzeg|verleng|levertijd"),
            ),
        ),
        "renewal": ClausePatterns(
            r"duur|looptijd|verlenging",
            (
                (
                    3.0,
                    r"\b(?:verlengd|verlenging|verlengt|voortgezet)\b.{0,100}(?:stilzwijgend|automatisch|periode|jaar|maand|telkens)|(?:stilzwijgend|automatisch|telkens)\s+(?:\w+\s+){0,5}(?:verlengd|voortgezet|verlenging)|\b(?:een|één|twee)\s+jaar\b.{0,30}verlengd|\bverlengings?optie",
                ),
                (
                    -2.5,
                    r"levertermijn|betalingstermijn|garantie|niet\s+(?:stilzwijgend\s+)?verlengd|geen\s+(?:stilzwijgende\s+)?verlenging",
                ),
            ),
        ),
        "notice": ClausePatterns(
            r"opzegtermijn|opzegging|opgezegd|opzegt|opzeggen|inachtneming",
            (
                (
                    2.5,
                    r"\b(?:verlengd|verlenging|voortgezet)\b.{0,200}\b(?:opzeg\w*|opgezegd|tenzij|behoudens)|\b(?:opzeg\w*|opgezegd|tenzij|behoudens)\b.{0,200}\b(?:verlengd|verlenging)|\btegen\s+het\s+einde\b.{0,120}\b(?:opzeg|opgezegd)",
                ),
                (
                    1.0,
                    rf"\b(?:opzegtermijn|termijn|uiterlijk|minimaal|ten\s+minste)\b.{{0,40}}{_TIME}|{_TIME}\s+voor",
                ),
                (-2.0, r"tekortkom|wanprestatie|dringende\s+reden"),
            ),
        ),
        "price": ClausePatterns(
            r"prijs|prijzen|vergoeding|huur|honorarium|koopsom|tarie",
            (
                (
                    3.0,
                    rf"\b(?:\w*prijs|\w*vergoeding|\w*huur(?:prijs)?|honorarium|koopsom|tarief|uurtarief|bedrag|\w*loon|salaris|licentievergoeding)\b.{{0,90}}(?:\d.{{0,16}}{_SUM}|{_SUM}\s?\d)",
                ),
                (1.0, r"\b(?:bedraagt|betaalt|bedragen|is\s+vastgesteld|is\s+verschuldigd)\b"),
                (-3.0, r"aansprakelijk|boete|waarborgsom|borg|verzeker|schade|minim"),
            ),
        ),
        "payment": ClausePatterns(
            r"prijs|betaling|factu|huur|vergoeding",
            (
                (
                    2.5,
                    r"\b(?:betaald|betaling|betaalt|betalen|voldaan|voldoen|betaalbaar|verschuldigd)\b.{0,90}(?:dagen|maand|vooruit|kwartaal|ontvangst|factuurdatum)|\b(?:binnen|uiterlijk|vóór|voor\s+de\s+eerste)\b.{0,60}\b(?:betaald|betaling|betalen|voldaan|voldoen)",
                ),
                (1.5, r"\bfactu"),
                (
                    1.0,
                    r"\bbinnen\b|\bmaandelijks|\bper\s+kwartaal|\bfactuurdatum|\bbij\s+vooruitbetaling|\bvooruit\b|\bbetalingstermijn",
                ),
                (-2.0, r"aansprakelijk|boete|ontbind|rente"),
            ),
        ),
        "minimum_commitment": ClausePatterns(
            r"minim|afname",
            (
                (
                    3.0,
                    r"\b(?:minimum|minimale)\s*(?:afname|bestel|omzet|hoeveelheid|vergoeding|koop)\w*|\bafnameverplichting|\bminimaal\s+af\s+te\s+nemen",
                ),
                (
                    2.5,
                    r"\b(?:verplicht\s+zich|verbindt\s+zich|neemt|koopt|bestelt|afnemen)\b.{0,100}\b(?:ten\s+minste|tenminste|minimaal|minstens)\b.{0,30}\d",
                ),
                (-3.0, r"verzeker|opzeg|geen\s+(?:\w+\s+)?minim|termijn"),
            ),
        ),
        "liability_cap": ClausePatterns(
            r"aansprakelijk",
            (
                (
                    3.0,
                    r"\b(?:aansprakelijk\w*|schadevergoeding|schade)\b.{0,160}\b(?:beperkt|maximaal|maximum|ten\s+hoogste|hoogstens|niet\s+meer\s+dan|overschrijd\w+|gemaximeerd|tot)\b|\bten\s+hoogste\b.{0,60}aansprakelijk",
                ),
                (-3.0, r"verzekering\s+(?:af|met)|polis|boete|verzekeringsdekking\s+van"),
            ),
        ),
        "termination_for_convenience": ClausePatterns(
            r"opzegging|beëindiging|duur",
            (
                (
                    3.5,
                    r"\b(?:te\s+allen\s+tijde|op\s+elk\s+moment|zonder\s+(?:opgave\s+van\s+)?reden(?:en)?|tussentijds)\b.{0,140}\bopzeg\w*|\b(?:opzeg\w*|opgezegd)\b.{0,120}\b(?:te\s+allen\s+tijde|op\s+elk\s+moment|zonder\s+(?:opgave\s+van\s+)?reden)|\b(?:kan|kunnen|mag)\b.{0,100}\bmet\s+inachtneming\s+van\s+een\s+(?:opzeg)?termijn\b.{0,100}\b(?:opzeggen|opgezegd|beëindigen)",
                ),
                (1.0, r"\bopzegtermijn\b|\binachtneming\b"),
                (
                    -4.0,
                    r"tekortkom|wanprestatie|verlengd|\bniet\s+(?:tussentijds\s+)?(?:worden\s+)?(?:op(?:ge)?zeg|beëindig)|dringende|tussentijdse\s+opzegging\s+is\s+(?:niet|uitgesloten)",
                ),
            ),
            3.5,
        ),
        "termination": ClausePatterns(
            r"ontbinding|opzegging|beëindiging",
            (
                (
                    3.0,
                    r"\b(?:ontbind\w*|ontbonden|beëindig\w*|opzeg\w*|opgezegd)\b.{0,160}\b(?:tekort\w*|wanprestatie|ingebrekestelling|faillissement|onmiddellijke?|surseance|opzegtermijn|inachtneming)|\b(?:tekort\w*|wanprestatie|faillissement|surseance)\b.{0,160}\b(?:ontbind|ontbonden|beëindig|opzeg)",
                ),
                (-1.0, r"verlengd"),
            ),
        ),
        "assignment": ClausePatterns(
            r"overdracht|overdragen",
            (
                (2.0, r"\b(?:overdragen|overgedragen|overdracht|over\s+te\s+dragen|cederen|onderverhu\w+)\b"),
                (1.5, r"\b(?:toestemming|goedkeuring|instemming)\b|\bniet\b|\bverboden"),
                (1.0, rf"\b(?:rechten|verplichtingen|{_CONTRACT})\b"),
                (-3.0, r"intellectuele\s+eigendom|auteursrecht|gegevens|resultaten|aandelen\s+over"),
            ),
            3.5,
        ),
        "exclusivity": ClausePatterns(
            r"exclusiv",
            (
                (
                    3.0,
                    r"\bexclusiviteit\b|\bexclusie(?:f|ve)\s+(?:recht|distribut\w+|licentie|leverancier|agent|verkooprecht)|\bop\s+(?:basis\s+van\s+)?exclusie(?:f|ve)\s+basis",
                ),
                (-4.0, r"rechtbank|rechter|bevoegd|niet[\s-]exclusi|geen\s+(?:\w+\s+)?exclusi"),
            ),
        ),
    },
    law=r"\b(?:van\s+toepassing|beheerst|onderworpen|geldt|uitgelegd|toepasselijk)\b.{0,90}\brecht\b|\b\w*recht\b.{0,60}\b(?:van\s+toepassing|beheerst|toepasselijk|geldt)|\btoepasselijk\s+recht\b",
    law_heading=r"\brecht\b|rechtskeuze|geschillen",
    not_in_law=r"rechtbank|bevoegd|met\s+uitsluiting|met\s+uitzondering|rechter\b|arbitrage",
    places={
        "Netherlands": r"nederlandse?|nederland|koninkrijk\s+der\s+nederlanden",
        "Belgium": r"belgische?|belgisch|belgië",
        "Germany": r"duitse?|duitsland",
        "France": r"franse?|frankrijk",
        "Luxembourg": r"luxemburgse?|luxemburg",
        "England": r"engelse?|engeland",
        "Ireland": r"ierse?|ierland",
        "Switzerland": r"zwitserse?|zwitserland",
        "Austria": r"oostenrijkse?|oostenrijk",
        "Italy": r"italiaanse?|italië",
        "Spain": r"spaanse?|spanje",
        "Poland": r"poolse?|polen",
        "Denmark": r"deense?|denemarken",
        "Sweden": r"zweedse?|zweden",
        "Suriname": r"surinaamse?|suriname",
        "Curaçao": r"curaçaose?|curaçao",
        "United States": r"amerikaanse?|verenigde\s+staten",
        "China": r"chinese?|volksrepubliek\s+china",
        "Japan": r"japanse?|japan",
    },
    begins_before=r"\b(?:met\s+ingang\s+van|ingaande(?:\s+op)?|vanaf|per|op|gaat\s+in\s+(?:op|per)|treedt\s+(?:op|per)|vangt\s+aan\s+(?:op|per)|aanvangend\s+op|begint\s+op|start\s+op|ingangsdatum\s?:|sinds|van)",
    begins_after=r"(?:in\s+werking|in\b|aan\b|van\s+kracht)",
    ends_before=r"\b(?:tot\s+en\s+met|tot|t/m|eindigt\s+(?:\w+\s+){0,3}op|eindigend\s+op|loopt\s+af\s+op|eindigt\s+derhalve\s+op|van\s+rechtswege\s+op|verstrijkt\s+op|einddatum\s?:|expireert\s+op|eindigt\s+per)",
    ends_after=r"(?:van\s+rechtswege|eindigt)",
    effective=r"in\s+werking|treedt|gaat\s+in\b|ingang|ingaande|vangt\s+aan|van\s+kracht|vanaf|aanvang|begint",
    on_signing=r"\b(?:in\s+werking|van\s+kracht|gaat\s+in|treedt)\b.{0,60}\bondertekening|\bondertekening\b.{0,60}\b(?:in\s+werking|van\s+kracht)",
    signed_label=r"datum|contractdatum|datum\s+van\s+ondertekening|^\s?(?:aldus\s+(?:\w+\s+){0,8}te\s+[^,\d]{2,30},?\s+(?:op|d\.d\.)?)|^\s?(?:opgemaakt|getekend|ondertekend)\s+(?:\w+\s+)?te\s+[^,\d]{2,30},?\s+(?:op)?|^[A-Z][\w -]{2,24},|d\.d\.|gedateerd",
    signed_before=r"\b(?:ondertekend|gesloten|getekend|overeengekomen|aangegaan)\s+(?:te\s+\w+\s+)?op|\b(?:ondertekend|opgemaakt|getekend)\b.{0,50}\bop",
    signed_after=r"(?:is\s+)?(?:ondertekend|gesloten|getekend)\b",
    role_labels=r"(?:de\s+)?(?:opdrachtgever|opdrachtnemer|verkoper|koper|verhuurder|huurder|leverancier|afnemer|klant|licentiegever|licentienemer|werkgever|werknemer|distributeur|fabrikant|geldgever|leninggever|leningnemer|partij\s+[ab12])",
    persons=r"[Dd]e\s+heer|[Mm]evrouw|[Dd]hr\.|[Mm]evr\.|[Mm]w\.",
    not_a_party=r"vertegenwoordigd\s+door|dochter\w*\s+van|bank|notaris|ingeschreven\s+(?:bij|in)",
    numbers=number_words(
        """een 1 één 1 twee 2 drie 3 vier 4 vijf 5 zes 6 zeven 7 acht 8 negen 9 tien 10 elf 11 twaalf 12 veertien 14 vijftien 15
        achttien 18 twintig 20 vierentwintig 24 dertig 30 zesendertig 36 vijfenveertig 45 achtenveertig 48 zestig 60 negentig 90"""
    ),
    units={
        r"werkdag(?:en)?\b": "business day",
        r"(?:kalender)?dag(?:en)?\b": "day",
        r"we(?:ek|ken)\b": "week",
        r"(?:kalender)?maand(?:en)?\b": "month",
        r"(?:kalender)?ja(?:ar|ren)\b": "year",
        r"kwarta(?:al|len)\b": "quarter",
    },
    questions={
        "parties": r"\bwie zijn\b.{0,30}\bpartijen\b|\bpartijen bij\b",
        "governing_law": r"\bwelk recht\b|\btoepasselijk recht\b",
        "agreement_date": r"\bwanneer\b.{0,50}\b(?:ondertekend|gesloten|getekend)|\bdatum van (?:ondertekening|de overeenkomst)",
        "effective_date": r"\bwanneer\b.{0,50}\b(?:in werking|ingaat|gaat|begint|kracht)\b|\bingangsdatum\b",
        "expiration_date": r"\bwanneer\b.{0,50}\b(?:eindigt|afloopt|loopt)\b|\beinddatum\b",
        "notice": r"\bopzegtermijn\b",
        "renewal": r"\bverleng",
        "term": r"\b(?:looptijd|duur|contractduur)\b|\bhoe lang\b",
        "liability_cap": r"\baansprakelijk",
        "payment": r"\bbetalings?(?:termijn|voorwaarden)\b|\bwanneer\b.{0,40}\bbeta",
        "minimum_commitment": r"\bminim",
        "price": r"\b(?:\w*prijs|huur|vergoeding|koopsom|tarief|honorarium)\b",
        "termination_for_convenience": r"\b(?:zonder reden|te allen tijde|tussentijds)\b",
        "termination": r"\b(?:opgezegd|opzeggen|ontbind|ontbonden|beëindig)",
        "assignment": r"\b(?:overgedragen|overdragen|overdracht)\b",
        "exclusivity": r"\bexclusi",
    },
    report=r"\b(?:jaarrekening|jaarverslag|netto-?omzet|nettowinst|nettoresultaat|balanstotaal|kasstroom\w*|aandeelhouders|geconsolideerde|boekjaar)\b",
)

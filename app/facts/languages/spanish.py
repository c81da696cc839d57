"""Spanish contracts."""

from longleaf.app.facts.languages.patterns import ClausePatterns, LanguagePatterns, number_words

_CONTRACT = r"(?:contrato|acuerdo|convenio|arrendamiento)"
_TIME = r"(?:d[ií]as?|mes(?:es)?|años?|semanas?)"
_SUM = r"(?:€|EUR|euros?|\$|pesos|USD|MXN|dólares)"

SPANISH = LanguagePatterns(
    code="es",
    clauses={
        "term": ClausePatterns(
            r"duraci[óo]n|vigencia|plazo|entrada\s+en\s+vigor",
            (
                (
                    3.0,
                    rf"\b(?:{_CONTRACT}|vigencia)\b.{{0,60}}\b(?:duraci[óo]n|vigencia|vigor|plazo|vigente|durar[áa])\b.{{0,60}}(?:\d|{_TIME}|indefinid)",
                ),
                (
                    3.0,
                    rf"\b(?:duraci[óo]n|vigencia|plazo)\b.{{0,40}}\b(?:de|ser[áa]|es)\b.{{0,40}}(?:{_TIME}|indefinid)",
                ),
                (
                    1.0,
                    r"\bdesde\b|\ba\s+partir\s+del?|\bhasta\s+el\b|\bfinalizar|\bvencer|\bconclu|\bexpirar",
                ),
                (-2.0, r"garant[ií]a|confidencialidad|factura|pago|preaviso|prorrog|renov|entrega"),
            ),
        ),
        "renewal": ClausePatterns(
            r"duraci[óo]n|vigencia|pr[óo]rroga|renovaci[óo]n",
            (
                (
                    3.0,
                    r"\b(?:prorrog\w+|pr[óo]rrogas?|renov\w+)\b.{0,120}(?:t[áa]cita\w*|autom[áa]tica\w*|per[ií]odos?|plazos?|año|mes|sucesiv)|(?:t[áa]cita\w*|autom[áa]ticamente)\s+(?:\w+\s+){0,3}(?:prorrog|renov)",
                ),
                (-2.5, r"plazo\s+de\s+entrega|garant[ií]a|no\s+(?:se\s+)?(?:prorrog|renov)ar[áa]"),
            ),
        ),
        "notice": ClausePatterns(
            r"preaviso|antelaci[óo]n|anticipaci[óo]n|denuncia|avis[oe]",
            (
                (
                    2.5,
                    r"\b(?:prorrog\w+|pr[óo]rroga|renov\w+|vencimiento|terminaci[óo]n)\b.{0,200}\b(?:preaviso|antelaci[óo]n|anticipaci[óo]n|salvo|comuni\w+|notifi\w+|denunci\w+)|\b(?:preaviso|antelaci[óo]n|anticipaci[óo]n|salvo)\b.{0,200}\b(?:prorrog\w+|pr[óo]rroga|renov\w+|vencimiento)",
                ),
                (
                    1.0,
                    rf"{_TIME}\s+de\s+(?:antelaci[óo]n|anticipaci[óo]n|preaviso)|\b(?:preaviso|antelaci[óo]n|anticipaci[óo]n)\b.{{0,40}}{_TIME}",
                ),
                (-2.0, r"incumpl"),
            ),
        ),
        "price": ClausePatterns(
            r"precio|renta|honorarios|retribuci[óo]n|contraprestaci[óo]n|remuneraci[óo]n|canon",
            (
                (
                    3.0,
                    rf"\b(?:precio|renta|honorarios|retribuci[óo]n|contraprestaci[óo]n|remuneraci[óo]n|canon|importe|tarifa|salario|cuota|suma|cantidad|monto)\b.{{0,90}}(?:\d.{{0,16}}{_SUM}|{_SUM}\s?\d)",
                ),
                (1.0, r"\b(?:pagar[áa]|abonar[áa]|asciende|es\s+de|ser[áa]\s+de|se\s+fija)\b"),
                (
                    -3.0,
                    r"responsabilidad|penalizaci|fianza|seguro|indemni|capital\s+social|daños|m[ií]nim|dep[óo]sito",
                ),
            ),
        ),
        "payment": ClausePatterns(
            r"precio|pago|renta|honorarios|factura|retribuci[óo]n|contraprestaci[óo]n",
            (
                (
                    2.5,
                    r"\b(?:pagar[áa]n?|abonar[áa]n?|pagadera?s?|pagos?|satisfar[áa]|abono|se\s+har[áa]n?\s+efectiv\w+|liquidar[áa])\b.{0,90}(?:d[ií]as?|mes|anticip|adelantad|trimestr|recepci)",
                ),
                (1.5, r"\bfactura"),
                (1.0, r"\bdentro\s+de\s+los\b|\bmensual|\btrimestral|\brecepci[óo]n\b|\bplazo\s+de\b"),
                (-2.0, r"responsabilidad|penalizaci|resol|resci|inter[ée]s"),
            ),
        ),
        "minimum_commitment": ClausePatterns(
            r"m[ií]nim",
            (
                (
                    3.0,
                    r"\b(?:compra|pedido|cantidad|volumen|consumo|importe|royalty|canon)\w*\s+(?:\w+\s+){0,2}m[ií]nim|\bm[ií]nim[oa]s?\s+(?:de\s+(?:compra|pedido)|garantizad|anual)",
                ),
                (
                    2.5,
                    r"\b(?:se\s+(?:obliga|compromete)|deber[áa]|adquirir[áa]|comprar[áa])\b.{0,100}\b(?:al\s+menos|como\s+m[ií]nimo|no\s+menos\s+de|un\s+m[ií]nimo\s+de)\b.{0,30}\d",
                ),
                (-3.0, r"seguro|preaviso|sin\s+(?:\w+\s+){0,2}m[ií]nim|no\s+(?:\w+\s+){0,4}m[ií]nim"),
            ),
        ),
        "liability_cap": ClausePatterns(
            r"responsabilidad",
            (
                (
                    3.0,
                    r"\b(?:responsabilidad|indemni\w+|daños)\b.{0,160}\b(?:limita\w*|m[áa]xim[oa]|exced\w*|supera\w*|superior|tope|l[ií]mite|hasta)\b",
                ),
                (-3.0, r"\bseguro|p[óo]liza|penalizaci"),
            ),
        ),
        "termination_for_convenience": ClausePatterns(
            r"terminaci[óo]n|resoluci[óo]n|desistimiento|rescisi[óo]n|duraci[óo]n|vigencia",
            (
                (
                    3.5,
                    r"\b(?:en\s+cualquier\s+momento|sin\s+(?:necesidad\s+de\s+)?(?:causa|justific\w+|expres\w+|alegar|motivo)|desisti\w+|libremente|unilateralmente)\b",
                ),
                (
                    1.0,
                    r"\b(?:resolver|rescindir|terminar|desistir|dar\s+por\s+(?:terminad|resuelt|finalizad)\w+)\b",
                ),
                (1.0, r"\b(?:preaviso|antelaci[óo]n|anticipaci[óo]n|aviso)\b"),
                (
                    -4.5,
                    r"incumpl|\bno\s+(?:podr[áa]|pueden?)\b.{0,60}(?:resolver|rescindir|terminar|desistir)|inspec|audit|acced",
                ),
            ),
            4.0,
        ),
        "termination": ClausePatterns(
            r"terminaci[óo]n|resoluci[óo]n|rescisi[óo]n",
            (
                (
                    3.0,
                    r"\b(?:resolver|resolverse|resoluci[óo]n|rescindir|rescisi[óo]n|terminar|terminaci[óo]n)\b.{0,160}\b(?:incumpl\w+|causa|requerimiento|concurso|preaviso|antelaci[óo]n)|\bincumpl\w+\b.{0,160}\b(?:resol|resci|termin)",
                ),
                (-1.0, r"prorrog|renov"),
            ),
        ),
        "assignment": ClausePatterns(
            r"cesi[óo]n|transmisi[óo]n|subarriendo",
            (
                (2.0, r"\b(?:ceder\w*|cesi[óo]n|cedid[oa]s?|transferir|transmitir|subrogar)\b"),
                (
                    1.5,
                    r"\b(?:consentimiento|autorizaci[óo]n|aprobaci[óo]n|conformidad)\b|\bno\s+podr[áa]|\bprohib",
                ),
                (1.0, rf"\b(?:derechos|obligaciones|{_CONTRACT})\b"),
                (
                    -3.0,
                    r"propiedad\s+intelectual|derechos\s+de\s+autor|datos|resultados|cesi[óo]n\s+de\s+derechos\s+de\s+(?:explotaci|imagen)",
                ),
            ),
            3.5,
        ),
        "exclusivity": ClausePatterns(
            r"exclusiv",
            (
                (
                    3.0,
                    r"\b(?:en|con|de)\s+(?:r[ée]gimen\s+de\s+)?exclusiva\b|\bexclusividad\b|\b(?:derecho|distribuidor|licencia|proveedor|car[áa]cter|agente)\s+exclusiv[oa]",
                ),
                (-4.0, r"juzgado|tribunal|jurisdicci|fuero|no\s+exclusiv|sin\s+exclusiv"),
            ),
        ),
    },
    law=r"\b(?:regir[áa]n?|rige|regid[oa]|sujet[oa]|sometid[oa]|somete|gobernad[oa]|interpretar[áa]|aplicable|aplicar[áa]n?)\b.{0,90}\b(?:ley(?:es)?|legislaci[óo]n|derecho|normativa|ordenamiento)\b|\b(?:ley|legislaci[óo]n|derecho)\s+aplicable\b",
    law_heading=r"\bley\b|legislaci[óo]n|derecho|aplicable|jurisdicci[óo]n",
    not_in_law=r"juzgado|tribunal|jurisdicci[óo]n|fuero|con\s+exclusi[óo]n|arbitra|a\s+excepci[óo]n",
    places={
        "Spain": r"español[ae]?s?|españa|reino\s+de\s+españa|derecho\s+com[úu]n",
        "Mexico": r"mexican[ao]s?|m[ée]xico|estados\s+unidos\s+mexicanos",
        "Argentina": r"argentin[ao]s?|rep[úu]blica\s+argentina",
        "Chile": r"chilen[ao]s?|chile",
        "Colombia": r"colombian[ao]s?|colombia",
        "Peru": r"peruan[ao]s?|per[úu]",
        "Ecuador": r"ecuatorian[ao]s?|ecuador",
        "Uruguay": r"uruguay[ao]s?|uruguay",
        "Paraguay": r"paraguay[ao]s?|paraguay",
        "Bolivia": r"bolivian[ao]s?|bolivia",
        "Venezuela": r"venezolan[ao]s?|venezuela",
        "Costa Rica": r"costarricenses?|costa\s+rica",
        "Panama": r"panameñ[ao]s?|panam[áa]",
        "Guatemala": r"guatemaltec[ao]s?|guatemala",
        "Dominican Republic": r"dominican[ao]s?",
        "Portugal": r"portugues[ae]?s?|portugal",
        "France": r"frances[ae]?s?|francia",
        "Germany": r"aleman[ae]?s?|alemán|alemania",
        "Italy": r"italian[ao]s?|italia",
        "England": r"ingles[ae]?s?|inglés|inglaterra",
        "United States": r"estadounidenses?|estados\s+unidos(?:\s+de\s+am[ée]rica)?(?!\s+mexicanos)",
        "New York": r"nueva\s+york",
        "China": r"chin[ao]s?\b",
        "Japan": r"japon[ée]s[ao]?|jap[óo]n",
    },
    begins_before=r"\b(?:desde(?:\s+el)?(?:\s+d[ií]a)?|a\s+partir\s+del?(?:\s+d[ií]a)?|a\s+contar\s+(?:desde\s+)?(?:el|del)|con\s+efectos?\s+(?:desde\s+)?(?:el|del)?|entrar[áa]\s+en\s+vigor\s+el(?:\s+d[ií]a)?|en\s+vigor\s+el(?:\s+d[ií]a)?|comenzar[áa]\s+el(?:\s+d[ií]a)?|iniciar[áa]\s+el(?:\s+d[ií]a)?|inicio\s?:?|del|fecha\s+de\s+(?:inicio|efectos|entrada\s+en\s+vigor)\s?:)",
    begins_after=r"(?:\(?(?:la\s+)?[\"']?fecha\s+(?:de\s+)?(?:efectiva|efectos|inicio|entrada))",
    ends_before=r"\b(?:hasta(?:\s+el)?(?:\s+d[ií]a)?|finalizar[áa]\s+el(?:\s+d[ií]a)?|finaliza\s+el|vencer[áa]\s+el(?:\s+d[ií]a)?|vence\s+el|terminar[áa]\s+el(?:\s+d[ií]a)?|concluir[áa]\s+el(?:\s+d[ií]a)?|expirar[áa]\s+el(?:\s+d[ií]a)?|expira\s+el|extinguir[áa]\s+el|al)",
    ends_after=r"(?:inclusive|incluido)",
    effective=r"entr\w+\s+en\s+vigor|surt\w+\s+efecto|con\s+efectos?|a\s+partir\s+del?|desde\s+el|comenzar|iniciar|vigencia",
    on_signing=r"\b(?:vigor|efectos?|vigencia|vigente)\b.{0,60}\b(?:firma|suscripci[óo]n|fecha\s+de\s+su\s+firma)",
    signed_label=r"fecha|fecha\s+de(?:l\s+contrato|\s+firma)|^\s?en\s+(?:la\s+ciudad\s+de\s+)?[^,\d]{2,40},\s+a(?:\s+los)?|^\s?en\s+[^,\d]{2,40},\s+el(?:\s+d[ií]a)?|^[A-ZÁÉÍÓÚ][\w ]{2,24},(?:\s+a)?",
    signed_before=r"\b(?:firmad[oa]|suscrit[oa]|celebrad[oa]|otorgad[oa]|fechad[oa]|firman|suscriben|celebran)\b.{0,40}\b(?:el(?:\s+d[ií]a)?|a|con\s+fecha(?:\s+de)?)",
    signed_after=r"(?:se\s+(?:firma|suscribe|celebra)|(?:fue\s+)?(?:firmado|suscrito|celebrado)|reunidos)\b",
    role_labels=r"(?:el\s+|la\s+)?(?:arrendador|arrendatari[oa]|vendedor|comprador|proveedor|client[ea]|prestador|prestatari[oa]|contratista|contratante|licenciante|licenciatari[oa]|distribuidor|fabricante|empleador|trabajador|parte\s+[ab12])a?",
    persons=r"D\.ª|D\.|Dña\.|Don|Doña|Sr\.|Sra\.",
    not_a_party=r"representad[oa]\s+por|filial\s+de|banco|notari[oa]|inscrita\s+en|en\s+(?:nombre\s+y\s+)?representaci[óo]n\s+de\s+\w*\s?$^",
    numbers=number_words(
        """un 1 uno 1 una 1 dos 2 tres 3 cuatro 4 cinco 5 seis 6 siete 7 ocho 8 nueve 9 diez 10 once 11 doce 12 quince 15
        dieciocho 18 veinte 20 veinticuatro 24 treinta 30 cuarenta_y_cinco 45 treinta_y_seis 36 sesenta 60 noventa 90"""
    ),
    units={
        r"d[ií]as?\s+(?:h[áa]biles|laborables)": "business day",
        r"d[ií]as?\b": "day",
        r"semanas?\b": "week",
        r"mes(?:es)?\b": "month",
        r"años?\b|anualidades\b": "year",
        r"trimestres?\b": "quarter",
    },
    questions={
        "parties": r"\bqui[ée]nes son\b.{0,30}\bpartes\b|\bpartes (?:del|en el)\b",
        "governing_law": r"\bqu[ée] (?:ley|legislaci[óo]n|derecho)\b|\b(?:ley|legislaci[óo]n|derecho) aplicable\b",
        "agreement_date": r"\bcu[áa]ndo\b.{0,50}\b(?:firm|celebr|suscri)|\bfecha (?:de firma|del contrato)\b",
        "effective_date": r"\bcu[áa]ndo\b.{0,50}\b(?:vigor|efecto|comienza|empieza|inicia)|\bfecha de (?:entrada|inicio)",
        "expiration_date": r"\bcu[áa]ndo\b.{0,50}\b(?:termina|vence|expira|finaliza|acaba)|\bfecha de (?:vencimiento|terminaci[óo]n|fin)",
        "notice": r"\b(?:preaviso|antelaci[óo]n)\b",
        "renewal": r"\b(?:renov|prorrog|pr[óo]rroga)",
        "term": r"\b(?:duraci[óo]n|vigencia)\b|\bcu[áa]nto (?:dura|tiempo)\b",
        "liability_cap": r"\bresponsabilidad\b",
        "payment": r"\b(?:plazo|condiciones|forma) de pago\b|\bcu[áa]ndo\b.{0,40}\bpag",
        "minimum_commitment": r"\bm[ií]nim",
        "price": r"\b(?:precio|renta|honorarios|importe|canon|retribuci[óo]n)\b",
        "termination_for_convenience": r"\b(?:sin causa|en cualquier momento|desistir)\b",
        "termination": r"\b(?:resolver|resoluci[óo]n|rescindir|terminar)\b",
        "assignment": r"\b(?:ceder|cesi[óo]n|cederse)\b",
        "exclusivity": r"\bexclusiv",
    },
    report=r"\b(?:cuentas\s+anuales|estados\s+financieros|ingresos\s+netos|resultado\s+del\s+ejercicio|beneficio\s+neto|informe\s+anual|accionistas|cifra\s+de\s+negocios|flujos?\s+de\s+efectivo|balance\s+consolidado)\b",
)

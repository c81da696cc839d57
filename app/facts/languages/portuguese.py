"""Portuguese contracts, of Portugal and Brazil."""

from longleaf.app.facts.languages.patterns import ClausePatterns, LanguagePatterns, number_words

_CONTRACT = r"(?:contrato|acordo|instrumento|arrendamento|locação)"
_TIME = r"(?:dias?|m[eê]s(?:es)?|anos?|semanas?)"
_SUM = r"(?:€|EUR|euros?|R\$|reais|\$)"

PORTUGUESE = LanguagePatterns(
    code="pt",
    clauses={
        "term": ClausePatterns(
            r"dura[çc][ãa]o|vig[êe]ncia|prazo|entrada\s+em\s+vigor",
            (
                (
                    3.0,
                    rf"\b(?:{_CONTRACT}|vig[êe]ncia)\b.{{0,60}}\b(?:dura[çc][ãa]o|vig[êe]ncia|vigor|prazo|vigorar[áa]|vigora|vigente|celebrado\s+pel[oa])\b.{{0,60}}(?:\d|{_TIME}|indeterminad)",
                ),
                (
                    3.0,
                    rf"\b(?:dura[çc][ãa]o|vig[êe]ncia|prazo)\b.{{0,40}}\b(?:de|ser[áa]|é)\b.{{0,40}}(?:{_TIME}|indeterminad)",
                ),
                (
                    1.0,
                    r"\ba\s+partir\s+d[eoa]|\ba\s+contar\s+d|\bat[ée]\b|\bterminar?|\bcessa|\bexpira|\bin[íi]cio",
                ),
                (
                    -2.0,
                    r"garantia|confidencialidade|fatura|factura|pagamento|aviso\s+pr[ée]vio|renov|prorrog|entrega",
                ),
            ),
        ),
        "renewal": ClausePatterns(
            r"dura[çc][ãa]o|vig[êe]ncia|renova[çc][ãa]o|prorroga[çc][ãa]o|prazo",
            (
                (
                    3.0,
                    r"\b(?:renov\w+|prorrog\w+)\b.{0,120}(?:t[áa]cit\w*|autom[áa]tic\w*|per[íi]odos?|anos?|meses|sucessiv|igual)|(?:automaticamente|tacitamente)\s+(?:\w+\s+){0,3}(?:renov|prorrog)",
                ),
                (
                    -2.5,
                    r"prazo\s+de\s+entrega|garantia|n[ãa]o\s+(?:se\s+)?(?:renova|prorroga|poder[áa]\s+ser\s+(?:renov|prorrog))",
                ),
            ),
        ),
        "notice": ClausePatterns(
            r"aviso\s+pr[ée]vio|pr[ée]-aviso|anteced[êe]ncia|den[úu]ncia|oposi[çc][ãa]o",
            (
                (
                    2.5,
                    r"\b(?:renov\w+|prorrog\w+|termo)\b.{0,200}\b(?:aviso|anteced[êe]ncia|salvo|comunica\w+|notifica\w+|den[úu]nci\w+|oposi)|\b(?:aviso|anteced[êe]ncia|salvo|den[úu]nci\w+|oposi\w+)\b.{0,200}\b(?:renov\w+|prorrog\w+|termo)",
                ),
                (1.0, rf"{_TIME}\s+de\s+anteced[êe]ncia|\b(?:aviso|anteced[êe]ncia)\b.{{0,40}}{_TIME}"),
                (-2.0, r"incumpri|inadimpl|descumpri"),
            ),
        ),
        "price": ClausePatterns(
            r"pre[çc]o|renda|aluguel|honor[áa]rios|remunera[çc][ãa]o|contrapartida|valor",
            (
                (
                    3.0,
                    rf"\b(?:pre[çc]o|renda|alugu[ée]l|honor[áa]rios|remunera[çc][ãa]o|contrapartida|valor|retribui[çc][ãa]o|quantia|mensalidade|sal[áa]rio|taxa)\b.{{0,90}}(?:\d.{{0,16}}{_SUM}|{_SUM}\s?\d)",
                ),
                (1.0, r"\b(?:pagar[áa]|é\s+de|ser[áa]\s+de|ascende|fixad[oa]|importa)\b"),
                (
                    -3.0,
                    r"responsabilidade|multa|cau[çc][ãa]o|seguro|indemniza|indeniza|capital\s+social|danos|m[íi]nim|penal",
                ),
            ),
        ),
        "payment": ClausePatterns(
            r"pre[çc]o|pagamento|renda|aluguel|fatura|factura|remunera[çc][ãa]o|honor[áa]rios",
            (
                (
                    2.5,
                    r"\b(?:pag[oa]s?|pagamentos?|pagar[áa]|pagável|liquidad[oa]s?|efetuad[oa]s?|quitad[oa]s?)\b.{0,90}(?:dias?|m[êe]s|antecipad|trimestr|rece[bp]|vencimento)",
                ),
                (1.5, r"\b(?:fa[c]?tura|nota\s+fiscal)"),
                (1.0, r"\bno\s+prazo\b|\bat[ée]\s+ao?\b|\bmensal|\brece[bp][çc]?[ãa]o|\brecebimento"),
                (-2.0, r"responsabilidade|multa|resolu|rescis|juros"),
            ),
        ),
        "minimum_commitment": ClausePatterns(
            r"m[íi]nim",
            (
                (
                    3.0,
                    r"\b(?:compra|encomenda|quantidade|volume|pedido|fatura[çc][ãa]o|valor|royalty)\w*\s+(?:\w+\s+){0,2}m[íi]nim|\bm[íi]nim[oa]s?\s+(?:de\s+(?:compra|encomenda)|garantid|anua)",
                ),
                (
                    2.5,
                    r"\b(?:obriga-se|compromete-se|dever[áa]|adquirir[áa])\b.{0,100}\b(?:pelo\s+menos|no\s+m[íi]nimo|n[ãa]o\s+menos\s+de|um\s+m[íi]nimo\s+de)\b.{0,30}\d",
                ),
                (-3.0, r"seguro|aviso|sem\s+(?:\w+\s+){0,2}m[íi]nim|anteced"),
            ),
        ),
        "liability_cap": ClausePatterns(
            r"responsabilidade",
            (
                (
                    3.0,
                    r"\b(?:responsabilidade|indem?niza\w+|danos)\b.{0,160}\b(?:limita\w*|m[áa]xim[oa]|exced\w*|ultrapass\w*|superior|limite|at[ée])\b",
                ),
                (-3.0, r"\bseguro|ap[óo]lice|multa"),
            ),
        ),
        "termination_for_convenience": ClausePatterns(
            r"den[úu]ncia|rescis[ãa]o|resili[çc][ãa]o|cessa[çc][ãa]o|vig[êe]ncia|dura[çc][ãa]o",
            (
                (
                    3.5,
                    r"\b(?:a\s+(?:qualquer|todo)\s+(?:momento|tempo)|em\s+qualquer\s+(?:momento|altura)|sem\s+(?:necessidade\s+de\s+|qualquer\s+)?(?:justa\s+causa|motivo|justifica\w+|causa|invocar)|imotivadamente|livremente)\b",
                ),
                (
                    1.0,
                    r"\b(?:denunciar|denunciad\w|rescindir|rescindid\w|resilir|resilid\w|cessar|fazer\s+cessar|encerrad\w|p[ôo]r\s+termo)\b",
                ),
                (1.0, r"\b(?:aviso|anteced[êe]ncia|pr[ée]-aviso)\b"),
                (
                    -4.5,
                    r"incumpri|inadimpl|descumpri|\bn[ãa]o\s+(?:poder[áa]|pode|podem)\b.{0,60}(?:denunci|rescind|resil|cessar)|inspe|audit|acess",
                ),
            ),
            4.0,
        ),
        "termination": ClausePatterns(
            r"resolu[çc][ãa]o|rescis[ãa]o|cessa[çc][ãa]o",
            (
                (
                    3.0,
                    r"\b(?:resolver|resolvid\w|resolu[çc][ãa]o|rescindir|rescindid\w|rescis[ãa]o)\b.{0,160}\b(?:incumpri\w+|inadimpl\w+|descumpri\w+|justa\s+causa|interpela|notifica|aviso)|\b(?:incumpri\w+|inadimpl\w+|descumpri\w+)\b.{0,160}\b(?:resol|rescis|rescind)",
                ),
                (-1.0, r"renov|prorrog"),
            ),
        ),
        "assignment": ClausePatterns(
            r"cess[ãa]o|cedência|transmiss[ãa]o",
            (
                (
                    2.0,
                    r"\b(?:ceder|cedid[oa]s?|cess[ãa]o|transferir|transferid[oa]s?|transmitir|subloca\w+|subarrend\w+)\b",
                ),
                (
                    1.5,
                    r"\b(?:consentimento|autoriza[çc][ãa]o|anu[êe]ncia|acordo\s+pr[ée]vio)\b|\bn[ãa]o\s+(?:poder[áa]|pode|podem)|\bvedad|\bproib",
                ),
                (1.0, rf"\b(?:direitos|obriga[çc][õo]es|posi[çc][ãa]o\s+contratual|{_CONTRACT})\b"),
                (
                    -3.0,
                    r"propriedade\s+intelectual|direitos\s+(?:de\s+autor|autorais)|dados|resultados|quotas",
                ),
            ),
            3.5,
        ),
        "exclusivity": ClausePatterns(
            r"exclusiv",
            (
                (
                    3.0,
                    r"\b(?:em|com|de)\s+(?:regime\s+de\s+)?exclusiv(?:o|idade)\b|\bexclusividade\b|\b(?:direito|distribuidor|licen[çc]a|fornecedor|car[áa]ter|agente)\s+exclusiv[oa]",
                ),
                (-4.0, r"foro|tribunal|comarca|n[ãa]o\s+exclusiv|sem\s+(?:\w+\s+)?exclusiv|n[ãa]o\s+h[áa]"),
            ),
        ),
    },
    law=r"\b(?:reg(?:e|er|ido|ida|idos|ular)(?:-se)?(?:[áa])?|rege-se|reger-se-[áa]|regulad[oa]|sujeit[oa]|submetid[oa]|governad[oa]|interpretad[oa]|aplic[áa]vel|aplica-se)\b.{0,90}\b(?:leis?|legisla[çc][ãa]o|direito|ordenamento)\b|\b(?:lei|legisla[çc][ãa]o|direito)\s+aplic[áa]vel\b|\b(?:lei|direito)\s+\w+\s+(?:rege|regula|aplica-se)",
    law_heading=r"\blei\b|legisla[çc][ãa]o|direito|aplic[áa]vel",
    not_in_law=r"\bforo\b|tribuna|comarca|com\s+exclus[ãa]o|arbitra|com\s+ren[úu]ncia|compet[êe]n",
    places={
        "Portugal": r"portugues[ae]s?|português|portugal|rep[úu]blica\s+portuguesa",
        "Brazil": r"brasileir[ao]s?|brasil|rep[úu]blica\s+federativa\s+do\s+brasil",
        "Angola": r"angolan[ao]s?|angola",
        "Mozambique": r"moçambican[ao]s?|moçambique",
        "Cape Verde": r"cabo-verdian[ao]s?|cabo\s+verde",
        "Macao": r"macau",
        "Spain": r"espanhol[ae]?s?|espanha",
        "France": r"francesa?|francês|frança",
        "Germany": r"alem[ãa]o?|alemanha",
        "Italy": r"italian[ao]|itália",
        "Switzerland": r"suíç[ao]",
        "Luxembourg": r"luxemburgues[ae]?|luxemburgo",
        "England": r"inglesa?|inglês|inglaterra",
        "United States": r"norte-american[ao]|estados\s+unidos",
        "New York": r"nova\s+iorque|nova\s+york",
        "Argentina": r"argentin[ao]|argentina",
        "China": r"chinesa?|chinês|república\s+popular\s+da\s+china",
        "Japan": r"japonesa?|japonês|japão",
    },
    begins_before=r"\b(?:a\s+partir\s+d[eo](?:\s+dia)?|a\s+contar\s+d[eo](?:\s+dia)?|desde(?:\s+o)?(?:\s+dia)?|com\s+in[íi]cio\s+(?:em|a|no\s+dia)|in[íi]cio\s+(?:em|a|no\s+dia|de\s+vig[êe]ncia\s+em)|tem\s+in[íi]cio\s+(?:em|a|no\s+dia)|ter[áa]\s+in[íi]cio\s+(?:em|a|no\s+dia)|inicia(?:-se|r-se-[áa])?\s+(?:em|a|no\s+dia)|entra(?:r[áa])?\s+em\s+vigor\s+(?:em|a|no\s+dia)|em\s+vigor\s+(?:em|a|no\s+dia)|com\s+efeitos?\s+(?:a\s+partir\s+de|desde|a)|produz\s+efeitos\s+(?:a\s+partir\s+de|desde|a)|in[íi]cio\s?:|\bde)",
    begins_after=r"(?:\(?[\"']?data\s+(?:de\s+)?(?:efetiva|produ[çc][ãa]o|in[íi]cio))",
    ends_before=r"\b(?:at[ée](?:\s+(?:ao?|o))?(?:\s+dia)?|termina(?:r[áa]|ndo|-se)?\s+(?:em|a|no\s+dia)|termo\s+(?:em|a|no\s+dia|:)|cessa(?:r[áa])?\s+(?:em|a|no\s+dia)|expira(?:r[áa])?\s+(?:em|a|no\s+dia)|finda(?:r[áa])?\s+(?:em|a|no\s+dia)|encerra(?:r-se-[áa]|-se)?\s+(?:em|a|no\s+dia)|t[ée]rmino\s+(?:em|a)|vence(?:r[áa])?\s+(?:em|a|no\s+dia)|\ba)",
    ends_after=r"(?:inclusive)",
    effective=r"entr\w+\s+em\s+vigor|produz\w*\s+efeitos?|com\s+efeitos?|in[íi]cio|a\s+partir\s+d|inicia|vig[êe]ncia",
    on_signing=r"\b(?:vigor|efeitos?|vig[êe]ncia|vigorar[áa])\b.{0,60}\bassinatura",
    signed_label=r"data|data\s+(?:de\s+assinatura|do\s+contrato|de\s+celebra[çc][ãa]o)|^\s?(?:celebrado|feito|assinado)\s+em\s+[^,\d]{2,30},\s+(?:em|a|aos)|^\s?[A-ZÁÂÃÉÊÍÓÔÕÚ][\w -]{2,24}(?:/[A-Z]{2})?,(?:\s+(?:em|a|aos))?(?:\s+dia)?",
    signed_before=r"\b(?:assinad[oa]|celebrad[oa]|firmad[oa]|outorgad[oa])\b.{0,40}\b(?:em|a|aos|no\s+dia|na\s+data\s+de)",
    signed_after=r"(?:é\s+celebrado|foi\s+(?:assinado|celebrado|firmado))\b",
    role_labels=r"(?:[oa]\s+)?(?:senhorio|inquilin[oa]|arrendatári[oa]|locador|locatári[oa]|vendedor|comprador|fornecedor|client[ea]|prestador|contratante|contratad[oa]|licenciante|licenciad[oa]|distribuidor|fabricante|empregador|trabalhador|mutuante|mutuári[oa]|parte\s+[ab12]|primeir[oa]\s+(?:outorgante|contraente)|segund[oa]\s+(?:outorgante|contraente))a?",
    persons=r"Sr\.ª|Sr\.|Sra\.|Senhora?|Dr\.ª|Dr\.|Dra\.|Eng\.",
    not_a_party=r"representad[oa]\s+(?:por|pel[oa])|filial\s+d[ae]|banco|notári[oa]|matriculada\s+n",
    numbers=number_words(
        """um 1 uma 1 dois 2 duas 2 três 3 tres 3 quatro 4 cinco 5 seis 6 sete 7 oito 8 nove 9 dez 10 onze 11 doze 12 quinze 15
        dezoito 18 vinte 20 vinte_e_quatro 24 trinta 30 trinta_e_seis 36 quarenta_e_cinco 45 quarenta_e_oito 48 sessenta 60
        noventa 90 cento_e_vinte 120"""
    ),
    units={
        r"dias?\s+[úu]teis": "business day",
        r"dias?\b": "day",
        r"semanas?\b": "week",
        r"m[êe]s(?:es)?\b": "month",
        r"anos?\b": "year",
        r"trimestres?\b": "quarter",
    },
    questions={
        "parties": r"\bquem são\b.{0,30}\bpartes\b|\bpartes (?:do|no)\b",
        "governing_law": r"\bqual (?:a |é a |o |é o )?(?:lei|direito|legisla[çc][ãa]o)\b|\b(?:lei|direito|legisla[çc][ãa]o) aplic[áa]vel\b|\bque lei\b",
        "agreement_date": r"\bquando\b.{0,50}\b(?:assinad|celebrad|firmad)|\bdata (?:de assinatura|do contrato)\b",
        "effective_date": r"\bquando\b.{0,50}\b(?:vigor|efeito|come[çc]a|inicia)|\bdata de (?:in[íi]cio|entrada)",
        "expiration_date": r"\bquando\b.{0,50}\b(?:termina|expira|acaba|cessa|vence)|\bdata de (?:termo|t[ée]rmino|fim)",
        "notice": r"\b(?:aviso pr[ée]vio|pr[ée]-aviso|anteced[êe]ncia)\b",
        "renewal": r"\b(?:renov|prorrog)",
        "term": r"\b(?:dura[çc][ãa]o|vig[êe]ncia)\b|\bquanto tempo\b",
        "liability_cap": r"\bresponsabilidade\b",
        "payment": r"\b(?:prazo|condi[çc][õo]es|forma) de pagamento\b|\bquando\b.{0,40}\bpag",
        "minimum_commitment": r"\bm[íi]nim",
        "price": r"\b(?:pre[çc]o|renda|alugu[ée]l|valor|honor[áa]rios|remunera[çc][ãa]o)\b",
        "termination_for_convenience": r"\b(?:sem (?:justa )?causa|sem motivo|a qualquer momento)\b|\bdenunci",
        "termination": r"\b(?:resol|rescis|rescind)",
        "assignment": r"\b(?:ceder|cedid[oa]|cess[ãa]o)\b",
        "exclusivity": r"\bexclusiv",
    },
    report=r"\b(?:demonstra[çc][õo]es\s+financeiras|receita\s+l[íi]quida|lucro\s+l[íi]quido|resultado\s+l[íi]quido|relat[óo]rio\s+(?:anual|e\s+contas)|acionistas|balan[çc]o\s+patrimonial|fluxos?\s+de\s+caixa|exerc[íi]cio\s+findo)\b",
)

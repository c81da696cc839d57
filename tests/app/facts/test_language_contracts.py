"""Contracts of our own writing in eight languages: what they say, and what they do not."""

from __future__ import annotations

import pytest

from longleaf.app.facts import key_facts
from tests.support.plain_documents import plain_document

CONTRACTS = {
    "de lease": (
        "MIETVERTRAG\n\nVermieter: Ulmenhof Immobilien GmbH\nMieter: Anna Sommer\n\n§ 1 Mietzeit\nDas Mietverhältnis beginnt am 1. September 2024 "
        "und läuft auf unbestimmte Zeit.\n§ 2 Miete\nDie monatliche Miete beträgt 1.480,00 €.\n§ 3 Kaution\nDie Kaution beträgt 4.440,00 €.\n"
        "§ 4 Recht\nDieser Vertrag unterliegt österreichischem Recht. Gerichtsstand ist Zürich.",
        {"parties": ["Ulmenhof Immobilien GmbH", "Anna Sommer"], "effective_date": ["2024-09-01"], "price": ["EUR 1,480"], "governing_law": ["Austria"],
         "agreement_date": None, "liability_cap": None, "renewal": None},
    ),
    "fr services": (
        "CONTRAT DE MAINTENANCE\n\nEntre la société Tilleul Énergie SAS (ci-après « le Client ») et la société Genêt Services SARL (ci-après « le Prestataire »).\n\n"
        "Article 1 - Durée\nLe présent contrat prend effet le 1er juin 2023 et expire le 31 mai 2026. Il est ensuite renouvelé par tacite reconduction pour des "
        "périodes d'un an, sauf dénonciation moyennant un préavis de trois mois.\nArticle 2 - Loi\nLe contrat est soumis au droit belge.\n"
        "Fait à Liège, le 12 mai 2023.",
        {"parties": ["Tilleul Énergie SAS", "Genêt Services SARL"], "agreement_date": ["2023-05-12"], "effective_date": ["2023-06-01"],
         "expiration_date": ["2026-05-31"], "renewal": ["1 year"], "notice": ["3 months"], "governing_law": ["Belgium"], "price": None, "liability_cap": None},
    ),
    "es supply": (
        "CONTRATO DE SUMINISTRO\n\nEntre Encina Metales, S.A. (el «Proveedor») y Motores Álamo, S.L. (el «Cliente»).\n\n"
        "Primera. Precio. El precio anual será de 96.000 euros.\nSegunda. Responsabilidad. La responsabilidad total del Proveedor no excederá de 50.000 euros.\n"
        "Tercera. Ley. El contrato se rige por las leyes de los Estados Unidos Mexicanos.",
        {"parties": ["Encina Metales, S.A.", "Motores Álamo, S.L."], "price": ["EUR 96,000"], "liability_cap": ["EUR 50,000"], "governing_law": ["Mexico"],
         "agreement_date": None, "effective_date": None, "renewal": None},
    ),
    "it consulting": (
        "CONTRATTO DI CONSULENZA\n\nTra Faggio Ricerche S.r.l. (il \"Committente\") e Ginepro Studi S.p.A. (il \"Consulente\").\n\n"
        "Art. 1 - Durata\nIl contratto ha una durata di ventiquattro mesi a decorrere dal 1° febbraio 2024.\nArt. 2 - Recesso\n"
        "Ciascuna parte può recedere in qualsiasi momento con preavviso di sessanta giorni.\nArt. 3 - Legge applicabile\nIl contratto è regolato dalla legge italiana.",
        {"parties": ["Faggio Ricerche S.r.l.", "Ginepro Studi S.p.A."], "term": ["24 months"], "effective_date": ["2024-02-01"],
         "termination_for_convenience": ["60 days"], "governing_law": ["Italy"], "price": None, "agreement_date": None},
    ),
    "pt services": (
        "CONTRATO DE PRESTAÇÃO DE SERVIÇOS\n\nEntre Sobreiro Logística, Lda. (a «Contratante») e Carvalho Dados, S.A. (a «Prestadora»).\n\n"
        "Cláusula 1 - Prazo\nO contrato tem início em 2 de janeiro de 2025 e termina em 31 de dezembro de 2026.\n"
        "Cláusula 2 - Preço\nO preço mensal é de 7.250,00 €.\nCláusula 3 - Lei\nO presente contrato rege-se pela lei portuguesa.",
        {"parties": ["Sobreiro Logística, Lda.", "Carvalho Dados, S.A."], "effective_date": ["2025-01-02"], "expiration_date": ["2026-12-31"],
         "price": ["EUR 7,250"], "governing_law": ["Portugal"], "liability_cap": None, "agreement_date": None},
    ),
    "nl licence": (
        "LICENTIEOVEREENKOMST\n\nTussen Wilgen Software B.V. (hierna: \"Licentiegever\") en Beuken Handel N.V. (hierna: \"Licentienemer\").\n\n"
        "Artikel 1 - Duur\nDeze overeenkomst gaat in op 1 maart 2024 en eindigt op 28 februari 2027.\nArtikel 2 - Aansprakelijkheid\n"
        "De aansprakelijkheid van Licentiegever is beperkt tot € 75.000.\nArtikel 3 - Recht\nOp deze overeenkomst is Nederlands recht van toepassing.",
        {"parties": ["Wilgen Software B.V.", "Beuken Handel N.V."], "effective_date": ["2024-03-01"], "expiration_date": ["2027-02-28"],
         "liability_cap": ["EUR 75,000"], "governing_law": ["Netherlands"], "price": None, "agreement_date": None},
    ),
    "zh lease": (
        "租赁合同\n出租方：梧桐置业有限公司\n承租方：青竹科技有限公司\n第一条 租期\n租赁期限自2024年6月1日起至2027年5月31日止。\n"
        "第二条 租金\n租金为每月人民币三万元。\n第三条 转让\n未经出租方书面同意，承租方不得转让本合同。\n第四条 法律适用\n本合同适用香港法律。",
        {"parties": ["梧桐置业有限公司", "青竹科技有限公司"], "effective_date": ["2024-06-01"], "expiration_date": ["2027-05-31"], "price": ["CNY 30,000"],
         "governing_law": ["Hong Kong"], "agreement_date": None, "liability_cap": None},
    ),
    "ja sale": (
        "売買基本契約書\n株式会社欅製作所（以下「売主」という。）と楓商事株式会社（以下「買主」という。）は、次のとおり契約を締結する。\n"
        "第１条（有効期間）\n本契約の有効期間は、２０２４年１０月１日から１年間とする。期間満了の３か月前までに書面による通知がないときは、同一条件で１年間更新する。\n"
        "第２条（損害賠償）\n損害賠償の額は、金五百万円を上限とする。\n第３条（準拠法）\n本契約の準拠法は日本法とする。",
        {"parties": ["株式会社欅製作所", "楓商事株式会社"], "effective_date": ["2024-10-01"], "term": ["1 year"], "notice": ["3 months"],
         "liability_cap": ["JPY 5,000,000"], "governing_law": ["Japan"], "price": None, "agreement_date": None},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRACTS)
def test_facts_of_a_contract(name: str) -> None:
    text, expected = CONTRACTS[name]
    document = plain_document([text])
    found = {fact.name: fact for fact in key_facts(document, (), lambda query, k: [], None, "contract")}
    values = {fact: found[fact].values if found[fact].status == "quoted" else None for fact in expected}
    assert values == expected
    for fact in found.values():
        for citation in fact.citations:
            page = document.pages[citation.page_index].text
            assert page[citation.start : citation.end] == citation.quote

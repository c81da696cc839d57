from longleaf.app.gaps import gap_reports
from longleaf.app.text.language import document_languages, language_of
from tests.support.plain_documents import plain_document

SENTENCES = {
    "en": "The Supplier shall deliver the goods to the Buyer within ten days of the order and bear the risk until then.",
    "de": "Der Verkäufer liefert die Ware innerhalb von zehn Tagen nach der Bestellung und trägt bis dahin die Gefahr.",
    "fr": "Le vendeur livre les marchandises dans les dix jours de la commande et en supporte le risque jusque-là.",
    "es": "El vendedor entregará las mercancías en el plazo de diez días desde el pedido y asume el riesgo hasta entonces.",
    "it": "Il venditore consegna la merce entro dieci giorni dall'ordine e ne sopporta il rischio fino a quel momento.",
    "pt": "O vendedor entrega as mercadorias no prazo de dez dias a contar da encomenda e suporta o risco até então.",
    "nl": "De verkoper levert de goederen binnen tien dagen na de bestelling en draagt tot dan het risico van de zaken.",
    "pl": "Sprzedawca dostarcza towar w terminie dziesięciu dni od zamówienia i do tego czasu ponosi ryzyko za niego.",
    "sv": "Säljaren levererar varorna inom tio dagar från beställningen och bär risken för dem till dess att de tas emot.",
    "zh": "卖方应在收到订单后十日内交付货物，并承担交付前的风险。",
    "ja": "売主は注文を受けてから十日以内に商品を引き渡し、それまでの危険を負担する。",
    "ko": "매도인은 주문을 받은 날부터 십 일 이내에 물품을 인도하고 그때까지의 위험을 부담한다.",
}


def test_each_language_is_told_by_its_function_words_or_script() -> None:
    assert {code: language_of(text) for code, text in SENTENCES.items()} == {code: code for code in SENTENCES}


def test_figures_and_names_are_in_no_language() -> None:
    assert language_of("Acme GmbH 1.250 2.400 Berlin München") is None
    assert document_languages(plain_document(["2023 2022 2021\n12,400 11,300 10,200"])).main == "en"


def test_a_language_that_is_not_read_is_the_first_gap() -> None:
    gaps = gap_reports(plain_document([" ".join([SENTENCES["pl"]] * 3)]))
    assert [gap.kind for gap in gaps] == ["language_not_read"]
    assert "Polish" in gaps[0].detail


def test_english_has_no_language_gap_and_a_part_in_another_language_is_named() -> None:
    assert gap_reports(plain_document([SENTENCES["en"]])) == []
    gaps = gap_reports(plain_document([SENTENCES["en"] * 3, SENTENCES["sv"] * 2]))
    assert "Swedish" in gaps[0].detail and "%" in gaps[0].detail

"""Mentions found by pattern: every kind, as contracts and filings write it, and what is not one."""

from __future__ import annotations

from decimal import Decimal

import pytest

from longleaf.app.text.entities import (
    DateOrder,
    date_order,
    find_amounts,
    find_dates,
    find_names,
    find_numbers,
    find_organisations,
    find_places,
    fold,
)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("made as of May 16, 2017 by", "2017-05-16"),
        ("this 16t h day of May, 2017,", "2017-05-16"),
        ("this 22 day of June 2018", "2018-06-22"),
        ("the 1st of\n March, 2003, and", "2003-03-01"),
        ("the 20th day of Friday, March 2020", "2020-03-20"),
        ("the twenty-first (21st) day of May, 1999", "1999-05-21"),
        ("31 January, 1994", "1994-01-31"),
        ("Sept. 3rd, 2009", "2009-09-03"),
        ("December 2, \n2022", "2022-12-02"),
        ("December 31, 20 17", "2017-12-31"),
        ("12/31/99", "1999-12-31"),
        ("25/12/2001", "2001-12-25"),
        ("2017-05-16", "2017-05-16"),
        ("in July 2013", "2013-07"),
        ("the 30th day of April (the", "--04-30"),
        ("this [ ] day of [ ], 2020", "2020"),
        ("this ____ day of June, 201_", "--06"),
        ("effective this day of ______, 19__", ""),
        ("made on 07.09.2021 between", "2021-09-07"),
        ("from 2-Oct-24 on", "2024-10-02"),
        ("since 2024/10/02", "2024-10-02"),
        ("至2026年11月30日止", "2026-11-30"),
        ("令和6年2月1日", "2024-02-01"),
        ("二〇二四年十一月二十日", "2024-11-20"),
        ("am 9. Oktober 2023", "2023-10-09"),
        ("le 1er août 2022", "2022-08-01"),
        ("el 7 de julio de 2021", "2021-07-07"),
        ("the 30th day of June, 1997", "1997-06-30"),
        ("the tenth day of May, nineteen hundred and ninety-six", "1996-05-10"),
        ("June l, 2003", "2003-06-01"),
    ],
)
def test_dates(text: str, iso: str) -> None:
    (found,) = find_dates(text)
    assert found.iso == iso
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "text", ["you may 5 times", "Section 5/6/7 of 8", "February 30, 2020 x", "in 2017 and 2018"]
)
def test_no_dates(text: str) -> None:
    assert not [m for m in find_dates(text) if m.complete]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("from 05/06/2024 to 31/05/2026", "day"),
        ("from 05/06/2024 to 05/31/2026", "month"),
        ("on 05/06/2024, that is on 5 June 2024", "day"),
        ("from 05/06/2024 to 07/08/2026", ""),
        ("from 31/05/2024 to 05/31/2026", ""),
    ],
)
def test_the_document_decides_which_comes_first(text: str, order: DateOrder) -> None:
    assert date_order(text) == order
    first = find_dates(text, order)[0]
    assert first.iso == {"day": "2024-06-05", "month": "2024-05-06"}.get(order, first.iso)
    assert first.ambiguous == (order == "" and first.text != "31/05/2024")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$5 million", "5000000", "USD"),
        ("US$ 2.5M in cash", "2500000", "USD"),
        ("RMB 3,000,000", "3000000", "CNY"),
        ("5,000 euros", "5000", "EUR"),
        ("a loss of $(1,234)", "-1234", "USD"),
        ("a loss of ($2.3 billion)", "-2300000000", "USD"),
        ("$.0001 par", "0.0001", "USD"),
        ("bis zu EUR 3.400.000,75 je", "3400000.75", "EUR"),
        ("up to 3'400'000 CHF", "3400000", "CHF"),
        ("Fr. 3’400.--", "3400", "CHF"),
        ("EUR 3 400 000,00", "3400000", "EUR"),
        ("3\u202f400\u202f000 €", "3400000", "EUR"),
        ("$ 3 400 000 in all", "3400000", "USD"),
        ("Rs. 3,40,00,000 in", "34000000", "INR"),
        ("Rs. 750/- only", "750", "INR"),
        ("INR 7 crore", "70000000", "INR"),
        ("1,5 Mrd. Euro", "1500000000", "EUR"),
        ("0,8 Mio. US$", "800000", "USD"),
        ("€ 640.000", "640000", "EUR"),
        ("2,000万円", "20000000", "JPY"),
    ],
)
def test_amounts(text: str, value: str, unit: str) -> None:
    (found,) = find_amounts(text)
    assert (found.value, found.unit) == (Decimal(value), unit)
    assert text[found.start : found.end] == found.text


def test_figures_side_by_side_and_lists_are_not_one_number() -> None:
    assert [m.value for m in find_numbers("$ 321 654 987")] == [321, 654, 987]
    assert [m.value for m in find_numbers("pages 10,11")] == [10, 11]


def test_a_bracketed_amount_that_explains_words_is_positive() -> None:
    spelled, digits = find_amounts("Three Hundred Million Dollars ($300,000,000)")
    assert spelled.value == digits.value == Decimal(300_000_000)
    assert spelled.spelled and not digits.spelled


def test_numbers_in_words_and_digits() -> None:
    found = find_numbers("one hundred eighty (180) days, ten percent (10%) and the 15th of B2B")
    assert [(m.value, m.unit) for m in found] == [(180, ""), (180, ""), (10, "%"), (10, "%"), (15, "")]
    assert found[-1].ordinal


def test_numbers_of_dates_are_not_numbers() -> None:
    assert [m.text for m in find_numbers("On May 16, 2017 they paid 12 units", spelled=False)] == ["12"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("laws of the State of New York", "New York"),
        ("the People’s Republic of China", "China"),
        ("the laws of the PRC,", "China"),
        ("laws of England and Wales", "England and Wales"),
        ("construed under English law", "England"),
        ("the laws of the Republic of Korea", "South Korea"),
    ],
)
def test_places(text: str, name: str) -> None:
    assert [m.name for m in find_places(text)] == [name]


def test_words_are_not_places() -> None:
    assert find_places("a turkey dinner on china plates, an English textbook and the YORK Company") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("by and between Acme Widgets, Inc., a Delaware", ["Acme Widgets, Inc."]),
        ("between Semi Works (UK) Ltd., a company", ["Semi Works (UK) Ltd."]),
        (
            "Northern Trading\n(Shanghai) Co., Ltd. and K.L.M. Foods, Inc.",
            ["Northern Trading\n(Shanghai) Co., Ltd.", "K.L.M. Foods, Inc."],
        ),
        ("Alpha Fund L.P., Beta Fund L.P. and Jane Roe", ["Alpha Fund L.P.", "Beta Fund L.P."]),
        ("research at The University of Somewhere is", ["University of Somewhere"]),
        ("shop.com, Inc. and Dupont S.A.", ["shop.com, Inc.", "Dupont S.A."]),
        ("the company and its limited liability", []),
    ],
)
def test_organisations(text: str, names: list[str]) -> None:
    assert [m.text for m in find_organisations(text)] == names


def test_names_leave_out_words_that_only_begin_sentences() -> None:
    text = "Revenue rose. The Supplier ships to Acme. Acme pays on Monday."
    assert [m.text for m in find_names(text)] == ["Supplier", "Acme", "Acme"]


def test_fold() -> None:
    assert fold("The A&B Co., Ltd.") == "the a and b co ltd" and fold("Xi’an") == fold("Xi'an")

"""Numbers of paragraphs are those that Word shows, however a file says how to count."""

from __future__ import annotations

from pathlib import Path

import lxml.etree
import pytest

from longleaf.ingest import read_document
from longleaf.ingest.formats.office.numbering import Numbering
from sample_docs.other_formats import docx_package, p


def level(at: int, text: str, style: str = "decimal", start: int | None = 1, more: str = "") -> str:
    begins = "" if start is None else f'<start val="{start}"/>'
    return f'<lvl ilvl="{at}">{begins}<numFmt val="{style}"/><lvlText val="{text}"/>{more}</lvl>'


def definition(number: int, *inside: str) -> str:
    return f'<abstractNum abstractNumId="{number}">{"".join(inside)}</abstractNum>'


def listed(number: int, of: int, *overrides: str) -> str:
    return f'<num numId="{number}"><abstractNumId val="{of}"/>{"".join(overrides)}</num>'


def restart(at: int, start: int) -> str:
    return f'<lvlOverride ilvl="{at}"><startOverride val="{start}"/></lvlOverride>'


def marks(xml: str, *paragraphs: tuple[str, int]) -> list[str]:
    numbering = Numbering(lxml.etree.fromstring(f"<numbering>{xml}</numbering>"))
    return [numbering.mark(number, at) for number, at in paragraphs]


LEGAL = (level(0, "%1."), level(1, "%1.%2"), level(2, "%1.%2.%3"))


def test_lists_of_one_definition_count_on_and_a_restart_is_for_all() -> None:
    xml = definition(0, *LEGAL) + listed(1, 0) + listed(2, 0) + listed(3, 0, restart(0, 1))
    order = [("1", 0), ("2", 0), ("3", 0), ("1", 0), ("3", 0), ("1", 1), ("1", 0)]
    assert marks(xml, *order) == ["1.", "2.", "1.", "2.", "3.", "3.1", "4."]


def test_a_definition_may_be_that_of_a_list_style() -> None:
    xml = definition(0, '<numStyleLink val="Deed"/>') + definition(1, '<styleLink val="Deed"/>', *LEGAL)
    xml += listed(1, 1) + listed(2, 0) + listed(3, 0, restart(1, 5))
    assert marks(xml, ("1", 0), ("2", 1), ("3", 1), ("2", 1), ("1", 0)) == ["1.", "1.1", "1.5", "1.6", "2."]


def test_levels_that_were_passed_over_count_as_used() -> None:
    xml = definition(0, *LEGAL) + listed(1, 0)
    assert marks(xml, ("1", 2), ("1", 1), ("1", 0), ("1", 2)) == ["1.1.1", "1.2", "2.", "2.1.1"]


def test_a_level_without_a_start_begins_at_zero() -> None:
    xml = definition(0, level(0, "%1.", start=None)) + listed(1, 0)
    assert marks(xml, ("1", 0), ("1", 0)) == ["0.", "1."]


@pytest.mark.parametrize(
    ("style", "count", "shown"),
    [
        ("cardinalText", 342, "Three hundred forty-two"),
        ("cardinalText", 12, "Twelve"),
        ("ordinalText", 1, "First"),
        ("ordinalText", 20, "Twentieth"),
        ("ordinalText", 21, "Twenty-first"),
        ("ordinalText", 400, "Four hundredth"),
        ("ordinal", 22, "22nd"),
        ("chicago", 6, "††"),
        ("chineseCounting", 21, "二十一"),
        ("taiwaneseCountingThousand", 10, "十"),
        ("ideographTraditional", 3, "丙"),
        ("hebrew1", 2, "ב"),
        ("russianUpper", 3, "В"),
        ("decimalEnclosedCircle", 4, "④"),
        ("ideographTraditional", 11, "11"),
        ("numberInDash", 7, "- 7 -"),
    ],
)
def test_numbers_are_shown_in_their_style(style: str, count: int, shown: str) -> None:
    xml = definition(0, level(0, "%1", style, start=count)) + listed(1, 0)
    assert marks(xml, ("1", 0)) == [shown]


def test_numbers_come_from_the_default_style_and_levels_from_styles_above(tmp_path: Path) -> None:
    def style(name: str, numbered: str, based: str = "", default: str = "") -> str:
        base = f'<w:basedOn w:val="{based}"/>' if based else ""
        properties = f"<w:pPr><w:numPr>{numbered}</w:numPr></w:pPr>"
        return (
            f'<w:style w:type="paragraph" w:styleId="{name}" {default}><w:name w:val="{name}"/>'
            f"{base}{properties}</w:style>"
        )

    styles = style("Body", '<w:numId w:val="1"/>', default='w:default="1"')
    styles += style("Sub", '<w:ilvl w:val="1"/>', based="Body")
    numbering = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, text in ((0, "%1."), (1, "%1.%2"))
    )
    numbering = (
        f'<w:abstractNum w:abstractNumId="0">{numbering}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    body = p("The rent is due.") + p("In advance.", style="Sub") + p("So is the fee.")
    (tmp_path / "a.docx").write_bytes(docx_package(body, styles=styles, numbering=numbering))
    assert read_document(tmp_path / "a.docx").pages[0].text == (
        "1. The rent is due.\n1.1 In advance.\n2. So is the fee."
    )

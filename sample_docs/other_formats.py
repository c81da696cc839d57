"""Small samples of the formats without pages: what people attach to mails and put into folders.

Each function returns the bytes of one file; the same input gives the same bytes.
"""

from __future__ import annotations

import io
import re
import zipfile
from email.message import EmailMessage
from email.policy import SMTP

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STAMP = (2024, 1, 31, 12, 0, 0)
_WHEN = "2024-02-03T10:00:00Z"


def packed(parts: dict[str, str | bytes]) -> bytes:
    """A ZIP of these parts with fixed dates."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(zipfile.ZipInfo(name, _STAMP), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def docx_package(body: str, **parts: str) -> bytes:
    """A DOCX of hand-written WordprocessingML; `parts` are styles, numbering, footnotes, comments, header1, footer1."""
    kinds = {"header1": "header", "footer1": "footer"}
    relations = "".join(
        f'<Relationship Id="r{name}" Type="{R}/{kinds.get(name, name)}" Target="{name}.xml"/>'
        for name in parts
    )
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    rels = "http://schemas.openxmlformats.org/package/2006/relationships"
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": f'{head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'{head}<Relationships xmlns="{rels}"><Relationship Id="r1" Type="{R}/officeDocument" '
        'Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'{head}<Relationships xmlns="{rels}">{relations}</Relationships>',
        "word/document.xml": f'{head}<w:document xmlns:w="{W}" xmlns:r="{R}"><w:body>{body}</w:body></w:document>',
    }
    for name, content in parts.items():
        root = {"header1": "hdr", "footer1": "ftr"}.get(name, name)
        files[f"word/{name}.xml"] = f'{head}<w:{root} xmlns:w="{W}" xmlns:r="{R}">{content}</w:{root}>'
    return packed(files)


def p(*runs: str, style: str = "", properties: str = "") -> str:
    """A paragraph; a run that is no element is text."""
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    inner = "".join(
        run if run.startswith("<") else f'<w:r><w:t xml:space="preserve">{run}</w:t></w:r>' for run in runs
    )
    return f"<w:p><w:pPr>{styled}{properties}</w:pPr>{inner}</w:p>"


def inserted(text: str, author: str = "Ann Ash") -> str:
    return f'<w:ins w:id="1" w:author="{author}" w:date="{_WHEN}"><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:ins>'


def deleted(text: str, author: str = "Ben Birch") -> str:
    return (
        f'<w:del w:id="2" w:author="{author}" w:date="{_WHEN}"><w:r><w:delText xml:space="preserve">{text}</w:delText>'
        "</w:r></w:del>"
    )


def row(*cells: str, head: bool = False) -> str:
    properties = "<w:trPr><w:tblHeader/></w:trPr>" if head else ""
    return f"<w:tr>{properties}{''.join(f'<w:tc>{p(cell)}</w:tc>' for cell in cells)}</w:tr>"


STYLES = (
    '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Article"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:ilvl w:val="0"/>'
    '<w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="Clause"/><w:pPr><w:numPr><w:ilvl w:val="1"/>'
    '<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
)
NUMBERING = (
    '<w:abstractNum w:abstractNumId="0">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="Article %1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/><w:isLgl/></w:lvl>'
    '<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%3)"/></w:lvl>'
    "</w:abstractNum>"
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)
_LEVEL_3 = '<w:numPr><w:ilvl w:val="2"/><w:numId w:val="1"/></w:numPr>'


def lease() -> bytes:
    """A lease in DOCX: numbered by Word, with a table, a note, a comment and tracked changes."""
    comment = (
        '<w:commentRangeStart w:id="7"/><w:r><w:t>the State of Oregon</w:t></w:r><w:commentRangeEnd w:id="7"/>'
        '<w:r><w:commentReference w:id="7"/></w:r>'
    )
    body = "".join(
        [
            p("LEASE OF WAREHOUSE SPACE", style="Title"),
            p(
                'This Lease is made on February 1, 2024 between Harbor Holdings LLC (the "Landlord") and Tidewater '
                'Traders Inc. (the "Tenant").'
            ),
            p("Term", style="Article"),
            p(
                "The term begins on March 1, 2024 and lasts ",
                deleted("three"),
                inserted("five"),
                " years.",
                style="Clause",
            ),
            p("The Tenant may extend it once by written notice:", style="Clause"),
            p("for two years, at the rent then in force; or", properties=_LEVEL_3),
            p("for five years, at a rent to be agreed.", properties=_LEVEL_3),
            p("Rent", style="Article"),
            p(
                "The rent is due on the first day of each month.",
                '<w:r><w:footnoteReference w:id="2"/></w:r>',
                style="Clause",
            ),
            f"<w:tbl>{row('Year', 'Monthly rent', head=True)}{row('2024', '$ 12,500')}{row('2025', '$ 12,875')}</w:tbl>",
            p("Law", style="Article"),
            p("This Lease is governed by the laws of ", comment, ".", style="Clause"),
            '<w:sectPr><w:headerReference w:type="default" r:id="rheader1"/>'
            '<w:footerReference w:type="default" r:id="rfooter1"/></w:sectPr>',
        ]
    )
    return docx_package(
        body,
        styles=STYLES,
        numbering=NUMBERING,
        footnotes=f'<w:footnote w:id="2">{p("A month that is begun counts in full.")}</w:footnote>',
        comments=f'<w:comment w:id="7" w:author="Cy Cedar" w:date="{_WHEN}">{p("Our form says Washington.")}</w:comment>',
        header1=p("Execution draft"),
        footer1=p("Harbor Holdings LLC"),
    )


MINUTES = """<!doctype html>
<html><head><meta charset="utf-8"><title>Minutes of the Board</title><style>p { color: black }</style></head>
<body><nav><a href="/">Home</a> <a href="/minutes">Minutes</a></nav>
<script>document.write("not text")</script>
<main>
<h1>Minutes of the Board of Tidewater Traders Inc.</h1>
<p>The Board met on April&nbsp;4, 2024 in Portland. <span style="display: none">Draft 3</span>Four of five directors were present.</p>
<h2>Dividend</h2>
<p>The Board declared a dividend of $0.35 a share, payable on June 3, 2024.</p>
<ol type="a" start="3"><li>It is paid to holders of record on May 20, 2024.</li><li>It is not paid on treasury shares.</li></ol>
<h2>Results of the first quarter</h2>
<table><caption>Results (in thousands of dollars)</caption>
<thead><tr><th></th><th colspan="2">2024</th><th colspan="2">2023</th></tr></thead>
<tr><td>Net revenue</td><td>$</td><td>18,450</td><td>$</td><td>17,020</td></tr>
<tr><td>Operating loss</td><td></td><td>(312</td><td>)</td><td>(95</td><td>)</td></tr>
</table>
</main><footer>Tidewater Traders Inc.</footer></body></html>
"""

NOTES = """---
title: Notes on the Harbor lease
---
# Notes on the Harbor lease

The deposit is **$25,000**, payable
within ten days of signing.

## Open points

1. Who insures the goods?
2. Who pays for the repair of the roof?
   - the Landlord, says our draft

| Point | Owner | Due |
|---|---|---|
| Insurance | Ann Ash | March 8, 2024 |
| Roof | Ben Birch | March 15, 2024 |
"""

FILING = (
    "                     TIDEWATER TRADERS INC.\n\n"
    "                        QUARTERLY NOTICE\n\n"
    "     The Company sold its warehouse in Astoria on May 2, 2024 for a price of\n"
    "$4,100,000. It expects no further sales of property this year.\n\n"
    "                                         2024         2023\n"
    "Rent received                      $   41,200   $   39,800\n"
    "Repairs                                (8,150)      (2,940)\n"
    "\f\n"
    "     The notice is signed by Dee Dogwood, Secretary, who can be reached in Port-\n"
    "land.\n"
)


def ledger() -> bytes:
    """A workbook: a sheet of rents with formats and formulas, one of dates, and a hidden one."""
    import openpyxl

    workbook = openpyxl.Workbook()
    rents = workbook.active
    rents.title = "Rents"
    rents.append(["Rents of the warehouses"])
    rents.append(["(in dollars)"])
    rents.append([])
    rents.append(["Warehouse", "Rent", "Share", "Change"])
    for name, rent, share, change in (("Portland", 150000, 0.625, 1250.5), ("Astoria", 90000, 0.375, -430)):
        rents.append([name, rent, share, change])
    for line in rents.iter_rows(min_row=5, max_row=6):
        line[1].number_format = '"$"#,##0'
        line[2].number_format = "0.0%"
        line[3].number_format = "#,##0.00;(#,##0.00)"
    import datetime

    dates = workbook.create_sheet("Key dates")
    dates.append(["Event", "Date"])
    dates.append(["Term begins", datetime.date(2024, 3, 1)])
    dates["B2"].number_format = "mmmm d, yyyy"
    hidden = workbook.create_sheet("Old")
    hidden.append(["Old rent", 11000])
    hidden.sheet_state = "hidden"
    workbook.properties.created = workbook.properties.modified = datetime.datetime(2024, 1, 31)
    out = io.BytesIO()
    workbook.save(out)
    with zipfile.ZipFile(out) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    parts["docProps/core.xml"] = re.sub(
        rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>2024-01-31T00:00:00Z", parts["docProps/core.xml"]
    )
    return packed(dict(parts))


def mail(*attached: tuple[str, bytes]) -> bytes:
    """A message about the lease with these attachments."""
    message = EmailMessage(policy=SMTP)
    message["Subject"] = "Harbor lease: signed copy"
    message["From"] = "Ann Ash <ann@tidewater.example>"
    message["To"] = "Ben Birch <ben@tidewater.example>"
    message["Date"] = "Mon, 05 Feb 2024 09:30:00 -0800"
    message["Message-ID"] = "<1@tidewater.example>"
    message.set_content(
        "Ben,\n\nthe Landlord agreed to a deposit of $25,000 and wants it by February 15, 2024. Please see the "
        "attached lease.\n\nAnn\n"
    )
    for name, data in attached:
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return _fixed_boundary(message)


def _fixed_boundary(message: EmailMessage) -> bytes:
    if message.is_multipart():
        message.set_boundary("=====longleaf=====")
    return message.as_bytes()


def deal_room() -> bytes:
    """A ZIP folder with a document of each kind, a message with its own attachment, and a picture."""
    return packed(
        {
            "lease/lease.docx": lease(),
            "lease/ledger.xlsx": ledger(),
            "board/minutes.html": MINUTES,
            "notes.md": NOTES,
            "filing.txt": FILING,
            "mail.eml": mail(("lease.docx", lease())),
            "logo.png": b"\x89PNG\r\n\x1a\n" + bytes(40),
        }
    )


def files() -> dict[str, bytes]:
    """The samples by file name."""
    return {
        "lease.docx": lease(),
        "ledger.xlsx": ledger(),
        "minutes.html": MINUTES.encode(),
        "notes.md": NOTES.encode(),
        "filing.txt": FILING.encode("cp1252"),
        "mail.eml": mail(("lease.docx", lease()), ("minutes.html", MINUTES.encode())),
        "deal_room.zip": deal_room(),
    }

"""Runs each parser on something made: what it imports or builds late must come before files are locked away,
and what a worker finds done already it does not do again in its own copy of the memory."""

from __future__ import annotations

import ctypes
import io


def pages(times: int) -> None:
    """What a "pages" worker needs, done so many times."""
    import numpy as np

    from longleaf.ingest.pdf import file_structure, reader
    from longleaf.ingest.pdf.characters import BREAK_SPACE, Glyphs
    from longleaf.ingest.pdf.damage import is_sound
    from longleaf.ingest.pdf.lines import lay_out
    from longleaf.ingest.pdf.normalise import normalise
    from longleaf.ingest.pdf.page_lines import RawPage
    from longleaf.ingest.worker.page_frames import page_frame_bytes

    "a".encode("utf-16-le").decode("utf-16-le", "replace")
    codes = np.array([ord(c) for c in "Ab\ufb01\x00"], np.uint32)
    boxes = np.array([(10.0 * i, 10.0, 10.0 * i + 9, 20.0) for i in range(4)])
    zeros = np.zeros(4, np.uint8)
    spaces = np.array([0, BREAK_SPACE, BREAK_SPACE, 0], np.uint8)
    glyphs = Glyphs(codes, boxes, spaces, zeros.astype(np.int8), zeros)
    page_frame_bytes(RawPage(0, 100.0, 100.0, normalise(lay_out(glyphs, 100.0, 100.0)), 0.0, False))

    data = _made_pdf()
    held = (ctypes.c_char * len(data)).from_buffer_copy(data)
    document, _ = reader.open_document(held, len(data))
    for _ in range(times):
        file_structure.read_structure(document, reader.page_count(document), sound=is_sound(data))
        page = reader.read_page(document, 0)
        assert page is not None
        page_frame_bytes(page)
    reader.close_document(document)


def _made_pdf() -> bytes:
    """One page with a title, a paragraph, a list and a table in the fonts that contracts are set in."""
    lines = [
        ("F1", 72, "ARTICLE 2. Delivery"),
        *[("F2", 72, "The supplier delivers the goods within thirty days after each order,")] * 6,
        *[("F2", 90, "\\225 and bears their risk until then.")] * 3,
        *[("F3", 72, "Net revenue"), ("F3", 300, "1,234.5")] * 3,
    ]
    shown, y = [], 720
    for font, x, text in lines:
        y -= 13 if x < 300 else 0
        shown.append(f"BT /{font} 10 Tf {x} {y} Td ({text}) Tj ET")
    contents = "\n".join(shown)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R /F2 6 0 R /F3 7 0 R >> >> >>",
        f"<< /Length {len(contents)} >>\nstream\n{contents}\nendstream",
        *[
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>"
            for name in ("Helvetica-Bold", "Times-Roman", "Courier")
        ],
    ]
    body = "\n".join(f"{i} 0 obj\n{held}\nendobj" for i, held in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}\ntrailer << /Root 1 0 R >>\n%%EOF\n".encode()


def damage(*, encrypted: bool) -> None:
    """What a "damage" worker needs; decryption only where the file asks for it."""
    import pypdf

    from longleaf.ingest.pdf.damage import damaged_pages

    for codec in ("utf-16", "utf-16-be", "utf-16-le", "latin-1", "cp1252", "ascii"):
        "a".encode(codec).decode(codec)
    for algorithm in ("RC4-128", "AES-128", "AES-256") if encrypted else ("",):
        writer = pypdf.PdfWriter()
        writer.add_blank_page(10, 10)
        if algorithm:
            writer.encrypt("", "owner", algorithm=algorithm)
        written = io.BytesIO()
        writer.write(written)
        damaged_pages(written)

"""Runs each parser once on something made: what it imports late must come before files are locked away."""

from __future__ import annotations

import io


def pages() -> None:
    """What a "pages" worker needs."""
    import numpy as np

    from . import pdf, structure
    from .damage import is_sound
    from .glyphs import BREAK_SPACE, Glyphs
    from .layout import lay_out
    from .normalise import normalise
    from .pages import RawPage
    from .wire import page_frame_bytes

    "a".encode("utf-16-le").decode("utf-16-le", "replace")
    codes = np.array([ord(c) for c in "Ab\ufb01\x00"], np.uint32)
    boxes = np.array([(10.0 * i, 10.0, 10.0 * i + 9, 20.0) for i in range(4)])
    zeros = np.zeros(4, np.uint8)
    spaces = np.array([0, BREAK_SPACE, BREAK_SPACE, 0], np.uint8)
    glyphs = Glyphs(codes, boxes, spaces, zeros.astype(np.int8), zeros)
    np.unique(codes, return_index=True, return_inverse=True)
    assert pdf.read_page is not None and structure.read_structure is not None
    assert is_sound(b"%PDF-1.4")
    page_frame_bytes(RawPage(0, 100.0, 100.0, normalise(lay_out(glyphs, 100.0, 100.0)), 0.0, False))


def damage(*, encrypted: bool) -> None:
    """What a "damage" worker needs; decryption only where the file asks for it."""
    import pypdf

    from .damage import damaged_pages

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

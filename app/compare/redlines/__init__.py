"""Both versions as one: tracked changes in DOCX, coloured words in HTML and PDF."""

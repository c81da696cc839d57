"""Pages of a PDF: characters, lines, headers and footers, ligatures, damage."""

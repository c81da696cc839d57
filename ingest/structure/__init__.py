"""From lines to page text, sections and chunks."""

"""HTML and Markdown."""

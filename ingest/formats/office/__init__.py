"""Word and Excel files: packages of XML parts, numbering, equations, number formats."""

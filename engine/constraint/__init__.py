"""What a constrained request may say next: grammars, schemas, verbatim text."""

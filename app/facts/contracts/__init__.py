"""The facts of a contract: parties, dates, law, clauses, and what amendments change."""

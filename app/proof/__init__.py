"""Citations, and whether a statement follows from what it cites."""

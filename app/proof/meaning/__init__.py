"""Whether a statement follows from its source: what its words mean, not only which they are."""

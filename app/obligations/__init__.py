"""Who must, may and must not do what: every duty, right and prohibition of a contract as data."""

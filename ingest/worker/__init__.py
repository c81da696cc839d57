"""The confined processes that read hostile files, and how the parent talks to them."""

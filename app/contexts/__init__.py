"""A whole document as prompts that each fit a context."""

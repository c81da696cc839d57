"""Prompts read once: the tree of prefixes in memory and its tier on disk."""

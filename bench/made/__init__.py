"""Contracts of our own making to measure the key facts on; see contracts.py."""

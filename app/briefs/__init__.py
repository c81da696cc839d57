"""Briefs of one document."""

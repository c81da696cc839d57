"""Figures and ratios."""

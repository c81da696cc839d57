"""Whole folders in one run: every file accounted for, nothing lost by an interruption, nothing done twice."""

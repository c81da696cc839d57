"""Figures and ratios: a question's figures are found in the statements, its formula is computed and shown."""

from longleaf.app.calculate.answer import answer_figures

__all__ = ["answer_figures"]

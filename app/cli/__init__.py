"""The command line. Exit codes: 0 done, 1 some inputs failed (named), 2 wrong use."""

from longleaf.app.cli.main import main

__all__ = ["main"]

"""Longleaf: reads whole contracts and reports on a CPU server and answers with proof."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("longleaf")
except PackageNotFoundError:  # run from the source tree, not installed
    __version__ = "0+unknown"


class LongleafError(Exception):
    """Root of every error Longleaf raises on purpose.

    The message is for a person: what was wrong, where (file, page, byte), and what to do.
    """


__all__ = ["LongleafError", "__version__"]

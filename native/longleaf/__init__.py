"""Longleaf: reads whole contracts and reports on a CPU server and answers with proof."""

__version__: str


class LongleafError(Exception):
    """Root of every error Longleaf raises on purpose.

    The message is for a person: what was wrong, where (file, page, byte), and what to do.
    """


def __getattr__(name: str) -> str:
    """The version is looked up when asked for: that takes longer than most of what a worker imports."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("longleaf")
    except PackageNotFoundError:  # run from the source tree, not installed
        return "0+unknown"


__all__ = ["LongleafError", "__version__"]

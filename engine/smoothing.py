"""Measured times that vary by chance, as one figure each."""

from __future__ import annotations


def smoothed(known: float | None, newest: float, *, rise: float, fall: float) -> float:
    """`known` moved towards the newest measurement: by the share `rise` if that is larger, else by `fall`."""
    if known is None:
        return newest
    return known + (rise if newest > known else fall) * (newest - known)

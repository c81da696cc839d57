"""The kernel sets that tests run on, by what each kind promises.

An exact set sums products of integers: quantized weights meet activations of 16 bits, and every exact set
gives the same bits. A rounding set rounds both factors to bf16 and sums in f32: its products lie within a
bound, and are the same bits on every rounding set. Products with weights of float kinds are exact on all.
Tiles are emulated where there are none, so that what is promised of them is tested on every machine with
AVX-512.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from longleaf import _native

AVAILABLE = _native.kernel_sets()  # on this machine, the default first
EXACT = [name for name in AVAILABLE if name != "amx"]
ROUNDING = [name for name in AVAILABLE if name == "amx"] + ["amx-emulated"] * ("avx512" in AVAILABLE)
SETS = EXACT + ROUNDING

# What a rounding set makes of numbers, relative to them. Activations go to the nearest bf16: 8 bits.
ACTIVATION_ROUNDING = 2.0**-8
# Weights are cut off to 8 bits after a multiplication that makes the mean error zero.
CUT_OFF = 1.00276
WEIGHT_ROUNDING = max(CUT_OFF - 1, 1 - CUT_OFF * (1 - 2.0**-7))
# Of the scale of a group, beside that: what is left of a minimum where a code stands in a float's mantissa.
SCALE_ROUNDING = 2.0**-8
# Of a product, where scales are no larger than weights; and of its sum in f32.
PRODUCT_ROUNDING = (1 + ACTIVATION_ROUNDING) * (1 + WEIGHT_ROUNDING + SCALE_ROUNDING) - 1 + 2e-6


def brain(x: ArrayLike) -> NDArray[np.float64]:
    """To the nearest bf16, ties to even."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)
    return (rounded & np.uint32(0xFFFF0000)).view(np.float32).astype(np.float64)


def cut(x: ArrayLike) -> NDArray[np.float64]:
    """Weights as a rounding set has them, but for what is left of minima."""
    bits = (np.ascontiguousarray(x, np.float32) * np.float32(CUT_OFF)).view(np.uint32)
    return (bits & np.uint32(0xFFFF0000)).view(np.float32).astype(np.float64)


def is_float(weight_type: str) -> bool:
    """Whether weights of this type are multiplied as floats, on every set."""
    return weight_type in ("F32", "F16", "BF16")

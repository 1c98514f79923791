"""Packs the numbers of a value into a short text for JSON and the database.

A dictation has thousands of them, and listing dictations reads them all: a text costs a tenth of a list of numbers.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TYPE = "<f4"


def kept(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers rounded as `packed` stores them, to seven digits."""
    import numpy as np

    with np.errstate(over="ignore"):
        return numbers.astype(_TYPE).astype(np.float64)


def packed(numbers: NDArray[np.float64]) -> str:
    """Base64 of the numbers as little-endian 32-bit floats; NaN is allowed.

    Empty if one is infinite, because it could not be restored.
    """
    import numpy as np

    with np.errstate(over="ignore"):
        small = numbers.astype(_TYPE)
    return "" if np.isinf(small).any() else base64.b64encode(small.tobytes()).decode("ascii")


def unpacked(text: str) -> NDArray[np.float64]:
    """Raises ValueError for a text that `packed` did not write."""
    import numpy as np

    numbers = np.frombuffer(base64.b64decode(text, validate=True), _TYPE).astype(np.float64)
    if np.isinf(numbers).any():
        raise ValueError("an infinite number is never kept")
    return numbers

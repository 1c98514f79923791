"""Numbers of a value in one short text, which JSON and a database keep as it is.

A dictation has thousands of them, and all dictations are read in order to list them: a text costs a tenth of what a
list of numbers does.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TYPE = "<f4"


def kept(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers as `packed` keeps them, to seven digits."""
    import numpy as np

    with np.errstate(over="ignore"):
        return numbers.astype(_TYPE).astype(np.float64)


def packed(numbers: NDArray[np.float64]) -> str:
    """The numbers, of which some may be NaN, in base64 of 32-bit floats, the least significant byte first; empty where
    one is infinite, for nothing can be made of them again."""
    import numpy as np

    with np.errstate(over="ignore"):
        small = numbers.astype(_TYPE)
    return "" if np.isinf(small).any() else base64.b64encode(small.tobytes()).decode("ascii")


def unpacked(text: str) -> NDArray[np.float64]:
    """Raises ValueError for a text that `packed` has not written."""
    import numpy as np

    numbers = np.frombuffer(base64.b64decode(text, validate=True), _TYPE).astype(np.float64)
    if np.isinf(numbers).any():
        raise ValueError("an infinite number is never kept")
    return numbers

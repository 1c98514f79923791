"""The size of paper where the computer is."""

from __future__ import annotations

import locale
import re
from contextlib import suppress

# countries where letter is usual, by the code of POSIX and by the name of Windows
_LETTER = re.compile(
    r"_(US|CA|MX|BZ|CL|CO|CR|DO|GT|NI|PA|PH|PR|SV|VE"
    r"|United States|Canada|Mexico|Belize|Chile|Colombia|Costa Rica|Dominican Republic|Guatemala|Nicaragua|Panama"
    r"|Philippines|Puerto Rico|El Salvador|Venezuela)\b"
)


def usual_paper() -> str:
    """`letter` or `a4`, by the region of the computer; `a4` if it names none."""
    name = None
    with suppress(ValueError):  # a locale that Python does not know
        name, _ = locale.getlocale(locale.LC_CTYPE)
    return "letter" if _LETTER.search(name or "") else "a4"

"""Text that no spreadsheet takes for a formula."""

from __future__ import annotations

import re

# leading white space is skipped, because some spreadsheets trim it; full-width signs count, too
_DANGEROUS = re.compile(r"['\t\r\n\0]|\s*[=+\-@＝＋－＠]")


def inert(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet could take it for a formula, or if it begins with one.

    Removing one leading apostrophe restores a text exactly.
    """
    return f"'{text}" if _DANGEROUS.match(text) else text

"""Reads a plain text file in place of a recording."""

from __future__ import annotations

import codecs
import unicodedata
from pathlib import Path

from models.base.errors import InputError
from speech.transcript import Transcript

MAXIMUM_CHARACTERS = 200_000  # about 65 pages; a dictation of that length takes more than three hours
MOST_CONTROLS = 0.05  # share of control characters from which on a file is no text
TURNED_AROUND = "Characters that make text read backwards were removed: compare the transcript with the file."
_TURNING = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
_HINT = "Choose a plain text file (.txt)."
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_text(path: Path) -> Transcript:
    """Reads the text as a Transcript without times; line endings become newlines.

    Accepts UTF-8, UTF-16 with a byte order mark, or Windows' western encoding. A stray control character becomes a
    space. Invisible characters are left out; the transcript warns of those that turn the direction of reading.

    Raises:
        InputError: the file is missing, unreadable, empty, not text, or longer than MAXIMUM_CHARACTERS.
    """
    try:
        with path.open("rb") as file:
            data = file.read(4 * MAXIMUM_CHARACTERS + 5)  # no text within the limit is longer in any encoding
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.", "Check the name and the folder.") from error
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder.", "Choose the text file inside it.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
    text = _decoded(data, path).replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise InputError(f"{path.name} contains no text.", _HINT)
    controls = sum(map(_is_control, text))
    if "\0" in text or controls > 1 + MOST_CONTROLS * len(text):
        raise InputError(f"{path.name} is not a text file.", _HINT)
    warnings = (TURNED_AROUND,) if _TURNING.intersection(text) else ()
    text = "".join(" " if _is_control(letter) else letter for letter in text if not is_invisible(letter)).strip()
    if not text:
        raise InputError(f"{path.name} contains no text.", _HINT)
    if len(text) > MAXIMUM_CHARACTERS:
        raise InputError(
            f"{path.name} is longer than {MAXIMUM_CHARACTERS:,} characters.", "Split it into one file per dictation."
        )
    return Transcript(text=text, warnings=warnings)


def is_invisible(letter: str) -> bool:
    """Whether a character only formats others, such as one that turns the direction of reading or has no width."""
    return unicodedata.category(letter) == "Cf"


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) == "Cc" and letter not in "\n\t"


def _decoded(data: bytes, path: Path) -> str:
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    # The read limit may split a character; the text is then refused as too long anyway.
    cut = len(data) > 4 * MAXIMUM_CHARACTERS
    try:
        return data.decode(encoding, errors="ignore" if cut else "strict")
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise InputError(f"{path.name} is damaged: it is not valid {encoding}.", _HINT) from error
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is not a text file.", _HINT) from error

"""A plain text file in place of a recording."""

from __future__ import annotations

import codecs
from pathlib import Path

from models.errors import InputError
from speech.transcript import Transcript

# About seventy printed pages; what is longer is a wrong file rather than a dictation.
LONGEST_CHARACTERS = 250_000


def read_text(path: Path) -> Transcript:
    """The file's text as a transcript without times.

    Raises:
        InputError: no such file, not a text, empty, or far too long.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"The text {path.name} cannot be read: {error.strerror or error}.", "Check the name and the folder."
        ) from error
    text = _decoded(data, path.name).replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise InputError(f"{path.name} holds no text.", "Choose a file with a dictation in it.")
    if len(text) > LONGEST_CHARACTERS:
        raise InputError(
            f"{path.name} has {len(text):,} characters; one dictation may have {LONGEST_CHARACTERS:,}.",
            "Split it into several files.",
        )
    return Transcript(text)


def _decoded(data: bytes, name: str) -> str:
    not_text = InputError(f"{name} is not a text file.", "Save the dictation as plain text in UTF-8.")
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        try:
            text = data.decode("cp1252")  # what older Windows editors write
        except UnicodeDecodeError:
            raise not_text from None
    if any(ord(letter) < 32 and letter not in "\t\n\r\f" for letter in text):
        raise not_text
    return text

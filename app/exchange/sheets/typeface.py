"""The typeface of the printed sheet, and text as its paragraphs read it."""

from __future__ import annotations

import unicodedata
from functools import cache
from xml.sax.saxutils import escape

from resources import FOLDER

REGULAR, BOLD = "IBMPlexSans-Regular", "IBMPlexSans-SemiBold"


def register_typeface() -> None:
    """Makes the typeface known to reportlab, which embeds of it what a file uses."""
    from reportlab.pdfbase.pdfmetrics import getRegisteredFontNames, registerFont, registerFontFamily
    from reportlab.pdfbase.ttfonts import TTFont

    for name in {REGULAR, BOLD}.difference(getRegisteredFontNames()):
        registerFont(TTFont(name, FOLDER / "fonts" / f"{name}.ttf"))
    registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD)


LACKED = "[U+"  # what a character that the typeface lacks begins with


def markup(text: str) -> str:
    """A text as the markup of a paragraph; a character that the typeface lacks is written as `[U+65E5]`."""
    return "".join(map(_written, unicodedata.normalize("NFC", text.replace("\r\n", "\n"))))


@cache
def _glyphs() -> frozenset[int]:
    """The characters that both weights have."""
    from reportlab.pdfbase.pdfmetrics import getFont

    register_typeface()
    return frozenset(getFont(REGULAR).face.charToGlyph) & frozenset(getFont(BOLD).face.charToGlyph)


def _written(character: str) -> str:
    if character == "\n":
        return "<br/>"
    if character == "\t":
        return " "
    return escape(character) if ord(character) in _glyphs() else f"{LACKED}{ord(character):04X}]"

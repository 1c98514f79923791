"""The report of an import as a file: a PDF to print and sign, or a text."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

from app.exchange.sheets.typeface import BOLD, REGULAR, markup, register_typeface
from app.services.contracts.jobs import ReadExport
from app.services.contracts.report import (
    Section,
    checks_report,
    report_origin,
    report_sections,
    report_title,
    verdict,
)

_MARGIN, _FOOT = 44.0, 18.0  # points
_SHADE, _LINE, _QUIET = "#e8e8e8", "#b0b0b0", "#555555"
_GOOD, _BAD = "#1f6f3f", "#a02020"
# the shares of the page that columns have, by their number
_SHARES = {2: (0.2, 0.8), 3: (0.3, 0.2, 0.5), 4: (0.26, 0.16, 0.14, 0.44)}
_LONGEST = 600  # characters of a cell: what is longer might fill a page


def report_bytes(read: ReadExport, title: str, suffix: str) -> bytes:
    """The report as a file: a page to print for `.pdf`, else plain text."""
    return printed_report(read, title) if suffix.lower() == ".pdf" else checks_report(read, title).encode()


def printed_report(read: ReadExport, title: str) -> bytes:
    """The bytes of a PDF file, the same for the same import."""
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import SimpleDocTemplate, Spacer

    register_typeface()
    data, heading = io.BytesIO(), report_title(read, title)
    document = SimpleDocTemplate(
        data,
        pagesize=A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN + _FOOT,
        title=heading,
        author="Wardlight",
        lang="en",
        invariant=1,
        initialFontName=REGULAR,
    )
    origin, folder = report_origin(read)
    story: list[Any] = [
        _paragraph(heading, size=16, bold=True),
        Spacer(0, 4),
        _paragraph(f"This flowsheet {verdict(read)}", size=12, bold=True, colour=_GOOD if read.usable else _BAD),
        Spacer(0, 4),
        _paragraph(origin, colour=_QUIET),
        _paragraph(folder, colour=_QUIET),
    ]
    for section in report_sections(read):
        story += [Spacer(0, 12), _paragraph(section.title, size=12, bold=True), Spacer(0, 3)]
        story.append(_table(section, document.width))
    story += [Spacer(0, 30), _paragraph("Reviewed by ____________________     Date ______________")]
    foot = partial(_draw_foot, origin=origin)
    document.build(story, onFirstPage=foot, onLaterPages=foot)
    return data.getvalue()


def _draw_foot(canvas: Any, document: Any, *, origin: str) -> None:
    canvas.setFont(REGULAR, 7)
    canvas.setFillColor(_QUIET)
    canvas.drawString(_MARGIN, _MARGIN, origin)
    canvas.drawRightString(document.pagesize[0] - _MARGIN, _MARGIN, f"Page {document.page}")


def _table(section: Section, width: float) -> Any:
    from reportlab.platypus import Table

    cells = [[_paragraph(text[:_LONGEST], size=8) for text in line] for line in section.lines]
    heads = [_paragraph(head, size=8, bold=True) for head in section.heads]
    table = Table([heads, *cells], colWidths=[share * width for share in _SHARES[len(heads)]], repeatRows=1)
    table.setStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("BACKGROUND", (0, 0), (-1, 0), _SHADE),
            ("LINEBELOW", (0, 0), (-1, -1), 0.5, _LINE),
            ("TOPPADDING", (0, 0), (-1, -1), 1),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
        ]
    )
    return table


def _paragraph(text: str, *, size: float = 9, bold: bool = False, colour: str = "black") -> Any:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    style = ParagraphStyle(
        "text",
        fontName=BOLD if bold else REGULAR,
        fontSize=size,
        leading=size * 1.3,
        textColor=colour,
        splitLongWords=True,
    )
    return Paragraph(markup(text), style)

"""Handovers as a PDF to print: a patient begins a page; the whole ward is a list with a line for each."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from app.chart.handover.page import Handover
from app.chart.handover.ward_list import WARD_HEADS, ward_line
from app.chart.handover.words import HandoverLine, identity, part_lines, summary
from app.exchange.sheets.arrangement import clock_text
from app.exchange.sheets.cell_markup import ALARM, QUIET
from app.exchange.sheets.typeface import REGULAR, markup, register_typeface
from models.base.errors import InputError

_MARGIN, _SHADE, _LINE = 36.0, "#e8eef0", "#8d8d8d"


def printed_handovers(pages: Sequence[Handover], *, paper: str, program: str, ward: bool = False) -> bytes:
    """The bytes of a PDF: a page for each patient, or with `ward` one list of all.

    Args:
        paper: `a4` or `letter`.
        program: its name and version.

    Raises:
        InputError: something that a person wrote is so long that no page has room for it.
    """
    from reportlab.lib.pagesizes import A4, LETTER, landscape
    from reportlab.platypus import PageBreak, SimpleDocTemplate
    from reportlab.platypus.doctemplate import LayoutError

    register_typeface()
    size = LETTER if paper == "letter" else A4
    size = landscape(size) if ward else size
    data = io.BytesIO()
    document = SimpleDocTemplate(
        data,
        pagesize=size,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN + 14,
        title="Handover of the ward" if ward else "Handover",  # names no patient
        author=program,
        lang="en",
        initialFontName=REGULAR,
    )
    width = size[0] - 2 * _MARGIN - 12
    if ward:
        story = _ward(pages, width)
    else:
        story = [part for page in pages for part in (*_page(page, width), PageBreak())][:-1]
    try:
        document.build(story, onFirstPage=_foot(program), onLaterPages=_foot(program))
    except LayoutError as error:
        raise InputError(
            "The handover cannot be printed: something that was written in it fills more than a page.", "Shorten it."
        ) from error
    return data.getvalue()


def _page(page: Handover, width: float) -> list[Any]:
    from reportlab.platypus import Paragraph, Spacer, Table

    since = f"in this stay since {clock_text(page.since)} · " if page.since else ""
    story: list[Any] = [
        Spacer(0, 6),
        _paragraph(markup(f"Handover ({page.layout}) · {since}prepared {clock_text(page.prepared_at)}"), 8, QUIET),
        _paragraph(markup(f"{summary(page)}."), 8, QUIET),
    ]
    # the first row is repeated on each further page of the patient
    lines: list[list[Paragraph | str]] = [[_paragraph(f"<b>{markup(identity(page))}</b>", 13), ""]]
    styles: list[tuple[Any, ...]] = [("SPAN", (0, 0), (-1, 0)), ("BOTTOMPADDING", (0, 0), (-1, 0), 6)]
    for part in page.parts:
        said = part_lines(part, page.prepared_at)
        for place, line in enumerate(said):
            title = f"<b>{markup(part.section.title)}</b>" if place == 0 else ""
            lines.append([_paragraph(title, 8), _line(line)])
        styles.append(("LINEABOVE", (0, len(lines) - len(said)), (-1, len(lines) - len(said)), 0.5, _LINE))
    table = Table(lines, colWidths=[width * 0.24, width * 0.76], repeatRows=1)
    table.setStyle(
        [
            ("FONTNAME", (0, 0), (-1, -1), REGULAR),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 0.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
            *styles,
        ]
    )
    return [table, *story]


def _line(line: HandoverLine) -> Any:
    name = f"{markup(line.name)}: " if line.name else ""
    text = f"{name}<b>{markup(line.content)}</b>"
    if line.flagged:
        text += f' <font color="{ALARM}"><b>! was flagged:</b> {markup(line.flagged)}</font>'
    return _paragraph(f'{text} <font color="{QUIET}" size="7">{markup(line.note)}</font>', 8.5)


def _ward(pages: Sequence[Handover], width: float) -> list[Any]:
    from reportlab.platypus import Spacer, Table

    heads = [_paragraph(f"<b>{head}</b>", 8) for head in WARD_HEADS]
    rows = [[_paragraph(markup(cell), 8) for cell in ward_line(page)] for page in pages]
    shares = (0.07, 0.17, 0.09, 0.11, 0.08, 0.14, 0.17, 0.17)
    table = Table([heads, *rows], colWidths=[width * share for share in shares], repeatRows=1)
    table.setStyle(
        [
            ("FONTNAME", (0, 0), (-1, -1), REGULAR),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("BACKGROUND", (0, 0), (-1, 0), _SHADE),
            ("LINEBELOW", (0, 0), (-1, -1), 0.5, _LINE),
        ]
    )
    when = clock_text(pages[0].prepared_at) if pages else ""
    return [_paragraph(f"<b>Handover of the ward</b>, prepared {when}", 13), Spacer(0, 6), table]


def _foot(program: str) -> Any:
    def draw(canvas: Any, document: Any) -> None:
        stamp = datetime.now(UTC)
        text = f"{program} · confirmed values only; “! was flagged” marks values that were doubted before they were "
        text += f"confirmed · page {document.page} · printed {clock_text(stamp.isoformat())}"
        foot = _paragraph(markup(text), 7, QUIET)
        foot.wrap(document.width, 40)
        foot.drawOn(canvas, _MARGIN + 6, _MARGIN - 6)

    return draw


def _paragraph(text: str, size: float = 9, colour: str = "black") -> Any:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    style = ParagraphStyle("text", fontName=REGULAR, fontSize=size, leading=size * 1.25, textColor=colour)
    return Paragraph(text, style)

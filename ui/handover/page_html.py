"""The page of a handover, the list of the ward and the nurse's note as HTML for the window and the printer."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from app.chart.handover.page import Handover
from app.chart.handover.ward_list import WARD_HEADS, ward_line
from app.chart.handover.words import HandoverLine, identity, part_lines, summary
from ui.kit.theme import Theme

DICTATION, PATIENT = "dictation:", "patient:"  # what a link leads to


def page_html(page: Handover, theme: Theme | None) -> str:
    """A page in the colours of a theme, or in black for the printer; a value links to its dictation."""
    muted, alarm = _colour(theme, "muted", "#525252"), _colour(theme, "lit", "#a2191f")
    rows = []
    for part in page.parts:
        lines = "<br>".join(_line(line, muted, alarm) for line in part_lines(part, page.prepared_at))
        rows.append(f"<tr><td width='24%'><b>{escape(part.section.title)}</b></td><td>{lines}</td></tr>")
    return (
        f"<h2>{escape(identity(page))}</h2><p style='color:{muted}'>Handover ({escape(page.layout)}) · "
        f"{escape(summary(page))}.</p><table width='100%' cellpadding='4'>{''.join(rows)}</table>"
    )


def ward_html(pages: Sequence[Handover], theme: Theme | None) -> str:
    """The ward as one list; a name links to the page of its patient."""
    muted = _colour(theme, "muted", "#525252")
    heads = "".join(f"<th align='left' style='color:{muted}'>{escape(head)}</th>" for head in WARD_HEADS)
    rows = []
    for page in pages:
        bed, name, *others = ward_line(page)
        link = f"<a href='{PATIENT}{page.patient.id}'>{escape(name)}</a>"
        cells = "".join(f"<td>{_text(cell)}</td>" for cell in others)
        rows.append(f"<tr><td><b>{escape(bed)}</b></td><td>{link}</td>{cells}</tr>")
    return f"<h2>Handover of the ward</h2><table width='100%' cellpadding='5'><tr>{heads}</tr>{''.join(rows)}</table>"


def _line(line: HandoverLine, muted: str, alarm: str) -> str:
    name = f"{escape(line.name)}: " if line.name else ""
    text = f"{name}<b>{_text(line.content)}</b>"
    if line.flagged:
        text += f" <span style='color:{alarm}'><b>! was flagged:</b> {escape(line.flagged)}</span>"
    note = escape(line.note)
    if line.dictation_id:
        note = f"<a href='{DICTATION}{line.dictation_id}' style='color:{muted}'>{note or 'dictation'}</a>"
    return f"{text} <small><span style='color:{muted}'>{note}</span></small>"


def _text(words: str) -> str:
    return escape(words).replace("\n", "<br>")


def _colour(theme: Theme | None, name: str, printed: str) -> str:
    return theme.colour(name).name() if theme else printed

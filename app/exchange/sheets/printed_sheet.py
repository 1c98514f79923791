"""Values of a dictation as a PDF to print: the patient on each page, categories, and a column for each time."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import Any

from app.chart.cells import column_at
from app.exchange.records import ExportRecord
from app.exchange.sheets.arrangement import by_category, clock_offset, clock_text, observed, signatures
from app.exchange.sheets.cell_markup import QUIET, cell_markup
from app.exchange.sheets.typeface import LACKED, REGULAR, markup, register_typeface
from extraction.flowsheet.schema import Schema
from models.base.errors import InputError

_MARGIN = 40.0  # points
_PADDING = 6.0  # of the frame that reportlab puts inside its own margins
_COLUMNS = 4  # of times beside each other
_LONGEST = {1: 600, 2: 300}  # characters of a cell, by the number of columns; what is longer gets the page's width
_LONGEST_NAME = 200
_SHADE, _LINE = "#e0e0e0", "#8d8d8d"
_BELOW = f'<font color="{QUIET}">see below</font>'
_TAG = re.compile("<[^>]*>")


def printed_sheet(
    records: Sequence[ExportRecord], schema: Schema, *, paper: str, exported_at: str, program: str
) -> bytes:
    """The bytes of a PDF file, the same for the same arguments.

    Args:
        schema: has a row for each record.
        paper: `a4` or `letter`.
        exported_at: UTC in ISO 8601.
        program: its name and version.

    Raises:
        InputError: a name or number is so long that no page has room for it.
    """
    from reportlab.platypus.doctemplate import LayoutError

    register_typeface()
    sheet = _Sheet(records, schema, paper, exported_at, program)
    try:
        return sheet.written(pages=sheet.written(pages=1)[1])[0]
    except LayoutError as error:
        raise InputError(
            "The values cannot be printed: a name of a row or category, or what identifies the patient, fills a page.",
            "Shorten it, or choose another format.",
        ) from error


@dataclass(frozen=True)
class _Sheet:
    records: Sequence[ExportRecord]
    schema: Schema
    paper: str
    exported_at: str
    program: str

    @cached_property
    def _size(self) -> tuple[float, float]:
        from reportlab.lib.pagesizes import A4, LETTER

        return LETTER if self.paper == "letter" else A4  # type: ignore[no-any-return]

    @cached_property
    def _width(self) -> float:
        return self._size[0] - 2 * _MARGIN

    @cached_property
    def _signers(self) -> dict[str, str]:
        """By reviewer, the number that stands for their name beside a value; empty if one person signed all."""
        names = [one.reviewer for one in signatures(self.records)]
        return {name: str(place) for place, name in enumerate(names, start=1)} if len(names) > 1 else {}

    @cached_property
    def _columns(self) -> list[str]:
        """The time columns of all values."""
        return sorted({column_at(observed(one)) for one in self.records})

    @cached_property
    def _cells(self) -> list[str]:
        """What is said of each value."""
        return [
            cell_markup(one, self.schema.row(one.row_id), self._signers.get(one.reviewer, "")) for one in self.records
        ]

    def written(self, pages: int) -> tuple[bytes, int]:
        """The file, and how many pages it has; `pages` is what its heads say of that."""
        from reportlab.platypus import SimpleDocTemplate

        data, head, foot = io.BytesIO(), self._head(1, pages), self._foot()
        document = SimpleDocTemplate(
            data,
            pagesize=self._size,
            leftMargin=_MARGIN - _PADDING,
            rightMargin=_MARGIN - _PADDING,
            topMargin=_MARGIN + head.wrap(self._width, self._size[1])[1],
            bottomMargin=_MARGIN + foot.wrap(self._width, self._size[1])[1],
            title=f"Flowsheet values of dictation {self.records[0].dictation}",  # names no patient
            author=self.program,
            subject="Confirmed flowsheet values",
            creator=self.program,
            producer="ReportLab",
            lang="en",
            displayDocTitle=1,
            invariant=1,
            initialFontName=REGULAR,
        )
        frame = partial(self._frame, pages=pages)
        document.build(self._story(), onFirstPage=frame, onLaterPages=frame)
        return data.getvalue(), document.page

    def _frame(self, canvas: Any, document: Any, pages: int) -> None:
        """Draws what surrounds the values on a page."""
        stamp = datetime.fromisoformat(self.exported_at).astimezone(UTC)
        canvas._doc.info._dateFormatter = lambda *_: f"D:{stamp:%Y%m%d%H%M%S}+00'00'"
        head, foot = self._head(document.page, pages), self._foot()
        _, height = head.wrap(self._width, self._size[1])
        head.drawOn(canvas, _MARGIN, self._size[1] - _MARGIN - height)
        foot.wrap(self._width, self._size[1])
        foot.drawOn(canvas, _MARGIN, _MARGIN)

    def _head(self, page: int, pages: int) -> Any:
        from reportlab.platypus import Table

        one = self.records[0]
        name = one.patient_name if len(one.patient_name) <= _LONGEST_NAME else one.patient_name[:_LONGEST_NAME] + "…"
        known = f"born {one.patient_birth_date or 'unknown'}  ·  MRN {one.patient_mrn or 'unknown'}"
        identity = f"{known}  ·  bed {one.patient_bed}" if one.patient_bed else known
        left = [_paragraph(f"<b>{markup(name)}</b>", size=14), _paragraph(markup(identity), size=10)]
        right = [_paragraph("Flowsheet values", right=True), _paragraph(f"Page {page} of {pages}", right=True)]
        table = Table([[left, right]], colWidths=[self._width - 110, 110])
        table.setStyle(
            [
                ("FONTNAME", (0, 0), (-1, -1), REGULAR),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("LINEBELOW", (0, 0), (-1, -1), 1.2, "black"),
            ]
        )
        return table

    def _foot(self) -> Any:
        """What the marks mean, and where the file comes from."""
        first, said = self.records[0], "".join(self._cells)
        moments = [self.exported_at, *map(observed, self.records), *(one.reviewed_at for one in self.records)]
        offsets = " and ".join(dict.fromkeys(map(clock_offset, moments)))
        about = (
            f"Only values that a person confirmed, corrected or added, and scores calculated from these. Times are by "
            f"the ward's clock (UTC {offsets}). Flowsheet template {first.schema_id} {first.schema_version}. Exported "
            f"{clock_text(self.exported_at)} by {self.program}."
        )
        lines = []
        if "↑" in said or "↓" in said:
            lines.append("↑ above, ↓ below the normal range of the flowsheet template; ↑↑, ↓↓ critically so.")
        if "<strike>" in said:
            lines.append("<strike>Struck through</strike>: before a person corrected or replaced it.")
        if LACKED in said + markup(first.patient_name + "".join(one.name for one in self.records)):
            lines.append(f"{LACKED}…]: a character that the typeface of this sheet lacks; other formats have it.")
        return _paragraph(" ".join([*lines, markup(about)]), size=7, colour=QUIET)

    def _story(self) -> list[Any]:
        from reportlab.platypus import Spacer

        first, columns = self.records[0], self._columns
        about = [f"Dictation {first.dictation}, dictated {clock_text(first.time)}"]
        if len(columns) == 1:
            about.append(f"observed {self._called(columns[0])}")
        signed = [
            f"[{self._signers[one.reviewer]}] {one}" if self._signers else str(one) for one in signatures(self.records)
        ]
        about.append(f"signed by {'; '.join(signed)}")
        story = [_paragraph(markup("  ·  ".join(about))), Spacer(0, 5)]
        for start in range(0, len(columns), _COLUMNS):
            shown = columns[start : start + _COLUMNS]
            said = {id(one): cell for one, cell in zip(self.records, self._cells, strict=True)}
            chosen = [one for one in self.records if column_at(observed(one)) in shown]
            for category, records in by_category(chosen).items():
                story += self._category(category, [(one, said[id(one)]) for one in records], shown)
        return story

    def _called(self, column: str) -> str:
        """A time column by the ward's clock, with its offset where another one is called the same."""
        text = clock_text(column)
        alike = [one for one in self._columns if clock_text(one) == text]
        return f"{text} (UTC {clock_offset(f'{column}+00:00')})" if len(alike) > 1 else text

    def _category(self, category: str, said: Sequence[tuple[ExportRecord, str]], shown: Sequence[str]) -> list[Any]:
        """A table of the values of a category; those that are long follow it, as wide as the page."""
        from reportlab.platypus import Spacer, Table

        heads = [self._called(one) for one in shown] if len(self._columns) > 1 else [""]
        cells: dict[tuple[str, str], list[list[str]]] = {}
        long: list[str] = []
        for record, text in said:
            place = shown.index(column_at(observed(record)))
            line = cells.setdefault((record.row_id, record.name), [[] for _ in heads])
            if _length(*line[place], text) > _LONGEST[min(len(heads), 2)]:
                if _BELOW not in line[place]:
                    line[place].append(_BELOW)
                when = f" ({heads[place]})" if heads[place] else ""
                long.append(f"<b>{markup(record.name)}</b>{markup(when)}: {text}")
            else:
                line[place].append(text)
        title = [_paragraph(f"<b>{markup(one)}</b>") for one in (category, *heads)]
        lines = [
            [_paragraph(markup(name)), *([_paragraph(one) for one in place] for place in places)]
            for (_, name), places in cells.items()
        ]
        first = self._width * (0.4 if len(heads) == 1 else 0.3)
        widths = [first, *[(self._width - first) / len(heads)] * len(heads)]
        table = Table([title, *lines], colWidths=widths, repeatRows=1)
        table.setStyle(
            [
                ("FONTNAME", (0, 0), (-1, -1), REGULAR),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("BACKGROUND", (0, 0), (-1, 0), _SHADE),
                ("LINEBELOW", (0, 0), (-1, -1), 0.5, _LINE),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
                *([("LINEBEFORE", (1, 0), (-1, -1), 0.5, _LINE)] if len(heads) > 1 else []),
            ]
        )
        return [table, *(_paragraph(one, indented=True) for one in long), Spacer(0, 6)]


def _length(*cell: str) -> int:
    """About how many characters fill as much of a cell as its texts do."""
    return sum(len(_TAG.sub("", one)) + 20 * one.count("<br/>") for one in cell)


def _paragraph(
    text: str, *, size: float = 9, colour: str = "black", right: bool = False, indented: bool = False
) -> Any:
    from reportlab.lib.enums import TA_LEFT, TA_RIGHT
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    style = ParagraphStyle(
        "text",
        fontName=REGULAR,
        fontSize=size,
        leading=size * 1.3,
        textColor=colour,
        alignment=TA_RIGHT if right else TA_LEFT,
        leftIndent=_PADDING if indented else 0,
        spaceBefore=3 if indented else 0,
    )
    return Paragraph(text, style)

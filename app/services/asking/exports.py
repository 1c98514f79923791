"""An answer in a file: CSV, or a page to print, each figure with where it comes from."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from app.asking.answer import Answer, Cell, Citation, Line, NotCharted
from app.exchange.sheets.inert_text import inert
from app.services.asking.citations import citations_of, with_seconds
from app.services.asking.jobs import Asked
from app.store.questions import Questions
from extraction.flowsheet.schema import Schema
from models.base.atomic_files import replace_file
from models.base.errors import ResourceError

_MOMENT = "%Y-%m-%d %H:%M"
_MARGIN, _BED = 40.0, 40.0  # points


def save_answer(asked: Asked, path: Path, questions: Questions, schema: Schema) -> None:
    """Writes an answer into a file. Raises ResourceError if the disk refuses."""
    found = asked.answer.citations or citations_of(asked.answer.value_ids, questions, schema)
    citations = with_seconds(found, questions)
    table = [[inert(text) for text in row] for row in _table(asked.answer, citations)]
    top = _top(asked)
    data = _pdf(top, table) if path.suffix.lower() == ".pdf" else _csv([*([inert(one)] for one in top), *table])
    try:
        replace_file(path, data)
    except OSError as error:
        raise ResourceError(f"{path} cannot be written: {error.strerror}.", "Choose another folder.") from error


def _top(asked: Asked) -> list[str]:
    answer = asked.answer
    asked_at = f"Asked at {answer.asked_at:{_MOMENT}}"
    return [text for text in (asked.understood.question, answer.head, *answer.arithmetic, asked_at) if text]


def _table(answer: Answer, citations: dict[int, Citation]) -> Iterable[list[str]]:
    titles = [f"{one.title} ({one.unit})" if one.unit else one.title for one in answer.columns]
    if answer.quotes:
        yield ["Bed", "Patient", "Sentence", "Time", "Dictation"]
        for one in answer.quotes:
            yield [one.bed, one.patient, one.text, f"{one.at:{_MOMENT}}", one.dictation]
        return
    yield ["Bed", "Patient", *titles, "Time", "Computed", "Sources"]
    for part in (answer,) if answer.lines or not answer.parts else answer.parts:
        for line in part.lines:
            yield _line(line, citations)
    width = len(titles)
    for missing in answer.not_charted:
        yield [missing.bed, missing.patient, *[_missing(missing), *[""] * (width - 1)][:max(width, 1)], "", "", _cited(
            [missing.value_id] if missing.value_id else [], citations)]  # fmt: skip


def _line(line: Line, citations: dict[int, Citation]) -> list[str]:
    times = [f"{cell.at:{_MOMENT}}" for cell in line.cells if cell.at]
    computed = [cell.arithmetic for cell in line.cells if cell.arithmetic]
    ids = [value_id for cell in line.cells for value_id in cell.value_ids]
    return [
        line.bed,
        line.patient,
        *map(_shown, line.cells),
        "; ".join(dict.fromkeys(times)),
        "; ".join(computed),
        _cited(ids, citations),
    ]


def _shown(cell: Cell) -> str:
    return f"{cell.text} (flagged)" if cell.flagged else cell.text


def _missing(one: NotCharted) -> str:
    last = f"last {one.last_text} at {one.last:{_MOMENT}}" if one.last else "never charted"
    return f"{one.measure} not charted; {f'{one.tried}; ' if one.tried else ''}{last}"


def _cited(value_ids: Iterable[int], citations: dict[int, Citation]) -> str:
    return "; ".join(_source(citations[one]) for one in dict.fromkeys(value_ids) if one in citations)


def _source(one: Citation) -> str:
    """'value 12: Heart rate 110 /min at 2026-11-22 22:10, Bed 4.wav, characters 11-14, second 1.2, by Kim Berg, RN'."""
    place = f", characters {one.start}-{one.end}" if one.start is not None else ""
    second = f", second {one.second:.1f}" if one.second is not None else ""
    what = f"value {one.value_id}: {one.row} {one.text} at {one.at:{_MOMENT}}"
    return f"{what}, {one.dictation}{place}{second}, by {one.signer}"


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode("utf-8-sig")


def _pdf(top: Sequence[str], table: Sequence[Sequence[str]]) -> bytes:
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.platypus import SimpleDocTemplate, Spacer, Table

    from app.exchange.sheets.typeface import register_typeface

    register_typeface()
    data = io.BytesIO()
    document = SimpleDocTemplate(
        data,
        pagesize=landscape(A4),
        **dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), _MARGIN),
        title=top[0],
        author="Wardlight",
        lang="en",
        invariant=1,
    )
    story: list[Any] = [_paragraph(text, size=11, bold=place == 0) for place, text in enumerate(top)]
    cells = [[_paragraph(text, size=8, bold=number == 0) for text in row] for number, row in enumerate(table)]
    style = [("LINEBELOW", (0, 0), (-1, -1), 0.5, "#b0b0b0"), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    wide = len(table[0]) - 1  # all columns but that of the bed
    shares = [_BED, *[(document.width - _BED) / wide] * wide]
    grid = Table(cells, colWidths=shares, repeatRows=1, splitInRow=1, style=style)  # sources may fill a page
    document.build([*story, Spacer(0, 8), grid])
    return data.getvalue()


def _paragraph(text: str, *, size: float, bold: bool = False) -> Any:
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import Paragraph

    from app.exchange.sheets.typeface import BOLD, REGULAR, markup

    style = ParagraphStyle("text", fontName=BOLD if bold else REGULAR, fontSize=size, leading=size * 1.3)
    return Paragraph(markup(text), style)

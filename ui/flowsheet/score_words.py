"""What the flowsheet says about a score that is calculated from its values."""

from __future__ import annotations

from app.chart.computed_rows import Score, arithmetic, is_confirmed, state
from extraction.flowsheet.schema import Schema
from ui.flowsheet.range_words import is_abnormal, judged_text, marked
from ui.kit.words import category_text, status_words, time_text, unit_text, value_unit

CALCULATED, INCOMPLETE = "Calculated", "Incomplete"


def is_abnormal_score(score: Score) -> bool:
    return score.value is not None and is_abnormal(score.row, score.value)


def status_of_score(score: Score) -> str:
    """The status whose icon and colour a score has."""
    return "confirmed" if is_confirmed(score) else "proposed"


def status_words_of_score(score: Score) -> str:
    return CALCULATED if score.value is not None else INCOMPLETE


def score_result(score: Score) -> str:
    """The result without its unit; a dash without one."""
    return "–" if score.value is None else marked(score.row, score.value)


def score_text(score: Score, created_at: str) -> str:
    """The result without its unit, and its time if that is not the dictation's."""
    text = score_result(score)
    return f"{text} · {time_text(score.observed_at, created_at)}" if score.observed_at else text


def score_unit(score: Score) -> str:
    return unit_text(score.row.unit) if score.value is not None else ""


def parts_text(score: Score, schema: Schema) -> str:
    """Each value that a score is calculated from, with its status, in lines."""
    return "\n".join(
        f"{row.name}: {marked(row, part.value, value_unit(row, part))} ({status_words(part).lower()})"
        for row, part in ((schema.row(part.row_id), part) for part in score.parts)
    )


def spoken_score(score: Score, schema: Schema, created_at: str) -> str:
    """The whole line for a screen reader."""
    judged = judged_text(score.row, score.value).lower() if score.value is not None else ""
    at = time_text(score.observed_at, created_at) if score.observed_at else ""
    parts = parts_text(score, schema).replace("\n", ", ")
    words = (
        score.row.name,
        arithmetic(score),
        at,
        judged,
        status_words_of_score(score).lower(),
        state(score),
        score.steps,
        parts,
    )
    return ", ".join(word for word in (*words, category_text(score.row)) if word)

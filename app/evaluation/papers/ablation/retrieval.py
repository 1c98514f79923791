"""Measures which rows the rankings find, without a filler: precision and recall at k (SchemaRAG, H.5)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from app.evaluation.folder import EvaluationFolder, circumstances_of, flat, json_bytes
from app.evaluation.papers.ablation.conditions import joined
from app.evaluation.papers.ablation.tasks import rank_dictation, rank_rows
from app.evaluation.report import markdown, plot
from app.inference.interface import InferenceClient
from app.system import paths
from app.system.settings import Settings
from extraction.annotation.case_files import Case, Cases
from extraction.annotation.scoring import Counts
from extraction.flowsheet.schema import Schema
from extraction.language.sentences import Segment, segment
from models.base.progress import CancelledCallback, Progress, ProgressMonitor, stop_if

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEPTHS = (1, 5, 10, 30, 60)
SCOPES = ("sentence", "paragraph", "whole")
_STYLES = dict(zip((*SCOPES, "dictation"), ("-", "--", ":", "-."), strict=True))


def measure_retrieval(
    cases: Cases,
    schema: Schema,
    inference: InferenceClient,
    settings: Settings,
    out: Path,
    *,
    examples: Cases | None,
    facts: dict[str, Any],
    monitor: ProgressMonitor,
) -> dict[str, Any]:
    """Ranks the rows for every case and returns the content of `out`/retrieval.json.

    The first k rows of each segment count, merged over the transcript; of the product's own ranking, the first k rows
    of the dictation. Precision and recall are means over the cases. A row for the unit of another row counts as that
    row.

    Raises:
        InputError: `out` is not empty.
        Cancelled, ModelFileError: see `app.inference.client`.
    """
    folder = EvaluationFolder(out)
    circumstances = circumstances_of(settings, schema, cases.sha256, inference.models)
    circumstances["examples_sha256"] = examples.sha256 if examples else None
    folder.begin(circumstances, resume=False)
    found: dict[tuple[str, str, int], list[Counts]] = {}
    for place, case in enumerate(cases.cases):
        stop_if(monitor.cancelled)
        monitor.report(Progress("eval", place / len(cases.cases), f"case {place + 1} of {len(cases.cases)}"))
        own = tuple(other for other in cases.cases if other.text == case.text)
        others = _counts(case, own, schema, inference, examples.cases if examples else (), monitor.cancelled)
        for key, counts in (others | _own_counts(case, schema, inference, settings, monitor.cancelled)).items():
            found.setdefault(key, []).append(counts)
    monitor.report(Progress("eval", 1.0, f"{len(cases.cases)} cases"))
    table = {
        "cases": len(cases.cases),
        "rankings": [_line(key, counts) for key, counts in found.items()],
        "run": circumstances,
        "facts": facts,
    }
    folder.write("retrieval.png", plot(lambda axes: _curves(axes, table)))
    folder.write("retrieval.md", _page(table).encode())
    folder.write("retrieval.json", json_bytes(table))
    return table


def retrieval_rows(table: dict[str, Any]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Headings and cells of the table, for the page and the command line."""
    cells: list[tuple[str, ...]] = [
        (line["ranking"], line["segments"], str(line["k"]), f"{line['precision']:.3f}", f"{line['recall']:.3f}")
        for line in table["rankings"]
    ]
    return ("ranking", "segments", "k", "precision", "recall"), cells


def _counts(
    case: Case,
    own: tuple[Case, ...],
    schema: Schema,
    inference: InferenceClient,
    examples: tuple[Case, ...],
    cancelled: CancelledCallback,
) -> dict[tuple[str, str, int], Counts]:
    """Numbers of rows found and missed in one case, by ranking, kind of segment and k."""
    ranked = inference.call(
        "embedder",
        rank_rows,
        ProgressMonitor(cancelled=cancelled),
        schema=schema,
        segmented=_segmented(case.text),
        own=own,
        examples=examples,
    )
    gold = _rows(case, schema)
    return {
        (name, scope, k): _at(rows, gold, k)
        for name, by_scope in ranked.items()
        for scope, rows in zip(SCOPES, by_scope, strict=True)
        for k in DEPTHS
    }


def _own_counts(
    case: Case, schema: Schema, inference: InferenceClient, settings: Settings, cancelled: CancelledCallback
) -> dict[tuple[str, str, int], Counts]:
    """The same for the product's own ranking, which is one list of rows for the whole dictation, likeliest first."""
    ranked = inference.call(
        "embedder",
        rank_dictation,
        ProgressMonitor(cancelled=cancelled),
        schema=schema,
        segments=segment(case.text),
        top_k=settings.top_k,
        index_folder=paths.cache_dir() / "indexes",
        learned=settings.learned_folder,
    )
    return {("wardlight", "dictation", k): _at([ranked], _rows(case, schema), k) for k in DEPTHS}


def _rows(case: Case, schema: Schema) -> frozenset[str]:
    return frozenset(schema.row(it.row_id).unit_of or it.row_id for it in case.observations)


def _segmented(text: str) -> tuple[tuple[Segment, ...], ...]:
    """The transcript's segments for each of SCOPES."""
    sentences = segment(text)
    return sentences, joined(text, sentences, paragraphs=True), joined(text, sentences, paragraphs=False)


def _at(ranked: Sequence[Sequence[str]], gold: frozenset[str], k: int) -> Counts:
    asked = frozenset(row_id for rows in ranked for row_id in rows[:k])
    return Counts(len(asked & gold), len(asked - gold), len(gold - asked))


def _line(key: tuple[str, str, int], counts: Sequence[Counts]) -> dict[str, Any]:
    name, scope, k = key
    shares = {"precision": fmean(it.precision for it in counts), "recall": fmean(it.recall for it in counts)}
    rows = fmean(it.predicted for it in counts)
    rounded = {share: round(value, 6) for share, value in shares.items()}
    return {"ranking": name, "segments": scope, "k": k, **rounded, "rows": round(rows, 1)}


def _page(table: dict[str, Any]) -> str:
    facts = [(name, str(value)) for name, value in flat(table["facts"] | table["run"])]
    parts = [
        "# Retrieval",
        f"{table['cases']} cases. Of each segment the first k rows count, united over the transcript.",
        markdown(*retrieval_rows(table)),
        "![Recall by the number of rows](retrieval.png)",
        "## Circumstances",
        markdown(["field", "value"], facts),
    ]
    return "\n\n".join(parts) + "\n"


def _curves(axes: Axes, table: dict[str, Any]) -> None:
    """Plots recall over the number of rows asked: rankings in colours, segments in line styles."""
    names = list(dict.fromkeys(line["ranking"] for line in table["rankings"]))
    for color, name in enumerate(names):
        for scope, style in _STYLES.items():
            lines = [line for line in table["rankings"] if (line["ranking"], line["segments"]) == (name, scope)]
            rows, recall = [line["rows"] for line in lines], [line["recall"] for line in lines]
            axes.plot(rows, recall, style, color=f"C{color}", marker=".", label=f"{name}, {scope}")
    axes.set(xlabel="rows asked of a transcript", ylabel="recall", ylim=(0, 1.02))
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small")

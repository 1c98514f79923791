"""The report of an evaluation: `report.md` with its plots."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from app.evaluation.folder import flat
from extraction.annotation.scoring import ERRORS, Scored, errors, precision_recall
from extraction.flowsheet.schema import Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WORST = 10
_INCHES = (6.0, 3.6)


def report_files(
    measured: dict[str, Any], scored: Sequence[Scored], readings: Sequence[tuple[float, bool]], schema: Schema
) -> dict[str, bytes]:
    """The files of the report by name.

    Args:
        measured: the content of metrics.json.
        readings: see `extraction.annotation.scoring.precision_recall`.
    """
    plots = {
        "precision_recall.png": plot(lambda axes: _precision_recall(axes, measured, readings)),
        "f1_by_value_type.png": plot(lambda axes: _f1_by_type(axes, measured)),
        "seconds_per_case.png": plot(lambda axes: _seconds(axes, measured)),
    }
    return plots | {"report.md": _page(measured, scored, schema).encode()}


def _page(measured: dict[str, Any], scored: Sequence[Scored], schema: Schema) -> str:
    parts = [
        "# Evaluation",
        _headline(measured),
        "## Circumstances",
        markdown(["field", "value"], [(name, str(value)) for name, value in flat(measured["facts"] | measured["run"])]),
        "## By value type",
        _groups("value type", measured["by_value_type"]),
        "![F1 by value type](f1_by_value_type.png)",
        "## By category",
        _groups("category", measured["by_category"]),
        "## What went wrong",
        markdown(
            ["error", "items", "meaning"],
            [(kind, str(count), ERRORS[kind]) for kind, count in measured["errors"].items()],
        ),
        "The cases with the lowest F1:",
        _worst_cases(scored, schema),
        "The rows that are wrong most often:",
        _worst_rows(scored, schema),
        "## Confidence",
        "Precision and recall when values from a confidence on are proposed; the cross is what was proposed.",
        "![Precision and recall](precision_recall.png)",
        "## Time",
        markdown(
            ["seconds per case", "median", "90th percentile"],
            [
                _time_row("without loading of models", measured["seconds_per_case"]),
                _time_row("with it", measured["seconds_per_case_with_load"]),
            ],
        ),
        "![Seconds per case](seconds_per_case.png)",
    ]
    if measured["warnings"]:
        parts += ["## Values that no prediction can match", "\n".join(f"- {line}" for line in measured["warnings"])]
    return "\n\n".join(parts) + "\n"


def headline(measured: dict[str, Any]) -> list[tuple[str, str]]:
    """The most important figures, each with its name."""
    micro, repeats, tokens = measured["micro"], measured["repeats"], measured["tokens_per_case"]
    seconds = measured["seconds_per_case"]
    figures = [
        ("cases", str(measured["cases"])),
        ("micro-F1", f"{micro['f1']:.3f}"),
        ("precision", f"{micro['precision']:.3f} of {micro['predicted']} predicted items"),
        ("recall", f"{micro['recall']:.3f} of {micro['gold']} annotated items"),
        ("macro-F1", f"{measured['macro_f1']:.3f} over rows, {measured['case_f1_mean']:.3f} over cases"),
        ("seconds per case", f"{seconds['p50']:.1f} median, {seconds['p90']:.1f} 90th percentile"),
        ("tokens per case", f"{tokens['prompt']:.0f} prompt, {tokens['completion']:.0f} completion"),
    ]
    if graded := measured.get("graded"):
        figures += [
            ("required values", f"{graded['recall']:.3f} of {graded['required']} proposed"),
            ("proposals", f"{graded['precision']:.3f} of {graded['proposed']} required or acceptable"),
            ("traps", f"{graded['traps_hit']} of {graded['traps']} hit"),
        ]
        if graded["not_shown"] is not None:
            figures.append(("not shown to a reviewer", f"{graded['not_shown']} required values"))
    if times := measured.get("times"):
        for name, of in (("observation times", times), ("rows with several times", times["several"])):
            figures.append(
                (name, f"{of['times_right']} of {of['values_right']} right values, {of['annotated']} annotated")
            )
    if repeats["variation"] is not None:
        spread = f"{repeats['mean']:.3f} mean micro-F1, coefficient of variation {repeats['variation']:.4f}"
        figures.append((f"{repeats['count']} repeats", spread))
    return figures


def _headline(measured: dict[str, Any]) -> str:
    return "\n".join(f"- **{name}**: {figure}" for name, figure in headline(measured))


def _groups(name: str, groups: dict[str, dict[str, float]]) -> str:
    return markdown(
        [name, "precision", "recall", "F1", "annotated", "predicted"],
        [
            (
                group,
                *(f"{counts[share]:.3f}" for share in ("precision", "recall", "f1")),
                *(str(counts[side]) for side in ("gold", "predicted")),
            )
            for group, counts in groups.items()
        ],
    )


def _worst_cases(scored: Sequence[Scored], schema: Schema) -> str:
    faulty = sorted((case for case in scored if case.gold != case.predicted), key=lambda case: case.counts.f1)
    rows = []
    for case in faulty[:_WORST]:
        found = Counter(kind for kind, _ in errors(case, schema))
        rows.append((case.case_id, f"{case.counts.f1:.3f}", *(str(found[kind]) for kind in ERRORS)))
    return markdown(["case", "F1", *ERRORS], rows)


def _worst_rows(scored: Sequence[Scored], schema: Schema) -> str:
    by_row: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for case in scored:
        for kind, (row_id, _) in errors(case, schema):
            by_row[row_id][kind] += 1
    worst = sorted(by_row.items(), key=lambda found: (-found[1].total(), found[0]))[:_WORST]
    return markdown(
        ["row", "id", *ERRORS],
        [(schema.row(row_id).name, row_id, *(str(found[kind]) for kind in ERRORS)) for row_id, found in worst],
    )


def _time_row(name: str, seconds: dict[str, float]) -> tuple[str, str, str]:
    return name, f"{seconds['p50']:.2f}", f"{seconds['p90']:.2f}"


def markdown(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(' '.join(cell.replace('|', '/').split()) for cell in row)} |" for row in cells)


def plot(draw: Callable[[Axes], None]) -> bytes:
    """Draws a plot as PNG with Agg; pyplot would look for a display."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=_INCHES, layout="constrained")
    draw(figure.add_subplot())
    data = io.BytesIO()
    figure.savefig(data, format="png")
    return data.getvalue()


def _precision_recall(axes: Axes, measured: dict[str, Any], readings: Sequence[tuple[float, bool]]) -> None:
    micro = measured["micro"]
    curve = precision_recall(readings, micro["gold"])
    axes.plot([recall for _, _, recall in curve], [precision for _, precision, _ in curve])
    axes.plot(micro["recall"], micro["precision"], "x", color="black")
    axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1.02), ylim=(0, 1.02))
    axes.grid(alpha=0.3)


def _f1_by_type(axes: Axes, measured: dict[str, Any]) -> None:
    groups = measured["by_value_type"]
    bars = axes.barh([name.replace("_", " ") for name in groups], [counts["f1"] for counts in groups.values()])
    axes.bar_label(bars, fmt="%.2f", padding=2)
    axes.set(xlabel="F1", xlim=(0, 1.1))


def _seconds(axes: Axes, measured: dict[str, Any]) -> None:
    seconds = sorted(case["seconds"] for case in measured["per_case"])
    axes.plot(seconds, [place / len(seconds) for place in range(1, len(seconds) + 1)], drawstyle="steps-post")
    axes.set(xlabel="seconds", ylabel="share of the cases done within", xlim=(0, None), ylim=(0, 1.02))
    axes.grid(alpha=0.3)

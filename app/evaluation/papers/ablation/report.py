"""The report of an ablation: a page with a table, and its plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.evaluation.folder import flat
from app.evaluation.report import markdown, plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEADINGS = (
    "condition",
    "F1",
    "precision",
    "recall",
    "rows asked",
    "seconds p50",
    "prompt tokens",
    "completion tokens",
    "p",
    "difference",
    "95 % interval",
)
_EXPLAINED = (
    "Rows asked and tokens are means over the cases, seconds the median. p is of the signed-rank test over the F1 of"
    " each case, the difference that of micro-F1, both against"
)
_BAR_INCHES = 0.28


def ablation_files(table: dict[str, Any]) -> dict[str, bytes]:
    """The page and its plot by file name; `table` is the content of ablation.json."""
    return {"ablation.png": plot(lambda axes: _f1(axes, table)), "ablation.md": _page(table).encode()}


def ablation_rows(table: dict[str, Any]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Headings and cells of the table, for the page and the command line."""
    return _HEADINGS, [_cells(line, table["baseline"]) for line in table["conditions"]]


def _cells(line: dict[str, Any], baseline: str) -> tuple[str, ...]:
    compared = (f"{line['p']:.4f}", f"{line['difference']:+.3f}", f"{line['low']:+.3f} to {line['high']:+.3f}")
    return (
        line["condition"],
        *(f"{line[share]:.3f}" for share in ("f1", "precision", "recall")),
        *(f"{line[figure]:.1f}" for figure in ("rows_asked", "seconds_p50")),
        *(f"{line[tokens]:.0f}" for tokens in ("prompt_tokens", "completion_tokens")),
        *(("baseline", "", "") if line["condition"] == baseline else compared),
    )


def _page(table: dict[str, Any]) -> str:
    facts = [(name, str(value)) for name, value in flat(table["facts"] | table["run"])]
    parts = [
        "# Ablation",
        f"{table['cases']} cases. {_EXPLAINED} {table['baseline']}.",
        markdown(*ablation_rows(table)),
        "![F1 of each condition](ablation.png)",
        "## Circumstances",
        markdown(["field", "value"], facts),
    ]
    return "\n\n".join(parts) + "\n"


def _f1(axes: Axes, table: dict[str, Any]) -> None:
    lines = table["conditions"][::-1]
    axes.figure.set_size_inches(6.0, 1.2 + _BAR_INCHES * len(lines))  # type: ignore[union-attr]
    colors = ["tab:gray" if line["condition"] == table["baseline"] else "tab:blue" for line in lines]
    bars = axes.barh([line["condition"] for line in lines], [line["f1"] for line in lines], color=colors)
    axes.bar_label(bars, fmt="%.2f", padding=2)
    axes.set(xlabel="micro-F1", xlim=(0, 1.1))

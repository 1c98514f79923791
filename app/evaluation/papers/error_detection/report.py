"""The report on error detection: `confidence.md` with its plots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from app.evaluation.folder import flat
from app.evaluation.report import markdown, plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]

_BY = {
    "layers": "mean of the layers",
    "acceptance": "acceptance",
    "acceptance_without_states": "acceptance without hidden states",
    "log_probability": "log-probability of the tokens",
}
_SHARES = ("flagged", "fpr_pop", "coverage", "unlit_wrong", "acc_pop", "acc_pop_extra")
_SCOPES = {"filled": "All values that were filled", "proposals": "The proposals alone"}


def report_files(measured: dict[str, Any]) -> dict[str, bytes]:
    """The files of the report by name; `measured` is the content of confidence.json."""
    return {
        "trade_off.png": plot(lambda axes: _trade_off(axes, measured)),
        "conflict_weight.png": plot(lambda axes: _weights(axes, measured)),
        "calibration_size.png": plot(lambda axes: _sizes(axes, measured, "calibration_sizes", "calibrate")),
        "training_size.png": plot(lambda axes: _sizes(axes, measured, "training_sizes", "teach the layers")),
        "confidence.md": _page(measured).encode(),
    }


def separation_rows(measured: dict[str, Any]) -> Table:
    """Headings and cells of the ROC-AUC table, for the page and the command line."""
    aucs = measured["separation"]["roc_auc"]
    return ("wrong values found by", "ROC-AUC"), [(_BY[name], f"{auc:.3f}") for name, auc in aucs.items()]


def states_add(measured: dict[str, Any]) -> str:
    """What hidden states add, as a sentence."""
    added = measured["separation"]["states_add"]
    return (
        f"Hidden states change the ROC-AUC of the acceptance by {added['difference']:+.4f}, 95 % interval "
        f"{added['low']:+.4f} to {added['high']:+.4f} ({added['resamples']} resamples of the cases)."
    )


def equal_fpr_rows(measured: dict[str, Any], scope: str = "filled") -> Table:
    """Headings and cells of the comparison at equal FPR, for the page and the command line."""
    lines = measured["equal_fpr"]
    headings = ("method", *(f"ACC_pop at FPR {fpr}" for fpr in lines[0][scope]))
    return headings, [(_name(line), *map(_figure, line[scope].values())) for line in lines]


def _page(measured: dict[str, Any]) -> str:
    values, calibration, dark = measured["values"], measured["calibration"], measured["confidently_wrong"]
    scopes = {scope: title for scope, title in _SCOPES.items() if scope in measured["methods"][0]}
    before = {scope: measured["methods"][0][scope]["acc_pop_before"] for scope in scopes}
    about = (
        f"{measured['cases']} cases with {measured['gold']} annotated items. {values['count']} values were filled, "
        f"{values['wrong']} of them wrong; {values['proposals']} were sure enough to be proposed, "
        f"{values['wrong_proposals']} of these wrong. Calibrated on {calibration['count']} values of "
        f"{measured['examples']} examples, each held out in turn, {calibration['wrong']} of them wrong. "
        "docs/evaluation.md explains each figure."
    )
    kinds = ", ".join(f"{count} {kind}" for kind, count in dark["kinds"].items())
    left = (
        f"Alpha {dark['alpha']} and weight {dark['weight']} leave {dark['count']} wrong proposals unflagged "
        f"({kinds}). They are listed in confidently_wrong.jsonl."
    )
    parts = [
        "# How well wrong values are found",
        about,
        "## Right and wrong told apart",
        markdown(*separation_rows(measured)),
        states_add(measured),
        "## What each method flags",
    ]
    for scope, title in scopes.items():
        parts += [
            f"### {title}",
            f"ACC_pop before anything is corrected: {_figure(before[scope])}.",
            markdown(*_method_rows(measured["methods"], scope)),
        ]
    if len(scopes) < len(_SCOPES):
        parts.append("Too few proposals of the examples are right, or wrong, to calibrate on them alone.")
    parts.append("## At equal FPR")
    for scope, title in scopes.items():
        parts += [f"{title}:", markdown(*equal_fpr_rows(measured, scope))]
    parts += [
        "![ACC_pop over FPR_pop](trade_off.png)",
        f"ACC_pop of smaller sizes, below, is at FPR_pop {measured['sizes_fpr']}, over all values that were filled.",
        "## Smaller calibrations",
        markdown(*_size_rows(measured["calibration_sizes"])),
        "![ACC_pop by the size of the calibration](calibration_size.png)",
        "![ACC_pop by the weight of disagreement](conflict_weight.png)",
        "## Fewer values to teach the layers",
        markdown(*_size_rows(measured["training_sizes"])),
        "![ACC_pop by the size of the training](training_size.png)",
        "## Wrong and not flagged",
        left,
        "## Circumstances",
        markdown(["field", "value"], [(name, str(value)) for name, value in flat(measured["facts"] | measured["run"])]),
    ]
    if measured["warnings"]:
        parts += ["## Values that no prediction can match", "\n".join(f"- {line}" for line in measured["warnings"])]
    return "\n\n".join(parts) + "\n"


def _method_rows(lines: Sequence[dict[str, Any]], scope: str) -> Table:
    cells = [
        (
            _name(line),
            "" if line["alpha"] is None else f"{line['alpha']:g}",
            *(_figure(line[scope][share]) for share in _SHARES),
            _kept(line[scope]),
        )
        for line in lines
    ]
    return ("method", "alpha", *_SHARES, "promise kept"), cells


def _kept(figures: dict[str, Any]) -> str:
    if figures["enough"] is None:
        return "none given"
    if not figures["enough"]:
        return "too few wrong values to promise anything: every value is flagged"
    return {None: "nothing was wrong", True: "yes", False: "no"}[figures["kept"]]


def _size_rows(lines: Sequence[dict[str, Any]]) -> Table:
    cells: list[tuple[str, ...]] = [
        (
            str(line["values"]),
            _name(line),
            _spread(line["roc_auc"]),
            _spread(line["acc_pop"]),
            str(line["draws"]),
            str(line["left_out"]),
        )
        for line in lines
    ]
    return ("values", "method", "ROC-AUC", "ACC_pop", "draws", "left out"), cells


def _name(line: dict[str, Any]) -> str:
    """The name of the method, with its weight and its number of conflicts, if any."""
    name: str = _BY.get(line["method"], line["method"])
    if line["weight"] is not None:
        name += f", weight {line['weight']:g}"
    if line.get("conflicts"):
        name += f", {line['conflicts']:g} against"
    return name


def _figure(number: float | None) -> str:
    return "–" if number is None else f"{number:.3f}"


def _spread(numbers: dict[str, float | None]) -> str:
    return _figure(numbers["mean"]) + ("" if numbers["sd"] is None else f" ± {numbers['sd']:.3f}")


def _trade_off(axes: Axes, measured: dict[str, Any]) -> None:
    """Figure 2: ACC_pop over FPR_pop for each method and setting; SCAPE-Hyb is annotated with its alphas."""
    lines = measured["methods"]
    weight = measured["confidently_wrong"]["weight"]
    for name, own in _grouped((line["method"] + _weight(line), line) for line in lines):
        points = [(line["filled"]["fpr_pop"], line["filled"]["acc_pop"]) for line in own]
        axes.plot(*zip(*points, strict=True), marker=".", linewidth=1, label=name)
        if own[0]["weight"] == weight:
            for line, point in zip(own, points, strict=True):
                axes.annotate(f"{line['alpha']:g}", point, fontsize="xx-small", ha="right", va="bottom")
    axes.axhline(lines[0]["filled"]["acc_pop_before"], linestyle="--", color="gray", label="without correction")
    axes.set(xlabel="FPR_pop", ylabel="ACC_pop")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="xx-small")


def _weights(axes: Axes, measured: dict[str, Any]) -> None:
    """Figure 3: ACC_pop at equal FPR over the weight of disagreement, for each size of the calibration."""
    for size, own in _grouped((f"{line['values']} values", line) for line in measured["calibration_sizes"]):
        axes.plot([line["weight"] or 0.0 for line in own], [_mean(line) for line in own], marker=".", label=size)
    axes.set(xlabel="weight of disagreement", ylabel=f"ACC_pop at FPR_pop {measured['sizes_fpr']}")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small")


def _sizes(axes: Axes, measured: dict[str, Any], which: str, done: str) -> None:
    """Figures 4 and 5: ACC_pop at equal FPR over the number of values, with standard deviations."""
    named = ((_BY.get(line["method"], line["method"]) + _weight(line), line) for line in measured[which])
    for name, own in _grouped(named):
        spread = [line["acc_pop"]["sd"] or 0.0 for line in own]
        axes.errorbar(
            [line["values"] for line in own], [_mean(line) for line in own], spread, marker=".", capsize=2, label=name
        )
    axes.set(xlabel=f"values to {done}", ylabel=f"ACC_pop at FPR_pop {measured['sizes_fpr']}", xlim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small")


def _mean(line: dict[str, Any]) -> float:
    """The mean; NaN, which is not drawn, if every draw was left out."""
    mean = line["acc_pop"]["mean"]
    return float("nan") if mean is None else mean


def _weight(line: dict[str, Any]) -> str:
    return "" if line["weight"] is None else f" {line['weight']:g}"


def _grouped(named: Iterable[tuple[str, dict[str, Any]]]) -> list[tuple[str, list[dict[str, Any]]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for name, line in named:
        groups.setdefault(name, []).append(line)
    return list(groups.items())

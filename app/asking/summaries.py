"""Numbers over the patients of a selection: how many, their mean, groups of them, and a difference of two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from app.asking.answer import Answer, Cell, Column, Kind, Line, Number
from app.asking.cells import title_of
from app.asking.figures.amounts import converted, shown, with_unit
from app.asking.figures.bounds import Bounds, Item, bounds
from app.asking.heads import count_head, group_head, number_head
from app.asking.selection import Picked, Selection, Selector
from app.asking.toggling import could_change
from extraction.questions.query import Aggregate, CountPatients, Group, OverPatients

_WORDS = {
    Aggregate.MEAN: "mean", Aggregate.SUM: "sum", Aggregate.LOWEST: "lowest", Aggregate.HIGHEST: "highest",
    Aggregate.COUNT: "number of values", Aggregate.LATEST: "latest", Aggregate.FIRST: "first",
}  # fmt: skip
_TERMS = 6


def count(query: CountPatients, selector: Selector, found: Selection, picked: Mapping[int, Picked]) -> Answer:
    """How many patients are selected."""
    changing = could_change(selector, picked, lambda those: sorted(one.patient.id for one in selector.ordered(those)))
    many = len(found.ids)
    number = Number(float(many), None, str(many), float(len(found.certain)), float(len(found.possible | found.certain)))
    return Answer(
        Kind.NUMBER,
        count_head(found, len(changing), selector.patients.charts.now),
        query,
        selector.patients.charts.now,
        columns=found.columns,
        lines=found.lines,
        not_charted=found.not_charted,
        number=number,
        certain=found.certain,
        possible=found.possible,
        could_change=changing,
    )


def over_patients(query: OverPatients, selector: Selector, found: Selection, picked: Mapping[int, Picked]) -> Answer:
    """One number over the patients of a selection; those without a number are listed as not charted."""
    now = selector.patients.charts.now
    entries = _entries(found.picked)
    changing = could_change(selector, picked, lambda those: _over(query.aggregate, _entries(selector.ordered(those))))
    title = title_of(selector.shown[0]) if selector.shown else "patients"
    unit = next((unit for _, unit, _ in entries), None)
    words = f"{_WORDS.get(query.aggregate, query.aggregate.value)} of {title[:1].lower()}{title[1:]}"
    number, arithmetic = None, ""
    over = _over(query.aggregate, entries)
    if over is not None:
        value = over
        limits = bounds(query.aggregate, [item for _, _, item in entries])
        kept = None if query.aggregate is Aggregate.COUNT else unit
        text = with_unit(shown(value), kept)
        number = Number(float(value), kept, text, float(limits.low), float(limits.high))
        arithmetic = _arithmetic(query.aggregate, [item.number for _, _, item in entries], text)
    return Answer(
        Kind.NUMBER,
        number_head(words, number, found, len(changing), now),
        query,
        now,
        columns=found.columns,
        lines=found.lines,
        not_charted=found.not_charted,
        number=number,
        arithmetic=(arithmetic,) if arithmetic else (),
        certain=found.certain,
        possible=found.possible,
        could_change=changing,
    )


def _entries(picked: Iterable[Picked]) -> list[tuple[str, str | None, Item]]:
    """The numbers of the patients, in order of time, with their unit; of `ANY`, each value is one."""
    found = []
    for one in picked:
        figure = next(iter(one.figures), None)
        if figure and len(one.rows) == 1 and figure.number is not None and figure.bounds is not None:
            low, high, doubtful = figure.bounds
            found.append((figure.at, figure.unit, Item(figure.number, low, high, doubtful or not one.sure)))
            continue
        for cells in one.rows:
            cell = cells[0] if cells else Cell()
            if cell.low is not None and cell.at is not None:
                number = Decimal(repr(cell.low))
                at = cell.at.isoformat(timespec="minutes")
                found.append((at, cell.unit, Item(number, number, number, cell.flagged or not one.sure)))
    return sorted(found, key=lambda entry: entry[0])


def _over(aggregate: Aggregate, entries: Sequence[tuple[str, str | None, Item]]) -> Decimal | None:
    numbers = [item.number for _, _, item in entries]
    if aggregate is Aggregate.COUNT:
        return Decimal(len(numbers))
    if not numbers:
        return None
    match aggregate:
        case Aggregate.SUM:
            return sum(numbers, Decimal(0))
        case Aggregate.MEAN:
            return sum(numbers, Decimal(0)) / len(numbers)
        case Aggregate.LOWEST:
            return min(numbers)
        case Aggregate.HIGHEST:
            return max(numbers)
        case Aggregate.FIRST:
            return numbers[0]
        case Aggregate.CHANGE | Aggregate.TREND:
            return numbers[-1] - numbers[0]
    return numbers[-1]


def _arithmetic(aggregate: Aggregate, numbers: Sequence[Decimal], text: str) -> str:
    if aggregate not in (Aggregate.MEAN, Aggregate.SUM) or len(numbers) < 2:
        return ""
    terms = " + ".join(map(shown, numbers)) if len(numbers) <= _TERMS else f"sum of {len(numbers)} values"
    if aggregate is Aggregate.SUM:
        return f"{terms} = {text}"
    return f"({terms}) / {len(numbers)} = {text}"


def group(query: Group, selector: Selector, found: Selection, picked: Mapping[int, Picked]) -> Answer:
    """How many patients have each value, the most frequent first; bins of numbers in their order."""
    now = selector.patients.charts.now
    groups = _groups(query, found.picked)
    changing = could_change(
        selector,
        picked,
        lambda those: {key: sorted(ids) for key, ids in _groups(query, selector.ordered(those)).items()},
    )
    names = {one.patient.id: one.patient for one in found.picked}
    cited = {one.patient.id: one for one in found.picked}
    lines = []
    order = sorted(groups, key=lambda key: (-len(groups[key]), key)) if not query.bins else sorted(groups)
    for key in order:
        ids = groups[key]
        values = [cell.value_ids for one in ids for cells in cited[one].rows for cell in cells[:1]]
        several = tuple(dict.fromkeys(value_id for those in values for value_id in those))
        text = key if isinstance(key, str) else _bin(key[0], query.bins)
        cells = [Cell(text, text), Cell(float(len(ids)), str(len(ids)), value_ids=several)]
        if query.list_patients:
            who = ", ".join(f"{names[one].bed or ''} {names[one].name}".strip() for one in ids)
            cells.append(Cell(who, who))
        lines.append(Line(tuple(cells), patient_ids=tuple(ids)))
    title = title_of(selector.shown[0]) if selector.shown else "Value"
    listed = (Column("Who"),) if query.list_patients else ()
    return Answer(
        Kind.TABLE,
        group_head(len(lines), len(found.ids), found, len(changing), now),
        query,
        now,
        columns=(Column(title, found.columns[0].unit if found.columns else ""), Column("Patients"), *listed),
        lines=tuple(lines),
        not_charted=found.not_charted,
        certain=found.certain,
        possible=found.possible,
        could_change=changing,
    )


def _groups(query: Group, picked: Iterable[Picked]) -> dict[str | tuple[int], list[int]]:
    found: dict[str | tuple[int], list[int]] = {}
    for one in picked:
        for cells in one.rows:
            cell = cells[0] if cells else Cell()
            keys: list[str | tuple[int]]
            if cell.value is None:
                continue
            if query.bins and cell.low is not None and isinstance(cell.value, float):
                keys = [(sum(cell.value >= bound for bound in sorted(query.bins)),)]
            elif query.bins:
                continue
            else:
                keys = list(cell.options) or [cell.text]
            for key in keys:
                if one.patient.id not in found.setdefault(key, []):
                    found[key].append(one.patient.id)
    return found


def _bin(place: int, bins: Sequence[float]) -> str:
    """The name of the numbers between two bounds: 'below 36', '36 to below 38', '38 and more'."""
    ends = [shown(Decimal(repr(bound))) for bound in sorted(bins)]
    if place == 0:
        return f"below {ends[0]}"
    return f"{ends[-1]} and more" if place == len(ends) else f"{ends[place - 1]} to below {ends[place]}"


def difference(left: Answer, right: Answer) -> tuple[Number | None, tuple[str, ...]]:
    """The first number less the second one, if both answers are one number in units that fit."""
    one, other = _single(left), _single(right)
    if one is None or other is None:
        return None, ()
    number = converted(other.value, other.unit, one.unit) if other.unit else Decimal(repr(other.value))
    ends = [
        converted(end, other.unit, one.unit) if other.unit else Decimal(repr(end)) for end in (other.low, other.high)
    ]
    if number is None or None in ends:
        return None, ()
    low, high = (end for end in ends if end is not None)
    value = Decimal(repr(one.value)) - number
    text = with_unit(shown(value), one.unit)
    limits = Bounds(Decimal(repr(one.low)) - high, Decimal(repr(one.high)) - low)
    steps = f"{one.text} - {other.text} = {text}"
    return Number(float(value), one.unit, text, float(limits.low), float(limits.high)), (steps,)


def _single(answer: Answer) -> Number | None:
    if answer.number is not None:
        return answer.number
    if len(answer.lines) != 1 or len(answer.lines[0].cells) != 1:
        return None
    cell = answer.lines[0].cells[0]
    if not isinstance(cell.value, float) or cell.low is None or cell.high is None:
        return None
    return Number(cell.value, cell.unit, cell.text, cell.low, cell.high)

"""What was charted in order of time, and what was not charted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.asking.answer import Answer, Cell, Column, Kind, Line
from app.asking.cells import fact_cell
from app.asking.conditions import Patients
from app.asking.figures.amounts import clock_words, local, minute, text_of
from app.asking.figures.figure import Absent, obtained, once
from app.asking.heads import missing_head, sequence_head
from app.asking.leaves import Reach
from app.asking.selection import Selector
from app.store.questions import Fact
from extraction.flowsheet.values import NotObtained
from extraction.questions.query import Aggregate, Measure, Missing, Select, Value
from extraction.questions.query import Sequence as Course
from extraction.questions.ward import WardPatient


def sequence(query: Course, subjects: tuple[WardPatient, ...], patients: Patients) -> Answer:
    """All values of some measures, a line each, in order of time."""
    now = patients.charts.now
    rows = tuple(row for measure in query.measures for row in measure.row_ids) or None
    reach = Reach(rows, minute(query.window.since), minute(query.window.until))
    lines, missing = [], []
    selector = Selector(Select(query.subject), patients, subjects)
    for patient in subjects:
        facts = patients.facts.of(reach, patient.id)
        taken: list[tuple[Fact, Measure]] = []
        for measure in query.measures or _measures(facts, patients):
            own = [fact for fact in facts if fact.row_id in measure.row_ids]
            said = once(own, measure.row_ids, same=measure.same)
            if query.around:
                said = _around(said, minute(query.around) or "")
            taken += [(fact, measure) for fact in said]
            if not obtained(said) and query.measures:
                value = Value(measure, Aggregate.ANY, query.window)
                missing.append(selector.not_charted(patient, value, Absent(_tried(own, patients))))
        for fact, measure in sorted(taken, key=lambda one: (one[0].at, one[0].value_id)):
            cell = fact_cell(fact, Value(measure), patients)
            cells = (Cell(measure.name, measure.name), cell)
            lines.append(Line(cells, patient.id, patient.name, patient.bed or "", local(fact.at)))
    flagged = tuple(sorted(one for line in lines for cell in line.cells if cell.flagged for one in cell.value_ids))
    values = [line for line in lines if not isinstance(line.cells[1].value, NotObtained)]
    return Answer(
        Kind.TABLE,
        sequence_head(len(values), subjects, missing, len(flagged), now),
        query,
        now,
        columns=(Column("What"), Column("Value")),
        lines=tuple(lines),
        ordered=True,
        not_charted=tuple(missing),
        could_change=flagged,
    )


def _measures(facts: Iterable[Fact], patients: Patients) -> list[Measure]:
    """A measure for each row that is charted."""
    known = patients.charts.schema.by_id
    rows = dict.fromkeys(fact.row_id for fact in facts)
    return [Measure(known[row_id].name if row_id in known else row_id, (row_id,)) for row_id in rows]


def _around(facts: Sequence[Fact], at: str) -> list[Fact]:
    """The values of the last minute before a time and of the first one from it on, and what was tried between them."""
    said = obtained(facts)
    last = max((fact.at for fact in said if fact.at < at), default="")
    following = min((fact.at for fact in said if fact.at >= at), default="a")
    return [
        fact for fact in facts if last <= fact.at <= following and (fact.at in (last, following) or fact not in said)
    ]


def missing(query: Missing, subjects: tuple[WardPatient, ...], patients: Patients) -> Answer:
    """A line for each patient and measure without a value in the window, with the last value before it."""
    now, lines = patients.charts.now, []
    since, until = minute(query.window.since), minute(query.window.until)
    oldest = minute(now - query.longer_than) if query.longer_than else None
    cited: set[int] = set()
    for patient in subjects:
        for measure in query.measures:
            facts = patients.facts.of(Reach(measure.row_ids, since, until, latest=True), patient.id)
            said = once(obtained(facts), measure.row_ids, same=measure.same)
            if said and (oldest is None or said[-1].at >= oldest):
                continue
            last = said[-1] if said else patients.facts.last_before(patient.id, measure.row_ids, since or until)
            if last and oldest is not None and last.at >= oldest:
                continue
            line = _missing_line(patient, measure, last, _tried(facts, patients), patients)
            lines.append(line)
            cited.update(line.cells[1].value_ids)
    changing = tuple(sorted(_flagged_between(query, subjects, patients, oldest)))
    ids = frozenset(line.patient_id for line in lines if line.patient_id is not None)
    return Answer(
        Kind.TABLE,
        missing_head(query, len(ids), len(subjects), len(changing), now),
        query,
        now,
        columns=(Column("Not charted"), Column("Last charted")),
        lines=tuple(lines),
        certain=ids,
        possible=ids | {patients.facts.flagged()[one].patient_id for one in changing},
        could_change=changing,
    )


def _missing_line(patient: WardPatient, measure: Measure, last: Fact | None, tried: str, patients: Patients) -> Line:
    text, at = "never", None
    ids: tuple[int, ...] = ()
    if last is not None:
        at, ids = local(last.at), (last.value_id,)
        text = f"{text_of(last, patients.charts.schema, measure.part)} at {clock_words(at, patients.charts.now)}"
    if tried:
        text = f"{tried}; before that {text}" if last else tried
    cells = (
        Cell(None, measure.name),
        Cell(
            last.value if last else None,
            text,
            last.unit if last else None,
            at,
            ids,
            flagged=bool(last and last.flagged),
        ),
    )
    return Line(cells, patient.id, patient.name, patient.bed or "", at)


def _flagged_between(
    query: Missing, subjects: Iterable[WardPatient], patients: Patients, oldest: str | None
) -> set[int]:
    """The flagged values that alone keep a measure from being missing."""
    found: set[int] = set()
    since, until = minute(query.window.since), minute(query.window.until)
    for patient in subjects:
        for measure in query.measures:
            facts = patients.facts.of(Reach(measure.row_ids, since, until, latest=True), patient.id)
            recent = [fact for fact in obtained(facts) if oldest is None or fact.at >= oldest]
            if recent and all(fact.flagged for fact in recent) and len(recent) == 1:
                found.add(recent[0].value_id)
    return found


def _tried(facts: Sequence[Fact], patients: Patients) -> str:
    tried = [fact for fact in facts if isinstance(fact.value, NotObtained)]
    if not tried:
        return ""
    return f"{tried[-1].value} at {clock_words(local(tried[-1].at), patients.charts.now)}"

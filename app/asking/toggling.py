"""Which flagged values an answer hangs on: it is made again with each as another one, or not there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from app.asking.conditions import Patients
from app.asking.figures.figure import with_value
from app.asking.selection import Picked, Selector

# What an answer says, in a form that can be compared, of the patients that are selected before any limit.
Saying = Callable[[Iterable[Picked]], object]


def could_change(selector: Selector, picked: Mapping[int, Picked], saying: Saying) -> tuple[int, ...]:
    """The ids of the flagged values by any one of which what is said would differ."""
    facts = selector.patients.facts
    said = saying(picked.values())
    subjects = {one.id: one for one in selector.subjects}
    found = []
    for value_id, fact in facts.flagged().items():
        patient = subjects.get(fact.patient_id)
        if patient is None:
            continue
        for other in (None, *(with_value(fact, value) for value in fact.others)):
            reckoned = Patients(facts.swapped(value_id, other), selector.patients.charts)
            one, _ = selector.outcome(patient, reckoned)
            if one == picked.get(patient.id):
                continue
            changed = [one if it.id == patient.id else picked.get(it.id) for it in selector.subjects]
            if saying(it for it in changed if it) != said:
                found.append(value_id)
                break
    return tuple(sorted(found))

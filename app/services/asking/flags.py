"""Which charted values were flagged when they were confirmed, by the lighting that settings and models give them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from app.lighting import Lighting, lighting_of
from app.store import Store
from app.store.questions import Proposal, RunOf
from app.system.settings import Settings
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Value

SchemaOf = Callable[[int], Schema]  # by version in the store
_Run = tuple[int, tuple[tuple[str, str], ...]]
_Chosen = dict[_Run, Lighting]


class ConfirmedFlags:
    """By id of a flagged value, what the models considered instead; a value that a person changed is not flagged.

    What decides is not stored with a value, so that it is decided again, as for the sheet of its dictation.
    """

    def __init__(self, store: Store, settings: Settings, schema_of: SchemaOf) -> None:
        self._store = store
        self._settings = settings
        self._schema_of = schema_of
        self._chosen: _Chosen = {}

    def __call__(self, value_ids: Sequence[int]) -> Mapping[int, tuple[Value, ...]]:
        runs = self._store.questions.runs_of(value_ids)
        promised = any(self._lighting(run).promises(run.weighed_by) for run in runs.values())
        below = None if promised else self._settings.accept_threshold
        groups: defaultdict[tuple[_Run, str], list[Proposal]] = defaultdict(list)
        for one in self._store.questions.proposals(value_ids, below):
            run = runs[one.dictation_id]
            groups[_run(run), run.weighed_by].append(one)
        found: dict[int, tuple[Value, ...]] = {}
        for ((version, models), weighed_by), proposals in groups.items():
            rows = self._schema_of(version).by_id
            known = [(rows[one.proposed.row_id], one) for one in proposals if one.proposed.row_id in rows]
            chosen = self._chosen[version, models]
            lights = chosen.lights([(row, one.proposed) for row, one in known], weighed_by)
            for (row, one), why in zip(known, lights, strict=True):
                if why:
                    found[one.value_id] = _instead(row, one)
        return found

    def _lighting(self, run: RunOf) -> Lighting:
        key = _run(run)
        if key not in self._chosen:
            self._chosen[key] = lighting_of(self._settings, self._schema_of(run.schema_version_id), run.models)
        return self._chosen[key]


def _run(run: RunOf) -> _Run:
    return run.schema_version_id, tuple(sorted(run.models.items()))


def _instead(row: Row, one: Proposal) -> tuple[Value, ...]:
    """The other values that the models considered, in the form that the row keeps."""
    found: list[Value] = []
    for text, _ in one.proposed.alternatives:
        if row.value_type is ValueType.YES_NO:
            found.append(text.casefold() == "yes")
        elif row.value_type is ValueType.MULTI_SELECT:
            found.append((text,))
        elif row.value_type in (ValueType.NUMERIC, ValueType.QUANTITY):
            with suppress(ValueError):
                found.append(float(text))
        else:
            found.append(text)
    return tuple(value for value in found if value != one.proposed.value)

"""Values round-trip through the store, and undo always restores the earlier state."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.chart.records import ReviewStatus
from app.record.codec import decode_proposed, decode_run, encode_proposed, encode_run
from app.record.errors import Conflict
from app.record.run import NO_RUN, Named, NamedPatients, PatientPart, RunRecord, SetAside
from app.record.values import Evidence, Neighbour, ProposedValue
from app.store import Store
from app.store.sqlite.codec import decode_value, encode_value
from extraction.confidence.packed_numbers import packed
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.values import Value
from models.base.errors import InputError
from tests.kit.store import filled, recorded

texts = st.text(st.characters(codec="utf-8"), max_size=10)
numbers = st.floats(allow_nan=False, allow_infinity=False)
values: st.SearchStrategy[Value] = st.one_of(texts, numbers, st.booleans(), st.lists(texts, max_size=3).map(tuple))
offsets = st.integers(0, 10**6)
filled_values = st.builds(
    ProposedValue,
    row_id=texts,
    value=values,
    unit=st.none() | texts,
    evidence=st.builds(Evidence, offsets, offsets, texts, offsets, offsets),
    log_probability=st.floats(max_value=0, allow_nan=False),
    not_mentioned=st.floats(0, 1),
    confidence=st.floats(0, 1),
    relevance=st.floats(-1, 1),
    neighbour=st.builds(Neighbour, texts, texts, offsets),
    strategy=texts,
    findings=st.lists(st.builds(lambda text: Finding("noted", (text,)), texts), max_size=2).map(tuple),
    alternatives=st.lists(st.tuples(texts, st.floats(0, 1)), max_size=2).map(tuple),
    features=st.lists(st.floats(width=32, allow_infinity=False), max_size=60).map(np.array).map(packed),
)


@given(values)
def test_a_stored_value_keeps_its_content_and_type(value: Value) -> None:
    back = decode_value(encode_value(value))
    assert back == value
    assert type(back) is type(value)


@given(values, values)
def test_different_values_are_encoded_differently(one: Value, other: Value) -> None:
    same = one == other and type(one) is type(other) and repr(one) == repr(other)
    assert (encode_value(one) == encode_value(other)) == same


@given(filled_values)
def test_a_stored_proposal_reads_back_unchanged(proposal: ProposedValue) -> None:
    assert decode_proposed(encode_proposed(proposal)) == proposal


spans = {"start": offsets, "end": offsets, "text": texts}
names = st.builds(Named, st.sampled_from(["bed", "room", "number", "name"]), texts, **spans)
counts = st.dictionaries(texts, st.integers(0, 10**6), max_size=3)
runs = st.builds(
    RunRecord,
    seconds=st.dictionaries(texts, st.floats(0, 1e6), max_size=3),
    tokens=counts,
    models=st.dictionaries(texts, texts, max_size=3),
    devices=st.dictionaries(texts, texts, max_size=3),
    candidates=st.integers(0, 10**6),
    held_back=st.lists(filled_values, max_size=2).map(tuple),
    weighed_by=texts,
    features_signature=texts,
    set_aside=st.lists(st.builds(SetAside, why=texts, **spans), max_size=2).map(tuple),
    naming=st.builds(
        NamedPatients,
        named=st.lists(names, max_size=2).map(tuple),
        strangers=st.lists(names, max_size=2).map(tuple),
        mixed=st.booleans(),
        other=st.booleans(),
        others=st.lists(st.builds(PatientPart, offsets, offsets, texts), max_size=2).map(tuple),
    ),
)


@given(runs)
def test_a_run_is_kept_whole(run: RunRecord) -> None:
    assert decode_run(encode_run(run)) == run


@given(runs, st.sets(st.sampled_from([one.name for one in fields(RunRecord)])))
def test_what_a_run_did_not_report_has_its_default(run: RunRecord, unreported: set[str]) -> None:
    stored = json.loads(encode_run(run))
    del stored["version"]
    expected = replace(run, **{name: getattr(NO_RUN, name) for name in unreported})
    assert decode_run(json.dumps({name: stored[name] for name in stored.keys() - unreported})) == expected


@contextmanager
def opened() -> Iterator[tuple[Store, Path]]:
    with tempfile.TemporaryDirectory() as name, Store(Path(name) / "wardlight.db") as store:
        yield store, Path(name)


actions = st.tuples(
    st.sampled_from(["confirm", "confirm", "edit", "reject", "reopen", "many", "add", "undo", "undo", "rerun"]),
    st.integers(0, 9),
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(actions, max_size=12))
def test_undo_restores_earlier_states_and_a_rerun_keeps_decisions(sequence: list[tuple[str, int]]) -> None:
    """Compares with the simplest model: a stack of the values after each step."""
    with opened() as (store, folder):
        number = recorded(store, folder).id

        def look() -> dict[int, tuple[Any, ...]]:
            return {item.id: (item.status, item.value, item.reviewed_at) for item in store.values.of(number)}

        store.runs.save(number, [filled(f"row {place}", float(place)) for place in range(4)], NO_RUN)
        pile = [look()]
        for name, choice in sequence:
            ids = sorted(pile[-1])
            chosen = ids[choice % len(ids)]
            if name == "undo":
                assert store.reviews.can_undo(number) == (len(pile) > 1)
                if len(pile) == 1:
                    with pytest.raises(InputError, match="nothing to undo"):
                        store.reviews.undo(number, "Kim")
                    continue
                try:
                    touched = store.reviews.undo(number, "Kim")
                except Conflict:
                    assert look() == pile[-1]
                    return  # undo would bring back a value that conflicts with one accepted since
                pile.pop()
                assert look() == pile[-1]
                assert touched == [item for item in store.values.of(number) if item in touched]
                continue
            if name == "rerun":
                decided = {item.id for item in store.values.of(number) if item.reviewer}
                store.runs.save(number, [filled(f"row {place}", float(place + choice)) for place in range(4)], NO_RUN)
                now = look()
                assert {key: now[key] for key in decided} == {key: pile[-1][key] for key in decided}
                fresh = {key: state for key, state in now.items() if key > max(ids)}
                assert now.keys() == decided | fresh.keys()
                pile = [{key: past[key] for key in decided & past.keys()} | fresh for past in pile]
                continue
            try:
                if name == "many":
                    store.reviews.decide_all(ids[: choice + 1], "confirm", "Kim")
                elif name == "add":
                    store.reviews.add(number, "note", f"by hand {choice}", None, "Kim")
                elif name == "edit":
                    store.reviews.decide(chosen, "edit", "Kim", value=float(choice))
                else:
                    store.reviews.decide(chosen, name, "Kim")  # type: ignore[arg-type]
            except Conflict:
                assert look() == pile[-1]
            accepted = [(item.row_id, item.value) for item in store.values.of(number) if item.stands]
            assert len({row for row, _ in accepted}) == len(set(accepted)), "one cell has one value"
            if (now := look()) != pile[-1]:
                pile.append(now)
            assert store.values.summary(number) == {
                status: sum(state[0] is status for state in now.values()) for status in ReviewStatus
            }


decisions = st.lists(
    st.tuples(st.sampled_from(["confirm", "edit", "reject", "reopen", "add", "undo"]), st.integers(0, 9)), max_size=6
)


def decide(store: Store, number: int, sequence: list[tuple[str, int]]) -> None:
    """Reviews a dictation as far as possible."""
    for name, choice in sequence:
        ids = [item.id for item in store.values.of(number)]
        try:
            if name == "undo":
                store.reviews.undo(number, "Kim")
            elif name == "add":
                store.reviews.add(number, "note", f"by hand {choice}", None, "Kim")
            elif ids:
                value = float(choice) if name == "edit" else None
                store.reviews.decide(ids[choice % len(ids)], name, "Kim", value=value)  # type: ignore[arg-type]
        except InputError:
            pass


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(decisions, decisions, st.booleans(), st.booleans())
def test_moving_a_dictation_there_and_back_keeps_every_decision(
    here: list[tuple[str, int]], there: list[tuple[str, int]], rerun: bool, deleted: bool
) -> None:
    with opened() as (store, folder):
        number = recorded(store, folder).id
        store.runs.save(number, [filled(f"row {place}", float(place)) for place in range(4)], NO_RUN)
        decide(store, number, here)
        first = store.encounters.one(store.dictations.one(number).encounter_id).patient_id
        other = store.patients.add("Bo", "5").id

        def chart() -> list[Any]:
            return [(one.value.row_id, one.value.value) for one in store.values.standing(first)]

        before, stood, undoable = store.values.of(number), chart(), store.reviews.can_undo(number)
        store.dictations.move(number, other, "Lee", "")
        assert chart() == store.values.standing(other) == []
        assert not store.reviews.can_undo(number)
        if rerun:
            store.runs.save(number, [filled(f"row {place}", 7.0) for place in range(3)], NO_RUN)
        decide(store, number, there)
        by_hand = {item.value for item in store.values.of(number) if item.status is ReviewStatus.ADDED}
        if deleted:
            store.dictations.delete(number, "Lee", "Duplicate")
            store.dictations.restore(number, "Lee")
        store.dictations.move(number, first, "Lee", "")
        after = store.values.of(number)
        assert after[: len(before)] == before
        assert {item.value for item in after[len(before) :]} <= by_hand
        assert all(item.status is ReviewStatus.REJECTED for item in after[len(before) :])
        assert (chart(), store.reviews.can_undo(number), store.values.standing(other)) == (stood, undoable, [])

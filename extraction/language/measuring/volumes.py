"""Volumes of a sentence: said in parts ("a liter and a quarter"), in vessels, or added to the one before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from extraction.language.measuring.pairs import MeasuredNumber, MeasuredPair
from extraction.language.numbers import numbers
from extraction.language.quantities import amounts, said_unit
from extraction.language.spans import Spoken, overlap
from extraction.language.vocabulary.measurements import Mention, measurement_cues

VOLUME_UNITS = frozenset({"mL", "L", "[foz_us]", "[cup_us]"})


def with_volumes(text: str, said: Sequence[Spoken[float]]) -> list[Spoken[float]]:
    """The numbers with volumes that are said in other words: "a liter and a quarter", "half a cup"."""
    volumes = [one for one in amounts(text, numbers(text)) if one.unit in VOLUME_UNITS]
    left = [one for one in said if not any(overlap((one.start, one.end), (it.start, it.end)) for it in volumes)]
    return sorted(
        (*left, *(Spoken(one.value, one.start, one.end) for one in volumes)),
        key=lambda one: one.start,
    )


def further_volumes(
    text: str, named: Sequence[Mention], pairs: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """Volumes that are added to the one before: "drank 200 with lunch, then a liter of tea"."""
    by_number = {one.number: one.measurement for one in pairs}
    for first, second in pairwise(sorted((*by_number, *left), key=lambda one: one.start)):
        measurement = by_number.get(first)
        if measurement is None or not measurement.adds_up or second in by_number or not _is_volume(text, second):
            continue
        another = any(
            first.end <= one.start < second.start and one.measurement and one.measurement.adds_up for one in named
        )
        if measurement_cues().then.search(text, first.end, second.start) and not another:
            by_number[second] = measurement
            yield MeasuredPair(measurement, second, second.start, second.end)


def _is_volume(text: str, number: MeasuredNumber) -> bool:
    """Whether a number is said with a unit of volume."""
    in_words = any(one.start == number.start for one in amounts(text, numbers(text)))
    return in_words or said_unit(text, number.end)[0] in VOLUME_UNITS


def counts_vessels(text: str, place: int) -> bool:
    """Whether a number that ends at a place counts vessels and is no volume: "two glasses", "one cup of tea, 150".

    Cups are a volume unless another one is said of them.
    """
    vessel = measurement_cues().vessel.match(text, place)
    if vessel is None or said_unit(text, place)[0] is None:
        return vessel is not None
    following = next((one for one in numbers(text) if one.start >= vessel.end()), None)
    joint = following and measurement_cues().vessel_volume.fullmatch(text, vessel.end(), following.start)
    return joint is not None

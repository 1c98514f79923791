"""Numbers of a sentence, and their pairs with what they measure."""

from __future__ import annotations

from dataclasses import dataclass

from extraction.language.vocabulary.measurements import Measurement


@dataclass(frozen=True, slots=True)
class MeasuredNumber:
    """A number in characters [start, end) of a sentence, or a pressure as 'systolic/diastolic'."""

    start: int
    end: int
    value: float = 0.0
    pressure: str = ""


@dataclass(frozen=True, slots=True)
class MeasuredPair:
    """A measurement with its number, and the characters [start, end) of both in a sentence."""

    measurement: Measurement | None
    number: MeasuredNumber
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MeasuredNumbers:
    """All numbers of a sentence outside times, dates and names, and the pairs among them, in the order of the text."""

    numbers: tuple[MeasuredNumber, ...]
    pairs: tuple[MeasuredPair, ...]

    @property
    def measured(self) -> frozenset[str]:
        """The ids of the measurements that are stated with their numbers."""
        return frozenset(pair.measurement.id for pair in self.pairs if pair.measurement)

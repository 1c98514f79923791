"""The jobs of the outbox: their subjects and results."""

from __future__ import annotations

from dataclasses import dataclass

from app.chart.records import Patient
from app.record.outbox import MessageState, OutboxMessage
from app.services.engine.job_lanes import JobKind


@dataclass(frozen=True, slots=True)
class OutboxLine:
    """A message with what a person recognises it by.

    Attributes:
        patient: whose it is.
        dictation: name of the dictation; empty if that was deleted.
        final, amended, withdrawn: how many observations it tells first, corrects and takes back.
    """

    message: OutboxMessage
    patient: Patient
    dictation: str
    final: int
    amended: int
    withdrawn: int


@dataclass(frozen=True, slots=True)
class OutboxState:
    """What is in the outbox, newest first, and whether messages are handed over at all."""

    on: bool
    lines: tuple[OutboxLine, ...]

    @property
    def refused(self) -> int:
        """How many messages wait for a person because they were refused."""
        return sum(line.message.state is MessageState.REFUSED for line in self.lines)

    @property
    def open(self) -> int:
        """How many messages are neither accepted nor cancelled."""
        return sum(not line.message.state.settled for line in self.lines)


OUTBOX = JobKind[None, OutboxState]("outbox")

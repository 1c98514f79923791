"""The jobs of the outbox: their subjects and results."""

from __future__ import annotations

from dataclasses import dataclass

from app.chart.records import Patient
from app.record.outbox import MessageState, OutboxMessage
from app.services.engine.job_lanes import JobKind

STATE_WORDS = {
    MessageState.QUEUED: "waiting",
    MessageState.RETRIED: "waiting",
    MessageState.SENDING: "being sent",
    MessageState.SENT: "sent, no answer yet",
    MessageState.ACCEPTED: "accepted",
    MessageState.REFUSED: "refused",
    MessageState.FAILED: "not sent",
    MessageState.UNKNOWN: "sent perhaps",
    MessageState.CANCELLED: "taken out",
    MessageState.ABANDONED: "taken out after it was sent",
}
_TO_COME = "waits to be sent to the record system"
_FILED_WORDS = {
    MessageState.SENT: "sent to the record system, no answer yet",
    MessageState.ACCEPTED: "accepted by the record system",
    MessageState.REFUSED: "refused by the record system",
    MessageState.CANCELLED: "not sent to the record system",
    MessageState.ABANDONED: "sent to the record system, no answer",
}
_NO_SIGN_IN = "not sent: the record system refused the sign-in"


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

    @property
    def told_words(self) -> str:
        """What it tells: '2 new, 1 corrected'."""
        counts = {"new": self.final, "corrected": self.amended, "withdrawn": self.withdrawn}
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing"

    @property
    def state_words(self) -> str:
        return "refused: sign-in" if self.message.asks_sign_in else STATE_WORDS[self.message.state]


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
    def held(self) -> bool:
        """Whether nothing is sent until somebody signs in."""
        return any(line.message.asks_sign_in for line in self.lines)

    @property
    def open(self) -> int:
        """Of how many messages something can still become."""
        return sum(not line.message.state.settled for line in self.lines)

    def words_of(self, dictation_id: int) -> str:
        """What became of the last filing of a dictation, in words for the person who looks at it."""
        last = next((line.message for line in self.lines if line.message.dictation_id == dictation_id), None)
        if last is None:
            return "" if self.on else _FILED_WORDS[MessageState.CANCELLED]
        return _NO_SIGN_IN if last.asks_sign_in else _FILED_WORDS.get(last.state, _TO_COME)


OUTBOX = JobKind[None, OutboxState]("outbox")

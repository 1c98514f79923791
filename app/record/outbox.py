"""What the outbox keeps: messages to the receiver with their state, and what each observation was last told as."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MessageState(StrEnum):
    """What last became of a message; the same words are its events."""

    QUEUED = "queued"
    SENDING = "sending"  # it is being handed over; after a crash, whether it was is worked out
    SENT = "sent"  # no answer yet
    ACCEPTED = "accepted"
    REFUSED = "refused"  # by the receiver, or because it cannot be written
    FAILED = "failed"  # surely not handed over
    UNKNOWN = "unknown"  # perhaps handed over
    RETRIED = "retried"  # by a person
    CANCELLED = "cancelled"  # the receiver surely does not have it
    ABANDONED = "abandoned"  # cancelled although the receiver may have it, so that it counts as told

    @property
    def settled(self) -> bool:
        """Whether nothing can become of it any more."""
        return self in (MessageState.ACCEPTED, MessageState.CANCELLED, MessageState.ABANDONED)


SIGN_IN = "Sign-in: "  # begins the reason of a refusal that says nothing about the message


@dataclass(frozen=True, slots=True)
class OutboxMessage:
    """A message with its state.

    Attributes:
        number: the order in which messages were queued.
        id: what an acknowledgement names, see `app.exchange.observations.Message`.
        encounter_id, patient_id: the stay that it is about, and whose it is.
        since: when it came into its state, UTC in ISO 8601, as is `created_at`.
        due: when it is tried again by itself; None if at once or not at all.
        reason: why it was refused, failed or is unknown.
        tries: how often it failed or ended unknown.
    """

    number: int
    id: str
    dictation_id: int
    encounter_id: int
    patient_id: int
    created_at: str
    state: MessageState
    since: str
    due: str | None
    reason: str
    tries: int

    @property
    def asks_sign_in(self) -> bool:
        """Whether it was refused because the receiver did not know who sent it, so that no other would get through."""
        return self.state is MessageState.REFUSED and self.reason.startswith(SIGN_IN)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of what an observation says, and the dictation whose words it holds."""

    dictation_id: int
    content: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An observation as it is put into a message: a new version of it, or its withdrawal."""

    id: str
    version: int
    source: str
    value_id: int | None
    dictation_id: int
    pieces: tuple[Piece, ...]
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """What the receiver was last told under an id, or will be, once the messages in the outbox are accepted.

    Attributes:
        version: the highest that was used for this id, even in a message that was cancelled.
        valid: false if it was withdrawn, or if every message with it was cancelled.
        source: what the observation came from last; `sources` what it ever came from.
        stands: whether that source is a value that stands charted now.
        message: id of the message that told it last; empty if every one was cancelled.
        pieces: the record, then the values that it replaced; without those of a dictation that was purged.
    """

    id: str
    version: int
    valid: bool
    source: str
    sources: frozenset[str]
    stands: bool
    value_id: int | None
    dictation_id: int
    message: str
    pieces: tuple[Piece, ...]

    def withdrawal(self) -> Entry:
        """What takes it back, with the words that it was told with last."""
        return Entry(
            self.id, self.version + 1, self.source, self.value_id, self.dictation_id, self.pieces, withdrawn=True
        )


@dataclass(frozen=True, slots=True)
class QueuedObservation:
    """An observation of a message, after what the messages before it said that were not cancelled.

    Attributes:
        supersedes: id of the last message before that told it; empty if none did.
        was_valid: whether it was valid then.
    """

    entry: Entry
    supersedes: str
    was_valid: bool

    @property
    def state(self) -> str:
        """`final`, `amended` or `withdrawn`, as `ObservationState`.

        Empty if there is nothing to tell: the withdrawal of what was never told, or words that were removed.
        """
        if not self.entry.pieces or (self.entry.withdrawn and not self.was_valid):
            return ""
        if self.entry.withdrawn:
            return "withdrawn"
        return "amended" if self.supersedes else "final"

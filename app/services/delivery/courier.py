"""Hands over the messages of the outbox: in order for each patient, each until it is accepted or a person cancels it.

What has happened is recorded before and after each step that cannot be taken back, so that after a crash the state is
worked out from the outbox and the channel alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import groupby

from app.exchange.message_formats import Answer, MessageFormat
from app.exchange.outbox import message_of
from app.record.outbox import SIGN_IN, MessageState, OutboxMessage
from app.services.delivery.channel import Channel, NotAccepted, OutcomeUnknown, SignInRefused
from app.store import Store
from models.base.errors import WardlightError

FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)
_MAY_HAVE_LEFT = (MessageState.SENDING, MessageState.SENT, MessageState.UNKNOWN)


def pause_after(tries: int) -> timedelta:
    """How long to wait after so many tries that failed: twice as long after each, up to an hour."""
    return min(FIRST_PAUSE * (1 << min(tries - 1, 10)), LONGEST_PAUSE)


class Courier:
    """Hands over messages on a channel, in a format. `now` is the clock."""

    def __init__(
        self,
        store: Store,
        channel: Channel,
        message_format: MessageFormat,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store, self._channel, self._format, self._now = store, channel, message_format, now

    def run(self, cancelled: Callable[[], bool] = lambda: False) -> None:
        """Takes answers and hands over whatever can be handed over now.

        Once the receiver refuses the sign-in, nothing is handed over until a person decides about that message: each
        further try could lock the account.
        """
        if any(one.asks_sign_in for one in self._store.outbox.open()):
            self.take_answers()
            return
        waiting: set[int] = set()  # patients for whom nothing more can be done now
        while not cancelled():
            message = next((one for one in self._in_turn() if one.patient_id not in waiting), None)
            if message is None:
                return
            if not self._step(message):
                waiting.add(message.patient_id)
            now = self._store.outbox.one(message.number)
            if now.asks_sign_in or now.tries > message.tries:
                return  # the receiver cannot be reached now, which may have taken long to find out

    def take_answers(self) -> None:
        """Takes the answers that have come, and hands nothing over."""
        for message in self._in_turn():
            if message.state in _MAY_HAVE_LEFT:
                self._settle(message)

    def _in_turn(self) -> Iterable[OutboxMessage]:
        """The first open message of each patient."""
        by_patient = sorted(self._store.outbox.open(), key=lambda one: (one.patient_id, one.number))
        return [next(messages) for _, messages in groupby(by_patient, key=lambda one: one.patient_id)]

    def _step(self, message: OutboxMessage) -> bool:
        """Does what can be done for a message; returns whether it is settled."""
        if message.state is MessageState.REFUSED:
            return False
        if message.state in _MAY_HAVE_LEFT:
            again = self._settle(message)
            if not again:
                return self._store.outbox.one(message.number).state.settled
        return self._is_due(message) and self._hand_over(message)

    def _settle(self, message: OutboxMessage) -> bool:
        """Works out what became of a message that may have left; returns whether it has to be handed over again."""
        try:
            left = self._channel.left(message.id)
            answer = None if left is False else self._channel.answer(message.id)
        except NotAccepted:
            return False  # nothing can be known now
        except OutcomeUnknown as error:
            if message.reason != str(error):
                self._record(message, MessageState.SENT, str(error))
            return False
        if answer:
            self._record_answer(message, answer)
        elif left and message.state is not MessageState.SENT:
            self._record(message, MessageState.SENT)
        elif left is None and message.state is MessageState.SENDING:
            reason = "Wardlight was interrupted while it was handed over."
            self._record_failure(message, MessageState.UNKNOWN, reason)
        else:
            return left is False or (left is None and message.state is MessageState.UNKNOWN)
        return False

    def _is_due(self, message: OutboxMessage) -> bool:
        if message.due is None:
            return True
        due, now = datetime.fromisoformat(message.due), self._now()
        return due <= now or due > now + LONGEST_PAUSE  # the latter after the clock was put back

    def _hand_over(self, message: OutboxMessage) -> bool:
        told = message_of(self._store, message)
        if not told.observations:
            self._record(message, MessageState.CANCELLED, "Nothing was left to tell.")
            return True
        try:
            data = self._format.render(told)
        except WardlightError as error:
            self._record(message, MessageState.REFUSED, str(error))
            return False
        try:
            answer = self._channel.send(message.id, data, lambda: self._record(message, MessageState.SENDING))
        except SignInRefused as error:
            self._record(message, MessageState.REFUSED, f"{SIGN_IN}{error}")
        except NotAccepted as error:
            self._record_failure(message, MessageState.FAILED, str(error))
        except OutcomeUnknown as error:
            self._record_failure(message, MessageState.UNKNOWN, str(error))
        else:
            if answer:
                return self._record_answer(message, answer)
            self._record(message, MessageState.SENT)
        return False

    def _record_answer(self, message: OutboxMessage, answer: Answer) -> bool:
        state = MessageState.ACCEPTED if answer.accepted else MessageState.REFUSED
        self._record(message, state, "" if answer.accepted else answer.reason)
        return answer.accepted

    def _record_failure(self, message: OutboxMessage, state: MessageState, reason: str) -> None:
        due = self._now() + pause_after(message.tries + 1)
        self._store.outbox.record(message.number, state, due=due, reason=reason)

    def _record(self, message: OutboxMessage, state: MessageState, reason: str = "") -> None:
        self._store.outbox.record(message.number, state, reason=reason)

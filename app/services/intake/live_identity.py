"""Asks whose recording it is while it is spoken, from the words heard so far."""

from __future__ import annotations

from collections.abc import Sequence

from app.chart.dictation_identity import IdentityQuestion
from app.chart.records import Patient
from app.extraction_records import naming
from app.inference.live_events import LiveValues, LiveWords
from app.record.run import NamedPatients
from app.services.patients.whose_dictation import person_of, question_of
from extraction.preparation.people.other_patients import of_others


class LiveIdentityCheck:
    """Looks for names in words as they arrive; runs on the thread that delivers them, never on the window's.

    A question stays open, even if the draft that raised it changes, until the final words contradict it.
    """

    def __init__(self, patient: Patient, present: Sequence[Patient]) -> None:
        self._patient, self._present = patient, present
        self._person = person_of(patient)
        self._ward = tuple(person_of(other) for other in present if other.id != patient.id)
        self._heard = ("", "")
        self._reach = 0  # end of the words that raised the question, in characters
        self.question: IdentityQuestion | None = None

    def take(self, news: LiveWords | LiveValues) -> IdentityQuestion | None:
        """Processes what was heard and returns the current question."""
        if isinstance(news, LiveValues) or (news.final, news.draft) == self._heard:
            return self.question
        self._heard = (news.final, news.draft)
        named = self._naming(f"{news.final} {news.draft}".strip())
        if named.doubtful:
            self._ask(named)
        elif self.question and len(news.final) >= self._reach and not self._naming(news.final).doubtful:
            self.question = None
        return self.question

    def _naming(self, text: str) -> NamedPatients:
        return naming(of_others(text, self._person, self._ward)[1])

    def _ask(self, named: NamedPatients) -> None:
        self._reach = max((one.end for one in named.strangers), default=0)
        if self.question is None or not named.called <= self.question.naming.called:
            self.question = question_of(named, self._patient, self._present)

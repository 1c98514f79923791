"""Whose recording it is, asked while it is spoken: what the words that were heard so far say about that."""

from __future__ import annotations

from collections.abc import Sequence

from app.chart.dictation_identity import IdentityQuestion, person_of, question_of
from app.chart.records import Patient
from app.inference.live_events import LiveValues, LiveWords
from extraction.preparation.other_patients import Naming, of_others


class Overhearing:
    """Looks for names in words as they come; works on the thread that brings them, never on the window's.

    What was once asked stays, though words that may still change come and go, until the final words say otherwise.
    """

    def __init__(self, patient: Patient, present: Sequence[Patient]) -> None:
        self._patient, self._present = patient, present
        self._person = person_of(patient)
        self._ward = tuple(person_of(other) for other in present if other.id != patient.id)
        self._heard = ("", "")
        self._reach = 0  # how far the words go that were asked about
        self.question: IdentityQuestion | None = None

    def take(self, news: LiveWords | LiveValues) -> IdentityQuestion | None:
        """The question as it stands after what was heard."""
        if isinstance(news, LiveValues) or (news.final, news.draft) == self._heard:
            return self.question
        self._heard = (news.final, news.draft)
        naming = self._naming(f"{news.final} {news.draft}".strip())
        if naming.doubtful:
            self._ask(naming)
        elif self.question and len(news.final) >= self._reach and not self._naming(news.final).doubtful:
            self.question = None
        return self.question

    def _naming(self, text: str) -> Naming:
        return of_others(text, self._person, self._ward)[1]

    def _ask(self, naming: Naming) -> None:
        self._reach = max((one.end for one in naming.strangers), default=0)
        if self.question is None or not naming.called <= self.question.naming.called:
            self.question = question_of(naming, self._patient, self._present)

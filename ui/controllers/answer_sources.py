"""Where the cells of an answer come from: their words, their sound, and the way to their dictation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QTimer

from app.asking.answer import Citation, Quoted
from app.chart.sheet import Sheet
from ui.asking.ask_page import AskPage
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.navigation import Navigation
from ui.kit.jobs import nothing
from ui.kit.words import STATUS_WORDS

NO_AUDIO = "This dictation is a text; there is no audio."
_SETTLED_MS = 150  # after which the source of a cell is read, so that going through cells reads none
_MOST_CITED = 600  # values of one cell


class AnswerSources(Controller):
    """Follows the chosen cell of the page."""

    def __init__(self, context: WindowContext, navigation: Navigation, page: AskPage) -> None:
        super().__init__(context)
        self._navigation, self._asking = navigation, page
        self._sheets: dict[int, Sheet] = {}  # dictations of the answer, as far as they were looked at
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLED_MS)
        self._settle.timeout.connect(self._read)
        self._player = context.page.evidence.player
        self._player.changed.connect(self._show_playing)
        page.cell_chosen.connect(self._follow)
        page.open_asked.connect(self._open)
        page.play_asked.connect(self._play)

    def forget(self) -> None:
        """Reads everything anew from now on, because another answer comes."""
        self._sheets.clear()

    def stop(self) -> None:
        """Stops what is played."""
        self._player.stop()

    def _follow(self) -> None:
        if self._player.playing and self._asking.isVisible():
            self._player.stop()
        source = self._asking.source.source
        if source and source.dictation_id in self._sheets:
            self._show()
        elif source or self._asking.uncited:
            self._settle.start()
        else:
            self._settle.stop()

    def _read(self) -> None:
        source, uncited = self._asking.source.source, self._asking.uncited[:_MOST_CITED]
        if source:
            number = source.dictation_id
            self._jobs.watch(self._workbench.sheets.load(number), done=partial(self._keep, number), failed=nothing)
        elif uncited:
            self._jobs.watch(self._workbench.asking.cite(uncited), done=partial(self._cite, uncited))

    def _cite(self, value_ids: tuple[int, ...], citations: Mapping[int, Citation]) -> None:
        if value_ids == self._asking.uncited[:_MOST_CITED] and citations:
            self._asking.cite(citations)

    def _keep(self, number: int, sheet: Sheet) -> None:
        self._sheets[number] = sheet
        source = self._asking.source.source
        if source and source.dictation_id == number:
            self._show()

    def _show(self) -> None:
        source = self._asking.source.source
        sheet = self._sheets.get(source.dictation_id) if source else None
        value = None
        if isinstance(source, Citation) and sheet:
            value = next((one for one in sheet.values if one.id == source.value_id), None)
        if value and sheet:
            self._asking.source.show_how(STATUS_WORDS[value.status])
            if (said := sheet.evidence_of(value)) and sheet.transcript:
                begin = said.sentence_start
                sentence = sheet.transcript.text[begin : said.sentence_end]
                self._asking.source.show_sentence(sentence, said.start - begin, said.end - begin)
        self._show_playing()

    def _show_playing(self) -> None:
        if self._asking.source.source is None or not self._asking.isVisible():
            return
        reason = self._why_silent()
        self._asking.source.show_playing(playing=self._player.playing, reason=reason)

    def _why_silent(self) -> str:
        """Why the words of the source shown cannot be played; empty if they can."""
        sheet = self._sheet
        if sheet is None:
            return "Reading the dictation…"
        if sheet.dictation.kind == "text":
            return NO_AUDIO
        if not sheet.dictation.path.exists():
            return "The audio was deleted, as set in Settings."
        if self._audio_span is None:
            return "No matching place in the recording."
        return self._player.reason()

    @property
    def _sheet(self) -> Sheet | None:
        source = self._asking.source.source
        return self._sheets.get(source.dictation_id) if source else None

    @property
    def _audio_span(self) -> tuple[float, float] | None:
        source, sheet = self._asking.source.source, self._sheet
        if source is None or sheet is None or sheet.transcript is None or source.start is None or source.end is None:
            return None
        return sheet.transcript.audio_span(source.start, source.end)

    def _play(self) -> None:
        """Plays what was said, or stops."""
        span, sheet = self._audio_span, self._sheet
        if self._player.playing:
            self._player.stop()
        elif span and sheet and not self._why_silent():
            self._player.play(sheet.dictation.path, *span)

    def _open(self) -> None:
        """Opens the dictation of the source shown, at its value or sentence."""
        source = self._asking.source.source
        if source is None:
            return
        if isinstance(source, Quoted):
            at: Callable[[], object] = partial(self._page.mark_words, source.start, source.end)
        else:
            at = partial(self._page.choose, source.value_id)
        self._player.stop()
        self._navigation.open_at(source.dictation_id, at)

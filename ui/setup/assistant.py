"""The first-run assistant: models, microphone, schema, signer, done. Each step can be skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.services.context.signing import Signing
from app.services.engine.engine import ModelState
from app.system.settings import Settings
from models.base.errors import WardlightError
from ui.kit.responsive_layout import Scrolled
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, label, restyle, rule
from ui.recording.microphone import Microphones
from ui.setup.assistant_page import AssistantPage, DonePage, MicrophonePage
from ui.setup.models_page import ModelsPage
from ui.setup.schema_page import SchemaPage
from ui.setup.signer_page import SignerPage

RAIL_WIDTH = 196
_LEFT, _RIGHT = 26, 22  # margins of a page


class Assistant(QDialog):
    """Saves the choices of a page whenever the page is left; only the last page finishes the setup.

    Args:
        models: the models that the settings choose.
        folder: where models are stored.
        recording: whether a recording is running, which a test of the microphone would disturb.

    Signals:
        save_asked: save and apply settings (Settings); answered with `show_error` if refused.
        signer_entered: a new signer was entered (Signer).
        sample_asked: open the sample dictation; the assistant has ended.
    """

    save_asked = Signal(object)
    sample_asked = Signal()
    signer_entered = Signal(object)

    def __init__(
        self,
        theme: Theme,
        settings: Settings,
        models: Sequence[ModelState],
        folder: Path,
        microphones: Microphones,
        signing: Signing,
        *,
        recording: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Set up Wardlight")
        self.resize(840, 560)
        self._theme, self._settings = theme, settings
        self.models = ModelsPage(theme, models, folder)
        self.microphone = MicrophonePage(theme, microphones, settings.microphone, busy=recording)
        self.schema = SchemaPage(theme, settings.schema)
        self.signer = SignerPage(signing)
        steps = (self.models, self.microphone, self.schema, self.signer)
        self.done_page = DonePage(theme, steps)
        self.pages: tuple[AssistantPage, ...] = (*steps, self.done_page)
        self._visited = {0}
        self._stack = QStackedWidget()
        self.steps: list[QPushButton] = []
        self.rail = QFrame()
        self.rail.setObjectName("rail")
        self.rail.setFixedWidth(RAIL_WIDTH)
        column = QVBoxLayout(self.rail)
        column.setContentsMargins(14, 20, 14, 20)
        column.setSpacing(4)
        column.addWidget(label("First steps", "title"))
        column.addSpacing(8)
        for number, page in enumerate(self.pages):
            self._stack.addWidget(page)
            step = button("", theme.icon("waiting", "muted"), kind="step", clicked=partial(self.go, number))
            step.setCheckable(True)
            self.steps.append(step)
            column.addWidget(step)
            page.changed.connect(self._show)
        column.addStretch(1)
        self._without, self._without_icon = label(wrap=True), IconLabel(theme.icon("warning", "warning"), 20)
        warned = QHBoxLayout()
        warned.setSpacing(10)
        warned.addWidget(self._without_icon, 0, Qt.AlignmentFlag.AlignTop)
        warned.addWidget(self._without, 1)
        self._error = label(role="error", wrap=True)
        self._error.hide()
        self.later = button("&Later", tip="Close; your choices are saved and setup opens again at the next start (Esc)")
        self.later.clicked.connect(self.reject)
        self.back = button("&Back", tip="Go to the previous step", clicked=lambda: self.go(self._at - 1))
        self.next = button("", kind="primary", clicked=self._go_on)
        self.next.setDefault(True)
        foot = QHBoxLayout()
        foot.addWidget(self.later)
        foot.addStretch(1)
        foot.addWidget(self.back)
        foot.addWidget(self.next)
        right = QVBoxLayout()
        right.setContentsMargins(_LEFT, 22, _RIGHT, 18)
        right.setSpacing(10)
        self._scrolled = Scrolled(self._stack)
        right.addWidget(self._scrolled, 1)
        right.addLayout(warned)
        right.addWidget(self._error)
        right.addWidget(rule())
        right.addLayout(foot)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.rail)
        layout.addLayout(right, 1)
        self.done_page.sample_asked.connect(self._try_sample)
        self._show()
        (self.pages[0].first or self.next).setFocus()

    @property
    def page(self) -> AssistantPage:
        """The page shown."""
        return self.pages[self._at]

    @property
    def _at(self) -> int:
        return self._stack.currentIndex()

    @property
    def consequence(self) -> str:
        """The text about leaving the page as it is; empty if nothing is missing."""
        return self._without.text() if not self._without.isHidden() else ""

    def go(self, number: int) -> None:
        """Goes to another step; saves the choices made so far."""
        self._save()
        self._stack.setCurrentIndex(number)
        self._visited.add(number)
        self.page.enter()
        self._show()
        (self.page.first or self.next).setFocus()

    def show_error(self, error: WardlightError) -> None:
        """Says why the choices were refused."""
        self._error.setText(str(error))
        self._error.show()

    def reject(self) -> None:
        self._save()
        self.models.hand_over()
        self._hand_over_signer()
        super().reject()

    def _go_on(self) -> None:
        if self._at + 1 < len(self.pages):
            self.go(self._at + 1)
        else:
            self._finish()

    def _finish(self) -> None:
        self._save(finished=True)
        self.models.hand_over()
        self._hand_over_signer()
        self.accept()

    def _hand_over_signer(self) -> None:
        if signer := self.signer.entered:
            self.signer_entered.emit(signer)

    def _try_sample(self) -> None:
        self._finish()
        self.sample_asked.emit()

    def _save(self, *, finished: bool = False) -> None:
        chosen = {name: value for page in self.pages for name, value in page.chosen().items()}
        settings = replace(self._settings, **chosen, setup_finished=finished or self._settings.setup_finished)
        if settings != self._settings:
            self._error.hide()
            self._settings = settings
            self.save_asked.emit(settings)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Hides the list of steps if the page would need sideways scrolling next to it."""
        page = self._stack.minimumSizeHint().width() + self._scrolled.verticalScrollBar().sizeHint().width()
        self.rail.setVisible(self.width() >= RAIL_WIDTH + _LEFT + page + _RIGHT)

    def _show(self) -> None:
        last = self._at == len(self.pages) - 1
        for number, (step, page) in enumerate(zip(self.steps, self.pages, strict=True)):
            icon, state = self._mark(number, page)
            step.setText(f"{page.name}\n{state}")
            step.setIcon(icon)
            step.setChecked(number == self._at)
            step.setAccessibleName(f"Step {number + 1}, {page.name}, {state}")
            step.setToolTip(f"Go to this step: {page.name}")
            step.setAccessibleDescription(step.toolTip())
        ready, on, without = self.page.ready, self.page.under_way, self.page.without
        self._without.setText(without)
        self._without_icon.show_icon(self._theme.icon(*(("info", "accent") if on else ("warning", "warning"))))
        for each in (self._without, self._without_icon):
            each.setVisible(not ready and bool(without))
        self.next.setText("&Finish" if last else "&Next" if ready or on else "&Skip for now")
        tip = "Finish setup; it does not open automatically again" if last else "Go to the next step"
        self.next.setToolTip(f"{tip} (Enter)" if ready or on else f"Skip this step. {without}")
        self.next.setAccessibleDescription(self.next.toolTip())
        restyle(self.next, "kind", "primary" if ready or on else "")
        self.back.setEnabled(self._at > 0)
        if last:
            self.done_page.refresh()
        self._make_room()

    def _mark(self, number: int, page: AssistantPage) -> tuple[QIcon, str]:
        """Icon and state in words of a step in the list."""
        if number == self._at:
            return self._theme.icon("running", "accent"), page.state or "now"
        if number not in self._visited or page is self.done_page:
            return self._theme.icon("waiting", "muted"), "to do"
        name = "confirmed" if page.ready else "warning"
        return self._theme.icon(name, name), page.state or "skipped"

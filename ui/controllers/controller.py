"""What every controller has of the window."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.services.workbench import Workbench
from ui.kit.jobs import Jobs
from ui.kit.message_bar import MessageBar
from ui.kit.theme import Theme
from ui.patients.selection import Selection
from ui.recording.recorder import Recorder
from ui.review.review_page import ReviewPage


@dataclass(frozen=True)
class WindowContext:
    """What most controllers need.

    Attributes:
        window: the parent of dialogs and menus.
        selection: the chosen patient and dictation.
        page: the review page, with the sheet shown.
    """

    window: QWidget
    theme: Theme
    workbench: Workbench
    jobs: Jobs
    message: MessageBar
    selection: Selection
    recorder: Recorder
    page: ReviewPage


class Controller(QObject):
    """Base of the controllers: the parts of the context by name, and the window as parent."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._parent, self._theme, self._workbench = context.window, context.theme, context.workbench
        self._jobs, self._message, self._selection = context.jobs, context.message, context.selection
        self._recorder, self._page = context.recorder, context.page

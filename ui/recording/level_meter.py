"""The sound level as a row of lamps."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from speech.levels import SoundLevel
from ui.kit.theme import Theme

LOWEST_DB, LOUD_DB, LIMIT_DB = -60.0, -12.0, -3.0
_STEP_DB = 2.0
_LAMP, _GAP, _HEIGHT = 7.0, 3.0, 12
_FALL_DB = 2.5  # how far the peak mark falls with each level shown


class LevelMeter(QWidget):
    """Lamps from -60 to 0 dBFS, and a mark at the last peak that falls slowly."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._level = SoundLevel()
        self._mark = LOWEST_DB
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Level")
        self.setToolTip("Microphone level: speech should reach the upper half and stay out of the red")
        self.rest()

    @property
    def lit(self) -> int:
        """Number of lamps that are on, without the peak mark."""
        return sum(self._level.peak > lamp for lamp in _LAMPS)

    def rest(self) -> None:
        """Turns all lamps off."""
        self._mark = LOWEST_DB
        self.show_level(SoundLevel())

    def show_level(self, level: SoundLevel) -> None:
        self._level = level
        self._mark = max(level.peak, self._mark - _FALL_DB)
        words = f"{level.peak:.0f} decibels" if level.peak > LOWEST_DB else "no sound"
        self.setAccessibleDescription(words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(len(_LAMPS) * (_LAMP + _GAP) - _GAP), _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(len(_LAMPS) * 4, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        narrower = min(1.0, self.width() / self.sizeHint().width())
        for place, lamp in enumerate(_LAMPS):
            on = self._level.peak > lamp or lamp < self._mark <= lamp + _STEP_DB
            painter.setBrush(self._theme.colour(_colour(lamp) if on and self.isEnabled() else "lamp_off"))
            left, wide = place * (_LAMP + _GAP) * narrower, _LAMP * narrower
            painter.drawRoundedRect(QRectF(left, 0, wide, _HEIGHT), 2 * narrower, 2 * narrower)
        painter.end()


_LAMPS = tuple(LOWEST_DB + _STEP_DB * number for number in range(round(-LOWEST_DB / _STEP_DB)))


def _colour(lamp: float) -> str:
    return "error" if lamp >= LIMIT_DB - _STEP_DB else "warning" if lamp >= LOUD_DB else "confirmed"

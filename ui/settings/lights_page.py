"""The settings page for how much is lit, with what to expect."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from app.services.settings.jobs import LightsPreview
from app.system.settings import Settings
from extraction.estimators.calibration import WEIGHTS
from ui.kit.light_words import NOT_CALIBRATED, SOURCES, caught_words, outlook_words
from ui.kit.theme import Theme
from ui.kit.widgets import button, label

ALPHAS = (0.5, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.12, 0.1, 0.08, 0.06, 0.05, 0.03, 0.02, 0.01)
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99)
WORKING = "Calculating what to expect…"
_ABOUT = (
    "Values that may be wrong are flagged and listed first. Choose how many errors to catch. "
    "Higher catches more, but flags more correct values."
)
_DISAGREEMENT = (
    "How much disagreement between the layers of the language model counts; the rest is how likely they rate the value "
    "as wrong."
)
_THRESHOLD = "Used only before calibration: proposals below this confidence are flagged."


class LightSettings(QWidget):
    """A slider for the share of wrong values to catch, and what to expect of it."""

    def __init__(self, theme: Theme, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._prospect: LightsPreview | None = None
        self._instead = WORKING
        # the settings file may hold values that are not offered
        self.alphas = tuple(sorted({*ALPHAS, settings.alpha, Settings().alpha}, reverse=True))
        self._caught = label(role="heading", wrap=True)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(self.alphas) - 1)
        self.slider.setPageStep(2)
        self.slider.setToolTip("Further right, more values are flagged and fewer errors missed (Left, Right)")
        self.slider.setAccessibleDescription(self.slider.toolTip())
        self.outlook, self._source = _lines(""), label(role="small")
        self.outlook.setAccessibleName("What to expect")

        self.advanced = button(
            "Ad&vanced",
            theme.icon("chevron-right"),
            kind="fold",
            tip="Weight of disagreement, and the threshold before calibration",
        )
        self.advanced.setCheckable(True)
        self._more = QWidget()
        self.weight = _choices((*WEIGHTS, settings.conflict_weight, Settings().conflict_weight), "{:.0%}".format)
        self.threshold = _choices(
            (*THRESHOLDS, settings.accept_threshold, Settings().accept_threshold), "below {:.0%} confidence".format
        )
        more = QGridLayout(self._more)
        more.setContentsMargins(0, 2, 0, 0)
        more.setHorizontalSpacing(12)
        more.setColumnStretch(2, 1)
        for number, (words, field, about) in enumerate(
            (
                ("Weight of disagreement", self.weight, _DISAGREEMENT),
                ("Before calibration", self.threshold, _THRESHOLD),
            )
        ):
            field.setAccessibleName(words)
            field.setAccessibleDescription(about)
            note = _lines(about, "small")
            more.addWidget(label(words), 2 * number, 0)
            more.addWidget(field, 2 * number, 1)
            more.addWidget(note, 2 * number + 1, 0, 1, 3)

        ends = QHBoxLayout()
        ends.addWidget(label("fewer flagged", "small"))
        ends.addStretch(1)
        ends.addWidget(label("more flagged", "small"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(label(_ABOUT, "small", wrap=True))
        layout.addSpacing(6)
        layout.addWidget(self._caught)
        layout.addWidget(self.slider)
        layout.addLayout(ends)
        layout.addSpacing(4)
        layout.addWidget(self.outlook)
        layout.addWidget(self._source)
        layout.addWidget(self.advanced, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._more)
        layout.addStretch(1)
        self.slider.valueChanged.connect(self._tell)
        self.weight.currentIndexChanged.connect(self._tell)
        self.advanced.toggled.connect(self._unfold)
        self._more.hide()
        self.show_settings(settings)
        self._tell()

    def show_settings(self, settings: Settings) -> None:
        """Shows settings in the fields; their values must be among the choices."""
        self.slider.setValue(self.alphas.index(settings.alpha))
        for box, value in ((self.weight, settings.conflict_weight), (self.threshold, settings.accept_threshold)):
            box.setCurrentIndex(box.findData(value))

    @property
    def alpha(self) -> float:
        return self.alphas[self.slider.value()]

    @property
    def weights(self) -> tuple[float, ...]:
        """The weights to choose from."""
        return tuple(self.weight.itemData(place) for place in range(self.weight.count()))

    def changed(self) -> dict[str, float]:
        """The chosen values by name of the setting."""
        return {
            "alpha": self.alpha,
            "conflict_weight": self.weight.currentData(),
            "accept_threshold": self.threshold.currentData(),
        }

    def show_prospect(self, prospect: LightsPreview) -> None:
        """Shows what to expect of each choice from now on."""
        self._prospect, self._instead = prospect, NOT_CALIBRATED
        self._tell()

    def show_unknown(self, reason: str) -> None:
        """Says why what to expect is unknown."""
        self._instead = f"What to expect could not be calculated. {reason}"
        self._tell()
        self.outlook.setMinimumHeight(self.outlook.heightForWidth(self.outlook.width()))

    def _tell(self) -> None:
        words = f"Catch at least {caught_words(self.alpha)} of errors"
        self._caught.setText(words)
        self.slider.setAccessibleName(words)
        expected = self._prospect.outlooks.get((self.alpha, self.weight.currentData())) if self._prospect else None
        self.outlook.setText(outlook_words(expected) if expected else self._instead)
        self._source.setText(SOURCES[self._prospect.by] if self._prospect else "")

    def _unfold(self, opened: bool) -> None:
        self.advanced.setIcon(self._theme.icon("chevron-down") if opened else self._theme.icon("chevron-right"))
        self._more.setVisible(opened)


def _choices(values: Iterable[float], words: Callable[[float], str]) -> QComboBox:
    box = QComboBox()
    for value in sorted(set(values)):
        box.addItem(words(value), value)
    return box


def _lines(text: str, role: str = "") -> QLabel:
    """A label with room for two lines, so that a longer text does not move what is below it."""
    words = label(text, role, wrap=True)
    words.setMinimumHeight(2 * words.fontMetrics().lineSpacing())
    words.setAlignment(Qt.AlignmentFlag.AlignTop)
    return words

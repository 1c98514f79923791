"""Light, dark and high-contrast themes: colours, fonts, style sheet and icons."""

from __future__ import annotations

import json
from string import Template

from PySide6.QtCore import QByteArray, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from resources import FOLDER

STYLES = FOLDER / "styles"
ICONS = FOLDER / "icons"
FONTS = FOLDER / "fonts"
# Its figures are equally wide in all weights; 1, l and I differ, as do 0 and O.
FONT_FAMILY = "IBM Plex Sans"
FONT_PX, SMALL_PX, LARGE_PX, DISPLAY_PX, READING_PX = 14, 13, 16, 20, 17

THEMES = {"system": "Same as system", "light": "Light", "dark": "Dark", "contrast": "High contrast"}  # and their words
SCHEMES = ("light", "dark", "contrast")
_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
    "contrast": Qt.ColorScheme.Dark,
}
_PALETTE = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.ToolTipBase: "text",
    QPalette.ColorRole.ToolTipText: "surface",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.Mid: "border",
}


def load_colours(scheme: str) -> dict[str, str]:
    """The colours of one of `SCHEMES`, by their names in the style sheet."""
    colours: dict[str, str] = json.loads((STYLES / f"{scheme}.json").read_text(encoding="utf-8"))
    return colours


class Theme(QObject):
    """The look of the application; its icons repaint in the new colours when the scheme changes."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: str = "system") -> None:
        super().__init__()
        self._app = app
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._fonts: dict[tuple[int, QFont.Weight], tuple[QFont, QFontMetrics]] = {}
        self.scheme = ""
        app.setStyle("Fusion")
        app.setWindowIcon(QIcon(str(ICONS / "wardlight.svg")))
        for file in sorted(FONTS.glob("*.ttf")):
            QFontDatabase.addApplicationFont(str(file))
        self._font = QFont([FONT_FAMILY, *app.font().families()])  # the system's has the letters of other scripts
        self._font.setPixelSize(FONT_PX)
        self._hints = app.styleHints()  # kept, because what it returns lives only as long
        self._hints.colorSchemeChanged.connect(self._follow)
        self._hints.accessibility().contrastPreferenceChanged.connect(self._follow)
        self.choose(choice)

    def choose(self, choice: str) -> None:
        """Switches to one of `SCHEMES`, or with `system` follows the system's setting."""
        self.choice = choice
        self._hints.setColorScheme(_SCHEMES[choice])
        self._follow()

    def colour(self, name: str) -> QColor:
        return QColor(self._colours[name])

    def font(self, size: int = FONT_PX, weight: QFont.Weight = QFont.Weight.Normal) -> tuple[QFont, QFontMetrics]:
        """The window's font in a size (pixels) and weight, and its measures: made once, for what is painted often."""
        key = (size, weight)
        if key not in self._fonts:
            font = QFont(self._font)
            font.setPixelSize(size)
            font.setWeight(weight)
            self._fonts[key] = font, QFontMetrics(font)
        return self._fonts[key]

    def icon(self, name: str, colour: str = "text") -> QIcon:
        """An icon from `resources/icons` in a colour of the theme."""
        key = (name, colour)
        if key not in self._icons:
            self._icons[key] = QIcon(_TintedIcon(self, name, colour))
        return self._icons[key]

    def system_is_dark(self) -> bool:
        return self._hints.colorScheme() is Qt.ColorScheme.Dark

    def system_wants_contrast(self) -> bool:
        return self._hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast

    def _system_scheme(self) -> str:
        if self.system_wants_contrast():
            return "contrast"
        return "dark" if self.system_is_dark() else "light"

    def _follow(self) -> None:
        scheme = self._system_scheme() if self.choice == "system" else self.choice
        if scheme == self.scheme:
            return
        self.scheme = scheme
        self._colours = load_colours(scheme)
        self._app.setPalette(self._palette())
        self._app.setFont(self._font)
        self._app.setStyleSheet(self._style_sheet())
        self.changed.emit()

    def _palette(self) -> QPalette:
        palette = QPalette()
        for role, name in _PALETTE.items():
            palette.setColor(role, self.colour(name))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.colour("disabled"))
        return palette

    def _style_sheet(self) -> str:
        sizes = {"font_px": FONT_PX, "small_px": SMALL_PX, "large_px": LARGE_PX, "display_px": DISPLAY_PX}
        places = {"assets": STYLES.as_posix(), "scheme": self.scheme}
        template = Template((STYLES / "wardlight.qss").read_text(encoding="utf-8"))
        return template.substitute(self._colours, **sizes, **places)


class _TintedIcon(QIconEngine):
    """An SVG whose `currentColor` is the theme's of the moment; drawn once for each colour and size."""

    def __init__(self, theme: Theme, name: str, colour: str) -> None:
        super().__init__()
        self._theme, self._name, self._colour = theme, name, colour
        self._svg = (ICONS / f"{name}.svg").read_text(encoding="utf-8")
        self._drawn: dict[tuple[str, int, float], QPixmap] = {}

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        disabled = mode == QIcon.Mode.Disabled
        colour = self._theme.colour("disabled" if disabled else self._colour).name()
        side, scale = min(rect.width(), rect.height()), painter.device().devicePixelRatioF()
        key = (colour, side, scale)
        if key not in self._drawn:
            self._drawn[key] = self._draw(*key)
        painter.drawPixmap(rect.topLeft(), self._drawn[key])

    def _draw(self, colour: str, side: int, scale: float) -> QPixmap:
        pixmap = QPixmap(round(side * scale), round(side * scale))
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        svg = QByteArray(self._svg.replace("currentColor", colour).encode())
        QSvgRenderer(svg).render(painter, QRectF(0, 0, side, side))
        painter.end()
        return pixmap

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        return _TintedIcon(self._theme, self._name, self._colour)

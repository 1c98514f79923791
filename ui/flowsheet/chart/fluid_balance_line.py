"""The fluid balances of the latest shifts, in a line each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.chart.history.fluid_balance import FluidBalance
from ui.kit.widgets import label
from ui.kit.words import plural


class FluidBalanceLines(QWidget):
    """Hidden without balances."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._former, self._latest = label(role="small"), label()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 6, 14, 6)
        layout.setSpacing(2)
        layout.addWidget(self._latest)
        layout.addWidget(self._former)
        self.hide()

    @property
    def lines(self) -> list[str]:
        """What is shown, the latest shift first."""
        return [line.text() for line in (self._latest, self._former) if not line.isHidden()]

    def show_balances(self, balances: Sequence[FluidBalance]) -> None:
        """Shows one or two balances, earlier first."""
        shown: dict[QLabel, FluidBalance | None] = dict.fromkeys((self._latest, self._former))
        shown |= dict(zip((self._latest, self._former), reversed(balances), strict=False))
        for line, balance in shown.items():
            line.setText(balance_text(balance) if balance else "")
            line.setVisible(balance is not None)
        self.setVisible(bool(balances))


def balance_text(balance: FluidBalance) -> str:
    """A balance in words: 'Fluids Fri 07:00 to 14:05: in 1,240 mL, out 950 mL, balance +290 mL'."""
    net = f"{balance.net:+,.0f}" if round(balance.net) else "0"
    sums = f"in {balance.intake:,.0f} mL, out {balance.output:,.0f} mL, balance {net} mL"
    if not balance.charted:
        sums = "no balance yet"
    proposed = (("in", balance.proposed_intake), ("out", balance.proposed_output))
    if waiting := ", ".join(f"{side} {volume:,.0f} mL" for side, volume in proposed if volume):
        sums += f" · not confirmed: {waiting}"
    if balance.uncounted:
        sums += f" · {plural(balance.uncounted, 'value')} without an amount"
    same_day = balance.start.date() == balance.end.date()
    until = f"{balance.end:%H:%M}" if same_day else f"{balance.end:%a %H:%M}"
    return f"Fluids {balance.start:%a %H:%M} to {until}: {sums}"

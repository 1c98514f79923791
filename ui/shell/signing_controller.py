"""Asks who signs, where that is to be known, and shows it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.chart.records import Signer
from app.workbench import Workbench
from models.errors import NotSigned, WardlightError
from ui.dialogs.signer import SignerDialog
from ui.kit.responsive_layout import fit_to_screen
from ui.kit.theme import Theme


def unless_unsigned(decide: Callable[[], object]) -> None:
    """Decides, unless the person was asked who signs and gave it up, which needs no word."""
    with suppress(NotSigned):
        decide()


class SigningDesk:
    """Answers `Signing.ask`, and lets the person switch who signs.

    Args:
        window: the dialog's parent, where no other dialog is open.
        changed: hears that somebody else may sign now.
        failed: hears an error.
    """

    def __init__(
        self,
        theme: Theme,
        workbench: Workbench,
        window: QWidget,
        changed: Callable[[], object],
        failed: Callable[[WardlightError], object],
    ) -> None:
        self._theme, self._workbench, self._window = theme, workbench, window
        self._changed, self._failed = changed, failed
        self._open = False
        workbench.signing.ask = self.ask

    def ask(self) -> bool:
        """Asks who signs what is decided now; whoever was proposed says so with one press."""
        return self._choose(self._workbench.signing.signer)

    def switch(self) -> None:
        """Lets the person choose who signs from now on."""
        if self._workbench.ready:
            self._choose(None)

    def enter(self, signer: Signer) -> None:
        """Somebody new signs, unless the name is that of somebody who is known."""
        named = [known for known in self._workbench.signing.known if known.name.casefold() == signer.name.casefold()]
        try:
            self._workbench.choose_signer(named[0] if named and not named[0].retired else signer)
        except WardlightError as error:
            self._failed(error)
        self._changed()

    def _choose(self, proposed: Signer | None) -> bool:
        if self._open:
            return False
        signing = self._workbench.signing
        parent = QApplication.activeModalWidget() or self._window
        dialog = SignerDialog(self._theme, signing.known, proposed, parent)
        fit_to_screen(dialog)
        self._open = True
        try:
            accepted = dialog.exec() == QDialog.DialogCode.Accepted
        finally:
            self._open = False
        chosen, renamed, retired = dialog.chosen, dialog.renamed, dialog.retired
        dialog.deleteLater()
        if renamed:
            self._workbench.rename_signer(*renamed)
        elif retired:
            self._workbench.retire_signer(retired)
        if not accepted or chosen is None:
            return False
        if signing.signer and signing.signer.id and signing.signer.id == chosen.id:
            signing.confirm()
        else:
            try:
                self._workbench.choose_signer(chosen)
            except WardlightError as error:
                self._failed(error)
                return False
        self._changed()
        return True

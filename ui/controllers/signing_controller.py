"""Asks who signs when a decision needs a signer, and shows the signer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from PySide6.QtWidgets import QApplication

from app.chart.records import Signer
from app.record.errors import NotSigned
from app.services.engine.job_lanes import Job
from models.base.errors import WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.dialogs.signer import SignerDialog
from ui.kit.responsive_layout import accepted
from ui.patients.banner import Banner


def unless_unsigned(decide: Callable[[], object]) -> None:
    """Calls `decide` and ignores NotSigned: a user who cancels the question who signs needs no message."""
    with suppress(NotSigned):
        decide()


class SigningController(Controller):
    """Implements `Signing.ask`, and lets the user switch the signer."""

    def __init__(self, context: WindowContext, banner: Banner) -> None:
        super().__init__(context)
        self._banner = banner
        self._open = False
        self._workbench.signing.ask = self.ask
        banner.signer_asked.connect(self.switch)

    def ask(self) -> bool:
        """Asks who signs the current decision; the proposed signer confirms with one key. False if cancelled."""
        return self._choose(self._workbench.signing.signer)

    def switch(self) -> None:
        """Lets the user choose who signs from now on."""
        if self._workbench.ready:
            self._choose(None)

    def show(self) -> None:
        """Shows who signs now."""
        self._banner.show_signer(self._workbench.signing.name)

    def _store(self, job: Job[None, Signer]) -> None:
        self._jobs.watch(job, done=self._stored)

    def _stored(self, signer: Signer) -> None:
        self._workbench.signers.changed(signer)
        self.show()

    def enter(self, signer: Signer) -> None:
        """Makes a new signer the current one; if the name is that of a known, active signer, uses that one."""
        named = [known for known in self._workbench.signing.known if known.name.casefold() == signer.name.casefold()]
        try:
            self._store(self._workbench.signers.choose(named[0] if named and not named[0].retired else signer))
        except WardlightError as error:
            self._message.show_error(error)
        self.show()

    def _choose(self, proposed: Signer | None) -> bool:
        if self._open:
            return False
        signing = self._workbench.signing
        parent = QApplication.activeModalWidget() or self._parent
        dialog = SignerDialog(self._theme, signing.known, proposed, parent)
        self._open = True
        try:
            yes = accepted(dialog)
        finally:
            self._open = False
        chosen, renamed, retired = dialog.chosen, dialog.renamed, dialog.retired
        if renamed:
            self._store(self._workbench.signers.rename(*renamed))
        elif retired:
            self._store(self._workbench.signers.retire(retired))
        if not yes or chosen is None:
            return False
        if signing.signer and signing.signer.id and signing.signer.id == chosen.id:
            signing.confirm()
        else:
            try:
                self._store(self._workbench.signers.choose(chosen))
            except WardlightError as error:
                self._message.show_error(error)
                return False
        self.show()
        return True

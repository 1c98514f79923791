"""Who signs what is decided, and when the person is to say so again.

A workstation is shared: at the start of the program, and after a time in which nothing was signed, whoever signed last
is only proposed, and the next decision asks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from app.chart.records import Signer
from models.errors import InputError, NotSigned


class Signing:
    """Belongs to the window's thread; what is decided takes the signature along when it is queued.

    Attributes:
        signer: who signs, or is proposed; None where nobody is known.
        known: all signers, the one who was chosen last first.
        ask: lets a person choose who signs, and says whether they did; None without a window, where the known signer
            is not asked for again.
        minutes: after so many without a signature it is asked again; 0 for never.
        clock: seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.signer: Signer | None = None
        self.known: tuple[Signer, ...] = ()
        self.ask: Callable[[], bool] | None = None
        self.minutes = 15
        self.clock = clock
        self._signed_at: float | None = None

    @property
    def name(self) -> str:
        """Whose name stands on what begins now; empty where nobody signs."""
        return self.signer.signature if self.signer else ""

    @property
    def sure(self) -> bool:
        """Whether the signer has said so, and signed something not too long ago."""
        if self.signer is None or self._signed_at is None:
            return False
        return not self.minutes or self.clock() - self._signed_at < self.minutes * 60

    @property
    def sure_name(self) -> str:
        """Who adds a patient, which needs no decision: empty where nobody has said that they sign."""
        return self.name if self.sure or self.ask is None else ""

    def propose(self, signer: Signer | None) -> None:
        """Somebody may sign; they are asked before they do."""
        self.signer, self._signed_at = signer, None

    def take(self, signer: Signer) -> None:
        """Somebody has said that they sign from now on."""
        self.signer, self._signed_at = signer, self.clock()

    def confirm(self) -> None:
        """The signer has said that they still sign."""
        self._signed_at = self.clock()

    def sign(self) -> str:
        """The signature for a decision that is made now; asks the person where they are to say who signs.

        Raises NotSigned where nobody does.
        """
        if self.ask is not None and not self.sure and not self.ask():
            raise nobody_signs()
        if self.signer is None:
            raise nobody_signs()
        self._signed_at = self.clock()
        return self.signer.signature


def refuse_known(new: Signer, known: Sequence[Signer]) -> None:
    """Raises InputError where somebody new has no name, or that of somebody who is known."""
    name = " ".join(new.name.split()).casefold()
    if not name:
        raise InputError("A signer needs a name.", "Enter first and last name.")
    for other in known:
        if other.name.casefold() == name:
            what = "was retired" if other.retired else "is already on the list"
            raise InputError(f"{other.signature} {what}.", "Choose that signer, or enter another name.")


def nobody_signs() -> NotSigned:
    return NotSigned("Nothing was saved: no one is signing.", "Choose who signs (Ctrl+G), then try again.")

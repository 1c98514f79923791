"""Who signs decisions, and when they must confirm it again.

A workstation is shared: at the start of the program, and after some time without a signature, the last signer is only
proposed, and the next decision asks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from app.chart.records import Signer, name_taken
from app.record.errors import NotSigned
from models.base.errors import InputError


class Signing:
    """The current signer. For the window's thread only; a decision gets its signature when it is queued.

    Attributes:
        signer: who signs, or is proposed; None if unknown.
        known: all signers, the last one chosen first.
        ask: lets a person choose who signs, and returns whether they did; None without a window, where the known
            signer need not confirm.
        minutes: minutes without a signature after which it asks again; 0 for never.
        clock: monotonic clock in seconds.
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
        """The signature for what begins now; empty if nobody signs."""
        return self.signer.signature if self.signer else ""

    @property
    def sure(self) -> bool:
        """Whether the signer has confirmed or signed within the last `minutes`."""
        if self.signer is None or self._signed_at is None:
            return False
        return not self.minutes or self.clock() - self._signed_at < self.minutes * 60

    @property
    def sure_name(self) -> str:
        """The signature for adding a patient, which is no decision; empty if the signer has not confirmed."""
        return self.name if self.sure or self.ask is None else ""

    def propose(self, signer: Signer | None) -> None:
        """Proposes a signer, who must confirm before signing."""
        self.signer, self._signed_at = signer, None

    def take(self, signer: Signer) -> None:
        """Sets a signer who has just confirmed to be signing."""
        self.signer, self._signed_at = signer, self.clock()

    def confirm(self) -> None:
        """Records that the current signer has just confirmed to be signing."""
        self._signed_at = self.clock()

    def sign(self) -> str:
        """The signature for a decision made now; asks who signs if that must be confirmed.

        Raises NotSigned if nobody signs.
        """
        if self.ask is not None and not self.sure and not self.ask():
            raise nobody_signs()
        if self.signer is None:
            raise nobody_signs()
        self._signed_at = self.clock()
        return self.signer.signature


def refuse_known(new: Signer, known: Sequence[Signer]) -> None:
    """Raises InputError if a new signer has no name, or the name of a known signer."""
    name = " ".join(new.name.split()).casefold()
    if not name:
        raise InputError("A signer needs a name.", "Enter first and last name.")
    for other in known:
        if other.name.casefold() == name:
            raise name_taken(other)


def nobody_signs() -> NotSigned:
    return NotSigned("Nothing was saved: no one is signing.", "Choose who signs (Ctrl+G), then try again.")

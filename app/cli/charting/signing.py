"""Determines who signs the decisions of a command."""

from __future__ import annotations

import argparse
from difflib import get_close_matches

from app.chart.records import Signer
from app.record.errors import NotSigned
from app.store import Store
from app.system import paths
from app.system.settings import load_settings

CLOSE = 0.8  # similarity (see `difflib`) from which a name may be a misspelling of another


def signature_of(store: Store, arguments: argparse.Namespace) -> str:
    """The signature of `--signed-by`, else of the settings' reviewer; an unknown name is added as a signer.

    Raises NotSigned if no name is given, or if it is that of a retired signer or almost that of a known one.
    """
    named = (getattr(arguments, "signed_by", None) or load_settings(paths.config_file()).reviewer).strip()
    if not named:
        raise NotSigned("Nothing was saved: no one is signing.", "Name who signs with --signed-by NAME.")
    signer = store.signers.find(named) or _new(store, named)
    if signer.retired:
        raise NotSigned(f"{signer.signature} no longer signs.", "Name who signs with --signed-by NAME.")
    return signer.signature


def _new(store: Store, name: str) -> Signer:
    """Adds a signer. Raises NotSigned if the name is probably a misspelling of a known one."""
    known = {one.name.casefold(): one for one in store.signers.all()}
    known |= {one.signature.casefold(): one for one in known.values()}
    if near := get_close_matches(name.casefold(), known, n=1, cutoff=CLOSE):
        raise NotSigned(
            f"No signer is called {name}.",
            f"Did you mean {known[near[0]].name}? If it is somebody else, add them in the window (Ctrl+G).",
        )
    return store.signers.add(name)

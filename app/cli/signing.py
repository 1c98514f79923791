"""Who signs what a command decides."""

from __future__ import annotations

import argparse

from app import paths
from app.settings import load_settings
from app.store import Store
from models.errors import NotSigned


def signature_of(store: Store, arguments: argparse.Namespace) -> str:
    """The signature of `--signed-by`, or else of the settings' reviewer; who is named for the first time is added.

    Raises NotSigned where neither names anybody, or somebody who is retired.
    """
    named = (getattr(arguments, "signed_by", None) or load_settings(paths.config_file()).reviewer).strip()
    if not named:
        raise NotSigned("Nothing was decided: nobody signs.", "Name who signs with --signed-by NAME.")
    signer = store.signers.find(named) or store.signers.add(named)
    if signer.retired:
        raise NotSigned(f"{signer.signature} does not sign any more.", "Name who signs with --signed-by NAME.")
    return signer.signature

"""Finds what dictations say that has no row; runs in the inference process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.inference.tasks import index_of
from extraction.discovery.discover import Discovery, Note, discover
from extraction.flowsheet.schema import Schema
from extraction.retrieval.embedding_cache import KeptVectors
from models.base import text_caches
from models.base.progress import ProgressMonitor
from models.runtimes.loaded import Runtimes


def discover_in_notes(
    runtimes: Runtimes, *, notes: tuple[Note, ...], schema: Schema, index_folder: Path, monitor: ProgressMonitor
) -> Discovery:
    """See `extraction.discovery.discover.discover`; without the clusters, which hold all phrases with their vectors.

    Afterwards this process keeps no words of the dictations.
    """
    index = index_of(runtimes, schema, index_folder, monitor)
    try:
        return replace(discover(notes, schema, index, KeptVectors(runtimes.embedder), monitor), clusters=())
    finally:
        text_caches.forget_texts()

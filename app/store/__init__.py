"""The store: patients, dictations, transcripts, values and reviews in one SQLite file, see docs/storage.md."""

from app.store.store import Store

__all__ = ["Store"]

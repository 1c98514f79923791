"""The store: patients, dictations, transcripts, values and reviews in one SQLite file, see docs/storage.md.

`Store` opens it and holds one object for each aggregate (`patients`, `dictations`, `values`, ...), whose methods are
the transactions. Functions that take `db` run inside one; most are in `transactions`. `sqlite` handles the file itself.
"""

from app.store.store import Store

__all__ = ["Store"]

"""The store: patients, dictations, transcripts, values and reviews in one SQLite file, see docs/storage.md.

`Store` opens it and holds one object for each aggregate (`patients`, `dictations`, `values`, ...). Their methods are
the transactions; functions that take `db` work within one and live in `transactions`. The file itself is in `sqlite`.
"""

from app.store.store import Store

__all__ = ["Store"]

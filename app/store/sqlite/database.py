"""One SQLite file, opened by one program at a time; its failures become errors in plain words.

The journal is the classic rollback journal: write-ahead logging can corrupt a database in SQLite before 3.51.3, and has
no advantage with one writer. `synchronous=EXTRA` also syncs the folder after deleting the journal; otherwise a power
cut right after a commit could undo it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlite_utils
from filelock import FileLock, Timeout

from app.record.errors import StorageError
from app.store.sqlite import derived
from app.store.sqlite.migrations import MIGRATIONS, STEPS
from models.base.errors import ResourceError, WardlightError

# larger databases open without a check of every page; SQLite still notices damage in the pages that it reads
_CHECKED_BYTES = 256 * 1024 * 1024
_BUSY_SECONDS = 1.0


class Database:
    """A migrated, locked database. It owns its connection and its lock; any thread may use it.

    Args:
        path: the file, created with its folder if missing.

    Raises:
        StorageError: in use, damaged, of another program, or of a newer Wardlight. The file is left as it is.
        ResourceError: no space, or no permission.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._thread_lock = threading.RLock()
        self._reader: sqlite3.Connection | None = None
        self._instance_lock = _lock_instance(self.path)
        try:
            with self._plainly():
                self._connection = _connect(self.path)
                try:
                    self._db = sqlite_utils.Database(self._connection, execute_plugins=False)
                    self._open()
                except BaseException:
                    self._connection.close()
                    raise
        except BaseException:
            self._instance_lock.release()
            raise

    def _open(self) -> None:
        self._refuse_others()
        if self.path.stat().st_size <= _CHECKED_BYTES:
            faults = [row["quick_check"] for row in self._db.query("PRAGMA quick_check(1)")]
            if faults != ["ok"]:
                raise self._damaged()
        # secure_delete overwrites purged content
        durable, strict = (
            ("journal_mode=DELETE", "synchronous=EXTRA", "fullfsync=ON"),
            ("foreign_keys=ON", "secure_delete=ON"),
        )
        for setting in (*durable, *strict):
            self._connection.execute(f"PRAGMA {setting}").fetchall()
        MIGRATIONS.apply(self._db)
        derived.connect(self._connection)
        with self.write() as db:
            derived.mark_shifted(db)

    def _refuse_others(self) -> None:
        applied = {migration.name for migration in MIGRATIONS.applied(self._db)}
        if newer := applied - {step.__name__ for step in STEPS}:
            raise StorageError(
                f"The database {self.path} was written by a newer version of Wardlight ({min(newer)}).",
                "Install the newer version to open it. Nothing in it was changed.",
            )
        if not applied and set(self._db.table_names()) - {MIGRATIONS.migrations_table}:
            raise StorageError(
                f"{self.path} is the database of another program.",
                "Choose another data folder with WARDLIGHT_DATA. Nothing in it was changed.",
            )

    @contextmanager
    def read(self) -> Iterator[Any]:
        """Yields the sqlite-utils database, locked for this thread."""
        with self._thread_lock, self._plainly():
            yield self._db

    @contextmanager
    def read_only(self) -> Iterator[sqlite3.Connection]:
        """Yields a second connection that cannot change anything, locked for this thread as `read` is.

        What it reads in one block is consistent, since nothing is written meanwhile.
        """
        with self._thread_lock, self._plainly():
            if self._reader is None:
                self._reader = sqlite3.connect(
                    f"{self.path.as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
                )
                self._reader.execute("PRAGMA query_only=ON")
            yield self._reader

    @contextmanager
    def write(self) -> Iterator[Any]:
        """The same in one transaction: committed when the block ends, rolled back if it raises.

        What the block changes about the chart is in `charted_values` before it is committed.
        """
        with self.read() as db, db.atomic():
            yield db
            derived.refresh(db)

    def close(self) -> None:
        """Closes the file and releases its lock. Closing twice does nothing."""
        with self._thread_lock:
            if self._reader is not None:
                self._reader.close()
            self._connection.close()
            self._instance_lock.release()

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Turns SQLite's failures, except for bugs of ours, into errors in plain words."""
        try:
            yield
        except sqlite3.Error as error:
            if plain := self._in_plain_words(error):
                raise plain from error
            raise

    def _in_plain_words(self, error: sqlite3.Error) -> WardlightError | None:
        match getattr(error, "sqlite_errorcode", 0) & 0xFF:
            case sqlite3.SQLITE_FULL:
                return ResourceError(
                    f"There is no space left for the database {self.path}; the last change was not saved.",
                    "Free some disk space and try again.",
                    retryable=True,
                )
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR:
                return ResourceError(
                    f"The database {self.path} cannot be read or written ({error}); the last change was not saved.",
                    "Check the permissions of the folder and the health of the disk, then try again.",
                    retryable=True,
                )
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                return StorageError(
                    f"Another program is using the database {self.path}; the last change was not saved.",
                    "Close that program and try again.",
                    retryable=True,
                )
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return self._damaged()
        return None

    def _damaged(self) -> StorageError:
        return StorageError(
            f"The database {self.path} is damaged or is not a database.",
            "Move it away and restore it from a backup; Wardlight starts a new one where there is none.",
        )


def _lock_instance(path: Path) -> FileLock:
    """Acquires the lock file of the database. The system frees it when the process ends, even in a crash."""
    lock = FileLock(f"{path}.lock", timeout=0, thread_local=False, fallback_to_soft=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire()
    except Timeout as error:
        raise StorageError(
            "Wardlight is already running.",
            "Use the window that is open, or wait until the command has finished.",
            retryable=True,
        ) from error
    except NotImplementedError as error:
        raise StorageError(
            f"The folder {path.parent} is on a file system that cannot lock files.",
            "Keep the data on a local disk; choose its folder with WARDLIGHT_DATA.",
        ) from error
    except OSError as error:
        raise ResourceError(
            f"The data folder {path.parent} cannot be used: {error.strerror}.",
            "Check its permissions and the free space, or choose another with WARDLIGHT_DATA.",
        ) from error
    return lock


def _connect(path: Path) -> sqlite3.Connection:
    # creates a new file before SQLite does, because only this user may read patient data
    try:
        path.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        pass
    except OSError as error:
        raise ResourceError(
            f"The database {path} cannot be opened: {error.strerror}.", "Check the permissions of the folder."
        ) from error
    return sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)

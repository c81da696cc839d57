"""Opens the Library's SQLite file: checks that it is ours, brings it up to date, one connection a thread."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from longleaf import LongleafError
from longleaf.app.library import migrations

_BUSY_SECONDS = 30.0
_MAGIC = b"SQLite format 3\0"  # https://www.sqlite.org/fileformat.html#magic_header_string


class LibraryError(LongleafError):
    """The Library's file cannot be used; the message says which file, why, and what to do."""


class LibraryFile:
    """One SQLite file in WAL mode: any number of readers go on while one process or thread writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        with self.errors():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # holds people's contracts
            self._refuse_other_files()
            self._prepare(self.connection)

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection, opened on first use."""
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is None:
            db = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._local.db = db
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA secure_delete = ON")  # what is removed is overwritten
            db.execute("PRAGMA synchronous = NORMAL")  # in WAL mode a crash cannot damage the file
        return db

    def close(self) -> None:
        """Closes this thread's connection; those of other threads close when the thread ends."""
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is not None:
            db.close()
            self._local.db = None

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """One consistent view of the file, whatever is written meanwhile."""
        with self.errors():
            db = self.connection
            if db.in_transaction:
                yield db
                return
            with _transaction(db, "BEGIN"):
                yield db

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. Waits for another writer at the start, so it can never fail halfway for one."""
        with self.errors():
            db = self.connection
            with _transaction(db, "BEGIN IMMEDIATE"):
                yield db

    def shrink_log(self) -> None:
        """Empties the write-ahead log, which still holds what was removed, unless somebody reads from it."""
        with self.errors():
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @contextmanager
    def errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise LibraryError(f"the library {self.path}: {error}. {_advice(str(error))}") from error
        except sqlite3.DatabaseError as error:
            raise LibraryError(
                f"the library {self.path} is damaged or is not a Longleaf library ({error}). It was left "
                "as it is: move it away to start a new one, or set LONGLEAF_LIBRARY to another file"
            ) from error
        except UnicodeEncodeError as error:
            raise LibraryError(
                f"{error.object[:60]!r} has half a surrogate pair and cannot be kept in {self.path}"
            ) from error
        except OSError as error:
            raise LibraryError(
                f"cannot use the library {self.path}: {error}. Set LONGLEAF_LIBRARY to a file that "
                "can be written"
            ) from error

    def _prepare(self, db: sqlite3.Connection) -> None:
        if self._is_current(db):
            return
        _use_wal(db)
        with self.write():
            if not self._is_current(db):  # another process may have been faster
                migrations.apply(db)
                db.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")

    def _refuse_other_files(self) -> None:
        """SQLite takes a file of a few bytes for an empty one and would write over it."""
        if self.path.is_file():
            with self.path.open("rb") as file:
                start = file.read(len(_MAGIC))
            if start and start != _MAGIC:
                raise sqlite3.DatabaseError("file is not a database")

    def _is_current(self, db: sqlite3.Connection) -> bool:
        """Reads only, so a file that is not ours stays as it was. Raises LibraryError for such a file."""
        (application_id,) = db.execute("PRAGMA application_id").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application_id != migrations.APPLICATION_ID:
            if tables or application_id:
                raise LibraryError(
                    f"{self.path} is an SQLite file of another program; nothing was changed in it. "
                    "Set LONGLEAF_LIBRARY to another file"
                )
            return False
        applied = migrations.applied(db)
        newer = sorted(applied - migrations.known())
        if newer:
            raise LibraryError(
                f"the library {self.path} was made by a newer Longleaf (it has {', '.join(newer)}). "
                "Upgrade Longleaf, or set LONGLEAF_LIBRARY to another file"
            )
        return applied == migrations.known()


@contextmanager
def _transaction(db: sqlite3.Connection, begin: str) -> Iterator[None]:
    db.execute(begin)
    try:
        yield
    except BaseException:
        db.rollback()
        raise
    db.commit()


def _use_wal(db: sqlite3.Connection) -> None:
    """Switching does not wait for others by itself: https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode"""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _advice(problem: str) -> str:
    if "locked" in problem:
        return f"Another process has been writing to it for over {_BUSY_SECONDS:.0f} s; try again"
    if "disk" in problem or "full" in problem:
        return "Free some space and try again: what was stored before is kept"
    return "Set LONGLEAF_LIBRARY to a file that can be written"

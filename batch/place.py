"""Files of a batch folder: written whole or not at all, by one program at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from batch.errors import BatchError

_LOCK_FILE = ".lock"


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file so that whoever looks sees the old one or the new one, never a part.

    Raises:
        OSError: it cannot be written; the old one is untouched.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps every other program from writing to a batch folder; a program that dies lets go of it.

    Raises:
        BatchError: another one is at it.
        OSError: the folder cannot be written.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / _LOCK_FILE, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise BatchError(
            f"{folder}: another run or review is at work there", "wait for its end, or choose another folder with -o"
        ) from error
    try:
        yield
    finally:
        lock.release()

"""Files of a batch folder: written whole or not at all, by one program at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from batch.errors import BatchError

_LOCK_FILE = ".lock"


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Gives a path to write to, which takes the place of a file at the end, so that nobody ever sees a part of it.

    Raises:
        OSError: it cannot be put there; the old one is untouched, as it is where the writing fails.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield beside
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def write_atomically(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all.

    Raises:
        OSError: it cannot be written; the old one is untouched.
    """
    with replaced(path) as beside:
        beside.write_bytes(data)


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

"""Writing a record: whole photos, one after the other, whatever happens in between."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from batch.lines import Correction, read_sets
from report.data import dumps

_SYNC_S = 1.0
"""A program that dies loses nothing that it has written; only a power cut does. Forcing each photo to the disk takes 1
to 30 ms; once a second costs nothing, and a power cut costs a second's photos, which a resume reads again."""


class RecordWriter:
    """Appends to a record; use it with `with`, and only where `batch.place.alone` holds.

    Args:
        path: the record, made where it is missing.
        end: its bytes that are whole; what stands behind them is cut off.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, path: Path, end: int) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        self._end = end
        self._synced_s = time.monotonic()
        os.ftruncate(self._file, end)

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            os.fsync(self._file)
        finally:
            os.close(self._file)

    def add(self, lines: Sequence[str]) -> None:
        """Appends the lines of one input, or corrections: all of them or, where that fails, none.

        Raises:
            OSError: they cannot be written.
        """
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            os.lseek(self._file, self._end, os.SEEK_SET)
            written = 0
            while written < len(data):
                written += os.write(self._file, data[written:])
            self._end += len(data)
        except BaseException:
            # Ctrl-C too may come between two parts of it.
            os.ftruncate(self._file, self._end)
            raise
        if time.monotonic() - self._synced_s > _SYNC_S:
            os.fsync(self._file)
            self._synced_s = time.monotonic()

    def correct(self, correction: Correction) -> None:
        """Appends a correction.

        Raises:
            OSError: it cannot be written.
        """
        self.add([dumps(correction.to_dict())])


def correcting(path: Path) -> RecordWriter:
    """A writer that goes on where a record ends; use it like `RecordWriter`.

    Raises:
        OSError: it cannot be written.
    """
    return RecordWriter(path, _whole_bytes(path))


def _whole_bytes(path: Path) -> int:
    """Where the last photo or correction of a record ends that is there as a whole; 0 where there is no record."""
    end = 0
    if path.exists():
        for found in read_sets(path):
            end = found.end
    return end

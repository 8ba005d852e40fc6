"""A line on a terminal that says how far a long command is; silent everywhere else."""

from __future__ import annotations

import sys


def show_progress(done: int, total: int, what: str) -> None:
    """Says on stderr that so many of all are done."""
    # None where stderr is closed.
    if sys.stderr and sys.stderr.isatty():
        sys.stderr.write(f"\r{done} of {total} {what}" + ("\n" if done == total else ""))
        sys.stderr.flush()

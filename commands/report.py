"""`rollwrite report`: everything that follows from a batch folder's record, made again."""

from __future__ import annotations

from pathlib import Path

import click

from batch.errors import BatchError
from batch.place import alone
from commands.failures import UNREAD, complain
from commands.stackend import finish


def make_again(folder: str, strict: bool) -> int:
    """Writes the tables and the page of a batch folder again.

    Returns:
        The exit code that its run would give.

    Raises:
        click.UsageError: it is no batch folder, or another program is at work there.
    """
    place = Path(folder)
    if not place.is_dir():
        raise click.BadParameter(f"{folder}: no such folder; give one that rollwrite batch made", param_hint="DIR")
    try:
        with alone(place):
            return finish(place, strict)
    except BatchError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        complain(f"cannot write {error.filename or folder}: {error.strerror or error}; make room or mend it")
        return UNREAD

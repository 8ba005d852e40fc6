"""`rollwrite report`: everything that follows from a batch folder's record, made again."""

from __future__ import annotations

from commands.stackend import finish, in_stack


def make_again(folder: str, strict: bool) -> int:
    """Writes the tables and the page of a batch folder again.

    Returns:
        The exit code that its run would give.

    Raises:
        click.UsageError: it is no batch folder, or another program is at work there.
    """
    return in_stack(folder, lambda place: finish(place, strict))

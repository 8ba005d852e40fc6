"""The one place where an exception becomes a message and an exit code; no traceback reaches a user."""

from __future__ import annotations

import os
import sys

import click

from report.causes import explained
from report.letters import printable

UNREAD = 3
INTERRUPTED = 130
# What a shell reports for a program that its reader hung up on.
CLOSED_PIPE = 141


def exit_code_for(error: BaseException) -> int:
    """Says on stderr what went wrong, where there is anything to say.

    Returns:
        The exit code of the process.
    """
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        _forget_stdout()
        return CLOSED_PIPE
    message, remedy = explained(error)
    complain(f"{message}; {remedy}")
    return UNREAD


def complain(message: str) -> None:
    """One message for people, on stderr."""
    click.echo(f"rollwrite: {printable(message)}", err=True)


def _forget_stdout() -> None:
    """Lets the interpreter's last flush go nowhere instead of failing a second time."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = None

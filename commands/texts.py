"""Files that somebody typed: their text, or why there is none."""

from __future__ import annotations

import sys
from pathlib import Path

from report.entries import Failure

STDIN = "-"


def shown_name(path: str) -> str:
    """What messages call a file of the command line."""
    return "<stdin>" if path == STDIN else path


def text_of(path: str, code: str, remedy: str) -> str | Failure:
    """The text of a file, or of stdin for `-`.

    Args:
        path: as the user gave it.
        code: of the failure if it is no text.
        remedy: what to say then.

    Returns:
        The text, or the failure that says why it cannot be read.
    """
    name = shown_name(path)
    try:
        return _decoded(sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes())
    except UnicodeError:
        return Failure(name, code, "not a text in UTF-8", remedy)
    except FileNotFoundError:
        remedy = "check the path; what you would type into a file goes through stdin with -"
        return Failure(name, "not-found", "no such file", remedy)
    except IsADirectoryError:
        return Failure(name, code, "this is a folder", "name the files in it")
    except PermissionError:
        return Failure(name, "permission", "no permission to read it", "change its permissions")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        return Failure(name, "not-found", f"cannot be opened ({why})", "check the path")


def _decoded(data: bytes) -> str:
    """Text in UTF-8, or in UTF-16 where a byte order mark says so, as one Windows shell writes it."""
    return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")

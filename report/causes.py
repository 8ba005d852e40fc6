"""What an exception means for a person: cause and remedy."""

from __future__ import annotations

import os
import traceback

_LIBRARIES = {"libGL": "libgl1", "libgthread": "libglib2.0-0", "libglib": "libglib2.0-0"}


def explained(error: BaseException) -> tuple[str, str]:
    """Cause and remedy of an exception that is no error of this program's own kinds."""
    if os.environ.get("ROLLWRITE_TRACEBACK"):
        traceback.print_exception(error)
    if isinstance(error, ImportError):
        return _missing(error)
    if isinstance(error, MemoryError):
        return "not enough memory", "close other programs, or scale the picture down"
    if isinstance(error, OSError):
        return (
            f"cannot write {error.filename or 'the results'}: {error.strerror or error}",
            "choose another place for it",
        )
    text = " ".join(str(error).split())[:200]
    return f"unexpected {type(error).__name__}: {text}", "set ROLLWRITE_TRACEBACK=1 to see where, and report it"


def _missing(error: ImportError) -> tuple[str, str]:
    """A package or, behind one, a system library that is not there."""
    text = str(error)
    packages = sorted({package for library, package in _LIBRARIES.items() if library in text})
    if packages:
        return (
            f"OpenCV cannot be loaded ({text})",
            "install the system libraries: apt-get install libgl1 libglib2.0-0; or take the OpenCV that needs none: "
            "pip uninstall opencv-python && pip install opencv-python-headless",
        )
    if error.name == "cv2":
        return f"OpenCV cannot be loaded ({text})", "pip install --force-reinstall opencv-python"
    return f"a package is missing ({text})", "install the program again: pip install rollwrite"

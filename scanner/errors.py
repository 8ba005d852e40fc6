"""Why a photo could not be read: a closed set of causes, each with what was measured and what to do.

    ScanError
    ├── UnreadableFile    the file: not-an-image, truncated, too-large, unsupported-format, encrypted,
    │                     not-found, permission
    ├── SheetNotFound     the picture: no-sheet, sheet-cut-off, unknown-layout
    ├── PoorPhoto         its quality: too-small, blurred
    └── TesseractFailed   no matter of the photo: tesseract, where a scan that asks for it cannot have it

A sheet that breaks the rules of the game is no error: see `scoring.validate`.
"""

from __future__ import annotations


class ScanError(Exception):
    """A photo that could not be read.

    Attributes:
        code: one of the codes above, for programs.
        message: the cause, with the measured and the needed value where there are any.
        remedy: what the user can do about it.
    """

    codes: tuple[str, ...] = ()

    def __init__(self, code: str, message: str, remedy: str) -> None:
        if self.codes and code not in self.codes:
            raise ValueError(f"{type(self).__name__} has no code {code!r}")
        super().__init__(f"{message}; {remedy}")
        self.code = code
        self.message = message
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[ScanError], tuple[str, str, str]]:
        """Pickles by its three parts, so that it crosses process borders whole."""
        return type(self), (self.code, self.message, self.remedy)


class UnreadableFile(ScanError):
    """The file itself cannot be opened or decoded."""

    codes = (
        "not-an-image",
        "truncated",
        "too-large",
        "unsupported-format",
        "encrypted",
        "not-found",
        "permission",
    )


class SheetNotFound(ScanError):
    """The picture holds no sheet that can be trusted."""

    codes = ("no-sheet", "sheet-cut-off", "unknown-layout")


class PoorPhoto(ScanError):
    """There is a sheet, but the photo is too poor to read it."""

    codes = ("too-small", "blurred")


class TesseractFailed(ScanError):
    """Tesseract was asked for and is not installed, or does not run."""

    codes = ("tesseract",)


def cut_off(name: str) -> UnreadableFile:
    """The refusal of a file whose end is missing."""
    return UnreadableFile("truncated", f"{name}: the file is cut off, its end is missing", "copy the photo again")


def incomplete(name: str) -> UnreadableFile:
    """The refusal of a file with its end, in which data before that is missing or overwritten."""
    return UnreadableFile(
        "truncated", f"{name}: part of the picture's data is missing or overwritten", "copy the photo again"
    )


def damaged(name: str, kind: str) -> UnreadableFile:
    """The refusal of a picture that no decoder takes."""
    return UnreadableFile(
        "not-an-image", f"{name}: damaged, or no {kind} file", "open it in a picture viewer and save it again"
    )


def too_large(name: str, width: int, height: int, max_pixels: float) -> UnreadableFile:
    """The refusal of a picture that would take too much memory."""
    return UnreadableFile(
        "too-large",
        f"{name}: {width} x {height} pixels, at most {max_pixels / 1e6:.0f} megapixels are read",
        "scale the picture down",
    )

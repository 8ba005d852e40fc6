"""Truth files: what really stands on the sheets of a photo, as JSON beside it under the same name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scoring import Sheet, SheetError

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff"})

Corners = Sequence[tuple[float, float]]


class TruthError(ValueError):
    """A truth file that cannot be used; the message names it and the place."""


@dataclass(frozen=True, slots=True)
class TruthSheet:
    """One sheet as it really is.

    Attributes:
        sheet: what it says.
        corners_px: per cell key, its corners in pixels of the upright photo, clockwise from top left; empty where
            the file does not say.
    """

    sheet: Sheet
    corners_px: Mapping[str, Corners] = field(default_factory=dict)


def photos_with_truth(folder: Path) -> tuple[list[Path], list[Path]]:
    """The photos of a folder that have a truth file beside them, and those that have none, both sorted.

    Raises:
        TruthError: no such folder, or no photo with a truth file in it.
    """
    if not folder.is_dir():
        raise TruthError(f"{folder}: there is no such folder")
    photos = sorted(path for path in folder.iterdir() if path.suffix.lower() in PHOTO_SUFFIXES)
    known = [photo for photo in photos if truth_path(photo).is_file()]
    if not known:
        raise TruthError(f"{folder}: no photo with a truth file (same name, .json) in this folder")
    return known, [photo for photo in photos if photo not in known]


def truth_path(photo: Path) -> Path:
    """Where the truth of a photo lies."""
    return photo.with_suffix(".json")


def load_truth(path: Path) -> tuple[TruthSheet, ...]:
    """The sheets in a truth file, in its order.

    It holds a bare sheet, an object with `sheet` and `corners`, a list of either, or such a list under `sheets`.

    Raises:
        TruthError: unreadable, or none of these forms.
    """
    try:
        return tuple(_truth(entry, str(path)) for entry in _entries(json.loads(path.read_text("utf-8-sig"))))
    except OSError as error:
        raise TruthError(f"{path}: {error.strerror}") from error
    except SheetError as error:
        raise TruthError(str(error)) from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise TruthError(f"{path}: not a truth file ({type(error).__name__}: {error})") from error


def _entries(data: Any) -> Iterable[Any]:
    if isinstance(data, list):
        return data
    if isinstance(data, dict) and isinstance(data.get("sheets"), list):
        found: list[Any] = data["sheets"]
        return found
    return [data]


def _truth(entry: Any, where: str) -> TruthSheet:
    if not isinstance(entry, dict) or "sheet" not in entry:
        return TruthSheet(Sheet.from_dict(entry, where))
    corners = {key: [(float(x), float(y)) for x, y in quad] for key, quad in entry.get("corners", {}).items()}
    return TruthSheet(Sheet.from_dict(entry["sheet"], where), corners)

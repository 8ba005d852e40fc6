"""Truth files: what really stands on the sheets of a photo, as JSON beside it under the same name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scanner.errors import PoorPhoto, SheetNotFound, UnreadableFile
from scoring import Sheet, SheetError

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff"})

Corners = Sequence[tuple[float, float]]

_CODES = SheetNotFound.codes + PoorPhoto.codes + UnreadableFile.codes


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


@dataclass(frozen=True, slots=True)
class PhotoTruth:
    """One photo as it really is.

    Attributes:
        sheets: those that can be read in it.
        due: where there are none, the codes with which a scan rightly refuses it.
        kind: what kind of photo it is; empty where the file does not say.
    """

    sheets: tuple[TruthSheet, ...]
    due: tuple[str, ...] = ()
    kind: str = ""


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
    """The sheets in a truth file, in its order; see `load_photo_truth`.

    Raises:
        TruthError: unreadable, or no truth file.
    """
    return load_photo_truth(path).sheets


def load_photo_truth(path: Path) -> PhotoTruth:
    """What a truth file says.

    It holds a bare sheet, an object with `sheet` and `corners`, a list of either, or such a list under `sheets`. A
    photo without a readable sheet has an empty list there, and under `refused` the code that is due, or a list of
    such codes; `no-sheet` where nothing is said.

    Raises:
        TruthError: unreadable, or none of these forms.
    """
    try:
        data = json.loads(path.read_text("utf-8-sig"))
        entries = list(_entries(data))
        sheets = tuple(_truth(entry, str(path)) for entry in entries)
        return PhotoTruth(sheets, _due(data, bool(sheets)), _kind([data, *entries]))
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


def _due(data: Any, with_sheets: bool) -> tuple[str, ...]:
    refused = data.get("refused") if isinstance(data, dict) else None
    if refused is None:
        return () if with_sheets else ("no-sheet",)
    if with_sheets:
        raise ValueError("it holds sheets and says that the photo is refused")
    codes = (refused,) if isinstance(refused, str) else tuple(refused)
    for code in codes:
        if code not in _CODES:
            raise ValueError(f"refused: {code!r} is not one of {', '.join(_CODES)}")
    return codes


def _kind(places: Iterable[Any]) -> str:
    """The first kind that the file names, at its top or in a sheet."""
    kinds = (place.get("kind") for place in places if isinstance(place, dict))
    return next((kind for kind in kinds if isinstance(kind, str)), "")


def _truth(entry: Any, where: str) -> TruthSheet:
    if not isinstance(entry, dict) or "sheet" not in entry:
        return TruthSheet(Sheet.from_dict(entry, where))
    corners = {key: [(float(x), float(y)) for x, y in quad] for key, quad in entry.get("corners", {}).items()}
    return TruthSheet(Sheet.from_dict(entry["sheet"], where), corners)

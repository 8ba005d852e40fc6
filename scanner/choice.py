"""Which sheet it is, where several known layouts may explain one place of a photo: the one with the best evidence.

Columns, spaces and often colours are alike on all editions, so more than one layout can stand up to the proof. Each is
held against its own blank sheet, and the likest wins. Where two are about as like, it is either one pad calibrated
twice, whose readings are the same whichever is taken, or there is no telling, and the place is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import SheetLayout
from scanner.errors import SheetNotFound
from scanner.options import ScanOptions
from scanner.proof import Attempt, ProvenSheet, RefusedOutline, place_px
from scanner.rectify import load_blank
from scanner.types import ImageU8, Points

_LEAST_LEAD = 0.08
"""By how much more like its blank sheet the likest has to be to win without a question. Two calibrations of one pad are
up to 0.06 apart; sheets that fit have 0.8 to 1, and none of another pad has stood up to the proof at all."""

_COINCIDE_SHARE = 0.3
"""Cells are the same if their middles lie within this share of their size: what stands in one is read in the other."""

_SHRINK, _LOCAL_PX = 2, 24
"""Sheets are compared at half the reading scale, with the mean of 12 mm around taken off, so that light is."""

_ROOM_SHARE = 0.8
"""There is room for another sheet where a circle of this share of a found one's width fits beside it."""

_ROOM_LONG_SIDE_PX = 200


def best_of_each_place(attempts: Sequence[Attempt], options: ScanOptions) -> list[Attempt]:
    """One attempt for each place of the photo; those in the same place are rivals.

    Args:
        attempts: with any layouts.
        options: the scale of the flat sheets.
    """
    proven = sorted(
        ((likeness(sheet, options), sheet) for sheet in attempts if isinstance(sheet, ProvenSheet)),
        key=lambda rival: -rival[0],
    )
    settled: list[Attempt] = []
    while proven:
        best, rivals = proven[0], [rival for rival in proven[1:] if same_place(rival[1], proven[0][1])]
        settled.append(_winner(best, rivals))
        proven = [other for other in proven[1:] if other not in rivals]
    refused = [one for one in attempts if isinstance(one, RefusedOutline)]
    for one in sorted(refused, key=lambda one: (not one.fits, -one.outline.score)):
        if not any(same_place(one, other) for other in settled):
            settled.append(one)
    return settled


def _winner(best: tuple[float, ProvenSheet], rivals: Sequence[tuple[float, ProvenSheet]]) -> Attempt:
    """The likest, or the one of its twins that knows more; a refusal where another sheet is about as like."""
    score, sheet = best
    close = [other for its, other in rivals if score - its < _LEAST_LEAD]
    strangers = [other for other in close if not _are_twins(sheet, other)]
    if strangers:
        names = sorted({sheet.layout.name, *(other.layout.name for other in strangers)})
        error = SheetNotFound(
            "unknown-layout",
            f"it may be a sheet of {' or '.join(names)}: they fit about equally well",
            f"say which it is: {' or '.join(f'--layout {name}' for name in names)}",
        )
        return RefusedOutline(sheet.photo, sheet.outline, sheet.layout, error)
    return max([sheet, *close], key=_knowledge)


def _knowledge(sheet: ProvenSheet) -> tuple[bool, int]:
    """What makes one of two layouts of one pad the better one: it says more, or reads more of its cells."""
    return sheet.layout.specials_known, len(sheet.aligned.cells.boxes)


def _are_twins(one: ProvenSheet, other: ProvenSheet) -> bool:
    """Whether both say the same of every cell that both read: the same pad, calibrated twice."""
    first, second = one.layout, other.layout
    if first.bridge_marks != second.bridge_marks or not _agree_on_specials(first, second):
        return False
    here, there = ({box.key: row for row, box in enumerate(sheet.aligned.cells.boxes)} for sheet in (one, other))
    both = [key for key in here if key in there]
    corners = one.aligned.cells.corners_px[[here[key] for key in both]]
    others = other.aligned.cells.corners_px[[there[key] for key in both]]
    sizes = np.sqrt([cv2.contourArea(quad.astype(np.float32)) for quad in corners])
    apart = np.linalg.norm(corners.mean(axis=1) - others.mean(axis=1), axis=1)
    return bool((apart <= _COINCIDE_SHARE * sizes).all())


def _agree_on_specials(one: SheetLayout, other: SheetLayout) -> bool:
    return None in (one.known_specials, other.known_specials) or one.specials == other.specials


def likeness(sheet: ProvenSheet, options: ScanOptions) -> float:
    """Correlation, -1 to 1, of the flat sheet with its blank, over lightness and colours as far as the photo has any.

    Args:
        sheet: the sheet.
        options: the scale of flat sheets.
    """
    seen, blank = _local(sheet.aligned.flat.image), _local(load_blank(sheet.layout, options.grid_px_per_mm).image)
    products, seen_powers, blank_powers = (
        (one * other).sum((0, 1)) for one, other in ((seen, blank), (seen, seen), (blank, blank))
    )
    correlations = products / np.sqrt(seen_powers * blank_powers + 1e-6)
    return float((correlations * seen_powers).sum() / (seen_powers.sum() + 1e-6))


def _local(image: ImageU8) -> NDArray[np.float32]:
    small = cv2.resize(image, None, fx=1 / _SHRINK, fy=1 / _SHRINK, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2Lab).astype(np.float32)
    soft = cv2.GaussianBlur(lab, (0, 0), _LOCAL_PX / 6)
    return np.asarray(soft - cv2.GaussianBlur(lab, (0, 0), _LOCAL_PX), dtype=np.float32)


def same_place(one: Attempt, other: Attempt) -> bool:
    """Whether one page's middle lies on the other."""
    first, second = place_px(one), place_px(other)
    return _on(first.mean(axis=0), second) or _on(second.mean(axis=0), first)


def _on(point_px: Points, quad_px: Points) -> bool:
    x, y = (float(value) for value in point_px)
    return cv2.pointPolygonTest(quad_px.astype(np.float32), (x, y), False) >= 0


def leaves_room(attempts: Sequence[Attempt]) -> bool:
    """Whether the photo has room for another sheet beside those that were found."""
    source = attempts[0].photo.source
    factor = _ROOM_LONG_SIDE_PX / max(source.width, source.height)
    free = np.full((round(source.height * factor) + 2, round(source.width * factor) + 2), 255, np.uint8)
    places = [place_px(attempt) * factor for attempt in attempts]
    for quad in places:
        cv2.fillConvexPoly(free, (quad + 1).round().astype(np.int32), 0)
    free[[0, -1]], free[:, [0, -1]] = 0, 0
    widths = [np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).min() for quad in places]
    radius = float(cv2.distanceTransform(free, cv2.DIST_L2, 5).max())
    return bool(2 * radius >= _ROOM_SHARE * min(widths))

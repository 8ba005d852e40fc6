"""Reading cells: a small convolutional net, run once for all cells of a sheet, and a larger one for those left unclear.

The net sees each cell twice: as photographed and as printed, so that it reads what was added. Before that the light is
taken out: the photographed cell is divided by its own brightness in each channel. See `scanner/models/README.md`
for what the net was trained on and how good it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.bare import bare
from scanner.nets import MARK_CLASSES, NUMBER_VALUES, load_model, softmax
from scanner.types import CellReading, Cells, ImageU8, Value, checked_image

F32 = NDArray[np.float32]

CELL_PX = 48
"""Side of a cell as the net takes it: a stroke of 0.4 mm in a cell of 12 mm is then 1.2 pixels wide."""

PLANES = 4
"""What the net is given per cell: darkness as photographed, darkness as printed, and two planes of what was added in
colour. Colour of the print alone is left out: it says nothing about ink."""

_GAIN_STEP = 4
"""The light is estimated from every fourth pixel in both directions: 144 are plenty for a percentile."""

_LIT_SHARE_OF_PRINT = 0.72
"""Percentile of photo / print taken as the light: above what ink covers in all but filled boxes, and below the
bright fringe where print and photo are misplaced against each other."""

_LIT_SHARE_OF_CROP = 0.90
"""Percentile of the photo alone taken as the light where the print is unknown: paper is the brightest tenth."""

_DARKEST_PRINT = 32.0
"""Print darker than this (of 255) is taken as this: dividing by less multiplies noise."""

_UNKNOWN_PRINT = -0.5
"""Darkness of a print that is not known: no print has it, so the net can tell."""

_LIGHTEST = -0.3
"""Least darkness of a photographed pixel: 30 % brighter than the paper."""

_GREY = (0.114, 0.587, 0.299)
_BLUE_RED = (0.7, 0.0, -0.7)
_GREEN_REST = (-0.4, 0.8, -0.4)
_ADDED = np.array([(0, 0, 0), (0, 0, 0), _BLUE_RED, _GREEN_REST], np.float32)
_PHOTO_TO_PLANES = _ADDED - np.array([_GREY, (0, 0, 0), (0, 0, 0), (0, 0, 0)], np.float32)
_PRINT_TO_PLANES = (-_ADDED - np.array([(0, 0, 0), _GREY, (0, 0, 0), (0, 0, 0)], np.float32)) / np.float32(255)
"""From BGR to the four planes: grey as darkness, and two differences of colour, photo less print, of similar spread."""


_ENCIRCLED = ("double", "bridge")
"""Kinds of cells that may be claimed by a line around them."""

_EMPTY_LOGITS = np.array([10.0] + [0.0] * (len(NUMBER_VALUES) - 1) + [12.0, 0.0, 0.0], np.float32)
"""What the net says of a cell that is empty beyond doubt."""


def read_cells(cells: Cells, bridge_marks: str = "tick") -> tuple[CellReading, ...]:
    """Reads every cell of a sheet in one run of the net.

    Args:
        cells: N cells with the same cells of the blank sheet.
        bridge_marks: `tick` if any mark claims a bridge, `circle` if one that strikes it out does not.

    Returns:
        N readings in the order of the cells: numbers for number cells, True or False for all others.
    """
    if not cells.boxes:
        return ()
    known = np.ones(len(cells.boxes), np.bool_)
    encircled = np.array([box.kind in _ENCIRCLED for box in cells.boxes])
    kinds = np.array([box.kind for box in cells.boxes])
    numbers, marks = _probabilities(cells.images, cells.blanks, known, encircled, kinds == "number")
    readings: dict[int, CellReading] = {}
    struck_counts = (kinds != "bridge") | (bridge_marks != "circle")
    for which, ranked in (
        (kinds == "number", _ranked(NUMBER_VALUES, numbers[kinds == "number"])),
        (kinds != "number", _marks_ranked(marks[kinds != "number"], struck_counts[kinds != "number"])),
    ):
        readings.update(zip(np.flatnonzero(which).tolist(), ranked, strict=True))
    return tuple(readings[i] for i in range(len(kinds)))


def read_numbers(
    crops: Sequence[NDArray[np.uint8]], blanks: Sequence[NDArray[np.uint8] | None] | None = None
) -> tuple[CellReading, ...]:
    """Reads single cells that hold a number or nothing.

    Args:
        crops: uint8 (h, w, 3) each, BGR, any size: the cell upright, with up to a quarter of its size as margin.
        blanks: the same cells as printed, empty, cut alike; None for all or for some where not known.

    Returns:
        A reading per crop; the value is None (empty), 1 to 10, or "?" for ink that is no number.

    Raises:
        TypeError: a crop or blank of another dtype or shape, a grey one for instance.
        ValueError: not as many blanks as crops.

    Example:
        >>> import numpy as np
        >>> read_numbers([np.full((60, 60, 3), 230, np.uint8)])[0].value is None
        True
    """
    numbers, _ = _read_bare(crops, blanks, numeric=True)
    return _ranked(NUMBER_VALUES, numbers)


def read_marks(
    crops: Sequence[NDArray[np.uint8]], blanks: Sequence[NDArray[np.uint8] | None] | None = None
) -> tuple[CellReading, ...]:
    """Reads single cells that hold a mark or nothing: True however marked, False if empty.

    Args and errors are those of `read_numbers`.
    """
    _, marks = _read_bare(crops, blanks, numeric=False)
    return _marks_ranked(marks, np.ones(len(marks), np.bool_))


def normalise(images: ImageU8, blanks: ImageU8, known: NDArray[np.bool_]) -> F32:
    """What the net is given, with the light taken out.

    Args:
        images: uint8 (N, 48, 48, 3), BGR, cells as photographed.
        blanks: uint8 (N, 48, 48, 3), BGR, the same as printed; ignored where not known.
        known: bool (N,), whether the print is known.

    Returns:
        float32 (N, 4, 48, 48): darkness as photographed and as printed (0 white, 1 black, -0.5 unknown), and two
        planes of colour added to the print.
    """
    count, pixels = len(images), CELL_PX * CELL_PX
    from_photo = _PHOTO_TO_PLANES / _gain(images, blanks, known)[:, None, :]
    from_print = np.where(known[:, None, None], _PRINT_TO_PLANES, 0).astype(np.float32)
    # One small matrix a cell: planes (4, P) = from_photo (4, 3) photo (3, P) + from_print (4, 3) print (3, P) + base.
    planes = from_photo @ _as_columns(images, count, pixels)
    planes += from_print @ _as_columns(blanks, count, pixels)
    planes[:, 0] += 1.0
    planes[:, 1] += np.where(known, 1.0, _UNKNOWN_PRINT).astype(np.float32)[:, None]
    # Glare and noise are no brighter than this for the net; negative darkness carries nothing.
    np.maximum(planes[:, 0], _LIGHTEST, out=planes[:, 0])
    return np.asarray(planes.reshape(count, PLANES, CELL_PX, CELL_PX), dtype=np.float32)


def _as_columns(images: ImageU8, count: int, pixels: int) -> F32:
    """(N, 3, pixels) float32: the channels of BGR images, a row each."""
    return images.reshape(count, pixels, 3).astype(np.float32).transpose(0, 2, 1)


def _gain(images: ImageU8, blanks: ImageU8, known: NDArray[np.bool_]) -> F32:
    """Brightness of each cell and channel, float32 (N, 3): what white paper would have, in grey levels."""
    levels = _sampled(images)
    if known.any():
        levels[known] *= 255.0 / np.maximum(_sampled(blanks[known]), _DARKEST_PRINT)
    with_print, alone = (int(levels.shape[2] * share) for share in (_LIT_SHARE_OF_PRINT, _LIT_SHARE_OF_CROP))
    levels.partition(with_print if known.all() else (with_print, alone), axis=2)
    gain = np.where(known[:, None], levels[..., with_print], levels[..., alone])
    return np.maximum(gain, 4.0).astype(np.float32)


def _sampled(images: ImageU8) -> F32:
    """Every few pixels of each channel, float32 (N, 3, samples)."""
    some = images[:, _GAIN_STEP // 2 :: _GAIN_STEP, _GAIN_STEP // 2 :: _GAIN_STEP]
    return np.ascontiguousarray(some.reshape(len(images), -1, 3).transpose(0, 2, 1), dtype=np.float32)


def _read_bare(
    crops: Sequence[NDArray[np.uint8]], blanks: Sequence[NDArray[np.uint8] | None] | None, numeric: bool
) -> tuple[F32, F32]:
    if blanks is not None and len(blanks) != len(crops):
        raise ValueError(f"expected a blank for each of the {len(crops)} crops, found {len(blanks)}")
    if not len(crops):
        return np.zeros((0, len(NUMBER_VALUES)), np.float32), np.zeros((0, len(MARK_CLASSES)), np.float32)
    images = np.stack([fitted(crop, f"crop {i}") for i, crop in enumerate(crops)])
    prints = np.zeros_like(images)
    known = np.zeros(len(images), np.bool_)
    for i, blank in enumerate(() if blanks is None else blanks):
        if blank is not None:
            prints[i], known[i] = fitted(blank, f"blank {i}"), True
    # What kind of cell it is nobody said, and the margin may be less than a fifth of it: all of it is looked at.
    everywhere = np.ones(len(images), np.bool_)
    return _probabilities(images, prints, known, everywhere, everywhere & numeric)


def fitted(crop: NDArray[np.uint8], what: str) -> ImageU8:
    """The crop at the net's size, uint8 (48, 48, 3).

    Raises:
        TypeError: another dtype or shape; the message begins with `what`.
    """
    image = checked_image(crop, what)
    if image.shape[:2] == (CELL_PX, CELL_PX):
        return image
    shrinks = image.shape[0] * image.shape[1] > CELL_PX * CELL_PX
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, (CELL_PX, CELL_PX), interpolation=how), dtype=np.uint8)


def _probabilities(
    images: ImageU8,
    blanks: ImageU8,
    known: NDArray[np.bool_],
    encircled: NDArray[np.bool_],
    numeric: NDArray[np.bool_],
) -> tuple[F32, F32]:
    """Calibrated probabilities: (N, 12) of the numbers, (N, 3) of the marks; one of the two is asked for, by cell."""
    model = load_model()
    asked = ~known
    asked[known] = ~bare(images[known], blanks[known], encircled[known])
    logits = np.tile(_EMPTY_LOGITS, (len(images), 1))
    if asked.any():
        planes = normalise(images[asked], blanks[asked], known[asked])
        logits[asked] = model.nets.logits(planes, numeric[asked])
    split = len(NUMBER_VALUES)
    return (
        softmax(logits[:, :split] / model.number_temperature),
        softmax(logits[:, split:] / model.mark_temperature),
    )


def _marks_ranked(marks: F32, struck_counts: NDArray[np.bool_]) -> tuple[CellReading, ...]:
    """Readings of (N, 3) probabilities of the mark classes; a struck cell is a marked one where that counts."""
    marked = np.minimum(marks[:, 1] + np.where(struck_counts, marks[:, 2], 0), 1)
    return _ranked((True, False), np.stack([marked, 1 - marked], axis=1))


def _ranked(values: tuple[Value, ...], probabilities: NDArray[Any]) -> tuple[CellReading, ...]:
    """Readings of rows of probabilities (N, len(values)), the likeliest value first; all rows at once, for speed."""
    exact = np.asarray(probabilities, dtype=np.float64)
    exact = exact / exact.sum(axis=1, keepdims=True)
    order = np.argsort(-exact, axis=1, kind="stable")
    falling = np.take_along_axis(exact, order, axis=1).tolist()
    readings = []
    for ranks, chances in zip(order.tolist(), falling, strict=True):
        alternatives = tuple(zip([values[i] for i in ranks], chances, strict=True))
        readings.append(CellReading(alternatives[0][0], alternatives[0][1], alternatives))
    return tuple(readings)

"""`python -m bench.pads`: how well pads are learnt from photos of them, on synthetic photos of six that are not ours.

For each pad: photos of blank sheets, each made a layout of by itself and again with its corners told, and one layout of
filled sheets. A space is off by the farthest of its corners from where the pad's own layout has it, in millimetres of
the page; and again apart from the page, with a shift and a scale in each direction free, for where the page's edges are
does not matter to a scan.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibrate import CalibrationError, Pad, SeenSheet, Wishes, pad_from, see_sheet
from layouts import COLUMNS, SPACES, SheetLayout
from synth import Made, make_one
from synth.pads import PADS, pad_layout

F64 = NDArray[np.float64]

ASKED_MM = 0.8
"""What a space may be off: a twelfth of a low one."""


def main() -> None:
    """Makes the photos, calibrates, prints a line a pad."""
    options = _options()
    print(
        f"{options.photos} blank sheets a pad, and {options.filled} filled ones; seed {options.seed}; synthetic photos"
    )
    print(f"within {ASKED_MM} mm{'alone':>12}{'apart from page':>18}{'names':>8}{'told':>10}{'apart':>10}   filled")
    for pad in options.pads or PADS:
        truth = pad_layout(pad)
        photos = [make_one(options.seed, i, only="blank", pad=pad) for i in range(options.photos)]
        alone = [_calibrated([made], truth) for made in photos]
        told = [_calibrated([made], truth, told=True) for made in photos]
        filled = _calibrated([make_one(options.seed + 1, i, pad=pad) for i in range(options.filled)], truth)
        print(
            f"{pad:13}{_within(alone, truth, False):>12}{_within(alone, truth, True):>18}{_named(alone, truth):>8}"
            f"{_within(told, truth, False):>10}{_within(told, truth, True):>10}   {_largest(filled, truth)}",
            flush=True,
        )


def _calibrated(photos: Sequence[Made], truth: SheetLayout, told: bool = False) -> Pad | None:
    """The layout of photos; None where they are refused."""
    sheets: list[SeenSheet] = []
    for made in photos:
        image = cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_COLOR)
        try:
            block_px = _block_px(made, truth) if told else None
            ratio = truth.page_mm[0] / truth.page_mm[1]
            sheets.append(see_sheet(np.asarray(image, np.uint8), "photo", block_px, ratio))
        except CalibrationError:
            continue
    try:
        return pad_from(sheets, Wishes("pad", truth.page_mm)) if sheets else None
    except CalibrationError:
        return None


def _block_px(made: Made, truth: SheetLayout) -> F64:
    corners, columns = made.truths[0]["corners"], _from_left(truth)
    first, last = columns[0], columns[-1]
    places = ((first, SPACES, 0), (last, SPACES, 1), (last, 1, 2), (first, 1, 3))
    return np.array([corners[f"{column}/{space}"][corner] for column, space, corner in places], np.float64)


def _from_left(layout: SheetLayout) -> list[str]:
    return sorted(COLUMNS, key=lambda column: layout.cell(f"{column}/1").x_mm)


def _corners_mm(layout: SheetLayout) -> F64:
    """(8, 9, 4, 2), columns from the left."""
    return np.array(
        [[layout.cell(f"{c}/{s}").corners_mm for s in range(1, SPACES + 1)] for c in _from_left(layout)], np.float64
    )


def _off_mm(pad: Pad, truth: SheetLayout, apart: bool) -> float:
    found, right = _corners_mm(pad.layout).reshape(-1, 2), _corners_mm(truth).reshape(-1, 2)
    if apart:
        found = np.stack([np.polyval(np.polyfit(found[:, i], right[:, i], 1), found[:, i]) for i in (0, 1)], axis=1)
    return float(np.abs(found - right).max())


def _within(pads: Sequence[Pad | None], truth: SheetLayout, apart: bool) -> str:
    good = sum(pad is not None and _off_mm(pad, truth, apart) <= ASKED_MM for pad in pads)
    return f"{good} of {len(pads)}"


def _named(pads: Sequence[Pad | None], truth: SheetLayout) -> str:
    return str(sum(pad is not None and _from_left(pad.layout) == _from_left(truth) for pad in pads))


def _largest(pad: Pad | None, truth: SheetLayout) -> str:
    if pad is None:
        return "none found"
    return f"{_off_mm(pad, truth, False):.2f} mm, apart {_off_mm(pad, truth, True):.2f} mm"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.pads", description=__doc__)
    parser.add_argument("--photos", type=int, default=8, help="blank sheets a pad")
    parser.add_argument("--filled", type=int, default=8, help="filled sheets a pad")
    parser.add_argument("--seed", type=int, default=880001)
    parser.add_argument("pads", nargs="*", metavar="PAD", help="by default all")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Fits `report.curves` to photos whose sheets are known: `python -m bench.curves DIR...`.

The numbers in force come from `rollwrite synth -n 500 --seed 611001`, `-n 100 --seed 31337`, `-n 60 --seed 70001` (all
`--difficulty normal`) and `-n 100 --seed 1770001 --only KIND` for the kinds normal, hard, grey, curl, fold, shadow,
glare, tilt, tilt-hard, no-tags, tags-covered, cropped, white-table, rotated-90, rotated-180 and, with `-n 50`, several.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

# Before numpy and OpenCV are loaded.
os.environ["OMP_NUM_THREADS"] = "1"

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from evaluation.compare import matched, truth_value
from evaluation.truth import load_photo_truth, photos_with_truth, truth_path
from report.curves import CURVES, group_of, is_filled, stated
from scanner import ScanError, SheetReading, scan_photo

_STEPS = 100
_FLOOR = 1e-9

F64 = NDArray[np.float64]
Case = tuple[str, float, bool]
"""A cell's group, the probability that the reader states for anything in it, and whether there is."""


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="DIR...")
def main(folders: Sequence[str]) -> None:
    """Prints the curves that fit the photos in those folders."""
    cv2.setNumThreads(1)
    photos = [photo for folder in folders for photo in photos_with_truth(Path(folder))[0]]
    cases = [case for photo in photos for case in cases_of(photo)]
    for group in CURVES:
        members = [(said, there) for name, said, there in cases if name == group]
        if members:
            slope, offset = fitted(*map(np.array, zip(*members, strict=True)))
            click.echo(f'    "{group}": ({slope:.3f}, {offset:.3f}),  # {len(members)} cells')


def cases_of(photo: Path) -> Iterator[Case]:
    """Every cell of a photo; none where it cannot be read."""
    truths = load_photo_truth(truth_path(photo)).sheets
    try:
        readings: tuple[SheetReading, ...] = scan_photo(photo)
    except ScanError:
        return
    for truth, reading in matched(truths, readings):
        reasons = {cell.box.key: reason for cell, reason in reading.review}
        for cell in reading.cells:
            there = is_filled(truth_value(truth.sheet, cell.box))
            yield group_of(cell, reasons.get(cell.box.key)), stated(cell), there


def fitted(said: F64, there: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and offset of the logistic curve from stated to found probability.

    Platt, Probabilistic Outputs for Support Vector Machines (1999), with his softened targets: what was never seen
    to happen is not taken as impossible.

    Args:
        said: (N,), stated probabilities.
        there: bool (N,), what came true.
    """
    bounded = np.clip(said, _FLOOR, 1 - _FLOOR)
    inputs = np.stack([np.log(bounded / (1 - bounded)), np.ones(len(said))], axis=1)
    yes = int(there.sum())
    wanted = np.where(there, (yes + 1) / (yes + 2), 1 / (len(there) - yes + 2))
    curve = np.array([1.0, 0.0])
    for _ in range(_STEPS):
        found = 1 / (1 + np.exp(-inputs @ curve))
        slope = inputs.T @ (found - wanted)
        bend = (inputs * (found * (1 - found))[:, None]).T @ inputs + _FLOOR * np.eye(2)
        step, size = np.linalg.solve(bend, slope), 1.0
        while size > _FLOOR and _loss(inputs @ (curve - size * step), wanted) > _loss(inputs @ curve, wanted):
            size /= 2
        curve = curve - size * step
    return float(curve[0]), float(curve[1])


def _loss(logits: F64, wanted: F64) -> float:
    """Cross entropy."""
    return float((np.logaddexp(0, logits) - wanted * logits).sum())


if __name__ == "__main__":
    main()

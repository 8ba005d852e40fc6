"""Training cells as the scan itself sees them: sheets by training hands, photographed, found, flattened and cut.

The composed cells of `training.cells` are more various; these have exactly the errors of the real pipeline: its blur,
its misplacement, what its rectification does to noise and JPEG blocks.
"""

from __future__ import annotations

import numpy as np

from layouts import COLUMNS, EXPEDITIONS, SPACES, SheetLayout, load_layout
from scanner import ScanError
from scanner.align import align
from scanner.locate import find_sheets
from scanner.photo import load_photo
from scanner.stopwatch import Stopwatch
from scanner.types import Cells, Photo
from scoring import Expedition, Sheet, Track
from synth.hands import hand_for
from synth.kinds import draw, draw_kind
from synth.writing import render
from training.cells import SCRAWL, UNSURE
from training.scribe import HANDS
from training.shard import Shard

SIZE_WH = (2016, 1512)
"""Photos at half of a phone's size: the scan decodes 12 megapixels to just that."""

_FILLED, _BLOTS = 0.8, 0.03
"""Shares of number spaces with ink, and of those with ink that is no number: many cells a photo, not a likely game."""

_HARD = 0.25
"""Share of hard photos."""

_KEPT_EMPTY = 0.5
"""Share of the empty cells that is kept: they are easy and many."""


def photographed(seed: int, number: int) -> Shard | None:
    """The cells of one synthetic photo by a training hand, or None where the scan refuses it.

    Number cells have their label; of marks only the empty ones have, for a sheet does not tell a tick from a stroke.
    """
    rng = np.random.default_rng([seed, number])
    layout = load_layout()
    kind = draw_kind("hard" if rng.random() < _HARD else "normal", rng)
    recipe = draw(kind, rng)
    sheets = [_random_sheet(rng) for _ in recipe.scene.lies]
    hands = [hand_for("train", int(rng.integers(*HANDS["train"]))) for _ in sheets]
    made = render(sheets, hands, recipe, layout, rng, SIZE_WH, {"kind": kind, "seed": seed})
    if len(sheets) > 1:
        return None
    try:
        photo = load_photo(made.jpeg)
        cells = _cut(photo, layout)
    except ScanError:
        return None
    return _labelled(cells, sheets[0], rng)


def _cut(photo: Photo, layout: SheetLayout) -> Cells:
    search = find_sheets(photo, layout)
    photo, outline = search.photo, search.outlines[0]
    return align(photo, outline, layout, Stopwatch()).cells


def _random_sheet(rng: np.random.Generator) -> Sheet:
    columns: dict[str, Expedition | Track] = {}
    for column in COLUMNS:
        bridge = bool(rng.random() < 0.3)
        if column in EXPEDITIONS:
            numbers = [_random_number(rng) for _ in range(SPACES)]
            columns[column] = Expedition.of(numbers, bool(rng.random() < 0.3), bridge)
        else:
            columns[column] = Track.of([bool(rng.random() < 0.5) for _ in range(SPACES)], bridge)
    return Sheet.of(columns)


def _random_number(rng: np.random.Generator) -> int | str | None:
    if rng.random() >= _FILLED:
        return None
    return "?" if rng.random() < _BLOTS else int(rng.integers(1, 11))


def _labelled(cells: Cells, sheet: Sheet, rng: np.random.Generator) -> Shard:
    numbers, marks, kept = [], [], []
    for index, box in enumerate(cells.boxes):
        number, mark = UNSURE, UNSURE
        column = sheet[str(box.column)]
        if box.kind == "number" and isinstance(column, Expedition):
            value = column.numbers[int(box.space or 0) - 1]
            number = SCRAWL if value == "?" else int(value or 0)
            mark = 0 if value is None else UNSURE
        elif box.kind == "mark" and isinstance(column, Track):
            mark = UNSURE if column.marks[int(box.space or 0) - 1] else 0
        elif box.kind == "double" and isinstance(column, Expedition):
            mark = UNSURE if column.double else 0
        elif box.kind == "bridge":
            mark = UNSURE if column.bridge else 0
        empty = number in (0, UNSURE)
        useless = number == UNSURE and mark == UNSURE
        if not useless and (not empty or rng.random() < _KEPT_EMPTY):
            numbers.append(number)
            marks.append(mark)
            kept.append(index)
    index = np.array(kept)
    return Shard(
        np.array(cells.images[index]),
        np.array(cells.blanks[index]),
        np.ones(len(index), np.bool_),
        np.array(numbers, np.int64),
        np.array(marks, np.int64),
    )

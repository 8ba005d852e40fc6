"""Sheets that come close to ours without being it: coloured columns of nine, square codes in the corners, even our own.

Nothing here may be readable as our sheet by a person: other colours, signs, spacing and content.
"""

from __future__ import annotations

import cv2
import numpy as np

from layouts import Fiducial, load_layout
from synth.foreign.board import BLACK, GREY, WHITE, Board, Colour, tinted
from synth.press import words

_COLOURS: tuple[Colour, ...] = (
    (190.0, 150.0, 40.0), (130.0, 60.0, 150.0), (60.0, 150.0, 60.0), (50.0, 200.0, 235.0), (40.0, 110.0, 230.0),
    (160.0, 80.0, 50.0), (60.0, 50.0, 190.0), (90.0, 100.0, 110.0), (150.0, 170.0, 110.0), (110.0, 120.0, 220.0),
)  # fmt: skip
_CODES = cv2.aruco.DICT_4X4_50
_OTHER_CODES = cv2.aruco.DICT_5X5_100


def columns(board: Board) -> None:
    """Eight columns of nine coloured boxes, evenly spaced, with decoys of one sort or another in the corners."""
    _grid(board, 8, 9)
    _corners(board, str(board.rng.choice(["none", "squares", "other ids", "other codes"])))


def wide_columns(board: Board) -> None:
    """Another number of columns and rows, lying on its side or upright."""
    rng = board.rng
    _grid(board, int(rng.choice([5, 6, 7, 9, 10])), int(rng.choice([7, 8, 10, 11, 12])))
    _corners(board, str(rng.choice(["squares", "other ids", "other codes"])))


def same_tags(board: Board) -> None:
    """Our own corner tags, in their places, around something else: a grid, a page of text or a drawing."""
    rng, (w, h) = board.rng, board.page_mm
    content = str(rng.choice(["grid", "columns", "text", "circles"]))
    if content == "grid":
        for k in range(16):
            board.line((18, 30 + k * (h - 60) / 15), (w - 18, 30 + k * (h - 60) / 15), GREY)
            board.line((18 + k * (w - 36) / 15, 30), (18 + k * (w - 36) / 15, h - 30), GREY)
    elif content == "columns":
        _grid(board, int(rng.choice([4, 5, 6, 10])), int(rng.choice([5, 6, 12, 14])))
    elif content == "text":
        for k in range(int((h - 50) / 6)):
            board.text((18, 28 + 6 * k), words(rng, 7)[: int(w / 2.9)], 2.3)
    else:
        for _ in range(30):
            x, y = rng.uniform([24, 30], [w - 24, h - 30])
            board.circle((float(x), float(y)), float(rng.uniform(3, 10)), None, _COLOURS[int(rng.integers(10))], 0.8)
    for _ in range(int(rng.integers(4, 20))):
        x, y = rng.uniform([24, 34], [w - 24, h - 34])
        board.write((float(x), float(y)), str(int(rng.integers(1, 100))), 7, 14)
    for tag in load_layout().fiducials:
        _our_tag(board, tag)


def _our_tag(board: Board, tag: Fiducial) -> None:
    board.rect((tag.x_mm - 2, tag.y_mm - 2, tag.size_mm + 4, tag.size_mm + 4), WHITE)
    board.tag((tag.x_mm, tag.y_mm), tag.size_mm, tag.id, _CODES)


def _grid(board: Board, across: int, down: int) -> None:
    """Coloured columns with a sign on top of each and numbers by hand in some boxes."""
    rng, (w, h) = board.rng, board.page_mm
    left, top = 18.0, float(rng.uniform(34, 44))
    wide, tall = (w - 2 * left) / across, (h - top - 30) / down
    order = rng.permutation(len(_COLOURS))
    board.text((w / 2, 24), words(rng, 2).upper(), 5, centred=True, bold=1.5)
    framed, round_mm = bool(rng.random() < 0.5), float(rng.choice([0.0, 1.5, 3.0]))
    for k in range(across):
        colour = _COLOURS[int(order[k % len(order)])]
        x = left + k * wide
        board.rect((x + 0.8, top - 8, wide - 1.6, 7), colour, None, 0, round_mm)
        _sign(board, (x + wide / 2, top - 4.5), 2.2, int(order[k % len(order)]))
        for row in range(down):
            box = (x + 1, top + row * tall + 0.6, wide - 2, tall - 1.2)
            board.rect(box, None if framed else tinted(colour, 0.8), colour, 0.5, min(round_mm, tall / 4))
            if rng.random() < 0.4:
                centre = (x + wide / 2, top + (row + 0.5) * tall)
                board.write(centre, str(int(rng.integers(1, 11))), min(8.0, tall * 0.62), wide * 0.7)
        board.rect((x + 1, h - 26, wide - 2, 8), None, BLACK, 0.3)


def _sign(board: Board, centre: tuple[float, float], size: float, which: int) -> None:
    """One of a few plain shapes in white."""
    corners = (3, 4, 5, 6, 8, 40)[which % 6]
    around = np.linspace(0, 2 * np.pi, corners, endpoint=False) - np.pi / 2
    board.polygon(np.array(centre) + size * np.column_stack([np.cos(around), np.sin(around)]), WHITE)


def _corners(board: Board, decoy: str) -> None:
    w, h = board.page_mm
    size = 8.0
    numbers = board.rng.permutation(np.arange(10, 50))[:4]
    for k, (x, y) in enumerate(((5.0, 5.0), (w - 5 - size, 5.0), (w - 5 - size, h - 5 - size), (5.0, h - 5 - size))):
        if decoy == "squares":
            board.rect((x, y, size, size), BLACK)
            board.rect((x + 2, y + 2, size - 4, size - 4), WHITE)
        elif decoy != "none":
            board.tag((x, y), size, int(numbers[k]), _CODES if decoy == "other ids" else _OTHER_CODES)

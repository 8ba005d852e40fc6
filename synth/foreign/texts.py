"""Pages of text: an article, a letter, a page of a book, handwritten notes, a receipt."""

from __future__ import annotations

import cv2

from synth.foreign.board import BLACK, GREY, PX_PER_MM, Board
from synth.press import picture_block, set_column, word, words

_SERIF = cv2.FONT_HERSHEY_COMPLEX
_BLUE = (190.0, 160.0, 120.0)


def _column(board: Board, box_mm: tuple[float, float, float, float], height_mm: float, serif: bool) -> None:
    left, top, right, bottom = (v * PX_PER_MM for v in box_mm)
    font = _SERIF if serif else cv2.FONT_HERSHEY_SIMPLEX
    set_column(board.image, (left, top, right, bottom), height_mm * PX_PER_MM, board.rng, BLACK, font)


def article(board: Board) -> None:
    """Two or three columns under a headline, with pictures."""
    rng, (w, h) = board.rng, board.page_mm
    columns = int(rng.integers(2, 4))
    board.text((14, 24), words(rng, 4), 6.5, bold=1.4)
    board.text((14, 32), words(rng, 8), 2.6, GREY)
    wide = (w - 28 - 5 * (columns - 1)) / columns
    for k in range(columns):
        left, top = 14 + k * (wide + 5), 40.0
        if rng.random() < 0.5:
            tall = float(rng.uniform(30, 55))
            box = tuple(v * PX_PER_MM for v in (left, top, left + wide, top + tall))
            picture_block(board.image, (box[0], box[1], box[2], box[3]), rng)
            top += tall + 4
        _column(board, (left, top, left + wide, h - 16), 1.9, serif=True)


def letter(board: Board) -> None:
    """An address, a date, paragraphs, a signature by hand."""
    rng, (w, h) = board.rng, board.page_mm
    for k in range(4):
        board.text((20, 28 + 6 * k), words(rng, 2), 2.4)
    board.text((w - 60, 58), f"{int(rng.integers(1, 29))}. {word(rng)} {int(rng.integers(1990, 2026))}", 2.4)
    board.text((20, 76), words(rng, 4), 2.8, bold=1.5)
    _column(board, (20, 84, w - 20, h - 60), 2.4, serif=bool(rng.random() < 0.5))
    board.write((50, h - 40), "Freya", 9, 60)


def book(board: Board) -> None:
    """One column from edge to edge, a number at its foot."""
    w, h = board.page_mm
    _column(board, (16, 18, w - 14, h - 22), 2.0, serif=True)
    board.text((w / 2, h - 12), str(int(board.rng.integers(2, 480))), 2.2, centred=True)


def notes(board: Board) -> None:
    """Lined paper with handwritten names and numbers."""
    rng, (w, h) = board.rng, board.page_mm
    pitch = float(rng.uniform(7, 9.5))
    squared = rng.random() < 0.5
    y = 22.0
    while y < h - 8:
        board.line((0, y), (w, y), _BLUE, 0.18)
        y += pitch if not squared else 5.0
    if squared:
        for k in range(int(w / 5)):
            board.line((5 * k, 0), (5 * k, h), _BLUE, 0.18)
    else:
        board.line((22, 0), (22, h), (120, 120, 220), 0.25)
    names = ("Ana", "Ben", "Chloe", "Dev", "Emil", "Freya")
    for row in range(int(rng.integers(6, int((h - 40) / pitch)))):
        at = 22 + pitch * (row + 0.55)
        board.write((42, at), names[int(rng.integers(len(names)))], pitch * 0.62, 34)
        for k in range(int(rng.integers(0, 5))):
            board.write((78 + 18 * k, at), str(int(rng.integers(0, 300))), pitch * 0.6, 15)


def receipt(board: Board) -> None:
    """Items and prices on a narrow strip."""
    rng, (w, h) = board.rng, board.page_mm
    board.text((w / 2, 14), words(rng, 2), 4, centred=True, bold=1.4)
    for k in range(3):
        board.text((w / 2, 24 + 5 * k), words(rng, 3), 2.2, centred=True)
    y = 46.0
    while y < h - 40:
        board.text((5, y), f"{int(rng.integers(1, 5))} x {words(rng, 2)}"[:24], 2.3)
        board.text((w - 17, y), f"{rng.uniform(0.5, 40):.2f}", 2.3)
        y += 5.2
    board.line((5, y), (w - 5, y))
    board.text((5, y + 8), "Total", 3.4, bold=1.6)
    board.text((w - 22, y + 8), f"{rng.uniform(20, 200):.2f}", 3.4, bold=1.6)

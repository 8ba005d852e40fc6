"""Tables and forms: spreadsheet, form with boxes, sudoku, crossword, calendar, answer sheet, timetable."""

from __future__ import annotations

import numpy as np

from synth.foreign.board import BLACK, GREY, WHITE, Board, Colour, tinted
from synth.press import word, words

_HEADS: tuple[Colour, ...] = ((150, 90, 40), (70, 130, 60), (60, 60, 170), (110, 110, 110), (40, 140, 210))


def _head(board: Board) -> Colour:
    return _HEADS[int(board.rng.integers(len(_HEADS)))]


def spreadsheet(board: Board) -> None:
    """Rows and columns of printed numbers, every other row tinted."""
    rng, (w, h) = board.rng, board.page_mm
    columns, pitch = int(rng.integers(5, 11)), float(rng.uniform(5.5, 8))
    colour, wide = _head(board), (w - 24) / columns
    rows = int((h - 44) / pitch)
    board.text((12, 20), words(rng, 3), 4, bold=1.4)
    for row in range(rows):
        y = 28 + row * pitch
        fill = colour if row == 0 else tinted(colour, 0.85) if row % 2 else WHITE
        board.rect((12, y, w - 24, pitch), fill)
        for k in range(columns):
            board.rect((12 + k * wide, y, wide, pitch), None, GREY, 0.15)
            text = word(rng) if row == 0 or k == 0 else f"{rng.uniform(0, 999):.1f}"
            board.text((13 + k * wide, y + pitch * 0.7), text[: int(wide / 2)], 2.1, WHITE if row == 0 else BLACK)


def form(board: Board) -> None:
    """Labelled fields, rows of boxes for letters, boxes to tick, partly filled in."""
    rng, (w, h) = board.rng, board.page_mm
    colour = _head(board)
    board.rect((10, 10, w - 20, 14), colour)
    board.text((14, 20), words(rng, 3), 5, WHITE, bold=1.4)
    y = 34.0
    while y < h - 22:
        board.text((12, y), words(rng, 2), 2.2)
        style = rng.random()
        if style < 0.4:
            board.rect((12, y + 2, w - 24, 8), None, BLACK, 0.25)
            if rng.random() < 0.6:
                board.write((12 + w * 0.25, y + 6), str(int(rng.integers(1, 10**6))), 5, 60)
        elif style < 0.7:
            for k in range(int((w - 24) / 7)):
                board.rect((12 + 7 * k, y + 2, 6.4, 8), None, BLACK, 0.25)
                if rng.random() < 0.6:
                    board.write((15.2 + 7 * k, y + 6), str(int(rng.integers(10))), 5, 5.5)
        else:
            for k in range(4):
                x = 12 + k * (w - 24) / 4
                board.rect((x, y + 3, 5, 5), None, BLACK, 0.3)
                board.text((x + 7, y + 7), word(rng), 2.2)
                if rng.random() < 0.4:
                    board.mark((x + 2.5, y + 5.5), 6)
        y += 17


def sudoku(board: Board) -> None:
    """Nine by nine, partly printed, partly filled by hand."""
    rng, (w, h) = board.rng, board.page_mm
    side = min(w, h) - 24
    left, top, cell = (w - side) / 2, (h - side) / 2, side / 9
    board.text((w / 2, top - 8), words(rng, 2), 4, centred=True, bold=1.4)
    for k in range(10):
        thick = 0.9 if k % 3 == 0 else 0.3
        board.line((left, top + k * cell), (left + side, top + k * cell), BLACK, thick)
        board.line((left + k * cell, top), (left + k * cell, top + side), BLACK, thick)
    for row in range(9):
        for column in range(9):
            at = (left + (column + 0.5) * cell, top + (row + 0.5) * cell)
            luck, digit = rng.random(), str(int(rng.integers(1, 10)))
            if luck < 0.35:
                board.text(at, digit, cell * 0.5, centred=True)
            elif luck < 0.8:
                board.write(at, digit, cell * 0.62, cell * 0.7)


def crossword(board: Board) -> None:
    """Black and white squares, numbers in the corners, some letters by hand, questions below."""
    rng, (w, h) = board.rng, board.page_mm
    count = int(rng.integers(9, 15))
    cell = min((w - 24) / count, (h * 0.62) / count)
    letters = "ABCDEFGHIKLMNOPRSTUVW"
    number = 0
    for row in range(count):
        for column in range(count):
            x, y = 12 + column * cell, 16 + row * cell
            black = rng.random() < 0.2
            board.rect((x, y, cell, cell), BLACK if black else WHITE, BLACK, 0.25)
            if not black and rng.random() < 0.3:
                number += 1
                board.text((x + 0.6, y + cell * 0.3), str(number), cell * 0.2)
            if not black and rng.random() < 0.5:
                board.write((x + cell / 2, y + cell * 0.55), letters[int(rng.integers(20))], cell * 0.6, cell * 0.7)
    for k in range(int((h - 24 - count * cell) / 5)):
        board.text((12, 24 + count * cell + 5 * k), f"{k + 1}. {words(rng, 8)}"[: int(w / 2.2)], 2.0)


def calendar(board: Board) -> None:
    """A month: seven columns, five or six rows, notes by hand."""
    rng, (w, h) = board.rng, board.page_mm
    colour = _head(board)
    wide, tall = (w - 20) / 7, (h - 46) / 6
    board.text((12, 22), words(rng, 1), 7, colour, bold=1.4)
    first = int(rng.integers(0, 7))
    for k in range(7):
        board.rect((10 + k * wide, 30, wide, 7), colour)
        board.text((10 + (k + 0.5) * wide, 33.5), word(rng)[:2].capitalize(), 2.6, WHITE, centred=True)
    for k in range(42):
        x, y = 10 + (k % 7) * wide, 37 + (k // 7) * tall
        board.rect((x, y, wide, tall), tinted(colour, 0.88) if k % 7 > 4 else None, GREY, 0.2)
        if first <= k < first + 30:
            board.text((x + 1.5, y + 5), str(k - first + 1), 3)
            if rng.random() < 0.25:
                board.write((x + wide / 2, y + tall * 0.65), str(int(rng.integers(7, 22))), 4.5, wide * 0.8)


def answers(board: Board) -> None:
    """A test's answer sheet: rows of circles, some filled, black squares in the corners."""
    rng, (w, h) = board.rng, board.page_mm
    for x in (7.0, w - 13):
        for y in (7.0, h - 13):
            board.rect((x, y, 6, 6), BLACK)
    board.text((w / 2, 18), words(rng, 3), 4, centred=True)
    blocks, pitch = int(rng.integers(2, 5)), float(rng.uniform(6, 8))
    for block in range(blocks):
        for row in range(int((h - 50) / pitch)):
            x, y = 18 + block * (w - 30) / blocks, 32 + row * pitch
            board.text((x - 6, y + 1), str(row + 1), 2.0)
            chosen = int(rng.integers(-1, 5))
            for k in range(5):
                board.circle((x + 4 + k * 5.2, y), 1.9, None, BLACK, 0.25)
                if k == chosen:
                    board.mark((x + 4 + k * 5.2, y), 4.0, "filled")


def plan(board: Board) -> None:
    """A table of eight or so tall columns with coloured heads and boxes to write in: a rota, a timetable."""
    rng, (w, h) = board.rng, board.page_mm
    columns, rows = int(rng.integers(5, 10)), int(rng.integers(7, 13))
    wide, tall = (w - 24) / columns, (h - 60) / rows
    board.text((12, 22), words(rng, 3), 5, bold=1.4)
    for k in range(columns):
        colour: Colour = tuple(float(v) for v in rng.uniform(40, 200, 3))  # type: ignore[assignment]
        board.rect((12 + k * wide, 30, wide, 9), colour, BLACK, 0.3)
        board.text((12 + (k + 0.5) * wide, 34.5), word(rng)[:4], 2.6, WHITE, centred=True)
        for row in range(rows):
            board.rect((12 + k * wide, 39 + row * tall, wide, tall), None, BLACK, 0.3)
            if rng.random() < 0.35:
                at = (12 + (k + 0.5) * wide, 39 + (row + 0.5) * tall)
                board.write(at, str(int(rng.integers(1, 13))), min(7.0, tall * 0.6), wide * 0.8)
    board.line((12, h - 14), (w - 12, h - 14), GREY, float(np.clip(rng.normal(0.3, 0.1), 0.1, 0.6)))

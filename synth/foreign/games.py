"""Score sheets of other games, each of a design of its own, filled in by hand."""

from __future__ import annotations

import numpy as np

from synth.foreign.board import BLACK, GREY, WHITE, Board, Colour, tinted
from synth.press import word, words

_RED: Colour = (50.0, 50.0, 200.0)
_YELLOW: Colour = (50.0, 195.0, 235.0)
_GREEN: Colour = (80.0, 160.0, 60.0)
_BLUE: Colour = (190.0, 110.0, 40.0)


def _number(board: Board, low: int, high: int) -> str:
    return str(int(board.rng.integers(low, high + 1)))


def colour_rows(board: Board) -> None:
    """Four coloured rows of numbers to cross off, and a strip for points below."""
    rng, (w, h) = board.rng, board.page_mm
    wide = (w - 30) / 12
    board.text((12, 15), words(rng, 2), 5, bold=1.6)
    tall = (h - 60) / 4
    for row, colour in enumerate((_RED, _YELLOW, _GREEN, _BLUE)):
        y = 22 + row * tall
        board.rect((8, y, w - 16, tall * 0.88), colour, None, round_mm=4)
        crossed = int(rng.integers(0, 8))
        for k in range(12):
            x = 11 + k * (wide + 0.6)
            box = (x, y + tall * 0.14, wide, tall * 0.6)
            board.rect(box, tinted(colour, 0.8), None, round_mm=1.5)
            text = "#" if k == 11 else str(k + 2 if row < 2 else 12 - k)
            centre = (x + wide / 2, y + tall * 0.44)
            board.text(centre, text, min(5.0, wide * 0.5), colour, centred=True, bold=1.5)
            if k < 11 and rng.random() < crossed / 12:
                board.mark(centre, wide * 0.9)
    for k, colour in enumerate((_RED, _YELLOW, _GREEN, _BLUE, GREY)):
        x = 12 + k * (w - 24) / 5
        board.rect((x, h - 28, (w - 24) / 5 - 6, 14), None, colour, 0.7, 2)
        board.write((x + (w - 24) / 10 - 3, h - 21), _number(board, 0, 78), 8, 20)


def categories(board: Board) -> None:
    """Five dice, thirteen categories: a table of names, rules and columns of scores."""
    rng, (w, h) = board.rng, board.page_mm
    columns = int(rng.integers(4, 8))
    left, top = 0.36 * w, 30.0
    wide, tall = (w - 10 - left) / columns, (h - 44) / 18
    board.text((w / 2, 16), words(rng, 2).upper(), 5.5, centred=True, bold=1.6)
    for row in range(18):
        y = top + row * tall
        sums = row in (6, 7, 8, 16, 17)
        board.rect((8, y, left - 8, tall), (225.0, 225.0, 225.0) if sums else None, BLACK, 0.3)
        board.text((10, y + tall * 0.65), words(rng, 2)[:18], min(2.8, tall * 0.4))
        for k in range(columns):
            board.rect((left + k * wide, y, wide, tall), (225.0, 225.0, 225.0) if sums else None, BLACK, 0.3)
            if rng.random() < 0.7 - 0.12 * k:
                centre = (left + (k + 0.5) * wide, y + tall / 2)
                board.write(centre, _number(board, 0, 50), tall * 0.62, wide * 0.8)
    board.rect((8, top, w - 18, 18 * tall), None, BLACK, 0.8)


def bowling(board: Board) -> None:
    """Ten frames for each player, the last with three throws."""
    rng, (w, h) = board.rng, board.page_mm
    players = int(rng.integers(3, 7))
    tall, left = min(30.0, (h - 36) / players), 0.16 * w
    wide = (w - 14 - left) / 10.6
    board.text((10, 16), words(rng, 2), 5, bold=1.5)
    for row in range(players):
        y = 24 + row * tall
        board.rect((6, y, left - 6, tall), None, BLACK, 0.4)
        board.write((6 + (left - 6) / 2, y + tall / 2), ("Ana", "Ben", "Dev", "Emil", "Pia", "Tom")[row], 6, left - 9)
        for k in range(10):
            x, here = left + k * wide, wide * (1.6 if k == 9 else 1)
            board.rect((x, y, here, tall), None, BLACK, 0.4)
            for throw in range(3 if k == 9 else 2):
                box = (x + here - (throw + 1) * wide * 0.5, y, wide * 0.5, tall * 0.42)
                board.rect(box, None, BLACK, 0.25)
                board.write((box[0] + wide * 0.25, y + tall * 0.21), _number(board, 0, 9), tall * 0.28, wide * 0.4)
            if rng.random() < 0.8:
                board.write((x + here / 2, y + tall * 0.7), _number(board, 5, 200), tall * 0.34, here * 0.8)


def golf(board: Board) -> None:
    """Eighteen holes across or down, par and length printed, a row for each player."""
    rng, (w, h) = board.rng, board.page_mm
    holes, players = 18, int(rng.integers(2, 5))
    across = w > h
    long, short = (w - 30, h - 40) if across else (h - 40, w - 24)
    step, wide = long / (holes + 2), short / (players + 3)
    board.text((10, 15), words(rng, 3), 4.5, _GREEN, bold=1.5)
    for k in range(holes + 1):
        for line in range(players + 3):
            x, y = (24 + k * step, 24 + line * wide) if across else (12 + line * wide, 26 + k * step)
            size = (step, wide) if across else (wide, step)
            fill = _GREEN if line == 0 else tinted(_GREEN, 0.8) if line < 3 else None
            board.rect((x, y, *size), fill, BLACK, 0.25)
            centre = (x + size[0] / 2, y + size[1] / 2)
            if line < 3:
                text = (
                    ""
                    if k == 0
                    else str(k)
                    if line == 0
                    else _number(board, 3, 5)
                    if line == 1
                    else _number(board, 90, 480)
                )
                board.text(centre, text, min(3.0, min(size) * 0.4), WHITE if line == 0 else BLACK, centred=True)
            elif k and rng.random() < 0.85:
                board.write(centre, _number(board, 2, 9), min(size) * 0.6, min(size) * 0.7)


def bingo(board: Board) -> None:
    """Cards of five by five numbers, called ones marked."""
    rng, (w, h) = board.rng, board.page_mm
    cards = int(rng.choice([1, 2, 4]))
    per_row = 1 if cards == 1 else 2
    side = min((w - 16) / per_row, (h - 24) / -(-cards // per_row)) - 6
    for card in range(cards):
        left, top = 8 + (card % per_row) * (side + 6), 14 + (card // per_row) * (side * 1.15 + 6)
        colour = (_RED, _BLUE, _GREEN, _YELLOW)[int(rng.integers(4))]
        cell = side / 5
        board.rect((left, top, side, cell * 0.8), colour)
        for k, letter in enumerate("BINGO"):
            board.text((left + (k + 0.5) * cell, top + cell * 0.4), letter, cell * 0.45, WHITE, centred=True, bold=2)
        for row in range(5):
            for k in range(5):
                x, y = left + k * cell, top + cell * 0.8 + row * cell
                board.rect((x, y, cell, cell), None, colour, 0.5)
                centre = (x + cell / 2, y + cell / 2)
                free = row == k == 2
                board.text(centre, "*" if free else str(15 * k + int(rng.integers(1, 16))), cell * 0.34, centred=True)
                if free or rng.random() < 0.4:
                    board.mark(centre, cell * 0.8, "circle" if rng.random() < 0.5 else "cross")


def hexes(board: Board) -> None:
    """A map of six-sided fields in several colours, numbers written into some, tracks at the edge."""
    rng, (w, h) = board.rng, board.page_mm
    size = float(rng.uniform(7.5, 11))
    colours = (_RED, _YELLOW, _GREEN, _BLUE, (120.0, 60.0, 130.0), GREY)
    board.text((12, 14), words(rng, 2), 5, bold=1.5)
    around = np.radians(np.arange(0, 360, 60) + 30)
    shape = size * np.column_stack([np.cos(around), np.sin(around)])
    for row in range(int((h - 60) / (1.5 * size))):
        for k in range(int((w - 24) / (1.74 * size))):
            centre = np.array([14 + size + (k + 0.5 * (row % 2)) * 1.74 * size, 24 + size + row * 1.5 * size])
            if rng.random() < 0.12 or centre[0] > w - 8 - size:
                continue
            colour = colours[int(rng.integers(6))]
            board.polygon(centre + shape * 0.95, tinted(colour, 0.65), colour, 0.5)
            if rng.random() < 0.45:
                board.write((centre[0], centre[1]), _number(board, 1, 12), size * 0.9, size * 1.2)
    for k in range(12):
        board.circle((14 + k * (w - 28) / 11, h - 20), 4, None, BLACK, 0.4)
        if k < rng.integers(0, 12):
            board.mark((14 + k * (w - 28) / 11, h - 20), 6)


def ladders(board: Board) -> None:
    """Five ladders that narrow upwards, a summit on each, and a table of rounds."""
    rng, (w, h) = board.rng, board.page_mm
    colours = (_BLUE, _GREEN, _YELLOW, _RED, (120.0, 60.0, 130.0))
    wide, tall = (w - 30) / 5, (h - 70) / 12
    board.text((w / 2, 15), words(rng, 2), 5.5, centred=True, bold=1.5)
    for k, colour in enumerate(colours):
        steps = 12 - 2 * abs(k - 2)
        climbed = int(rng.integers(0, steps))
        for step in range(steps):
            narrow = wide * (0.86 - 0.035 * step)
            x, y = 15 + (k + 0.5) * wide - narrow / 2, h - 44 - (step + 1) * tall
            board.rect((x, y, narrow, tall * 0.86), tinted(colour, 0.35 + 0.04 * step), colour, 0.4, 1.2)
            if step < climbed:
                board.write((15 + (k + 0.5) * wide, y + tall * 0.43), _number(board, 1, 6), tall * 0.6, narrow * 0.8)
        top = h - 44 - steps * tall
        peak = np.array([[15 + k * wide + 6, top], [15 + (k + 1) * wide - 6, top], [15 + (k + 0.5) * wide, top - 9]])
        board.polygon(peak, colour)
    for k in range(10):
        board.rect((15 + k * (w - 30) / 10, h - 34, (w - 30) / 10, 16), None, BLACK, 0.3)
        board.text((16 + k * (w - 30) / 10, h - 30), f"{k + 1}", 2.2)
        if rng.random() < 0.6:
            board.write((15 + (k + 0.55) * (w - 30) / 10, h - 24), _number(board, 0, 40), 7, (w - 30) / 13)


def rounds(board: Board) -> None:
    """A plain pad: names on top, a line a round, sums below."""
    rng, (w, h) = board.rng, board.page_mm
    players, lines = int(rng.integers(3, 7)), int(rng.integers(9, 16))
    wide, tall = (w - 26) / players, (h - 52) / lines
    board.text((12, 14), word(rng).capitalize(), 5, bold=1.5)
    for k in range(players):
        board.rect((16 + k * wide, 20, wide, 12), (225.0, 230.0, 235.0), BLACK, 0.4)
        board.write((16 + (k + 0.5) * wide, 26), ("Ana", "Ben", "Dev", "Emil", "Pia", "Tom")[k], 6, wide * 0.8)
        for line in range(lines):
            board.rect((16 + k * wide, 32 + line * tall, wide, tall), None, GREY, 0.3)
            if line < lines * 0.8:
                centre = (16 + (k + 0.5) * wide, 32 + (line + 0.5) * tall)
                board.write(centre, _number(board, -20, 80), min(7, tall * 0.7), wide * 0.7)
        board.rect((16 + k * wide, 32 + lines * tall, wide, 12), None, BLACK, 0.8)

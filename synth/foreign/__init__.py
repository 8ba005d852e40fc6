"""Printed pages that are not our sheet: what a scan must refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from synth.foreign import forms, games, lookalikes, texts
from synth.foreign.board import Board, ImageU8
from synth.hands import Hand
from synth.ink import Pen

_A4, _A5, _A6 = (210.0, 297.0), (148.0, 210.0), (105.0, 148.0)
_SIZES = (_A4, _A5, (297.0, 210.0), (210.0, 148.0), _A6)


@dataclass(frozen=True, slots=True)
class Design:
    """One design of a page.

    Attributes:
        draw: prints and fills it.
        sizes_mm: the paper it comes on, any of these.
    """

    draw: Callable[[Board], None]
    sizes_mm: tuple[tuple[float, float], ...] = (_A4, _A5)


FAMILIES: dict[str, dict[str, Design]] = {
    "text": {
        "article": Design(texts.article),
        "letter": Design(texts.letter),
        "book": Design(texts.book),
        "notes": Design(texts.notes, (_A4, _A5, _A6)),
        "receipt": Design(texts.receipt, ((80.0, 200.0), (72.0, 160.0))),
    },
    "form": {
        "spreadsheet": Design(forms.spreadsheet, (_A4, _A5, (297.0, 210.0))),
        "form": Design(forms.form),
        "sudoku": Design(forms.sudoku, _SIZES),
        "crossword": Design(forms.crossword),
        "calendar": Design(forms.calendar, _SIZES),
        "answers": Design(forms.answers),
        "plan": Design(forms.plan, _SIZES),
    },
    "game": {
        "colour-rows": Design(games.colour_rows, ((210.0, 148.0), (180.0, 110.0))),
        "categories": Design(games.categories),
        "bowling": Design(games.bowling, ((297.0, 210.0), (210.0, 148.0))),
        "golf": Design(games.golf, ((240.0, 110.0), (110.0, 240.0), _A5)),
        "bingo": Design(games.bingo),
        "hexes": Design(games.hexes, _SIZES),
        "ladders": Design(games.ladders),
        "rounds": Design(games.rounds, (_A4, _A5, _A6)),
        "columns": Design(lookalikes.columns, (_A5,)),
        "wide-columns": Design(lookalikes.wide_columns, (_A4, _A5, (210.0, 148.0))),
        "same-tags": Design(lookalikes.same_tags, (_A5,)),
    },
}


def draw_size(family: str, design: str, rng: np.random.Generator) -> tuple[float, float]:
    """Width and height in millimetres of the paper that such a page comes on."""
    sizes = FAMILIES[family][design].sizes_mm
    return sizes[int(rng.integers(len(sizes)))]


def draw_page(
    family: str, design: str, page_mm: tuple[float, float], hand: Hand, pen: Pen, rng: np.random.Generator
) -> ImageU8:
    """Prints a page of that design and fills it in, uint8 (H, W, 3), BGR.

    Args:
        family: a key of `FAMILIES`.
        design: a key of that family.
        page_mm: its size.
        hand: who fills it in.
        pen: with what.
        rng: source of chance.
    """
    board = Board.blank(page_mm, hand, pen, rng)
    FAMILIES[family][design].draw(board)
    return board.image

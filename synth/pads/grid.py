"""Where a pad's cells are: eight columns of nine spaces and what stands above, between and below them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from layouts import COLUMNS, EXPEDITIONS, SPACES, CellBox, SheetLayout

# What the spaces are worth when a column ends there, bottom to top, for the scales that pads print beside them.
EXPEDITION_VALUES = (-20, -15, -10, 5, 10, 15, 30, 35, 50)
TRACK_VALUES = (-40, -30, -20, 10, 20, 30, 60, 70, 100)
_MARKS = {"a": "arrow", "v": "artifact"}


@dataclass(frozen=True, slots=True)
class Grid:
    """The plan of a pad's spaces, in millimetres.

    Attributes:
        order: the columns from left to right.
        left_mm: left edge of the first column's spaces.
        top_mm: top edge of the topmost spaces.
        pitch_mm: from one column, and from one space, to the next.
        size_mm: width and height of a space.
        bridge_mm: extra distance between spaces 6 and 7, where the bridge is.
        gaps_mm: extra distance before a column, by its place in `order`.
    """

    order: Sequence[str]
    left_mm: float
    top_mm: float
    pitch_mm: tuple[float, float]
    size_mm: tuple[float, float]
    bridge_mm: float
    gaps_mm: Mapping[int, float]

    def x(self, column: str) -> float:
        """The left edge of a column's spaces."""
        at = self.order.index(column)
        return self.left_mm + at * self.pitch_mm[0] + sum(gap for k, gap in self.gaps_mm.items() if k <= at)

    def y(self, space: int) -> float:
        """The top edge of a space."""
        return self.top_mm + (SPACES - space) * self.pitch_mm[1] + (self.bridge_mm if space <= 6 else 0.0)

    @property
    def bridge_y_mm(self) -> float:
        """The height of the middle between spaces 6 and 7."""
        return (self.y(7) + self.size_mm[1] + self.y(6)) / 2

    @property
    def right_mm(self) -> float:
        """The right edge of the last column's spaces."""
        return self.x(self.order[-1]) + self.size_mm[0]

    @property
    def bottom_mm(self) -> float:
        """The bottom edge of the lowest spaces."""
        return self.y(1) + self.size_mm[1]

    def row(self, kind: str, columns: Sequence[str], middle_mm: float, size_mm: tuple[float, float]) -> list[CellBox]:
        """A cell of that kind in each of the columns, centred on them, with its middle at that height."""
        w, h = size_mm
        shift, top = (self.size_mm[0] - w) / 2, round(middle_mm - h / 2, 3)
        return [CellBox(column, None, kind, round(self.x(column) + shift, 3), top, w, h) for column in columns]

    def spaces(self, specials: Mapping[str, str]) -> list[CellBox]:
        """All numbers and marks; specials as in `{"red": "2v 4a"}`: an artifact in space 2, an arrow in space 4."""
        w, h = self.size_mm
        cells = []
        for column in COLUMNS:
            special = {int(word[0]): _MARKS[word[1]] for word in specials.get(column, "").split()}
            kind, x = "number" if column in EXPEDITIONS else "mark", round(self.x(column), 3)
            for space in range(1, SPACES + 1):
                cells.append(CellBox(column, space, kind, x, round(self.y(space), 3), w, h, special.get(space)))
        return cells


def cells_of(layout: SheetLayout, *kinds: str) -> list[CellBox]:
    """The layout's cells of these kinds."""
    return [cell for cell in layout.cells if cell.kind in kinds]

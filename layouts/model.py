"""What a sheet looks like, as data: every printed cell in millimetres, its fiducials and its colours.

The printer draws from a `SheetLayout` and the scanner reads by it, so another edition of the sheet is
another file and no code. Frame: origin at the top left of the page, x right, y down, millimetres.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

EXPEDITIONS = ("red", "orange", "yellow", "green", "blue", "purple")
COLUMNS = (*EXPEDITIONS, "artifacts", "dice")
SPACES = 9
KINDS = ("number", "mark", "double", "bridge", "player", "written")
READ_KINDS = ("number", "mark", "double", "bridge")
SPECIALS = ("arrow", "artifact")


_NO_SPECIALS = (
    "nobody has said where this pad has its arrows and artifact boxes, so artifacts are not checked, and the number of "
    "turns only roughly; rollwrite calibrate takes them"
)


class LayoutError(ValueError):
    """A layout file that cannot be used; the message names the place and what was expected."""


@dataclass(frozen=True, slots=True)
class CellBox:
    """One printed cell of the sheet.

    Attributes:
        column: a name of `COLUMNS`; for written totals also `bridges` or `total`; None for the player's name.
        space: 1 (bottom) to 9 (top) for numbers and marks, else None.
        kind: one of `KINDS`.
        x_mm: left edge.
        y_mm: top edge.
        w_mm: width.
        h_mm: height.
        special: `arrow`, `artifact` or None.
    """

    column: str | None
    space: int | None
    kind: str
    x_mm: float
    y_mm: float
    w_mm: float
    h_mm: float
    special: str | None = None

    @property
    def key(self) -> str:
        """A short unique name: `red/3` for a space, `red/double`, `red/bridge`, `total/written`, `player`."""
        if self.kind == "player":
            return "player"
        return f"{self.column}/{self.space if self.space is not None else self.kind}"

    @property
    def corners_mm(self) -> tuple[tuple[float, float], ...]:
        """The four corners, clockwise from top left."""
        x0, y0, x1, y1 = self.x_mm, self.y_mm, self.x_mm + self.w_mm, self.y_mm + self.h_mm
        return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


@dataclass(frozen=True, slots=True)
class Fiducial:
    """A printed ArUco tag: its black square (border included, quiet zone not), not turned."""

    dictionary: str
    id: int
    x_mm: float
    y_mm: float
    size_mm: float

    @property
    def corners_mm(self) -> tuple[tuple[float, float], ...]:
        """The four corners, clockwise from the tag's own top left."""
        x0, y0, x1, y1 = self.x_mm, self.y_mm, self.x_mm + self.size_mm, self.y_mm + self.size_mm
        return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


@dataclass(frozen=True, slots=True, eq=False)
class SheetLayout:
    """A whole sheet. Two are the same only if they are one object, so that what is made for one can be cached.

    Attributes:
        name: how the command line calls it.
        title: one line for people.
        page_mm: width and height of the page.
        cells: every cell, in the order of the file.
        fiducials: corner tags, possibly none.
        bridge_marks: `tick` (any mark claims the bridge) or `circle` (circled or filled claims it, struck
            out means lost).
        colours: per column, `#rrggbb`.
        symbols: per column, the name of its symbol.
        art: what only the printer needs, as in the file.
        picture: path of the blank sheet's PNG for a layout from a file of the user's; None for our own.
        embedded: the picture itself, PNG or JPEG, where the layout's file holds it.
        notes: what a person should know of it.
        specials_known: whether arrows and artifact boxes are marked; if not, what needs them is not checked.
    """

    name: str
    title: str
    page_mm: tuple[float, float]
    cells: tuple[CellBox, ...]
    fiducials: tuple[Fiducial, ...]
    bridge_marks: str
    colours: Mapping[str, str]
    symbols: Mapping[str, str]
    art: Mapping[str, Any] = field(default_factory=dict)
    picture: str | None = None
    embedded: bytes | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    specials_known: bool = True

    @property
    def read_cells(self) -> tuple[CellBox, ...]:
        """The cells that a scan reads: numbers, marks, double circles and bridge boxes."""
        return tuple(cell for cell in self.cells if cell.kind in READ_KINDS)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to say with every sheet read by it: its notes, and what is not checked."""
        return self.notes if self.specials_known else (*self.notes, _NO_SPECIALS)

    @property
    def known_specials(self) -> dict[str, dict[int, str]] | None:
        """The same as `specials`; None where nobody has said where they are."""
        return self.specials if self.specials_known else None

    @property
    def specials(self) -> dict[str, dict[int, str]]:
        """Arrows and artifact boxes as `{column: {space: special}}`, columns without any left out."""
        found: dict[str, dict[int, str]] = {}
        for cell in self.cells:
            if cell.special and cell.column and cell.space:
                found.setdefault(cell.column, {})[cell.space] = cell.special
        return found

    def cell(self, key: str) -> CellBox:
        """The cell of that `CellBox.key`.

        Raises:
            KeyError: no such cell.
        """
        for cell in self.cells:
            if cell.key == key:
                return cell
        raise KeyError(key)


def common_specials(layouts: Iterable[SheetLayout]) -> dict[str, dict[int, str]] | None:
    """Arrows and artifact boxes of sheets that belong together; None where they differ or are not known of one."""
    known = [layout.known_specials for layout in layouts]
    return known[0] if known and all(specials == known[0] for specials in known) else None

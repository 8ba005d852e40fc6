"""A layout made of photos: boxes, names and the blank picture, with what a person should know about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibrate.blank import ENOUGH_FILLED, BlankPicture, blank_picture_of
from calibrate.colours import column_colours, column_names, like_others
from calibrate.columns import ROWS
from calibrate.errors import CalibrationError, WishError
from calibrate.fields import Field
from calibrate.icons import Look, looks_of, unlike_others
from calibrate.merge import Frame, merged_fields, page_frame
from calibrate.seen import SeenSheet
from calibrate.snug import snug_boxes
from layouts import COLUMNS, EXPEDITIONS, CellBox, SheetLayout
from scanner.types import ImageU8

Box = tuple[float, float, float, float]

_FEW_PX_PER_MM = 4.0
"""Below this a thin printed line is less than a pixel, and scans by the layout compare with something softer."""

_CROOKED_STEPS = 0.05
"""Spaces this far from a regular grid (95th percentile) lie on folded paper, or are not spaces: 0.7 mm."""

_OTHER_SHAPE = 0.2
"""By how much (logarithm) the page's shape in the photos may differ from the one that was said; the lens is known to
0.04, edges of the page to 0.05."""

_WRITTEN_SPACES = 2
"""So many spaces with something of their own, and the sheet is filled."""

_STRIP_ABOVE = 0.8
"""How much of the head above a column, in spaces, shows its colour too."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user knows better than the photos.

    Attributes:
        name: what the layout is called.
        page_mm: width and height of the paper.
        block_mm: from the first column's left edge to the last one's right edge.
        columns: names of the columns, left to right.
        specials: arrows and artifact boxes by column and space.
        icons: what a look is, by its letter.
        bridge_marks: how a bridge is claimed, see `SheetLayout`.
        is_blank: the photos show blank sheets, whatever it looks like.
    """

    name: str
    page_mm: tuple[float, float] | None = None
    block_mm: float | None = None
    columns: tuple[str, ...] | None = None
    specials: Mapping[tuple[str, int], str] = field(default_factory=dict)
    icons: Mapping[str, str] = field(default_factory=dict)
    bridge_marks: str = "circle"
    is_blank: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Pad:
    """A layout with what it was made from.

    Attributes:
        layout: the boxes, in millimetres, or in units of about one where nobody said how large the page is.
        picture: the blank sheet, uint8 (h, w, 3), BGR, exactly the page.
        px_per_mm: its scale.
        looks: spaces of the expeditions that look the same.
        seen: which cells, by their key, were seen and not only reckoned.
        off_mm: how far spaces were from a regular grid (95th percentile).
        notes: what a person should know.
    """

    layout: SheetLayout
    picture: ImageU8
    px_per_mm: float
    looks: tuple[tuple[Look, tuple[str, ...]], ...]
    seen: frozenset[str]
    off_mm: float
    notes: tuple[str, ...]


def pad_from(sheets: Sequence[SeenSheet], wishes: Wishes) -> Pad:
    """The layout of a pad from sheets of it that were found in photos.

    Raises:
        CalibrationError: the photos show different pads, or filled sheets and too few of them.
        WishError: a look is named that no spaces have, or the page has another shape.
    """
    ordered = sorted(sheets, key=lambda sheet: (-sum(sheet.paper.seen), sheet.rest))
    fields = merged_fields(ordered)
    frame = page_frame(ordered, fields, wishes.page_mm, wishes.block_mm)
    _require_shape(ordered, wishes)
    blank = blank_picture_of(ordered, frame)
    boxes = snug_boxes(blank.image, blank.canvas, [(one, _box(one, frame)) for one in fields])
    colours = column_colours([_strip(blank, boxes, column) for column in range(len(COLUMNS))])
    names = wishes.columns or column_names(colours, _with_circles(fields))
    if len(sheets) < ENOUGH_FILLED and not wishes.is_blank:
        _require_blank(blank, boxes, names)
    looks = _looks(blank, boxes, names)
    specials = _specials(wishes, looks)
    cells = _cells(boxes, names, specials, frame)
    layout = SheetLayout(
        name=wishes.name,
        title=f"from {len(sheets)} photo{'s' * (len(sheets) > 1)} of the pad",
        page_mm=frame.page_mm,
        cells=cells,
        fiducials=(),
        bridge_marks=wishes.bridge_marks,
        colours={name: colour.rgb for name, colour in zip(names, colours, strict=True)},
        symbols={name: name for name in COLUMNS},
        notes=_not_read(cells),
        specials_known=bool(specials),
    )
    off_mm = float(np.median([sheet.rest for sheet in sheets])) * max(frame.step_mm)
    notes = _notes(ordered, frame, blank, boxes, layout, wishes, like_others(colours, names), looks)
    keys = {cell.key for cell in layout.cells}
    seen = frozenset(key for one in fields if one.seen and (key := _key(one, names)) in keys)
    return Pad(layout, blank.image, blank.canvas.px_per_mm, looks, seen, off_mm, notes)


def _require_shape(sheets: Sequence[SeenSheet], wishes: Wishes) -> None:
    """Refuses a size whose shape is not at all that of the page in the photos: portrait for landscape, or inches."""
    if wishes.page_mm is None:
        return
    shapes = [
        (right - left) * sheet.aspect / (bottom - top)
        for sheet in sheets
        if all(sheet.paper.seen)
        for left, top, right, bottom in [sheet.paper.sides]
    ]
    said = wishes.page_mm[0] / wishes.page_mm[1]
    if shapes and abs(np.log(float(np.median(shapes)) / said)) > _OTHER_SHAPE:
        raise WishError(
            f"{wishes.page_mm[0]:g}x{wishes.page_mm[1]:g} is {said:.2f} times as wide as high, the page in the photo "
            f"about {float(np.median(shapes)):.2f} times",
            "--page-mm",
        )


def _require_blank(blank: BlankPicture, boxes: Sequence[tuple[Field, Box]], names: Sequence[str]) -> None:
    """Refuses a few filled sheets: what is written on them would be taken for print, and never be read again."""
    spaces = [(one, box) for one, box in boxes if one.kind == "space" and names[one.column] in EXPEDITIONS]
    written = unlike_others(blank.image, blank.canvas, [box for _, box in spaces])
    if len(written) >= _WRITTEN_SPACES:
        keys = ", ".join(_key(spaces[i][0], names) for i in written[:4]) + " and more" * (len(written) > 4)
        raise CalibrationError(
            f"the sheet does not look blank: what is in {keys} is in no other space",
            f"photograph a blank sheet, or {ENOUGH_FILLED} or more filled ones; if it is blank, say --blank",
        )


def _box(one: Field, frame: Frame) -> Box:
    across, down = frame.step_mm
    return (one.x - frame.left) * across, (one.y - frame.top) * down, one.w * across, one.h * down


def _strip(blank: BlankPicture, boxes: Sequence[tuple[Field, Box]], column: int) -> ImageU8:
    """A column with its head and a little beside it, where bands and borders show its colour."""
    spaces = np.array([box for one, box in boxes if one.kind == "space" and one.column == column])
    (left, top), (w, h) = spaces[:, :2].min(axis=0), spaces[0, 2:]
    right, bottom = (spaces[:, :2] + spaces[:, 2:]).max(axis=0)
    ends = (left - 0.1 * w, top - _STRIP_ABOVE * h, right + 0.1 * w, bottom + 0.1 * h)
    x0, y0, x1, y1 = (max(0, round(end * blank.canvas.px_per_mm)) for end in ends)
    return np.ascontiguousarray(blank.image[y0 : y1 + 1, x0 : x1 + 1])


def _with_circles(fields: Sequence[Field]) -> frozenset[int]:
    return frozenset(one.column for one in fields if one.kind == "double" and one.seen)


def _looks(
    blank: BlankPicture, boxes: Sequence[tuple[Field, Box]], names: Sequence[str]
) -> tuple[tuple[Look, tuple[str, ...]], ...]:
    spaces = [(one, box) for one, box in boxes if one.kind == "space" and names[one.column] in EXPEDITIONS]
    return tuple(
        (look, tuple(sorted((f"{names[column]}/{ROWS - row}" for column, row in look.places), key=_rank)))
        for look in looks_of(blank.image, blank.canvas, spaces)
    )


def _rank(key: str) -> tuple[int, int]:
    column, _, space = key.partition("/")
    return COLUMNS.index(column), int(space)


def _specials(wishes: Wishes, looks: Sequence[tuple[Look, tuple[str, ...]]]) -> dict[str, str]:
    """What is special, by key; spaces named one by one count before looks."""
    letters = {look.letter: keys for look, keys in looks}
    unknown = [letter for letter in wishes.icons if letter not in letters]
    if unknown:
        there = ", ".join(letters) or "none"
        raise WishError(
            f"no spaces look like {unknown[0]!r} here, there is {there}; the annotated picture shows them", "--icon"
        )
    named = {key: kind for letter, kind in wishes.icons.items() for key in letters[letter]}
    return named | {f"{column}/{space}": kind for (column, space), kind in wishes.specials.items()}


def _key(one: Field, names: Sequence[str]) -> str:
    return f"{names[one.column]}/{one.kind if one.row is None else ROWS - one.row}"


def _cells(
    boxes: Sequence[tuple[Field, Box]], names: Sequence[str], specials: Mapping[str, str], frame: Frame
) -> tuple[CellBox, ...]:
    cells = []
    for one, box in boxes:
        column, is_space = names[one.column], one.row is not None
        kind = one.kind if not is_space else "number" if column in EXPEDITIONS else "mark"
        if kind == "double" and column not in EXPEDITIONS:
            continue
        x0, y0 = max(0.0, box[0]), max(0.0, box[1])
        w, h = min(frame.page_mm[0], box[0] + box[2]) - x0, min(frame.page_mm[1], box[1] + box[3]) - y0
        special = specials.get(_key(one, names)) if kind == "number" else None
        # Rounded down, so that the sum does not reach over the page.
        place = (round(x0, 2), round(y0, 2), int(w * 100 - 1) / 100, int(h * 100 - 1) / 100)
        cells.append(CellBox(column, None if one.row is None else ROWS - one.row, kind, *place, special))
    order = {"number": 0, "mark": 0, "bridge": 1, "double": 2}
    return tuple(sorted(cells, key=lambda cell: (COLUMNS.index(str(cell.column)), order[cell.kind], cell.space or 0)))


def _notes(
    sheets: Sequence[SeenSheet],
    frame: Frame,
    blank: BlankPicture,
    boxes: Sequence[tuple[Field, Box]],
    layout: SheetLayout,
    wishes: Wishes,
    swapped: Sequence[tuple[str, str]],
    looks: Sequence[tuple[Look, tuple[str, ...]]],
) -> tuple[str, ...]:
    notes = []
    px_per_mm = min(_px_per_mm(sheet, frame) for sheet in sheets)
    if px_per_mm < _FEW_PX_PER_MM:
        notes.append(
            f"a photo shows only {px_per_mm:.1f} pixels a millimetre; a closer or larger one makes a better layout"
        )
    if frame.unseen and wishes.page_mm:
        edges = " and ".join(frame.unseen)
        notes.append(f"the {edges} edge of the page cannot be seen, so places on it are rough by some millimetres")
    if max(sheet.rest for sheet in sheets) > _CROOKED_STEPS:
        notes.append("the paper is strongly bent in a photo; one of a sheet that lies flat makes a better layout")
    notes += _reckoned(boxes, layout)
    notes += layout.notes
    for first, second in () if wishes.columns else swapped:
        notes.append(f"the {first} and the {second} column may be the other way round: name all eight with --columns")
    notes += _about_ink(sheets, blank, boxes)
    if not layout.specials_known:
        notes.append(_unnamed(looks))
    return tuple(notes)


def _px_per_mm(sheet: SeenSheet, frame: Frame) -> float:
    """Resolution of a photo in the middle of the block."""
    steps = sheet.straight.to_px(np.array([[-0.5, 0.0], [0.5, 0.0]]))
    return float(np.linalg.norm(steps[1] - steps[0])) / frame.step_mm[0]


def _reckoned(boxes: Sequence[tuple[Field, Box]], layout: SheetLayout) -> list[str]:
    """Columns of which no space closes: where they are is the least sure thing in a layout."""
    seen = {one.column for one, _ in boxes if one.row is not None and one.seen}
    ordered = sorted((cell for cell in layout.cells if cell.space == 1), key=lambda cell: cell.x_mm)
    names = [str(cell.column) for number, cell in enumerate(ordered) if number not in seen]
    if not names:
        return []
    return [
        f"of the {' and '.join(names)} column no space closes as a box: see whether it lies right, or try another photo"
    ]


def _not_read(cells: Sequence[CellBox]) -> tuple[str, ...]:
    """What every scan by the layout goes without."""
    kinds = {cell.kind for cell in cells}
    notes = {
        "bridge": "no bridges are known between the sixth and the seventh spaces: they are not read",
        "double": "no circles are known below the expeditions: doubled points are not read",
    }
    return tuple(note for kind, note in notes.items() if kind not in kinds)


def _about_ink(sheets: Sequence[SeenSheet], blank: BlankPicture, boxes: Sequence[tuple[Field, Box]]) -> list[str]:
    if not 1 < len(sheets) < ENOUGH_FILLED:
        return []
    scale = blank.canvas.px_per_mm
    inked = 0
    for _, (x, y, w, h) in boxes:
        rows = slice(round((y + 0.15 * h) * scale), round((y + 0.85 * h) * scale))
        columns = slice(round((x + 0.15 * w) * scale), round((x + 0.85 * w) * scale))
        inked += bool(blank.inked[rows, columns].mean() > _INKED_SHARE)
    if inked < 3:
        return []
    return [f"{inked} spaces differ between the photos as if they were filled: give blank sheets, or five filled ones"]


_INKED_SHARE = 0.03
"""A digit covers 5 to 20 % of a space's inner part."""


def _unnamed(looks: Sequence[tuple[Look, tuple[str, ...]]]) -> str:
    letters = [look.letter for look, _ in looks if not look.plain]
    how = f"--icon {letters[0]}=arrow, " if letters else ""
    return (
        "nobody has said which spaces have arrows and artifact boxes, so what needs them is not checked "
        f"({how}--arrows red:3,5 or --artifacts red:4 name them)"
    )

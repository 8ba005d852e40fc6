"""`rollwrite calibrate`: a layout from photos of a pad, with a picture of what was found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.failures import UNREAD, complain
from commands.inputs import named_files
from commands.output import check_writable
from layouts import COLUMNS, EXPEDITIONS, SPACES, layout_text, user_folder

if TYPE_CHECKING:
    from calibrate import Pad, SeenSheet, Wishes

_PICTURE_QUALITY = 93
"""JPEG: a third of a PNG's size, and what it loses is less than the noise of a photo."""

_NUMBER = r"-?\d+(?:\.\d+)?"


@dataclass(frozen=True, slots=True)
class _Target:
    """Where a layout goes, what it is called and where the picture of it goes."""

    path: Path
    name: str
    picture: Path


def calibrate_pad(
    photos: Sequence[str],
    output: str | None,
    name: str | None,
    picture: str | None,
    page_mm: str | None,
    block_mm: float | None,
    corners: Sequence[str],
    columns: str | None,
    arrows: Sequence[str],
    artifacts: Sequence[str],
    icons: Sequence[str],
    bridges: str,
) -> int:
    """Writes a layout file from photos, and a picture of what was found beside it.

    Returns:
        The exit code: 3 if a photo could not be used, though the layout was made from the others.

    Raises:
        click.UsageError: an option that says nothing, or something that the photos do not show.
    """
    target = _target(output, name, picture, photos)
    blocks = [block_corners(text) for text in corners]
    if blocks and len(blocks) != len(photos):
        raise click.BadParameter(f"once for each photo, in their order: {len(photos)}", param_hint="--corners")
    wishes = _wishes(target.name, page_mm, block_mm, columns, arrows, artifacts, icons, bridges)
    from calibrate import WishError, pad_from

    sheets = [sheet for sheet in _seen(photos, blocks, wishes) if sheet is not None]
    if not sheets:
        return UNREAD
    try:
        pad = pad_from(sheets, wishes)
    except WishError as error:
        raise click.BadParameter(str(error), param_hint="--icon") from error
    _write(pad, target)
    _tell(pad, target, len(sheets))
    return 0 if len(sheets) == len(photos) else UNREAD


def _seen(photos: Sequence[str], blocks: Sequence[object], wishes: Wishes) -> list[SeenSheet | None]:
    """What each photo shows; None, and a line to the user, for one that shows no sheet."""
    import numpy as np

    from calibrate import see_sheet
    from scanner import ScanError
    from scanner.photo import load_photo, sharper

    ratio = wishes.page_mm[0] / wishes.page_mm[1] if wishes.page_mm else None
    sheets: list[SeenSheet | None] = []
    for number, path in enumerate(photos):
        block = np.array(blocks[number], np.float64) if blocks else None
        try:
            photo = sharper(load_photo(path), 1.0)
            if block is not None:
                block = (block + 0.5) * photo.scale - 0.5
            sheets.append(see_sheet(photo.image, path, block, ratio))
        except ScanError as error:
            complain(str(error) if path in error.message else f"{path}: {error}")
            sheets.append(None)
    return sheets


def _wishes(
    name: str,
    page_mm: str | None,
    block_mm: float | None,
    columns: str | None,
    arrows: Sequence[str],
    artifacts: Sequence[str],
    icons: Sequence[str],
    bridges: str,
) -> Wishes:
    specials = {place: "arrow" for place in places_in(arrows, "--arrows")}
    specials |= {place: "artifact" for place in places_in(artifacts, "--artifacts")}
    page = size_mm(page_mm)
    named = column_list(columns)
    letters = icon_names(icons)
    from calibrate import Wishes

    return Wishes(name, page, block_mm, named, specials, letters, bridges)


def _target(output: str | None, name: str | None, picture: str | None, photos: Sequence[str]) -> _Target:
    """Where it goes: the user's folder of layouts unless a file is named.

    Raises:
        click.UsageError: neither a file nor a name, or a name that is taken.
    """
    if output is None and name is None:
        raise click.UsageError("say with -o where the layout goes, or with --name what to call it")
    name = name or Path(str(output)).stem
    if not re.fullmatch(r"[\w][\w .-]{0,63}", name):
        raise click.BadParameter(f"{name!r}: letters, digits, spaces, dots and dashes only", param_hint="--name")
    from layouts import built_in_layouts

    if name in built_in_layouts():
        raise click.BadParameter(f"{name!r} is a layout of the program's own", param_hint="--name")
    path = Path(output) if output else user_folder() / f"{name}.layout"
    if output is None:
        path.parent.mkdir(parents=True, exist_ok=True)
    shown = Path(picture) if picture else path.with_name(f"{path.stem}-found.png")
    for file in (path, shown):
        check_writable(str(file), named_files(*photos))
    return _Target(path, name, shown)


def _write(pad: Pad, target: _Target) -> None:
    import cv2

    from calibrate import draw_pad

    encoded = cv2.imencode(".jpg", pad.picture, [cv2.IMWRITE_JPEG_QUALITY, _PICTURE_QUALITY])[1].tobytes()
    target.path.write_text(layout_text(pad.layout, encoded), "utf-8")
    target.picture.write_bytes(cv2.imencode(".png", draw_pad(pad))[1].tobytes())


def _tell(pad: Pad, target: _Target, photos: int) -> None:
    """What was found and how sure that is, on stderr."""
    cells = pad.layout.cells
    spaces = [cell for cell in cells if cell.space]
    seen = sum(cell.key in pad.seen for cell in spaces)
    complain(f"{target.path}: layout {target.name} from {photos} photo{'s' * (photos > 1)}")
    complain(
        f"{len(COLUMNS)} columns of {SPACES} spaces: {seen} of {len(spaces)} seen, the others where the rhythm has "
        f"them; straight to {pad.off_mm:.1f} mm"
    )
    ordered = sorted((cell for cell in spaces if cell.space == 1), key=lambda cell: cell.x_mm)
    complain(f"columns from the left: {', '.join(str(cell.column) for cell in ordered)}")
    counts = {kind: sum(cell.kind == kind for cell in cells) for kind in ("bridge", "double")}
    complain(f"{counts['bridge']} bridges, {counts['double']} double circles")
    for look, keys in pad.looks:
        what = "nothing in them" if look.plain else "the same print"
        complain(f"look {look.letter}, {what}: {', '.join(keys)}")
    for note in pad.notes:
        complain(f"note: {note}")
    complain(f"please look at {target.picture}: green was seen, orange is where it should be")


def size_mm(text: str | None) -> tuple[float, float] | None:
    """Width and height of a page from `WxH`.

    Raises:
        click.BadParameter: anything else.
    """
    if text is None:
        return None
    found = re.fullmatch(rf"\s*({_NUMBER})\s*[xX×]\s*({_NUMBER})\s*(?:mm)?\s*", text)
    width, height = (float(found[1]), float(found[2])) if found else (0.0, 0.0)
    if not (50 <= width <= 1000 and 50 <= height <= 1000):
        raise click.BadParameter(
            f"{text!r}: expected width x height in millimetres, 50 to 1000 each, as in 148x210", param_hint="--page-mm"
        )
    return width, height


def block_corners(text: str) -> tuple[tuple[float, float], ...]:
    """Four corners in pixels, clockwise from the top left one, from `x,y x,y x,y x,y`.

    Raises:
        click.BadParameter: no such four corners.
    """
    numbers = [float(number) for number in re.findall(_NUMBER, text)]
    rest = re.sub(_NUMBER, "", text).strip(" ,;()[]\t\n")
    points = tuple(zip(numbers[::2], numbers[1::2], strict=False))
    if len(numbers) != 8 or rest.strip(" ,;()[]") or not _clockwise(points):
        raise click.BadParameter(
            f"{text!r}: expected the four outer corners of the spaces in pixels of the upright photo, clockwise from "
            "the sheet's own top left, as in '310,420 2700,400 2750,3600 280,3580'",
            param_hint="--corners",
        )
    return points


def _clockwise(points: Sequence[tuple[float, float]]) -> bool:
    """Whether a four-sided figure is convex and runs clockwise where y points down."""
    turns = []
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = (points[(i + k) % 4] for k in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return min(turns) > 0


def column_list(text: str | None) -> tuple[str, ...] | None:
    """Names of all eight columns, left to right.

    Raises:
        click.BadParameter: one missing, twice or unknown.
    """
    if text is None:
        return None
    names = tuple(name.strip().lower() for name in text.split(","))
    if sorted(names) != sorted(COLUMNS):
        raise click.BadParameter(
            f"{text!r}: expected each of {','.join(COLUMNS)} once, in the sheet's order from the left",
            param_hint="--columns",
        )
    return names


def places_in(texts: Sequence[str], option: str) -> list[tuple[str, int]]:
    """Spaces from `red:3,5 blue:2`.

    Raises:
        click.BadParameter: no such spaces.
    """
    places = []
    for part in (part for text in texts for part in text.split()):
        column, _, spaces = part.partition(":")
        numbers = spaces.split(",")
        good = column in EXPEDITIONS and all(re.fullmatch(r"[1-9]", number) for number in numbers)
        if not good:
            raise click.BadParameter(
                f"{part!r}: expected an expedition and its spaces, counted from the bottom, as in red:3,5",
                param_hint=option,
            )
        places += [(column, int(number)) for number in numbers]
    return places


def icon_names(texts: Sequence[str]) -> dict[str, str]:
    """What looks are, from `A=arrow`.

    Raises:
        click.BadParameter: anything else.
    """
    found = {}
    for text in texts:
        match = re.fullmatch(r"([A-Za-z])=(arrow|artifact)", text.strip())
        if match is None:
            raise click.BadParameter(
                f"{text!r}: expected a letter and arrow or artifact, as in B=arrow", param_hint="--icon"
            )
        found[match[1].upper()] = match[2]
    return found

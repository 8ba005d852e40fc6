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
from layouts import COLUMNS, EXPEDITIONS, SPACES, LayoutError, layout_text, load_layout, user_folder

if TYPE_CHECKING:
    from calibrate import Pad, SeenSheet, Wishes
    from scanner.types import Photo, Points

Block = tuple[tuple[float, float], ...]
"""Four corners, x and y in pixels."""

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
    blank: bool = False,
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
    wishes = _wishes(target.name, page_mm, block_mm, columns, arrows, artifacts, icons, bridges, blank)
    from calibrate import CalibrationError, WishError, pad_from

    sheets, failures = _seen(photos, blocks, wishes)
    if not sheets:
        return UNREAD
    try:
        pad = pad_from(sheets, wishes)
    except WishError as error:
        raise click.BadParameter(str(error), param_hint=error.option) from error
    except CalibrationError as error:
        complain(str(error))
        return UNREAD
    was_there = target.path.exists()
    _write(pad, target)
    _tell(pad, target, len(sheets), was_there)
    return UNREAD if failures else 0


def _seen(photos: Sequence[str], blocks: Sequence[Block], wishes: Wishes) -> tuple[list[SeenSheet], int]:
    """What the photos show, page by page and each photo once, and how many show nothing; these are named."""
    from calibrate import see_sheet
    from scanner import ScanError
    from scanner.pages import RefusedPage, load_pages
    from scanner.photo import sharper

    ratio = wishes.page_mm[0] / wishes.page_mm[1] if wishes.page_mm else None
    sheets: list[SeenSheet] = []
    known: dict[tuple[str, int], str] = {}
    failures = 0
    for number, path in enumerate(photos):
        try:
            for page in load_pages(path):
                if isinstance(page, RefusedPage):
                    raise page.error
                key = page.source.sha256, page.source.page
                if key in known:
                    complain(f"{path} is the same photo as {known[key]}, and counts once")
                    continue
                known[key] = path
                photo = sharper(page, 1.0)
                block = _in_decoded(blocks[number], photo, path) if blocks else None
                sheets.append(see_sheet(photo.image, path, block, ratio))
        except ScanError as error:
            failures += 1
            complain(str(error) if Path(path).name in error.message else f"{path}: {error}")
    return sheets, failures


def _in_decoded(block: Block, photo: Photo, path: str) -> Points:
    """The corners in pixels of the photo as it was decoded.

    Raises:
        click.BadParameter: they lie outside of it.
    """
    import numpy as np

    width, height = photo.source.width, photo.source.height
    if any(not (0 <= x <= width and 0 <= y <= height) for x, y in block):
        raise click.BadParameter(
            f"{path} has {width} x {height} pixels when it stands upright, and a corner lies outside of it",
            param_hint="--corners",
        )
    return (np.array(block, np.float64) + 0.5) * photo.scale - 0.5


def _wishes(
    name: str,
    page_mm: str | None,
    block_mm: float | None,
    columns: str | None,
    arrows: Sequence[str],
    artifacts: Sequence[str],
    icons: Sequence[str],
    bridges: str,
    blank: bool,
) -> Wishes:
    specials = {place: "arrow" for place in places_in(arrows, "--arrows")}
    for column, space in places_in(artifacts, "--artifacts"):
        if (column, space) in specials:
            raise click.BadParameter(f"{column}:{space} is among --arrows too", param_hint="--artifacts")
        specials[column, space] = "artifact"
    page = size_mm(page_mm)
    named = column_list(columns)
    letters = icon_names(icons)
    from calibrate import Wishes

    return Wishes(name, page, block_mm, named, specials, letters, bridges, blank)


def _target(output: str | None, name: str | None, picture: str | None, photos: Sequence[str]) -> _Target:
    """Where it goes: the user's folder of layouts unless a file is named.

    Raises:
        click.UsageError: neither a file nor a name, or a name that is taken.
    """
    if output is None and name is None:
        raise click.UsageError("say with -o where the layout goes, or with --name what to call it")
    name = Path(str(output)).stem if name is None else name
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
    if path.exists() and not _is_layout(path):
        raise click.BadParameter(f"{path} is there already and is no layout", param_hint="-o")
    return _Target(path, name, shown)


def _is_layout(path: Path) -> bool:
    try:
        return bool(load_layout(str(path)))
    except LayoutError:
        return False


def _write(pad: Pad, target: _Target) -> None:
    import cv2

    from calibrate import draw_pad

    encoded = cv2.imencode(".jpg", pad.picture, [cv2.IMWRITE_JPEG_QUALITY, _PICTURE_QUALITY])[1].tobytes()
    target.path.write_text(layout_text(pad.layout, encoded), "utf-8")
    target.picture.write_bytes(cv2.imencode(".png", draw_pad(pad))[1].tobytes())


def _tell(pad: Pad, target: _Target, photos: int, was_there: bool) -> None:
    """What was found and how sure that is, on stderr."""
    cells = pad.layout.cells
    spaces = [cell for cell in cells if cell.space]
    seen = sum(cell.key in pad.seen for cell in spaces)
    again = ", instead of the one that was there" * was_there
    complain(f"{target.path}: layout {target.name} from {photos} photo{'s' * (photos > 1)}{again}")
    others = "" if seen == len(spaces) else ", the others where the rhythm has them"
    complain(f"{len(COLUMNS)} columns of {SPACES} spaces: {seen} of {len(spaces)} seen{others}")
    complain(f"straight to {pad.off_mm:.1f} mm")
    ordered = sorted((cell for cell in spaces if cell.space == 1), key=lambda cell: cell.x_mm)
    complain(f"columns from the left: {', '.join(str(cell.column) for cell in ordered)}")
    counts = {kind: sum(cell.kind == kind for cell in cells) for kind in ("bridge", "double")}
    complain(f"{counts['bridge']} bridges, {counts['double']} double circles")
    for look, keys in pad.looks:
        if not look.plain:
            complain(f"look {look.letter}, the same print: {', '.join(keys)}")
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

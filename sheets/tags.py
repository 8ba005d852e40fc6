"""The corner tags: ArUco squares drawn as vector modules, without OpenCV."""

from __future__ import annotations

from collections.abc import Mapping

from layouts import Fiducial, LayoutError
from sheets.pen import Ink, Pen, polygon

# White around a tag that detectors need: at least one module; two millimetres keep art and ink away as well.
QUIET_MM = 2.0
_BLACK = "#000000"
_WHITE = "#ffffff"

# The four bits of each row, top first, 1 = white. Source: the predefined dictionary DICT_4X4_50 of OpenCV's
# objdetect module (S. Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial
# markers under occlusion", Pattern Recognition 47, 2014); a test compares them with cv2.aruco.
BITS: Mapping[tuple[str, int], tuple[str, ...]] = {
    ("DICT_4X4_50", 0): ("1011", "0101", "0011", "0010"),
    ("DICT_4X4_50", 1): ("0000", "1111", "1001", "1010"),
    ("DICT_4X4_50", 2): ("0011", "0011", "0010", "1101"),
    ("DICT_4X4_50", 3): ("1001", "1001", "0100", "0110"),
}


def draw_tag(pen: Pen, tag: Fiducial) -> None:
    """A tag with its white quiet zone.

    Raises:
        LayoutError: a tag whose pattern is not known here.
    """
    rows = BITS.get((tag.dictionary, tag.id))
    if rows is None:
        known = ", ".join(f"{dictionary} {number}" for dictionary, number in BITS)
        raise LayoutError(f"fiducials: no pattern for {tag.dictionary} {tag.id}; printable tags: {known}")
    side = tag.size_mm + 2 * QUIET_MM
    pen.box((tag.x_mm - QUIET_MM, tag.y_mm - QUIET_MM, side, side), Ink(fill=_WHITE))
    pen.box((tag.x_mm, tag.y_mm, tag.size_mm, tag.size_mm), Ink(fill=_BLACK))
    # One path for all white modules: shared edges inside one path leave no hairline.
    pen.path(_white_modules(rows), Ink(fill=_WHITE), (tag.x_mm, tag.y_mm), tag.size_mm / (len(rows) + 2))


def _white_modules(rows: tuple[str, ...]) -> str:
    return "".join(
        polygon([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])
        for y, bits in enumerate(rows, start=1)
        for x, bit in enumerate(bits, start=1)
        if bit == "1"
    )

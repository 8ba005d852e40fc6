"""Every choice and threshold of a scan, in one place, with its unit and the reason for its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What a scan takes for granted; the defaults are right for phone photos of printed sheets."""

    max_megapixels: float = 200.0
    """Refuse larger pictures before decoding them: no phone makes them, decompression bombs do."""

    min_side_px: int = 300
    """Refuse smaller pictures: an A5 sheet would have under 1.5 px/mm, less than half of what reading needs."""

    decode_long_side_px: int = 1000
    """Decode JPEGs at the strongest reduction that keeps the long side above this. A sheet over two thirds of such a
    picture has 3 px/mm, a little more than the reader's 48-pixel cells; what lies farther away is decoded again."""

    keep_long_side_px: int = 1600
    """The same for pictures that no decoder shrinks on the way, where a second decode costs as much as the first."""

    least_decoded_px_per_mm: float = 2.2
    """Decode again, larger, where a sheet shows fewer pixels than this: figures are some 18 pixels high there, and
    read as well as from twice the size; below, thin strokes go. One normal photo in twenty is below."""

    tag_search_long_side_px: int = 800
    """Least long side of the grey picture in which corner tags are searched first: a tag of 8 mm is then 15 pixels
    or more, over 2 a module. The full decoded picture is searched only if this one does not show four tags."""

    grid_px_per_mm: float = 4.0
    """Scale of the rectified sheet: half as much again as the reader's 2.6 px/mm, so that cutting loses nothing."""

    flow_px_per_mm: float = 2.0
    """Scale at which the paper's bend is measured: a printed line is one pixel wide, and the largest bend seen
    (3 mm) is within reach of the optical flow's coarsest level. Cell corners come out within 0.16 mm, and within
    0.11 mm at 2.5 px/mm, which takes half as long again."""

    min_px_per_mm: float = 2.2
    """Refuse sheets with less resolution: below this, strokes of 0.4 mm are under a pixel."""

    max_blur_mm: float = 0.5
    """Refuse photos blurred by more than this (standard deviation): the gap in a 3 or an 8 is about 1.5 mm. At 0.4 mm
    numbers are read as well as ever, at 0.6 one in ten is wrong, at 0.8 one in three. Shaky but useful photos have
    0.25; a shake aslant measures as 0.7 of what it is."""

    good_cell_score: float = 0.5
    """A cell's printed rim lies where it should if it correlates this much with the photo. Over 24 photos of a strange
    pad, 99 % of cells are above it; with that grid moved aslant by 1 mm, four cells in five are below 0.15."""

    min_grid_score: float = 0.85
    """Least share of cells whose rim lies where it should. One column or one row misplaced is 11 %, an eighth of
    the sheet under a hand is 12 %; both at once are not worth trusting."""

    plain_cell_score: float = 0.6
    """Print score from which a cell lies right beyond doubt. Cells within 0.45 mm are above it, but for 0.4 % on normal
    photos and 1.5 % on hard ones; of those 0.9 mm or more off, nine in ten are below. With two such cells
    beside each other whose rims fit better elsewhere, the bend is measured again, which takes 45 to 60 ms: on none of
    100 normal photos, 5 to 6 with a shadow, curl or strong tilt, 15 with a fold."""

    min_cell_score: float = 0.25
    """A cell whose printed outline correlates less than this cannot be seen (glare, shadow, something on top of
    it): its reading goes to review, whatever it says."""

    min_empty_cell_score: float = 0.65
    """The same for a cell read as empty: no ink explains a missing outline, so something that covers part of it may
    cover what is written there too. Light allowed for, none of 4,713 empty cells on 100 normal photos is below this; a
    slip of paper over half a cell leaves 0.3 to 0.6."""

    min_contrast: float = 0.6
    """A cell read as empty whose print shows with less than this share of the sheet's contrast goes to review: glare
    may have taken the ink too. One in a thousand empty cells on 100 normal photos is below this, one in a hundred below
    0.8; the 22 filled cells that were read as empty on 100 photos with glare had 0.12 to 0.54."""

    broken_order_prior: float = 0.02
    """How often a number is taken to be lower than the one below it before its ink is looked at. Players who add up
    their own sheets break the order perhaps once in two hundred numbers; four times as much keeps the rules from
    talking a clear violation away."""

    review_confidence: float = 0.90
    """Readings less sure than this are shown to the user."""

    broken_confidence: float = 0.995
    """The same for numbers that break the order of their column: nobody is accused of what may be a misreading."""

    reader: Literal["net", "tesseract"] = "net"
    """What reads the numbers: the net, which is right far more often, or Tesseract, for comparison."""

    names: bool = False
    """Whether to read the player's name, by Tesseract, which takes another process and a tenth of a second."""


DEFAULT_OPTIONS = ScanOptions()

"""A layout from photos of a pad: where its eight columns of nine spaces are, and what it looks like when it is blank.

Data flows one way: photo -> closed shapes -> lattice -> frame -> grid -> straight sheet -> fields and paper -> several
photos merged -> blank picture -> layout. Nothing is assumed of a pad but its eight columns of nine spaces.
"""

from calibrate.errors import CalibrationError, WishError
from calibrate.pad import Pad, Wishes, pad_from
from calibrate.picture import draw_pad
from calibrate.seen import SeenSheet, see_sheet

__all__ = ["CalibrationError", "Pad", "SeenSheet", "WishError", "Wishes", "draw_pad", "pad_from", "see_sheet"]

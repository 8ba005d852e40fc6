"""The layouts of the sheets we know, as data files, and their loader."""

from layouts.files import blank_picture, known_layouts, layout_to_dict, load_layout
from layouts.model import (
    COLUMNS,
    EXPEDITIONS,
    SPACES,
    CellBox,
    Fiducial,
    LayoutError,
    SheetLayout,
)

__all__ = [
    "COLUMNS",
    "EXPEDITIONS",
    "SPACES",
    "CellBox",
    "Fiducial",
    "LayoutError",
    "SheetLayout",
    "blank_picture",
    "known_layouts",
    "layout_to_dict",
    "load_layout",
]

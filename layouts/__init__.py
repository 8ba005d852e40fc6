"""The layouts of the sheets we know, as data files, and their loader."""

from layouts.files import layout_text, layout_to_dict
from layouts.known import (
    blank_picture,
    built_in_layouts,
    known_layouts,
    load_layout,
    usable_layouts,
    user_folder,
    user_layouts,
)
from layouts.model import (
    COLUMNS,
    EXPEDITIONS,
    SPACES,
    CellBox,
    Fiducial,
    LayoutError,
    SheetLayout,
    common_specials,
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
    "built_in_layouts",
    "common_specials",
    "known_layouts",
    "layout_text",
    "layout_to_dict",
    "load_layout",
    "usable_layouts",
    "user_folder",
    "user_layouts",
]

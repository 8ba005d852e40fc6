"""From a photo to the numbers and marks on the sheets in it."""

from scanner.errors import PoorPhoto, ScanError, SheetNotFound, UnreadableFile
from scanner.options import ScanOptions
from scanner.pipeline import scan_photo, scan_sheets
from scanner.reader import read_marks, read_numbers
from scanner.types import CellReading, LocatedReading, Quality, RefusedSheet, SheetReading, Source

__all__ = [
    "CellReading",
    "LocatedReading",
    "PoorPhoto",
    "Quality",
    "RefusedSheet",
    "ScanError",
    "ScanOptions",
    "SheetNotFound",
    "SheetReading",
    "Source",
    "UnreadableFile",
    "read_marks",
    "read_numbers",
    "scan_photo",
    "scan_sheets",
]

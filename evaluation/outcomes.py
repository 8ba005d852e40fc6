"""What came of one photo, one sheet, one cell: as evaluated, before any figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.alignment import is_aligned, percentile
from scanner.types import Value


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """One cell: what stands there, what was read, how sure, and whether a person was asked to check it."""

    key: str
    kind: str
    truth: Value
    read: Value
    confidence: float
    in_review: bool

    @property
    def right(self) -> bool:
        """Whether it was read as it is."""
        return self.truth == self.read and type(self.truth) is type(self.read)


@dataclass(frozen=True, slots=True)
class WrittenOutcome:
    """One total that the player wrote, or that was read: what stands there and what was read, None for nothing."""

    key: str
    truth: int | None
    read: int | None


@dataclass(frozen=True, slots=True)
class SheetOutcome:
    """One sheet that was read.

    Attributes:
        name: the photo's name, with the sheet's index if there are several.
        cells: every cell.
        total_truth: the right total.
        total_read: the total that was read.
        confidence: the stated probability that it is right.
        violations_found: violations that were found and are there.
        violations_false: those found that are not there.
        violations_missed: those there that were not found.
        corner_errors_mm: distance of every cell corner from its true place, where that is known.
        misplaced: a cell lies so far off that it was cut in the wrong place.
        written: the totals that the player wrote, and those read where there is none.
    """

    name: str
    cells: tuple[CellOutcome, ...]
    total_truth: int
    total_read: int
    confidence: float
    violations_found: int
    violations_false: int
    violations_missed: int
    corner_errors_mm: tuple[float, ...]
    misplaced: bool
    written: tuple[WrittenOutcome, ...] = ()

    @property
    def aligned(self) -> bool:
        """Whether its cells lie where they should, as far as that is known."""
        return bool(self.corner_errors_mm) and is_aligned(self.corner_errors_mm)

    @property
    def p95_mm(self) -> float:
        """95th percentile of the corners' errors."""
        return percentile(self.corner_errors_mm, 95)

    @property
    def wrong_cells(self) -> tuple[CellOutcome, ...]:
        """The cells that were read wrong."""
        return tuple(cell for cell in self.cells if not cell.right)

    @property
    def doubtful(self) -> bool:
        """Whether a person was asked to check any of it."""
        return any(cell.in_review for cell in self.cells)

    @property
    def silently_wrong(self) -> bool:
        """Whether the total is wrong and nobody was asked to check anything."""
        return not self.total_right and not self.doubtful

    @property
    def total_right(self) -> bool:
        """Whether the total is."""
        return self.total_truth == self.total_read


@dataclass(frozen=True, slots=True)
class PhotoOutcome:
    """One photo.

    Attributes:
        name: its file name.
        sheets: those that were read.
        refused: for each sheet that was not, the code of the error (`missed` where others in the photo were read).
        phantoms: sheets read where there is none.
        timing_ms: milliseconds per stage; empty where nothing was read.
        kind: what kind of photo it is, as its truth says; empty where that does not.
        placed: how many of its sheets have known corners.
        due: the codes with which a photo without a readable sheet is rightly refused; empty where there are sheets.
        code: the code with which it was refused as a whole, if it was.
    """

    name: str
    sheets: tuple[SheetOutcome, ...]
    refused: tuple[str, ...]
    phantoms: int
    timing_ms: Mapping[str, float]
    kind: str = ""
    placed: int = 0
    due: tuple[str, ...] = ()
    code: str | None = None

    @property
    def rightly_refused(self) -> bool:
        """Whether it holds nothing to be read and was refused with a right code."""
        return self.code is not None and self.code in self.due

    @property
    def invented(self) -> int:
        """Sheets read from a photo that holds none."""
        return self.phantoms if self.due else 0

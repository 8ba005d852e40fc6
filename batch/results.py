"""A short line on every result of a record: what a list of many needs."""

from __future__ import annotations

from dataclasses import dataclass

from batch.lines import SheetId, Stretch
from report.entries import where_of

KINDS = ("clean", "doubtful", "violating", "duplicate", "failed")
"""What becomes of a sheet, or of what should have been one."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What is read off a sheet, corrections applied.

    Attributes:
        total: its points.
        low: the least total over every combination of the doubtful readings.
        high: the greatest one.
        confidence: the probability that the total is right.
        errors: how many violations of severity `error` there are.
        warnings: how many others.
        review: how many cells should be checked.
    """

    total: int
    low: int
    high: int
    confidence: float
    errors: int
    warnings: int
    review: int


@dataclass(frozen=True, slots=True)
class Result:
    """One sheet of the record, or one photo, page or sheet that could not be read.

    Attributes:
        input: the input as people gave it.
        page: its page, from 1.
        index: which sheet of the page, from 1.
        sha256: of the input's bytes; None where it could not be opened.
        picture: the flattened sheet, a path within the batch folder; None where there is none.
        stretch: where its line lies in the record.
        summary: what was read; None for a failure.
        code: why it could not be read; None for a sheet.
        title: what to call it: its player, or else its file's name.
        likeness: a digest of what was read, which copies of the photo share; empty where there is too little.
        corrections: how many of its cells were corrected.
        duplicate_of: `where` of the sheet that it shows once more; None for the first one, and for failures.
        game: the game that it belongs to; None where it belongs to none.
    """

    input: str
    page: int
    index: int
    sha256: str | None
    picture: str | None
    stretch: Stretch
    summary: Summary | None
    code: str | None
    title: str
    likeness: str = ""
    corrections: int = 0
    duplicate_of: str | None = None
    game: str | None = None

    @property
    def where(self) -> str:
        """Its input, with page and number of the sheet where they are not the first."""
        return where_of(self.input, self.page, self.index)

    @property
    def kind(self) -> str:
        """Which of `KINDS` it is; a sheet that breaks a rule and is doubtful counts as violating."""
        if self.summary is None:
            return "failed"
        if self.duplicate_of is not None:
            return "duplicate"
        return "violating" if self.summary.errors else "doubtful" if self.summary.review else "clean"

    @property
    def sheet_id(self) -> SheetId | None:
        """Which sheet it is, whatever its file is called; None for a failure."""
        if self.summary is None or self.sha256 is None:
            return None
        return SheetId(self.sha256, self.page, self.index)

    @property
    def counted(self) -> bool:
        """Whether it is a sheet that counts: read, and not one that is there already."""
        return self.summary is not None and self.duplicate_of is None

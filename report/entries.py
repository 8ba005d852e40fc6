"""What a run found: one entry a sheet, or one for an input that could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from scoring import Explanation, Rank, ScoreCard, Sheet, Violation, rank

if TYPE_CHECKING:
    from scanner.types import LocatedReading, SheetReading

ALL_READ, VIOLATED, UNREAD = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Failure:
    """An input that could not be read.

    Attributes:
        path: as the user gave it.
        code: for programs, one of a closed set.
        message: the cause.
        remedy: what the user can do about it.
        page: its page, from 1.
        index: which sheet of it, from 1.
    """

    path: str
    code: str
    message: str
    remedy: str
    page: int = 1
    index: int = 1

    @property
    def where(self) -> str:
        """Its path, with page and number of the sheet where they are not the first."""
        return where_of(self.path, self.page, self.index)

    @property
    def told(self) -> str:
        """Cause and remedy for people, starting with its place where the cause had only the file's name, or nothing."""
        return f"{self._placed_message}; {self.remedy}"

    @property
    def _placed_message(self) -> str:
        name = PurePath(self.path).name
        if self.where != self.path:
            return f"{self.where}: {self.message.removeprefix(f'{name}: ')}"
        if self.message.startswith(self.path):
            return self.message
        if name and self.message.startswith(name):
            return self.path + self.message[len(name) :]
        return f"{self.path}: {self.message}"


@dataclass(frozen=True, slots=True)
class ScoredSheet:
    """A sheet with its points and violations.

    Attributes:
        path: where it came from, as the user gave it.
        index: 1 for the first sheet of that input.
        sheet: what it says.
        card: its points.
        violations: every rule of the game that it breaks.
        explanation: how its points came about, where that was asked for.
    """

    path: str
    index: int
    sheet: Sheet
    card: ScoreCard
    violations: tuple[Violation, ...]
    explanation: tuple[Explanation, ...] = field(default=(), kw_only=True)

    @property
    def page(self) -> int:
        """The page of its input, from 1."""
        return 1

    @property
    def place(self) -> str:
        """What to add to a name to tell it from the other sheets of its input; nothing for the first one."""
        return _place_of(self.page, self.index)

    @property
    def doubtful(self) -> bool:
        """Whether a reading of it should be checked by a person: never, where a person typed it."""
        return False

    @property
    def broken(self) -> bool:
        """Whether it breaks a rule for certain."""
        return any(violation.severity == "error" for violation in self.violations)


@dataclass(frozen=True, slots=True)
class ScannedSheet(ScoredSheet):
    """A scored sheet that was read from a photo.

    Attributes:
        reading: what the scanner read.
        low: the least total over every combination of the doubtful readings.
        high: the greatest one.
        confidence: the probability that the total is right.
        hanging: per violation the doubtful reading that it hangs on, None for one that stands whatever they say.
    """

    reading: SheetReading
    low: int
    high: int
    confidence: float
    hanging: tuple[LocatedReading | None, ...]

    @property
    def page(self) -> int:
        """The page of its document, from 1."""
        return self.reading.source.page

    @property
    def doubtful(self) -> bool:
        """Whether a reading of it should be checked by a person."""
        return bool(self.reading.review)


Entry = Failure | ScoredSheet


@dataclass(frozen=True, slots=True)
class Game:
    """The sheets of one game taken together: who won, and what no single sheet could tell."""

    ranking: tuple[Rank, ...]
    violations: tuple[Violation, ...]

    @property
    def broken(self) -> bool:
        """Whether the sheets break a rule for certain."""
        return any(violation.severity == "error" for violation in self.violations)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one command has to say.

    Attributes:
        entries: what became of each input.
        game: the sheets taken together, where they are one game.
        names_layouts: whether to say which sheet each is, because it may be one of several.
    """

    entries: tuple[Entry, ...]
    game: Game | None = None
    names_layouts: bool = False

    @property
    def sheets(self) -> tuple[ScoredSheet, ...]:
        """The entries that are sheets."""
        return scored(self.entries)

    def exit_code(self, strict: bool = False) -> int:
        """0 all read and legal, 1 a violation (or, if `strict`, a doubtful reading), 3 something was not read."""
        if len(self.sheets) < len(self.entries):
            return UNREAD
        broken = any(sheet.broken or (strict and sheet.doubtful) for sheet in self.sheets)
        return VIOLATED if broken or (self.game is not None and self.game.broken) else ALL_READ


def scored(entries: Sequence[Entry]) -> tuple[ScoredSheet, ...]:
    """The entries that are sheets, in their order."""
    return tuple(entry for entry in entries if isinstance(entry, ScoredSheet))


def named(entry: Entry, player: str) -> Entry:
    """The same entry under a player's name; a failure has none."""
    return replace(entry, sheet=entry.sheet.named(player)) if isinstance(entry, ScoredSheet) else entry


def title(entry: ScoredSheet) -> str:
    """What to call a sheet: its player, or else the name of its file, with page and number of a further sheet in it."""
    return entry.sheet.player or file_title(entry.path, entry.page, entry.index)


def file_title(path: str, page: int, index: int) -> str:
    """What to call a sheet without a player: its file's name, with page and number of a further sheet in it."""
    return PurePath(path).stem + _place_of(page, index)


def where_of(path: str, page: int, index: int) -> str:
    """A path, with page and number of the sheet where they are not the first."""
    paged = path if page == 1 else f"{path}, page {page}"
    return paged if index == 1 else f"{paged}, sheet {index}"


def _place_of(page: int, index: int) -> str:
    paged = "" if page == 1 else f"-p{page}"
    return paged if index == 1 else f"{paged}-{index}"


def ranking(entries: Sequence[Entry]) -> tuple[Rank, ...]:
    """The sheets by falling total; equal totals share a place."""
    return tuple(rank([(title(entry), entry.card.total) for entry in scored(entries)]))

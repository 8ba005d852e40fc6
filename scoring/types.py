"""A filled score sheet as a value: hashable, comparable, and the same whether typed, drawn or photographed.

A sheet may break every rule of the game; it only has to be readable. Spaces count from 1 at the bottom, and
tuples run bottom to top, so space n is item n - 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from layouts.model import COLUMNS, EXPEDITIONS, SPACES
from scoring import plain
from scoring.errors import SheetError
from scoring.plain import Number

Cell: TypeAlias = tuple[str, str, int | None]
"""Which cell: column, kind (`number`, `mark`, `double`, `bridge`) and space (None for the last two)."""

T = TypeVar("T")

TRACKS = ("artifacts", "dice")

_NO_NUMBERS: tuple[Number, ...] = (None,) * SPACES
_NO_MARKS: tuple[bool, ...] = (False,) * SPACES
_EXPEDITION_KEYS = ("numbers", "double", "bridge")
_TRACK_KEYS = ("marks", "bridge")
_SHEET_KEYS = ("player", *COLUMNS, "written")


@dataclass(frozen=True, slots=True)
class Expedition:
    """One of the six colour columns.

    Attributes:
        numbers: nine, bottom to top: an int, `"?"` for ink that is no number, None for an empty space.
        double: the double circle is marked.
        bridge: the player claims the bridge of this column.
    """

    numbers: tuple[Number, ...] = _NO_NUMBERS
    double: bool = False
    bridge: bool = False

    def __post_init__(self) -> None:
        if len(self.numbers) != SPACES:
            raise SheetError(f"an expedition has {SPACES} spaces, found {len(self.numbers)}")

    @classmethod
    def of(cls, numbers: Iterable[Number], double: bool = False, bridge: bool = False) -> Expedition:
        """An expedition from at most nine numbers, the spaces above them empty.

        Raises:
            SheetError: too many numbers, or one that is no whole number, `"?"` or None.
        """
        return cls(plain.numbers_of(list(numbers)), double, bridge)

    @property
    def filled(self) -> int:
        """How many spaces hold ink; unreadable ink counts."""
        return SPACES - self.numbers.count(None)

    def to_dict(self) -> dict[str, Any]:
        """The column as in a sheet's JSON."""
        return {"numbers": list(self.numbers), "double": self.double, "bridge": self.bridge}


@dataclass(frozen=True, slots=True)
class Track:
    """The artifacts or the dice column: spaces that are marked, not numbered.

    Attributes:
        marks: nine, bottom to top.
        bridge: the player claims the bridge of this column.
    """

    marks: tuple[bool, ...] = _NO_MARKS
    bridge: bool = False

    def __post_init__(self) -> None:
        if len(self.marks) != SPACES:
            raise SheetError(f"a column has {SPACES} spaces, found {len(self.marks)}")

    @classmethod
    def of(cls, marks: int | Iterable[bool], bridge: bool = False) -> Track:
        """A track from the count of its lowest marks, or from at most nine marks.

        Raises:
            SheetError: a count outside 0 to 9, too many marks, or one that is neither True nor False.
        """
        return cls(plain.marks_of(marks if isinstance(marks, int) else list(marks)), bridge)

    @property
    def filled(self) -> int:
        """How many spaces are marked."""
        return self.marks.count(True)

    def to_dict(self) -> dict[str, Any]:
        """The column as in a sheet's JSON."""
        return {"marks": list(self.marks), "bridge": self.bridge}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's sheet. `sheet["red"]` is a column by its name.

    Attributes:
        player: the name, if known.
        written: totals that the player wrote, by column name, `bridges` or `total`.
    """

    player: str | None = None
    red: Expedition = Expedition()
    orange: Expedition = Expedition()
    yellow: Expedition = Expedition()
    green: Expedition = Expedition()
    blue: Expedition = Expedition()
    purple: Expedition = Expedition()
    artifacts: Track = Track()
    dice: Track = Track()
    written: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __getitem__(self, column: str) -> Expedition | Track:
        if column not in COLUMNS:
            raise KeyError(column)
        found: Expedition | Track = getattr(self, column)
        return found

    @property
    def expeditions(self) -> dict[str, Expedition]:
        """The six colour columns by name, in the order of the sheet."""
        return {column: getattr(self, column) for column in EXPEDITIONS}

    @property
    def columns(self) -> dict[str, Expedition | Track]:
        """All eight columns by name, in the order of the sheet."""
        return {column: getattr(self, column) for column in COLUMNS}

    def cells(self) -> Iterator[tuple[Cell, Number | bool]]:
        """Every cell with its value, column by column, spaces bottom to top; `from_cells` is the inverse."""
        for name, column in self.columns.items():
            if isinstance(column, Expedition):
                for space, number in enumerate(column.numbers, 1):
                    yield (name, "number", space), number
                yield (name, "double", None), column.double
            else:
                for space, mark in enumerate(column.marks, 1):
                    yield (name, "mark", space), mark
            yield (name, "bridge", None), column.bridge

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Expedition | Track],
        player: str | None = None,
        written: Mapping[str, int] | None = None,
    ) -> Sheet:
        """A sheet from its columns by name; those left out are empty.

        Raises:
            SheetError: an unknown column, or an expedition where a track belongs.
        """
        for column, value in columns.items():
            if column not in COLUMNS:
                raise SheetError(f"unknown column {plain.shown(column)}, {plain.suggestion(column, COLUMNS)}")
            if isinstance(value, Track) != (column in TRACKS):
                raise SheetError(f"expected {'marks' if column in TRACKS else 'numbers'}", column)
        return cls(player=player, written=written or {}, **columns)  # type: ignore[arg-type]

    @classmethod
    def from_cells(cls, cells: Iterable[tuple[Cell, Number | bool]], player: str | None = None) -> Sheet:
        """A sheet from the values of single cells; those left out are empty.

        Raises:
            SheetError: a cell that no sheet has.
        """
        values: dict[str, dict[str, Any]] = {column: _empty(column) for column in COLUMNS}
        for (column, kind, space), value in cells:
            entry = values.get(column, {})
            if space is None and kind in entry:
                entry[kind] = value
            elif space is not None and 0 < space <= SPACES and f"{kind}s" in entry:
                entry[f"{kind}s"][space - 1] = value
            else:
                raise SheetError(f"no sheet has a cell {column}/{kind}/{space}")
        return cls.from_dict({"player": player, **values}, "cells")

    @classmethod
    def from_dict(cls, data: Any, where: str = "") -> Sheet:
        """A sheet from its JSON object, strictly checked.

        Missing columns are empty, short lists are filled up, `"marks": 4` marks the lowest four.

        Args:
            data: the parsed JSON.
            where: the name of the file (or line), for the message.

        Raises:
            SheetError: anything that is not the agreed form; names file, path and what was expected.
        """
        try:
            return _sheet_of(plain.mapping_of(data, _SHEET_KEYS))
        except SheetError as error:
            raise error.at(where) from None

    def to_dict(self) -> dict[str, Any]:
        """The sheet as a JSON object; `player` and `written` only where there are any."""
        data: dict[str, Any] = {} if self.player is None else {"player": self.player}
        for column in COLUMNS:
            data[column] = getattr(self, column).to_dict()
        if self.written:
            data["written"] = dict(self.written)
        return data

    def named(self, player: str | None) -> Sheet:
        """The same sheet under another name."""
        return replace(self, player=player)


def _sheet_of(data: Mapping[str, Any]) -> Sheet:
    fields: dict[str, Any] = {}
    for key, value in data.items():
        try:
            fields[key] = _PARTS[key](value)
        except SheetError as error:
            raise error.inside(key) from None
    return Sheet(**fields)


def _expedition_of(value: Any) -> Expedition:
    entry = plain.mapping_of(value, _EXPEDITION_KEYS)
    numbers = _part(entry, "numbers", plain.numbers_of, _NO_NUMBERS)
    return Expedition(numbers, _flag(entry, "double"), _flag(entry, "bridge"))


def _track_of(value: Any) -> Track:
    entry = plain.mapping_of(value, _TRACK_KEYS)
    return Track(_part(entry, "marks", plain.marks_of, _NO_MARKS), _flag(entry, "bridge"))


def _flag(entry: Mapping[str, Any], key: str) -> bool:
    return _part(entry, key, plain.flag_of, False)


def _part(entry: Mapping[str, Any], key: str, read: Callable[[Any], T], default: T) -> T:
    if key not in entry:
        return default
    try:
        return read(entry[key])
    except SheetError as error:
        raise error.inside(key) from None


def _empty(column: str) -> dict[str, Any]:
    if column in TRACKS:
        return {"marks": [False] * SPACES, "bridge": False}
    return {"numbers": [None] * SPACES, "double": False, "bridge": False}


_PARTS = {
    "player": plain.player_of,
    **dict.fromkeys(EXPEDITIONS, _expedition_of),
    **dict.fromkeys(TRACKS, _track_of),
    "written": plain.written_of,
}

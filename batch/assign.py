"""Which game each sheet of a stack belongs to, and whose it is, by folder, by a table or by counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from batch.results import Result
from batch.run import GameChoice


def assigned(results: Sequence[Result], choice: GameChoice) -> list[Result]:
    """The results with their games, and with the names that a table gives them.

    A sheet that is there once more belongs to no game. What could not be read belongs to the one that its photo would
    belong to, so that it shows there as missing.

    Args:
        results: all of them, in order.
        choice: which sheets make a game.
    """
    if choice.kind == "folder":
        return _by_folder(results)
    if choice.kind == "table":
        return _by_table(results, choice.rows)
    return _by_count(results, choice.players) if choice.kind == "count" else list(results)


def _by_folder(results: Sequence[Result]) -> list[Result]:
    """A game a folder, called by its path from the innermost folder that holds all of them."""
    folders = {result.input: PurePath(result.input.replace("\\", "/")).parent for result in results}
    common = _common(list(folders.values()))

    def game_of(result: Result) -> str:
        folder = folders[result.input]
        return "/".join(folder.parts[len(common) :]) or folder.name or "."

    return [result if result.duplicate_of else replace(result, game=game_of(result)) for result in results]


def _common(folders: Sequence[PurePath]) -> tuple[str, ...]:
    """The leading parts that all of them have."""
    if not folders:
        return ()
    low, high = min(folder.parts for folder in folders), max(folder.parts for folder in folders)
    same = 0
    while same < min(len(low), len(high)) and low[same] == high[same]:
        same += 1
    return low[:same]


def _by_count(results: Sequence[Result], players: int) -> list[Result]:
    """So many sheets a game, in order; what could not be read takes a place, what is there once more does not."""
    named, taken = [], 0
    for result in results:
        if result.duplicate_of:
            named.append(result)
        else:
            named.append(replace(result, game=f"game {taken // players + 1}"))
            taken += 1
    return named


def _by_table(results: Sequence[Result], rows: Sequence[tuple[str, str, str]]) -> list[Result]:
    """As the rows say; several rows with one photo are for its sheets, in order."""
    waiting: dict[str, list[tuple[str, str]]] = {}
    for photo, game, player in rows:
        waiting.setdefault(_same(photo), []).append((game, player))
    names = {result.input: _row_name(result.input, waiting) for result in results}
    named = []
    for result in results:
        mine = waiting.get(names[result.input] or "", [])
        if result.duplicate_of or not mine:
            named.append(result)
            continue
        game, player = mine.pop(0)
        named.append(replace(result, game=game or None, title=player or result.title))
    return named


def _row_name(path: str, rows: dict[str, list[tuple[str, str]]]) -> str | None:
    """How the table calls a photo: by the longest end of its path that it has."""
    parts = PurePath(_same(path)).parts
    return next((name for start in range(len(parts)) if (name := "/".join(parts[start:])) in rows), None)


def unmatched(results: Sequence[Result], rows: Sequence[tuple[str, str, str]]) -> tuple[str, ...]:
    """The photos of a table that are none of the stack's."""
    known = {_same(photo): [("", "")] for photo, _, _ in rows}
    met = {_row_name(result.input, known) for result in results}
    return tuple(dict.fromkeys(photo for photo, _, _ in rows if _same(photo) not in met))


def _same(path: str) -> str:
    return path.strip().replace("\\", "/").removeprefix("./")

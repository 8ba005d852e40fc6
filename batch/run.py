"""What a run over a stack was asked, kept beside its record: `run.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from batch.errors import BatchError
from batch.place import write_atomically
from layouts import LayoutError, SheetLayout, layout_to_dict, load_layout
from scoring import RulesError, RuleSet

RUN_FILE = "run.json"
RUN_SCHEMA = "rollwrite.batch/1"


@dataclass(frozen=True, slots=True)
class GameChoice:
    """Which sheets make a game.

    Attributes:
        kind: `none`; `folder`, a game a folder; `table`, as a file says; `count`, so many sheets in their order.
        rows: of a table: photo, game and player, each as the file has it.
        players: of a count: how many sheets a game has.
    """

    kind: str = "none"
    rows: tuple[tuple[str, str, str], ...] = ()
    players: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """What a run was asked.

    Attributes:
        layout_names: the sheets that were looked for: known layouts, or the absolute path of a layout file.
        rules: the numbers of the game.
        reader: `net` or `tesseract`.
        names: whether players' names were read.
        games: which sheets make a game.
    """

    layout_names: tuple[str, ...]
    rules: RuleSet
    reader: str = "net"
    names: bool = False
    games: GameChoice = field(default_factory=GameChoice)

    @property
    def layouts(self) -> tuple[SheetLayout, ...]:
        """The sheets that were looked for.

        Raises:
            BatchError: it is a file that is gone or spoilt.
        """
        try:
            return tuple(map(load_layout, self.layout_names))
        except LayoutError as error:
            raise BatchError(str(error), "put the layout file back where it was") from error

    def differences(self, other: Run) -> tuple[str, ...]:
        """What of another run would give other readings or points; which sheets make a game would not."""
        pairs = (
            ("layout", _layout_text(self), _layout_text(other)),
            ("rules", self.rules.to_dict(), other.rules.to_dict()),
            ("reader", self.reader, other.reader),
            ("names", self.names, other.names),
        )
        return tuple(f"--{what}" for what, one, another in pairs if one != another)


def write_run(folder: Path, run: Run) -> None:
    """Keeps what a run was asked, whole or not at all."""
    data = {
        "schema": RUN_SCHEMA,
        "layout": list(run.layout_names) if len(run.layout_names) > 1 else run.layout_names[0],
        "rules": run.rules.to_dict(),
        "reader": run.reader,
        "names": run.names,
        "games": {"kind": run.games.kind, "rows": [list(row) for row in run.games.rows], "players": run.games.players},
    }
    write_atomically(folder / RUN_FILE, json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")


def read_run(folder: Path) -> Run:
    """What a run was asked.

    Raises:
        BatchError: there is no such file, or it is not one that `write_run` wrote.
    """
    path = folder / RUN_FILE
    try:
        data = json.loads(path.read_bytes())
        if data["schema"] != RUN_SCHEMA:
            raise ValueError(f"schema {data['schema']}")
        rules = RuleSet.from_toml(_toml(data["rules"]))
        return Run(_names(data["layout"]), rules, str(data["reader"]), bool(data["names"]), _games(data["games"]))
    except FileNotFoundError as error:
        raise BatchError(f"{folder}: no batch folder, it has no {RUN_FILE}", "make one: rollwrite batch") from error
    except (OSError, ValueError, KeyError, TypeError, RulesError) as error:
        raise BatchError(f"{path} cannot be used ({error})", "run rollwrite batch again, into a new folder") from error


def _games(data: Mapping[str, Any]) -> GameChoice:
    rows = tuple((str(photo), str(game), str(player)) for photo, game, player in data["rows"])
    return GameChoice(str(data["kind"]), rows, int(data["players"]))


def _names(layout: Any) -> tuple[str, ...]:
    """One name, or a list of several."""
    if isinstance(layout, list) and not layout:
        raise ValueError("no layout")
    return tuple(map(str, layout)) if isinstance(layout, list) else (str(layout),)


def _toml(table: Mapping[str, Any], name: str = "") -> str:
    """Rules as TOML: their values are whole numbers, texts, truths and lists, which JSON writes alike."""
    tables = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    lines = [f"[{name}]"] if name else []
    lines += [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in table.items() if key not in tables]
    lines += [_toml(value, f"{name}.{json.dumps(key)}" if name else json.dumps(key)) for key, value in tables.items()]
    return "\n".join(lines)


def _layout_text(run: Run) -> str:
    return json.dumps([layout_to_dict(layout) for layout in run.layouts])

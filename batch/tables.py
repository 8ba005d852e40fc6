"""The tables of a batch folder, for spreadsheets: all sheets, all games, the league."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from batch.games import PlayedGame, Standing
from batch.place import write_atomically
from batch.record import Record
from report.spreadsheet import FIELDS, violations_row

RESULTS_FILE, GAMES_FILE, LEAGUE_FILE = "results.csv", "games.csv", "league.csv"

RESULT_FIELDS = (*FIELDS, "game", "duplicate_of", "corrected", "picture")
_GAME_FIELDS = ("game", "place", "player", "total", "photo", "status", "violations")
_LEAGUE_FIELDS = ("player", "games", "wins", "points", "mean", "best_sheet", "best_column", "best_column_points")

Row = Mapping[str, object]


def write_tables(record: Record, games: Sequence[PlayedGame], standings: Sequence[Standing]) -> None:
    """Writes `results.csv` and, where there are games, `games.csv` and `league.csv`.

    Raises:
        OSError: one cannot be written.
    """
    _write(record.folder / RESULTS_FILE, RESULT_FIELDS, _results(record, games))
    for name, fields, rows in (
        (GAMES_FILE, _GAME_FIELDS, [row for game in games for row in _game_rows(game)]),
        (LEAGUE_FILE, _LEAGUE_FIELDS, [_league_row(standing) for standing in standings]),
    ):
        if games:
            _write(record.folder / name, fields, rows)
        else:
            (record.folder / name).unlink(missing_ok=True)


def _results(record: Record, games: Iterable[PlayedGame]) -> Iterable[Row]:
    places = {game.name: {place.total: place.place for place in game.ranking} for game in games}
    for result in record.results:
        yield {
            **_result_row(record.data(result), places.get(result.game or "", {})),
            "game": result.game or "",
            "duplicate_of": result.duplicate_of or "",
            "corrected": result.corrections or "",
            "picture": result.picture or "",
        }


def _result_row(data: Mapping[str, Any], places: Mapping[int, int]) -> Row:
    """The fields of a result that it has in the tables of a scan too, from its JSON object."""
    source = data["source"]
    row = {"path": data["batch"]["input"], "page": source["page"], "index": source["index"], "status": data["status"]}
    if data["status"] == "error":
        error = data["error"]
        return {**row, "code": error["code"], "message": f"{error['message']}; {error['remedy']}"}
    return {
        **row,
        **data["score"],
        "player": data["sheet"].get("player", ""),
        "place": places.get(data["score"]["total"], ""),
        "confidence": f"{data['confidence']:.4f}",
        **violations_row(
            (found["code"], found["severity"], found["column"], found["space"]) for found in data["violations"]
        ),
        "review": len(data["review"]),
    }


def _game_rows(game: PlayedGame) -> list[Row]:
    places = {place.total: place.place for place in game.ranking}
    found = "; ".join(violation.code for violation in game.violations)
    rows: list[Row] = []
    for result in game.results:
        row: dict[str, object] = {"game": game.name, "player": result.title, "photo": result.where}
        if result.summary is None:
            row["status"] = result.code
        else:
            total = result.summary.total
            row.update(place=places[total], total=total, status="ok", violations=found)
        rows.append(row)
    return sorted(rows, key=lambda row: row.get("place", len(rows) + 1))  # type: ignore[arg-type, return-value]


def _league_row(standing: Standing) -> Row:
    return {
        "player": standing.player,
        "games": standing.games,
        "wins": standing.wins,
        "points": standing.points,
        "mean": f"{standing.mean:.1f}",
        "best_sheet": standing.best_total,
        "best_column": standing.best_column,
        "best_column_points": standing.best_column_points,
    }


def _write(path: Path, fields: Sequence[str], rows: Iterable[Row]) -> None:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, fields, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    # Spreadsheets take a file without this mark for the local 8-bit encoding and garble names.
    write_atomically(path, ("\ufeff" + buffer.getvalue()).encode("utf-8", "replace"))

"""The sample photos that come with the project: `python -m synth.samples OUT`.

One legal game of four players, one photo each, and single sheets: pens, difficult photos, and one for every
violation that a scan can find. (`out-of-range` cannot: a reader of photos knows 1 to 10 and "ink that is no
number", so a 12 is the latter.) Photos are 8 megapixels and well compressed to keep the folder small.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from layouts import SheetLayout, load_layout
from scoring import Sheet
from synth.faults import with_blot, with_violation
from synth.games import play_game, player_names, with_written_totals
from synth.hands import hand_for
from synth.kinds import draw
from synth.pages import Mess
from synth.recipes import Recipe
from synth.writing import Made, render, with_quality

SIZE_WH = (3264, 2448)
_JPEG_QUALITY = 72
_SEED = 20
GAME = ("Ana", "Ben", "Chloe", "Dev")


@dataclass(frozen=True, slots=True)
class Single:
    """One single sample.

    Attributes:
        name: the files' name without ending.
        kind: the kind of photo.
        pen: the pen, or None for the kind's own.
        fault: the code of the violation it shows, or None.
    """

    name: str
    kind: str = "plain"
    pen: str | None = None
    fault: str | None = None


SINGLES = (
    Single("pencil", "normal", "pencil"),
    Single("felt", "normal", "black felt"),
    Single("upside-down", "rotated-180", "blue biro"),
    Single("sideways", "rotated-90", "black biro"),
    Single("shadow", "shadow", "black biro"),
    Single("curl", "curl", "blue biro"),
    Single("violation-gap", fault="gap"),
    Single("violation-descending", fault="descending"),
    Single("violation-unreadable", fault="unreadable"),
    Single("violation-starts-with-ten", fault="starts-with-ten"),
    Single("violation-double-without-expedition", fault="double-without-expedition"),
    Single("violation-bridge-not-reached", fault="bridge-not-reached"),
    Single("violation-artifacts-missing", fault="artifacts-missing"),
    Single("violation-artifacts-surplus", fault="artifacts-surplus"),
)


def make_game(
    out: str | Path, players: Sequence[str] = GAME, seed: int = _SEED, size: tuple[int, int] = SIZE_WH
) -> tuple[Sheet, ...]:
    """Plays one legal game to its end and writes a photo and a truth file, a Sheet, for each player.

    Args:
        out: the folder, made if missing; the files are called like the players, in small letters.
        players: their names, 2 to 5.
        seed: the game's number.
        size: the photos' size.

    Returns:
        The players' sheets.
    """
    rng = np.random.default_rng(seed)
    layout = load_layout()
    sheets = play_game(rng, len(players), layout, names=players)
    for k, sheet in enumerate(sheets):
        recipe = replace(_small(draw("normal", rng)), mess=Mess(strays=0.2))
        recipe = replace(recipe, scene=replace(recipe.scene, turn=0))
        _write(Path(out), players[k].lower(), sheet, render_one(sheet, seed * 100 + k, recipe, layout, rng, size))
    return sheets


def make_single(out: str | Path, single: Single, seed: int = _SEED, size: tuple[int, int] = SIZE_WH) -> Sheet:
    """Writes one photo and its truth file, a Sheet.

    Raises:
        ValueError: an unknown kind, pen or fault.
    """
    rng = np.random.default_rng([seed, *single.name.encode()])
    layout = load_layout()
    sheet = _sheet_with(single.fault, layout, rng)
    recipe = replace(_small(draw(single.kind, rng)), mess=Mess(strays=0.2))
    if single.pen is not None:
        recipe = replace(recipe, pen=single.pen)
    made = render_one(sheet, int(rng.integers(1000, 10**6)), recipe, layout, rng, size)
    _write(Path(out), single.name, sheet, made)
    return sheet


def render_one(
    sheet: Sheet, hand: int, recipe: Recipe, layout: SheetLayout, rng: np.random.Generator, size: tuple[int, int]
) -> Made:
    """One sheet in one photo, by a hand kept for samples."""
    return render([sheet], [hand_for("sample", hand)], recipe, layout, rng, size)


def _small(recipe: Recipe) -> Recipe:
    """Compressed well, and with little noise, which costs most of a photo's bytes."""
    sensor = replace(recipe.scene.sensor, noise=min(recipe.scene.sensor.noise, 1.6), sharpen=0.2)
    return with_quality(replace(recipe, scene=replace(recipe.scene, sensor=sensor)), _JPEG_QUALITY)


def _sheet_with(fault: str | None, layout: SheetLayout, rng: np.random.Generator) -> Sheet:
    """A player's sheet, half filled so that most faults find a place, with that fault."""
    while True:
        turns = int(rng.integers(16, 30))
        sheet = play_game(rng, 3, layout, turns=turns, names=player_names(rng, 3))[0]
        if fault == "unreadable":
            found = with_blot(sheet, rng)
        else:
            found = sheet if fault is None else with_violation(sheet, fault, rng, layout.specials)
        if found is not None:
            return found if found.written else with_written_totals(found, columns_too=fault is None)


def _write(folder: Path, name: str, sheet: Sheet, made: Made) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jpg").write_bytes(made.jpeg)
    (folder / f"{name}.json").write_text(json.dumps(sheet.to_dict(), indent=1) + "\n", "utf-8")


def main(out: str) -> None:
    """Writes `game-1/` and `single/` into a folder."""
    make_game(Path(out) / "game-1")
    for single in SINGLES:
        make_single(Path(out) / "single", single)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m synth.samples OUT")
    main(sys.argv[1])

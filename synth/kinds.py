"""The kinds of photos, by name, and the mixes that make a difficulty.

A kind draws a `Recipe`: everything about a photo except what the sheet says and who wrote it.
"""

from __future__ import annotations

import numpy as np

from synth import circumstances, refusals, views
from synth.recipes import Recipe, Rng
from synth.views import Maker

DIFFICULTIES = ("easy", "normal", "hard")
ABOUT_TAGS = ("no-tags", "tags-covered")  # make no sense for a sheet that has none


def draw(kind: str, rng: Rng) -> Recipe:
    """A recipe of that kind.

    Raises:
        ValueError: an unknown kind; the message names the known ones.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind of photo {kind!r}: expected one of {', '.join(KINDS)}")
    return KINDS[kind](rng)


def draw_kind(difficulty: str, rng: Rng, tags: bool = True) -> str:
    """A kind of that difficulty's mix; without tags, none that is about them.

    Raises:
        ValueError: an unknown difficulty.
    """
    if difficulty not in MIXES:
        raise ValueError(f"unknown difficulty {difficulty!r}: expected one of {', '.join(MIXES)}")
    mix = {kind: share for kind, share in MIXES[difficulty].items() if tags or kind not in ABOUT_TAGS}
    shares = np.array(list(mix.values()))
    return list(mix)[int(rng.choice(len(mix), p=shares / shares.sum()))]


KINDS: dict[str, Maker] = {
    "normal": views.normal,
    "hard": views.hard,
    "plain": views.plain,
    "blank": views.blank,
    "rotated-90": views.rotated(1),
    "rotated-180": views.rotated(2),
    "rotated-270": views.rotated(3),
    "tilt": views.tilted(20, 35),
    "tilt-hard": views.tilted(35, 50),
    "curl": views.curl,
    "fold": views.fold,
    "shadow": views.shadow,
    "white-table": views.white_table,
    "glare": views.glare,
    "dusk": views.dusk,
    "cast": views.colour_cast,
    "blur-ok": views.blurred,
    "cropped": views.cropped,
    "no-tags": views.tags("none"),
    "tags-covered": views.tags("covered"),
    "grey": views.grey,
    "pencil": views.with_pen("pencil", "pencil", "faint pencil"),
    "felt": views.with_pen("black felt", "black felt", "blue felt", "red felt"),
    "turned": circumstances.turned,
    "mirrored": circumstances.mirrored,
    "lifted-corner": circumstances.lifted_corner,
    "dog-ear": circumstances.dog_ear,
    "hand": circumstances.hand,
    "dice": circumstances.dice,
    "cloth": circumstances.cloth,
    "newspaper": circumstances.newspaper,
    "several": circumstances.several,
    "several-8": circumstances.several_eight,
    "no-sheet-texture": refusals.texture,
    "no-sheet-text": refusals.foreign("text"),
    "no-sheet-form": refusals.foreign("form"),
    "no-sheet-game": refusals.foreign("game"),
    "cut-off": refusals.cut_off,
    "blurred": refusals.blurred,
}

MIXES: dict[str, dict[str, float]] = {
    "easy": {"plain": 0.85, "normal": 0.15},
    "normal": {
        "normal": 0.66, "pencil": 0.05, "felt": 0.04, "curl": 0.04, "fold": 0.03, "tilt": 0.04, "shadow": 0.02,
        "cast": 0.03, "white-table": 0.02, "rotated-90": 0.01, "rotated-180": 0.02, "rotated-270": 0.01, "grey": 0.03,
    },
    "hard": {
        "hard": 0.44, "tilt": 0.03, "tilt-hard": 0.03, "curl": 0.03, "fold": 0.03, "shadow": 0.04, "white-table": 0.03,
        "glare": 0.04, "dusk": 0.04, "cast": 0.02, "blur-ok": 0.03, "cropped": 0.03, "no-tags": 0.02,
        "tags-covered": 0.02, "grey": 0.02, "several": 0.02, "several-8": 0.01, "turned": 0.03, "mirrored": 0.01,
        "lifted-corner": 0.02, "dog-ear": 0.01, "hand": 0.02, "dice": 0.01, "cloth": 0.01, "newspaper": 0.01,
    },
}  # fmt: skip

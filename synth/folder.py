"""A folder of synthetic photos, each with its truth file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from synth.writing import check_words, make_one

Run = Callable[[Callable[[int], None], Iterable[int]], Iterable[None]]


def make(
    out: str | Path,
    n: int,
    seed: int,
    difficulty: str = "normal",
    only: str | None = None,
    size: tuple[int, int] | None = None,
    layout: str = "expedition-a5",
    namespace: str = "eval",
    progress: Callable[[int, int], None] | None = None,
    run: Run = map,
    pad: str | None = None,
) -> None:
    """Writes `n` photos IMG_00001.jpg, ... and their truth IMG_00001.json, ... into a folder.

    Args:
        out: the folder, made if missing.
        n: how many photos.
        seed: photo i depends on this, on i and on the options alone.
        difficulty: `easy`, `normal` or `hard`.
        only: a key of `synth.kinds.KINDS`: all photos of this kind, whatever the difficulty.
        size: the sensor's width and height in pixels; None means 12 megapixels.
        layout: name or file of the sheet's layout.
        namespace: whose hands, see `synth.hands.hand_for`.
        progress: called with photos done and all after each photo.
        run: how a function is called for each photo's number, like `map`; a pool's `map` shares them out.
        pad: a name of `synth.pads.PADS` for sheets of that pad in place of the layout's.

    Raises:
        ValueError: an unknown difficulty, kind, namespace or pad, the message names the known ones; or a kind about
            corner tags of a pad, which has none.
        LayoutError: an unknown layout, or one without a picture of the blank sheet.
    """
    check_words(difficulty, only, namespace, pad)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    options: dict[str, Any] = {
        "difficulty": difficulty,
        "only": only,
        "size": size,
        "layout": layout,
        "namespace": namespace,
        "pad": pad,
    }
    for done, _ in enumerate(run(partial(write_one, folder, seed, **options), range(1, n + 1)), 1):
        if progress is not None:
            progress(done, n)


def write_one(folder: Path, seed: int, i: int, **options: Any) -> None:
    """Writes the i-th photo of a seed and its truth file; the options are those of `make_one`."""
    made = make_one(seed, i, **options)
    (folder / f"IMG_{i:05}.jpg").write_bytes(made.jpeg)
    (folder / f"IMG_{i:05}.json").write_text(json.dumps(made.truth), "utf-8")

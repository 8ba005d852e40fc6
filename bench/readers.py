"""Both readers on the same photos: `python -m bench.readers` writes docs/accuracy.md.

The photos are made where they are not there yet. Each is read by the net, by Tesseract, and by the net with the
player's name, one after the other, so that whatever else the machine does slows them all alike.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

# Before numpy and OpenCV are loaded.
os.environ["OMP_NUM_THREADS"] = "1"

import click
import cv2

from commands.inputs import scan_options
from evaluation import PhotoOutcome, evaluate_photo, measure
from evaluation.compare import matched
from evaluation.truth import load_photo_truth, truth_path
from scanner import ScanError, ScanOptions, scan_photo
from synth import make

_SHARES = (
    ("numbers right, of the filled spaces", "cells", "numbers_where_filled"),
    ("filled or empty right", "cells", "filled_or_empty"),
    ("totals right", "totals", ""),
    ("sheets right in every cell", "whole_sheets", ""),
    ("violations named that are there", "violations", "precision"),
    ("violations there that are named", "violations", "recall"),
    ("cells to check", "doubtful", "cells"),
    ("sheets with a cell to check", "doubtful", "sheets"),
    ("wrong cells among those to check", "doubtful", "wrong_cells_flagged"),
    ("sheets refused", "refused", ""),
)


@dataclass(frozen=True, slots=True)
class Names:
    """What came of the players' names on sheets with one, and how many names were seen on sheets without."""

    written: int = 0
    right: int = 0
    wrong: int = 0
    invented: int = 0

    def __add__(self, other: Names) -> Names:
        return Names(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@click.command()
@click.option("--photos", "folder", default="out/readers", show_default=True, metavar="DIR", help="Where photos are.")
@click.option("-n", "--count", default=40, show_default=True, metavar="N", help="How many of them.")
@click.option("--seed", default=4202, show_default=True, help="Their seed.")
@click.option("-o", "--output", default="docs/accuracy.md", show_default=True, metavar="FILE", help="What to write.")
def main(folder: str, count: int, seed: int, output: str) -> None:
    """Compares both readers on synthetic photos of difficulty normal."""
    cv2.setNumThreads(1)
    tesseract, named = scan_options("tesseract"), scan_options("net", names=True)
    place = Path(folder) / str(seed)
    if len(list(place.glob("*.jpg"))) < count:
        make(place, count, seed, "normal")
    photos = sorted(place.glob("*.jpg"))[:count]
    by_net, by_tesseract, names = [], [], Names()
    # Once for nothing: the first scan loads the net.
    evaluate_photo(photos[0])
    for photo in photos:
        by_net.append(evaluate_photo(photo))
        by_tesseract.append(evaluate_photo(photo, options=tesseract))
        names += names_in(photo, named)
    arguments = "" if (count, seed) == (40, 4202) else f" -n {count} --seed {seed}"
    text = page(f"python -m bench.readers{arguments}", seed, by_net, by_tesseract, names)
    Path(output).write_text(text, encoding="utf-8")
    click.echo(text)


def names_in(photo: Path, options: ScanOptions) -> Names:
    """What is read of the names in a photo."""
    try:
        readings = scan_photo(photo, options=options)
    except ScanError:
        return Names()
    found = Names()
    for truth, reading in matched(load_photo_truth(truth_path(photo)).sheets, readings):
        written, read = truth.sheet.player, reading.sheet.player
        right, there = read is not None and read == written, written is not None
        wrong = read is not None and there and not right
        found += Names(there, right, wrong, read is not None and not there)
    return found


def page(
    command: str, seed: int, by_net: Sequence[PhotoOutcome], by_tesseract: Sequence[PhotoOutcome], names: Names
) -> str:
    """The comparison as Markdown."""
    return "".join(f"{line}\n" for line in _lines(command, seed, by_net, by_tesseract, names))


def _lines(
    command: str, seed: int, by_net: Sequence[PhotoOutcome], by_tesseract: Sequence[PhotoOutcome], names: Names
) -> Iterator[str]:
    net, tesseract = measure(by_net), measure(by_tesseract)
    yield from (
        "# The net and Tesseract on the same photos",
        "",
        f"Written by `{command}` (needs Tesseract). {net['photos']} synthetic photos with {net['sheets']} sheets,",
        f"`rollwrite synth -n {net['photos']} --seed {seed} --difficulty normal`; no threshold was chosen on them.",
        "`rollwrite eval DIR` and `rollwrite eval DIR --reader tesseract` compare on yours.",
        "",
        "| | net | Tesseract |",
        "|---|---|---|",
    )
    for label, group, key in _SHARES:
        yield f"| {label} | {_share(net, group, key)} | {_share(tesseract, group, key)} |"
    silent = (len(figures["unflagged_wrong_totals"]) for figures in (net, tesseract))
    yield "| wrong totals with nothing to check | {} | {} |".format(*silent)
    yield f"| time of a photo, median, in this run | 1 | {_time_ratio(by_net, by_tesseract):.1f} |"
    yield from (
        "",
        "Only the numbers are Tesseract's. Whether a space is filled, marks, circles and bridges are the net's for",
        "both, so the totals hardly differ. Tesseract gets all numbers of a sheet on one clean page, print taken out,",
        "nine to a line ([how](../scanner/tesseract.py)). What it leaves out counts as ink that is no number. It was",
        "made for lines of print and not for single handwritten figures; the net stays the default.",
        "",
        "## Players' names",
        "",
        f"`scan --names` on the same photos: {names.written} names are written. {names.right} were read,",
        f"{names.wrong} read wrong, {names.written - names.right - names.wrong} left out as uncertain;",
        f"{names.invented} read where none is. Letters of synthetic names are simple and drawn one by one: joined",
        "writing will be left out more often.",
    )


def _share(figures: Mapping[str, Any], group: str, key: str) -> str:
    share = figures[group][key] if key else figures[group]
    part = "-" if share["share"] is None else f"{share['share']:.1%}".replace("%", " %")
    return f"{part} ({share['right']} of {share['of']})"


def _time_ratio(by_net: Sequence[PhotoOutcome], by_tesseract: Sequence[PhotoOutcome]) -> float:
    """How many times longer photos took with Tesseract: the median over those that both read."""
    pairs = zip(by_net, by_tesseract, strict=True)
    return median(b.timing_ms["total"] / a.timing_ms["total"] for a, b in pairs if a.timing_ms and b.timing_ms)


if __name__ == "__main__":
    main()

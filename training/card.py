"""The model's card: `cells.json` for the program, `README.md` for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scanner.nets import MARK_CLASSES, NUMBER_VALUES, SECOND_SHARE, SURE
from scanner.reader import CELL_PX, PLANES
from training.evaluate import Figure
from training.sources import FILES

LICENCES = {
    "mnist": "MNIST, Y. LeCun, C. Cortes, C. Burges; CC BY-SA 3.0",
    "semeion": "Semeion Handwritten Digit, Semeion Research Center and Tattile, Italy, via UCI; CC BY 4.0",
    "mfeat": "Multiple Features, R. Duin, Delft University of Technology, via UCI; CC BY 4.0",
    "pendigits": "Pen-Based Recognition of Handwritten Digits, E. Alpaydin and F. Alimoglu, via UCI; CC BY 4.0",
    "photo_cells": "cells of sudoku photographs, AlexKubiesa/sudoku-scanner; MIT",
}


def card(
    models: Sequence[dict[str, Any]],
    temperature: dict[str, float],
    plan: dict[str, Any],
    hashes: dict[str, str],
    figures: Sequence[Figure],
    calibration: dict[str, float],
) -> dict[str, Any]:
    """The card as JSON."""
    return {
        "models": list(models),
        "input": {"planes": PLANES, "side_px": CELL_PX},
        "numbers": list(NUMBER_VALUES),
        "marks": list(MARK_CLASSES),
        "temperature": temperature,
        "training": plan,
        "data": {
            name: {"file": FILES[name], "sha256": hashes[name], "source": LICENCES[name]} for name in sorted(FILES)
        },
        "figures": [
            {"name": f.name, "cells": f.cells, "errors": f.errors, "percent": round(100 * f.share, 3)} for f in figures
        ],
        "calibration_error": calibration,
    }


def write_card(folder: Path, content: dict[str, Any]) -> None:
    """Writes `cells.json` and `README.md`."""
    (folder / "cells.json").write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    (folder / "README.md").write_text(_text(content), "utf-8")


def _text(content: dict[str, Any]) -> str:
    plan = content["training"]
    models = "\n".join(
        f"- `{m['file']}` {m['role']}: {m['bytes']} bytes, {m['parameters']} parameters,\n  SHA-256 `{m['sha256']}`"
        for m in content["models"]
    )
    rows = "\n".join(
        f"| {f['name']} | {f['cells']} | {f['errors']} | {f['percent']:.2f} % |" for f in content["figures"]
    )
    data = "\n".join(
        f"- `{entry['file']}`: {entry['source']}\n  (SHA-256 `{entry['sha256']}`)" for entry in content["data"].values()
    )
    errors = ", ".join(f"{name} {100 * value:.2f} %" for name, value in content["calibration_error"].items())
    return f"""# The cell reader's nets

{models}

Weights are stored with 16 bits, computed with 32. Below {SURE:.0%} for the likeliest value of the first net the second
one looks too, and counts {SECOND_SHARE:.0%}. Made by `python -m training DATA --out scanner/models`; this page and
`cells.json` are written by it.

**Read** one cell of a score sheet: what number is written in it (empty, 1 to 10, ink that is no number), and
whether and how it is marked (unmarked, claimed, struck out).
**Are given** {PLANES} planes of {CELL_PX} x {CELL_PX} pixels: the cell's darkness as photographed and as printed, and
two planes of added colour (`scanner.reader.normalise`). The print may be unknown.

## Trained on

Cells composed by `training/`: printed cells (our layouts' and invented ones), written on with digits of the data
sets below and with strokes of procedural hands (`synth.hands`, namespace `train`), then photographed by a model of
camera and pipeline: misplacement, light, shadow, blur, noise, JPEG. A part are cells of synthetic photos (`synth`) of
whole sheets, written with the same digits and hands, cut by the scan itself or at their true corners. No real photo of
a filled score sheet was used. Nearly half of each batch is new: numbers laid over empty cells of those photos, ends of
the next space's numbers among them, and the data sets' own pictures, bent and with other pens. Learnt wide
({plan["wide_channels"]} channels), made narrow by least squares ({plan["channels"]}), learnt on; then the wide net
learnt again, on cells that leave the narrow one unsure.
{plan["cells"]} different cells of shards, {plan["steps"]} batches of {plan["batch"]} wide,
{plan["narrow_steps"]} narrow, {plan["again_steps"]} again,
seed {plan["seed"]}, {plan["minutes"]} minutes. {plan["note"]}

{data}

The digits' shapes in the weights come from these; the files themselves are not part of the program.

## How good it is

Never trained on: the last part by index of every source (`training.sources.HELD_OUT`), bare, print unknown; and
cells of synthetic photos and composed cells with those digits and with procedural hands of another range.

| on | cells | errors | share |
|---|---|---|---|
{rows}

Temperatures fitted on further held-out digits and hands: numbers {content["temperature"]["numbers"]:.3f},
marks {content["temperature"]["marks"]:.3f}. Expected calibration error on the photos: {errors}.

## Where it is weak

A lone 0 is ink that is no number of this game; totals have [a net of their own](totals.md). Corrections (a number
struck out and another beside it) are read worse than clean numbers. Faint pencil under strong noise or blur is missed
now and then. The composed cells are hard on
purpose: their figures are worse than those of ordinary photographs.
"""

"""The model's card: `cells.json` for the program, `README.md` for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scanner.reader import CELL_PX, MARK_CLASSES, NUMBER_VALUES, PLANES
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
    sha256: str,
    size: int,
    parameters: int,
    temperature: dict[str, float],
    plan: dict[str, Any],
    hashes: dict[str, str],
    figures: Sequence[Figure],
    calibration: dict[str, float],
) -> dict[str, Any]:
    """The card as JSON."""
    return {
        "model": {"file": "cells.onnx", "sha256": sha256, "bytes": size, "parameters": parameters},
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
    model, plan = content["model"], content["training"]
    rows = "\n".join(
        f"| {f['name']} | {f['cells']} | {f['errors']} | {f['percent']:.2f} % |" for f in content["figures"]
    )
    data = "\n".join(
        f"- `{entry['file']}`: {entry['source']}\n  (SHA-256 `{entry['sha256']}`)" for entry in content["data"].values()
    )
    errors = ", ".join(f"{name} {100 * value:.2f} %" for name, value in content["calibration_error"].items())
    return f"""# The cell reader's net

`cells.onnx`: {model["bytes"]} bytes, {model["parameters"]} parameters, float32,
SHA-256 `{model["sha256"]}`.
Made by `python -m training DATA --out scanner/models`; this page and `cells.json` are written by it.

**Reads** one cell of a score sheet: what number is written in it (empty, 1 to 10, ink that is no number), and
whether and how it is marked (unmarked, claimed, struck out).
**Is given** {PLANES} planes of {CELL_PX} x {CELL_PX} pixels: the cell's darkness as photographed and as printed, and
two planes of added colour (`scanner.reader.normalise`). The print may be unknown.

## Trained on

Cells composed by `training/`: printed cells (our layouts' and invented ones), written on with digits of the data
sets below and with strokes of procedural hands (`synth.hands`, namespace `train`), then photographed by a model of
camera and pipeline: misplacement, light, shadow, blur, noise, JPEG. A part are cells of synthetic photos (`synth`) of
whole sheets, written with the same digits and hands, cut by the scan itself or at their true corners. No real photo of
a filled score sheet was used. Learnt wide ({plan["wide_channels"]} channels), made narrow by least squares
({plan["channels"]}), learnt on.
{plan["cells"]} different cells, {plan["steps"]} batches of {plan["batch"]} wide and {plan["narrow_steps"]} narrow,
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

A lone 0 is ink that is no number of this game. Corrections (a number struck out and another beside it) are read worse
than clean numbers. Faint pencil under strong noise or blur is missed now and then. The composed cells are hard on
purpose: their figures are worse than those of ordinary photographs.
"""

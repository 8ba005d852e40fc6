"""`python -m training DATA_DIR --out scanner/models`: the whole way from data sets to the package's model files."""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import torch

from scanner.nets import FIRST_FILE, SECOND_FILE
from scanner.reader import normalise
from training.card import card, write_card
from training.evaluate import (
    SPLIT,
    calibration_error,
    composed,
    photographed,
    runner,
    shard_figures,
    shard_logits,
    source_figures,
    temperature,
)
from training.export import check_parity, to_onnx, write_onnx
from training.net import CellNet
from training.plan import Plan
from training.pool import SHARD_CELLS
from training.shard import Shard, joined
from training.sources import sha256_of
from training.train import Pair, train

JUDGED_CELLS, JUDGED_PHOTOS = 6000, 40
"""Composed cells and synthetic photos for calibration, and as many for evaluation: enough for a tenth of a percent."""


def main() -> None:
    """Prepares, trains, exports, evaluates, writes the card."""
    options = _options()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    plan = Plan(seed=options.seed, workers=options.workers)
    if options.steps:
        plan = replace(plan, steps=options.steps, narrow_steps=options.steps, again_steps=options.steps)
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(options.work or scratch)
        begun = time.monotonic()
        nets = train(options.data, work, plan, _say)
        minutes = round((time.monotonic() - begun) / 60)
    finish(nets, plan, options.data, options.out, minutes)


def finish(
    nets: Pair, plan: Plan, data: Path, out: Path, minutes: int, cells: int | None = None, note: str = ""
) -> None:
    """Exports, calibrates, evaluates and describes trained nets.

    Args:
        nets: the narrow and the wide one.
        plan: how they were trained.
        data: the folder of the data sets.
        out: where the model files go.
        minutes: how long training took.
        cells: how many different cells of shards they were trained on, if not as the plan says.
        note: what else the card must say about the training.
    """
    first, second = to_onnx(nets.narrow), to_onnx(nets.wide)
    run = runner(first, second)
    tuning = joined(_judged(data, "calibrate", plan.seed + 501))
    logits = shard_logits(run, tuning)
    heat = {
        "numbers": temperature(logits[:, :SPLIT], tuning.numbers),
        "marks": temperature(logits[:, SPLIT:], tuning.marks),
    }
    photos, cells_apart = _judged(data, "evaluate", plan.seed + 502)
    some = normalise(photos.images[:64], photos.blanks[:64], photos.known[:64])
    for net, onnx in ((nets.narrow, first), (nets.wide, second)):
        _say(f"largest difference between torch and cv2.dnn: {check_parity(net, onnx, some):.1e}")
    logits = shard_logits(run, photos)
    figures = [
        *source_figures(run, data),
        *shard_figures(logits, photos, "synthetic photos"),
        *shard_figures(shard_logits(run, cells_apart), cells_apart, "composed, print known"),
        *shard_figures(shard_logits(run, cells_apart, hide=True), cells_apart, "composed, print unknown"),
    ]
    calibration = {
        "numbers": round(calibration_error(logits[:, :SPLIT], photos.numbers, heat["numbers"]), 5),
        "marks": round(calibration_error(logits[:, SPLIT:], photos.marks, heat["marks"]), 5),
    }
    plan_data = {
        "seed": plan.seed,
        "steps": plan.steps,
        "narrow_steps": plan.narrow_steps,
        "again_steps": plan.again_steps,
        "wide_channels": list(nets.wide.channels),
        "channels": list(nets.narrow.channels),
        "batch": plan.batch,
        "cells": plan.shards * SHARD_CELLS if cells is None else cells,
        "minutes": minutes,
        "note": note,
    }
    files = {FIRST_FILE: first, SECOND_FILE: second}
    hashes = write_onnx(out, files)
    roles = {FIRST_FILE: (nets.narrow, "looks at every cell"), SECOND_FILE: (nets.wide, "looks again at unclear ones")}
    models = [_described(name, *roles[name], files[name], hashes[name]) for name in files]
    write_card(out, card(models, heat, plan_data, sha256_of(data), figures, calibration))
    for figure in figures:
        _say(f"{figure.name:36s} {figure.errors:5d} of {figure.cells:6d}  {100 * figure.share:.2f} %")


def _described(name: str, net: CellNet, role: str, onnx: bytes, sha256: str) -> dict[str, Any]:
    parameters = sum(parameter.numel() for parameter in net.parameters())
    return {"file": name, "role": role, "sha256": sha256, "bytes": len(onnx), "parameters": parameters}


def _judged(data: Path, part: str, seed: int) -> tuple[Shard, Shard]:
    """Cells of photos and composed cells of a part that is never trained on."""
    return photographed(data, part, JUDGED_PHOTOS, seed), composed(data, part, JUDGED_CELLS, seed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA_DIR", help="folder of the data sets")
    parser.add_argument("--out", type=Path, default=Path("scanner/models"), help="where the model files go")
    parser.add_argument("--seed", type=int, default=1, help="of the whole run")
    parser.add_argument("--steps", type=int, help="batches of each part, for a trial")
    parser.add_argument("--workers", type=int, default=Plan().workers, help="processes that draw cells")
    parser.add_argument("--work", type=Path, help="keep shards and checkpoints here instead of a temporary folder")
    return parser.parse_args()


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()

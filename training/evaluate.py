"""How good the nets are on handwriting it has never seen, and the temperatures that make its probabilities honest."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from scanner.nets import NUMBER_VALUES, Nets, load_net
from scanner.reader import fitted, normalise
from training.cells import Composer
from training.labels import UNSURE
from training.photos import Photographer
from training.pool import draw_shard
from training.shard import Shard, joined
from training.sources import MISJOINED, Sources, load_sources

SPLIT = len(NUMBER_VALUES)
U8 = NDArray[np.uint8]
Logits = NDArray[np.float32]
Run = Callable[[NDArray[np.float32], bool], Logits]
"""From planes, and whether they hold numbers or marks, to logits of both heads."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the model card: `errors` among `cells`."""

    name: str
    cells: int
    errors: int

    @property
    def share(self) -> float:
        """Errors per cell."""
        return self.errors / max(1, self.cells)


def runner(first: bytes, second: bytes) -> Run:
    """Runs the exported nets, as the program does."""
    nets = Nets(load_net(first), load_net(second), threading.Lock())

    def run(planes: NDArray[np.float32], numbers: bool) -> Logits:
        parts = [planes[start : start + 256] for start in range(0, len(planes), 256)]
        return np.concatenate([nets.logits(part, np.full(len(part), numbers)) for part in parts])

    return run


def bare(run: Run, crops: list[U8]) -> Logits:
    """Logits of grey or colour crops of any size, print unknown, prepared as `read_numbers` prepares them."""
    images = []
    for crop in crops:
        colour = cv2.cvtColor(crop, cv2.COLOR_GRAY2BGR) if crop.ndim == 2 else crop
        images.append(fitted(colour, "crop"))
    stack = np.stack(images)
    return run(normalise(stack, np.zeros_like(stack), np.zeros(len(stack), np.bool_)), True)


def source_figures(run: Run, data: Path) -> list[Figure]:
    """Single bare cells of the held-out part of every source, print unknown.

    A zero alone is no number of the game: expected is "?" there.
    """
    sources = load_sources(data, "evaluate")
    figures = []
    for raw in sources.raw:
        predicted = bare(run, list(raw.images))[:, :SPLIT].argmax(1)
        if raw.name != "photo_cells":
            expected = np.where(raw.labels == 0, SPLIT - 1, raw.labels)
            figures.append(Figure(raw.name, len(expected), int((predicted != expected).sum())))
            continue
        hand = (raw.labels > 0) & (raw.labels < 10)
        blank = raw.labels == 0
        figures.append(Figure("photo_cells by hand", int(hand.sum()), int((predicted != raw.labels)[hand].sum())))
        figures.append(Figure("photo_cells blank", int(blank.sum()), int((predicted[blank] != 0).sum())))
    figures.append(_pendigits(run, sources))
    return figures


def _pendigits(run: Run, sources: Sources) -> Figure:
    rng = np.random.default_rng(77)
    crops, expected = [], []
    strokes = sources.strokes
    for points, label in zip(strokes.points, strokes.labels, strict=True):
        if label in MISJOINED:
            continue
        crop = np.full((64, 64), 255, np.uint8)
        line = np.round((points * 40 + 12 - (points.max(0) * 20 - 20)) * 16).astype(np.int32)
        cv2.polylines(crop, [line], False, 40, int(rng.integers(2, 5)), cv2.LINE_AA, 4)
        crops.append(crop)
        expected.append(int(label) or SPLIT - 1)
    predicted = bare(run, crops)[:, :SPLIT].argmax(1)
    return Figure("pendigits", len(expected), int((predicted != np.array(expected)).sum()))


def composed(data: Path, part: str, cells: int, seed: int) -> Shard:
    """Invented cells with held-out digits and hands."""
    return draw_shard(Composer(load_sources(data, part), part, seed), cells)


def photographed(data: Path, part: str, photos: int, seed: int) -> Shard:
    """Cells of synthetic photos with held-out digits and hands."""
    photographer = Photographer(Composer(load_sources(data, part), part, seed), part, seed)
    shots: list[Shard] = []
    while len(shots) < photos:
        shot = photographer.photo()
        if shot is not None:
            shots.append(shot)
    return joined(shots)


def shard_logits(run: Run, shard: Shard, hide: bool = False) -> Logits:
    """Logits of a shard's cells, with or without their prints."""
    known = shard.known & (not hide)
    planes = normalise(shard.images, shard.blanks, known)
    return np.concatenate([run(planes, True)[:, :SPLIT], run(planes, False)[:, SPLIT:]], axis=1)


def shard_figures(logits: Logits, shard: Shard, name: str) -> list[Figure]:
    """Empties and fills mistaken, wrong numbers, wrong marks."""
    predicted, marks = logits[:, :SPLIT].argmax(1), logits[:, SPLIT:].argmax(1)
    sure = shard.numbers >= 0
    filled = shard.numbers > 0
    numbers = filled & (shard.numbers < SPLIT - 1)
    marked = shard.marks != UNSURE
    return [
        Figure(f"{name}: filled or empty", int(sure.sum()), int(((predicted > 0) != filled)[sure].sum())),
        Figure(f"{name}: numbers", int(numbers.sum()), int((predicted != shard.numbers)[numbers].sum())),
        Figure(f"{name}: marks", int(marked.sum()), int(((marks > 0) != (shard.marks > 0))[marked].sum())),
    ]


def temperature(logits: Logits, labels: NDArray[np.int64]) -> float:
    """The temperature with the least cross entropy on cells with a label (Guo et al., ICML 2017)."""
    use = labels >= 0
    scores, wanted = torch.from_numpy(logits[use]), torch.from_numpy(labels[use])
    candidates = np.exp(np.linspace(np.log(0.5), np.log(3.0), 121))
    losses = [float(functional.cross_entropy(scores / float(t), wanted)) for t in candidates]
    return float(candidates[int(np.argmin(losses))])


def calibration_error(logits: Logits, labels: NDArray[np.int64], heat: float, bins: int = 15) -> float:
    """Expected calibration error of the likeliest value over bins of equal width."""
    use = labels >= 0
    scores = logits[use] / heat
    weights = np.exp(scores - scores.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    sure, right = weights.max(1), weights.argmax(1) == labels[use]
    which = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [abs(float((sure - right)[which == i].sum())) for i in range(bins)]
    return float(sum(gaps) / len(sure))

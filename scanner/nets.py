"""The two nets that read cells: a narrow one looks at all of them, a wide one again at those it is unsure of.

A sheet has one or two such cells, so the second look costs little, and all that the wide net has learnt about unclear
figures comes for a fraction of its price. Where both have looked, a mean of their logits counts.
"""

from __future__ import annotations

import json
import tempfile
import threading
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.types import Value

F32 = NDArray[np.float32]

NUMBER_VALUES: tuple[Value, ...] = (None, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "?")
"""The nets' first outputs, in order: empty, the numbers, ink that is no number."""

MARK_CLASSES = ("unmarked", "claimed", "struck")
"""The nets' last outputs: nothing, a tick, circle, filled box or other positive mark, a stroke or cross through it."""

FIRST_FILE, SECOND_FILE = "cells.onnx", "again.onnx"

SURE = 0.93
"""Probability of the likeliest value from which nobody looks again. On held-out photos a higher one, up to 0.99, puts
nothing more right; 0.8 leaves one to six more errors a set."""

SECOND_SHARE = 0.75
"""Weight of the second net in the mean: it knows unclear cells better. It matters little: over seven held-out sets
there are 609 errors with 0.75, 627 with 0.5 and 605 with the second net alone."""

_SPLIT = len(NUMBER_VALUES)


@dataclass(frozen=True, slots=True, eq=False)
class Nets:
    """Both nets, ready to run.

    Attributes:
        first: looks at every cell.
        second: looks at those of which the first is unsure.
        lock: a net of cv2.dnn keeps its input between two calls, and its output until the next: one thread at a time.
    """

    first: Any
    second: Any
    lock: threading.Lock

    def logits(self, planes: F32, numbers: NDArray[np.bool_]) -> F32:
        """What the nets say of cells.

        Args:
            planes: float32 (N, 4, 48, 48), see `scanner.reader.normalise`; N > 0.
            numbers: bool (N,), which cells hold numbers; the others hold marks.

        Returns:
            float32 (N, 15): logits of the numbers, then of the marks.
        """
        with self.lock:
            logits = _run(self.first, planes)
            again = np.flatnonzero(unsure(logits, numbers))
            if len(again):
                logits[again] += SECOND_SHARE * (_run(self.second, planes[again]) - logits[again])
        return logits


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The nets and their temperatures: logits are divided by them before they become probabilities."""

    nets: Nets
    number_temperature: float
    mark_temperature: float


def unsure(logits: F32, numbers: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which rows of logits (N, 15) leave a doubt about the number, or about the mark where there are no numbers."""
    figures, marks = softmax(logits[:, :_SPLIT]), softmax(logits[:, _SPLIT:])
    marked = np.maximum(marks[:, 0], 1 - marks[:, 0])
    return np.asarray(np.where(numbers, figures.max(axis=1), marked) < SURE, dtype=np.bool_)


def softmax(logits: F32) -> F32:
    """Probabilities of rows of logits."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float32)


def _run(net: Any, planes: F32) -> F32:
    net.setInput(planes)
    return np.array(net.forward(), dtype=np.float32)


@cache
def load_model() -> Model:
    """The nets of the package, loaded once a process; reading does it by itself."""
    folder = resources.files("scanner").joinpath("models")
    card = json.loads(folder.joinpath("cells.json").read_text("utf-8"))
    first, second = (load_net(folder.joinpath(name).read_bytes()) for name in (FIRST_FILE, SECOND_FILE))
    temperature = card["temperature"]
    nets = Nets(first, second, threading.Lock())
    return Model(nets, float(temperature["numbers"]), float(temperature["marks"]))


def load_net(onnx: bytes) -> Any:
    """A net for cv2.dnn, by its classic engine, which is twice as fast on it as the one that OpenCV 5 prefers.

    It goes through a file: given the bytes, OpenCV 5.0 takes its own engine, whatever it is asked for.
    """
    if not hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(np.frombuffer(onnx, np.uint8))
    with tempfile.TemporaryDirectory(prefix="rollwrite-") as folder:
        path = Path(folder) / "cells.onnx"
        path.write_bytes(onnx)
        return cv2.dnn.readNetFromONNX(str(path), engine=cv2.dnn.ENGINE_CLASSIC)

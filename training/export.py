"""From the trained net to the files of the package, and the proof that they compute the same."""

from __future__ import annotations

import hashlib
import io
import warnings
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from scanner.reader import CELL_PX, PLANES, load_net
from training.net import CellNet, folded

OPSET = 18
"""Both engines of OpenCV 5 and OpenCV 4.10 and later import it."""

MAX_BYTES = 600_000

PARITY = 2e-4
"""Largest difference of a logit between torch and cv2.dnn that rounding explains."""


def to_onnx(net: CellNet) -> bytes:
    """The net as ONNX, batch normalisation folded, batch size free.

    Raises:
        ValueError: the file is larger than the package allows.
    """
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            folded(net).to(memory_format=torch.contiguous_format),
            (torch.zeros(2, PLANES, CELL_PX, CELL_PX),),
            buffer,
            opset_version=OPSET,
            input_names=["cells"],
            output_names=["logits"],
            dynamic_axes={"cells": {0: "n"}, "logits": {0: "n"}},
            dynamo=False,
        )
    data = buffer.getvalue()
    if len(data) > MAX_BYTES:
        raise ValueError(f"the net has {len(data)} bytes, more than {MAX_BYTES}")
    return data


def check_parity(net: CellNet, onnx: bytes, planes: NDArray[np.float32]) -> float:
    """Largest difference of a logit between torch and every engine of cv2.dnn, over batches of one and of many.

    Raises:
        ValueError: it is more than rounding explains.
    """
    with torch.no_grad():
        expected = folded(net)(torch.from_numpy(planes)).numpy()
    nets = [load_net(onnx), cv2.dnn.readNetFromONNX(np.frombuffer(onnx, np.uint8))]
    worst = 0.0
    for runner in nets:
        for part in (slice(0, len(planes)), slice(0, 1), slice(0, 7)):
            runner.setInput(planes[part])
            worst = max(worst, float(np.abs(runner.forward() - expected[part]).max()))
    if worst > PARITY:
        raise ValueError(f"cv2.dnn differs from torch by {worst:.2g}, more than {PARITY}")
    return worst


def write_onnx(folder: Path, onnx: bytes) -> str:
    """Writes `cells.onnx` and returns its SHA-256."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cells.onnx").write_bytes(onnx)
    return hashlib.sha256(onnx).hexdigest()

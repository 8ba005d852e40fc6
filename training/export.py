"""From the trained nets to the files of the package, and the proof that they compute the same.

Weights are stored with 16 bits and computed with 32: half the bytes, and no reading changes.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from scanner.nets import load_net
from scanner.reader import CELL_PX, PLANES
from training.net import CellNet, folded

OPSET = 18
"""Both engines of OpenCV 5 and OpenCV 4.10 and later import it."""

MAX_BYTES = 600_000
"""Size of all files together."""

PARITY = 2e-4
"""Largest difference of a logit between torch and cv2.dnn that rounding explains."""


def to_onnx(net: CellNet) -> bytes:
    """The net as ONNX, batch normalisation folded, weights halved, batch size free."""
    return exported(folded(net), torch.zeros(2, PLANES, CELL_PX, CELL_PX), "cells")


def exported(layers: torch.nn.Sequential, example: torch.Tensor, name: str) -> bytes:
    """Layers without batch normalisation as ONNX, weights halved, batch size free.

    Args:
        layers: what to export; their weights are rounded to 16 bits.
        example: a batch of two inputs.
        name: what the input is called.
    """
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _rounded(layers),
            (example,),
            buffer,
            opset_version=OPSET,
            input_names=[name],
            output_names=["logits"],
            dynamic_axes={name: {0: "n"}, "logits": {0: "n"}},
            dynamo=False,
        )
    return _halved(buffer.getvalue())


def _rounded(layers: torch.nn.Sequential) -> torch.nn.Sequential:
    """Layers with weights that 16 bits can hold; changes them."""
    layers = layers.to(memory_format=torch.contiguous_format)
    with torch.no_grad():
        for parameter in layers.parameters():
            parameter.copy_(parameter.half().float())
    return layers


def _halved(data: bytes) -> bytes:
    """The model with its float32 constants stored as float16 and cast back where they are used."""
    model = onnx.load_from_string(data)
    graph = model.graph
    constants, casts = [], []
    for constant in graph.initializer:
        if constant.data_type == TensorProto.FLOAT:
            stored = numpy_helper.to_array(constant).astype(np.float16)
            constants.append(numpy_helper.from_array(stored, f"{constant.name}.half"))
            casts.append(helper.make_node("Cast", [f"{constant.name}.half"], [constant.name], to=TensorProto.FLOAT))
        else:
            constants.append(constant)
    nodes = [*casts, *graph.node]
    for field, content in ((graph.initializer, constants), (graph.node, nodes)):
        del field[:]
        field.extend(content)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def check_parity(net: CellNet, data: bytes, planes: NDArray[np.float32]) -> float:
    """Largest difference of a logit between torch and every engine of cv2.dnn, over batches of one and of many.

    Raises:
        ValueError: it is more than rounding explains.
    """
    with torch.no_grad():
        expected = _rounded(folded(net))(torch.from_numpy(planes)).numpy()
    nets = [load_net(data), cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))]
    worst = 0.0
    for runner in nets:
        for part in (slice(0, len(planes)), slice(0, 1), slice(0, 7)):
            runner.setInput(planes[part])
            worst = max(worst, float(np.abs(runner.forward() - expected[part]).max()))
    if worst > PARITY:
        raise ValueError(f"cv2.dnn differs from torch by {worst:.2g}, more than {PARITY}")
    return worst


def write_onnx(folder: Path, files: dict[str, bytes]) -> dict[str, str]:
    """Writes the files and returns their SHA-256.

    Raises:
        ValueError: they are larger than the package allows.
    """
    total = sum(map(len, files.values()))
    if total > MAX_BYTES:
        raise ValueError(f"the nets have {total} bytes, more than {MAX_BYTES}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}

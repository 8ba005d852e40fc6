"""Lines of handwriting as whole numbers: a small net says what stands in each column, and numbers are weighed by that.

The net was trained with connectionist temporal classification (Graves et al., ICML 2006): a text's probability is that
of all ways to lay its characters along the columns, so nobody has to cut touching digits apart.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scanner.nets import load_net

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

LINES_FILE = "totals.onnx"

OTHER = "?"
CHARACTERS = ("", *"0123456789", "-", OTHER)
"""The net's outputs, in order: nothing new, a digit, a minus, ink that is no number."""

LONGEST = 4
"""Characters of the longest total: minus and three digits."""

_LIKELY = 0.01
"""Probability of a character in a column from which it is tried there: what is less likely decides nothing."""

_MOST = 160
"""So many texts are tried at most; with more there is no telling anyway."""

_IMPOSSIBLE = -1e9


@dataclass(frozen=True, slots=True, eq=False)
class LineNet:
    """The net, ready to run, one thread at a time: a net of cv2.dnn keeps its input between two calls."""

    net: Any
    lock: threading.Lock

    def columns(self, lines: F32) -> F64:
        """Log probabilities (N, columns, characters) of lines, float32 (N, 24, 80), see `ink.line_of`."""
        with self.lock:
            self.net.setInput(np.ascontiguousarray(lines[:, None]))
            logits = np.array(self.net.forward(), dtype=np.float64)
        logits = logits[:, :, 0].transpose(0, 2, 1)
        logits = logits - logits.max(axis=2, keepdims=True)
        return np.asarray(logits - np.log(np.exp(logits).sum(axis=2, keepdims=True)), dtype=np.float64)


@cache
def load_line_net() -> LineNet:
    """The net of the package, loaded once a process."""
    file = resources.files("scanner").joinpath("models").joinpath(LINES_FILE)
    return LineNet(load_net(file.read_bytes()), threading.Lock())


def number_chances(columns: F64, also: Sequence[int] | None = None) -> tuple[Mapping[int, float], ...]:
    """The probabilities of whole numbers, those that are likely enough to matter; what is left is anything else.

    Args:
        columns: log probabilities (N, columns, characters) of N lines, see `LineNet.columns`.
        also: N numbers, one for each line, that are tried however unlikely.

    Returns:
        For each line its numbers with their probabilities.
    """
    tried = [dict.fromkeys(filter(_is_number, _candidates(line))) for line in columns]
    for texts, number in zip(tried, also or (), strict=False):
        texts[str(number)] = None
    rows = np.repeat(np.arange(len(tried)), [len(texts) for texts in tried])
    chances = iter(np.exp(_log_chances(columns[rows], [text for texts in tried for text in texts])).tolist())
    return tuple({int(text): next(chances) for text in texts} for texts in tried)


def _is_number(text: str) -> bool:
    """Whether a text is a whole number as people write it, with at most three digits."""
    digits = text.removeprefix("-")
    return digits.isdigit() and len(digits) < LONGEST and (digits[0] != "0" or text == "0")


def _candidates(columns: F64) -> list[str]:
    """Texts that the line may say: at each place where something may stand, any of the characters likely there."""
    texts: dict[str, None] = {}
    for characters in product(*_places(columns)[: LONGEST + 1]):
        texts["".join(characters)] = None
        if len(texts) >= _MOST:
            break
    return list(texts)


def _places(columns: F64) -> list[list[str]]:
    """What may stand at each place of the line, the likeliest first; "" where the place may be none."""
    chances = np.exp(columns)
    written = chances[:, 1:].max(axis=1) > _LIKELY
    best = chances[:, 1:].argmax(axis=1)
    # A place ends where nothing may stand, and where another character becomes the likeliest.
    goes_on = np.zeros(len(columns), np.bool_)
    goes_on[1:] = written[:-1] & (best[1:] == best[:-1])
    begins = np.flatnonzero(written & ~goes_on)
    places = []
    for begin, following in pairwise([*begins.tolist(), len(columns)]):
        here = chances[begin:following][written[begin:following]]
        found = here[:, 1:].max(axis=0)
        order = [int(k) for k in np.argsort(-found) if found[k] > _LIKELY]
        touching = begin > 0 and bool(written[begin - 1])
        may_be_none = touching or float(here[:, 0].prod()) > _LIKELY
        places.append([CHARACTERS[k + 1] for k in order] + [""] * may_be_none)
    return places


def _log_chances(columns: F64, texts: Sequence[str]) -> F64:
    """Log probabilities (N,) of texts in lines (N, columns, characters), by one pass (the forward algorithm of CTC)."""
    laid = np.zeros((len(texts), 2 * max(map(len, texts), default=0) + 1), np.intp)
    for row, text in zip(laid, texts, strict=True):
        row[1 : 2 * len(text) : 2] = [CHARACTERS.index(character) for character in text]
    # A character may follow another one without a gap where they differ.
    no_skip = np.full(laid.shape, _IMPOSSIBLE)
    no_skip[:, 3::2][laid[:, 3::2] != laid[:, 1:-2:2]] = 0
    said = np.take_along_axis(columns, laid[:, None, :], axis=2)
    paths, before, skipped = (np.full(laid.shape, _IMPOSSIBLE) for _ in range(3))
    paths[:, :2] = said[:, 0, :2]
    for column in range(1, columns.shape[1]):
        before[:, 1:] = paths[:, :-1]
        skipped[:, 2:] = paths[:, :-2] + no_skip[:, 2:]
        paths = np.logaddexp(np.logaddexp(paths, before), skipped) + said[:, column]
    ends = np.array([2 * len(text) for text in texts], np.intp)
    every = np.arange(len(texts))
    in_gap, on_last = paths[every, ends], paths[every, np.maximum(ends - 1, 0)]
    return np.asarray(np.where(ends > 0, np.logaddexp(in_gap, on_last), in_gap), dtype=np.float64)

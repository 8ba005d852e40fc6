"""The small net that reads totals: `python -m training.totals DATA_DIR --out scanner/models`.

It sees a whole line of writing and says for each of its columns which character stands there, if any; what text that
makes is left to connectionist temporal classification (Graves et al., ICML 2006), so nobody has to cut touching digits
apart.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from scanner.ink import LINE_HEIGHT_PX, LINE_WIDTH_PX, line_of
from scanner.lines import CHARACTERS, LINES_FILE, OTHER, LineNet, number_chances
from scanner.nets import load_net
from scanner.written import LEAST_CONFIDENCE as SURE
from training.export import MAX_BYTES, exported
from training.ink import draw_pen, grain_patch, stroke_cover
from training.printed import CANVAS_PX
from training.scribe import Place, Scribe, ink_box
from training.sources import FILES, load_sources, sha256_of

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Rng = np.random.Generator

CHANNELS = (8, 14, 18, 26)
"""Of the four convolutions: what 20 KB hold."""

JUDGED_LINES = 3000
"""Lines by which it is judged: enough for half a percent."""

_SCALE = 2 / 3
"""From the canvas, on which a digit of 5 mm is 45 pixels high, to the scale at which fields are cut."""

_POINTS = (0, -20, -15, -10, 5, 10, 15, 30, 35, 50, -40, -30, 20, 60, 70, 100)
_WORDS = ("Ana", "Ben", "x", "ok", "total", "nix", "aus", "E", "mm")


class LineComposer:
    """Draws lines of writing as a scan delivers them.

    Args:
        scribe: writes digits.
        rng: source of chance.
    """

    def __init__(self, scribe: Scribe, rng: Rng) -> None:
        self._scribe, self._rng = scribe, rng

    def line(self) -> tuple[F32, str]:
        """The next line, float32 (24, 80), and what it says; `OTHER` where that is no number."""
        while True:
            cover, text = self._other() if self._rng.random() < 0.08 else self._number()
            line = line_of(self._photographed(cover))
            if line is not None:
                return line, text

    def _number(self) -> tuple[U8, str]:
        rng = self._rng
        value = _drawn_value(rng)
        width = self._pen_px()
        digits, place = str(abs(value)), self._place()
        if value >= 0:
            return self._scribe.text(digits, place, width, rng), digits
        if rng.random() < 0.4:
            return self._scribe.text(str(value), place, width, rng, source="hands"), str(value)
        cover = self._scribe.text(digits, place, width, rng)
        np.maximum(cover, self._dash(ink_box(cover), width), out=cover)
        return cover, str(value)

    def _dash(self, box_px: tuple[float, float, float, float], width: float) -> U8:
        """A minus before a box."""
        rng = self._rng
        left, top, _, bottom = box_px
        height = bottom - top
        length, gap = height * rng.uniform(0.2, 0.6), height * rng.uniform(-0.08, 0.3)
        x, y = left - gap, top + height * rng.uniform(0.33, 0.67)
        dash = np.array([[x - length, y + rng.normal(0, 0.05) * height], [x, y + rng.normal(0, 0.05) * height]])
        middle = dash.mean(axis=0)
        middle[1] += rng.normal(0, 0.03) * height
        return stroke_cover([np.stack([dash[0], middle, dash[1]])], width, rng, 0.0)

    def _other(self) -> tuple[U8, str]:
        """Ink that is no number: a tangle, a number struck out, letters."""
        rng, scribe, width = self._rng, self._scribe, self._pen_px()
        kind = rng.choice(["tangle", "struck", "word", "strokes"])
        if kind == "tangle":
            return stroke_cover(scribe.blot(rng), width, rng), OTHER
        if kind == "word":
            return scribe.text(str(rng.choice(_WORDS)), self._place(), width, rng, source="hands"), OTHER
        if kind == "strokes":
            ends = rng.uniform(20, CANVAS_PX - 20, (int(rng.integers(1, 6)), 3, 2))
            return stroke_cover(list(ends), width, rng), OTHER
        cover = scribe.text(str(_drawn_value(rng)).lstrip("-"), self._place(), width, rng)
        for _ in range(2):
            np.maximum(cover, stroke_cover(scribe.strike(ink_box(cover), rng), width, rng), out=cover)
        return cover, OTHER

    def _pen_px(self) -> float:
        return float(min(draw_pen(self._rng).width_mm, 1.2) / 5.0 * 45)

    def _place(self) -> Place:
        rng = self._rng
        middle, aspect = CANVAS_PX / 2, float(np.exp(rng.normal(0, 0.17)))
        height = rng.uniform(32, 60)
        widest, slant, turn = rng.uniform(80, 110), rng.normal(0.08, 0.15), rng.normal(0, 0.06)
        return Place(middle + 12, middle, height, widest, aspect, slant, turn)

    def _photographed(self, cover: U8) -> F32:
        """The ink as a scan sees it: grain, blur, fewer pixels, noise, now and then something at the edge."""
        rng = self._rng
        ink = cover.astype(np.float32) / 255
        if rng.random() < 0.4:
            depth = rng.uniform(0.2, 0.9)
            grain = grain_patch(rng, ink.shape, int(rng.integers(1, 3)))
            ink *= 1 - depth * np.clip(0.35 + 0.45 * grain, 0, 0.9)
        blur_px = float(rng.choice([0.8, 1.5, 2.2], p=[0.5, 0.42, 0.08]) * rng.uniform(0.6, 1.3))
        ink = cv2.GaussianBlur(ink, (0, 0), blur_px)
        scale = _SCALE * float(rng.uniform(0.45, 1.0))
        side = round(CANVAS_PX * scale)
        small = cv2.resize(ink, (side, side), interpolation=cv2.INTER_AREA) * rng.uniform(0.35, 0.9)
        small += rng.standard_normal((side, side), np.float32) * rng.uniform(0, 0.03)
        full = round(CANVAS_PX * _SCALE)
        field = cv2.resize(small.astype(np.float32), (full, full), interpolation=cv2.INTER_LINEAR)
        if rng.random() < 0.08:
            x, y = rng.integers(4, full - 4, 2)
            field[y : y + int(rng.integers(2, 7)), x : x + int(rng.integers(2, 7))] += rng.uniform(0.1, 0.6)
        return np.clip(field, 0, 1)


def _drawn_value(rng: Rng) -> int:
    """Half of all totals are points, the others any number of up to three digits."""
    luck = rng.random()
    if luck < 0.25:
        return int(rng.choice(_POINTS))
    if luck < 0.5:
        return int(rng.integers(-40, 130)) * 5
    length = int(rng.choice([1, 2, 3], p=[0.2, 0.4, 0.4]))
    value = int(rng.integers(0 if length == 1 else 10 ** (length - 1), 10**length))
    return -value if rng.random() < 0.25 else value


def line_net() -> nn.Sequential:
    """Lines (N, 1, 24, 80) to logits (N, characters, 1, 40) a column."""
    first, second, third, fourth = CHANNELS
    return nn.Sequential(
        *_block(1, first, 3, 1), nn.MaxPool2d(2),
        *_block(first, second, 3, 1), nn.MaxPool2d((2, 1)),
        *_block(second, third, 3, 1), nn.MaxPool2d((2, 1)),
        *_block(third, fourth, 3, (0, 1)),
        nn.Conv2d(fourth, len(CHARACTERS), (1, 5), padding=(0, 2)),
    )  # fmt: skip


def _block(inputs: int, outputs: int, size: int, padding: int | tuple[int, int]) -> list[nn.Module]:
    return [nn.Conv2d(inputs, outputs, size, 1, padding, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)]


def folded(net: nn.Sequential) -> nn.Sequential:
    """The same net with every batch normalisation merged into the layer before it."""
    layers: list[nn.Module] = []
    for layer in net.eval():
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = torch.nn.utils.fusion.fuse_conv_bn_eval(layers[-1], layer)
        else:
            layers.append(layer)
    return nn.Sequential(*layers).eval()


def drawn(composer: LineComposer, count: int) -> tuple[U8, list[str]]:
    """So many lines, uint8 (N, 24, 80), and what they say."""
    lines, texts = np.zeros((count, LINE_HEIGHT_PX, LINE_WIDTH_PX), np.uint8), []
    for i in range(count):
        line, text = composer.line()
        lines[i] = np.round(255 * line)
        texts.append(text)
    return lines, texts


def learnt(lines: U8, texts: list[str], steps: int, batch: int, seed: int, rate: float = 4e-3) -> nn.Sequential:
    """The net after so many batches: the moving average of its weights over the last of them."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    targets = [torch.tensor([CHARACTERS.index(c) for c in text]) for text in texts]
    net = line_net().to(memory_format=torch.channels_last).train()
    average = copy.deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps, pct_start=0.15, final_div_factor=200)
    running = 0.0
    for step in range(1, steps + 1):
        chosen = rng.integers(0, len(lines), batch)
        logits = net(torch.from_numpy(_varied(lines[chosen], rng)))[:, :, 0]
        wanted = [targets[i] for i in chosen]
        loss = functional.ctc_loss(
            functional.log_softmax(logits, 1).permute(2, 0, 1),
            torch.cat(wanted),
            torch.full((batch,), logits.shape[2]),
            torch.tensor([len(target) for target in wanted]),
        )
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        schedule.step()
        _follow(average, net, min(0.999, 1 - 1 / (1 + step / 4)))
        running += 0.01 * (float(loss.detach()) - running) if step > 1 else float(loss.detach())
        if step % 500 == 0:
            print(f"step {step} of {steps}, loss {running:.4f}", flush=True)
    return average


def _follow(average: nn.Sequential, net: nn.Sequential, share: float) -> None:
    """Moves the average towards the net."""
    with torch.no_grad():
        for mean, value in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(value, 1 - share)
            else:
                mean.copy_(value)


def _varied(lines: U8, rng: Rng) -> F32:
    """Planes (N, 1, 24, 80): the lines a little higher or lower, further right, paler."""
    planes = lines.astype(np.float32) / 255
    down, right = int(rng.integers(-1, 2)), int(rng.integers(0, 3))
    planes = np.roll(planes, (down, right), (1, 2))
    planes *= rng.uniform(0.8, 1.1, (len(lines), 1, 1)).astype(np.float32)
    return np.clip(planes, 0, 1)[:, None]


def main() -> None:
    """Draws lines, trains, writes the model file and its card."""
    parser = argparse.ArgumentParser(prog="python -m training.totals", description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA_DIR", help="folder of the data sets")
    parser.add_argument("--out", type=Path, default=Path("scanner/models"), help="where the model file goes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=50_000, help="different lines")
    parser.add_argument("--steps", type=int, default=12_000, help="batches")
    parser.add_argument("--work", type=Path, help="keeps the maps of the data sets here")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    scribe = Scribe(load_sources(options.data, "train", options.work), "train")
    lines, texts = drawn(LineComposer(scribe, np.random.default_rng(options.seed)), options.lines)
    net = learnt(lines, texts, options.steps, 64, options.seed)
    data = exported(folded(net), torch.zeros(2, 1, LINE_HEIGHT_PX, LINE_WIDTH_PX), "lines")
    finish(data, options.data, options.out, f"--seed {options.seed} --lines {options.lines} --steps {options.steps}")


def finish(model: bytes, data: Path, out: Path, how: str) -> None:
    """Writes the model file and its card.

    Args:
        model: the net as ONNX.
        data: the folder of the data sets.
        out: where the files go.
        how: the options of the run.

    Raises:
        ValueError: all nets together are larger than the package allows.
    """
    others = sum(file.stat().st_size for file in out.glob("*.onnx") if file.name != LINES_FILE)
    if others + len(model) > MAX_BYTES:
        raise ValueError(f"the nets have {others + len(model)} bytes, more than {MAX_BYTES}")
    (out / LINES_FILE).write_bytes(model)
    scribe = Scribe(load_sources(data, "evaluate"), "evaluate")
    lines, texts = drawn(LineComposer(scribe, np.random.default_rng(502)), JUDGED_LINES)
    net = LineNet(load_net(model), threading.Lock())
    found = [max(chances.items(), key=lambda item: item[1], default=(None, 0.0)) for chances in _weighed(net, lines)]
    numbers = [
        (number, chance, int(text)) for (number, chance), text in zip(found, texts, strict=True) if text != OTHER
    ]
    sure = [number == true for number, chance, true in numbers if chance >= SURE]
    (out / "totals.md").write_text(
        _CARD.format(
            bytes=len(model),
            parameters=sum(parameter.numel() for parameter in folded(line_net()).parameters()),
            sha256=hashlib.sha256(model).hexdigest(),
            how=how,
            data="\n".join(f"- `{FILES[name]}` (SHA-256 `{digest}`)" for name, digest in sha256_of(data).items()),
            lines=len(numbers),
            right=sum(number == true for number, _, true in numbers) / len(numbers),
            sure=SURE,
            share=len(sure) / len(numbers),
            wrong=sure.count(False),
        ),
        "utf-8",
    )


def _weighed(net: LineNet, lines: U8) -> Iterator[Mapping[int, float]]:
    for start in range(0, len(lines), 10):
        yield from number_chances(net.columns(lines[start : start + 10].astype(np.float32) / 255))


_CARD = """# The net for written totals

- `totals.onnx`: {bytes} bytes, {parameters} parameters, SHA-256 `{sha256}`

Made by `python -m training.totals DATA {how}`, which writes this page too.

**Reads** a line of writing, 24 x 80 pixels of ink (`scanner.ink`): at each of 40 columns nothing new, a digit, a minus
or ink that is no number, by connectionist temporal classification (`scanner.lines`).

**Trained on** lines composed of the data sets below and of strokes of procedural hands (`synth.hands`, namespace
`train`), half of them points of the game, half any number of up to three digits, one in twelve something else; blurred,
grainy, noisy and small as in photos. No real photo of a filled score sheet was used.

{data}

**How good it is** on {lines} composed lines with digits and hands that it never saw, harder than those of photos: the
likeliest number is right in {right:.1%}; {share:.1%} have {sure:.0%} or more, and {wrong} of these are wrong.
"""


if __name__ == "__main__":
    main()

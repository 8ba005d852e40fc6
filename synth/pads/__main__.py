"""`python -m synth.pads OUT_DIR`: each pad as a layout file with the picture of its blank sheet beside it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2

from layouts import layout_to_dict
from synth.pads import PADS, pad_layout, pad_picture


def write_pads(out: str | Path) -> None:
    """Writes `NAME.json` and `NAME.png` of every pad into a folder, which is made if missing.

    Raises:
        OSError: they cannot be written.
    """
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    for name in PADS:
        text = json.dumps(layout_to_dict(pad_layout(name)), indent=1)
        (folder / f"{name}.json").write_text(text + "\n", "utf-8")
        (folder / f"{name}.png").write_bytes(cv2.imencode(".png", pad_picture(name))[1].tobytes())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m synth.pads OUT_DIR")
    write_pads(sys.argv[1])

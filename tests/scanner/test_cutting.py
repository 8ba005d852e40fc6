import numpy as np
import pytest

from scanner.cells import CELL_PX, _sample
from scanner.rectify import Canvas


@pytest.mark.parametrize("axis", [0, 1])
def test_a_cell_is_the_part_of_the_picture_under_it(axis):
    # A ramp of one grey level a pixel along one axis: every sampled pixel says where it came from.
    ramp = np.broadcast_to(np.arange(250, dtype=np.uint8)[:, None], (250, 250))
    image = np.dstack([ramp if axis == 0 else ramp.T] * 3)
    canvas = Canvas((0.0, 0.0), 1.0, (250, 250))
    offset_px = canvas.page_to_canvas[:2, 2]
    quads_mm = [[[x, y], [x + 96, y], [x + 96, y + 96], [x, y + 96]] for x, y in ((20, 30), (100, 60), (30, 120))]
    cells = _sample(np.ascontiguousarray(image), canvas, np.array(quads_mm, np.float64))
    for quad, cell in zip(quads_mm, cells, strict=True):
        start = quad[0][1 - axis] + offset_px[1 - axis]
        expected = start + (np.arange(CELL_PX) + 0.5) * 96 / CELL_PX
        along = cell[..., 0] if axis == 0 else cell[..., 0].T
        assert np.abs(along - expected[:, None]).max() <= 1

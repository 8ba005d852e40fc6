"""From a photo of a blank sheet to the score of a filled one, on pads that nothing but that photo describes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibrate import Wishes, pad_from, see_sheet
from layouts import layout_text
from layouts.files import parse_layout
from scanner import scan_photo
from scoring import Sheet, score
from synth import make_one
from synth.pads import pad_layout

SIZE = (2000, 1500)


@pytest.mark.parametrize(("pad", "seed"), [("rings", 11), ("touching", 11)])
def test_a_pad_learnt_from_one_photo_is_scored(pad, seed):
    truth = pad_layout(pad)
    photo = np.frombuffer(make_one(seed, 0, only="blank", pad=pad, size=SIZE).jpeg, np.uint8)
    sheet = see_sheet(cv2.imdecode(photo, cv2.IMREAD_COLOR), "blank", None, truth.page_mm[0] / truth.page_mm[1])
    found = pad_from([sheet], Wishes("learnt", truth.page_mm, bridge_marks=truth.bridge_marks))
    assert found.layout.notes == ()
    picture = cv2.imencode(".jpg", found.picture)[1].tobytes()
    layout = parse_layout(layout_text(found.layout, picture), "learnt")
    filled = make_one(seed, 1, only="normal", pad=pad, size=SIZE)
    (reading,) = scan_photo(filled.jpeg, layout)
    right = Sheet.from_dict(filled.truths[0]["sheet"])
    for column in ("red", "orange", "yellow", "green", "blue", "purple"):
        assert [n is None for n in reading.sheet[column].numbers] == [n is None for n in right[column].numbers]
    assert reading.review or score(reading.sheet).total == score(right).total

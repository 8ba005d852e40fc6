"""From a seed to a photo: draws sheet, hand, pen and scene, and takes the photo with its truth."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from layouts import LayoutError, SheetLayout, blank_picture, load_layout
from scoring import Sheet
from synth.camera import Photographed, cell_corners, photograph
from synth.ears import fold_ear
from synth.faults import with_blot, with_violation
from synth.fitting import fitted
from synth.foreign import draw_page
from synth.games import play_game, player_names, with_written_totals
from synth.hands import Hand, hand_for
from synth.ink import Pen, pen_for
from synth.kinds import ABOUT_TAGS, MIXES, draw, draw_kind
from synth.pads import PADS, pad_layout, pad_picture
from synth.pages import FilledPage, fill_page
from synth.prints import cover_tags, printed
from synth.recipes import Recipe
from synth.scenes import Lie
from synth.sensor import encode

ImageU8 = NDArray[np.uint8]

SIZE_WH = (4032, 3024)  # 12 megapixels, the sensor of most phones
_FAULTY = 0.1  # share of sheets that break one rule, and as many again hold ink that is no number
_PHOTO_FAULTS = (
    "gap", "descending", "starts-with-ten", "double-without-expedition", "bridge-not-reached",
    "artifacts-missing", "artifacts-surplus", "written-total-wrong",
)  # fmt: skip
_HANDS = 2**31


@dataclass(frozen=True, slots=True)
class Made:
    """One synthetic photo.

    Attributes:
        jpeg: the file's bytes.
        truths: per sheet in the photo `{"sheet", "corners", "kind", "hand", "seed", "pen", "corrected"}`, of a
            pad also `pad`.
        refusal: where no sheet can be read, `{"sheets": [], "refused", "kind", "seed"}` with `design` of a foreign
            page, `outside` (keys of the cells that a cut sheet lacks) or `blur_mm` and `shake_mm`; else None.
    """

    jpeg: bytes
    truths: tuple[dict[str, Any], ...]
    refusal: dict[str, Any] | None = None

    @property
    def truth(self) -> dict[str, Any] | list[dict[str, Any]]:
        """What the truth file holds: an object, or a list where several sheets are in the photo."""
        if self.refusal is not None:
            return self.refusal
        return self.truths[0] if len(self.truths) == 1 else list(self.truths)


def make_one(
    seed: int,
    i: int,
    difficulty: str = "normal",
    only: str | None = None,
    size: tuple[int, int] | None = None,
    layout: str = "expedition-a5",
    namespace: str = "eval",
    pad: str | None = None,
) -> Made:
    """The i-th photo of a seed, as `make` writes it."""
    check_words(difficulty, only, namespace, pad)
    rng = _rng(f"{seed}/{i}/{difficulty}/{only}/{namespace}" + (f"/{pad}" if pad else ""))
    kind = only or draw_kind(difficulty, rng, tags=pad is None)
    recipe = draw(kind, rng)
    plan = load_layout(layout) if pad is None else pad_layout(pad)
    if pad is not None:
        recipe = fitted(recipe, plan)
    sheets = [Sheet.of({}) if recipe.blank else draw_sheet(plan, rng) for _ in recipe.scene.lies]
    hands = [hand_for(namespace, int(rng.integers(_HANDS))) for _ in sheets]
    about = {"kind": kind, "seed": seed} | ({"pad": pad} if pad else {})
    return render(sheets, hands, recipe, plan, rng, size, about)


def check_words(difficulty: str, only: str | None, namespace: str, pad: str | None = None) -> None:
    """Refuses unknown words before any photo is made.

    Raises:
        ValueError: an unknown difficulty, kind, namespace or pad, the message names the known ones; or a kind about
            corner tags of a pad, which has none.
    """
    if pad is not None and pad not in PADS:
        raise ValueError(f"unknown pad {pad!r}: expected one of {', '.join(PADS)}")
    if pad is not None and only in ABOUT_TAGS:
        raise ValueError(f"kind {only!r} is about corner tags, and the pad {pad!r} has none: take another kind")
    if difficulty not in MIXES:
        raise ValueError(f"unknown difficulty {difficulty!r}: expected one of {', '.join(MIXES)}")
    if only is not None:
        draw(only, np.random.default_rng(0))
    hand_for(namespace, 0)


def draw_sheet(layout: SheetLayout, rng: np.random.Generator) -> Sheet:
    """One player's sheet of a random game, finished or not; one in five breaks one rule."""
    players = int(rng.integers(2, 6))
    turns = None if rng.random() < 0.55 else int(rng.integers(5, 26))
    names = player_names(rng, players) if rng.random() < 0.6 else None
    sheet = play_game(rng, players, layout, turns=turns, names=names)[int(rng.integers(players))]
    luck = rng.random()
    if luck < _FAULTY:
        sheet = with_blot(sheet, rng) or sheet
    elif luck < 2 * _FAULTY:
        code = str(rng.choice(_PHOTO_FAULTS))
        faulty = with_violation(sheet, code, rng, layout.specials)
        if faulty is not None and code == "written-total-wrong":
            return _with_room(faulty, layout)
        sheet = faulty or sheet
    if rng.random() < 0.45:
        sheet = with_written_totals(sheet, bool(rng.random() < 0.5))
    return _with_room(sheet, layout)


def _with_room(sheet: Sheet, layout: SheetLayout) -> Sheet:
    """The sheet without the written totals that this layout has no box for."""
    boxes = {cell.column for cell in layout.cells if cell.kind == "written"}
    written = {key: total for key, total in sheet.written.items() if key in boxes}
    return sheet if len(written) == len(sheet.written) else replace(sheet, written=written)


def render(
    sheets: Sequence[Sheet],
    hands: Sequence[Hand],
    recipe: Recipe,
    layout: SheetLayout,
    rng: np.random.Generator,
    size: tuple[int, int] | None = None,
    about: dict[str, Any] | None = None,
) -> Made:
    """Fills in and photographs sheets by a recipe.

    Args:
        sheets: one for each paper of the recipe's scene.
        hands: who wrote each.
        recipe: everything else.
        layout: the sheet's layout.
        rng: source of chance.
        size: the sensor's size; None means 12 megapixels.
        about: what else the truth shall say.
    """
    pens = [pen_for(rng, recipe.pen) for _ in sheets]
    draw_one = _foreign_page if recipe.foreign else _filled_page
    pages = [
        draw_one(recipe, lie, sheet, hand, pen, layout, rng)
        for lie, sheet, hand, pen in zip(recipe.scene.lies, sheets, hands, pens, strict=True)
    ]
    photo = photograph([page.image for page in pages], layout, recipe.scene, rng, size or SIZE_WH)
    jpeg = encode(photo.image, recipe.scene.sensor)
    if recipe.refused is not None:
        return Made(
            jpeg, (), {"sheets": [], "refused": recipe.refused, **_refusal(recipe, photo, layout), **(about or {})}
        )
    truths = tuple(
        {
            "sheet": sheet.to_dict(),
            "corners": cell_corners(shot, layout),
            "hand": hand.name,
            "pen": pen.kind,
            "corrected": list(page.corrected),
            **(about or {}),
        }
        for sheet, shot, hand, pen, page in zip(sheets, photo.shots, hands, pens, pages, strict=True)
    )
    return Made(jpeg, truths)


def _filled_page(
    recipe: Recipe, lie: Lie, sheet: Sheet, hand: Hand, pen: Pen, layout: SheetLayout, rng: np.random.Generator
) -> FilledPage:
    """Our sheet, printed, filled in, and what was done to its corners."""
    blank = printed(_blank(layout), layout, recipe.look, rng)
    page = FilledPage(blank, ())
    if not recipe.blank:
        page = fill_page(blank, layout, sheet, hand, pen, rng, blank.shape[1] / layout.page_mm[0], recipe.mess)
    if recipe.look.tags == "covered":
        cover_tags(page.image, layout, 2, rng)
    if lie.ear is not None:
        fold_ear(page.image, lie.ear, layout.page_mm, recipe.look.paper_bgr)
    return page


def _foreign_page(
    recipe: Recipe, lie: Lie, _: Sheet, hand: Hand, pen: Pen, layout: SheetLayout, rng: np.random.Generator
) -> FilledPage:
    family, design = recipe.foreign or ("", "")
    return FilledPage(draw_page(family, design, lie.page_mm or layout.page_mm, hand, pen, rng), ())


def _refusal(recipe: Recipe, photo: Photographed, layout: SheetLayout) -> dict[str, Any]:
    """What makes a photo unreadable, for whoever looks into it."""
    if recipe.foreign:
        return {"design": recipe.foreign[1]}
    scene = recipe.scene
    if scene.blur_mm or scene.shake_mm:
        return {"blur_mm": round(scene.blur_mm, 2), "shake_mm": round(scene.shake_mm, 2)}
    if not scene.stand.cut_away:
        return {}
    size = np.array(photo.image.shape[1::-1])
    seen = {key: np.array(quad) for key, quad in cell_corners(photo.shots[0], layout).items()}
    outside = [key for key, quad in seen.items() if ((quad < -0.5) | (quad > size - 0.5)).any(axis=1).all()]
    return {"outside": outside}


def with_quality(recipe: Recipe, jpeg_quality: int) -> Recipe:
    """The recipe with another JPEG quality, for smaller files."""
    sensor = replace(recipe.scene.sensor, jpeg_quality=jpeg_quality)
    return replace(recipe, scene=replace(recipe.scene, sensor=sensor))


def _rng(text: str) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big"))


def _blank(layout: SheetLayout) -> ImageU8:
    if layout.name in PADS and layout is pad_layout(layout.name):
        return pad_picture(layout.name)
    image = _decoded(blank_picture(layout))
    if image is None:
        raise LayoutError(f"{layout.name}: the picture of the blank sheet is damaged")
    return image


@cache
def _decoded(picture: bytes) -> ImageU8 | None:
    image = cv2.imdecode(np.frombuffer(picture, dtype=np.uint8), cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(image, dtype=np.uint8)

"""What lens and electronics do to a picture, and the file they write."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from synth.scenes import Sensor

ImageU8 = NDArray[np.uint8]

_TILE = 1024
_TILE_STD = 24.0  # of the stored noise tile, so that scaling it down keeps its fine steps
_FULL_SIDE = 4032.0  # lengths in pixels are those of a 12-megapixel photo; smaller photos scale them


def expose(photo: ImageU8, sensor: Sensor, rng: np.random.Generator) -> ImageU8:
    """The photo as the sensor and its processor deliver it: blurred, noisy, sharpened.

    Args:
        photo: uint8 (H, W, 3), BGR.
        sensor: how good it is.
        rng: source of the noise.
    """
    scale = max(photo.shape[:2]) / _FULL_SIDE
    if sensor.blur_px * scale > 0.35:
        photo = np.asarray(cv2.GaussianBlur(photo, (0, 0), sensor.blur_px * scale), dtype=np.uint8)
    if sensor.motion_px * scale >= 2:
        photo = _shaken(photo, sensor.motion_px * scale, sensor.motion_deg)
    if sensor.noise > 0:
        photo = _noisy(photo, sensor.noise, rng)
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(photo, (5, 5), 1.2)
        photo = np.asarray(cv2.addWeighted(photo, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), dtype=np.uint8)
    if sensor.grey:
        grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
        photo = np.asarray(cv2.merge([grey, grey, grey]), dtype=np.uint8)
    return photo


def _shaken(photo: ImageU8, length_px: float, angle_deg: float) -> ImageU8:
    side = int(min(length_px, 25)) | 1
    kernel = np.zeros((side, side), dtype=np.float32)
    half = (side - 1) / 2
    dx, dy = half * np.cos(np.radians(angle_deg)), half * np.sin(np.radians(angle_deg))
    start, end = (round(half - dx), round(half - dy)), (round(half + dx), round(half + dy))
    cv2.line(kernel, start, end, 1.0)
    return np.asarray(cv2.filter2D(photo, -1, kernel / kernel.sum()), dtype=np.uint8)


def spoilt(photo: ImageU8, blur_px: float, shake_px: float, rng: np.random.Generator) -> ImageU8:
    """The photo far out of focus, or shaken while it was taken, so that nobody can read it.

    Args:
        photo: uint8 (H, W, 3), BGR.
        blur_px: standard deviation of the defocus.
        shake_px: length of the path that the camera went.
        rng: source of that path, and of the blur's shape: a disc, as a lens makes it, or a soft spot.
    """
    shrink = max(1, int(max(blur_px, shake_px / 4) / 4))  # what is finer than a quarter of the blur is lost anyway
    small = cv2.resize(photo, (photo.shape[1] // shrink, photo.shape[0] // shrink), interpolation=cv2.INTER_AREA)
    if blur_px > 0:
        if rng.random() < 0.5:
            small = cv2.filter2D(small, -1, _disc(2 * blur_px / shrink), borderType=cv2.BORDER_REPLICATE)
        else:
            small = cv2.GaussianBlur(small, (0, 0), blur_px / shrink)
    if shake_px > 0:
        small = cv2.filter2D(small, -1, _path(shake_px / shrink, rng), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(small, photo.shape[1::-1], interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def _disc(radius_px: float) -> NDArray[np.float32]:
    """An even disc; its standard deviation along any direction is half its radius."""
    reach = int(np.ceil(radius_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    share = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(share / share.sum(), dtype=np.float32)


def _path(length_px: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Where a hand moved while the shutter was open: a curve that turns by a right angle or more."""
    heading = rng.uniform(0, 2 * np.pi) + np.linspace(0, float(rng.uniform(1.6, 3.0) * rng.choice([-1, 1])), 200)
    speed = np.interp(np.linspace(0, 1, 200), np.linspace(0, 1, 5), rng.uniform(0.4, 1.6, 5))
    steps = np.column_stack([np.cos(heading), np.sin(heading)]) * speed[:, None]
    path = np.cumsum(steps, axis=0) * length_px / speed.sum()
    path -= (path.min(axis=0) + path.max(axis=0)) / 2
    reach = int(np.ceil(np.abs(path).max())) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    for x, y in np.rint(path + reach).astype(int):
        kernel[y, x] += 1
    soft = cv2.GaussianBlur(kernel, (3, 3), 0)
    return np.asarray(soft / soft.sum(), dtype=np.float32)


@cache
def _noise_tile() -> NDArray[np.int16]:
    """A tile of camera noise, int16 (T, T, 3), from a fixed seed: fine grey grain and coarser colour blotches.

    In the tone curve of a photo the noise of counted light has about the same strength in dark and bright
    places (its square root growth is undone by the curve's flattening), so one tile serves all.
    """
    rng = np.random.default_rng(20260917)
    grey = rng.normal(0, 1, (_TILE, _TILE, 1)).astype(np.float32)
    colour = rng.normal(0, 1, (_TILE, _TILE, 3)).astype(np.float32)
    blotches = np.asarray(cv2.GaussianBlur(colour, (0, 0), 1.3), dtype=np.float32) * 2.2
    mixed = 0.75 * grey + 0.3 * colour + 0.45 * blotches
    return np.asarray(np.rint(mixed / mixed.std() * _TILE_STD), dtype=np.int16)


def _noisy(photo: ImageU8, strength: float, rng: np.random.Generator) -> ImageU8:
    tile = np.roll(_noise_tile(), tuple(int(v) for v in rng.integers(0, _TILE, 2)), axis=(0, 1))
    share = strength / _TILE_STD
    scaled = np.asarray(cv2.addWeighted(tile, share, tile, 0, 0, dtype=cv2.CV_16S), dtype=np.int16)
    out = np.empty_like(photo)
    for y in range(0, photo.shape[0], _TILE):
        for x in range(0, photo.shape[1], _TILE):
            patch = photo[y : y + _TILE, x : x + _TILE]
            grain = scaled[: patch.shape[0], : patch.shape[1]]
            out[y : y + _TILE, x : x + _TILE] = cv2.add(patch, grain, dtype=cv2.CV_8U)
    return out


_STORED = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_COUNTERCLOCKWISE, 8: cv2.ROTATE_90_CLOCKWISE}


def encode(upright: ImageU8, sensor: Sensor) -> bytes:
    """The JPEG file of an upright photo, its pixels stored turned as the EXIF orientation tag says.

    Orientation 6 means that the viewer turns the pixels by 90 degrees clockwise, 3 by 180, 8 by 270 (Exif 2.3,
    tag 0x0112).
    """
    turn = _STORED.get(sensor.orientation or 1)
    stored = upright if turn is None else cv2.rotate(upright, turn)
    done, data = cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg_quality])
    if not done:
        raise RuntimeError(f"the JPEG encoder refused an image of {upright.shape[1]} x {upright.shape[0]} pixels")
    jpeg = data.tobytes()
    if sensor.orientation is None:
        return jpeg
    return jpeg[:2] + exif_segment(sensor.orientation) + jpeg[2:]


def exif_segment(orientation: int) -> bytes:
    """An APP1 segment that holds nothing but the orientation tag.

    TIFF header (big-endian, first directory at byte 8), one entry: tag 0x0112, type 3 (short), count 1.
    """
    directory = b"\x00\x01" + b"\x01\x12\x00\x03\x00\x00\x00\x01" + orientation.to_bytes(2, "big") + b"\x00\x00"
    body = b"Exif\x00\x00" + b"MM\x00\x2a\x00\x00\x00\x08" + directory + b"\x00\x00\x00\x00"
    return b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body

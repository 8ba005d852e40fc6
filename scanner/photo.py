"""First stage: a source becomes an upright picture, decoded once and no larger than reading needs."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import cv2
import numpy as np

from scanner.decode import decode_again, reduction_for
from scanner.options import DEFAULT_OPTIONS, ScanOptions
from scanner.pages import PhotoSource, RefusedPage, load_pages
from scanner.types import Photo, checked_image


def load_photo(source: PhotoSource, options: ScanOptions = DEFAULT_OPTIONS) -> Photo:
    """Opens and decodes a photo, turned upright as its file says; of a document the first page.

    Args:
        source: a path, the bytes of a file, or an upright uint8 BGR picture (H, W, 3).
        options: size limits and the decoded size.

    Raises:
        UnreadableFile: not found, no permission, not a picture, damaged, or too large.
        PoorPhoto: fewer pixels than any sheet could be read from.
        TypeError: an array of another shape or dtype.
    """
    with closing(load_pages(source, options)) as pages:
        page = next(pages)
    if isinstance(page, RefusedPage):
        raise page.error
    return page


def sharper(photo: Photo, scale: float) -> Photo:
    """The photo decoded again, at the strongest reduction that gives it that scale.

    Returns:
        The photo as it is where it has that scale already, or no larger decode can be had.
    """
    reduction = reduction_for(scale)
    if not photo.encoded or 1 / reduction <= 1.01 * photo.scale:
        return photo
    image = decode_again(photo.encoded, reduction)
    if image is None:
        return photo
    image = np.asarray(cv2.flip(image, 1), dtype=np.uint8) if photo.mirrored else image
    return replace(photo, image=checked_image(image, photo.source.path), scale=image.shape[1] / photo.source.width)


def in_mirror(photo: Photo) -> Photo:
    """The photo seen in a mirror: a front camera's own may need it."""
    image = np.asarray(cv2.flip(photo.image, 1), dtype=np.uint8)
    return replace(photo, image=checked_image(image, photo.source.path), mirrored=not photo.mirrored)

"""Text from elsewhere (names of players and files) made harmless for a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with a question mark for what would break a line, or steer a terminal instead of showing."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "?" for letter in text)

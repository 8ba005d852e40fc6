"""Draws a layout as a vector PDF to print, and renders it as the picture of the blank sheet."""

from sheets.papers import PAPERS, PaperError, draw_pdf
from sheets.picture import PictureError, render_pdf, render_png

__all__ = ["PAPERS", "PaperError", "PictureError", "draw_pdf", "render_pdf", "render_png"]

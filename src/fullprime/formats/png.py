"""Board pictures as PNG: the SVG of ``formats.svg`` drawn by resvg, a wheel that needs no system library.

It comes with ``pip install fullprime[png]``.
"""

from __future__ import annotations

from functools import lru_cache

from fullprime.rules.errors import FullprimeError

MOST_PIXELS = 8192


class PngError(FullprimeError):
    """A picture that cannot be drawn as PNG here."""


def png(picture: str, width: int = 1120) -> bytes:
    """An SVG document as PNG, ``width`` pixels wide.

    Raises PngError for a width that is no picture's, where resvg is not installed, and where the system has no font at
    all, so that numbers would be missing.
    """
    if not 1 <= width <= MOST_PIXELS:
        raise PngError(f"a picture is 1 to {MOST_PIXELS} pixels wide, not {width}")
    if not _has_fonts():
        raise PngError("no font is installed here, so the numbers of the board would be missing; write SVG instead")
    return _drawn(picture, width)


def _drawn(picture: str, width: int) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415 - an extra
    except ImportError:
        raise PngError("PNG needs resvg: pip install 'fullprime[png]', or write SVG instead") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=width))


@lru_cache(maxsize=1)
def _has_fonts() -> bool:
    frame = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    letter = '<text x="2" y="16" font-size="16" font-family="sans-serif">8</text>'
    return _drawn(frame.format(letter), 20) != _drawn(frame.format(""), 20)


__all__ = ["PngError", "png"]

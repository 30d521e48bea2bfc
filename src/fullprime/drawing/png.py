"""Board pictures as PNG: the SVG of ``drawing.svg`` drawn by resvg, a wheel that needs no system library.

It comes with ``pip install fullprime[png]``.
"""

from __future__ import annotations

from functools import lru_cache

from fullprime.rules.errors import FullprimeError

MOST_PIXELS = 8192
SANS = (
    "Arial",
    "DejaVu Sans",
    "Liberation Sans",
    "Noto Sans",
    "Helvetica",
    "Segoe UI",
    "FreeSans",
    "Ubuntu",
    "Cantarell",
)
"""The families that ``sans-serif`` may be: resvg does not ask the system, and draws no letter in one not installed."""


class PngError(FullprimeError):
    """A picture that cannot be drawn as PNG here."""


def png(picture: str, width: int = 1120) -> bytes:
    """An SVG document as PNG, ``width`` pixels wide.

    Raises PngError for a width that is no picture's, where resvg is not installed, and where the system has none of the
    fonts SANS, so that numbers would be missing.
    """
    if not 1 <= width <= MOST_PIXELS:
        raise PngError(f"a picture is 1 to {MOST_PIXELS} pixels wide, not {width}")
    family = _sans()
    if family is None:
        raise PngError(
            f"no font for the numbers is installed here: install one of {', '.join(SANS)}, or write SVG instead"
        )
    return _render_png(picture, width, family)


def _render_png(picture: str, width: int, family: str) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415 - an extra
    except ImportError:
        raise PngError("PNG needs resvg: pip install 'fullprime[png]', or write SVG instead") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=width, sans_serif_family=family))


@lru_cache(maxsize=1)
def _sans() -> str | None:
    """The first family in which a letter is drawn."""
    frame = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    letter = frame.format('<text x="2" y="16" font-size="16" font-family="sans-serif">8</text>')
    blank = _render_png(frame.format(""), 20, SANS[0])
    return next((family for family in SANS if _render_png(letter, 20, family) != blank), None)

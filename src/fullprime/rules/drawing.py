"""Boards in notebooks: the rules draw nothing, but a value may be asked for its picture.

Whoever can draw puts a function here; the package puts the one of ``drawing.svg`` (see ``fullprime/__init__.py``),
which is imported when the first picture is asked for. So the rules know no format, and notebooks still show boards.
"""

from __future__ import annotations

from collections.abc import Callable

_drawer: Callable[[object], str] | None = None


def draw_with(drawer: Callable[[object], str]) -> None:
    """Have positions and games drawn by this function, which gives SVG."""
    global _drawer  # noqa: PLW0603 - there is one notebook
    _drawer = drawer


def picture(value: object) -> str | None:
    """The value as SVG, or None (a notebook then shows its text) when nobody draws."""
    return _drawer(value) if _drawer is not None else None

"""Fullprime: backgammon, complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from fullprime.rules import drawing

if TYPE_CHECKING:
    from fullprime.rules.game import Game

__version__ = "0.1.0"


def _drawn(value: object) -> str:
    from fullprime.formats.svg import svg  # noqa: PLC0415 - only notebooks need it

    return svg(cast("Game", value))


drawing.draw_with(_drawn)

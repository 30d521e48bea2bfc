"""Fullprime: backgammon, complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from fullprime.rules import drawing
from fullprime.version import __version__ as __version__

if TYPE_CHECKING:
    from fullprime.rules.game import Game


def _drawn(value: object) -> str:
    from fullprime.drawing.svg import svg  # noqa: PLC0415 - only notebooks need it

    return svg(cast("Game", value))


drawing.draw_with(_drawn)

"""The board in colour, for the terminal. Colour only decorates what ``rules.board`` draws."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from fullprime.rules.board import BoardView, drawn

if TYPE_CHECKING:
    from rich.text import Text

STYLES = {
    "x": "bold yellow",
    "o": "bold cyan",
    "frame": "bright_black",
    "mark": "bright_black",
    "die": "bold",
    "cube": "bold magenta",
    "name": "bold",
    "text": "",
}
"""Rich styles by the kind of the part drawn."""


def board_text(view: BoardView) -> Text:
    """The same board for a Rich console, coloured with ``STYLES``."""
    from rich.text import Text

    text = Text(no_wrap=True)
    for number, line in enumerate(drawn(view)):
        if number:
            text.append("\n")
        for style, run in groupby(line, key=lambda cell: cell[1]):
            text.append("".join(cell for cell, _ in run), STYLES[style])
    return text

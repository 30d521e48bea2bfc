"""What the commands share: a console, a board on it, notes and errors."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from fullprime.rules.board import BoardView


def make_console() -> Console:
    """A console that prints what it is given, in colour where the terminal has it (and ``NO_COLOR`` is unset)."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def needs_ascii() -> bool:
    """True when the output cannot show the checkers of the Unicode board."""
    try:
        "●○┌│".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def show_board(console: Console, view: BoardView) -> None:
    """Draw a board, in colour on a terminal."""
    from fullprime.cli.board import board_text
    from fullprime.rules.board import draw_board

    if console.is_terminal:
        console.print(board_text(view))
    else:
        print(draw_board(view))


def note(text: str) -> None:
    """Something to know that is not part of the answer."""
    print(f"note: {text}", file=sys.stderr)

"""Shared code of the commands: a console, a board on it, notes and errors."""

from __future__ import annotations

import codecs
import io
import re
import sys
from itertools import groupby
from typing import TYPE_CHECKING, TextIO

from fullprime.rules.foreign_text import clean_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from fullprime.rules.board import BoardView

_MOVE = r"(?:bar|hand|\d{1,2})(?:\*?/(?:\d{1,2}|off)\*?)+(?:\(\d\))?"
_PLAY = re.compile(rf"\b{_MOVE}(?: {_MOVE})+")
PARAGRAPH = 80
"""The longest lines of text that is read from its beginning to its end."""
_UNBROKEN = "\0"
"""What stands for a space at which no line ends. A terminal prints nothing for it, so that no text has it."""


def say(*values: object, end: str = "\n", file: TextIO | None = None, flush: bool = False) -> None:
    """Print as ``print`` does, without the control characters of foreign text, which a terminal would obey.

    The commands print with this function alone.
    """
    print(clean_text(" ".join(map(str, values))), end=end, file=file, flush=flush)


def say_json(value: object) -> None:
    """Print a value as a line of JSON."""
    # The help page is there at once without them.
    import json

    from fullprime.common.json_values import to_json

    say(json.dumps(to_json(value), ensure_ascii=needs_ascii()))


_PLAIN = {"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "\N{HORIZONTAL ELLIPSIS}": "...", "\N{MIDDLE DOT}": "."}


def use_plain_letters(stream: TextIO) -> None:
    """Let a stream print a plain letter, or a question mark, in place of each that its encoding does not have."""
    if isinstance(stream, io.TextIOWrapper):
        codecs.register_error("plain", _replace_letters)
        stream.reconfigure(errors="plain")


def _replace_letters(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(_PLAIN.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def make_console() -> Console:
    """A console that prints text as it is given, in colour where the terminal has it (and ``NO_COLOR`` is unset)."""
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
    from fullprime.rules.board import draw_board

    if console.is_terminal:
        console.print(board_text(view))
    else:
        say(draw_board(view))


def show_note(text: str) -> None:
    """Show a note on standard error, which is not part of the answer."""
    say(f"note: {text}", file=sys.stderr)


def show_text(text: str, columns: int | None = None) -> None:
    """Print text, its lines broken at the terminal's width (80 where there is none), and at ``columns`` at most."""
    say(wrap_text(text, width() if columns is None else min(width(), columns)), flush=True)


def show_paragraph(text: str) -> None:
    """Print text as it is read best: in lines of at most 80 columns."""
    show_text(text, PARAGRAPH)


def width() -> int:
    """The columns of the terminal."""
    import shutil

    return shutil.get_terminal_size((80, 24)).columns


def wrap_text(text: str, columns: int) -> str:
    """Text whose long lines go on in the next, as far indented as they began. A play stays on one line.

    >>> print(wrap_text("  one two three four five", 20))
      one two three four
      five
    >>> print(wrap_text("2 plays: 24/21 6/5*  8/5 6/5*", 24))
    2 plays: 24/21 6/5*
    8/5 6/5*
    """
    from textwrap import wrap

    lines: list[str] = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        if len(line) < columns:
            lines.append(line)
        else:
            lines += wrap(
                _PLAY.sub(_keep_together, line),
                max(20, columns - 1),
                subsequent_indent=indent,
                break_on_hyphens=False,
                break_long_words=False,
            )
    return "\n".join(lines).replace(_UNBROKEN, " ")


def _keep_together(play: re.Match[str]) -> str:
    return play[0].replace(" ", _UNBROKEN)


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
    """The board that ``rules.board`` draws for a Rich console, coloured with ``STYLES``."""
    from rich.text import Text

    from fullprime.rules.board import draw_lines

    text = Text(no_wrap=True)
    for number, line in enumerate(draw_lines(view)):
        if number:
            text.append("\n")
        for style, run in groupby(line, key=lambda cell: cell[1]):
            text.append("".join(cell for cell, _ in run), STYLES[style])
    return text

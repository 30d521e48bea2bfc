"""``help``: the meaning of a word of the game or of this program, from the glossary."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.terminal import say
from fullprime.rules.position import BAR, HAND, OFF, Position, mirror


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, "help", explain, "fullprime help prime", "fullprime help", "fullprime help 'back game'")


def explain(
    context: typer.Context,
    term: Annotated[list[str] | None, typer.Argument(metavar="TERM", help="A word of the game, or a command.")] = None,
) -> None:
    """The meaning of a word, with a board. Without a word, all the words there are."""
    from fullprime.cli.terminal import show_text
    from fullprime.learn.glossary import UnknownTerm, look_up

    word = " ".join(term or ())
    commands = getattr(context.find_root().command, "commands", {})
    if not word:
        _topics()
        return
    try:
        entry = look_up(word)
    except UnknownTerm:
        if word not in commands:
            raise
        show_text(f"{word} is a command: fullprime {word} --help")
        return
    from fullprime.cli.terminal import needs_ascii

    show_text(entry.name + (f" (also {', '.join(entry.also)})" if entry.also else ""))
    show_text(f"  {entry.text}")
    board = small_board(entry.position, ascii_only=needs_ascii())
    say("\n".join(["", *(f"  {line}" for line in board.splitlines()), ""]))
    for paragraph in (entry.beside(), entry.caption):
        if paragraph:
            show_text(f"  {paragraph}")
    if entry.see:
        show_text(f"  See also: {', '.join(entry.see)}")
    if word in commands:
        show_text(f"  It is a command too: fullprime {word} --help")


def _topics() -> None:
    """The names of all terms, a paragraph a letter."""
    from fullprime.cli.terminal import show_text
    from fullprime.learn.glossary import terms

    show_text("fullprime help TERM explains a word, fullprime COMMAND --help a command. The words:")
    for _, group in groupby(terms(), key=lambda term: term.name[0].upper()):
        show_text(f"  {', '.join(term.name for term in group)}")


def small_board(position: Position, *, ascii_only: bool = False) -> str:
    """A board of 38 columns, for examples beside a text and for narrow screens: a point a number and a checker.

    It is seen by the player on roll, who sits at the bottom with full checkers and bears off at the right.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> print(small_board(BACKGAMMON.starting_position, ascii_only=True))
    13 14 15 16 17 18 | 19 20 21 22 23 24
    5X  .  .  . 3O  . | 5O  .  .  .  . 2X
    -------------------------------------
    5O  .  .  . 3X  . | 5X  .  .  .  . 2O
    12 11 10  9  8  7 |  6  5  4  3  2  1
    """
    width = 3
    checkers = "XO" if ascii_only else "●○"
    empty, bar, across = (".", "|", "-") if ascii_only else ("·", "│", "─")

    def cell(point: int) -> str:
        mine, theirs = position.player[point], position.opponent[mirror(point)]
        return f"{mine}{checkers[0]}" if mine else f"{theirs}{checkers[1]}" if theirs else empty

    def line(words: Iterable[object]) -> str:
        cells = [f"{word!s:>{width - 1}}" for word in words]
        return f"{' '.join(cells[:6])} {bar} {' '.join(cells[6:])}"

    far, near = range(13, 25), range(12, 0, -1)
    lines = [line(far), line(map(cell, far)), across * len(line(far)), line(map(cell, near)), line(near)]
    beside = [
        f"{row[slot]}{checkers[side]} {where}"
        for side, row in enumerate((position.player, position.opponent))
        for slot, where in ((BAR, "on the bar"), (HAND, "in hand"), (OFF, "off"))
        if row[slot]
    ]
    return "\n".join([*lines, *([", ".join(beside)] if beside else [])])

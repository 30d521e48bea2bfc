"""``help``: the meaning of a word of the game or of this program, from the glossary."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.terminal import say


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
    known = getattr(context.find_root().command, "commands", {})
    if not word:
        _topics()
        return
    try:
        found = look_up(word)
    except UnknownTerm:
        if word not in known:
            raise
        show_text(f"{word} is a command: fullprime {word} --help")
        return
    from fullprime.cli.small_board import small_board
    from fullprime.cli.terminal import needs_ascii

    show_text(found.name + (f" (also {', '.join(found.also)})" if found.also else ""))
    show_text(f"  {found.text}")
    board = small_board(found.position, ascii_only=needs_ascii())
    say("\n".join(["", *(f"  {line}" for line in board.splitlines()), ""]))
    for told in (found.beside(), found.caption):
        if told:
            show_text(f"  {told}")
    if found.see:
        show_text(f"  See also: {', '.join(found.see)}")
    if word in known:
        show_text(f"  It is a command too: fullprime {word} --help")


def _topics() -> None:
    """The names of all terms, a paragraph a letter."""
    from fullprime.cli.terminal import show_text
    from fullprime.learn.glossary import terms

    show_text("fullprime help TERM explains a word, fullprime COMMAND --help a command. The words:")
    for _, found in groupby(terms(), key=lambda each: each.name[0].upper()):
        show_text(f"  {', '.join(each.name for each in found)}")

"""``fullprime daily``: the position of the day at a terminal, and the making of its stock."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.options import Seed, seed_number


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, "daily", daily, "fullprime daily", 'fullprime daily "13/7 8/7"', "fullprime daily --show --day 2026-11-22")


def daily(
    play: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAY]", help="Your play: what it costs, and why.")
    ] = None,
    *,
    day: Annotated[str | None, typer.Option("--day", help="Another day, as 2026-11-22.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Show the best play.")] = False,
    make: Annotated[
        int | None, typer.Option("--make", min=1, max=5000, help="Make the stock anew, with this number of positions.")
    ] = None,
    mend: Annotated[
        bool,
        typer.Option("--mend", help="Judge a stock of other nets anew, and replace days without a counted reason."),
    ] = False,
    seed: Seed = "1",
) -> None:
    """The position of the day: a board and a roll. Give your play to hear what it costs, and why."""
    from fullprime.cli.terminal import show_text
    from fullprime.learn.teaching import daily as service

    if make is not None:
        folder = service.make_stock(make, seed=seed_number(seed), report=show_text)
        show_text(f"{make} positions in {folder}")
        return
    if mend:
        show_text(f"positions in {service.mend_stock(seed=seed_number(seed), report=show_text)}")
        return
    when = _day(day)
    puzzle = service.of_day(when)
    answer = " ".join(play or ())
    if answer or show:
        reply = service.answer(when, answer) if answer else service.solution(when)
        for paragraph in reply.words:
            show_text("".join(piece.text for piece in paragraph))
        if reply.verdict.refused:
            raise typer.Exit(2)
        return
    from fullprime.cli.terminal import make_console, show_board
    from fullprime.rules.board import BoardView
    from fullprime.rules.cube import Cube
    from fullprime.rules.score import Player

    board = puzzle.board
    owner = {None: None, "you": Player.X, "opponent": Player.O}[board.owner]
    length = int(dict(board.rules).get("length", "0"))
    show_text(puzzle.step.say)
    show_board(
        make_console(),
        BoardView(
            board.position,
            dice=board.dice or (),
            cube=Cube(board.cube, owner),
            names=("you", "the other side"),
            scores=board.score,
            length=length,
            turn=Player.X,
        ),
    )


def _day(text: str | None) -> date:
    from fullprime.rules.errors import SettingsError

    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise SettingsError(f"{text[:40]!r} is no date; write it as 2026-11-22") from None

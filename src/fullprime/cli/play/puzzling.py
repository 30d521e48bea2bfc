"""``fullprime puzzles``: puzzles solved, rated, in streaks and storms; and the stock of them made."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.options import Database
from fullprime.cli.play.learning import HOW, looked_up, read_line
from fullprime.cli.progress import bar
from fullprime.cli.terminal import show_paragraph
from fullprime.rules.words import signed

if TYPE_CHECKING:
    from fullprime.learn.puzzles.fields import PuzzleAnswer, PuzzleStanding
    from fullprime.learn.puzzles.service import Puzzles
    from fullprime.learn.trainers.service import Who

WORDS = "help, help WORD (the glossary), board, skip, quit"


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = add_group(
        app, "puzzles", "Puzzles: one best play, and one that tempts.", "fullprime puzzles solve",
        "fullprime puzzles make dutch",
    )  # fmt: skip
    group.callback()(_group)
    add(
        group,
        "solve",
        solve,
        "fullprime puzzles solve",
        "fullprime puzzles solve dutch --mode streak",
        "fullprime puzzles solve --theme prime",
    )
    add(group, "standing", standing, "fullprime puzzles standing")
    add(group, "make", make, "fullprime puzzles make", "fullprime puzzles make dutch --count 300 --stock my-puzzles")


def _group() -> None:
    """Puzzles: one best play, and one that tempts."""


def solve(
    game: Annotated[str, typer.Argument(metavar="[VARIANT]", help="The game.")] = "backgammon",
    *,
    mode: Annotated[
        str,
        typer.Option(
            "--mode", help="rated; day, the puzzle of the day; streak, until the first error; storm, three minutes."
        ),
    ] = "rated",
    theme: Annotated[str, typer.Option("--theme", help="Only puzzles of this theme, such as prime.")] = "",
    count: Annotated[int, typer.Option("--count", "-c", min=1, help="So many puzzles at most.")] = 10,
    database: Database = None,
) -> None:
    """Solve puzzles: find the best play. You and the puzzle are both rated."""
    from fullprime.learn.learner_database import open_drills
    from fullprime.learn.puzzles.service import Puzzles, new_run
    from fullprime.learn.trainers.service import HERE, Who

    with open_drills(database) as engine:
        puzzles, who = Puzzles(engine), Who(key=HERE)
        show_paragraph(f"Write your play. Words: {WORDS}.")
        _solve(puzzles, who, _Asked(game, mode, new_run(), theme), 1 if mode == "day" else count)
        for each in puzzles.standings(who)["games"]:
            if each["variant"] == game:
                show_paragraph(_standing(each))


def standing(*, database: Database = None) -> None:
    """Your rating at puzzles, game by game."""
    from fullprime.learn.learner_database import open_drills
    from fullprime.learn.puzzles.service import Puzzles
    from fullprime.learn.trainers.service import HERE, Who

    with open_drills(database) as engine:
        for each in Puzzles(engine).standings(Who(key=HERE))["games"]:
            show_paragraph(_standing(each))


class _Asked(NamedTuple):
    """The puzzles that are wanted."""

    game: str
    mode: str
    run: str
    theme: str


def _solve(puzzles: Puzzles, who: Who, wanted: _Asked, count: int) -> None:
    try:
        for number in range(count):
            found = _one(puzzles, who, wanted, number + 1)
            if found is not None and found["over"]:
                show_paragraph(f"The {wanted.mode} is over: {found['score']} solved.")
                return
    except (EOFError, KeyboardInterrupt):
        show_paragraph("")


def _one(puzzles: Puzzles, who: Who, wanted: _Asked, number: int) -> PuzzleAnswer | None:
    """One puzzle; None for one that was skipped. Raises EOFError to leave."""
    from fullprime.cli.terminal import make_console, needs_ascii, show_board
    from fullprime.learn.puzzles.service import game_at, puzzle_named
    from fullprime.rules.board import BoardView
    from fullprime.rules.errors import FullprimeError
    from fullprime.rules.score import Player

    asked = puzzles.next(who, *wanted)
    show_paragraph(
        f"\n--- {number}: {asked['theme']}, {asked['rating']}{', tried before' if asked['tried'] else ''} ---"
    )
    board = game_at(puzzle_named(asked["name"]))
    view = BoardView.of(board, names=("You", "Opponent"), ascii_only=needs_ascii(), bottom=Player.X)
    show_board(make_console(), view)
    roll = "" if board.dice is None else board.dice.words
    begun = time.monotonic()
    while True:
        line = read_line(f"Play {roll} > ")
        word = line.casefold()
        if word in ("quit", "q", "exit"):
            raise EOFError
        if word == "skip":
            return None
        if word == "board":
            show_board(make_console(), view)
            continue
        if not line or word in ("help", "?"):
            show_paragraph(f"Write the play that you think is best, such as {HOW}. Words: {WORDS}.")
            continue
        if word.startswith(("help ", "? ")):
            show_paragraph(looked_up(word.partition(" ")[2]))
            continue
        try:
            found = puzzles.answer(who, asked["name"], line, time.monotonic() - begun, wanted.mode, wanted.run)
        except FullprimeError as error:
            show_paragraph(f"{error}.")
            continue
        cost = (
            "Right." if found["right"] else f"{found['answer']} costs {found['loss']:.3f}. The best: {found['best']}."
        )
        change = (
            ""
            if found["change"] is None
            else f" Your rating: {found['standing']['rating']} ({signed(found['change'], 0)})."
        )
        why = f" {found['why']}" if found["why"] else ""
        left = "" if found["seconds_left"] is None else f" {found['seconds_left']} s left."
        trap = f"It tempts: {found['trap']}, which costs {found['trap_loss']:.3f}."
        if found["answer"] == found["trap"]:
            trap = "That is the play that tempts."
        show_paragraph(f"{cost}{why} {trap}{change}{left}")
        return found


def _standing(found: PuzzleStanding) -> str:
    runs = f", best streak {found['best_streak']}, best storm {found['best_storm']}"
    rating = f"{found['rating']} ± {found['deviation']}, {found['right']} of {found['tries']} solved"
    return f"{found['title']}: {rating}{runs}; {found['puzzles']} puzzles."


def make(
    games: Annotated[list[str] | None, typer.Argument(metavar="[VARIANT]...", help="Games; all unless said.")] = None,
    *,
    count: Annotated[int | None, typer.Option("--count", "-c", min=1, help="So many puzzles of each game.")] = None,
    to: Annotated[
        Path | None, typer.Option("--stock", help="The folder of the stock; the package's own unless said.")
    ] = None,
) -> None:
    """Make puzzles out of self-play, each verified by a rollout; the command goes on from where it stopped.

    Every puzzle is on the disk as soon as it is found: end the command when you like.
    """
    from fullprime.cli.terminal import show_text
    from fullprime.learn.puzzles.stock_making import AIMS, make_stock
    from fullprime.rules.variants import variant_named

    for name in [variant_named(each).name for each in games or AIMS]:
        wanted = AIMS[name] if count is None else count
        try:
            with bar() as tell:
                found = make_stock(name, wanted, to, told=tell)
        except KeyboardInterrupt:
            show_text(f"{name}: stopped; the command goes on from here.")
            raise typer.Exit(130) from None
        show_text(f"{name}: {len(found)} puzzles out of {found.games} games.")

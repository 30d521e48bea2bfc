"""``fullprime puzzles``: puzzles solved, rated, in streaks and storms; and the stock of them made."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.options import Database
from fullprime.cli.play.learning import HOW, glossary_text, read_line
from fullprime.cli.progress import show_resumable_bar
from fullprime.cli.terminal import show_paragraph
from fullprime.rules.words import format_signed

if TYPE_CHECKING:
    from fullprime.learn.puzzles.model import PuzzleAnswer, PuzzleStanding
    from fullprime.learn.puzzles.service import Puzzles
    from fullprime.learn.trainers.service import LearnerId

WORDS = "help, help WORD (the glossary), board, skip, quit"


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = add_group(
        app, "puzzles", "Puzzles: one best play, and one that tempts.", "fullprime puzzles solve",
        "fullprime puzzles make dutch",
    )  # fmt: skip
    add(
        group,
        "solve",
        solve,
        "fullprime puzzles solve",
        "fullprime puzzles solve dutch --mode streak",
        "fullprime puzzles solve --theme prime --skill beginner",
    )
    add(group, "standing", standing, "fullprime puzzles standing")
    add(group, "make", make, "fullprime puzzles make", "fullprime puzzles make dutch --count 300 --stock my-puzzles")


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
    skill: Annotated[
        str,
        typer.Option(
            "--skill", help="How strong you are before you have a rating: beginner, casual, club or tournament."
        ),
    ] = "club",
    count: Annotated[int, typer.Option("--count", "-c", min=1, help="The most puzzles.")] = 10,
    database: Database = None,
) -> None:
    """Solve puzzles: find the best play. You and the puzzle are both rated."""
    from fullprime.learn.learner_database import open_drills
    from fullprime.learn.puzzles.service import Puzzles, new_run
    from fullprime.learn.trainers.service import HERE, LearnerId

    with open_drills(database) as engine:
        puzzles, learner = Puzzles(engine), LearnerId(key=HERE)
        show_paragraph(f"Write your play. Words: {WORDS}.")
        _solve(puzzles, learner, _Asked(game, mode, new_run(), theme, skill), 1 if mode == "day" else count)
        for standing in puzzles.get_standings(learner).games:
            if standing.variant == game:
                show_paragraph(_standing(standing))


def standing(*, database: Database = None) -> None:
    """Your rating at puzzles, game by game."""
    from fullprime.learn.learner_database import open_drills
    from fullprime.learn.puzzles.service import Puzzles
    from fullprime.learn.trainers.service import HERE, LearnerId

    with open_drills(database) as engine:
        for game in Puzzles(engine).get_standings(LearnerId(key=HERE)).games:
            show_paragraph(_standing(game))


class _Asked(NamedTuple):
    """The puzzles that are wanted."""

    game: str
    mode: str
    run: str
    theme: str
    skill: str


def _solve(puzzles: Puzzles, learner: LearnerId, wanted: _Asked, count: int) -> None:
    try:
        for number in range(count):
            answer = _one(puzzles, learner, wanted, number + 1)
            if answer is not None and answer.over:
                show_paragraph(f"The {wanted.mode} is over: {answer.score} solved.")
                return
    except (EOFError, KeyboardInterrupt):
        show_paragraph("")


def _one(puzzles: Puzzles, learner: LearnerId, wanted: _Asked, number: int) -> PuzzleAnswer | None:
    """One puzzle; None for one that was skipped. Raises EOFError to leave."""
    from fullprime.cli.terminal import make_console, needs_ascii, show_board
    from fullprime.learn.puzzles.service import game_at, puzzle_named
    from fullprime.rules.board import BoardView
    from fullprime.rules.errors import FullprimeError
    from fullprime.rules.score import Player

    puzzle = puzzles.choose_next(learner, *wanted)
    show_paragraph(f"\n--- {number}: {puzzle.theme}, {puzzle.rating}{', tried before' if puzzle.tried else ''} ---")
    board = game_at(puzzle_named(puzzle.name))
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
            show_paragraph(glossary_text(word.partition(" ")[2]))
            continue
        try:
            seconds = time.monotonic() - begun
            answer = puzzles.answer(learner, puzzle.name, line, seconds, wanted.mode, wanted.run, wanted.skill)
        except FullprimeError as error:
            show_paragraph(f"{error}.")
            continue
        cost = "Right." if answer.right else f"{answer.answer} costs {answer.loss:.3f}. The best: {answer.best}."
        change = (
            ""
            if answer.change is None
            else f" Your rating: {answer.standing.rating} ({format_signed(answer.change, 0)})."
        )
        why = f" {answer.why}" if answer.why else ""
        left = "" if answer.seconds_left is None else f" {answer.seconds_left} s left."
        trap = f"It tempts: {answer.trap}, which costs {answer.trap_loss:.3f}."
        if answer.answer == answer.trap:
            trap = "That is the play that tempts."
        show_paragraph(f"{cost}{why} {trap}{change}{left}")
        return answer


def _standing(standing: PuzzleStanding) -> str:
    runs = f", best streak {standing.best_streak}, best storm {standing.best_storm}"
    rating = f"{standing.rating} ± {standing.deviation}, {standing.right} of {standing.tries} solved"
    return f"{standing.title}: {rating}{runs}; {standing.puzzles} puzzles."


def make(
    games: Annotated[list[str] | None, typer.Argument(metavar="[VARIANT]...", help="Games; all unless said.")] = None,
    *,
    count: Annotated[int | None, typer.Option("--count", "-c", min=1, help="Puzzles of each game.")] = None,
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

    for name in [variant_named(game).name for game in games or AIMS]:
        wanted = AIMS[name] if count is None else count
        with show_resumable_bar(f"{name}: ") as tell:
            stock = make_stock(name, wanted, to, report=tell)
        show_text(f"{name}: {len(stock)} puzzles out of {stock.games} games.")

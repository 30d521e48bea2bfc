"""Commands about played matches: ``review``; ``diagram`` and ``maps`` for any position."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fullprime.cli.command import add
from fullprime.cli.matches.review_tables import match_lines, summary_lines, total_lines
from fullprime.cli.options import (
    Json,
    Level,
    Mirror,
    Plays,
    PositionId,
    PositionOptions,
    ReviewLevel,
    RollWords,
    Seconds,
    Threads,
    threads_of,
)
from fullprime.cli.progress import show_progress_bar
from fullprime.cli.standard_input import read_file_arguments
from fullprime.cli.terminal import say, say_json
from fullprime.rules.words import format_players, in_game

if TYPE_CHECKING:
    from fullprime.analysis.model import RollsAnswer, ScoresAnswer
    from fullprime.reviews.matches.reviewing import ReviewedMatch, Unread

PARTLY = 1
"""Exit code: something was reviewed, something could not be."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, "review", review, "fullprime review match.mat", "fullprime review matches/ --player Ann --html reports/")
    add(app, "diagram", diagram, "fullprime diagram 4HPwATDgc/ABMA 31 --play '8/5 6/5' -o board.svg")
    add(app, "maps", maps, "fullprime maps 4HPwATDgc/ABMA", "fullprime maps 4HPwATDgc/ABMA 31 --scores 5")


def review(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Matches in any format, archives, folders, '*.mat'; - for the input."),
    ],
    level: ReviewLevel = "standard",
    player: Annotated[str | None, typer.Option("--player", help="Show the decisions of this player.")] = None,
    marks: Annotated[
        str, typer.Option("--marks", help="Errors by xg, gnubg, or losses such as 0.03/0.06/0.12.")
    ] = "xg",
    worst: Annotated[int, typer.Option("--worst", min=0, help="How many of the worst decisions to show.")] = 10,
    why: Annotated[bool, typer.Option("--why", help="Say all the reasons for the better play or action.")] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write the report there (a folder for several).")] = None,
    text: Annotated[bool, typer.Option("--text", help="Every decision in a line, no boards.")] = False,
    keep: Annotated[bool, typer.Option("--keep/--no-keep", help="Use and keep reviews, or judge anew.")] = True,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Judge every decision of a match: its cost, the luck, the PR. Several matches are judged at once."""
    from fullprime.cli.terminal import show_note
    from fullprime.reviews.matches import reviewing, reviewing_many

    thresholds = reviewing.thresholds_named(marks)
    matches, unread = _review_files(read_file_arguments(files), level, threads_of(threads), keep=keep)
    if player is not None and matches and all(reviewing.player_of(reviewed, player) is None for reviewed in matches):
        names = sorted({name for reviewed in matches for name in reviewed.document.match.names})
        raise reviewing.ReviewingError(f"nobody is called {player[:40]!r}; there are {', '.join(names[:12])}")
    if html is not None and matches:
        for place in reviewing.write_pages(matches, html, thresholds, player):
            show_note(f"wrote {place}")
    totals = reviewing_many.totals_of(matches, thresholds)
    if json:
        report = {
            "matches": [reviewed.rate(thresholds) for reviewed in matches],
            "players": totals,
            "unread": unread,
        }
        say_json(report)
    else:
        for reviewed in matches:
            for problem in reviewed.document.report:
                show_note(f"{reviewed.name}: {problem}")
            if len(matches) == 1 or text:
                _show_summary(reviewed, thresholds)
            if text:
                _show_decisions(reviewed, thresholds, player)
        if len(matches) > 1:
            say("\n".join([*match_lines(matches, thresholds), "", *total_lines(totals), ""]))
        if not text:
            _show_worst(matches, thresholds, player, worst, why=why)
    if unread:
        raise typer.Exit(PARTLY if matches else 2)


def _review_files(
    files: Sequence[Path | bytes], level: str, threads: int, *, keep: bool
) -> tuple[list[ReviewedMatch], list[Unread]]:
    """The results of the files; the parts that could not be reviewed have been reported."""
    from fullprime.reviews.matches.reviewing import ReviewedMatch
    from fullprime.reviews.matches.reviewing_many import review_files

    matches: list[ReviewedMatch] = []
    unread: list[Unread] = []
    with show_progress_bar() as progress:
        for outcome in review_files(files, level, threads=threads, keep=keep, progress=progress):
            if isinstance(outcome, ReviewedMatch):
                matches.append(outcome)
            else:
                unread.append(outcome)
    for missed in unread:
        say(f"error: {missed.name}: {missed.why}", file=sys.stderr)
    return matches, unread


def _show_summary(reviewed: ReviewedMatch, thresholds: Any) -> None:
    match = reviewed.document.match
    about = f"match to {match.settings.length}" if match.settings.is_match else "money"
    say(f"{reviewed.name}: {format_players(match.names)}, {about}, {match.settings.variant.title}")
    say(
        fill(
            f"level {reviewed.review.level}, {reviewed.review.program}",
            80,
            subsequent_indent="  ",
            break_on_hyphens=False,
        )
    )
    say()
    say("\n".join(summary_lines(reviewed, thresholds)))
    say()


def _show_decisions(reviewed: ReviewedMatch, thresholds: Any, player: str | None) -> None:
    """Every decision (of the player with that name) in a line."""
    from fullprime.reviews.matches.reviewing import player_of

    names, side, moves = reviewed.document.match.names, player_of(reviewed, player), reviewed.moves
    for decision in reviewed.review.decisions:
        if player is None or side is decision.player:
            verdict = decision.verdict(thresholds)
            say(
                f"{decision.game + 1:>3}.{moves[decision.game, decision.event]:<4}{names[decision.player][:16]:<17}"
                f"{decision.loss:6.3f}  {verdict:<18}{decision.words}"
            )
    say()


def _show_worst(matches: Sequence[ReviewedMatch], thresholds: Any, player: str | None, most: int, *, why: bool) -> None:
    """The decisions that cost most in all the matches, with their boards and the reason; with ``why`` all reasons."""
    from fullprime.cli.terminal import make_console, needs_ascii, show_board
    from fullprime.reviews.matches.reviewing import reasons_of
    from fullprime.reviews.matches.reviewing_many import worst_of
    from fullprime.rules.board import BoardView

    console = make_console()
    for reviewed, side, decision, game in worst_of(matches, most, thresholds, player):
        names = reviewed.document.match.names
        view = BoardView.of(
            game, names=names, bottom=side if side is not None else decision.player, ascii_only=needs_ascii()
        )
        where = in_game(decision.game + 1, reviewed.moves[decision.game, decision.event])
        say(where.capitalize() if len(matches) == 1 else f"{reviewed.name}: {where}", end="")
        say(f": {decision.verdict(thresholds)} of {names[decision.player]}")
        show_board(console, view)
        say(decision.words)
        for sentence in reasons_of(decision, game)[: None if why else 1]:
            say(fill(sentence, 80))
        say()


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureOptions:
    """The look of a picture."""

    size: Annotated[int, typer.Option("--size", min=16, max=8192, help="Width in pixels.")] = 560
    theme: Annotated[str, typer.Option("--theme", help="classic, dark or print.")] = "classic"
    colour: Annotated[list[str] | None, typer.Option("--colour", help="part=colour, such as felt=#204020.")] = None
    mirror: Mirror = False
    bottom: Annotated[str | None, typer.Option("--bottom", help="Who sits at the bottom, X or O.")] = None
    numbers: Annotated[str | None, typer.Option("--numbers", help="Whose numbers the points carry, X or O.")] = None
    names: Annotated[tuple[str, str], typer.Option("--names", help="The names of X and O.")] = ("X", "O")
    coordinates: Annotated[bool, typer.Option("--coordinates/--no-coordinates", help="Numbers at the points.")] = True
    pips: Annotated[bool, typer.Option("--pips/--no-pips", help="Pip counts.")] = True


def diagram(
    position: PositionId,
    roll: RollWords = None,
    *,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file ending in .svg or .png.")] = None,
    play: Plays = None,
    picture: PictureOptions,
    at: PositionOptions,
) -> None:
    """Draw a picture of a position, as SVG or PNG. Plays are arrows. Without --output the SVG is printed."""
    from fullprime.analysis import diagrams

    drawn = diagrams.diagram(
        at.game(position, roll, quiet=True),
        size=picture.size,
        theme=picture.theme,
        home="left" if picture.mirror else "right",
        bottom=picture.bottom,
        numbers=picture.numbers,
        coordinates=picture.coordinates,
        pips=picture.pips,
        plays=tuple(play or ()),
        names=picture.names,
        colours=tuple(picture.colour or ()),
    )
    if output is None:
        say(drawn)
    else:
        diagrams.save(drawn, output, picture.size)


def maps(
    position: PositionId,
    roll: RollWords = None,
    *,
    scores: Annotated[
        int | None,
        typer.Option("--scores", help="Instead: the best play or the cube at scores up to this number away."),
    ] = None,
    level: Level = "1-ply",
    at: PositionOptions,
    threads: Threads = None,
    seconds: Seconds = None,
    json: Json = False,
) -> None:
    """The worth of every roll, or the best choice at every score.

    --level and --seconds are for the scores.
    """
    from fullprime.analysis import service

    game = at.game(position, roll, quiet=json)
    if scores is None:
        answer: RollsAnswer | ScoresAnswer = service.map_rolls(game, threads_of(threads))
    else:
        with show_progress_bar() as tell:
            answer = service.map_scores(
                game, scores, level, threads=threads_of(threads), seconds=seconds,
                progress=lambda map_: tell("scores", len(map_.cells), map_.asked, f"{map_.done} at {map_.level}"),
            )  # fmt: skip
    if json:
        say_json(answer)
    else:
        say(answer.map.text)

"""Commands about played matches: ``review``; ``diagram`` and ``maps`` for any position."""

from __future__ import annotations

import json as json_module
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
    Threads,
    threads_of,
)
from fullprime.cli.progress import bar
from fullprime.cli.standard_input import given_files
from fullprime.cli.terminal import say
from fullprime.common.json_values import to_json
from fullprime.rules.words import in_game, versus

if TYPE_CHECKING:
    from fullprime.reviews.matches.reviewing import ReviewedMatch, Unread

PARTLY = 1
"""Exit code: something was reviewed, something could not be."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, "review", review, "fullprime review match.mat", "fullprime review matches/ --player Ann --html reports/")
    add(app, "diagram", diagram, "fullprime diagram 4HPwATDgc/ABMA 31 --play '8/5 6/5' -o board.svg")
    add(app, "maps", maps, "fullprime maps 4HPwATDgc/ABMA", "fullprime maps 4HPwATDgc/ABMA --scores 5")


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
    from fullprime.cli.terminal import note
    from fullprime.reviews.matches import reviewing, reviewing_many

    thresholds = reviewing.thresholds_named(marks)
    found, unread = _reviewed(given_files(files), level, threads_of(threads), keep=keep)
    if player is not None and found and all(reviewing.player_of(each, player) is None for each in found):
        names = sorted({name for each in found for name in each.document.match.names})
        raise reviewing.ReviewingError(f"nobody is called {player[:40]!r}; there are {', '.join(names[:12])}")
    if html is not None and found:
        for place in reviewing.write_pages(found, html, thresholds, player):
            note(f"wrote {place}")
    totals = reviewing_many.totals_of(found, thresholds)
    if json:
        told = {
            "matches": [reviewing.reviewed_json(each, thresholds) for each in found],
            "players": [reviewing_many.total_json(each) for each in totals],
            "unread": [{"name": each.name, "why": each.why} for each in unread],
        }
        say(json_module.dumps(told))
    else:
        for each in found:
            for problem in each.document.report:
                note(f"{each.name}: {problem}")
            if len(found) == 1 or text:
                _show_summary(each, thresholds)
            if text:
                _show_decisions(each, thresholds, player)
        if len(found) > 1:
            say("\n".join([*match_lines(found, thresholds), "", *total_lines(totals), ""]))
        if not text:
            _show_worst(found, thresholds, player, worst, why=why)
    if unread:
        raise typer.Exit(PARTLY if found else 2)


def _reviewed(
    files: Sequence[Path | bytes], level: str, threads: int, *, keep: bool
) -> tuple[list[ReviewedMatch], list[Unread]]:
    """The results of the files; the parts that could not be reviewed have been reported."""
    from fullprime.reviews.matches.reviewing import ReviewedMatch
    from fullprime.reviews.matches.reviewing_many import review_files

    found: list[ReviewedMatch] = []
    unread: list[Unread] = []
    with bar() as progress:
        for each in review_files(files, level, threads=threads, keep=keep, progress=progress):
            if isinstance(each, ReviewedMatch):
                found.append(each)
            else:
                unread.append(each)
    for missed in unread:
        say(f"error: {missed.name}: {missed.why}", file=sys.stderr)
    return found, unread


def _show_summary(each: ReviewedMatch, thresholds: Any) -> None:
    match = each.document.match
    about = f"match to {match.settings.length}" if match.settings.is_match else "money"
    say(f"{each.name}: {versus(match.names)}, {about}, {match.settings.variant.title}")
    say(fill(f"level {each.review.level}, {each.review.program}", 80, subsequent_indent="  ", break_on_hyphens=False))
    if each.uncounted:
        say(f"not counted: {'; '.join(each.uncounted)}")
    say()
    say("\n".join(summary_lines(each, thresholds)))
    say()


def _show_decisions(each: ReviewedMatch, thresholds: Any, player: str | None) -> None:
    """Every decision (of the player with that name) in a line."""
    from fullprime.reviews.matches.reviewing import player_of

    names, side, moves = each.document.match.names, player_of(each, player), each.moves
    for decision in each.review.decisions:
        if player is None or side is decision.player:
            verdict = decision.verdict(thresholds)
            say(
                f"{decision.game + 1:>3}.{moves[decision.game, decision.event]:<4}{names[decision.player][:16]:<17}"
                f"{decision.loss:6.3f}  {verdict:<18}{decision.words}"
            )
    say()


def _show_worst(found: Sequence[ReviewedMatch], thresholds: Any, player: str | None, most: int, *, why: bool) -> None:
    """The decisions that cost most in all the matches, with their boards and the reason; with ``why`` all reasons."""
    from fullprime.cli.terminal import make_console, needs_ascii, show_board
    from fullprime.reviews.matches.reviewing import reasons_of
    from fullprime.reviews.matches.reviewing_many import worst_of
    from fullprime.rules.board import BoardView

    console = make_console()
    for each, side, decision, game in worst_of(found, most, thresholds, player):
        names = each.document.match.names
        view = BoardView.of(
            game, names=names, bottom=side if side is not None else decision.player, ascii_only=needs_ascii()
        )
        where = in_game(decision.game + 1, each.moves[decision.game, decision.event])
        say(where.capitalize() if len(found) == 1 else f"{each.name}: {where}", end="")
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
    *,
    scores: Annotated[
        int | None,
        typer.Option("--scores", help="Instead: the right cube action at every score of a match this long."),
    ] = None,
    level: Level = "1-ply",
    at: PositionOptions,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """The worth of each of the 21 rolls, or the cube at every score. --level is for the scores."""
    from fullprime.analysis import maps as drawn
    from fullprime.analysis import service

    game = at.game(position, quiet=json)
    if json:
        say(json_module.dumps(to_json(service.rolls(game) if scores is None else service.scores(game, scores))))
    elif scores is None:
        say(drawn.rolls_text(game, threads_of(threads)))
    else:
        say(drawn.scores_text(game, scores, level, threads_of(threads)))

"""Commands that look at what was played: ``review``; ``diagram`` and ``maps`` for any position."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fullprime.cli.progress import bar
from fullprime.cli.thinking import CubeAt, Dice, Length, Position, ScoreText, Threads, game_of, threads_of
from fullprime.cli.tools import Json, Variant

if TYPE_CHECKING:
    from fullprime.app.reviewing import Reviewed, Unread

PARTLY = 1
"""Exit code: something was reviewed, something could not be."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("review")(review)
    app.command("diagram")(diagram)
    app.command("maps")(maps)


def review(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Matches in any format, archives, folders.")],
    level: Annotated[str, typer.Option("--level", "-l", help="How deep: fast, standard or deep.")] = "standard",
    player: Annotated[str | None, typer.Option("--player", "-p", help="Show the decisions of this player.")] = None,
    marks: Annotated[
        str, typer.Option("--marks", help="Errors by xg, gnubg, or losses such as 0.03/0.06/0.12.")
    ] = "xg",
    worst: Annotated[int, typer.Option("--worst", help="How many of the worst decisions to show.")] = 10,
    html: Annotated[Path | None, typer.Option("--html", help="Write the report there (a folder for several).")] = None,
    text: Annotated[bool, typer.Option("--text", help="Every decision in a line, no boards.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Leave reviews that are kept alone and judge anew.")] = False,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """What every decision of a match cost, how lucky the rolls were, and how well each player played."""
    from fullprime.app import reviewing
    from fullprime.cli.terminal import note

    thresholds = reviewing.thresholds_named(marks)
    found: list[Reviewed] = []
    unread: list[Unread] = []
    with bar() as progress:
        for each in reviewing.review_files(
            files, level, threads=threads_of(threads), keep=not again, progress=progress
        ):
            if isinstance(each, reviewing.Reviewed):
                found.append(each)
            else:
                unread.append(each)
    for each in unread:
        print(f"error: {each.name}: {each.why}", file=sys.stderr)
    if player is not None and found and all(reviewing.player_of(each, player) is None for each in found):
        names = sorted({name for each in found for name in each.document.match.names})
        raise reviewing.ReviewingError(f"nobody is called {player[:40]!r}; there are {', '.join(names[:12])}")
    if html is not None and found:
        for place in reviewing.write_pages(found, html, thresholds, player):
            note(f"wrote {place}")
    if json:
        print(json_module.dumps([reviewing.reviewed_json(each, thresholds) for each in found]))
    else:
        for each in found:
            for problem in each.document.report:
                note(f"{each.name}: {problem}")
            _show(each, thresholds, reviewing.player_of(each, player), worst, plain=text)
    if unread:
        raise typer.Exit(PARTLY if found else 2)


def _show(each: Reviewed, thresholds: Any, player: Any, worst: int, *, plain: bool) -> None:
    from fullprime.cli.board import BoardView
    from fullprime.cli.terminal import make_console, needs_ascii, show_board

    match = each.document.match
    about = f"match to {match.settings.length}" if match.settings.is_match else "money"
    print(f"{each.name}: {match.names[0]} against {match.names[1]}, {about}, {match.settings.variant.title}")
    print(f"level {each.review.level}, {each.review.program}")
    print()
    print("\n".join(summary_lines(each, thresholds)))
    if plain:
        print()
        for decision in each.review.decisions:
            if player in (None, decision.player):
                verdict = decision.verdict(thresholds)
                print(
                    f"{decision.game + 1:>3}.{decision.event + 1:<4}{match.names[decision.player][:16]:<17}"
                    f"{decision.loss:6.3f}  {verdict:<18}{decision.words}"
                )
        return
    console = make_console()
    for decision, game in each.worst(worst, thresholds, player):
        bottom = player if player is not None else decision.player
        view = BoardView.of(game, names=match.names, bottom=bottom, ascii_only=needs_ascii())
        print()
        who = match.names[decision.player]
        print(f"Game {decision.game + 1}, event {decision.event + 1}: {decision.verdict(thresholds)} of {who}")
        show_board(console, view)
        print(f"{decision.words}")
    print()


def summary_lines(each: Reviewed, thresholds: Any) -> list[str]:
    """The table of both players; fits 80 columns."""
    match = each.document.match
    ratings = each.ratings(thresholds)

    def number(value: float | None, form: str = ".2f", unit: str = "") -> str:
        return "-" if value is None else format(value, form) + unit

    def chances(value: float | None, form: str = ".1f") -> str:
        if value is None:
            return "-"
        return f"{100 * value:{form}} %" if match.settings.is_match else f"{value:{form}}"

    rows: list[tuple[str, Sequence[str]]] = [
        ("", [name[:22] for name in match.names]),
        ("PR", [number(rating.pr) for rating in ratings]),
        ("  between (95 %)", [_span(rating.overall.interval) for rating in ratings]),
        ("  plays like", [rating.band or "-" for rating in ratings]),
        ("decisions that count", [str(rating.overall.counted) for rating in ratings]),
        ("errors, blunders", [f"{rating.overall.errors}, {rating.overall.blunders}" for rating in ratings]),
        ("too close to call", [str(rating.overall.unclear) for rating in ratings]),
        *[
            (f"PR {part}", [f"{number(rating.parts[part].pr)} ({rating.parts[part].counted})" for rating in ratings])
            for part in ratings[0].parts
        ],
        ("equity lost", [number(rating.overall.loss, ".3f") for rating in ratings]),
        ("gnubg error rate", [f"{number(rating.gnu_rate, '.1f')} {rating.gnu_word or ''}" for rating in ratings]),
        ("luck (equity)", [number(rating.luck, "+.3f") for rating in ratings]),
        (
            "luck (match)" if match.settings.is_match else "luck (points)",
            [chances(rating.luck_value, "+.1f") for rating in ratings],
        ),
    ]
    lines = [f"{name:<22}{''.join(f'{cell.strip():>24}' for cell in cells)}" for name, cells in rows]
    result = each.result
    if result is not None:
        lines.append(
            f"Result for {match.names[0][:30]}: {chances(result.actual)}, without luck {chances(result.adjusted)}"
        )
    if each.review.left_out:
        lines.append(f"left out (illegal plays, set-ups, unknowns): {len(each.review.left_out)}")
    return lines


def _span(interval: tuple[float, float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"


def diagram(
    position: Position,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file ending in .svg or .png.")] = None,
    dice: Dice = None,
    variant: Variant = "backgammon",
    length: Length = None,
    score: ScoreText = None,
    size: Annotated[int, typer.Option("--size", help="Width in pixels.")] = 560,
    theme: Annotated[str, typer.Option("--theme", help="classic, dark or print.")] = "classic",
    colour: Annotated[list[str] | None, typer.Option("--colour", help="part=colour, such as felt=#204020.")] = None,
    home: Annotated[
        str, typer.Option("--home", help="The bottom player bears off at the right or the left.")
    ] = "right",
    bottom: Annotated[str | None, typer.Option("--bottom", help="Who sits at the bottom, X or O.")] = None,
    numbers: Annotated[str | None, typer.Option("--numbers", help="Whose numbers the points carry, X or O.")] = None,
    play: Annotated[
        list[str] | None, typer.Option("--play", help="A play to draw as arrows; the first is green.")
    ] = None,
    names: Annotated[tuple[str, str], typer.Option("--names", help="The names of X and O.")] = ("X", "O"),
    coordinates: Annotated[bool, typer.Option("--coordinates/--no-coordinates", help="Numbers at the points.")] = True,
    pips: Annotated[bool, typer.Option("--pips/--no-pips", help="Pip counts.")] = True,
) -> None:
    """A picture of a position; without --output the SVG is printed."""
    from dataclasses import replace

    from fullprime.app import diagrams
    from fullprime.rules.dice import Roll
    from fullprime.rules.game import Phase

    game = diagrams.board_of(position, variant, length, score)
    if dice is not None:
        game = replace(game, dice=Roll.from_text(dice), phase=Phase.PLAY)
    picture = diagrams.diagram(
        game,
        size=size,
        theme=theme,
        home=home,
        bottom=bottom,
        numbers=numbers,
        coordinates=coordinates,
        pips=pips,
        plays=tuple(play or ()),
        names=names,
        colours=tuple(colour or ()),
    )
    if output is None:
        print(picture)
    else:
        diagrams.save(picture, output, size)


def maps(
    position: Position,
    scores: Annotated[
        int | None, typer.Option("--scores", help="Instead: the right cube action at every score of a match this long.")
    ] = None,
    level: Annotated[str, typer.Option("--level", "-l", help="How strong, with --scores.")] = "1-ply",
    variant: Variant = "backgammon",
    length: Length = None,
    score: ScoreText = None,
    cube_at: CubeAt = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """What each of the 21 rolls is worth, or what to do with the cube at every score."""
    from fullprime.app import analysing
    from fullprime.app import maps as drawn

    game = game_of(position, variant, length=length, score=score, cube_at=cube_at, quiet=json)
    if json:
        print(json_module.dumps(analysing.rolls(game) if scores is None else analysing.scores(game, scores)))
    elif scores is None:
        print(drawn.rolls_text(game, threads_of(threads)))
    else:
        print(drawn.scores_text(game, scores, level, threads_of(threads)))

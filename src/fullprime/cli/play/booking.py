"""``fullprime book``: rolled-out openings and replies shown and extended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.options import VARIANT_HELP, Database
from fullprime.cli.progress import show_resumable_bar
from fullprime.cli.terminal import say
from fullprime.rules.words import count_noun, format_signed

if TYPE_CHECKING:
    from fullprime.learn.opening_book.reference import ReferenceCube
    from fullprime.learn.openings.model import OpeningPlace, OwnOpenings

Game = Annotated[str, typer.Option("--variant", "-v", help=VARIANT_HELP)]
Score = Annotated[
    str, typer.Option("--score", help="money, dmp, gammon-go, gammon-save or 2-away: the opener's score.")
]
_OURS = Annotated[Path | None, typer.Option("--book", help="The folder of the trials; your own unless said.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = add_group(
        app, "book", "The book: openings and replies, rolled out.", 'fullprime book show "31:8/5 6/5" 64',
        "fullprime book extend --score dmp --seconds 600",
    )  # fmt: skip
    add(
        group, "show", show, "fullprime book show", "fullprime book show 21 --score gammon-go",
        'fullprime book show "31:8/5 6/5" 64', "fullprime book show 52 --mine Mia",
    )  # fmt: skip
    add(
        group, "extend", extend, "fullprime book extend", "fullprime book extend dutch --rolls 1 --within 0.005",
        "fullprime book extend --score gammon-go --score gammon-save --seconds 3600",
    )  # fmt: skip
    add(group, "reference", reference, "fullprime book reference", "fullprime book reference race")


def show(
    line: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ROLL]...", help="Rolls from the start: 31, or with its play 31:8/5_6/5."),
    ] = None,
    *,
    game: Game = "backgammon",
    score: Score = "money",
    mine: Annotated[
        str | None, typer.Option("--mine", help="The plays of this player in your library, and how they went.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The answer as JSON.")] = False,
    database: Database = None,
) -> None:
    """Show the plays of a roll, or the rolls that can come next with their best plays.

    A roll without a play is played best where another roll follows. The figures are rollouts with their 95 % interval;
    where the book has none yet, search answers, and the output says so.
    """
    import json as json_module

    from fullprime.cli.terminal import show_text
    from fullprime.common.json_values import to_json
    from fullprime.learn.openings.explorer import make_place
    from fullprime.library.own_openings import load_own_plays

    steps = [step.replace("_", " ") for step in line or ()]
    opening = make_place(game, score, steps)
    own = load_own_plays(game, score, steps, mine, database) if mine is not None else None
    if json:
        say(json_module.dumps(to_json(opening) | ({} if own is None else {"own": to_json(own)}), ensure_ascii=False))
        return
    show_text(_text(opening))
    if own is not None:
        show_text(_format_own_plays(own))


def extend(
    games: Annotated[list[str] | None, typer.Argument(metavar="[VARIANT]...", help="Games.")] = None,
    *,
    score: Annotated[
        list[str] | None, typer.Option("--score", help="A score; may be given again. money and dmp unless said.")
    ] = None,
    rolls: Annotated[int, typer.Option("--rolls", min=1, max=3, help="1 openings, 2 replies too, 3 third rolls.")] = 2,
    within: Annotated[
        float | None,
        typer.Option("--within", help="Half of the 95 % interval; 0.005, 0.01, 0.02 by the number of rolls."),
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", min=0, help="End after this number of seconds.")] = None,
    book: _OURS = None,
) -> None:
    """Roll out what the book does not know well enough; the command goes on from where it stopped.

    Questions take turns of 324 trials: those without any first, then those whose best play is unsettled. All trials
    are on the disk after each turn: end the command when you like. Yours stand beside those of the package.
    """
    from fullprime.cli.terminal import show_text
    from fullprime.learn.opening_book.extending import BookProgress
    from fullprime.learn.openings.making import extend as extend_book

    for game in games or ["backgammon"]:
        with show_resumable_bar(f"{game}: ") as tell:

            def show_progress(news: BookProgress) -> None:
                stage, node = news.stage, news.node
                name = f"{stage.game} {stage.score}, {('openings', 'replies', 'third rolls')[stage.rolls - 1]}"
                words = "" if node is None else f"{node.key.roll.words}: {node.trials} trials, ± {node.half:.4f}"
                tell(name, news.done, news.there_are, words)

            nodes = extend_book(
                game, score or (), rolls=rolls, until=within, seconds=seconds, folder=book, report=show_progress
            )  # fmt: skip
        trials = sum(node.trials * len(node.choices) for node in nodes)
        show_text(f"{game}: {len(nodes)} rolls with {trials:,} trials.")


def reference(
    theme: Annotated[
        str | None, typer.Argument(metavar="[THEME]", help="One theme, such as race; all unless said.")
    ] = None,
    *,
    make: Annotated[
        int | None, typer.Option("--make", min=1, help="Find positions until every theme has this number.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--file", help="Another file than that of the package.")] = None,
) -> None:
    """Show the reference positions: cube decisions at their borders, each with a neighbour that turns it.

    With --make they are searched in games of self-play and confirmed by rollouts; each is on the disk at once.
    """
    from fullprime.cli.terminal import show_text, width, wrap_text
    from fullprime.learn.opening_book.reference import FILE
    from fullprime.learn.openings.references import make_references, references

    path = FILE if to is None else to
    if make is not None:
        with show_resumable_bar() as tell:
            positions = make_references(make, path, report=lambda have, wanted: tell("reference", have, wanted))
        show_text(f"{len(positions)} reference positions.")
        return
    collection = references(path)
    themes = [topic for topic in collection.themes if theme in (None, topic.name)]
    if not themes:
        names = ", ".join(topic.name for topic in collection.themes)
        raise typer.BadParameter(f"there is no theme {theme!r:.40}; there are {names}")
    for topic in themes:
        show_text(f"{topic.title}: {topic.about}")
        for position in topic.positions:
            mine, theirs = position.pips
            show_text(f"\n  {position.name}  {_board_text(position.points)}  ({mine} pips, {theirs})")
            say(wrap_text(f"  {position.sentence}", min(width(), 100)))
            for change, cube in (
                ("", position.cube),
                *((f"  {neighbour.change}", neighbour.cube) for neighbour in position.neighbours),
            ):
                show_text(_cube_line(change, cube))
        say()
    show_text(f"{collection.way}. ± is half of the 95 % interval.")


# -- the text ------------------------------------------------------------------------------------------------------
def _text(opening: OpeningPlace) -> str:
    lines = [f"{opening.game.title}, {opening.score.title}. {opening.title}".rstrip(". ") + "."]
    if opening.about:
        lines.append(opening.about)
    lines.append(opening.board.scene.facts.position.text)
    if opening.rolls:
        width = max([len(roll.play or "") for roll in opening.rolls])
        for roll in opening.rolls:
            dice = roll.dice.words
            if roll.equity is None or roll.half is None:
                lines.append(f"  {dice}  (nothing yet)")
                continue
            clear = "" if roll.settled else "  not settled"
            equity = f"{format_signed(roll.equity, 4)} ± {roll.half:.4f}"
            lines.append(f"  {dice}  {roll.play or '':<{width}}  {equity}  {roll.trials:>6} trials{clear}")
        if any(not roll.settled and roll.half is not None for roll in opening.rolls):
            lines.append("Not settled: another play may be the best; `fullprime book extend` goes on with it.")
        return "\n".join(lines)
    trials = "" if opening.trials is None else f", {opening.trials} trials"
    lines.append(f"{opening.way}{trials}.")
    width = max(len(play.play) for play in opening.plays)
    for play in opening.plays:
        sure = "" if play.half is None else f" ± {play.half:.4f}"
        behind = "" if play.rank == 1 else f"  ({format_signed(-play.loss, 4)})"
        if play.loss_half is not None:
            behind = f"  ({format_signed(-play.loss, 4)} ± {play.loss_half:.4f})"
        tied = "  may be best" if play.tied else ""
        lines.append(f"{play.rank:>3}. {play.play:<{width}}  {format_signed(play.equity, 4)}{sure}{behind}{tied}")
    return "\n".join(lines)


def _format_own_plays(own: OwnOpenings) -> str:
    if not own.plays:
        return f"{own.whose}: no game in the library came here."
    lines = [f"{own.whose}, {count_noun(own.games, 'game')}:"]
    for play in own.plays:
        result = f"won {play.won}, lost {play.lost}, {format_signed(play.points, 0)} points"
        lines.append(f"  {count_noun(play.times, 'time'):>9} {play.play}: {result}")
    return "\n".join(lines)


def _board_text(points: dict[str, tuple[int, ...]]) -> str:
    from fullprime.rules.position import Position

    return Position(points["X"], points["O"]).text


def _cube_line(change: str, cube: ReferenceCube) -> str:
    rolling = f"no double {format_signed(cube.no_double, 3)} ± {1.96 * cube.no_double_error:.3f}"
    taken = f"double, take {format_signed(cube.double_take, 3)} ± {1.96 * cube.double_take_error:.3f}"
    return f"{change}\n  {rolling}, {taken}; {cube.trials} trials: {cube.verdict}".lstrip("\n")

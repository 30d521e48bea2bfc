"""``fullprime book``: rolled-out openings and replies shown and extended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.options import VARIANT_HELP, Database
from fullprime.cli.progress import bar
from fullprime.cli.terminal import say
from fullprime.rules.words import signed, some, thrown

if TYPE_CHECKING:
    from fullprime.learn.openings.fields import CubeFactsJson, OpeningJson, OwnJson

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
    group.callback()(_group)
    add(
        group, "show", show, "fullprime book show", "fullprime book show 21 --score gammon-go",
        'fullprime book show "31:8/5 6/5" 64', "fullprime book show 52 --mine Mia",
    )  # fmt: skip
    add(
        group, "extend", extend, "fullprime book extend", "fullprime book extend dutch --rolls 1 --within 0.005",
        "fullprime book extend --score gammon-go --score gammon-save --seconds 3600",
    )  # fmt: skip
    add(group, "reference", reference, "fullprime book reference", "fullprime book reference race")


def _group() -> None:
    """The book: openings and replies, rolled out."""


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
    from fullprime.learn.openings.explorer import place
    from fullprime.library.own_openings import own_at

    steps = [each.replace("_", " ") for each in line or ()]
    found = place(game, score, steps)
    own = own_at(game, score, steps, mine, database) if mine is not None else None
    if json:
        say(json_module.dumps({**found, "own": own} if own is not None else found, ensure_ascii=False))
        return
    show_text(_text(found))
    if own is not None:
        show_text(_own(own))


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
    seconds: Annotated[float | None, typer.Option("--seconds", min=0, help="End after so many seconds.")] = None,
    book: _OURS = None,
) -> None:
    """Roll out what the book does not know well enough; the command goes on from where it stopped.

    Questions take turns of 324 trials: those without any first, then those whose best play is unsettled. All trials
    are on the disk after each turn: end the command when you like. Yours stand beside those of the package.
    """
    from fullprime.cli.terminal import show_text
    from fullprime.learn.book.extending import Told
    from fullprime.learn.openings.making import extend as extend_book

    for game in games or ["backgammon"]:
        try:
            with bar() as tell:

                def told(news: Told) -> None:
                    stage, node = news.stage, news.node
                    name = f"{stage.game} {stage.score}, {('openings', 'replies', 'third rolls')[stage.rolls - 1]}"
                    words = "" if node is None else f"{node.key.roll.words}: {node.trials} trials, ± {node.half:.4f}"
                    tell(name, news.done, news.there_are, words)

                found = extend_book(
                    game, score or (), rolls=rolls, until=within, seconds=seconds, folder=book, told=told
                )  # fmt: skip
        except KeyboardInterrupt:
            show_text(f"{game}: stopped; the command goes on from here.")
            raise typer.Exit(130) from None
        trials = sum(node.trials * len(node.choices) for node in found)
        show_text(f"{game}: {len(found)} rolls with {trials:,} trials.")


def reference(
    theme: Annotated[
        str | None, typer.Argument(metavar="[THEME]", help="One theme, such as race; all unless said.")
    ] = None,
    *,
    make: Annotated[
        int | None, typer.Option("--make", min=1, help="Find positions until every theme has so many.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--file", help="Another file than that of the package.")] = None,
) -> None:
    """Show the reference positions: cube decisions at their borders, each with a neighbour that turns it.

    With --make they are searched in games of self-play and confirmed by rollouts; each is on the disk at once.
    """
    from fullprime.cli.terminal import show_text, width, wrapped
    from fullprime.learn.book.reference import FILE
    from fullprime.learn.openings.references import make_references, references

    path = FILE if to is None else to
    if make is not None:
        try:
            with bar() as tell:
                found = make_references(make, path, told=lambda have, wanted: tell("reference", have, wanted))
        except KeyboardInterrupt:
            show_text("stopped; the command goes on from here.")
            raise typer.Exit(130) from None
        show_text(f"{len(found)} reference positions.")
        return
    told = references(path)
    themes = [each for each in told["themes"] if theme in (None, each["name"])]
    if not themes:
        names = ", ".join(each["name"] for each in told["themes"])
        raise typer.BadParameter(f"there is no theme {theme!r:.40}; there are {names}")
    for each in themes:
        show_text(f"{each['title']}: {each['about']}")
        for position in each["positions"]:
            mine, theirs = position["pips"]
            show_text(f"\n  {position['name']}  {_board_text(position['points'])}  ({mine} pips, {theirs})")
            say(wrapped(f"  {position['sentence']}", min(width(), 100)))
            for what, cube in (
                ("", position["cube"]),
                *((f"  {one['change']}", one["cube"]) for one in position["neighbours"]),
            ):
                show_text(_cube_line(what, cube))
        say()
    show_text(f"{told['way']}. ± is half of the 95 % interval.")


# -- the text ------------------------------------------------------------------------------------------------------
def _text(found: OpeningJson) -> str:
    lines = [f"{found['game']['title']}, {found['score']['title']}. {found['title']}".rstrip(". ") + "."]
    if found["about"]:
        lines.append(found["about"])
    lines.append(found["board"]["position"])
    if found["rolls"]:
        width = max([len(each["play"] or "") for each in found["rolls"]])
        for each in found["rolls"]:
            dice = thrown(each["dice"])
            if each["equity"] is None or each["half"] is None:
                lines.append(f"  {dice}  (nothing yet)")
                continue
            clear = "" if each["settled"] else "  not settled"
            equity = f"{signed(each['equity'], 4)} ± {each['half']:.4f}"
            lines.append(f"  {dice}  {each['play'] or '':<{width}}  {equity}  {each['trials']:>6} trials{clear}")
        if any(not each["settled"] and each["half"] is not None for each in found["rolls"]):
            lines.append("Not settled: another play may be the best; `fullprime book extend` goes on with it.")
        return "\n".join(lines)
    trials = "" if found["trials"] is None else f", {found['trials']} trials"
    lines.append(f"{found['way']}{trials}.")
    width = max(len(each["play"]) for each in found["plays"])
    for play in found["plays"]:
        sure = "" if play["half"] is None else f" ± {play['half']:.4f}"
        behind = "" if play["rank"] == 1 else f"  ({signed(-play['loss'], 4)})"
        if play["loss_half"] is not None:
            behind = f"  ({signed(-play['loss'], 4)} ± {play['loss_half']:.4f})"
        tied = "  may be best" if play["tied"] else ""
        lines.append(f"{play['rank']:>3}. {play['play']:<{width}}  {signed(play['equity'], 4)}{sure}{behind}{tied}")
    return "\n".join(lines)


def _own(own: OwnJson) -> str:
    if not own["plays"]:
        return f"{own['whose']}: no game in the library came here."
    lines = [f"{own['whose']}, {some(own['games'], 'game')}:"]
    for each in own["plays"]:
        result = f"won {each['won']}, lost {each['lost']}, {signed(each['points'], 0)} points"
        lines.append(f"  {some(each['times'], 'time'):>9} {each['play']}: {result}")
    return "\n".join(lines)


def _board_text(points: dict[str, list[int]]) -> str:
    from fullprime.rules.position import Position

    return Position(tuple(points["X"]), tuple(points["O"])).text


def _cube_line(what: str, cube: CubeFactsJson) -> str:
    rolling = f"no double {signed(cube['no_double'], 3)} ± {1.96 * cube['no_double_error']:.3f}"
    taken = f"double, take {signed(cube['double_take'], 3)} ± {1.96 * cube['double_take_error']:.3f}"
    return f"{what}\n  {rolling}, {taken}; {cube['trials']} trials: {cube['verdict']}".lstrip("\n")

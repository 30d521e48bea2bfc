"""The command ``dice``: dice cups for people with a real board."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.options import Json
from fullprime.cli.terminal import say, say_json

if TYPE_CHECKING:
    from fullprime.play.table.cups import Cups


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, "dice", dice, "fullprime dice", "fullprime dice --count 3 --seed 4")


def dice(
    count: Annotated[
        int | None, typer.Option("--count", "-c", min=1, max=10_000_000, help="The number of rolls; then it stops.")
    ] = None,
    opening: Annotated[bool, typer.Option("--opening/--no-opening", help="Begin with the opening roll.")] = True,
    automatic_doubles: Annotated[
        str, typer.Option(help="How many opening ties double the stake: none, a number, unlimited.")
    ] = "none",
    seed: Annotated[str | None, typer.Option("--seed", help="The dice follow from it: a number or any word.")] = None,
    json: Json = False,
) -> None:
    """Dice cups for people with a real board. Enter rolls, two cups take turns, and the dice are counted."""
    from fullprime.play.options.options import read_setting
    from fullprime.play.table.cups import Cups
    from fullprime.rules.errors import SettingsError

    cups = Cups(seed, read_setting("automatic_doubles", automatic_doubles))
    if count is not None:
        _roll_and_stop(cups, count, opening=opening, json=json)
        return
    if json:
        raise SettingsError("--json goes with --count")
    _roll_on_enter(cups, opening=opening)


def _roll_and_stop(cups: Cups, count: int, *, opening: bool, json: bool) -> None:
    ties: list[list[int]] = []
    while opening and cups.turn is None:
        ties.append(list(cups.opening()))
        if not json:
            say(_opening_text(cups, *ties[-1]))
    rolls = []
    for _ in range(count):
        player, roll = cups.roll()
        rolls.append({"player": player.name, "dice": [roll.high, roll.low]})
        if not json:
            say(f"{player.name} {roll.high} {roll.low}")
    if json:
        counted = dict(zip("XO", cups.counts, strict=True))
        say_json({"opening": ties, "multiplier": cups.multiplier, "rolls": rolls, "statistics": counted})
    elif sys.stdout.isatty():
        _show_counts(cups)


def _roll_on_enter(cups: Cups, *, opening: bool) -> None:
    from fullprime.rules.score import Player

    say("Enter rolls; x or o rolls that cup, n begins a new game, s shows the statistics, q leaves.")
    try:
        while True:
            begin = opening and cups.turn is None
            who = "opening" if begin else f"{(cups.turn or Player.X).name}'s cup"
            word = input(f"{who} > ").strip().lower()
            if word in ("q", "quit", "exit"):
                break
            if word in ("s", "stat", "stats", "statistics"):
                _show_counts(cups)
            elif word in ("n", "new"):
                cups.new_game()
            elif word in ("x", "o"):
                say("  {0.name}: {1.high} {1.low}".format(*cups.roll(Player[word.upper()])))
            elif word not in ("", "r", "roll"):
                say("  Enter, x, o, n, s or q")
            elif begin:
                say("  " + _opening_text(cups, *cups.opening()))
            else:
                say("  {0.name}: {1.high} {1.low}".format(*cups.roll()))
    except (EOFError, KeyboardInterrupt):
        say()
    _show_counts(cups)


def _opening_text(cups: Cups, x_die: int, o_die: int) -> str:
    if x_die == o_die:
        stake = f"; the stake is now {cups.multiplier} times" if cups.multiplier > 1 else ""
        return f"opening: X {x_die}, O {o_die}: a tie, roll again{stake}"
    return f"opening: X {x_die}, O {o_die}: {'X' if x_die > o_die else 'O'} begins with these two"


def _show_counts(cups: Cups) -> None:
    for name, counted in zip("XO", cups.counts, strict=True):
        say(f"  {counted.text(name)}")

"""``fullprime lab``: what the rules of a house do to a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.options import Json, Rule, Seed, Threads, Variant, seed_number
from fullprime.cli.progress import show_progress_bar
from fullprime.cli.terminal import say, say_json

if TYPE_CHECKING:
    from fullprime.analysis.laboratory import Estimate, LabResult


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        "lab",
        lab,
        "fullprime lab --rule jacoby=yes",
        "fullprime lab --variant dutch --rule hit_licence=free -g 2000",
    )


def lab(
    variant: Variant = "backgammon",
    rule: Rule = None,
    games: Annotated[int, typer.Option("--games", "-g", help="How many games, with the rules and without.")] = 10_000,
    seed: Seed = "1",
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Compare house rules with the usual ones, and find the fair stake. The engine plays the games."""
    from fullprime.analysis.laboratory import laboratory
    from fullprime.play.options.houses import pairs_of

    with show_progress_bar() as progress:
        comparison = laboratory(
            variant,
            pairs_of(rule or ()),
            games=games,
            seed=seed_number(seed),
            threads=threads or 1,
            progress=lambda now: progress("games", now.done, now.of),
        )
    if json:
        say_json(comparison)
    else:
        say("\n".join(_lines(comparison)))


def _lines(comparison: LabResult) -> list[str]:
    usual, house = comparison.usual, comparison.house
    rules = ", ".join(f"{name}={value}" for name, value in comparison.rules.items())
    rows = [
        ("opener, points a game", usual.opener, house.opener, 1),
        ("opener wins, %", usual.opener_wins, house.opener_wins, 100),
        ("gammons, %", usual.gammons, house.gammons, 100),
        ("backgammons, %", usual.backgammons, house.backgammons, 100),
        ("drops, %", usual.drops, house.drops, 100),
        ("rolls a game", usual.rolls, house.rolls, 1),
        ("points a game", usual.size, house.size, 1),
    ]
    return [
        f"{comparison.title} with {rules}: {house.games} games, and as many without",
        f"  {'':<24}{'without':>18}{'with':>18}",
        *(
            f"  {name:<24}{_figure(first, scale):>18}{_figure(second, scale):>18}"
            for name, first, second, scale in rows
        ),
        "",
        *(f"  {finding.words}" for finding in comparison.findings),
    ]


def _figure(estimate: Estimate, scale: float) -> str:
    digits = 2 if scale == 100 else 3
    return f"{estimate.value * scale:.{digits}f} ± {estimate.margin * scale:.{digits}f}"

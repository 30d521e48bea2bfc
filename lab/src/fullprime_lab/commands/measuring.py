"""Commands that play and measure by themselves: ``selfplay``, ``perft``, ``bench``."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated, Any

import typer

from fullprime.cli.command import add
from fullprime.cli.options import Json, Rule, Seed, Variant, VariantName
from fullprime.cli.progress import bar
from fullprime.cli.terminal import say
from fullprime.rules.words import signed, versus
from fullprime_lab.commands.options import Games


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, "selfplay", selfplay, "fullprime selfplay --bot heuristic --against random --games 20")
    add(app, "perft", perft, "fullprime perft --plies 1", "fullprime perft hypergammon --by-roll")
    add(app, "bench", bench, "fullprime bench", "fullprime bench --peers")


def selfplay(
    variant: Variant = "backgammon",
    games: Games = 100,
    bot: Annotated[str, typer.Option("--bot", help="Who plays X, one of the bots below.")] = "heuristic",
    against: Annotated[str, typer.Option("--against", help="Who plays O.")] = "random",
    seed: Seed = "1",
    rule: Rule = None,
    json: Json = False,
) -> None:
    """Let bots play money games against each other. It counts results, gammons, length and speed."""
    from fullprime.play.options.options import make_settings
    from fullprime.play.options.strengths import checked_bot
    from fullprime_lab.selfplay import play_games

    bot, against = checked_bot(bot), checked_bot(against)
    settings = make_settings(variant, rules=rule or [], default_length=0)
    with bar() as progress:
        tally = play_games(settings, (bot, against), games, seed, lambda so_far: progress("games", so_far.games, games))
    found: dict[str, Any] = {
        "variant": settings.variant.name,
        "bot": bot,
        "against": against,
        "seed": seed,
        **tally.json(),
    }
    if json:
        say(json_module.dumps(found))
        return
    say(f"{settings.variant.title}: {versus([f'{bot} (X)', f'{against} (O)'])}, {games} games, seed {seed}")
    rows = [
        ("won", *tally.wins),
        ("points", *tally.points),
        ("gammons", *tally.gammons),
        ("backgammons", *tally.backgammons),
    ]
    say(f"  {'':<14}{'X':>10}{'O':>10}")
    for name, x, o in rows:
        say(f"  {name:<14}{x:>10}{o:>10}")
    say(f"  X wins {signed(found['points_per_game'])} points a game; {tally.drops} games ended with a drop")
    say(f"  gammons {found['gammon_rate']:.1%} of the games, backgammons {found['backgammon_rate']:.1%}")
    say(f"  {found['plies_per_game']:.1f} rolls a game; who moved first won {found['first_mover_share']:.1%}")
    say(f"  {found['games_per_second']:.1f} games/s")


def perft(
    variant: VariantName = "backgammon",
    plies: Annotated[int, typer.Option("--plies", min=1, max=6, help="How many plies, 1 to 6.")] = 2,
    by_roll: Annotated[bool, typer.Option("--by-roll", help="The first ply also roll by roll.")] = False,
    json: Json = False,
) -> None:
    """Count the plays from the start, ply by ply. The number changes when the rules do."""
    from fullprime_lab.measure.figures import perft as count

    found = count(variant, plies, by_roll=by_roll)
    if json:
        say(json_module.dumps(found))
        return
    for ply, plays in enumerate(found["plays"], 1):
        say(f"  ply {ply}: {plays:,} plays")
    for roll, plays in found.get("by_roll", {}).items():
        say(f"  {roll}: {plays}")


def bench(
    variant: Variant = "backgammon",
    rolls: Annotated[int, typer.Option("--rolls", min=1, help="How many decisions to play.")] = 20_000,
    peers: Annotated[bool, typer.Option("--peers", help="Measure the engine beside the peers instead.")] = False,
    decisions: Annotated[
        int, typer.Option("--decisions", min=20, max=100_000, help="With --peers: how many decisions.")
    ] = 400,
    puretd: Annotated[
        Path | None, typer.Option("--puretd", metavar="FILE", help="With --peers: also this net of PureTD (.pt).")
    ] = None,
    curve: Annotated[
        Path | None, typer.Option("--curve", metavar="FILE", help="PR against time on a file of rolled-out decisions.")
    ] = None,
    level: Annotated[
        list[str] | None, typer.Option("--level", "-l", help="With --curve: only these levels or peers.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="With --curve: processor time for each level.")] = 60.0,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="With --curve: draw it, .svg (and .png beside it).")
    ] = None,
    json: Json = False,
) -> None:
    """Measure legal plays a second here. With --peers the engine beside others, with --curve strength for time."""
    if curve is not None:
        _bench_curve(curve, level or [], seconds, picture, json=json)
        return
    if peers:
        _bench_peers(decisions, puretd, json=json)
        return
    from fullprime_lab.measure.figures import bench as measure

    found = measure(variant, rolls)
    if json:
        say(json_module.dumps(found))
        return
    say(f"{found['variant']}: {found['rolls']:,} decisions with {found['plays']:,} plays, one core")
    say(f"  kernels         {found['kernel_plays_per_second']:>14,.0f} plays/s")
    say(f"  checked arrays  {found['arrays_plays_per_second']:>14,.0f} plays/s")
    say(f"  readable rules  {found['readable_ms_per_roll']:>14.3f} ms a roll")
    if found["peer"] is None:
        say("  no peer is installed (the group peers of lab/pyproject.toml), or none plays this game")
    else:
        say(f"  {found['peer']:<15} {found['peer_plays_per_second']:>14,.0f} plays/s")
        say(f"  ratio           {found['ratio']:>14.1f}")


def _bench_peers(decisions: int, puretd: Path | None, *, json: bool) -> None:
    from fullprime.cli.terminal import note
    from fullprime_lab.measure.figures import bench_peers

    found = bench_peers(decisions, note, puretd)
    if json:
        say(json_module.dumps(found))
        return
    names = list(found["versions"])
    say(f"{'':<28}" + "".join(f"{name:>14}" for name in names) + "   ratios")
    say(f"{'':<28}" + "".join(f"{found['versions'][name] or '-':>14}" for name in names))
    for figure in found["figures"]:
        found_by_all = (figure["fullprime"], figure["gnubg-nn"], figure["bgsage"], figure["puretd"])
        values = "".join(f"{_figure(value):>14}" for value in found_by_all)
        ratios = "  ".join("-" if ratio is None else f"{ratio:.1f}x" for ratio in figure["ratios"].values())
        say(f"{figure['name']:<28}{values}   {ratios}")


def _bench_curve(path: Path, names: list[str], seconds: float, picture: Path | None, *, json: bool) -> None:
    from fullprime.cli.terminal import note
    from fullprime_lab.measure.figures import strength_curve

    found = strength_curve(path, names, seconds, picture, note)
    if json:
        say(json_module.dumps(found))
        return
    say(f"{found['decisions']} decisions of {found['file']}, {seconds:g} s of one core for each")
    say(f"  {'':<22}{'PR':>8}{'':>8}{'ms, median':>14}{'decisions':>12}")
    for each in found["points"]:
        name = f"{each['program']} {each['level']}"
        strength = f"{each['pr']:>8.2f} ± {each['error']:<5.2f}"
        say(f"  {name:<22}{strength}{each['milliseconds']:>14.3g}{each['decisions']:>12}")
    for drawn in found["pictures"]:
        say(f"  {drawn}")


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

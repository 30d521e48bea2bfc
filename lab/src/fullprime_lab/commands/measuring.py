"""Commands that play and measure by themselves: ``selfplay``, ``perft``, ``bench``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.options import Json, Rule, Seed, Variant, VariantName
from fullprime.cli.progress import show_progress_bar
from fullprime.cli.terminal import say, say_json
from fullprime.rules.words import format_players, format_signed
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
    from fullprime.play.options.strengths import check_bot
    from fullprime_lab.selfplay import play_games

    bot, against = check_bot(bot), check_bot(against)
    settings = make_settings(variant, rules=rule or [], default_length=0)
    with show_progress_bar() as progress:
        tally = play_games(settings, (bot, against), games, seed, lambda so_far: progress("games", so_far.games, games))
    if json:
        from fullprime.common.json_values import to_json

        options = {"variant": settings.variant.name, "bot": bot, "against": against, "seed": seed}
        say_json(options | to_json(tally))
        return
    say(f"{settings.variant.title}: {format_players([f'{bot} (X)', f'{against} (O)'])}, {games} games, seed {seed}")
    rows = [
        ("won", *tally.wins),
        ("points", *tally.points),
        ("gammons", *tally.gammons),
        ("backgammons", *tally.backgammons),
    ]
    say(f"  {'':<14}{'X':>10}{'O':>10}")
    for name, x, o in rows:
        say(f"  {name:<14}{x:>10}{o:>10}")
    say(f"  X wins {format_signed(tally.points_per_game or 0.0)} points a game; {tally.drops} games ended with a drop")
    say(f"  gammons {tally.gammon_rate:.1%} of the games, backgammons {tally.backgammon_rate:.1%}")
    say(f"  {tally.plies_per_game:.1f} rolls a game; who moved first won {tally.first_mover_share:.1%}")
    say(f"  {tally.games_per_second:.1f} games/s")


def perft(
    variant: VariantName = "backgammon",
    plies: Annotated[int, typer.Option("--plies", min=1, max=6, help="How many plies, 1 to 6.")] = 2,
    by_roll: Annotated[bool, typer.Option("--by-roll", help="The first ply also roll by roll.")] = False,
    json: Json = False,
) -> None:
    """Count the plays from the start, ply by ply. The number changes when the rules do."""
    from fullprime_lab.measure.figures import perft as count

    counts = count(variant, plies, by_roll=by_roll)
    if json:
        say_json(counts)
        return
    for ply, plays in enumerate(counts.plays, 1):
        say(f"  ply {ply}: {plays:,} plays")
    for roll, plays in (counts.by_roll or {}).items():
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
    from fullprime.rules.variants import variant_named
    from fullprime_lab.measure.bench import bench_plays

    speeds = bench_plays(variant_named(variant), rolls)
    if json:
        say_json(speeds)
        return
    say(f"{speeds.variant}: {speeds.rolls:,} decisions with {speeds.plays:,} plays, one core")
    say(f"  kernels         {speeds.kernel_plays_per_second:>14,.0f} plays/s")
    say(f"  checked arrays  {speeds.arrays_plays_per_second:>14,.0f} plays/s")
    say(f"  readable rules  {speeds.readable_ms_per_roll:>14.3f} ms a roll")
    if speeds.peer is None:
        say("  no peer is installed (the group peers of lab/pyproject.toml), or none plays this game")
    else:
        say(f"  {speeds.peer:<15} {speeds.peer_plays_per_second:>14,.0f} plays/s")
        say(f"  ratio           {speeds.ratio:>14.1f}")


def _bench_peers(decisions: int, puretd: Path | None, *, json: bool) -> None:
    from fullprime.cli.terminal import show_note
    from fullprime_lab.measure.figures import bench_peers

    comparison = bench_peers(decisions, show_note, puretd)
    if json:
        say_json(comparison)
        return
    names = list(comparison.versions)
    say(f"{'':<28}" + "".join(f"{name:>14}" for name in names) + "   ratios")
    say(f"{'':<28}" + "".join(f"{comparison.versions[name] or '-':>14}" for name in names))
    for figure in comparison.figures:
        values = "".join(f"{_figure(figure.values.get(name)):>14}" for name in names)
        ratios = "  ".join("-" if ratio is None else f"{ratio:.1f}x" for ratio in figure.ratios.values())
        say(f"{figure.name:<28}{values}   {ratios}")


def _bench_curve(path: Path, names: list[str], seconds: float, picture: Path | None, *, json: bool) -> None:
    from fullprime.cli.terminal import show_note
    from fullprime_lab.measure.figures import strength_curve

    curve = strength_curve(path, names, seconds, picture, show_note)
    if json:
        say_json(curve)
        return
    say(f"{curve.decisions} decisions of {curve.file}, {seconds:g} s of one core for each")
    say(f"  {'':<22}{'PR':>8}{'':>8}{'ms, median':>14}{'decisions':>12}")
    for point in curve.points:
        name = f"{point.program} {point.level}"
        strength = f"{point.pr:>8.2f} ± {point.error:<5.2f}"
        say(f"  {name:<22}{strength}{point.milliseconds:>14.3g}{point.decisions:>12}")
    for drawn in curve.pictures:
        say(f"  {drawn}")


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

"""Make the decisions of the open benchmark, and go on with it.

    python benchmarks/open/make.py [--family] [--minutes M] [--folder FOLDER]

Games of 1-ply (which looks at close plays 2 plies ahead) against itself, for money and at every score to seven; with
``--family`` of the other games. From each game up to three rolls whose best two plays are close, of the plans that the
file has least of, and one decision with the cube; everything is then rolled out (`fullprime_lab.measure.rolling`). A
game is a function of its number and of the nets. Every finished decision is on the disk at once; started again, the
command goes on with the last game. It ends with Ctrl-C, or after the minutes of ``--minutes``.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from records import CUBES, FAMILY, PLAYS, half_of

from fullprime.engine import shared
from fullprime.engine.boards.follow_ups import follow_ups_of
from fullprime.engine.bots.engine_bot import EngineBot
from fullprime.engine.cube.context import context_of as context_of_game
from fullprime.engine.engine import Engine
from fullprime.reviews.reasons.plans import plan_of
from fullprime.rules import actions as acts
from fullprime.rules.dice import Roll, SeededDice
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import BACKGAMMON, VARIANTS
from fullprime.rules.variants.variant import Settlement, Variant
from fullprime_lab.measure.completions import seed_of
from fullprime_lab.measure.json_lines import append_line, read_lines
from fullprime_lab.measure.rolling import NEAR, POLICY, roll_out_boards, roll_out_cube_action
from fullprime_lab.peers.questions import context_of, write_board

LEVEL = "1-ply"
LENGTH = 7
CLOSE = 0.08
"""The second play is at most so far behind the best one, by 1-ply."""
BORDER = 0.12
"""A cube decision is at most so far from the other one."""
PLAYS_A_GAME = 3


class Place(NamedTuple):
    """A decision in a game of self-play."""

    turn: int
    game: Game
    plan: str


def family() -> list[Variant]:
    """The other games, for which there are nets."""
    return [variant for variant in VARIANTS.values() if variant != BACKGAMMON]


def settings_of(number: int, variant: Variant) -> tuple[Settings, Score]:
    """Money in every second game, else a score of a match to seven."""
    chance = random.Random(f"open score:{number}")
    if number % 2 or variant.settlement is not Settlement.GAMES:
        settings = Settings(variant=variant, length=0, jacoby=False)
        return settings, Score.start(settings)
    settings = Settings(variant=variant, length=LENGTH)
    points = (chance.randrange(LENGTH), chance.randrange(LENGTH))
    score = Score.start(settings, points)
    if score.crawford_game and chance.random() < 0.5:
        score = Score(points, post_crawford=True)
    return settings, score


def places(engine: Engine, number: int) -> tuple[list[Place], list[Place]]:
    """The close rolls and the close cubes of one game."""
    settings, score = settings_of(number, engine.variant)
    game, bot, dice = Game.new(settings, score), EngineBot(LEVEL), SeededDice(f"open:{engine.variant.name}:{number}")
    plays: list[Place] = []
    cubes: list[Place] = []
    turn = 0
    while not game.is_over:
        if game.turn is None:
            action = acts.opening(dice.die(), dice.die())
        else:
            turn += 1
            if game.phase is Phase.PLAY and _is_close(engine, game):
                plays.append(Place(turn, game, _plan(game)))
            if game.phase is Phase.CUBE_DECISION and game.may_double and _is_border(engine, game):
                cubes.append(Place(turn, game, _plan(game)))
            action = bot.choose(game)
            if action.kind is ActionKind.ROLL:
                action = acts.roll(Roll(dice.die(), dice.die()))
        game = game.act(action)
    return plays, cubes


def _plan(game: Game) -> str:
    own, other = plan_of(game.position), plan_of(game.position.swapped)
    return str(own) if own is not None else f"against a {other}" if other is not None else "other"


def _is_close(engine: Engine, game: Game) -> bool:
    if game.dice is None or follow_ups_of(game.dice, engine.variant) or len(game.legal_plays) < 2:
        return False
    ranking = engine.rank_plays(game, level=LEVEL)
    unit = 4.0 if engine.per_checker else 1.0
    return len(ranking) > 1 and ranking.best.depth > 0 and ranking.plays[1].loss <= CLOSE * unit


def _is_border(engine: Engine, game: Game) -> bool:
    decision = engine.cube_decision(game, level=LEVEL)
    if decision.double_take is None or decision.double_drop is None or decision.exact:
        return False
    doubled = min(decision.double_take, decision.double_drop)
    return min(abs(decision.no_double - doubled), abs(decision.double_take - decision.double_drop)) <= BORDER


def rarest(candidates: list[Place], counts: Counter[str], most: int, seed: str) -> list[Place]:
    """Up to ``most`` places, of the plans that are rarest so far."""
    rest, chosen, counts = list(candidates), list[Place](), counts.copy()
    random.Random(seed).shuffle(rest)
    while rest and len(chosen) < most:
        best = min(rest, key=lambda place: counts[place.plan])
        rest.remove(best)
        chosen.append(best)
        counts[best.plan] += 1
    return chosen


def asked(game: Game, *, roll: bool) -> dict[str, Any]:
    """The fields of a request to ``fullprime engine``."""
    settings, context = game.settings, context_of_game(game)
    match = None
    if settings.is_match:
        mine = game.score.points[game.on_roll]
        theirs = game.score.points[game.on_roll.other]
        match = {"length": settings.length, "mover": mine, "opponent": theirs, "crawford": context.crawford}
    assert game.dice is not None or not roll
    return {
        "position": write_board(game.position),
        "dice": [game.dice.high, game.dice.low] if roll and game.dice is not None else None,
        "variant": settings.variant.name,
        "cubeful": True,
        "cube": {"value": context.cube, "owner": None if context.owner is None else context.owner.value},
        "match": match,
        "rules": {"jacoby": context.jacoby, "beavers": context.beavers},
    }


def play_line(engine: Engine, name: str, place: Place) -> dict[str, Any]:
    """A line for a roll, rolled out."""
    question = asked(place.game, roll=True)
    context = context_of(question)
    ranking = engine.rank_plays(place.game, level=LEVEL)
    unit = 4.0 if engine.per_checker else 1.0
    near = [play for play in ranking if play.loss <= NEAR * unit]
    figures = roll_out_boards(engine, [play.position for play in near], context, seed_of(name))
    rolled = sorted(zip(near, figures, strict=True), key=lambda pair: pair[1].loss)
    candidates = [
        {
            "play": format_play(play.play),
            "position_id": write_board(play.position),
            "equity": round(figure.equity, 5),
            "loss": round(figure.loss, 5),
            "error": round(figure.error, 5),
            "trials": figure.trials,
            "settled": figure.settled,
        }
        for play, figure in rolled
    ]
    return _line(name, place, question, {"candidates": candidates, "plays": len(ranking)})


def cube_line(engine: Engine, name: str, place: Place) -> dict[str, Any]:
    """A line for a decision with the cube, rolled out."""
    question = asked(place.game, roll=False)
    rolled = roll_out_cube_action(engine, place.game.position, context_of(question), seed_of(name))
    return _line(name, place, question, rolled)


def _line(name: str, place: Place, question: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    on_roll = "X" if place.game.on_roll is Player.X else "O"
    return {
        "id": name,
        "half": half_of(name),
        "plan": place.plan,
        "on_roll": on_roll,
        "asked": question,
        "found": answer,
        "rolled": {"plies": POLICY.ply, "cut": POLICY.truncate, "seed": seed_of(name)},
    }


def chosen(engine: Engine, number: int, counts: Counter[str]) -> list[tuple[str, Place]]:
    """The decisions of one game by name; ``counts`` are those of the plans of all games before."""
    plays, cubes = places(engine, number)
    name, seed = engine.variant.name, f"open choice:{engine.variant.name}:{number}"
    decisions = [(f"{name}-{number}-{place.turn}", place) for place in rarest(plays, counts, PLAYS_A_GAME, seed)]
    return decisions + [(f"{name}-{number}-{place.turn}-cube", place) for place in rarest(cubes, Counter(), 1, seed)]


def is_cube(name: str) -> bool:
    """True for the name of a decision with the cube."""
    return name.endswith("-cube")


def number_of(name: str) -> int:
    """The game that a decision is from."""
    return int(name.split("-")[1])


def make(folder: Path, variants: list[Variant], minutes: float | None) -> None:
    """Make lines until the time is over."""
    family_file = folder / FAMILY.name if variants != [BACKGAMMON] else None
    plays, cubes = family_file or folder / PLAYS.name, family_file or folder / CUBES.name
    lines = {line["id"]: line for path in {plays, cubes} for line in read_lines(path)}
    first = max(map(number_of, lines), default=1)
    counts = {variant.name: Counter[str]() for variant in variants}
    for name, line in lines.items():
        if number_of(name) < first and not is_cube(name):
            counts[line["asked"]["variant"]][line["plan"]] += 1
    end = None if minutes is None else time.monotonic() + 60 * minutes
    for number in count(first):
        variant = variants[number % len(variants)]
        engine = shared.engine_for(variant)
        for name, place in chosen(engine, number, counts[variant.name].copy()):
            counts[variant.name][place.plan] += not is_cube(name)
            if name in lines:
                continue
            if end is not None and time.monotonic() > end:
                return
            line = cube_line(engine, name, place) if is_cube(name) else play_line(engine, name, place)
            append_line(cubes if is_cube(name) else plays, line)
            print(f"{name}: {place.plan}, {time.process_time():.0f} s of processor time so far", flush=True)


def main() -> None:
    """Go on with the benchmark until Ctrl-C or the last minute."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", action="store_true", help="the other games")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--folder", type=Path, default=PLAYS.parent)
    options = parser.parse_args()
    try:
        make(options.folder, family() if options.family else [BACKGAMMON], options.minutes)
    except KeyboardInterrupt:
        print("stopped; the same command goes on")


if __name__ == "__main__":
    main()

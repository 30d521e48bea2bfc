"""Matches played by an engine with random plays and random cubes, and slow ways to judge them."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.engine.random_nets import random_net

from fullprime.engine.engine import Engine
from fullprime.engine.tables.bearoff import Bearoff
from fullprime.rules.dice import Roll
from fullprime.rules.game import Action, ActionKind, Game, Phase, choose, opening, play, roll
from fullprime.rules.record import Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON, Variant

SHORT_MATCH = b"""\
 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 24/23 13/10               52: 13/11 13/8
  2) 64: 24/18 13/9                66: 24/18(2) 13/7(2)
  3) 11: 6/5(4)                    Doubles => 2
  4)  Drops
      Wins 1 point
"""
"""A match file with one short game, which ends with a drop."""


def small_engine(variant: Variant = BACKGAMMON, *, tables: Bearoff | bool = False) -> Engine:
    """An engine that judges badly, but always the same way."""
    return Engine.open(variant, "0-ply", nets={"contact": random_net(variant)}, bearoff=tables)


def random_match(settings: Settings, seed: int, games: int = 2, doubles: float = 0.08) -> Match:
    """A match of random plays; each may double, take, drop and beaver."""
    rng = random.Random(seed)
    match = Match(settings, ("Ann", "Bob"))
    for _ in range(games):
        if match.is_over:
            break
        match = match.next_game()
        game = match.game
        events: list[Action] = []
        while not game.is_over and len(events) < 1500:
            action = _action(game, rng, doubles)
            events.append(action)
            game = game.act(action)
        record = replace(match.games[-1], events=tuple(events))
        match = replace(match, games=(*match.games[:-1], record))
        if record.result is None:
            break
    return match


def _action(game: Game, rng: random.Random, doubles: float) -> Action:
    kinds = ActionKind
    match game.phase:
        case Phase.OPENING_ROLL:
            return opening(rng.randint(1, 6), rng.randint(1, 6))
        case Phase.CUBE_DECISION if rng.random() < doubles:
            return Action(kinds.DOUBLE)
        case Phase.CUBE_DECISION | Phase.ROLL:
            return roll(Roll(rng.randint(1, 6), rng.randint(1, 6)))
        case Phase.PLAY:
            return play(rng.choice(game.legal_plays))
        case Phase.CHOOSE_DOUBLE:
            return choose(rng.randint(1, 6))
    answers = [kind for kind in game.actions() if kind is not kinds.RESIGN]
    weights = [1 if kind is kinds.DROP else 4 for kind in answers]
    return Action(rng.choices(answers, weights)[0])

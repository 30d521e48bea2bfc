"""Bots against each other, as a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullprime.rules import actions as acts
from fullprime.rules.dice import DiceSource, Roll, SeededDice, SystemDice
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import Variant, variant_named

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import Bot


def play_match(
    first: str = "1-ply",
    second: str = "1-ply",
    *,
    length: int = 1,
    variant: str | Variant = "backgammon",
    settings: Settings | None = None,
    seed: int | str | None = None,
) -> Match:
    """A whole match between two bots, X first: a level such as ``2-ply``, ``heuristic`` or ``random``.

    ``length``: points of the match; 0 plays one game for money. ``settings`` say all of it instead. With a ``seed``
    the dice, and so the match, are the same every time. Raises SettingsError for a bot that nobody knows.

    >>> match = play_match("heuristic", "random", length=3, seed=1)
    >>> match.is_over, match.names
    (True, ('heuristic', 'random'))
    """
    from fullprime.engine.bots.bots import bot_named

    rules = settings or Settings(variant=variant_named(variant), length=length)
    bots = (bot_named(first, f"{seed}:X"), bot_named(second, f"{seed}:O"))
    dice = SystemDice() if seed is None else SeededDice(seed)
    match = Match(rules, (first, second))
    while not match.games or (rules.is_match and not match.is_over):
        start = match.next_game().game
        match = Match(rules, match.names, (*match.games, GameRecord(start, _events(start, bots, dice))))
    return match


def _events(game: Game, bots: tuple[Bot, Bot], dice: DiceSource) -> tuple[Action, ...]:
    events: list[Action] = []
    while not game.is_over:
        if game.turn is None:
            action = acts.opening(dice.die(), dice.die())
        else:
            action = bots[game.turn].choose(game)
            if action.kind is ActionKind.ROLL:
                action = acts.roll(Roll(dice.die(), dice.die()))
        game = game.act(action)
        events.append(action)
    return tuple(events)

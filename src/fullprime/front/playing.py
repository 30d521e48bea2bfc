"""Bots against each other, as a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fullprime.rules import actions as acts
from fullprime.rules.dice import DiceSource, Roll, SeededDice, SystemDice
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Settings
from fullprime.rules.taking import short_value, to_integer, to_kind
from fullprime.rules.variants import Variant, variant_named

LONGEST_GAME = 100_000
"""The actions after which a game between bots is given up: they may offer and refuse resignations without end."""

if TYPE_CHECKING:
    from fullprime.engine.bots.bots import NamedBot
    from fullprime.front.players import AnyPlayer


def play_match(
    first: AnyPlayer = "1-ply",
    second: AnyPlayer = "1-ply",
    *,
    length: int = 1,
    variant: str | Variant = "backgammon",
    settings: Settings | None = None,
    seed: int | str | None = None,
) -> Match:
    """A whole match between two bots, X first: a level such as ``2-ply``, ``heuristic`` or ``random``, or a
    bot of one's own, which is a function that chooses plays or an object with ``choose`` (docs/own-bot.md).

    ``length``: points of the match; 0 plays one game for money. ``settings`` say all of it instead. With a ``seed``
    the dice, and so the match, are the same every time. Raises SettingsError for an unknown bot, IllegalAction
    (IllegalPlay) for a choice that the rules do not allow.

    >>> match = play_match("heuristic", "random", length=3, seed=1)
    >>> match.is_over, match.names
    (True, ('heuristic', 'random'))
    """
    from fullprime.front.players import match_player

    if settings is None:
        settings = Settings(variant=variant_named(variant), length=length)
    to_kind(Settings, "settings", settings, SettingsError)
    if isinstance(seed, str) and not seed.isprintable():
        raise SettingsError(f"seed: {short_value(seed)} is no text that can be printed")
    if seed is not None and not isinstance(seed, str):
        seed = to_integer("seed", seed, -(1 << 63), (1 << 63) - 1)
    (x_bot, x_name), (o_bot, o_name) = match_player(first, f"{seed}:X"), match_player(second, f"{seed}:O")
    rules, bots = settings, (x_bot, o_bot)
    dice = SystemDice() if seed is None else SeededDice(seed)
    match = Match(rules, (x_name, o_name))
    while not match.games or (rules.is_match and not match.is_over):
        start = match.next_game().game
        match = Match(rules, match.names, (*match.games, GameRecord(start, _events(start, bots, dice))))
    return match


def _events(game: Game, bots: tuple[NamedBot, NamedBot], dice: DiceSource) -> tuple[Action, ...]:
    events: list[Action] = []
    while not game.is_over:
        if len(events) > LONGEST_GAME:
            raise SettingsError(f"a game has not ended after {LONGEST_GAME} actions")
        if game.turn is None:
            action = acts.opening(dice.die(), dice.die())
        else:
            action = bots[game.turn].choose(game)
            if action.kind is ActionKind.ROLL:
                action = acts.roll(Roll(dice.die(), dice.die()))
        game = game.act(action)
        events.append(action)
    return tuple(events)

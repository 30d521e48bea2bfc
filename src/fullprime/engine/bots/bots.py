"""Players made of a few rules, for every variant: ``random``, and ``heuristic``, which plays sensibly; and all bots
by name, the levels of the engine among them.

The two need neither nets nor NumPy. ``docs/bots.md`` describes the knowledge of the heuristic bot.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from fullprime.engine.search.levels import LEVELS
from fullprime.rules import game as acts
from fullprime.rules.cube import take_point
from fullprime.rules.dice import Roll
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import BAR, HAND, OFF, Position, Row, has_licence, longest_prime, pip_count, rearmost
from fullprime.rules.score import Player
from fullprime.rules.variants.variant import HitLicence, Settlement, Variant

THROW = Action(ActionKind.ROLL)
"""A bot's answer when it wants to roll; the caller, who holds the dice, fills them in."""


class NamedBot(Protocol):
    """A player for whole games."""

    name: str

    def choose(self, game: Game) -> Action:
        """The action for the player whose turn it is; :data:`THROW` to roll."""
        ...


class RandomBot:
    """Plays any legal play, never doubles, always takes and never resigns."""

    def __init__(self, seed: int | str = 0) -> None:
        self.name = "random"
        self._random = random.Random(f"random-bot:{seed}")

    def choose(self, game: Game) -> Action:
        """A legal action, plays with equal chances."""
        match game.phase:
            case Phase.PLAY:
                return acts.play(self._random.choice(game.legal_plays))
            case Phase.CHOOSE_DOUBLE:
                return acts.choose(self._random.randint(1, 6))
            case Phase.DOUBLE_OFFERED | Phase.BEAVER_OFFERED | Phase.RACCOON_OFFERED:
                return acts.TAKE
            case Phase.RESIGNATION_OFFERED:
                return acts.ACCEPT
            case _:
                return THROW


class HeuristicBot:
    """Enters, hits, makes points, runs and bears off by weights set by hand; doubles and takes by a race formula."""

    def __init__(self, seed: int | str = 0) -> None:
        del seed  # its choices are the same for every seed
        self.name = "heuristic"

    def choose(self, game: Game) -> Action:
        """The action that the rules in ``docs/bots.md`` give."""
        variant = game.settings.variant
        match game.phase:
            case Phase.PLAY:
                return acts.play(best_play(game.legal_plays, variant))
            case Phase.CHOOSE_DOUBLE:
                return acts.choose(best_double(game.position, variant))
            case Phase.CUBE_DECISION:
                return acts.DOUBLE if _wants_to_double(game) else THROW
            case Phase.DOUBLE_OFFERED | Phase.BEAVER_OFFERED | Phase.RACCOON_OFFERED:
                return self._answer(game)
            case Phase.RESIGNATION_OFFERED:
                return acts.ACCEPT if _resignation_suffices(game) else acts.REFUSE
            case _:
                return THROW

    def _answer(self, game: Game) -> Action:
        chances = winning_chances(game.position, game.settings.variant)
        mine = chances if game.turn is game.on_roll else 1 - chances
        if mine > 0.5 and ActionKind.BEAVER in game.actions():
            return acts.BEAVER
        if mine > 0.5 and ActionKind.RACCOON in game.actions():
            return acts.RACCOON
        assert game.turn is not None
        return acts.TAKE if mine >= _chances_to_take(game, game.turn) else acts.DROP


def best_play(plays: tuple[Play, ...], variant: Variant) -> Play:
    """The play with the greatest :func:`advantage`; the first among equals."""
    return max(plays, key=lambda play: advantage(play.after, variant))


def advantage(after: Position, variant: Variant) -> float:
    """The lead of the side that has just moved, in pips: the race, plus the worth of shape and safety."""
    lead = float(pip_count(after.opponent) - pip_count(after.player))
    lead += 4.0 * (after.player[OFF] - after.opponent[OFF])
    if after.is_race:
        return lead - 0.5 * _gaps(after.player)
    mine, theirs = _may_hit(after, variant)
    lead += _shape(after.player) - _shape(after.opponent)
    lead += _weigh_trapped(after.opponent, after.player) - _weigh_trapped(after.player, after.opponent)
    # The opponent rolls next: our blots are in danger now, theirs only a turn later.
    lead -= _danger(after.player, after.opponent) if theirs else 0.0
    lead += 0.3 * _danger(after.opponent, after.player) if mine else 0.0
    if variant.hit_licence is not HitLicence.FREE and mine:
        lead += 6.0
    return lead


_POINT_VALUES = {4: 5.0, 5: 7.0, 6: 4.0, 7: 5.0, 8: 3.0, 3: 3.0, 2: 1.5, 1: 0.5, 9: 2.0, 10: 1.5, 13: 2.0}
_ANCHOR_VALUES = {20: 7.0, 21: 6.0, 22: 3.5, 18: 5.0, 19: 3.0, 23: 2.5, 24: 2.0}
_DEEP_COSTS = {1: 4.0, 2: 3.0, 3: 1.0}
"""A checker that low has nothing left to do before the bear-off."""
_PRIME_VALUES = (0.0, 0.0, 0.0, 1.0, 4.0, 9.0, 16.0)

_SHOTS = {
    1: 11,
    2: 12,
    3: 14,
    4: 15,
    5: 15,
    6: 17,
    7: 6,
    8: 6,
    9: 5,
    10: 3,
    11: 2,
    12: 3,
    15: 1,
    16: 1,
    18: 1,
    20: 1,
    24: 1,
}
"""Throws out of 36 that hit a blot, by its distance in pips, when nothing stands between (a published table)."""
_MISSES = {distance: 1 - shots / 36 for distance, shots in _SHOTS.items()}
"""The chance that a blot at that distance is not hit."""


@lru_cache(maxsize=4096)
def _shape(row: Row) -> float:
    """The worth of where a side's checkers stand; the other side's is the same after most plays of a roll."""
    value = _PRIME_VALUES[min(6, longest_prime(row))]
    for point, worth in (*_POINT_VALUES.items(), *_ANCHOR_VALUES.items()):
        if row[point] >= 2:
            value += worth - 0.6 * max(0, row[point] - 3)
    value -= sum(lost * row[point] for point, lost in _DEEP_COSTS.items())
    return value - 1.0 * row[HAND]


def _weigh_trapped(row: Row, other: Row) -> float:
    """The other side's gain from this side's checkers on the bar or behind its prime."""
    closed = sum(1 for point in range(1, 7) if other[point] >= 2)
    gain = row[BAR] * (2.0 + 1.2 * closed * closed)
    behind = sum(row[19:25])
    return gain + 0.8 * behind * max(0, longest_prime(other) - 2) if behind else gain


def _danger(row: Row, other: Row) -> float:
    """Pips that blots of this side may cost when the other side rolls next."""
    if 1 not in row[1:25]:
        return 0.0
    hitters = [slot for slot in range(1, 26) if other[slot]] + ([BAR] if other[HAND] else [])
    closed = sum(1 for point in range(1, 7) if other[point] >= 2)
    total = 0.0
    for point in range(1, 25):
        if row[point] != 1:
            continue
        missed = 1.0
        for slot in hitters:
            missed *= _MISSES.get(slot - (25 - point), 1.0)
        total += (1 - missed) * (25 - point + 3.0 + 2.5 * closed)
    return total


def _gaps(row: Row) -> int:
    return sum(1 for point in range(1, 7) if not row[point])


def _may_hit(position: Position, variant: Variant) -> tuple[bool, bool]:
    if variant.hit_licence is HitLicence.FREE:
        return True, True
    return (
        has_licence(position.player, position.player_licence),
        has_licence(position.opponent, position.opponent_licence),
    )


def winning_chances(position: Position, variant: Variant) -> float:
    """Rough chances of the player on roll: Kleinman's race formula with the heuristic's lead in place of the pips.

    W = Phi(sqrt(K / 2)) with K = (D + 4)^2 / (S - 4), D the lead and S the sum of the pips.
    """
    lead = -advantage(position.swapped, variant)
    total = max(5.0, float(sum(position.pips)))
    spread = 1.0 if position.is_race else 1.6
    deviation = (lead + 4.0) / (math.sqrt(total - 4.0) * spread)
    return 0.5 * (1.0 + math.erf(deviation / 2.0))


def _wants_to_double(game: Game) -> bool:
    chances = winning_chances(game.position, game.settings.variant)
    away = game.score.away(game.settings)
    if away is not None:
        mine, theirs = away[game.on_roll], away[game.on_roll.other]
        if game.stake_value >= mine:
            return False
        if game.score.post_crawford and theirs == 1:
            return True
    if _is_gammon_likely(game) and chances > 0.9:
        return False
    return chances >= (0.70 if game.cube.owner is None else 0.74)


def _chances_to_take(game: Game, player: Player) -> float:
    """From which chances to win a player takes: 24 % for money, in a match by the points that both still need."""
    away = game.score.away(game.settings)
    if away is None:
        return 0.24
    mine, theirs = away[player], away[player.other]
    now, offered = game.cube.value, game.cube.offered or game.cube.value
    drop = _race_chances(mine, theirs - now)
    lose, win = _race_chances(mine, theirs - offered), _race_chances(mine - offered, theirs)
    return take_point(drop, win, lose) if win > lose else 0.5


def _race_chances(mine: int, theirs: int) -> float:
    """Chances in the match from points still needed, by Turner's formula 50 + (24 / T + 3) D per cent."""
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    trailing, lead = max(mine, theirs), theirs - mine
    return min(0.98, max(0.02, 0.5 + (0.24 / trailing + 0.03) * lead))


def _is_gammon_likely(game: Game) -> bool:
    jacoby = game.settings.jacoby and not game.cube.turned
    return not jacoby and _expect_level(game.position.player, game.position.opponent) > 1


def _expect_level(winner: Row, loser: Row) -> int:
    """The level at which a game that ``winner`` wins will probably end, by counting rolls of about eight pips."""
    if loser[OFF]:
        return 1
    rolls = pip_count(winner) / 8.17 + 1.0
    to_home = sum(max(0, min(slot, BAR) - 6) * count for slot, count in enumerate(loser)) + 3
    to_escape = sum(max(0, min(slot, BAR) - 18) * count for slot, count in enumerate(loser))
    if rearmost(loser) >= 19 and to_escape / 8.17 > rolls:
        return 3
    return 2 if to_home / 8.17 > rolls else 1


def _resignation_suffices(game: Game) -> bool:
    if game.settings.variant.settlement is not Settlement.GAMES or len(game.resignation_levels) == 1:
        return True
    winner, loser = game.position.opponent, game.position.player
    return (game.resignation or 1) >= _expect_level(winner, loser)


def best_double(position: Position, variant: Variant) -> int:
    """The double that leads to the best board; playing all four moves is worth another throw, about eight pips."""

    def rate_double(number: int) -> float:
        plays = legal_plays(position, Roll(number, number), variant)
        play = best_play(plays, variant)
        return advantage(play.after, variant) + (8.17 if len(play.moves) == 4 else 0.0)

    return max(range(1, 7), key=rate_double)


def _engine_bot(level: str) -> Callable[[int | str], NamedBot]:
    def make(seed: int | str) -> NamedBot:
        from fullprime.engine.bots.engine_bot import EngineBot  # loads NumPy and Numba

        return EngineBot(level, seed)

    return make


BOTS: dict[str, Callable[[int | str], NamedBot]] = {
    "random": RandomBot,
    "heuristic": HeuristicBot,
    **{level: _engine_bot(level) for level in LEVELS},
}
"""Bots by name; each takes a seed. The levels need nets for the game that is played."""


def bot_named(name: str, seed: int | str = 0) -> NamedBot:
    """The bot of that name; raises SettingsError when there is none."""
    key = name.strip().lower()
    if key not in BOTS:
        raise SettingsError(f"there is no bot {name[:40]!r}; there are {', '.join(BOTS)}")
    return BOTS[key](seed)

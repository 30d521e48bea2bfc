"""Positions, games and variants as people give them: the value itself, or the text they write for it."""

from __future__ import annotations

from dataclasses import replace

from fullprime.rules.dice import AnyRoll, Roll
from fullprime.rules.errors import IdError, SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.ids import read_id
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import HAND, Position
from fullprime.rules.score import Settings
from fullprime.rules.taking import short_value, to_kind
from fullprime.rules.variants import BACKGAMMON, VARIANTS, variant_named
from fullprime.rules.variants.variant import Variant

AnyPosition = Position | Game | str
"""A board, a game, or an identifier of any kind."""


def to_position(value: AnyPosition) -> Position:
    """Convert to a position: from a position, a game, or an identifier of any kind; raises IdError."""
    if isinstance(value, Position):
        return value
    return to_game(value).position


def to_game(value: AnyPosition, settings: Settings | None = None) -> Game:
    """Convert to a game: from a game, an identifier, or a position, which begins a money game.

    ``settings`` fill in the facts that a position or an identifier does not give. Raises IdError.
    """
    if settings is not None:
        to_kind(Settings, "settings", settings, SettingsError)
    if isinstance(value, Game):
        return value
    if isinstance(value, str):
        return read_id(value, settings=settings).game
    if not isinstance(value, Position):
        raise IdError(f"{short_value(value)} is no position; give a Position, a Game or an identifier such as an XGID")
    game = Game.new(settings or Settings(variant=variant_of(value)))
    waiting = replace(game, position=value, phase=Phase.ROLL)
    return replace(waiting, phase=Phase.CUBE_DECISION) if waiting.may_double else waiting


def plays_of(position: Position, dice: AnyRoll, variant: str | Variant | None = None) -> tuple[Play, ...]:
    """Every legal play of a roll."""
    rules = variant_of(position) if variant is None else variant_named(variant)
    return legal_plays(position, Roll.of(dice), rules)


def variant_of(position: Position) -> Variant:
    """The first game that has as many checkers, and a hand where some are in hand: backgammon wherever it can be."""
    in_hand = position.player[HAND] or position.opponent[HAND]
    fitting = [variant for variant in VARIANTS.values() if variant.checkers == position.checkers]
    return next((variant for variant in fitting if variant.has_hand or not in_hand), BACKGAMMON)

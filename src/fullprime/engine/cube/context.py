"""Cube contexts: the part of a game of the rules on which its equities depend."""

from __future__ import annotations

from dataclasses import replace

from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.rules.game import Game
from fullprime.rules.position import OFF, Position
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants.variant import Backgammon, Settlement

CUBELESS = CubeContext(cap=1)
"""Money without a cube."""


def context_of(game: Game) -> CubeContext:
    """The cube, the score and the rules of a game, seen by the player on roll.

    While a double waits for its answer this is the state before it. A beaver is taken to end the turning of the cube:
    no equity includes the gain of a raccoon.
    """
    settings, cube = game.settings, game.cube
    if settings.variant.settlement is not Settlement.GAMES:
        return CUBELESS
    away = game.score.away(settings)
    owner = {None: None, game.on_roll: CubeOwner.MOVER, game.on_roll.other: CubeOwner.OPPONENT}[cube.owner]
    if away is None:
        played = bool(settings.cube)
        return CubeContext(
            cube=cube.value,
            owner=owner,
            jacoby=settings.jacoby,
            beavers=settings.beavers,
            cap=_cap(cube.value, settings.cube_cap) if played else cube.value,
            stake=game.multiplier,
        )
    mine, theirs = (away[0], away[1]) if game.on_roll is Player.X else (away[1], away[0])
    dead = not settings.cube or settings.length == 1
    # Automatic doubles belong to money, but a stake that a variant has doubled counts like a turned cube.
    value = cube.value * game.multiplier
    return CubeContext(
        cube=value,
        owner=owner if value == 1 or owner is not None else CubeOwner.OPPONENT,
        away=(mine, theirs),
        crawford=game.score.crawford_game and value == 1,
        cap=value if dead else _cap(value, settings.cube_cap),
    )


def cubeless(context: CubeContext) -> CubeContext:
    """The same score with a cube that nobody turns again; for money nothing but the five outputs counts."""
    if not context.is_match:
        return CUBELESS
    return replace(context, cap=context.cube)


def uncounted(settings: Settings) -> tuple[str, ...]:
    """The house rules in force that no equity counts, each in words; empty under the usual rules."""
    if settings.variant.settlement is not Settlement.GAMES:
        return ()
    found = []
    if settings.backgammon is not Backgammon.HOME_OR_BAR:
        found.append(f"backgammon={settings.backgammon} (judged as home_or_bar)")
    if settings.raccoons:
        found.append("raccoons (a beaver is judged as the last turn of the cube)")
    return tuple(found)


def uncounted_in(game: Game) -> tuple[str, ...]:
    """The house rules that no equity counts and that could still change one in this game."""
    rules = uncounted(game.settings)
    if rules and game.settings.backgammon is not Backgammon.HOME_OR_BAR and not _backgammon_possible(game.position):
        return rules[1:]
    return rules


def _backgammon_possible(position: Position) -> bool:
    """True while a side with nothing off has a checker that is not home, or that can still be hit."""
    rows = (position.player, position.opponent)
    return any(not own[OFF] and (sum(own[1:7]) < sum(own) or sum(other[19:]) > 0) for own, other in (rows, rows[::-1]))


def _cap(value: int, cap: int | None) -> int | None:
    return None if cap is None else max(value, cap)

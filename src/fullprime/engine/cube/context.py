"""Cube contexts: the part of a game of the rules on which its equities depend."""

from __future__ import annotations

from dataclasses import replace

from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.rules.game import Game
from fullprime.rules.score import Player
from fullprime.rules.variants.variant import Settlement

CUBELESS = CubeContext(cap=1)
"""Money without a cube."""


def context_of(game: Game) -> CubeContext:
    """The cube, the score and the rules of a game, seen by the player on roll.

    While a double waits for its answer this is the state before it.
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
            raccoons=settings.raccoons,
            backgammon=settings.backgammon,
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
        backgammon=settings.backgammon,
    )


def cubeless(context: CubeContext) -> CubeContext:
    """The context at the same score with a cube that neither player turns again; for money the outputs alone count."""
    if not context.is_match:
        return replace(CUBELESS, backgammon=context.backgammon) if context.counts_bar else CUBELESS
    return replace(context, cap=context.cube)


def _cap(value: int, cap: int | None) -> int | None:
    return None if cap is None else max(value, cap)

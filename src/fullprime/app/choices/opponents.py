"""Opponents: the bots that play a game, and the usual bot for a player who chose none, in terminal and browser."""

from __future__ import annotations

READY_BOT, SIMPLE_BOT = "intermediate", "heuristic"
"""The usual bot of a player who chose none: a level of the engine, or the bot made of rules until that is compiled."""


def bots_for(variant: str) -> tuple[str, ...]:
    """The bots that play a variant: the levels of the engine need nets for it."""
    from fullprime.engine.bots.bots import BOTS
    from fullprime.engine.nets.net import manifest
    from fullprime.engine.search.levels import LEVELS

    return tuple(bot for bot in BOTS if bot not in LEVELS or variant in manifest())


def usual_bot_for(variant: str = "backgammon") -> str:
    """The bot for a player who chose none: a level of the engine where it is compiled and plays that variant."""
    from fullprime.engine import warmup

    return READY_BOT if warmup.is_prepared() and READY_BOT in bots_for(variant) else SIMPLE_BOT

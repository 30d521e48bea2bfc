"""Which bots play a game, and who plays against whoever chose nobody."""

from __future__ import annotations

from fullprime.app.choices.compiling import SIMPLE_BOT, usual_bot


def bots_for(variant: str) -> tuple[str, ...]:
    """The bots that play a variant: the levels of the engine need nets for it."""
    from fullprime.engine.bots.bots import BOTS
    from fullprime.engine.nets.net import manifest
    from fullprime.engine.search.levels import LEVELS

    return tuple(bot for bot in BOTS if bot not in LEVELS or variant in manifest())


def usual_bot_for(variant: str) -> str:
    """The bot for whoever chose none: the usual one where it plays that variant."""
    usual = usual_bot()
    return usual if usual in bots_for(variant) else SIMPLE_BOT

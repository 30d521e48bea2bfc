"""A table as JSON values: what a program (or a page) needs to know after each line."""

from __future__ import annotations

from typing import Any

from fullprime.app.table.commands import possible_words
from fullprime.app.table.happenings import Happening, number, result_facts
from fullprime.app.table.table import Table
from fullprime.rules.game import Phase


def table_state(table: Table, *, plays: bool = True) -> dict[str, Any]:
    """Everything about the game on the board. Sides are ``X`` and ``O``; the position is that of the player on roll.

    ``stake`` is what one point is worth now: the money stake times ``multiplier``, which automatic doubles have made.
    Without ``plays`` those of a roll are left out: to find and write them is more work than all the rest.
    """
    game, settings, score = table.game, table.settings, table.score
    cube = game.cube
    state: dict[str, Any] = {
        "variant": settings.variant.name,
        "position": game.position.text,
        "on_roll": None if game.phase is Phase.OPENING_ROLL else game.on_roll.name,
        "turn": game.turn.name if game.turn is not None else None,
        "phase": str(game.phase),
        "dice": [game.dice.high, game.dice.low] if game.dice else None,
        "cube": {
            "value": cube.value,
            "owner": cube.owner.name if cube.owner is not None else None,
            "offered": cube.offered,
            "in_use": bool(settings.cube) and settings.length != 1 and not game.score.crawford_game,
        },
        "stake": number(settings.stake * game.multiplier),
        "multiplier": game.multiplier,
        "length": settings.length,
        "score": list(score.points),
        "crawford": game.score.crawford_game,
        "post_crawford": game.score.post_crawford,
        "game": table.game_number,
        "stored": table.actions_kept if table.number is not None else None,
        "pips": list(game.position.pips),
        "resignation": game.resignation,
        "legal_actions": list(possible_words(table)),
    }
    if plays and game.phase is Phase.PLAY:
        state["plays"] = list(table.plays)
        state["moves"] = [str(move) for move in table.moves]
    if game.result is not None:
        state["result"] = result_facts(game.result, settings)
        state["next_game"] = None if table.is_over else {"crawford": score.crawford_game}
    state["game_over"] = game.is_over
    state["match_over"] = table.is_over
    winner = score.match_winner(settings)
    state["match_winner"] = winner.name if winner is not None else None
    return state


def reply(table: Table, happened: list[Happening]) -> dict[str, Any]:
    """The state after a line that was obeyed: ``event`` is what the line did, ``events`` all that followed from it."""
    events = [each.json for each in happened]
    return {**table_state(table), "event": events[0] if events else None, "events": events}

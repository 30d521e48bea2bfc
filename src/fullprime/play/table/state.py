"""A table as JSON values: the state that a program or a page needs after each line. ``fields`` describes each."""

from __future__ import annotations

from fullprime.play.session import GameSession
from fullprime.play.table.commands import possible_words
from fullprime.play.table.events import SIDES, Side
from fullprime.play.table.fields import BoardFacts, BoardState, PhaseName, ScriptReply, TableState
from fullprime.play.table.happenings import Happening, number, result_facts
from fullprime.play.table.table import Table
from fullprime.rules.game import Phase
from fullprime.rules.score import Player

PHASES: dict[Phase, PhaseName] = {
    Phase.OPENING_ROLL: "opening_roll",
    Phase.CUBE_DECISION: "cube_decision",
    Phase.ROLL: "roll",
    Phase.DOUBLE_OFFERED: "double_offered",
    Phase.BEAVER_OFFERED: "beaver_offered",
    Phase.RACCOON_OFFERED: "raccoon_offered",
    Phase.PLAY: "play",
    Phase.CHOOSE_DOUBLE: "choose_double",
    Phase.RESIGNATION_OFFERED: "resignation_offered",
    Phase.OVER: "over",
}
"""The name of each phase."""


def table_state(table: Table) -> TableState:
    """Everything about the game on the board, with the plays of a roll. The position is that of the player on roll."""
    game, facts = table.game, board_facts(table.session, is_stored=table.number is not None)
    if game.phase is Phase.PLAY:
        facts["plays"] = list(table.plays)
        facts["moves"] = [str(move) for move in table.moves]
    return {**facts, "pips": list(game.position.pips)}


def board_facts(session: GameSession, *, is_stored: bool = True) -> BoardFacts:
    """The facts common to all states of a game in play, without the plays of a roll: to find and write those is more
    work than all the rest.
    """
    game, settings, score = session.game, session.terms.settings, session.score
    assert game is not None  # it has begun
    cube, winner = game.cube, score.match_winner(settings)
    facts: BoardFacts = {
        "variant": settings.variant.name,
        "position": game.position.text,
        "on_roll": None if game.phase is Phase.OPENING_ROLL else SIDES[game.on_roll],
        "turn": _side(game.turn),
        "phase": PHASES[game.phase],
        "dice": [game.dice.high, game.dice.low] if game.dice else None,
        "cube": {
            "value": cube.value,
            "owner": _side(cube.owner),
            "offered": cube.offered,
            "in_use": bool(settings.cube) and settings.length != 1 and not game.score.crawford_game,
        },
        "stake": number(settings.stake * game.multiplier),
        "multiplier": game.multiplier,
        "length": settings.length,
        "score": list(score.points),
        "crawford": game.score.crawford_game,
        "post_crawford": game.score.post_crawford,
        "game": session.game_number,
        "stored": session.board_version if is_stored else None,
        "resignation": game.resignation,
        "legal_actions": list(possible_words(session)),
        "game_over": game.is_over,
        "match_over": settings.is_match and winner is not None,
        "match_winner": _side(winner),
    }
    if game.result is not None:
        facts["result"] = result_facts(game.result, settings)
        facts["next_game"] = None if session.is_won else {"crawford": score.crawford_game}
    return facts


def board_view(session: GameSession) -> BoardState:
    """The board of a session that has begun, the checkers of each side in its own numbering (0 off, 25 bar, 26 hand).

    The plays of a roll are not in it.
    """
    game = session.game
    assert game is not None  # it has begun
    position = game.position
    mine, theirs = list(position.player), list(position.opponent)
    pips, other_pips = position.pips
    x_rolls = game.on_roll is Player.X
    return {
        **board_facts(session),
        "sequence": session.board_version,
        "points": {"X": mine, "O": theirs} if x_rolls else {"X": theirs, "O": mine},
        "pips": {"X": pips, "O": other_pips} if x_rolls else {"X": other_pips, "O": pips},
        "checkers": position.checkers,
        "has_hand": game.settings.variant.has_hand,
        "resign_levels": list(game.resignation_levels),
    }


def reply(table: Table, happened: list[Happening]) -> ScriptReply:
    """The state after a line that was obeyed: ``event`` is the line's own event, ``events`` are all that followed."""
    events = [each.json for each in happened]
    return {**table_state(table), "event": events[0] if events else None, "events": events}


def _side(player: Player | None) -> Side | None:
    return None if player is None else SIDES[player]

"""A play entered checker by checker: which moves have been made once some more are written down."""

from __future__ import annotations

from fullprime.messages import Message
from fullprime.rules.errors import IllegalAction, IllegalPlay
from fullprime.rules.game import Game
from fullprime.rules.notation import read_moves, read_play
from fullprime.rules.notation.walk import walks
from fullprime.rules.plays import CheckerMove, RollPlays


def moves_entered(game: Game, made: tuple[CheckerMove, ...], text: str) -> tuple[CheckerMove, ...]:
    """All moves of a play, those already ``made`` first.

    Raises NotationError, IllegalPlay with the rule it breaks, IllegalAction when there is no roll to play.
    """
    dice = game.dice
    if dice is None:
        raise IllegalAction(Message("there is no roll to play as {text}", text=repr(text)))
    variant, ways = game.settings.variant, game.ways
    line = f"{written(made)} {text}" if made else text
    wanted = read_moves(line)
    if not wanted:
        raise IllegalPlay(Message("{text} moves no checker", text=repr(text)))
    for walk in walks(wanted, game.position, dice, variant):
        if not walk.pending and _allowed(ways, walk.moves):
            return walk.moves
    # Either the rule it breaks, or (for a play complete in itself) nothing is wrong with it.
    return read_play(line, game.position, dice, variant).moves


def written(moves: tuple[CheckerMove, ...]) -> str:
    """Moves as they are typed."""
    return " ".join(map(str, moves))


def _allowed(ways: RollPlays, moves: tuple[CheckerMove, ...]) -> bool:
    state = ways.start
    try:
        for move in moves:
            state = ways.step(state, move)
    except IllegalPlay:
        return False
    return True

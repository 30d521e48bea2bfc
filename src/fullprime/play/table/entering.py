"""A play entered checker by checker: the moves made already, joined with those that are typed next."""

from __future__ import annotations

from fullprime.messages import Message
from fullprime.rules.errors import IllegalAction, IllegalPlay
from fullprime.rules.game import Game
from fullprime.rules.notation import read_moves, read_play
from fullprime.rules.notation.walk import walks
from fullprime.rules.plays import CheckerMove, RollPlays


def complete_moves(game: Game, entered: tuple[CheckerMove, ...], text: str) -> tuple[CheckerMove, ...]:
    """All moves of a play, those already ``entered`` first.

    Raises NotationError, IllegalPlay with the rule it breaks, IllegalAction when there is no roll to play.
    """
    dice = game.dice
    if dice is None:
        raise no_roll(text)
    variant, ways = game.settings.variant, game.roll_plays
    line = f"{format_moves(entered)} {text}" if entered else text
    wanted = read_moves(line)
    if not wanted:
        raise IllegalPlay(Message("{text} moves no checker", text=repr(text)))
    for walk in walks(wanted, game.position, dice, variant):
        if not walk.pending and _is_allowed(ways, walk.moves):
            return walk.moves
    # Either the rule it breaks, or (for a play complete in itself) nothing is wrong with it.
    return read_play(line, game.position, dice, variant).moves


def no_roll(text: str) -> IllegalAction:
    """The error for a play that was written down while there is no roll to play."""
    return IllegalAction(Message("there is no roll to play as {text}", text=repr(text)))


def format_moves(moves: tuple[CheckerMove, ...]) -> str:
    """Moves as they are typed."""
    return " ".join(map(str, moves))


def _is_allowed(ways: RollPlays, moves: tuple[CheckerMove, ...]) -> bool:
    state = ways.start
    try:
        for move in moves:
            state = ways.step(state, move)
    except IllegalPlay:
        return False
    return True

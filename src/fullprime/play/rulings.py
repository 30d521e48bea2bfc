"""The ends of games beside the rules: games lost on time, by absence or by leaving, and accepted resignations. Pure."""

from __future__ import annotations

from dataclasses import replace

from fullprime.play.events import ForfeitWay
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import ACCEPT, ActionKind, Game, Phase, resign
from fullprime.rules.score import SINGLE, Player, Result
from fullprime.rules.variants.variant import Settlement


def forfeit(game: Game, loser: Player, how: ForfeitWay) -> Game:
    """The end of a game (and of the match, where one is played) that a side loses by its absence or on time."""
    points, level = forfeited_points(game, loser, how)
    return _end_game(game, Result(loser.other, points, level, how))


def _end_game(game: Game, result: Result) -> Game:
    return replace(
        game,
        phase=Phase.OVER,
        result=result,
        dice=None,
        follow_ups=(),
        resignation=None,
        resigned_in=None,
        cube=replace(game.cube, offered=None),
    )


def forfeited_points(game: Game, loser: Player, how: ForfeitWay) -> tuple[int, int | None]:
    """The points that the other side wins by a forfeit, and the level (None where checkers are counted).

    In a match the winner gets all the points still needed. A money game that a player leaves is lost as if the other
    side had just borne off, because else a player could leave to escape a gammon.
    """
    settings = game.settings
    by_games = settings.variant.settlement is Settlement.GAMES
    if settings.is_match:
        return settings.length - game.score.points[loser.other], SINGLE if by_games else None
    row = game.position_of(loser).player
    if not by_games:
        return settings.checkers_to_pay(row) * game.multiplier, None
    level = settings.level(row, game.cube.turned) if how == "by leaving" else SINGLE
    return level * game.stake_value, level


def resignation(game: Game, loser: Player, level: int) -> Game:
    """The end of a game that a side has resigned, whichever side has the turn; the other side has accepted.

    Raises IllegalAction where no player may resign now, or not at that level.
    """
    offer = resign(level)
    if ActionKind.RESIGN not in game.actions():
        game.act(offer)  # raises with the reason
    mine = game if game.on_roll is loser else replace(game, on_roll=loser, position=game.position_of(loser))
    result = mine.act(offer).act(ACCEPT).result
    if result is None:
        raise IllegalAction(f"a resignation ends the game, but {level} gives no result")
    return _end_game(game, result)

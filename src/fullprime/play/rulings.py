"""Events at a table beside the rules: takebacks, games lost on time or by absence, resignations made beside the game.

A record only grows, so that a confirmed event stays confirmed. A takeback therefore is an event of its own: the game
is set back, and the note says how many events of the game still stand. A game that is forfeited, or resigned while the
other player had the turn, is set to its end in the same way. :func:`as_played` gives the match without the detours, for
files and reviews.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from fullprime.messages import Message
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import ACCEPT, Action, ActionKind, Game, Phase, resign
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import SINGLE, Player, Result
from fullprime.rules.variants.variant import Settlement

ON_TIME, BY_ABSENCE, BY_LEAVING = "on time", "by absence", "by leaving"
"""The ways in which a game is forfeited."""

_TAKEBACK = re.compile(r"takeback: (\d+) events stand")
_FORFEIT = re.compile(rf"forfeit: ([XO]) lost ({ON_TIME}|{BY_ABSENCE}|{BY_LEAVING})")
_RESIGNATION = re.compile(r"resignation: ([XO]) resigned ([1-4])")
_THROWS = (ActionKind.OPENING, ActionKind.ROLL)


# -- takebacks --------------------------------------------------------------------------------------------------
def standing(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events of one game without the actions taken back and without the takebacks."""
    stand: list[Event] = []
    for event in events:
        kept = kept_by(event)
        if kept is None:
            stand.append(event)
        else:
            del stand[kept:]
    return tuple(stand)


def kept_by(event: Event) -> int | None:
    """The number of events that a takeback lets stand; None for anything else."""
    found = _TAKEBACK.fullmatch(event.note) if isinstance(event, Setup) else None
    return int(found[1]) if found else None


def choices(record: GameRecord, people: Iterable[Player]) -> list[int]:
    """The numbers of the standing events of a game that were choices of these people, the first first."""
    sides = set(people)
    stand = GameRecord(record.start, standing(record.events))
    return [
        number
        for number, entry in enumerate(stand.entries())
        if entry.player in sides and isinstance(entry.event, Action) and _was_free(entry.before, entry.event)
    ]


def _was_free(before: Game, action: Action) -> bool:
    if action.kind is ActionKind.PLAY:
        return len(before.legal_plays) > 1
    return action.kind is not ActionKind.ROLL or before.phase is Phase.CUBE_DECISION


def takeback(record: GameRecord, people: Iterable[Player], steps: int = 1) -> Setup:
    """Back to before the last choice of these people, or (``steps``) an earlier one of the same game.

    Raises IllegalAction when there were fewer.
    """
    return set_back(record, takeback_point(record, people, steps))


def takeback_point(record: GameRecord, people: Iterable[Player], steps: int = 1) -> int:
    """The number of standing events that :func:`takeback` keeps; raises IllegalAction likewise."""
    before = choices(record, people)
    if steps < 1 or steps > len(before):
        if not before:
            raise IllegalAction(Message("there is nothing to take back in this game"))
        raise IllegalAction(
            Message.by_number(
                len(before),
                "there is no more than {n} decision to take back in this game",
                "there are no more than {n} decisions to take back in this game",
            )
        )
    return before[-steps]


def set_back(record: GameRecord, kept: int) -> Setup:
    """The takeback that lets the first ``kept`` standing events of a game stand."""
    stand = GameRecord(record.start, standing(record.events)[:kept])
    return Setup(stand.final, f"takeback: {kept} events stand")


def throws(events: Iterable[Event]) -> int:
    """The number of throws in events that stand; each throw takes two dice."""
    return sum(isinstance(event, Action) and event.kind in _THROWS for event in standing(events))


# -- forfeits ---------------------------------------------------------------------------------------------------
def forfeit(game: Game, loser: Player, how: str) -> Setup:
    """The end of a game (and of the match, where one is played) that a side loses by its absence or on time."""
    points, level = forfeited_points(game, loser, how)
    return Setup(_over(game, Result(loser.other, points, level, how)), f"forfeit: {loser.name} lost {how}")


def _over(game: Game, result: Result) -> Game:
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


def forfeited_points(game: Game, loser: Player, how: str) -> tuple[int, int | None]:
    """The points that the other side wins by a forfeit, and the level (None where checkers are counted).

    In a match they are all that the winner needs. A game for money that somebody leaves is lost as if the other side
    had just borne off: else a player would leave to be spared a gammon.
    """
    settings = game.settings
    by_games = settings.variant.settlement is Settlement.GAMES
    if settings.is_match:
        return settings.length - game.score.points[loser.other], SINGLE if by_games else None
    row = game.position_of(loser).player
    if not by_games:
        return settings.checkers_to_pay(row) * game.multiplier, None
    level = settings.level(row, game.cube.turned) if how == BY_LEAVING else SINGLE
    return level * game.stake_value, level


def forfeited_by(event: Event) -> Player | None:
    """The player who has lost by this event otherwise than by the rules; None for anything else."""
    found = _FORFEIT.fullmatch(event.note) if isinstance(event, Setup) else None
    return Player[found[1]] if found else None


# -- resignations -----------------------------------------------------------------------------------------------
def resignation(game: Game, loser: Player, level: int) -> Setup:
    """The end of a game that a side has resigned, whichever side has the turn; the other side has accepted.

    Raises IllegalAction where nobody may resign now, or not at that level.
    """
    offer = resign(level)
    if ActionKind.RESIGN not in game.actions():
        game.act(offer)  # raises with the reason
    mine = game if game.on_roll is loser else replace(game, on_roll=loser, position=game.position_of(loser))
    result = mine.act(offer).act(ACCEPT).result
    if result is None:
        raise IllegalAction(f"a resignation ends the game, but {level} gives no result")
    return Setup(_over(game, result), f"resignation: {loser.name} resigned {level}")


def resigned_by(event: Event) -> tuple[Player, int] | None:
    """The player who has resigned by this event, and the level; None for anything else."""
    found = _RESIGNATION.fullmatch(event.note) if isinstance(event, Setup) else None
    return (Player[found[1]], int(found[2])) if found else None


# -- records ----------------------------------------------------------------------------------------------------
def as_played(match: Match) -> Match:
    """The match as files and reviews should have it: without takebacks, and with a stated result for a forfeit.

    A resignation is written as files have it: offered and accepted by the side on roll, else as a stated result.
    """
    return replace(match, games=tuple(_as_played(record) for record in match.games))


def _as_played(record: GameRecord) -> GameRecord:
    stand = standing(record.events)
    last = stand[-1] if stand else None
    if isinstance(last, Setup) and forfeited_by(last) is not None:
        return replace(record, events=stand[:-1], stated=last.game.result)
    if isinstance(last, Setup) and (resigned := resigned_by(last)) is not None:
        loser, level = resigned
        if last.game.on_roll is loser:
            return replace(record, events=(*stand[:-1], resign(level), ACCEPT))
        return replace(record, events=stand[:-1], stated=last.game.result)
    return record if len(stand) == len(record.events) else replace(record, events=stand)

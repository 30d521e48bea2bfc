"""Events at a table beside the rules: takebacks, games lost on time or by absence, resignations made beside the game.

A record only grows, so that a confirmed event stays confirmed. A takeback therefore is an event of its own: the game
is set back, and the note says how many events of the game still stand. A game that is forfeited, or resigned while the
other player had the turn, is set to its end in the same way. :func:`to_played_match` gives the match
without the detours, for files and reviews.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

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
_APART = 16
"""The number of events of a game from one board that is kept to the next."""


# -- takebacks --------------------------------------------------------------------------------------------------
def list_standing_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """List the events of one game without the actions taken back and without the takebacks."""
    stand: list[Event] = []
    for event in events:
        event_count = read_takeback(event)
        if event_count is None:
            stand.append(event)
        else:
            del stand[event_count:]
    return tuple(stand)


def read_takeback(event: Event) -> int | None:
    """The number of events that a takeback lets stand; None for anything else."""
    match = _TAKEBACK.fullmatch(event.note) if isinstance(event, Setup) else None
    return int(match[1]) if match else None


@dataclass(frozen=True, slots=True)
class StandingEvents:
    """The events of a game that stand, and the board before any of them.

    A session keeps them while it goes on. To replay the game for each takeback would take a time that grows with the
    game, and the server has one thread for all games.
    """

    start: Game
    events: tuple[Event, ...] = ()
    boards: tuple[Game, ...] = ()
    """The boards before the first event and before each ``_APART`` events more."""
    choices: tuple[tuple[int, Player], ...] = ()
    """The numbers of the events that were a player's choice, each with the player, in order."""

    @classmethod
    def of(cls, record: GameRecord) -> StandingEvents:
        """The standing events of a record, which is replayed."""
        stand = cls(record.start)
        for entry in record.entries():
            stand = stand.with_event(entry.before, entry.event)
        return stand

    def with_event(self, before: Game, event: Event, *, counts_choices: bool = True) -> StandingEvents:
        """The standing events with one more, or without those it takes back; ``before`` is the board before it."""
        count, number = read_takeback(event), len(self.events)
        if count is not None:
            boards = self.boards[: -(-count // _APART)]
            left = tuple([choice for choice in self.choices if choice[0] < count])
            return StandingEvents(self.start, self.events[:count], boards, left)
        choices, player = self.choices, before.turn
        if counts_choices and player is not None and isinstance(event, Action) and _was_free(before, event):
            choices = (*choices, (number, player))
        boards = self.boards if number % _APART else (*self.boards, before)
        return StandingEvents(self.start, (*self.events, event), boards, choices)

    def board_before(self, number: int) -> Game:
        """The board before the event of that number."""
        place = max(0, min(number // _APART, len(self.boards) - 1))
        game = self.boards[place] if self.boards else self.start
        for event in self.events[place * _APART : number]:
            game = event.game if isinstance(event, Setup) else game.act(event)
        return game

    def choices_of(self, people: Iterable[Player]) -> list[int]:
        """The numbers of the events that were choices of these people, in order."""
        sides = set(people)
        return [number for number, player in self.choices if player in sides]

    def takeback_point(self, people: Iterable[Player], steps: int = 1) -> int:
        """The number of events that stand after a takeback: those before the last choice of these people, or
        (``steps``) before an earlier one of the same game.

        Raises IllegalAction when there were fewer.
        """
        before = self.choices_of(people)
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

    def set_back(self, event_count: int) -> Setup:
        """The takeback that lets the first ``event_count`` of the events stand."""
        return Setup(self.board_before(event_count), f"takeback: {event_count} events stand")


def _was_free(before: Game, action: Action) -> bool:
    if action.kind is ActionKind.PLAY:
        return before.ways.forced is None
    return action.kind is not ActionKind.ROLL or before.phase is Phase.CUBE_DECISION


def count_throws(events: Iterable[Event]) -> int:
    """The number of throws in events that stand; each throw takes two dice."""
    return sum(isinstance(event, Action) and event.kind in _THROWS for event in list_standing_events(events))


# -- forfeits ---------------------------------------------------------------------------------------------------
def forfeit(game: Game, loser: Player, how: str) -> Setup:
    """The end of a game (and of the match, where one is played) that a side loses by its absence or on time."""
    points, level = forfeited_points(game, loser, how)
    return Setup(_end_game(game, Result(loser.other, points, level, how)), f"forfeit: {loser.name} lost {how}")


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


def forfeited_points(game: Game, loser: Player, how: str) -> tuple[int, int | None]:
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
    level = settings.level(row, game.cube.turned) if how == BY_LEAVING else SINGLE
    return level * game.stake_value, level


def read_forfeit(event: Event) -> Player | None:
    """The player who has lost by this event otherwise than by the rules; None for anything else."""
    match = _FORFEIT.fullmatch(event.note) if isinstance(event, Setup) else None
    return Player[match[1]] if match else None


# -- resignations -----------------------------------------------------------------------------------------------
def resignation(game: Game, loser: Player, level: int) -> Setup:
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
    return Setup(_end_game(game, result), f"resignation: {loser.name} resigned {level}")


def read_resignation(event: Event) -> tuple[Player, int] | None:
    """The player who has resigned by this event, and the level; None for anything else."""
    match = _RESIGNATION.fullmatch(event.note) if isinstance(event, Setup) else None
    return (Player[match[1]], int(match[2])) if match else None


# -- records ----------------------------------------------------------------------------------------------------
def to_played_match(match: Match) -> Match:
    """The match for files and reviews: without takebacks, and with a stated result for a forfeit.

    A resignation of the side on roll is written as an offer and its acceptance, any other as a stated result.
    """
    return replace(match, games=tuple(_as_played(record) for record in match.games))


def _as_played(record: GameRecord) -> GameRecord:
    stand = list_standing_events(record.events)
    last = stand[-1] if stand else None
    if isinstance(last, Setup) and read_forfeit(last) is not None:
        return replace(record, events=stand[:-1], stated=last.game.result)
    if isinstance(last, Setup) and (resigned := read_resignation(last)) is not None:
        loser, level = resigned
        if last.game.on_roll is loser:
            return replace(record, events=(*stand[:-1], resign(level), ACCEPT))
        return replace(record, events=stand[:-1], stated=last.game.result)
    return record if len(stand) == len(record.events) else replace(record, events=stand)

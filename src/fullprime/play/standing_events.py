"""The events of a game that stand, without those that were taken back. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fullprime.messages import Message
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.score import Player

_THROWS = (ActionKind.OPENING, ActionKind.ROLL)
_APART = 16
"""The number of events of a game from one board that is kept to the next."""


@dataclass(frozen=True, slots=True)
class StandingEvents:
    """The events of a game that stand, and the board before any of them.

    A session keeps them while it goes on. To replay the game for each takeback would take a time that grows with the
    game, and the server has one thread for all games.
    """

    start: Game
    events: tuple[Action, ...] = ()
    boards: tuple[Game, ...] = ()
    """The boards before the first event and before each ``_APART`` events more."""
    choices: tuple[tuple[int, Player], ...] = ()
    """The numbers of the events that were a player's choice, each with the player, in order."""

    def with_event(self, before: Game, action: Action, *, counts_choices: bool = True) -> StandingEvents:
        """The standing events with one more; ``before`` is the board before it."""
        choices, number, player = self.choices, len(self.events), before.turn
        if counts_choices and player is not None and _was_free(before, action):
            choices = (*choices, (number, player))
        boards = self.boards if number % _APART else (*self.boards, before)
        return StandingEvents(self.start, (*self.events, action), boards, choices)

    def first(self, count: int) -> StandingEvents:
        """The first ``count`` of the events: what stands once the others are taken back."""
        boards = self.boards[: -(-count // _APART)]
        choices = tuple([choice for choice in self.choices if choice[0] < count])
        return StandingEvents(self.start, self.events[:count], boards, choices)

    def board_before(self, number: int) -> Game:
        """The board before the event of that number."""
        place = max(0, min(number // _APART, len(self.boards) - 1))
        game = self.boards[place] if self.boards else self.start
        for action in self.events[place * _APART : number]:
            game = game.act(action)
        return game

    @property
    def throws(self) -> int:
        """The number of throws among the events; each takes two dice."""
        return sum(action.kind in _THROWS for action in self.events)

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


def _was_free(before: Game, action: Action) -> bool:
    if action.kind is ActionKind.PLAY:
        return before.roll_plays.forced is None
    return action.kind is not ActionKind.ROLL or before.phase is Phase.CUBE_DECISION

"""A game session: one match or money session in play, as a frozen value.

``evolve`` makes it of its events, ``decide`` judges what may be done in it. It holds what its players may know, and no
secret: those are inputs of a decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from fullprime.play.clocks import Clock
from fullprime.play.events import (
    ChainBegun,
    GameForfeited,
    LogEntry,
    LookChosen,
    ResignationAccepted,
    SessionClosed,
)
from fullprime.play.links import Links
from fullprime.play.standing_events import StandingEvents
from fullprime.play.terms import HUMAN, Terms
from fullprime.rules.game import ACCEPT, ActionKind, Game, Phase, resign
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player, Score

SessionStatus: TypeAlias = Literal["waiting", "playing", "over", "called_off"]
"""``waiting`` before the first game, ``over`` when nothing more is played, ``called_off`` where nothing ever was."""

LINK_GIVEN_UP: Final = timedelta(hours=1)
"""The time after which, in a correspondence game, the server throws without the link of a player who is not there."""
BOT_GIVEN_UP: Final = timedelta(seconds=30)
"""The time after which a bot that has not moved is asked again, because its process may have ended."""
OWED: Final = timedelta(minutes=15)
"""In a rated match without a clock, the time after which a player who has not decided counts as absent."""
_LOOK_WITHIN = 6
"""Events of a game after which no look can be chosen: ties of the opening throw, and the first roll."""


@dataclass(frozen=True, slots=True)
class StandingResignation:
    """An offer to lose that stands beside the game."""

    side: Player
    level: int
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class EndOfferAge:
    """The board events and the plays since an offer to end without a result.

    The offer lapses with the second play, and at the beginning of a game unless it was made between the games.
    """

    events: int = 0
    plays: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSession:
    """A session at one moment."""

    session_id: str
    terms: Terms
    names: tuple[str, str]
    seats: tuple[str, str]
    """``human`` or the name of a bot, X's first."""
    accounts: tuple[Player, ...] = ()
    is_seat_free: bool = False

    sequence: int = 0
    """The number of its last event."""
    board_version: int = 0
    """The number of its board events."""
    changed_at: datetime | None = None
    """The time of the last board event (UTC, without a zone)."""

    links: Links
    chains: tuple[ChainBegun, ...] = ()
    link_told_at: datetime | None = None
    """The time of the last link given for a throw that still waits for another one."""

    finished: tuple[GameRecord, ...] = ()
    """The games before the one on the board, as they were played."""
    stands: StandingEvents | None = None
    """The actions of the game on the board that stand; None before the first game."""
    game: Game | None = None
    """The game on the board; None before the first."""
    ended_by: GameForfeited | ResignationAccepted | None = None
    """The event that has ended the game on the board otherwise than by an action."""
    changes: int = 0
    """The number of board events of the game on the board, those that were taken back included."""
    has_takeback: bool = False
    """True if anything was taken back in the match."""
    score: Score
    """The score, with the game that has just ended in it."""
    is_won: bool = False
    """True when the match has been won; always false for a money session."""
    is_over: bool = False
    """True if nothing more is played: the secret of the dice may be told."""
    throws: int = 0
    """The number of throws of the match that stand."""
    throws_before: int = 0
    """The same before the game on the board."""
    furthest: int = 0
    """The highest number that a throw has had; after a takeback numbers come again."""
    is_throw_decided: bool = False
    """True if a bot has decided to throw, and its throw waits for a person."""
    before_forced_play: Game | None = None
    """The game before the last board event, where that was a play that made itself."""
    clock: Clock | None = None

    resignation: StandingResignation | None = None
    """The offer to lose since the last board event."""
    resignations: tuple[tuple[Player, int], ...] = ()
    """The offers to lose of this turn: side and level of each."""
    end_offers: Mapping[Player, EndOfferAge] = field(default_factory=lambda: MappingProxyType({}))
    rematch_offers: tuple[Player | None, ...] = ()
    rematch: str | None = None
    """The id of the session in which the players play again."""
    closed: SessionClosed | None = None
    look: LookChosen | None = None
    looks: int = 0
    """The choices of a look in the game on the board."""
    is_helped: bool = False
    said_at: Mapping[Player, tuple[datetime, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """The times of the last lines of each side."""

    # -- the match ----------------------------------------------------------------------------------------
    @property
    def match(self) -> Match:
        """All games so far as they were played, without what was taken back; without games before the first."""
        return Match(self.terms.settings, self.names, (*self.finished, *self.game_on_board))

    @property
    def game_on_board(self) -> tuple[GameRecord, ...]:
        """The record of the game on the board; empty before the first.

        A forfeit is its stated result. A resignation of the side on roll is an offer and its acceptance, any other one
        a stated result.
        """
        stands, ended_by, game = self.stands, self.ended_by, self.game
        if stands is None or game is None:
            return ()
        if ended_by is None:
            return (GameRecord(stands.start, stands.events),)
        if isinstance(ended_by, ResignationAccepted) and game.on_roll is ended_by.loser:
            return (GameRecord(stands.start, (*stands.events, resign(ended_by.level), ACCEPT)),)
        return (GameRecord(stands.start, stands.events, game.result),)

    @property
    def status(self) -> SessionStatus:
        """The state of the session in a word."""
        if self.game is None:
            return "waiting" if self.closed is None else "called_off"
        return "over" if self.is_over else "playing"

    @property
    def game_number(self) -> int:
        """The number of the game on the board, from 1."""
        return len(self.finished) + 1

    @property
    def turn(self) -> Player | None:
        """The player who must decide; None before the first game, for the opening throw and between games."""
        return None if self.game is None else self.game.turn

    @property
    def is_between_games(self) -> bool:
        """True before the opening throw of a game, and when one has ended."""
        return self.game is None or self.game.is_over or self.game.phase is Phase.OPENING_ROLL

    @property
    def is_young(self) -> bool:
        """True if fewer than two plays have been made in the whole match: it may still be aborted."""
        if self.game is None or self.finished or self.game.is_over:
            return False
        plays = 0
        for action in () if self.stands is None else self.stands.events:
            plays += action.kind is ActionKind.PLAY
            if plays == 2:
                return False
        return True

    @property
    def has_typed_roll(self) -> bool:
        """True if dice that a person typed are still to be played, and may be taken back."""
        game, events = self.game, () if self.stands is None else self.stands.events
        if self.terms.dice != "typed" or game is None or game.phase is not Phase.PLAY or not events:
            return False
        return events[-1].kind in (ActionKind.ROLL, ActionKind.OPENING)

    # -- the people ---------------------------------------------------------------------------------------
    def is_human(self, side: Player | None) -> bool:
        """True if a person sits there; None counts as one."""
        return side is None or self.seats[side] == HUMAN

    @property
    def is_between_people(self) -> bool:
        """True for two people who are not at one screen."""
        return self.terms.opponent == "friend"

    @property
    def is_bot_due(self) -> bool:
        """True if the session waits for a bot's choice."""
        game = self.game
        return not (game is None or self.is_over or game.is_over or self.is_human(game.turn) or self.is_throw_decided)

    @property
    def missing_seeds(self) -> tuple[Player, ...]:
        """The sides whose seed is awaited before the first game."""
        people = [side for side in Player if self.is_human(side)]
        if self.terms.opponent == "screen":
            people = [Player.X]
        return tuple(side for side in people if side not in self.links.seeds)

    @property
    def chooser(self) -> Player | None:
        """The side that has won the opening throw and has not played yet; None where there is none."""
        game, stands = self.game, self.stands
        if game is None or stands is None or game.is_over or game.turn is None or self.changes > _LOOK_WITHIN:
            return None
        kinds = {action.kind for action in stands.events}
        is_opening = ActionKind.OPENING in kinds and kinds <= {ActionKind.OPENING, ActionKind.ROLL}
        return game.turn if is_opening and game.phase is not Phase.DOUBLE_OFFERED and self.is_human(game.turn) else None

    # -- time ---------------------------------------------------------------------------------------------
    @property
    def grace(self) -> timedelta | None:
        """The time of absence after which the win may be claimed; None where it never may."""
        terms = self.terms
        is_slow = self.clock is not None and terms.is_correspondence
        return None if terms.opponent != "friend" or not terms.grace or is_slow else timedelta(seconds=terms.grace)

    @property
    def overdue_at(self) -> datetime | None:
        """The time from which the player who must act counts as absent, even with a page open.

        None where a clock runs, and in matches that are not rated. New rated matches have a clock, but a player could
        stall one that an older version began without it.
        """
        is_owed = self.terms.rated and self.terms.opponent == "friend" and self.terms.clock is None
        if not is_owed or self.is_over or self.changed_at is None or self.turn is None:
            return None
        return self.changed_at + OWED

    @property
    def link_given_up_at(self) -> datetime | None:
        """The time at which the server throws without a link that is awaited; None where it waits for the link."""
        if self.clock is None or not self.terms.is_correspondence or not self.awaited:
            return None
        since = self.link_awaited_since
        return None if since is None else since + LINK_GIVEN_UP

    @property
    def deadline(self) -> datetime | None:
        """The time at which the server has something to do by itself; None while it waits for people alone.

        It ends the game of a flag that has fallen, throws without a link that was given up, and asks a bot anew.
        """
        if self.game is None or self.game.is_over or self.is_over:
            return None
        times = [] if self.clock is None else [self.clock.falls, self.link_given_up_at]
        if self.is_bot_due and self.changed_at is not None:
            times.append(self.changed_at + BOT_GIVEN_UP)
        return min(filter(None, times), default=None)

    # -- the dice -----------------------------------------------------------------------------------------
    @property
    def givers(self) -> tuple[Player, Player]:
        """The side whose link X's throws need, and that of O's."""
        return Player.X, Player.O if self.is_between_people else Player.X

    @property
    def needed(self) -> tuple[Player, ...]:
        """The sides whose link the next throw needs."""
        game, chains = self.game, self.links.chains
        if game is None or self.terms.dice != "links" or (game.turn is None and game.phase is not Phase.OPENING_ROLL):
            return ()
        if game.turn is not None:
            giver = self.givers[game.turn]
            return (giver,) if chains.get(giver) else ()
        return tuple([side for side in dict.fromkeys(self.givers) if chains.get(side)])

    @property
    def missing(self) -> tuple[Player, ...]:
        """The sides among ``needed`` that have not given the link of the next throw."""
        return tuple([side for side in self.needed if self.links.link_of(side, self.throws + 1) is None])

    @property
    def awaited(self) -> tuple[Player, ...]:
        """The sides in ``missing`` once the throw is due, which means that nothing is to be decided before it."""
        game = self.game
        if game is None or game.is_over or self.terms.dice != "links":
            return ()
        if game.phase is Phase.OPENING_ROLL:
            is_any_given = any(self.links.link_of(side, self.throws + 1) is not None for side in self.needed)
            is_due = self.terms.automatic or is_any_given
        elif self.is_human(game.turn):
            is_due = self.terms.automatic and game.phase is Phase.ROLL
        else:
            is_due = self.is_throw_decided
        return self.missing if is_due else ()

    @property
    def link_awaited_since(self) -> datetime | None:
        """The time since which the next throw waits for a link; None before anything has happened on the board."""
        times = [at for at in (self.changed_at, self.link_told_at) if at is not None]
        return max(times, default=None)


@dataclass(frozen=True, slots=True)
class SessionStep:
    """One event of a session, and the sessions before and after it."""

    before: GameSession
    entry: LogEntry
    after: GameSession

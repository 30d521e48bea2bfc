"""A game session: one match or money session in play, as a frozen value.

``evolve`` makes it of its events, ``decide`` judges what may be done in it. It holds what its players may know, and no
secret: those are inputs of a decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from types import MappingProxyType

from fullprime.play.clocks import Clock
from fullprime.play.events import ChainBegun, LogEntry, LookChosen, SessionClosed
from fullprime.play.links import Links
from fullprime.play.terms import HUMAN, Terms
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.record import Event, GameRecord, Match
from fullprime.rules.score import Player, Score


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
    """The time of the last link that was told for a throw which still waits."""

    finished: tuple[GameRecord, ...] = ()
    """The games before the one on the board."""
    start: Game | None = None
    """The beginning of the game on the board; None before the first."""
    record: tuple[Event, ...] = ()
    """The events of the game on the board, those that were taken back included."""
    game: Game | None = None
    """The game on the board; None before the first."""
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
    is_helped: bool = False
    said_at: Mapping[Player, tuple[datetime, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """The times of the last lines of each side."""

    # -- the match ----------------------------------------------------------------------------------------
    @property
    def match(self) -> Match:
        """All games and events so far, those that were taken back included; without games before the first."""
        games = (*self.finished, *(() if self.start is None else (GameRecord(self.start, self.record),)))
        return Match(self.terms.settings, self.names, games)

    @property
    def score(self) -> Score:
        """The score, with the game that has just ended in it."""
        game = self.game
        if game is None:
            return Score.start(self.terms.settings)
        return game.score if game.result is None else game.score.after(game.result, self.terms.settings)

    @property
    def is_won(self) -> bool:
        """True when the match has been won; a money session is never."""
        settings = self.terms.settings
        return settings.is_match and self.score.match_winner(settings) is not None

    @property
    def is_over(self) -> bool:
        """True if nothing more is played: the secret of the dice may be told."""
        return self.closed is not None or (self.game is not None and self.is_won)

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
        plays = (event for event in self.record if isinstance(event, Action) and event.kind is ActionKind.PLAY)
        return len(tuple(islice(plays, 2))) < 2

    @property
    def has_typed_roll(self) -> bool:
        """True if dice that a person typed are still to be played, and may be taken back."""
        last = self.record[-1] if self.record else None
        is_roll = isinstance(last, Action) and last.kind in (ActionKind.ROLL, ActionKind.OPENING)
        return is_roll and self.terms.dice == "typed" and self.game is not None and self.game.phase is Phase.PLAY

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
        """True if nothing happens until a bot has chosen."""
        game = self.game
        return not (game is None or self.is_over or game.is_over or self.is_human(game.turn) or self.is_throw_decided)

    @property
    def missing_seeds(self) -> tuple[Player, ...]:
        """The sides whose seed is awaited before the first game."""
        people = [side for side in Player if self.is_human(side)]
        if self.terms.opponent == "screen":
            people = [Player.X]
        return tuple(side for side in people if side not in self.links.seeds)

    # -- the dice -----------------------------------------------------------------------------------------
    @property
    def givers(self) -> tuple[Player, Player]:
        """The side whose link X's throws need, and that of O's."""
        return Player.X, Player.O if self.is_between_people else Player.X

    @property
    def needed(self) -> tuple[Player, ...]:
        """The sides whose link the next throw needs."""
        if self.game is None or self.terms.dice != "links":
            return ()
        return self.links.needed(self.game, self.givers)

    @property
    def missing(self) -> tuple[Player, ...]:
        """Those of the ``needed`` that have not told the link of the next throw."""
        return tuple(side for side in self.needed if self.links.link_of(side, self.throws + 1) is None)

    @property
    def awaited(self) -> tuple[Player, ...]:
        """The ``missing``, where the throw is due: there is nothing to decide before it."""
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

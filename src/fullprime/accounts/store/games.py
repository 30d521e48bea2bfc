"""Games in which people with accounts sit, as values: a game, its end, and what an account has played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.play.dice_counts import DiceCounts, SideDice
from fullprime.rules.variants import VARIANTS

Pair = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A session in which a person with an account sits. Pairs are X's first."""

    __json__: ClassVar[JsonFields] = json_names(
        "names", "variant", "title", "length", "rated", "public", "begun", "ended", "points", "winner", "ending",
        "ended_by", id="session_id", winner="winner_side", ended_by="ender_side",
    )  # fmt: skip

    session_id: str
    """The id of the game, as in addresses."""
    accounts: Pair
    names: tuple[str, str]
    """The names of X and O, as they were then."""
    variant: str
    """The game."""
    length: int
    """Points of the match; 0 for money."""
    rated: bool
    """True if it changes ratings."""
    public: bool
    """True if others may watch it."""
    begun: datetime
    """The time when it began."""
    ended: datetime | None
    """The time when it ended; None while it is played."""
    points: tuple[int, int] | None
    """The points at the end, X's first; None while it is played."""
    winner: int | None
    """0 for X, 1 for O; None while it is played, and where neither won."""
    ending: str | None = None
    """The way in which a game between people ended: ``played``, ``left``, ``absence``, ``time``, ``aborted``,
    ``agreed`` (by both, without a result) or ``ended`` (a session); None for others, and where it was not noted."""
    ended_by: int | None = None
    """The side that left, was absent, lost on time or aborted: 0 for X, 1 for O."""

    @property
    def title(self) -> str:
        """Its name in words."""
        return VARIANTS[self.variant].title

    @property
    def winner_side(self) -> str | None:
        """The winner, ``X`` or ``O``; None without one."""
        return None if self.winner is None else "XO"[self.winner]

    @property
    def ender_side(self) -> str | None:
        """The side that left, was absent, lost on time, aborted or ended it; None for both or neither."""
        return None if self.ended_by is None else "XO"[self.ended_by]

    def sides(self, account: int) -> tuple[int, ...]:
        """The sides on which the account sits: 0 for X, 1 for O."""
        return tuple(side for side in (0, 1) if self.accounts[side] == account)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnd:
    """The end of a game."""

    points: tuple[int, int]
    winner: int | None
    at: datetime
    names: tuple[str, str]
    facts: str | None
    ending: str | None = None
    """The way in which it ended, between two people."""
    ended_by: int | None = None
    """The side that left, was absent, lost on time or aborted: 0 for X, 1 for O."""
    helped: bool = False
    """True if its decisions make no PR: a player had help, or it is practice with a position."""
    dice: DiceCounts | None = None
    """The dice of both sides, counted; None for dice that the server has not thrown."""
    contested: bool = True
    """True if both sides have played enough for the winner of a rated match to gain by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFilter:
    """The conditions on the games of a search; None for one that does not matter."""

    account: int | None = None
    opponent: str | None = None
    """A part of the name of either player (but the account's own)."""
    variant: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is too late."""
    rated: bool | None = None
    ended: bool | None = None
    public: bool | None = None


@dataclass(frozen=True, slots=True)
class Endings:
    """The ends of games against other people, as far as they have been noted."""

    games: int
    """Games against other people that are over."""
    left: int
    """Games that the account left and so lost."""
    absent: int
    """Games lost by absence."""
    late: int
    """Games lost on time."""
    aborted: int
    """Games that the account aborted in their first moves."""


@dataclass(frozen=True, slots=True)
class GamesTally:
    """Finished games of one variant."""

    __json__: ClassVar[JsonFields] = json_names("variant", "title", "games", "won", "lost", "points")

    variant: str
    """The game."""
    games: int
    """The number of games."""
    won: int
    """Matches won."""
    lost: int
    """Matches lost."""
    points: int
    """Points won less points lost."""

    @property
    def title(self) -> str:
        """Its name in words."""
        return VARIANTS[self.variant].title


@dataclass(frozen=True, slots=True)
class AccountDice:
    """The dice of an account's finished games, as far as the server threw them."""

    games: int
    """The matches and sessions whose dice are counted."""
    own: SideDice
    """The rolls of the account."""
    opponents: SideDice
    """The rolls of the other side in the same games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedGame:
    """The facts of a session in which an account sits down. Names are X's first."""

    session_id: str
    names: tuple[str, str]
    variant: str
    length: int
    public: bool

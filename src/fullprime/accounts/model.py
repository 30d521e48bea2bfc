"""Values about accounts: profiles, games, ratings, challenges and messages. Their fields are their JSON.

Times are seconds since 1970, UTC.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Literal

from fullprime.accounts.pairing import Pool
from fullprime.accounts.store.accounts import Token
from fullprime.accounts.store.challenges import Challenge
from fullprime.accounts.store.games import AccountDice, Endings, GamesTally, Played
from fullprime.accounts.store.ratings import RatingChange, RatingMoved
from fullprime.common.json_values import MERGED, JsonFields, json_names


# -- accounts ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAccount:
    """The account that asks."""

    name: str | None = None
    """The name; null for a guest."""
    bot: bool = False
    """True if the account is that of a program."""
    public: bool = False
    """True if others may read the profile."""
    scopes: tuple[str, ...] | None = None
    """The scopes of the token that asks; null for a browser, which may do everything."""


@dataclass(frozen=True, slots=True)
class MadeToken:
    """A new token."""

    made: Token = field(metadata=MERGED)
    token: str
    """The secret, told only now: send it as ``Authorization: Bearer TOKEN``."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of an account, and the possible uses of tokens."""

    tokens: tuple[Token, ...]
    """Those that have not been revoked."""
    known_scopes: dict[str, str]
    """The uses that tokens can be for, in words."""


@dataclass(frozen=True, slots=True)
class ClaimedSeat:
    """The account's seat now."""

    side: Literal["X", "O", "both"]
    """The seat; ``both``: two people at one screen."""


# -- profiles ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class RatingShown:
    """A rating as it is today."""

    rating: int
    """The rating in whole points."""
    deviation: int
    """One standard deviation of the error of the rating."""
    provisional: bool
    """True for one that does not stand in the list: too few matches, opponents or days of play, or too long ago."""
    matches: int
    """The number of rated matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The profile of an account."""

    name: str
    """The name of the account."""
    bot: bool
    """True if it is a program."""
    public: bool
    """True if others may read this."""
    since: datetime
    """The time when the account was made."""
    ratings: dict[str, RatingShown]
    """The ratings by kind: a variant and a class of match lengths."""
    changes: tuple[RatingChange, ...]
    """The changes of the ratings by rated matches, the latest first."""
    tallies: tuple[GamesTally, ...]
    """Finished games by variant."""
    endings: Endings
    """The ends of the games against other people."""
    reviewed: int
    """Games with a review and without help."""
    pr: float | None
    """The performance rating over all reviewed games; None without any."""
    decisions: int
    """Decisions that ``pr`` is made from."""
    dice: AccountDice
    """The dice of the finished games, counted beside what chance gives."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of an account."""

    game: Played = field(metadata=MERGED)
    side: str
    """The side of the account: ``X`` or ``O``."""
    change: RatingMoved | None
    """The change of the account's rating; None where it was not rated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedAccount:
    """An account that sits at a board."""

    name: str
    """The name of the account."""
    bot: bool
    """True if it is a program."""
    rating: RatingShown | None
    """The rating of the kind that is played; null without one, and for a spectator of a private profile."""
    change: RatingMoved | None
    """The change of the rating by this match; null before its end, and where it was not rated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedAccounts:
    """The accounts that sit at a board."""

    x: SeatedAccount | None
    """The account of X; null for a guest, a bot of the server and a free seat."""
    o: SeatedAccount | None
    """The same of O."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameList:
    """Games of an account."""

    games: tuple[PlayedGame, ...]
    """The latest first."""
    found: int
    """The number of games on all pages."""
    page: int
    """The number of this page, from 1."""
    pages: int
    """The number of pages."""
    formats: dict[str, str]
    """The formats in which a record can be had, by name."""


@dataclass(frozen=True, slots=True)
class RatedAccount:
    """An account in the list of the best."""

    name: str
    """The name of the account."""
    bot: bool
    """True if it is a program."""
    rating: RatingShown = field(metadata=MERGED)


@dataclass(frozen=True, slots=True)
class RatingList:
    """The highest ratings of one kind."""

    kind: str
    """A variant and a class of match lengths."""
    kinds: tuple[str, ...]
    """The kinds of ratings that there can be."""
    best: tuple[RatedAccount, ...]
    """The highest first."""


# -- the lobby --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class OwnChallenge:
    """A challenge as its creator sees it."""

    __json__: ClassVar[JsonFields] = json_names("challenge", "game")

    challenge: Challenge = field(metadata=MERGED)

    @property
    def game(self) -> str:
        """The game that waits for the second player."""
        return self.challenge.session_id


@dataclass(frozen=True, slots=True)
class MadeChallenge:
    """A new challenge."""

    challenge: OwnChallenge
    """The challenge."""
    key: str
    """The key that opens the creator's seat."""
    invitation: str
    """An invitation, good for one person to join by a link."""
    commitment: str
    """SHA-256 of the server's secret."""


@dataclass(frozen=True, slots=True)
class OpenChallenges:
    """Challenges to everybody."""

    challenges: tuple[Challenge, ...]
    """The latest first."""


@dataclass(frozen=True, slots=True)
class AcceptedChallenge:
    """The game that begins when both have added to the seed of the dice."""

    game: str
    """Its id."""
    key: str
    """The key that opens your seat."""
    commitment: str
    """SHA-256 of the server's secret."""


@dataclass(frozen=True, slots=True)
class PoolNow:
    """A pool as it is now: people are paired in it by their ratings."""

    pool: Pool = field(metadata=MERGED)
    waiting: int
    """The people who wait in it."""
    playing: int
    """The games of it that are played."""


@dataclass(frozen=True, slots=True)
class Pools:
    """The pools in which people are paired."""

    pools: tuple[PoolNow, ...]
    """By length and clock, rated and casual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seek:
    """A look for an opponent: the game with the one who was found, or the game that waits for one."""

    game: str
    """The game; it begins when both have added to the seed of the dice."""
    key: str | None
    """The key that opens your seat; null where it is the one that you have."""
    commitment: str
    """SHA-256 of the server's secret."""
    waiting: OwnChallenge | None
    """The challenge that waits in the pool; null once there is an opponent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresentAccount:
    """An account that has a page open at a board, or waits for an opponent."""

    name: str
    """The name of the account."""
    bot: bool
    """True if it is a program."""
    short_rating: RatingShown | None
    """The rating of short matches of backgammon; null without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Friend:
    """An account that the account follows."""

    name: str
    """The name of the account."""
    bot: bool
    """True if it is a program."""
    is_here: bool | None
    """True if it has a page open at a board, or waits for an opponent; null for a private profile."""
    short_rating: RatingShown | None
    """The rating of short matches of backgammon; null without one, and for a private profile."""
    since: datetime
    """The time since when the account follows it."""


@dataclass(frozen=True, slots=True)
class FriendList:
    """The accounts that the account follows. Only the account itself reads this."""

    friends: tuple[Friend, ...]
    """Those who are here first, each group by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedGame:
    """A game that is played now and that everybody may watch."""

    id: str
    """The id of the game, as in addresses."""
    names: tuple[str, str]
    """The names of X and O."""
    score: tuple[int, int]
    """Points of X and O."""
    length: int
    """Points of the match."""
    x: tuple[int, ...]
    """The checkers of X in its own numbers: 0 off, 1 to 24, 25 bar, 26 hand."""
    o: tuple[int, ...]
    """The checkers of O in its own numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyNow:
    """What goes on among people, some seconds old at most."""

    present: int
    """The people who play each other or wait, with a page open."""
    people: tuple[PresentAccount, ...]
    """Accounts among them that show their profile, by name: two dozen at most."""
    games: tuple[WatchedGame, ...]
    """Games of paired people, the latest first: six at most."""
    leaders: tuple[RatedAccount, ...]
    """The highest ratings of short matches of backgammon."""


@dataclass(frozen=True, slots=True)
class MyChallenges:
    """Challenges of an account."""

    incoming: tuple[Challenge, ...]
    """Challenges to the account."""
    outgoing: tuple[OwnChallenge, ...]
    """Challenges that the account has made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyMessage:
    """The list of challenges, sent to everybody who looks at the lobby whenever it changes."""

    type: Literal["lobby"] = "lobby"
    """The kind of this message."""
    challenges: tuple[Challenge, ...]
    """The challenges to everybody, the latest first."""
    gone: str | None = None
    """The id of one that was accepted or withdrawn just now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountGame:
    """A game as the account on one of its sides sees it."""

    id: str
    """The id of the game, as in addresses."""
    side: str
    """The side of the account: ``X`` or ``O``."""
    name: str
    """The name of the account in that game."""
    opponent: str
    """The name of the other side."""
    variant: str
    """The game."""
    length: int
    """Points of the match; 0 for money."""
    rated: bool
    """True if it changes ratings."""
    points: tuple[int, int] | None
    """The points at the end, X's first; None while it is played."""
    winner: str | None
    """The winner, ``X`` or ``O``; None without one."""

    @classmethod
    def of(cls, game: Played, side: int) -> AccountGame:
        """A game as the account on that side (0 for X) sees it."""
        return cls(
            id=game.session_id,
            side="XO"[side],
            name=game.names[side],
            opponent=game.names[1 - side],
            variant=game.variant,
            length=game.length,
            rated=game.rated,
            points=game.points,
            winner=game.winner_side,
        )


@dataclass(frozen=True, slots=True)
class AccountGames:
    """Games of an account that are not over."""

    playing: tuple[AccountGame, ...]
    """The latest first."""


@dataclass(frozen=True, slots=True)
class GameMessage:
    """A game of the account begins, or is over."""

    type: Literal["gameStart", "gameFinish"]
    """The kind of the message."""
    game: AccountGame
    """The game."""


@dataclass(frozen=True, slots=True)
class ChallengeMessage:
    """A challenge to the account, or one that was withdrawn; or one of its own that was declined."""

    type: Literal["challenge", "challengeCanceled", "challengeDeclined"]
    """The kind of the message."""
    challenge: Challenge
    """The challenge."""


AccountMessage = GameMessage | ChallengeMessage
"""A message to an account; ``type`` says which kind it is."""

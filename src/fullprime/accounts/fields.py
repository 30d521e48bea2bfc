"""The JSON values of people, field by field: profiles, games, ratings, challenges, and the messages to an account.

Times are seconds since 1970, UTC.
"""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from fullprime.accounts.store.challenges import ChallengeFacts
from fullprime.common.documented import documented


# -- profiles --------------------------------------------------------------------------------------------------------
@documented
class RatingShown(TypedDict):
    """A rating as it is today."""

    rating: int
    """The rating in whole points."""
    deviation: int
    """One standard deviation of the error of the rating."""
    provisional: bool
    """A large deviation: too few matches, or too long ago."""
    matches: int
    """The number of rated matches."""


@documented
class RatingMoved(TypedDict):
    """A rating before and after a match."""

    before: int
    """The rating before, in whole points."""
    after: int
    """The rating after, in whole points."""


@documented
class RatingChanged(RatingMoved):
    """The change of a rating by a rated match."""

    game: str
    """The id of the game."""
    kind: str
    """A variant and a class of match lengths: ``backgammon:short``."""
    deviation: float
    """The deviation after the match."""
    made: float
    """The time when it was made."""


@documented
class VariantTally(TypedDict):
    """Finished games of one variant."""

    variant: str
    """The game."""
    title: str
    """Its name in words."""
    games: int
    """The number of games."""
    won: int
    """Matches won."""
    lost: int
    """Matches lost."""
    points: int
    """Points won less points lost."""


@documented
class EndingTally(TypedDict):
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


@documented
class Profile(TypedDict):
    """The profile of an account."""

    name: str
    """The name of the account."""
    bot: bool
    """True if it is a program."""
    public: bool
    """True if others may read this."""
    since: float
    """The time when the account was made."""
    ratings: dict[str, RatingShown]
    """The ratings by kind: a variant and a class of match lengths."""
    changes: list[RatingChanged]
    """The changes of the ratings by rated matches, the latest first."""
    tallies: list[VariantTally]
    """Finished games by variant."""
    endings: EndingTally
    """The ends of the games against other people."""
    reviewed: int
    """Games with a review and without help."""
    pr: float | None
    """The performance rating over all reviewed games; None without any."""
    decisions: int
    """Decisions that ``pr`` is made from."""


@documented
class PlayedGame(TypedDict):
    """A game of an account."""

    id: str
    """The id of the game, as in addresses."""
    names: list[str]
    """The names of X and O, as they were then."""
    side: str
    """The side of the account: ``X`` or ``O``."""
    variant: str
    """The game."""
    title: str
    """Its name in words."""
    length: int
    """Points of the match; 0 for money."""
    rated: bool
    """True if it changes ratings."""
    public: bool
    """True if others may watch it."""
    begun: float
    """The time when it began."""
    ended: float | None
    """The time when it ended; None while it is played."""
    points: list[int] | None
    """The points at the end, X's first; None while it is played."""
    winner: str | None
    """The winner, ``X`` or ``O``; None without one."""
    ending: str | None
    """The way in which a game between people ended: ``played``, ``left``, ``absence``, ``time``, ``aborted``,
    ``agreed`` (by both, without a result) or ``ended`` (a session); None for others, and where it was not noted."""
    ended_by: str | None
    """The side that left, was absent, lost on time, aborted or ended it, ``X`` or ``O``; None for nobody alone."""
    change: RatingMoved | None
    """The change of the account's rating; None where it was not rated."""


@documented
class GameList(TypedDict):
    """Games of an account."""

    games: list[PlayedGame]
    """The latest first."""
    found: int
    """The number of games on all pages."""
    page: int
    """The number of this page, from 1."""
    pages: int
    """The number of pages."""
    formats: dict[str, str]
    """The formats in which a record can be had, by name."""


@documented
class Rated(RatingShown):
    """Somebody in the list of the best."""

    name: str
    """The name of the account."""
    bot: bool
    """True if it is a program."""


@documented
class RatingList(TypedDict):
    """The highest ratings of one kind."""

    kind: str
    """A variant and a class of match lengths."""
    kinds: list[str]
    """The kinds of ratings that there can be."""
    best: list[Rated]
    """The highest first."""


# -- the lobby -------------------------------------------------------------------------------------------------------
@documented
class OpenChallenge(ChallengeFacts):
    """A challenge as everybody sees it."""

    id: str
    """The id with which the challenge is accepted."""
    name: str
    """The name of its creator."""
    rated: bool
    """True if the match changes ratings."""
    created: float
    """The time when it was made."""
    expires: float
    """The time when it expires."""


@documented
class OwnChallenge(OpenChallenge):
    """A challenge as its creator sees it."""

    game: str
    """The game that waits for the second player."""


@documented
class MyChallenges(TypedDict):
    """Challenges of an account."""

    incoming: list[OpenChallenge]
    """Challenges to the account."""
    outgoing: list[OwnChallenge]
    """Challenges that the account has made."""


@documented
class LobbyMessage(TypedDict):
    """The list of challenges, told to everybody who looks at the lobby whenever it changes."""

    type: Literal["lobby"]
    """The kind of this message."""
    challenges: list[OpenChallenge]
    """The challenges to everybody, the latest first."""
    gone: str | None
    """The id of one that was accepted or withdrawn just now."""


@documented
class AccountGame(TypedDict):
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
    points: list[int] | None
    """The points at the end, X's first; None while it is played."""
    winner: str | None
    """The winner, ``X`` or ``O``; None without one."""


@documented
class GameMessage(TypedDict):
    """A game of the account begins, or is over."""

    type: Literal["gameStart", "gameFinish"]
    """The kind of the message."""
    game: AccountGame
    """The game."""


@documented
class ChallengeMessage(TypedDict):
    """A challenge to the account, or one that was withdrawn; or one of its own that was declined."""

    type: Literal["challenge", "challengeCanceled", "challengeDeclined"]
    """The kind of the message."""
    challenge: OpenChallenge
    """The challenge."""


AccountMessage = GameMessage | ChallengeMessage
"""A message to an account; ``type`` says which kind it is."""

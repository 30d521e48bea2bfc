"""What requests about people carry and what comes back: accounts, tokens, profiles, challenges."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from fullprime.app.people.lobby import MOST_MINUTES
from fullprime.web.models.common import Name, Strict

Password = Annotated[str, Field(min_length=1, max_length=200)]
Scope = Literal["challenge:read", "challenge:write", "board:play", "bot:play"]


# -- accounts ---------------------------------------------------------------------------------------------------
class Credentials(Strict):
    """A name and a password."""

    name: Name
    password: Password


class NewPassword(Strict):
    """Another password; the old one proves who asks."""

    old: Password
    new: Password


class OnlyPassword(Strict):
    """The password, for what cannot be undone."""

    password: Password


class SignOut(Strict):
    """Whether every browser is signed out, not only this one."""

    everywhere: bool = False


class Visibility(Strict):
    """Whether others may read the profile."""

    public: bool


class Me(BaseModel):
    """Who asks."""

    name: str | None = Field(description="null for somebody without an account")
    bot: bool = Field(description="whether the account is that of a program")
    public: bool = Field(description="whether others may read the profile")
    scopes: list[str] | None = Field(description="of the token that asks; null for a browser, which may do everything")


class NewToken(Strict):
    """A token for a program."""

    name: Name
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=4)]


class Token(BaseModel):
    """A token, without what opens it; times are seconds since 1970, UTC."""

    id: int
    name: str
    scopes: list[str]
    created: float | None
    used: float | None = Field(description="the day on which it was used last")


class MadeToken(Token):
    """A new token."""

    token: str = Field(description="told only now: send it as `Authorization: Bearer TOKEN`")


class Tokens(BaseModel):
    """The tokens of an account, and what tokens can be for."""

    tokens: list[Token]
    known_scopes: dict[str, str]


class Claim(Strict):
    """A game that was begun without an account."""

    game: Annotated[str, Field(min_length=1, max_length=40)]
    key: Annotated[str, Field(min_length=1, max_length=100)]


class Claimed(BaseModel):
    """Where the account sits now."""

    side: Literal["X", "O", "both"]


# -- profiles ---------------------------------------------------------------------------------------------------
class RatingShown(BaseModel):
    """A rating as it is today."""

    rating: int
    deviation: int = Field(description="one standard deviation of what the rating may be wrong by")
    provisional: bool = Field(description="a large deviation: too few matches, or too long ago")
    matches: int


class Profile(BaseModel):
    """What is known of an account."""

    name: str
    bot: bool
    public: bool
    since: float
    ratings: dict[str, RatingShown] = Field(description="by kind: a variant and a class of match lengths")
    changes: list[dict[str, Any]] = Field(description="what rated matches did to the ratings, the latest first")
    tallies: list[dict[str, Any]] = Field(description="finished games by variant")
    reviewed: int = Field(description="games with a review")
    pr: float | None = Field(description="the performance rating over all reviewed games; null without any")
    decisions: int = Field(description="decisions that `pr` is made from")


class GameList(BaseModel):
    """Games of an account, the latest first."""

    games: list[dict[str, Any]]
    found: int
    page: int
    pages: int
    formats: dict[str, str] = Field(description="in which a record can be had, by name")


class Rated(RatingShown):
    """Somebody in the list of the best."""

    name: str
    bot: bool


class RatingList(BaseModel):
    """The highest ratings of one kind."""

    kind: str
    kinds: list[str]
    best: list[Rated]


# -- the lobby --------------------------------------------------------------------------------------------------
class NewChallenge(Strict):
    """A challenge; what is left out is as usual."""

    name: Name = Field("Guest", description="what a guest is called; an account keeps its name")
    variant: Name = "backgammon"
    preset: Name | None = Field(None, description="settings under one name")
    rules: dict[Name, str | bool | int | float | None] = Field(
        default_factory=dict, max_length=40, description="any option by name; `length` above all"
    )
    automatic: bool = Field(True, description="throw and play by itself where there is no decision")
    spectators: bool = Field(True, description="whether others may watch, and see the game in profiles")
    clock: Name | None = Field(None, description="one of those that /api/clocks names, `12+600`, or `3d`")
    rated: bool = Field(False, description="whether the match changes ratings: between accounts, by the usual rules")
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] = Field(30, description="how long it stands")


class OpenChallenge(BaseModel):
    """A challenge as everybody sees it; times are seconds since 1970, UTC."""

    id: str
    name: str
    account: bool = Field(description="whether the creator has an account")
    bot: bool
    target: str | None = Field(description="the account that is challenged; null for everybody")
    variant: str
    title: str
    length: int
    played_for: str
    clock: str | None
    spectators: bool
    rating: list[int] | None = Field(description="the creator's rating of that kind, and its deviation")
    rated: bool
    created: float
    expires: float


class OwnChallenge(OpenChallenge):
    """A challenge as its creator sees it."""

    game: str = Field(description="the game that waits for the second player")


class MadeChallenge(BaseModel):
    """A new challenge."""

    challenge: OwnChallenge
    key: str = Field(description="opens the creator's seat")
    invitation: str = Field(description="good for one person to join by a link")
    commitment: str = Field(description="SHA-256 of the server's secret")


class Challenges(BaseModel):
    """Challenges to everybody."""

    challenges: list[OpenChallenge]


class MyChallenges(BaseModel):
    """Challenges meant for an account, and those it has made."""

    incoming: list[OpenChallenge]
    outgoing: list[OwnChallenge]


class Accept(Strict):
    """Accepting a challenge."""

    name: Name = Field("Guest", description="what a guest is called; an account keeps its name")


class Accepted(BaseModel):
    """The game that begins when both have added to the seed of the dice."""

    game: str
    key: str = Field(description="opens your seat")
    commitment: str = Field(description="SHA-256 of the server's secret")


class Playing(BaseModel):
    """Games of an account that are not over."""

    playing: list[dict[str, Any]]

"""Requests about people and their answers: accounts, tokens, profiles, challenges."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fullprime.accounts.challenge_limits import MOST_MINUTES, MOST_MINUTES_OF_GUEST
from fullprime.accounts.fields import (
    AccountGame,
    ChallengeMessage,
    GameList,
    GameMessage,
    LobbyMessage,
    MyChallenges,
    OpenChallenge,
    OwnChallenge,
    Profile,
    RatingList,
)
from fullprime.web.models.common import Name, Strict
from fullprime.web.models.described import described

Password = Annotated[str, Field(min_length=1, max_length=200, description="the password")]
Scope = Literal["challenge:read", "challenge:write", "games:read", "board:play", "bot:play"]


described(Profile, GameList, RatingList, MyChallenges, LobbyMessage, GameMessage, ChallengeMessage)


# -- accounts ---------------------------------------------------------------------------------------------------
class Credentials(Strict):
    """A name and a password."""

    name: Name = Field(description="of the account")
    password: Password


class NewPassword(Strict):
    """Another password; the old one proves the person."""

    old: Password = Field(description="the password until now")
    new: Password = Field(description="the password from now on")
    tokens: bool = Field(False, description="revoke all tokens of the account too")


class OnlyPassword(Strict):
    """The password, for an action that cannot be undone."""

    password: Password


class SignOut(Strict):
    """A sign-out, of this browser or of all browsers of the account."""

    everywhere: bool = Field(False, description="every browser of the account")
    tokens: bool = Field(False, description="revoke all tokens of the account too")


class Visibility(Strict):
    """The visibility of the profile to others."""

    public: bool = Field(description="whether others may read it")


class Me(BaseModel):
    """The account that asks."""

    name: str | None = Field(description="null for somebody without an account")
    bot: bool = Field(description="whether the account is that of a program")
    public: bool = Field(description="whether others may read the profile")
    scopes: list[str] | None = Field(description="of the token that asks; null for a browser, which may do everything")


class NewToken(Strict):
    """A token for a program."""

    name: Name = Field(description="by which its owner knows it")
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=5)] = Field(description="what it is for")


class Token(BaseModel):
    """A token, without its secret; times are seconds since 1970, UTC."""

    id: int = Field(description="by it the token is revoked")
    name: str = Field(description="by which its owner knows it")
    scopes: list[str] = Field(description="what it is for")
    created: float = Field(description="when it was made")
    used: float | None = Field(description="the day on which it was used last")


class MadeToken(Token):
    """A new token."""

    token: str = Field(description="told only now: send it as `Authorization: Bearer TOKEN`")


class Tokens(BaseModel):
    """The tokens of an account, and the possible uses of tokens."""

    tokens: list[Token] = Field(description="those that have not been revoked")
    known_scopes: dict[str, str] = Field(description="what tokens can be for, in words")


class Claim(Strict):
    """A game that was begun without an account."""

    game: Annotated[str, Field(min_length=1, max_length=40, description="the id of the game")]
    key: Annotated[str, Field(min_length=1, max_length=100, description="of the seat")]


class Claimed(BaseModel):
    """The account's seat now."""

    side: Literal["X", "O", "both"] = Field(description="`both`: two people at one screen")


# -- the lobby --------------------------------------------------------------------------------------------------
class NewChallenge(Strict):
    """A challenge; fields that are left out have their usual values."""

    name: Name = Field("Guest", description="what a guest is called; an account keeps its name")
    variant: Name = Field("backgammon", description="the game")
    preset: Name | None = Field(None, description="settings under one name")
    rules: dict[Name, str | bool | int | float | None] = Field(
        default_factory=dict, max_length=40, description="any option by name; `length` above all"
    )
    automatic: bool = Field(True, description="throw and play by itself where there is no decision")
    spectators: bool = Field(True, description="whether others may watch, and see the game in profiles")
    clock: Name | None = Field(None, description="one of those that /api/clocks names, `12+600`, or `3d`")
    rated: bool = Field(
        False, description="whether the match changes ratings: between accounts, by the usual rules, with a clock"
    )
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] = Field(
        30, description=f"how long it stands; that of a guest at most {MOST_MINUTES_OF_GUEST}"
    )


class MadeChallenge(BaseModel):
    """A new challenge."""

    challenge: OwnChallenge = Field(description="the challenge")
    key: str = Field(description="opens the creator's seat")
    invitation: str = Field(description="good for one person to join by a link")
    commitment: str = Field(description="SHA-256 of the server's secret")


class Challenges(BaseModel):
    """Challenges to everybody."""

    challenges: list[OpenChallenge] = Field(description="the latest first")


class Accept(Strict):
    """Accepting a challenge."""

    name: Name = Field("Guest", description="what a guest is called; an account keeps its name")


class Accepted(BaseModel):
    """The game that begins when both have added to the seed of the dice."""

    game: str = Field(description="its id")
    key: str = Field(description="opens your seat")
    commitment: str = Field(description="SHA-256 of the server's secret")


class Playing(BaseModel):
    """Games of an account that are not over."""

    playing: list[AccountGame] = Field(description="the latest first")

"""Requests about people: accounts, tokens, profiles, challenges."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from fullprime.accounts.challenge_limits import MOST_MINUTES, MOST_MINUTES_OF_GUEST, USUAL_MINUTES
from fullprime.web.models.common import Automatic, Name, Strict, VariantName

Password = Annotated[str, Field(min_length=1, max_length=200, description="the password")]
GuestName = Annotated[Name, Field(description="what a guest is called; an account keeps its name")]
RevokesTokens = Annotated[bool, Field(description="revoke all tokens of the account too")]
Scope = Literal[
    "challenge:read", "challenge:write", "follow:read", "follow:write", "games:read", "board:play", "bot:play"
]


# -- accounts ---------------------------------------------------------------------------------------------------
class Credentials(Strict):
    """A name and a password."""

    name: Name = Field(description="of the account")
    password: Password


class NewPassword(Strict):
    """Another password; the old one proves the person."""

    old: Password = Field(description="the password until now")
    new: Password = Field(description="the password from now on")
    tokens: RevokesTokens = False


class OnlyPassword(Strict):
    """The password, for an action that cannot be undone."""

    password: Password


class SignOut(Strict):
    """A sign-out, of this browser or of all browsers of the account."""

    everywhere: bool = Field(False, description="every browser of the account")
    tokens: RevokesTokens = False


class Visibility(Strict):
    """The visibility of the profile to others."""

    public: bool = Field(description="whether others may read it")


class NewToken(Strict):
    """A token for a program."""

    name: Name = Field(description="by which its owner knows it")
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(get_args(Scope)))] = Field(
        description="what it is for"
    )


class Claim(Strict):
    """A game that was begun without an account."""

    game: Annotated[str, Field(min_length=1, max_length=40, description="the id of the game")]
    key: Annotated[str, Field(min_length=1, max_length=100, description="of the seat")]


# -- the lobby --------------------------------------------------------------------------------------------------
class NewChallenge(Strict):
    """A challenge; fields that are left out have their usual values."""

    name: GuestName = "Guest"
    variant: VariantName = "backgammon"
    preset: Name | None = Field(None, description="settings under one name")
    rules: dict[Name, str | bool | int | float | None] = Field(
        default_factory=dict, max_length=40, description="any option by name; `length` above all"
    )
    automatic: Automatic = True
    spectators: bool = Field(True, description="whether others may watch, and see the game in profiles")
    clock: Name | None = Field(None, description="one of those that /api/clocks names, `12+600`, or `3d`")
    rated: bool = Field(
        False, description="whether the match changes ratings: between accounts, by the usual rules, with a clock"
    )
    minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] = Field(
        USUAL_MINUTES, description=f"how long it stands; that of a guest at most {MOST_MINUTES_OF_GUEST}"
    )


class NewSeek(Strict):
    """A look for an opponent of a near rating."""

    name: GuestName = "Guest"
    length: Literal[1, 3, 5, 7] = Field(description="points of the match")
    clock: Literal["fast", "medium", "1d"] = Field(description="the clock of the match")
    rated: bool = Field(False, description="whether the match changes ratings: between accounts")


class Accept(Strict):
    """Accepting a challenge."""

    name: GuestName = "Guest"

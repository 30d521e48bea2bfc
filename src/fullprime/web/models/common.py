"""Requests and answers, as the API's document describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as define
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from fullprime.common.json_values import LEFT_OUT
from fullprime.messages import Fact
from fullprime.play.commands import ClosingWay
from fullprime.play.naming import EXPECTED, UNNAMED
from fullprime.play.options.opponents import OpponentChoice
from fullprime.play.options.strengths import AnalysisLevel
from fullprime.play.table.table_events import Event
from fullprime.rules.errors import ErrorCode

Name = Annotated[str, Field(min_length=1, max_length=60)]
OwnName = Annotated[Name, Field(description="your name; without one you see `You` at your seat, and others `Guest`")]
VariantName = Annotated[Name, Field(description="the game")]
Automatic = Annotated[bool, Field(description="throw and play by itself where there is no decision")]


class Strict(BaseModel):
    """Nothing that is not described."""

    model_config = ConfigDict(extra="forbid", strict=True)


class HealthAnswer(BaseModel):
    """The health of the server."""

    status: Literal["ok", "failing"] = Field(description="`failing` while nothing can be stored")
    version: str = Field(description="the version of the program")
    error: str | None = Field(None, description="the reason, where there is one")
    compiling: str | None = Field(
        None, description="how far the engine's compiling for this machine is, while it goes on"
    )


class NewGame(Strict):
    """A game to be created."""

    opponent: Literal["bot", "friend", "screen"] = Field("bot", description="`screen`: two people at one screen")
    bot: Name | None = Field(
        None,
        description="with `opponent: bot`, one that /api/options names; by default its `bot` if that plays this",
    )
    name: OwnName = UNNAMED
    other_name: Name = Field(EXPECTED, description="the second person's name, until they join with their own")
    variant: VariantName = "backgammon"
    preset: Name | None = Field(None, description="settings under one name, as `fullprime play --preset`")
    rules: dict[Name, str | bool | int | float | None] = Field(
        default_factory=dict, max_length=40, description="any option by name, as `fullprime play --rule`"
    )
    automatic: Automatic = True
    spectators: bool = Field(True, description="whether whoever knows the id may watch")
    position: Annotated[str, Field(max_length=600)] | None = Field(None, description="begin with this ID of any kind")
    clock: Annotated[str, Field(max_length=20)] | None = Field(
        None, description="between people: one of /api/clocks, seconds of delay and reserve as `12+600`, or `3d`"
    )
    grace: Annotated[int, Field(ge=0, le=86_400)] = Field(
        180, description="seconds after which who has gone may lose; 0 for never"
    )
    late: Annotated[int, Field(ge=0, le=3600)] = Field(0, description="seconds after which spectators see what happens")
    house: Annotated[str, Field(min_length=1, max_length=40)] | None = Field(
        None, description="the name of the house rules, shown at the table and kept in the record"
    )


class Created(BaseModel):
    """A new game. The commitment comes before any player has added to the seed."""

    id: str = Field(description="the name of the game in addresses")
    key: str = Field(description="opens the creator's seat; send it as `Authorization: Bearer KEY`")
    invitation: str | None = Field(description="good for one friend to join with")
    commitment: str = Field(description="SHA-256 of the server's secret")


class Join(Strict):
    """Sitting down with an invitation."""

    invitation: Annotated[str, Field(min_length=1, max_length=100, description="what the link of the game carries")]
    name: OwnName = UNNAMED


class Joined(BaseModel):
    """The key of the seat."""

    key: str = Field(description="opens your seat; send it as `Authorization: Bearer KEY`")


Link64 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Seed(Strict):
    """The part that a player adds to the dice."""

    seed: Annotated[str, Field(pattern="^[0-9a-f]{1,64}$", description="digits of base sixteen")]
    links: bool = Field(False, description="the seed is the anchor of a chain, whose links you promise for all throws")


class Link(Strict):
    """A player's link for a throw."""

    number: Annotated[int, Field(ge=1, le=10_000_000, description="the number of the throw")]
    link: Link64 = Field(description="your link of that number")


class ChainRequest(Strict):
    """A new chain of links."""

    number: Annotated[int, Field(ge=1, le=10_000_000, description="the number of the next throw")]
    anchor: Link64 = Field(description="the SHA-256 of the link for it")


class Close(Strict):
    """A way to end a game that is not played out."""

    how: ClosingWay = Field(
        "end",
        description="`end` a session between two games; `abort` in the first moves; `agree` (offer, or agree) to end"
        " without a result; `leave` at once, and lose the match, or the game of a session",
    )


class Line(Strict):
    """Something to do, in the words of the terminal."""

    line: Annotated[str, Field(min_length=1, max_length=200, description="`roll`, `double`, `13/7 8/7`, `pip` …")]
    moves: Annotated[
        list[Annotated[str, Field(pattern=r"^(\d{1,2}|bar|hand)/(\d{1,2}|off)\*?$")]],
        Field(max_length=4, description="checker moves already made of the play, that the line goes on with"),
    ] = Field(default_factory=list)
    sequence: Annotated[int, Field(ge=0, le=10_000_000)] | None = Field(
        None, description="the state's `sequence` that you act upon; refused with 409 when the game has gone on"
    )
    link: Link64 | None = Field(None, description="with `roll`: your link for the throw, if you have promised links")


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a line."""

    events: tuple[Event, ...]
    """What happened, or the answer to a question."""
    moves: tuple[str, ...]
    """Checker moves of a play that is not complete yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """The reason for a refusal."""

    error: str
    """The reason as a sentence, in the language of the reader."""
    code: ErrorCode
    """The kind of error; ``missing`` says that this server has no such thing."""
    facts: Mapping[str, Fact]
    """The values that stand in the sentence, by their names; empty where it has none."""
    field: str | None = define(default=None, metadata=LEFT_OUT)
    """The option or the field of the request that is wrong, by its name, where one alone is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantOptions:
    """One variant, as games of it may be begun."""

    title: str
    """Its name as people write it."""
    bots: tuple[str, ...]
    """The bots that play it."""
    options: Mapping[str, str | bool | int | float | None]
    """The rules in force unless changed."""
    about: str
    """Two sentences about it."""
    start: list[int]
    """The checkers of each side at the start: 0 off, 1-24, 25 bar, 26 hand."""
    rules: list[str]
    """The options that this game has, in the order in which they are asked."""
    tour: str | None
    """The lesson about it; null for the game that the first lessons teach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The choices there are."""

    variants: Mapping[str, VariantOptions]
    """By name."""
    bot: str
    """The bot for a player who chooses none, where it plays the variant."""
    opponents: list[OpponentChoice]
    """The bots as people meet them, the gentlest first."""
    levels: list[AnalysisLevel]
    """The levels of the analysis board, the quickest first."""
    presets: Mapping[str, str]
    """Settings under one name, in words."""
    rules: Mapping[str, list[str] | None]
    """The values of a rule; null where it takes a number."""
    rule_words: Mapping[str, str]
    """A sentence about each rule."""
    rule_values: Mapping[str, Mapping[str, str]]
    """A sentence about what each value leads to; under no name for a rule that takes a number."""

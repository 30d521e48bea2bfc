"""The requests and answers of the routes in ``routes.play``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fullprime.analysis.model import JudgedChoice
from fullprime.common.json_values import MERGED
from fullprime.play.server.chat import LONGEST, LONGEST_REASON
from fullprime.play.table.table_events import Event
from fullprime.web.models.common import Strict

AdviceLevel = Annotated[Literal["0-ply", "1-ply", "2-ply"], Field(description="how deep the engine looks")]


class TakebackRequest(Strict):
    """A takeback."""

    steps: Annotated[int, Field(ge=1, le=500)] = Field(1, description="how many of your decisions")
    sequence: Annotated[int, Field(ge=0, le=10_000_000)] | None = Field(None, description="as for /act")


class Look(Strict):
    """The opener's choice."""

    colour: Literal["light", "dark"] = Field(description="of the opener's checkers")
    home: Literal["right", "left"] = Field(description="the end of the board at which the opener's home board lies")


@dataclass(frozen=True, slots=True)
class Happened:
    """The events of an action."""

    events: tuple[Event, ...]
    """What happened, in order."""


class HintRequest(Strict):
    """A question to the engine."""

    level: AdviceLevel = "1-ply"


class QueueState(BaseModel):
    """A place in the queue of questions to the engine."""

    ahead: int | None = Field(description="the number of questions before yours; null: none of yours waits")
    waiting: int = Field(description="the number of questions that wait in all")


class Typed(Strict):
    """A line of a player, which is not to be done yet."""

    line: Annotated[str, Field(min_length=1, max_length=200, description="a play or a word, as for `/act`")]
    moves: Annotated[
        list[Annotated[str, Field(pattern=r"^(\d{1,2}|bar|hand)/(\d{1,2}|off)\*?$")]],
        Field(max_length=4, description="checker moves already made of the play"),
    ] = Field(default_factory=list)


class Meaning(BaseModel):
    """What a line would do."""

    means: str = Field(
        description="a whole play, or the word of a command with the rest of the line, such as `resign 2`"
    )


class Choice(Typed):
    """Something that you think of doing."""

    line: Annotated[str, Field(min_length=1, max_length=200, description="a play, `roll`, `double`, `take` or `drop`")]
    level: AdviceLevel = "1-ply"


@dataclass(frozen=True, slots=True)
class Judged:
    """The loss of a choice."""

    choice: JudgedChoice = field(metadata=MERGED)
    judged: Literal[True] = True
    """``true``."""


@dataclass(frozen=True, slots=True)
class NotJudged:
    """A choice about which the engine has nothing to say."""

    judged: Literal[False] = False
    """``false``."""
    loss: float = 0.0
    """0."""
    blunder: bool = False
    """``false``."""
    why: str = ""
    """Empty."""


class Words(Strict):
    """Something to say: a text or a phrase."""

    text: Annotated[str, Field(min_length=1, max_length=2 * LONGEST)] | None = Field(None, description="own words")
    phrase: Annotated[str, Field(min_length=1, max_length=40)] | None = Field(
        None, description="the name of a canned phrase"
    )


class Complaint(Strict):
    """The reason for a report of the other player."""

    reason: Annotated[str, Field(min_length=1, max_length=2 * LONGEST_REASON, description="in words")]


class RematchResult(BaseModel):
    """The new game, once both would play it; your key opens your seat there too."""

    game: str | None = Field(description="its id; null while the other one has not agreed")


class Clocks(BaseModel):
    """The presets of clocks by name, in words."""

    clocks: dict[str, str] = Field(description="what each is, by name")


class NoFields(Strict):
    """No fields."""

"""What the routes of ``play_routes`` take and give."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from fullprime.app.live.chat import LONGEST, LONGEST_REASON
from fullprime.app.live.fields import TalkLog
from fullprime.app.table.events import Event
from fullprime.web.models.common import Strict
from fullprime.web.models.described import described

Level = Literal["0-ply", "1-ply", "2-ply"]


class Back(Strict):
    """A takeback."""

    steps: Annotated[int, Field(ge=1, le=500)] = Field(1, description="how many of your decisions")
    sequence: Annotated[int, Field(ge=0, le=10_000_000)] | None = Field(None, description="as for /act")


class Happened(BaseModel):
    """What happened."""

    events: list[Event] = Field(description="what happened, in order")


class HintRequest(Strict):
    """A question to the engine."""

    level: Level = Field("1-ply", description="how deep the engine looks")


class Advice(BaseModel):
    """What is best now. ``kind`` says which of the others are there."""

    kind: Literal["play", "cube", "choose", "words"]
    level: str
    text: str = Field(description="the advice as words or a table")
    short: str | None = Field(None, description="the advice in a word or two")
    plays: list[dict[str, Any]] | None = Field(None, description="the best first, with what each loses")
    actions: list[dict[str, Any]] | None = Field(None, description="of the cube, for the player who could double")
    verdict: str | None = Field(None, description="the right action with the cube")
    cubeless: float | None = None
    probabilities: list[float] | None = Field(None, description="win, gammon, backgammon, lose gammon, backgammon")
    depth: int | None = None
    number: int | None = Field(None, description="the double to name")


class Choice(Strict):
    """Something that you think of doing."""

    line: Annotated[str, Field(min_length=1, max_length=200, description="a play, `roll`, `double`, `take` or `drop`")]
    moves: Annotated[
        list[Annotated[str, Field(pattern=r"^(\d{1,2}|bar|hand)/(\d{1,2}|off)\*?$")]],
        Field(max_length=4, description="checker moves already made of the play"),
    ] = Field(default_factory=list)
    level: Level = "1-ply"


class Judgement(BaseModel):
    """What a choice loses, in points of equity; ``judged`` is false where the engine has nothing to say."""

    judged: bool
    loss: float = 0.0
    choice: str | None = None
    best: str | None = None
    verdict: str | None = None
    blunder: bool = False
    why: str = ""
    level: str | None = None
    moves: list[str] | None = Field(None, description="of the best play")


class Words(Strict):
    """Something to say: a text or a phrase."""

    text: Annotated[str, Field(min_length=1, max_length=2 * LONGEST)] | None = None
    phrase: Annotated[str, Field(min_length=1, max_length=40)] | None = None


described(TalkLog)


class Complaint(Strict):
    """Why the other player is reported."""

    reason: Annotated[str, Field(min_length=1, max_length=2 * LONGEST_REASON)]


class Again(BaseModel):
    """The new game, once both would play it; your key opens your seat there too."""

    game: str | None


class Clocks(BaseModel):
    """The presets of clocks by name, in words."""

    clocks: dict[str, str]


class Nothing(Strict):
    """No fields."""

"""The requests about the library."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from fullprime.library.new_cards import MOST_MATCHES
from fullprime.library.places import QUESTIONS
from fullprime.web.models.analysis import Setup
from fullprime.web.models.common import Strict
from fullprime.web.models.drills import CardAnswerText, ErrorChoice

_MEANINGS = {
    "player": "a player, under any name, or a part of one",
    "opponent": "against this player",
    "event": "a part of the event, round or site",
    "since": "from this day on: `2026-11-21`",
    "until": "up to this day",
    "length": "matches to so many points; 0 is money",
    "variant": "the game",
    "score": "a game began at this score, the player's points first: `4-0`",
    "away": "the same as points still needed: `3-5`",
    "reviewed": "`yes` or `no`: with a review or without",
    "pattern": "boards that fit a pattern: `6:3+ 8:* bar * / *`",
    "dice": "with this roll to play: `61`",
    "kind": "`checker play`, `double` or `take`",
    "stage": "the phase of the game",
    "verdict": "`error`, `blunder` …, several with commas between them",
    "mistake": "a kind of cube error: `missed double`",
    "theme": "a sort of error: `misses a hit`",
    "plan": "the plan of the player who decided: `blitz`",
    "loss": "decisions that lost so much equity or more",
    "level": "only reviews of this level",
}
QUESTION: dict[str, Any] = {
    "parameters": [
        {"name": name, "in": "query", "required": False, "description": _MEANINGS[name], "schema": {"type": "string"}}
        for name in QUESTIONS
    ]
}
"""The conditions of a search in the API's document."""

CollectionTitle = Annotated[str, Field(min_length=1, max_length=100)]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
Question = Annotated[
    dict[Annotated[str, Field(max_length=20)], Annotated[str, Field(max_length=600)]], Field(max_length=20)
]
Tag = Annotated[str, Field(max_length=40)]
Arrow = Annotated[str, Field(max_length=20)]


class MatchNumbers(Strict):
    """Some matches."""

    matches: list[Number] = Field(min_length=1, max_length=1000, description="their numbers")


class PlayerName(Strict):
    """A player."""

    name: str = Field(min_length=1, max_length=200, description="the name")


class Merging(PlayerName):
    """Names of one person."""

    others: list[Annotated[str, Field(min_length=1, max_length=200)]] = Field(
        min_length=1, max_length=50, description="names that are the same person"
    )


class ThemeCards(Strict):
    """Errors of one theme that become cards."""

    player: str = Field(min_length=1, max_length=200, description="whose errors")
    theme: str = Field(min_length=1, max_length=100, description="the theme")
    most: int = Field(default=30, ge=1, le=100, description="so many, the costliest first")


class LatestCards(ErrorChoice):
    """The errors of a library's latest matches that become cards."""

    player: str | None = Field(
        default=None, min_length=1, max_length=200, description="whose errors; left out for both players'"
    )
    last: int = Field(default=20, ge=1, le=MOST_MATCHES, description="out of so many reviewed matches, the latest")


class ReviewWanted(Strict):
    """Matches to be reviewed."""

    level: str = Field(default="standard", max_length=20, description="`fast`, `standard` or `deep`")
    question: Question = Field(default_factory=dict, description="conditions, as a search has them; none for all")
    matches: list[Number] = Field(default=[], max_length=1000, description="only these matches; none for all")


class PlaceRequest(Strict):
    """A match, a decision of it, or a position: one of the two fields."""

    place: str | None = Field(
        default=None, max_length=80, description="`match 12`, or `match 12 game 3 event 45`, all from 1"
    )
    position: Setup | None = Field(default=None, description="a position by itself")


class MarkRequest(PlaceRequest):
    """A note, a star and tags; what is left out stays as it is."""

    note: str | None = Field(default=None, max_length=10_000, description="the note; empty takes it away")
    star: bool | None = Field(default=None, description="true for a star")
    tags: list[Tag] | None = Field(default=None, max_length=20, description="all tags of the place")


class CollectionName(Strict):
    """A collection."""

    name: CollectionTitle = Field(description="its name")


class CollectionNew(CollectionName):
    """A new collection."""

    about: str = Field(default="", max_length=4000, description="its description")


class CollectionChange(CollectionName):
    """Changes of a collection; what is left out stays as it is."""

    new_name: CollectionTitle | None = Field(default=None, description="another name")
    about: str | None = Field(default=None, max_length=4000, description="another description")
    shared: bool | None = Field(default=None, description="true for a link; false takes it back for good")


class PositionNew(PlaceRequest):
    """A position for a collection."""

    name: CollectionTitle = Field(description="the name of the collection")
    comment: str = Field(default="", max_length=4000, description="a comment")
    arrows: list[Arrow] = Field(default=[], max_length=20, description="moves to be drawn, such as `13/7`")


class PositionChange(CollectionName):
    """Changes of a position of a collection; what is left out stays as it is."""

    number: Number = Field(description="its place in the order, from 1")
    comment: str | None = Field(default=None, max_length=4000, description="another comment")
    arrows: list[Arrow] | None = Field(default=None, max_length=20, description="moves to be drawn, such as `13/7`")
    to: Number | None = Field(default=None, description="another place in the order")
    remove: bool = Field(default=False, description="true takes it out")


class SearchSaved(Strict):
    """A search with a name."""

    name: CollectionTitle = Field(description="the name")
    question: Question = Field(description="its conditions; none takes the search of that name away")


class StudyReply(Strict):
    """An answer to a position of a study."""

    number: Number = Field(description="the position, from 1")
    answer: CardAnswerText

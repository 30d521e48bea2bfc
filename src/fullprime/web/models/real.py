"""The requests of the page beside a real board."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fullprime.reviews.matches.fields import FollowedRecord
from fullprime.reviews.matches.transcripts import Sheet, Transcript
from fullprime.web.models.common import Name, Strict
from fullprime.web.models.described import described

described(FollowedRecord)

Person = Annotated[str, Field(min_length=1, max_length=40)]


class GameSheet(Strict):
    """One game as it was written down."""

    lines: Annotated[list[Annotated[str, Field(min_length=1, max_length=60)]], Field(max_length=1000)] = Field(
        description="dice (the opening with X's die first), plays, `double`, `take`, `drop`, `beaver`, `choose 5` …"
    )
    winner: Literal["X", "O"] | None = Field(None, description="null for a game that was not finished")
    level: Annotated[int, Field(ge=1, le=4)] | None = Field(
        None, description="1 single, 2 gammon, 3 backgammon, 4 with the bar; null where checkers are counted"
    )
    points: Annotated[int, Field(ge=0, le=1_000_000)] | None = Field(None, description="the points written down")
    how: Literal["bear-off", "drop", "resignation"] = Field("bear-off", description="how it ended")


class RealRecord(Strict):
    """A match or a session that was played at a real board and written down."""

    variant: Name = Field("backgammon", description="the game")
    rules: dict[Name, Annotated[str, Field(max_length=40)]] = Field(
        default_factory=dict, max_length=40, description="options that differ from the usual ones"
    )
    house: Person | None = Field(None, description="the name of the house rules")
    names: Annotated[list[Person], Field(min_length=2, max_length=2)] = Field(description="X's name and O's")
    date: Annotated[str, Field(pattern=r"^(\d{4}-\d\d-\d\d)?$")] = Field("", description="the day, as `2026-11-23`")
    games: Annotated[list[GameSheet], Field(min_length=1, max_length=200)] = Field(description="the games in order")

    @property
    def transcript(self) -> Transcript:
        """The same for the application."""
        return Transcript(
            variant=self.variant,
            rules=[f"{name}={value}" for name, value in self.rules.items()],
            names=(self.names[0], self.names[1]),
            games=[Sheet(**sheet.model_dump()) for sheet in self.games],
            house=self.house,
            date=self.date,
        )

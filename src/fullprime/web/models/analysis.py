"""The requests about analysis and their answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, cast

from pydantic import Field

from fullprime.analysis.laboratory import FEWEST, GAMES, LabProgress, LabResult
from fullprime.analysis.model import BoardAnswer, RolloutProgress
from fullprime.analysis.service import MOST_PLAYS, MOST_TRIALS
from fullprime.analysis.setups import AnalysisSetup
from fullprime.common.jobs import JobFacts
from fullprime.learn.match_lessons import UploadedReviews
from fullprime.library.adding import AddedFiles, AddProgress
from fullprime.reviews.matches.reviewing import ReviewProgress
from fullprime.reviews.score_maps import ScoreMap
from fullprime.web.models.common import Name, Strict, VariantName
from fullprime.web.models.described import REQUEST

Value = Annotated[str, Field(max_length=40)]
Words = Annotated[str, Field(min_length=1, max_length=100)]
Setup = Annotated[AnalysisSetup, REQUEST]
GameSetup = Annotated[Setup, Field(description="the game")]


class Identifier(Strict):
    """An identifier of any kind."""

    text: Annotated[str, Field(min_length=1, max_length=600, description="an XGID, a GNU ID, an OGID …")]
    variant: Name = Field("backgammon", description="the game, where the identifier does not say it")
    rules: dict[Name, Value] = Field(
        default_factory=dict, max_length=40, description="options by name, where the identifier does not say them"
    )


class BoardAction(Strict):
    """Something to do on the analysis board."""

    setup: Setup = Field(description="the game before")
    line: Annotated[str, Field(min_length=1, max_length=200, description="`roll`, `roll 31`, `double`, a play …")]


class DiagramRequest(Strict):
    """A picture of the board."""

    setup: GameSetup
    plays: Annotated[list[Words], Field(max_length=2)] = Field(
        default_factory=list, description="drawn as arrows, the first as the best"
    )
    theme: Literal["classic", "dark", "print"] = Field("classic", description="the colours")
    home: Literal["left", "right"] = Field("right", description="where the home boards are")


class EngineQuestion(Strict):
    """A question to the engine."""

    kind: Literal["analyse", "rollout", "compare", "rolls", "scores"] = Field(description="what is to be found out")
    setup: GameSetup
    level: Literal["0-ply", "1-ply", "2-ply", "3-ply", "roller", "roller+"] = Field(
        "1-ply", description="how deep the engine looks"
    )
    cubeful: bool = Field(True, description="whether the cube counts")
    plays: Annotated[list[Words], Field(max_length=MOST_PLAYS)] = Field(
        default_factory=list, description="`rollout`: which plays (none: the best three); `compare`: two plays"
    )
    trials: Annotated[int, Field(ge=36, le=MOST_TRIALS)] = Field(1296, description="of a rollout, for each candidate")
    truncate: Annotated[int, Field(ge=1, le=60)] | None = Field(None, description="cut a trial after so many plies")
    ply: Annotated[int, Field(ge=0, le=1)] = Field(0, description="how far ahead the players of a rollout look")
    cube_ply: Annotated[int, Field(ge=0, le=1)] | None = Field(
        None, description="how far they look behind cube decisions (none: as far as behind plays)"
    )
    like: Literal["roller", "roller+"] | None = Field(
        None, description="trials are played as this level plays them, instead of `truncate`, `ply` and `cube_ply`"
    )
    seed: Annotated[int, Field(ge=0, lt=2**53)] = Field(0, description="the dice of a rollout follow from it")
    variance_reduction: bool = Field(True, description="whether the luck of the dice is taken out")
    apart: Annotated[float, Field(ge=1, le=10)] | None = Field(
        None, description="a rollout ends when the best is so many joint standard errors ahead"
    )
    error: Annotated[float, Field(gt=0, le=1)] | None = Field(
        None, description="a rollout ends when no standard error is larger"
    )
    length: Annotated[int, Field(ge=2, le=15)] = Field(7, description="`scores`: up to so many points away")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobInfo(JobFacts):
    """Work in the queue, with its result so far. Anybody who knows its id may read and stop it."""

    progress: RolloutProgress | ScoreMap | ReviewProgress | AddProgress | LabProgress | None
    """The progress of a rollout, a map by score, a review, additions to a library or the laboratory; else None."""
    result: Annotated[BoardAnswer | UploadedReviews | AddedFiles | LabResult, Field(discriminator="kind")] | None
    """The result; None until the job is over, and when it failed."""


def job_info(facts: JobFacts) -> JobInfo:
    """A job with the types of progress and result that its kind has: they are checked when it is sent."""
    return cast("JobInfo", facts)


class ReviewOrder(Strict):
    """The way in which a game is to be reviewed."""

    level: Literal["fast", "standard", "deep"] = Field("standard", description="how thoroughly")


class LabOrder(Strict):
    """House rules to be looked at in the laboratory."""

    variant: VariantName = "backgammon"
    rules: dict[Name, Value] = Field(description="options that differ from the usual ones", max_length=40)
    games: Annotated[int, Field(ge=FEWEST, le=GAMES)] = Field(GAMES, description="games with the rules, and without")

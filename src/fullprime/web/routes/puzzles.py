"""Routes of puzzles: the next one, answers, and the standing in every game."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from fullprime.learn.puzzles.model import PuzzleAnswer, PuzzleQuestion, PuzzleStandings
from fullprime.learn.puzzles.service import Puzzles
from fullprime.web.models import drills as models
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.learners import Learner, StoringLearner
from fullprime.web.routes.storage_limit import STORAGE_LIMIT
from fullprime.web.routes.values import ValueRoute

puzzles = APIRouter(prefix="/api/drills/puzzles", tags=["drills"], responses=REFUSALS, route_class=ValueRoute)


def _puzzles(request: Request) -> Puzzles:
    puzzles: Puzzles = request.app.state.puzzles
    return puzzles


@puzzles.get("")
async def list_standings(learner_id: Learner, request: Request) -> PuzzleStandings:
    """The caller's standing at the puzzles of every game."""
    return await run_in_threadpool(_puzzles(request).get_standings, learner_id)


@puzzles.get("/{variant}/next")
async def next_puzzle(
    variant: Annotated[str, Path(max_length=40, description="a game")],
    learner_id: Learner,
    request: Request,
    mode: Annotated[str, Query(max_length=10, description="`rated`, `day`, `streak` or `storm`")] = "rated",
    run: Annotated[str, Query(max_length=32, description="the name of the streak or the storm")] = "",
    theme: Annotated[str, Query(max_length=40, description="only puzzles of this theme; not in the mode `day`")] = "",
    skill: Annotated[
        str,
        Query(
            max_length=10,
            description="how strong a caller without a rating is: `beginner`, `casual`, `club` or `tournament`",
        ),
    ] = "club",
) -> PuzzleQuestion:
    """The next puzzle for the caller."""
    return await run_in_threadpool(_puzzles(request).choose_next, learner_id, variant, mode, run, theme, skill)


@puzzles.post("/{puzzle}/answer", dependencies=[STORAGE_LIMIT])
async def answer_puzzle(
    puzzle: Annotated[str, Path(max_length=60, description="the name of a puzzle")],
    learner_id: StoringLearner,
    request: Request,
    body: models.PuzzleReply,
) -> PuzzleAnswer:
    """Grade an answer; it is stored when this answers. A puzzle is rated once for each learner."""
    return await run_in_threadpool(
        _puzzles(request).answer, learner_id, puzzle, body.answer, body.seconds, body.mode, body.run, body.skill
    )

"""Routes of the position of the day."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from fullprime.learn.teaching import daily as service
from fullprime.learn.teaching.daily_record import DailyRecords
from fullprime.learn.teaching.model import DailyAnswered, DailyRecord, PositionOfDay
from fullprime.messages import render_all
from fullprime.web.languages import language_of
from fullprime.web.models.lessons import DailyAnswer
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.learners import Learner, StoringLearner
from fullprime.web.routes.storage_limit import STORAGE_LIMIT
from fullprime.web.routes.values import ValueRoute

daily = APIRouter(prefix="/api/daily", tags=["learn"], responses=REFUSALS, route_class=ValueRoute)

Day = Annotated[date | None, Query(description="the date, as `2026-11-22`; today by UTC where nothing is said")]


def _records(request: Request) -> DailyRecords:
    records: DailyRecords = request.app.state.daily
    return records


def _day(day: date | None) -> date:
    return datetime.now(UTC).date() if day is None else day


@daily.get("")
async def read_daily(request: Request, day: Day = None) -> PositionOfDay:
    """The position of a day, with the ways to play its roll: the same for everybody. Its answer is not told."""
    return render_all(await run_in_threadpool(service.position_of, _day(day)), language_of(request))


@daily.post("/answer", dependencies=[STORAGE_LIMIT])
async def answer_daily(
    learner_id: StoringLearner, request: Request, body: DailyAnswer, day: Day = None
) -> DailyAnswered:
    """Judge a play of the position of a day: what it loses, why in a sentence, the best play, and what others played.

    The first answer of the caller to a day counts, and is stored when this answers.
    """
    return await run_in_threadpool(_records(request).answer, learner_id, _day(day), body.answer)


@daily.post("/solution", dependencies=[STORAGE_LIMIT])
async def solve_daily(learner_id: StoringLearner, request: Request, day: Day = None) -> DailyAnswered:
    """The best play of the position of a day, and what the next best one loses. It counts as an answer."""
    return await run_in_threadpool(_records(request).get_solution, learner_id, _day(day))


@daily.get("/record")
async def read_record(learner_id: Learner, request: Request, day: Day = None) -> DailyRecord:
    """The days that the caller has answered, and the days in a row up to this one."""
    return await run_in_threadpool(_records(request).get_record, learner_id, _day(day))

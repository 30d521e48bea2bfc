"""Routes of the position of the day."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from fullprime.learn.teaching import daily as service
from fullprime.learn.teaching.fields import DailyJson, SchoolAnswer
from fullprime.messages import render_all
from fullprime.web.languages import language_of
from fullprime.web.models.school import DailyAnswer
from fullprime.web.refusals import REFUSALS

daily = APIRouter(prefix="/api/daily", tags=["school"], responses=REFUSALS)

Day = Annotated[date | None, Query(description="the date, as `2026-11-22`; today by UTC where nothing is said")]


def _day(said: date | None) -> date:
    return datetime.now(UTC).date() if said is None else said


@daily.get("")
async def read_daily(request: Request, day: Day = None) -> DailyJson:
    """The position of a day, with the ways to play its roll: the same for everybody. Its answer is not told."""
    return render_all(await run_in_threadpool(service.position_of, _day(day)), language_of(request))


@daily.post("/answer")
async def answer_daily(asked: DailyAnswer, day: Day = None) -> SchoolAnswer:
    """Judge a play of the position of a day: what it loses, why in a sentence, and the best play."""
    return await run_in_threadpool(service.answer, _day(day), asked.answer)


@daily.get("/solution")
async def solve_daily(day: Day = None) -> SchoolAnswer:
    """The best play of the position of a day, and what the next best one loses."""
    return await run_in_threadpool(service.solution, _day(day))

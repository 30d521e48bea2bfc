"""Routes of lessons: the course, its lessons, answers to their steps, and the progress of an account."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, FastAPI, Path, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.service import Accounts
from fullprime.learn.lessons.course import Course, course
from fullprime.learn.lessons.progress import LearnerProgress
from fullprime.learn.teaching import teaching
from fullprime.learn.teaching.model import LessonAnswer, WholeLesson
from fullprime.learn.teaching.progress import AccountProgress
from fullprime.learn.teaching.teaching import find_lesson
from fullprime.web.models import lessons as models
from fullprime.web.models.described import REQUEST
from fullprime.web.pages import Page, page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import BrowserCaller
from fullprime.web.routes.storage_limit import STORAGE_LIMIT
from fullprime.web.routes.values import ValueRoute

lessons = APIRouter(prefix="/api/learn", tags=["learn"], responses=REFUSALS, route_class=ValueRoute)

LessonName = Annotated[str, Path(max_length=60, description="the name of a lesson")]
StepNumber = Annotated[int, Path(ge=1, le=60, description="the number of a step, 1 for the first")]


def add_lessons(app: FastAPI) -> None:
    """Add the routes and the pages to an application that has its accounts."""
    people: Accounts = app.state.accounts
    app.state.learning = AccountProgress(people.engine)
    app.include_router(lessons)
    app.get("/learn", include_in_schema=False)(partial(page_file, "learn/learn.html", 200))
    app.get("/learn/{lesson}", include_in_schema=False)(show_lesson)


def show_lesson(lesson: str) -> Page:
    """The page of a lesson; raises UnknownLesson."""
    find_lesson(lesson)
    return page_file("learn/lesson.html", 200)


@lessons.get("")
async def read_course() -> Course:
    """The course: its parts, and their lessons in order."""
    return await run_in_threadpool(course)


@lessons.get("/lessons/{lesson}")
async def read_lesson(lesson: LessonName) -> WholeLesson:
    """A lesson with all its steps, their boards and the ways to play their rolls."""
    return await run_in_threadpool(teaching.read_one, lesson)


@lessons.post("/lessons/{lesson}/steps/{step}/answer")
async def answer_step(lesson: LessonName, step: StepNumber, body: models.StepAnswer) -> LessonAnswer:
    """Judge an answer to a step. A play that the rules refuse is answered with the rule it breaks."""
    return await run_in_threadpool(teaching.answer, lesson, step, body.answer)


@lessons.get("/lessons/{lesson}/steps/{step}/solution")
async def show_solution(lesson: LessonName, step: StepNumber) -> LessonAnswer:
    """A right answer to a step, and what is said about it."""
    return await run_in_threadpool(teaching.solution, lesson, step)


@lessons.get("/progress")
async def read_progress(caller: BrowserCaller, request: Request) -> LearnerProgress:
    """The progress of the account that is signed in."""
    learning: AccountProgress = request.app.state.learning
    return LearnerProgress(await run_in_threadpool(learning.get, caller.account.id))


@lessons.post("/progress", dependencies=[STORAGE_LIMIT])
async def add_progress(
    caller: BrowserCaller, request: Request, body: Annotated[LearnerProgress, REQUEST]
) -> LearnerProgress:
    """Add progress to that of the account, the better of both in every lesson; it is stored when this answers."""
    learning: AccountProgress = request.app.state.learning
    return LearnerProgress(await run_in_threadpool(learning.add, caller.account.id, body.lessons))

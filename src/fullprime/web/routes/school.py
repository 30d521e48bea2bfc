"""Routes of the school: the course, its lessons, answers to their steps, and the progress of an account."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, FastAPI, Path, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.service import People
from fullprime.learn.lessons.progress import LessonProgress
from fullprime.learn.teaching import teaching
from fullprime.learn.teaching.fields import CourseJson, LessonJson, ProgressJson, SchoolAnswer
from fullprime.learn.teaching.progress import AccountProgress, progress_json
from fullprime.learn.teaching.teaching import UnknownLesson, find_lesson
from fullprime.web.models import school as models
from fullprime.web.pages import Page, page_file
from fullprime.web.refusals import REFUSALS, missing_page, wants_a_page
from fullprime.web.routes.callers import BrowserCaller

school = APIRouter(prefix="/api/school", tags=["school"], responses=REFUSALS)

LessonName = Annotated[str, Path(max_length=60, description="the name of a lesson")]
StepNumber = Annotated[int, Path(ge=1, le=60, description="the number of a step, 1 for the first")]


def add_school(app: FastAPI) -> None:
    """Add the routes and the pages to an application that has its people."""
    people: People = app.state.people
    app.state.learning = AccountProgress(people.engine)
    app.include_router(school)
    app.add_exception_handler(UnknownLesson, _unknown)
    app.get("/learn", include_in_schema=False)(partial(page_file, "learn/learn.html", 200))
    app.get("/learn/{lesson}", include_in_schema=False)(show_lesson)


async def _unknown(request: Request, error: Exception) -> Response:
    return missing_page(request) if wants_a_page(request) else JSONResponse({"error": str(error)}, 404)


def show_lesson(lesson: str) -> Page:
    """The page of a lesson; raises UnknownLesson."""
    find_lesson(lesson)
    return page_file("learn/lesson.html", 200)


@school.get("")
async def read_course() -> CourseJson:
    """The course: its parts, and their lessons in order."""
    return await run_in_threadpool(teaching.read_whole)


@school.get("/lessons/{lesson}")
async def read_lesson(lesson: LessonName) -> LessonJson:
    """A lesson with all its steps, their boards and the ways to play their rolls."""
    return await run_in_threadpool(teaching.read_one, lesson)


@school.post("/lessons/{lesson}/steps/{step}/answer")
async def answer_step(lesson: LessonName, step: StepNumber, asked: models.StepAnswer) -> SchoolAnswer:
    """Judge an answer to a step. A play that the rules refuse is answered with the rule it breaks."""
    return await run_in_threadpool(teaching.answer, lesson, step, asked.answer)


@school.get("/lessons/{lesson}/steps/{step}/solution")
async def show_solution(lesson: LessonName, step: StepNumber) -> SchoolAnswer:
    """A right answer to a step, and what is said about it."""
    return await run_in_threadpool(teaching.solution, lesson, step)


@school.get("/progress")
async def read_progress(caller: BrowserCaller, request: Request) -> ProgressJson:
    """The progress of the account that is signed in."""
    learning: AccountProgress = request.app.state.learning
    return progress_json(await run_in_threadpool(learning.read, caller.account.id))


@school.post("/progress")
async def add_progress(caller: BrowserCaller, request: Request, asked: models.Marks) -> ProgressJson:
    """Add progress to that of the account, the better of both in every lesson; it is stored when this answers."""
    learning: AccountProgress = request.app.state.learning
    marks = {name: LessonProgress(each.step, each.done, each.right, each.asked) for name, each in asked.lessons.items()}
    return progress_json(await run_in_threadpool(learning.add, caller.account.id, marks))

"""Routes of drills: trainers with their questions, answers and progress."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, FastAPI, HTTPException, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from fullprime.learn.flashcards.service import Cards
from fullprime.learn.puzzles.service import Puzzles
from fullprime.learn.teaching.daily_record import DailyRecords
from fullprime.learn.trainers.model import DrillAnswer, DrillQuestion, TrainerHistory, TrainerList
from fullprime.learn.trainers.service import (
    TRAINERS,
    Training,
    choose_seed,
    has_board,
    new_seed,
    question_of,
    shown_question,
)
from fullprime.web.addresses import client_key
from fullprime.web.models import drills as models
from fullprime.web.pages import Page, page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.cards import cards
from fullprime.web.routes.engine_queue import EngineQueue
from fullprime.web.routes.learners import GuestThrottle, Learner, StoringLearner
from fullprime.web.routes.puzzles import puzzles
from fullprime.web.routes.storage_limit import STORAGE_LIMIT
from fullprime.web.routes.values import ValueRoute

drills = APIRouter(prefix="/api/drills", tags=["drills"], responses=REFUSALS, route_class=ValueRoute)

TrainerName = Annotated[str, Path(max_length=40, description="the name of a trainer")]


def add_drills(app: FastAPI) -> None:
    """Add the routes and the pages to an application that has its accounts and the queue of its engine."""
    state = app.state
    state.training = Training(state.accounts.engine)
    state.learners, state.guest_throttle = state.training.learners, GuestThrottle()
    state.cards = Cards(state.accounts.engine)
    state.daily = DailyRecords(state.accounts.engine)
    app.include_router(drills)
    state.puzzles = Puzzles(state.accounts.engine)
    app.include_router(cards)
    app.include_router(puzzles)
    app.get("/drill", include_in_schema=False)(partial(page_file, "train/drills.html", 200))
    app.get("/drill/cards", include_in_schema=False)(partial(page_file, "train/cards.html", 200))
    app.get("/drill/puzzles", include_in_schema=False)(partial(page_file, "train/puzzles.html", 200))
    app.get("/drill/{trainer}", include_in_schema=False)(_trainer_page)


def _trainer_page(trainer: str) -> Page:
    """The page of a trainer; one without boards keeps no room for them."""
    if trainer not in TRAINERS:
        raise HTTPException(404)
    return Page("train/trainer.html", body="" if has_board(trainer) else "boardless")


@drills.get("/trainers")
async def list_trainers(learner_id: Learner, request: Request) -> TrainerList:
    """The trainers, with what the caller has done in each."""
    training: Training = request.app.state.training
    return await run_in_threadpool(training.list_trainers, learner_id)


@drills.get("/trainers/{trainer}")
async def read_history(trainer: TrainerName, learner_id: Learner, request: Request) -> TrainerHistory:
    """The caller's last answers to a trainer's questions."""
    training: Training = request.app.state.training
    return await run_in_threadpool(training.get_history, learner_id, trainer)


@drills.get("/trainers/{trainer}/question")
async def ask_question(
    trainer: TrainerName,
    request: Request,
    seed: Annotated[
        int | None, Query(ge=0, lt=10**9, description="the number of the question; left out for a new one")
    ] = None,
    away: Annotated[
        str | None,
        Query(max_length=20, description="a score: the points that you and the opponent need, such as `3-5`"),
    ] = None,
    cube: Annotated[int, Query(ge=1, le=1024, description="with a score: the cube as it lies")] = 1,
    crawford: Annotated[
        Literal["now", "played"] | None,
        Query(description="with a score: this is the Crawford game, or it has been played"),
    ] = None,
) -> DrillQuestion:
    """A question of a trainer; about the score in `away`, or else about one that is drawn."""
    engine_queue: EngineQueue = request.app.state.engine_queue
    if seed is None:
        seed = new_seed() if away is None else choose_seed(trainer, away, cube, crawford)
    async with engine_queue.take_turn("drill", (client_key(request.scope),)):
        return await run_in_threadpool(_question, trainer, seed)


def _question(trainer: str, seed: int) -> DrillQuestion:
    return shown_question(trainer, question_of(trainer, seed))


@drills.post("/trainers/{trainer}/answer", dependencies=[STORAGE_LIMIT])
async def answer_question(
    trainer: TrainerName, learner_id: StoringLearner, request: Request, body: models.TrainerAnswer
) -> DrillAnswer:
    """Mark an answer; it is stored when this answers. A question counts once, however often it is answered."""
    training: Training = request.app.state.training
    engine_queue: EngineQueue = request.app.state.engine_queue
    async with engine_queue.take_turn("drill", (client_key(request.scope),)):
        return await run_in_threadpool(training.answer, learner_id, trainer, body.seed, body.answer, body.seconds)

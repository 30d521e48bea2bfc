"""Routes of drills: trainers with their questions, answers and progress."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, FastAPI, HTTPException, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from fullprime.learn.flashcards.service import Cards
from fullprime.learn.puzzles.service import Puzzles
from fullprime.learn.trainers.fields import DrillAnswer, DrillQuestion, HistoryJson, TrainersJson
from fullprime.learn.trainers.service import (
    TRAINERS,
    Training,
    chosen_seed,
    has_board,
    new_seed,
    question_json,
    question_of,
)
from fullprime.web.addresses import whom
from fullprime.web.models import drills as models
from fullprime.web.pages import Page, page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.cards import cards
from fullprime.web.routes.learners import Guests, Learner, StoringLearner
from fullprime.web.routes.puzzles import puzzles
from fullprime.web.routes.turns import Turns

drills = APIRouter(prefix="/api/drills", tags=["drills"], responses=REFUSALS)

TrainerName = Annotated[str, Path(max_length=40, description="the name of a trainer")]


def add_drills(app: FastAPI) -> None:
    """Add the routes and the pages to an application that has its people and the turns at its engine."""
    state = app.state
    state.training = Training(state.people.engine)
    state.learners, state.guests = state.training.learners, Guests()
    state.cards = Cards(state.people.engine)
    app.include_router(drills)
    state.puzzles = Puzzles(state.people.engine)
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
async def list_trainers(who: Learner, request: Request) -> TrainersJson:
    """The trainers, with what the caller has done in each."""
    training: Training = request.app.state.training
    return await run_in_threadpool(training.trainers, who)


@drills.get("/trainers/{trainer}")
async def read_history(trainer: TrainerName, who: Learner, request: Request) -> HistoryJson:
    """The caller's last answers to a trainer's questions."""
    training: Training = request.app.state.training
    return await run_in_threadpool(training.history, who, trainer)


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
    turns: Turns = request.app.state.turns
    if seed is None:
        seed = new_seed() if away is None else chosen_seed(trainer, away, cube, crawford)
    async with turns.turn("drill", (whom(request.scope),)):
        return await run_in_threadpool(_question, trainer, seed)


def _question(trainer: str, seed: int) -> DrillQuestion:
    return question_json(trainer, question_of(trainer, seed))


@drills.post("/trainers/{trainer}/answer")
async def answer_question(
    trainer: TrainerName, who: StoringLearner, request: Request, asked: models.TrainerAnswer
) -> DrillAnswer:
    """Mark an answer; it is stored when this answers. A question counts once, however often it is answered."""
    training: Training = request.app.state.training
    turns: Turns = request.app.state.turns
    async with turns.turn("drill", (whom(request.scope),)):
        return await run_in_threadpool(training.answer, who, trainer, asked.seed, asked.answer, asked.seconds)

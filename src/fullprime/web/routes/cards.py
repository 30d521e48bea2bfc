"""Routes of cards: what is due, answers, errors of a review that become cards, the deck taken out and in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from fullprime.learn.flashcards.anki import anki_package
from fullprime.learn.flashcards.from_lessons import card_of_answer
from fullprime.learn.flashcards.making import cards_of
from fullprime.learn.flashcards.model import CardAnswer, CardBody, CardDeck, CardsAdded, DueCard
from fullprime.learn.flashcards.service import CardError, Cards
from fullprime.reviews.matches.reviewing import ReviewedMatch, thresholds_named
from fullprime.rules.score import Player
from fullprime.web import rate_limits
from fullprime.web.addresses import client_key
from fullprime.web.models import drills as models
from fullprime.web.models.lessons import StepAnswer
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.engine_queue import EngineQueue
from fullprime.web.routes.learners import Learner, StoringLearner
from fullprime.web.routes.lessons import LessonName, StepNumber
from fullprime.web.routes.review import OfReview
from fullprime.web.routes.storage_limit import STORAGE_LIMIT
from fullprime.web.routes.values import ValueRoute

MOST_BYTES = 16 * 1024 * 1024
"""The largest deck that is taken in."""
rate_limits.LARGER_BODIES["/api/drills/cards/import"] = MOST_BYTES

cards = APIRouter(prefix="/api/drills", tags=["drills"], responses=REFUSALS, route_class=ValueRoute)

CardNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of a card")]

First = Annotated[
    tuple[Annotated[int, Field(ge=1, le=2**31 - 1)], ...],
    Query(max_length=100, description="numbers of cards that are asked before others"),
]


def _cards(request: Request) -> Cards:
    cards: Cards = request.app.state.cards
    return cards


@cards.get("/cards")
async def due_card(learner_id: Learner, request: Request, first: First = ()) -> DueCard:
    """The caller's deck, and the card that has been due longest; cards named by ``first`` come before others."""
    return await run_in_threadpool(_cards(request).get_due, learner_id, first)


@cards.post("/cards/{card}/answer", dependencies=[STORAGE_LIMIT])
async def answer_card(card: CardNumber, learner_id: Learner, request: Request, body: models.CardReply) -> CardAnswer:
    """Grade an answer by the equity it costs; it is stored when this answers."""
    engine_queue: EngineQueue = request.app.state.engine_queue
    async with engine_queue.take_turn("drill", (client_key(request.scope),)):
        return await run_in_threadpool(
            _cards(request).answer, learner_id, card, body.answer, body.seconds, body.answered
        )


@cards.post("/cards/{card}/remove")
async def remove_card(card: CardNumber, learner_id: Learner, request: Request) -> CardDeck:
    """Take a card away."""
    return await run_in_threadpool(_cards(request).delete, learner_id, card)


@cards.post("/reviews/{job}/{match}/cards", dependencies=[STORAGE_LIMIT])
async def keep_errors(
    learner_id: StoringLearner, reviewed: OfReview, request: Request, body: models.CardsWanted
) -> CardsAdded:
    """Make cards of the errors in a review. Decisions that are cards already stay as they are."""
    return await run_in_threadpool(lambda: _cards(request).add(learner_id, _bodies(reviewed, body)))


def _bodies(reviewed: ReviewedMatch, body: models.CardsWanted) -> list[CardBody]:
    player = None if body.player is None else Player[body.player]
    return list(cards_of(reviewed, thresholds_named("xg"), player, least=body.least, kinds=tuple(body.kinds)))


@cards.post("/lessons/{lesson}/steps/{step}/card", dependencies=[STORAGE_LIMIT])
async def keep_step(
    lesson: LessonName, step: StepNumber, learner_id: StoringLearner, request: Request, answer: StepAnswer
) -> CardsAdded:
    """Make a card of a step of a lesson that was answered wrongly, or shown (an empty answer).

    Nothing is added for a right answer, for a step that the engine does not judge, and for a card that is there.
    """
    body = await run_in_threadpool(card_of_answer, lesson, step, answer.answer)
    return await run_in_threadpool(_cards(request).add, learner_id, [] if body is None else [body])


@cards.get("/cards/file", response_class=Response)
async def save_cards(
    learner_id: Learner,
    request: Request,
    format: Annotated[Literal["json", "anki"], Query(description="`json` can be imported again")] = "json",  # noqa: A002
    least: Annotated[
        float, Query(ge=0, le=10, description="for `anki`: only errors that cost so much equity, or more")
    ] = 0.0,
) -> Response:
    """The cards of the caller as a file: JSON with the schedules, or a package for Anki with the boards as pictures."""
    content: str | bytes
    if format == "json":
        content, name = await run_in_threadpool(_cards(request).export, learner_id), "cards.json"
    else:
        now = datetime.now(UTC)
        content = await run_in_threadpool(lambda: anki_package(_cards(request).list_bodies(learner_id, least), now))
        name = "cards-for-anki.apkg"
    head = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/octet-stream", headers=head)


@cards.post(
    "/cards/import",
    dependencies=[STORAGE_LIMIT],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def load_cards(learner_id: StoringLearner, request: Request) -> CardsAdded:
    """Add exported cards with their schedules: the body is the file. Those that are there already stay as they are."""
    data = await request.body()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise CardError("this is no export of cards: it is not text") from None
    return await run_in_threadpool(_cards(request).load, learner_id, text)

"""Routes of cards: what is due, answers, errors of a review that become cards, the deck taken out and in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from fullprime.learn.flashcards.anki import anki_package
from fullprime.learn.flashcards.fields import CardAnswer, CardBody, CardsAdded, CardsJson, DeckJson
from fullprime.learn.flashcards.making import cards_of
from fullprime.learn.flashcards.service import CardError, Cards
from fullprime.reviews.matches.reviewing import ReviewedMatch, thresholds_named
from fullprime.rules.score import Player
from fullprime.web import guard
from fullprime.web.addresses import whom
from fullprime.web.models import drills as models
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.learners import Learner, StoringLearner
from fullprime.web.routes.review import OfReview
from fullprime.web.routes.room import ROOM
from fullprime.web.routes.turns import Turns

MOST_BYTES = 16 * 1024 * 1024
"""The largest deck that is taken in."""
guard.LARGER_BODIES["/api/drills/cards/import"] = MOST_BYTES

cards = APIRouter(prefix="/api/drills", tags=["drills"], responses=REFUSALS)

CardNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of a card")]

First = Annotated[
    tuple[Annotated[int, Field(ge=1, le=2**31 - 1)], ...],
    Query(max_length=100, description="numbers of cards that are asked before others"),
]


def _cards(request: Request) -> Cards:
    found: Cards = request.app.state.cards
    return found


@cards.get("/cards")
async def due_card(who: Learner, request: Request, first: First = ()) -> CardsJson:
    """The caller's deck, and the card that has been due longest; cards named by ``first`` come before others."""
    return await run_in_threadpool(_cards(request).due, who, first)


@cards.post("/cards/{card}/answer")
async def answer_card(card: CardNumber, who: Learner, request: Request, asked: models.CardReply) -> CardAnswer:
    """Grade an answer by the equity it costs; it is stored when this answers."""
    turns: Turns = request.app.state.turns
    async with turns.turn("drill", (whom(request.scope),)):
        return await run_in_threadpool(_cards(request).answer, who, card, asked.answer, asked.seconds, asked.answered)


@cards.post("/cards/{card}/remove")
async def remove_card(card: CardNumber, who: Learner, request: Request) -> DeckJson:
    """Take a card away."""
    return await run_in_threadpool(_cards(request).remove, who, card)


@cards.post("/reviews/{job}/{match}/cards")
async def keep_errors(who: StoringLearner, found: OfReview, request: Request, asked: models.CardsWanted) -> CardsAdded:
    """Make cards of the errors in a review. Decisions that are cards already stay as they are."""
    return await run_in_threadpool(lambda: _cards(request).add(who, _bodies(found, asked)))


def _bodies(found: ReviewedMatch, asked: models.CardsWanted) -> list[CardBody]:
    player = None if asked.player is None else Player[asked.player]
    return list(cards_of(found, thresholds_named("xg"), player, least=asked.least, kinds=tuple(asked.kinds)))


@cards.get("/cards/file", response_class=Response)
async def save_cards(
    who: Learner,
    request: Request,
    format: Annotated[Literal["json", "anki"], Query(description="`json` can be imported again")] = "json",  # noqa: A002
    least: Annotated[
        float, Query(ge=0, le=10, description="for `anki`: only errors that cost so much equity, or more")
    ] = 0.0,
) -> Response:
    """The cards of the caller as a file: JSON with the schedules, or a package for Anki with the boards as pictures."""
    content: str | bytes
    if format == "json":
        content, name = await run_in_threadpool(_cards(request).export, who), "cards.json"
    else:
        now = datetime.now(UTC)
        content = await run_in_threadpool(lambda: anki_package(_cards(request).bodies(who, least), now))
        name = "cards-for-anki.apkg"
    head = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/octet-stream", headers=head)


@cards.post(
    "/cards/import",
    dependencies=[ROOM],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def load_cards(who: StoringLearner, request: Request) -> CardsAdded:
    """Add exported cards with their schedules: the body is the file. Those that are there already stay as they are."""
    data = await request.body()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise CardError("this is no export of cards: it is not text") from None
    return await run_in_threadpool(_cards(request).load, who, text)

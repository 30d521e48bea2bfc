"""Routes beside the play itself: takebacks, advice, claims, talk, rematches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import anyio
import anyio.to_thread
from fastapi import APIRouter, FastAPI, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.lobby import Lobby
from fullprime.analysis import at_table as playing
from fullprime.analysis.model import JudgedChoice, TableAdvice
from fullprime.common.refusals import Refusal
from fullprime.messages import Message, render_all
from fullprime.play.clocks import PRESETS
from fullprime.play.commands import BeginChain, ChooseLook, ClaimWin, GiveLink, TakeBack
from fullprime.play.server.fields import TalkLog
from fullprime.play.server.handle import SessionHandle
from fullprime.play.table.table_events import events_for_seat
from fullprime.web.addresses import client_key
from fullprime.web.languages import language_of
from fullprime.web.models import play as models
from fullprime.web.models.common import ChainRequest, Link
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import Caller, InSession, MaybeCaller, Seated
from fullprime.web.routes.engine_queue import AT_ONCE, EngineBusy, EngineQueue
from fullprime.web.routes.reading_queue import read_whole_game
from fullprime.web.routes.values import ValueRoute
from fullprime.web.streams import ValueResponse

Answered = TypeVar("Answered")

play = APIRouter(prefix="/api/games", tags=["play"], responses=REFUSALS, route_class=ValueRoute)
clocks = APIRouter(prefix="/api", tags=["server"])


def add_play(app: FastAPI) -> None:
    """Add the routes, and the queue of questions to the engine at games."""
    app.state.engine_queue = EngineQueue()
    app.include_router(play)
    app.include_router(clocks)


def _engine_queue(request: Request) -> EngineQueue:
    engine_queue: EngineQueue = request.app.state.engine_queue
    return engine_queue


def _threads(request: Request) -> anyio.CapacityLimiter:
    """The threads of the engine: as many as turns, apart from those of all other requests."""
    if not hasattr(request.app.state, "thinking"):
        request.app.state.thinking = anyio.CapacityLimiter(AT_ONCE)
    limiter: anyio.CapacityLimiter = request.app.state.thinking
    return limiter


async def _think(
    request: Request, handle: SessionHandle, caller: Caller | None, ask: Callable[[], Answered]
) -> Answered:
    """The engine's answer, when it is the question's turn; the engine does not think for a client that has gone."""
    owners = [client_key(request.scope), *([] if caller is None else [f"account {caller.account.id}"])]
    engine_queue = _engine_queue(request)
    async with engine_queue.take_turn(handle.id, owners):
        if await request.is_disconnected():
            raise EngineBusy(Message("nobody waits for the answer any more"), "busy", 1)
        return await anyio.to_thread.run_sync(ask, limiter=_threads(request))


@clocks.get("/clocks")
async def list_clocks() -> models.Clocks:
    """The clocks that a game between people may have by name."""
    return models.Clocks(clocks={name: preset.about for name, preset in PRESETS.items()})


# -- help -------------------------------------------------------------------------------------------------------
@play.post("/{game}/takeback")
async def take_back(
    handle: InSession, seat: Seated, body: models.TakebackRequest, request: Request
) -> ValueResponse[models.Happened]:
    """Take back your last decision, or several: against a bot, or at one screen. The same dice come again."""
    events = await handle.perform_async(TakeBack(body.steps), seat, body.sequence)
    return ValueResponse(models.Happened(events=events_for_seat(events, seat)), request)


@play.post("/{game}/hint")
async def ask_for_hint(
    handle: InSession, seat: Seated, body: models.HintRequest, request: Request, caller: MaybeCaller
) -> TableAdvice:
    """The engine's choice: ranked plays, or the table of the cube. Never in a game between two people.

    Questions wait for their turn (`/queue` has the place): 429 when too many of yours wait, 503 when too many of all.
    """
    advice = await _think(request, handle, caller, partial(playing.advise, handle, seat, body.level))
    return render_all(advice, language_of(request))


@play.get("/{game}/queue")
async def read_place(handle: InSession, seat: Seated, request: Request) -> models.QueueState:
    """The place of this game's question to the engine in the queue of all."""
    if seat is None:
        raise Refusal(Message("you are watching: only players ask the engine"), "forbidden")
    engine_queue = _engine_queue(request)
    waiting = engine_queue.count_questions()["waiting"]
    return models.QueueState(ahead=engine_queue.count_ahead(handle.id), waiting=waiting)


@play.post("/{game}/meaning")
async def read_meaning(handle: InSession, seat: Seated, body: models.Typed) -> models.Meaning:
    """What a line would do, in one form; nothing is done. Pages so ask before a choice that is typed, too."""
    means = await run_in_threadpool(playing.describe_line, handle, seat, body.line, body.moves)
    return models.Meaning(means=means)


@play.post("/{game}/judge")
async def judge_choice(
    handle: InSession, seat: Seated, body: models.Choice, request: Request, caller: MaybeCaller
) -> models.Judged | models.NotJudged:
    """The loss of a choice, before you make it; nothing is done. Never in a game between two people."""
    ask = partial(playing.judge, handle, seat, body.line, body.moves, body.level)
    choice: JudgedChoice | None = await _think(request, handle, caller, ask)
    return models.NotJudged() if choice is None else models.Judged(choice)


@play.post("/{game}/look", status_code=204)
async def choose_look(handle: InSession, seat: Seated, body: models.Look) -> None:
    """The winner of the opening throw chooses colour and side, before the first play; all see the board so."""
    await handle.perform_async(ChooseLook(body.colour, body.home), seat)


# -- links of the dice -------------------------------------------------------------------------------------------
@play.post("/{game}/link")
async def give_link(handle: InSession, seat: Seated, body: Link, request: Request) -> ValueResponse[models.Happened]:
    """Tell your link for a throw that waits for nothing else; gives what happened, once no link is missing."""
    events = await handle.perform_async(GiveLink(body.number, body.link), seat)
    return ValueResponse(models.Happened(events=events_for_seat(events, seat)), request)


@play.post("/{game}/chain", status_code=204)
async def begin_chain(handle: InSession, seat: Seated, body: ChainRequest) -> None:
    """Begin a new chain of links, such as that of another device; it is seen in the proof."""
    await handle.perform_async(BeginChain(body.number, body.anchor), seat)


# -- between people ---------------------------------------------------------------------------------------------
@play.post("/{game}/claim", status_code=204)
async def claim_win(handle: InSession, seat: Seated, _asked: models.NoFields) -> None:
    """Have the server check if a flag has fallen, or if the other player has been away for too long."""
    await handle.perform_async(ClaimWin(), seat)


@play.get("/{game}/chat")
async def read_talk(handle: InSession, seat: Seated, request: Request) -> ValueResponse[TalkLog]:
    """The talk of the two players, and the canned phrases."""
    return ValueResponse(await read_whole_game(request, partial(playing.talk, handle, seat)), request)


@play.post("/{game}/chat", status_code=204)
async def say(handle: InSession, seat: Seated, body: models.Words) -> None:
    """Say something to the other player."""
    await run_in_threadpool(partial(playing.say, handle, seat, text=body.text, phrase=body.phrase))


@play.post("/{game}/report", status_code=204)
async def report_player(handle: InSession, seat: Seated, body: models.Complaint, request: Request) -> None:
    """Report the other player, with the talk so far, to the host of the server."""
    await read_whole_game(request, partial(playing.report, handle, seat, body.reason))


@play.post("/{game}/rematch")
async def play_again(
    handle: InSession, seat: Seated, _asked: models.NoFields, request: Request
) -> models.RematchResult:
    """Offer to play the same again; once both have, this gives the new game."""
    lobby: Lobby = request.app.state.lobby
    return models.RematchResult(game=await run_in_threadpool(lobby.offer_rematch, handle, seat))

"""Routes beside the play itself: takebacks, advice, claims, talk, rematches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import anyio
import anyio.to_thread
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.lobby import Lobby
from fullprime.analysis import at_table as playing
from fullprime.analysis.model import JudgedChoice
from fullprime.common.json_values import to_json
from fullprime.common.refusals import Refusal
from fullprime.messages import Message, render_all
from fullprime.play.clocks import PRESETS
from fullprime.play.commands import BeginChain, ChooseLook, ClaimWin, GiveLink, TakeBack
from fullprime.play.server.fields import TalkLog
from fullprime.play.server.rooms import Room
from fullprime.play.table.naming import seen_events
from fullprime.web.addresses import whom
from fullprime.web.languages import language_of
from fullprime.web.models import play as models
from fullprime.web.models.common import Chain, Link
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import Caller, InRoom, MaybeCaller, Seated
from fullprime.web.routes.turns import AT_ONCE, TurnRefused, Turns
from fullprime.web.streams import answer

Answered = TypeVar("Answered")

play = APIRouter(prefix="/api/games", tags=["play"], responses=REFUSALS)
clocks = APIRouter(prefix="/api", tags=["server"])


def add_play(app: FastAPI) -> None:
    """Add the routes, and the queue of those who ask the engine at a game."""
    app.state.turns = Turns()
    app.include_router(play)
    app.include_router(clocks)


def _turns(request: Request) -> Turns:
    found: Turns = request.app.state.turns
    return found


def _threads(request: Request) -> anyio.CapacityLimiter:
    """As many threads as turns, beside those of all other requests."""
    if not hasattr(request.app.state, "thinking"):
        request.app.state.thinking = anyio.CapacityLimiter(AT_ONCE)
    found: anyio.CapacityLimiter = request.app.state.thinking
    return found


async def _thought(request: Request, room: Room, caller: Caller | None, ask: Callable[[], Answered]) -> Answered:
    """The engine's answer, when it is the question's turn; the engine does not think for somebody who has gone."""
    owners = [whom(request.scope), *([] if caller is None else [f"account {caller.account.id}"])]
    turns = _turns(request)
    async with turns.turn(room.id, owners):
        if await request.is_disconnected():
            raise TurnRefused(Message("nobody waits for the answer any more"), "busy", 1)
        return await anyio.to_thread.run_sync(ask, limiter=_threads(request))


@clocks.get("/clocks")
async def list_clocks() -> models.Clocks:
    """The clocks that a game between people may have by name."""
    return models.Clocks(clocks={name: preset.about for name, preset in PRESETS.items()})


# -- help -------------------------------------------------------------------------------------------------------
@play.post("/{game}/takeback", response_model=models.Happened)
async def take_back(room: InRoom, seat: Seated, asked: models.Back, request: Request) -> Response:
    """Take back your last decision, or several: against a bot, or at one screen. The same dice come again."""
    events = await room.performed(TakeBack(asked.steps), seat, asked.sequence)
    return answer({"events": seen_events(events, seat, language_of(request))})


@play.post("/{game}/hint", response_model=models.AdviceAnswer)
async def ask_for_hint(
    room: InRoom, seat: Seated, asked: models.HintRequest, request: Request, caller: MaybeCaller
) -> Response:
    """The engine's choice: ranked plays, or the table of the cube. Never in a game between two people.

    Questions wait for their turn (`/queue` has the place): 429 when too many of yours wait, 503 when too many of all.
    """
    return answer(to_json(await _thought(request, room, caller, partial(playing.advise, room, seat, asked.level))))


@play.get("/{game}/queue")
async def read_place(room: InRoom, seat: Seated, request: Request) -> models.Place:
    """The place of this game's question to the engine in the queue of all."""
    if seat is None:
        raise Refusal(Message("you are watching: only players ask the engine"), "forbidden")
    return models.Place(ahead=_turns(request).ahead(room.id), waiting=_turns(request).lengths()["waiting"])


@play.post("/{game}/meaning")
async def read_meaning(room: InRoom, seat: Seated, asked: models.Typed) -> models.Meaning:
    """What a line would do, in one form; nothing is done. Pages so ask before a choice that is typed, too."""
    means = await run_in_threadpool(playing.meaning, room, seat, asked.line, asked.moves)
    return models.Meaning(means=means)


@play.post("/{game}/judge", response_model=models.JudgementAnswer)
async def judge_choice(
    room: InRoom, seat: Seated, asked: models.Choice, request: Request, caller: MaybeCaller
) -> Response:
    """The loss of a choice, before you make it; nothing is done. Never in a game between two people."""
    ask = partial(playing.judge, room, seat, asked.line, asked.moves, asked.level)
    found: JudgedChoice | None = await _thought(request, room, caller, ask)
    return answer(to_json(models.NotJudged() if found is None else models.Judged(found)))


@play.post("/{game}/look", status_code=204)
async def choose_look(room: InRoom, seat: Seated, asked: models.Look) -> None:
    """The winner of the opening throw chooses colour and side, before the first play; all see the board so."""
    await room.performed(ChooseLook(asked.colour, asked.home), seat)


# -- links of the dice -------------------------------------------------------------------------------------------
@play.post("/{game}/link", response_model=models.Happened)
async def give_link(room: InRoom, seat: Seated, asked: Link, request: Request) -> Response:
    """Tell your link for a throw that waits for nothing else; gives what happened, once no link is missing."""
    events = await room.performed(GiveLink(asked.number, asked.link), seat)
    return answer({"events": seen_events(events, seat, language_of(request))})


@play.post("/{game}/chain", status_code=204)
async def begin_chain(room: InRoom, seat: Seated, asked: Chain) -> None:
    """Begin a new chain of links, such as that of another device; it is seen in the proof."""
    await room.performed(BeginChain(asked.number, asked.anchor), seat)


# -- between people ---------------------------------------------------------------------------------------------
@play.post("/{game}/claim", status_code=204)
async def claim_win(room: InRoom, seat: Seated, _asked: models.Nothing) -> None:
    """Have the server check if a flag has fallen, or if the other player has been away for too long."""
    await room.performed(ClaimWin(), seat)


@play.get("/{game}/chat", response_model=TalkLog)
async def read_talk(room: InRoom, seat: Seated, request: Request) -> Response:
    """The talk of the two players, and the canned phrases."""
    return answer(render_all(await run_in_threadpool(playing.talk, room, seat), language_of(request)))


@play.post("/{game}/chat", status_code=204)
async def say(room: InRoom, seat: Seated, asked: models.Words) -> None:
    """Say something to the other player."""
    await run_in_threadpool(partial(playing.say, room, seat, text=asked.text, phrase=asked.phrase))


@play.post("/{game}/report", status_code=204)
async def report_player(room: InRoom, seat: Seated, asked: models.Complaint) -> None:
    """Report the other player, with the talk so far, to the host of the server."""
    await run_in_threadpool(playing.report, room, seat, asked.reason)


@play.post("/{game}/rematch")
async def play_again(room: InRoom, seat: Seated, _asked: models.Nothing, request: Request) -> models.Again:
    """Offer to play the same again; once both have, this gives the new game."""
    lobby: Lobby = request.app.state.lobby
    return models.Again(game=await run_in_threadpool(lobby.rematch, room, seat))

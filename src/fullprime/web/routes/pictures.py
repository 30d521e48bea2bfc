"""Pictures of addresses: what another site shows where the address of a position, a game or a review is pasted.

The pages name them in their heads (Open Graph). To draw one takes some hundredths of a second: pictures are kept, few
are drawn at a time, and one visitor may have only so many drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams

from fullprime.analysis import previews
from fullprime.common.refusals import Refusal
from fullprime.play.server.rooms import Rooms
from fullprime.rules.errors import FullprimeError, SettingsError
from fullprime.web.addresses import whom
from fullprime.web.connections.fair_queue import FairQueue
from fullprime.web.guard import Buckets, RequestRate
from fullprime.web.models import analysis as models
from fullprime.web.pages import Page
from fullprime.web.refusals import REFUSALS

LONGEST = 2000
"""Characters of an address that is drawn."""
DRAWN = RequestRate(40, 1.0)
"""Pictures that are drawn anew for one visitor."""
AT_ONCE, WAITING = 2, 30
KEPT = {"Cache-Control": "public, max-age=86400", "Cross-Origin-Resource-Policy": "cross-origin"}
"""A position does not change, and other sites may show it."""
FLEETING = {**KEPT, "Cache-Control": "public, max-age=30"}

pictures = APIRouter(prefix="/picture", tags=["pictures"], responses=REFUSALS)
_PNG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/png": {}}}}


class _Easel:
    """Draws few pictures at a time, and only so many for one visitor; nobody waits for long."""

    def __init__(self) -> None:
        self._turns, self._rate = FairQueue(AT_ONCE, AT_ONCE + WAITING), Buckets(DRAWN)

    async def draw(self, request: Request, shown: previews.Preview) -> bytes:
        """The picture; raises Refusal for too many of one visitor, QueueFull for too many of all."""
        owner = whom(request.scope)
        if not self._rate.take(owner):
            raise Refusal("too many pictures are drawn: wait a little", "busy")
        place = await self._turns.enter(owner)
        try:
            return await run_in_threadpool(previews.picture, shown)
        finally:
            place.leave()


def add_pictures(app: FastAPI) -> None:
    """Add the pictures, and the pages that name them."""
    app.state.easel = _Easel()
    app.include_router(pictures)
    app.get("/analysis", include_in_schema=False)(show_analysis)
    app.get("/game/{game}", include_in_schema=False)(show_game)


# -- the pictures ---------------------------------------------------------------------------------------------------
@pictures.get("/position.png", response_class=Response, responses=_PNG)
async def draw_position(
    request: Request,
    id: Annotated[str, Query(max_length=600, description="an identifier of any kind")] = "",  # noqa: A002
    play: Annotated[str, Query(max_length=100, description="a play of the roll, drawn as arrows")] = "",
) -> Response:
    """A position as PNG, 1200 by 630: by an identifier, or by the fields of an analysis board's address."""
    del id, play  # They stand here for the API's document; the whole address is read.
    shown = await run_in_threadpool(_of_address, request.query_params)
    return Response(await drawn(request, shown), media_type="image/png", headers=KEPT)


@pictures.get("/game/{game}.png", response_class=Response, responses=_PNG)
async def draw_game(game: str, request: Request) -> Response:
    """The board of a game that everybody may watch as PNG, as it stands now."""
    shown = await run_in_threadpool(_of_room, request.app.state.rooms, game)
    return Response(await drawn(request, shown), media_type="image/png", headers=FLEETING)


async def drawn(request: Request, shown: previews.Preview) -> bytes:
    """The picture of a preview, within what one visitor and all together may have drawn."""
    easel: _Easel = request.app.state.easel
    return await easel.draw(request, shown)


# -- the pages ------------------------------------------------------------------------------------------------------
async def show_analysis(request: Request) -> Page:
    """The analysis board; its head names the picture of the position in its address."""
    asked = request.url.query
    path = "/picture/position.png" + (f"?{asked}" if asked else "")
    return await _page(request, "analysis/analysis.html", path, lambda: _of_address(request.query_params))


async def show_game(game: str, request: Request) -> Page:
    """The page of a game; its head names the picture of the board where everybody may see it.

    Raises Refusal for a game that there is not: it has no page. One that waits for its second player has.
    """
    rooms: Rooms = request.app.state.rooms
    await run_in_threadpool(rooms.room, game)
    return await _page(request, "game/game.html", f"/picture/game/{game}.png", lambda: _of_room(rooms, game))


async def _page(request: Request, name: str, path: str, find: Callable[[], previews.Preview]) -> Page:
    """A page whose head tells of a preview, where there is one; what is wrong with the address the page itself says."""
    try:
        shown = await run_in_threadpool(find)
    except FullprimeError:
        return Page(name)
    return Page(name, head=head_of(shown, str(request.base_url), path))


def head_of(shown: previews.Preview, base: str, path: str) -> str:
    """The part of a page's head that tells other sites what to show; without a picture where none can be drawn."""
    told = {"og:type": "website", "og:site_name": "Fullprime", "og:title": shown.title, "og:description": shown.words}
    if previews.can_draw():
        told |= {
            "og:image": base.rstrip("/") + path,
            "og:image:type": "image/png",
            "og:image:width": str(previews.WIDE),
            "og:image:height": str(previews.HIGH),
            "og:image:alt": f"{shown.title}. {shown.words}",
        }
    named = "".join(f'<meta property="{name}" content="{escape(value)}">\n' for name, value in told.items())
    card = '<meta name="twitter:card" content="summary_large_image">\n' if previews.can_draw() else ""
    return f'<meta name="description" content="{escape(f"{shown.title}. {shown.words}")}">\n{named}{card}'


# -- what an address shows ------------------------------------------------------------------------------------------
def _of_room(rooms: Rooms, game: str) -> previews.Preview:
    room = rooms.room(game, None)
    if not room.session.terms.spectators or (room.late and not room.is_closed):
        raise Refusal("this game is not for everybody's eyes now", "forbidden")
    return previews.of_match(room.match)


def _of_address(asked: QueryParams) -> previews.Preview:
    """The position in the address of an analysis board, field by field as `static/analysis/setup.js` writes it."""
    if len(urlencode(asked.multi_items())) > LONGEST:
        raise SettingsError(f"an address of a position has at most {LONGEST} characters")
    rules = {name[5:]: value for name, value in asked.multi_items() if name.startswith("rule.")}
    plays = tuple(each for each in asked.getlist("play") if each)[:2]
    if asked.get("id"):
        return previews.of_identifier(asked["id"], asked.get("variant", "backgammon"), rules, plays)
    fields: dict[str, Any] = {"rules": rules}
    fields |= {name: asked[name] for name in ("variant", "position", "on_roll", "owner") if asked.get(name)}
    fields |= {name: _number(name, asked[name]) for name in ("cube", "multiplier") if asked.get(name)}
    fields |= {name: asked[name] == "yes" for name in ("offered", "choose", "crawford") if asked.get(name)}
    if asked.get("score"):
        fields["score"] = [_number("score", each) for each in asked["score"].split("-")]
    if asked.get("dice"):
        fields["dice"] = [_number("dice", each) for each in asked["dice"]]
    if asked.get("follow_ups"):
        fields["follow_ups"] = asked["follow_ups"].split("+")
    try:
        setup = models.GameSetup.model_validate(fields).setup
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"{where} in the address: {first['msg']}") from error
    return previews.of_setup(setup, plays)


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise SettingsError(f"{name} in the address: {text[:20]!r} is no number")
    return int(text)

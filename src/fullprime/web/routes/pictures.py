"""Preview pictures: other sites show them where the address of a position, a game or a review is pasted.

The pages name them in their heads (Open Graph). Drawing one takes some hundredths of a second, so pictures are kept,
few are drawn at a time, and their number for one visitor is limited.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import Response
from pydantic import TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams

from fullprime.analysis import previews
from fullprime.analysis.setups import AnalysisSetup
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.server.game_server import GameServer
from fullprime.rules.errors import FullprimeError, SettingsError
from fullprime.web.addresses import client_key
from fullprime.web.connections.fair_queue import FairQueue
from fullprime.web.models import analysis as models
from fullprime.web.pages import Page
from fullprime.web.rate_limits import RequestRate, TokenBuckets
from fullprime.web.refusals import REFUSALS

LONGEST = 2000
"""The most characters of an address that is drawn."""
DRAWN = RequestRate(40, 1.0)
"""The rate of new pictures for one visitor."""
AT_ONCE, WAITING = 2, 30
KEPT = {"Cache-Control": "public, max-age=86400", "Cross-Origin-Resource-Policy": "cross-origin"}
"""Headers for a position, which does not change and which other sites may show."""
FLEETING = {**KEPT, "Cache-Control": "public, max-age=30"}

pictures = APIRouter(prefix="/picture", tags=["pictures"], responses=REFUSALS)
_PNG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/png": {}}}}


class _PictureQueue:
    """The queue and the rate limit of pictures: few are drawn at a time, and each visitor gets a share."""

    def __init__(self) -> None:
        self._turns, self._rate = FairQueue(AT_ONCE, AT_ONCE + WAITING), TokenBuckets(DRAWN)

    async def draw(self, request: Request, preview: previews.Preview) -> bytes:
        """Draw a picture; raises Refusal for too many of one visitor, QueueFull for too many of all."""
        owner = client_key(request.scope)
        if not self._rate.take(owner):
            raise Refusal(Message("too many pictures are drawn: wait a little"), "busy")
        place = await self._turns.enter(owner)
        try:
            return await run_in_threadpool(previews.picture, preview)
        finally:
            place.leave()


def add_pictures(app: FastAPI) -> None:
    """Add the pictures, and the pages that name them."""
    app.state.picture_queue = _PictureQueue()
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
    preview = await run_in_threadpool(_read_preview, request.query_params)
    return Response(await draw_preview(request, preview), media_type="image/png", headers=KEPT)


@pictures.get("/game/{game}.png", response_class=Response, responses=_PNG)
async def draw_game(game: str, request: Request) -> Response:
    """The board of a game that everybody may watch as PNG, as it stands now."""
    preview = await run_in_threadpool(_of_session, request.app.state.game_server, game)
    return Response(await draw_preview(request, preview), media_type="image/png", headers=FLEETING)


async def draw_preview(request: Request, preview: previews.Preview) -> bytes:
    """The picture of a preview, within the limits for one visitor and for all."""
    picture_queue: _PictureQueue = request.app.state.picture_queue
    return await picture_queue.draw(request, preview)


# -- the pages ------------------------------------------------------------------------------------------------------
async def show_analysis(request: Request) -> Page:
    """The analysis board; its head names the picture of the position in its address."""
    query = request.url.query
    path = "/picture/position.png" + (f"?{query}" if query else "")
    return await _page(request, "analysis/analysis.html", path, lambda: _read_preview(request.query_params))


async def show_game(game: str, request: Request) -> Page:
    """The page of a game; its head names the picture of the board where everybody may see it.

    Raises Refusal where there is no such game. A game that waits for its second player has a page, too.
    """
    game_server: GameServer = request.app.state.game_server
    await run_in_threadpool(game_server.get_handle, game)
    return await _page(request, "game/game.html", f"/picture/game/{game}.png", lambda: _of_session(game_server, game))


async def _page(request: Request, name: str, path: str, find: Callable[[], previews.Preview]) -> Page:
    """A page whose head tells of a preview, where there is one; what is wrong with the address the page itself says."""
    try:
        preview = await run_in_threadpool(find)
    except FullprimeError:
        return Page(name)
    return Page(name, head=head_of(preview, str(request.base_url), path))


def head_of(preview: previews.Preview, base: str, path: str) -> str:
    """The part of a page's head that tells other sites what to show; without a picture where none can be drawn."""
    properties = {
        "og:type": "website",
        "og:site_name": "Fullprime",
        "og:title": preview.title,
        "og:description": preview.words,
    }
    if previews.can_draw():
        properties |= {
            "og:image": base.rstrip("/") + path,
            "og:image:type": "image/png",
            "og:image:width": str(previews.WIDE),
            "og:image:height": str(previews.HIGH),
            "og:image:alt": f"{preview.title}. {preview.words}",
        }
    tags = "".join(f'<meta property="{name}" content="{escape(value)}">\n' for name, value in properties.items())
    card = '<meta name="twitter:card" content="summary_large_image">\n' if previews.can_draw() else ""
    return f'<meta name="description" content="{escape(f"{preview.title}. {preview.words}")}">\n{tags}{card}'


# -- what an address shows ------------------------------------------------------------------------------------------
def _of_session(game_server: GameServer, game: str) -> previews.Preview:
    handle = game_server.get_handle(game, None)
    if not handle.session.terms.spectators or (handle.spectator_delay and not handle.is_closed):
        raise Refusal(Message("this game is not for everybody's eyes now"), "forbidden")
    return previews.of_match(handle.match)


def _read_preview(body: QueryParams) -> previews.Preview:
    """The position in the address of an analysis board, field by field as `static/analysis/setup.js` writes it."""
    if len(urlencode(body.multi_items())) > LONGEST:
        raise SettingsError(f"an address of a position has at most {LONGEST} characters")
    rules = {name[5:]: value for name, value in body.multi_items() if name.startswith("rule.")}
    plays = tuple(play for play in body.getlist("play") if play)[:2]
    if body.get("id"):
        return previews.of_identifier(body["id"], body.get("variant", "backgammon"), rules, plays)
    fields: dict[str, Any] = {"rules": rules}
    fields |= {name: body[name] for name in ("variant", "position", "on_roll", "owner") if body.get(name)}
    fields |= {name: _number(name, body[name]) for name in ("cube", "multiplier") if body.get(name)}
    fields |= {name: body[name] == "yes" for name in ("offered", "choose", "crawford") if body.get(name)}
    if body.get("score"):
        fields["score"] = [_number("score", points) for points in body["score"].split("-")]
    if body.get("dice"):
        fields["dice"] = [_number("dice", die) for die in body["dice"]]
    if body.get("follow_ups"):
        fields["follow_ups"] = body["follow_ups"].split("+")
    try:
        setup: AnalysisSetup = TypeAdapter(models.Setup).validate_python(fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"{where} in the address: {first['msg']}") from error
    return previews.of_setup(setup, plays)


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise SettingsError(f"{name} in the address: {text[:20]!r} is no number")
    return int(text)

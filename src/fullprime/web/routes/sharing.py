"""Routes for links that are sent to others."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from fullprime.web.models.common import Strict
from fullprime.web.refusals import REFUSALS
from fullprime.web.sharing import LONGEST, code_of, works_only_here

sharing = APIRouter(prefix="/api/share", tags=["server"], responses=REFUSALS)


class ShareAddresses(BaseModel):
    """The addresses by which others reach this server."""

    only_here: bool = Field(description="whether the address of this request works on the server's machine alone")
    addresses: list[str] = Field(description="addresses in the local network; empty where the network is not let in")


class ShareLink(Strict):
    """A link to this server."""

    link: Annotated[str, Field(max_length=LONGEST, description="the whole link, as it is sent to somebody")]


@sharing.get("")
async def read_addresses(request: Request) -> ShareAddresses:
    """Addresses that work for others, where the one that is used now does not."""
    return ShareAddresses(
        only_here=works_only_here(request.url.hostname or ""), addresses=list(request.app.state.network)
    )


@sharing.post("/code", response_class=Response)
async def draw_code(body: ShareLink, request: Request) -> Response:
    """A link to this server as a QR code: SVG. Nothing of it is kept."""
    origins = [str(request.base_url).rstrip("/"), *request.app.state.network]
    return Response(await run_in_threadpool(code_of, body.link, origins), media_type="image/svg+xml")

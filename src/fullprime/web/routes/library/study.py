"""Routes of marks, collections and saved searches, and of studies that are shared by a link."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.service import Accounts
from fullprime.library import studies as app
from fullprime.library.notes import MarkedPlace, MarkList, change_mark, find_marks, mark_at, place_of
from fullprime.library.service import LibraryStore
from fullprime.web.addresses import client_key
from fullprime.web.models import library as models
from fullprime.web.pages import Page, page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.engine_queue import EngineQueue
from fullprime.web.routes.library.owner import Library
from fullprime.web.routes.values import ValueRoute

study = APIRouter(prefix="/api/library", tags=["library"], responses=REFUSALS, route_class=ValueRoute)
studies = APIRouter(prefix="/api/studies", tags=["library"], responses=REFUSALS, route_class=ValueRoute)

Name = Annotated[str, Query(min_length=1, max_length=100, description="the name of a collection")]
Link = Annotated[str, Path(max_length=40, description="the secret of the link")]


# -- marks ------------------------------------------------------------------------------------------------------
@study.get("/marks")
async def list_marks(
    store: Library,
    match: Annotated[int | None, Query(ge=1, le=2**31 - 1, description="those of this match")] = None,
    tag: Annotated[str | None, Query(max_length=40, description="those with this tag")] = None,
    star: Annotated[bool | None, Query(description="those with a star, or without")] = None,
    text: Annotated[str | None, Query(max_length=200, description="those with this in their note")] = None,
    offset: Annotated[int, Query(ge=0, le=100_000, description="pass over so many")] = 0,
) -> MarkList:
    """Notes, stars and tags, the latest first, and every tag of the library."""
    return await run_in_threadpool(lambda: find_marks(store, match=match, tag=tag, star=star, text=text, offset=offset))


@study.post("/marks/at")
async def read_mark(body: models.PlaceRequest, store: Library) -> MarkedPlace:
    """The mark at a match, a decision or a position; an empty one where there is none."""
    return await run_in_threadpool(lambda: mark_at(store, place_of(body.place, body.position)))


@study.post("/marks")
async def write_mark(body: models.MarkRequest, store: Library) -> MarkedPlace:
    """Change the mark at a match, a decision or a position; a part that is left out stays. Stored when this answers."""
    return await run_in_threadpool(
        lambda: change_mark(store, place_of(body.place, body.position), note=body.note, star=body.star, tags=body.tags)
    )


# -- collections ------------------------------------------------------------------------------------------------
@study.get("/collections")
async def list_collections(store: Library) -> app.CollectionList:
    """The collections and the saved searches."""
    return await run_in_threadpool(app.all_collections, store)


@study.get("/collection")
async def read_collection(store: Library, name: Name) -> app.Study:
    """A collection with its positions."""
    return await run_in_threadpool(app.read_collection, store, name)


@study.post("/collections")
async def make_collection(body: models.CollectionNew, store: Library) -> app.CollectionList:
    """A new collection."""
    return await run_in_threadpool(app.make_collection, store, body.name, body.about)


@study.post("/collections/change")
async def change_collection(body: models.CollectionChange, store: Library) -> app.Study:
    """Rename, describe or share a collection, or take its link back."""
    return await run_in_threadpool(
        lambda: app.change_collection(store, body.name, new_name=body.new_name, about=body.about, shared=body.shared)
    )


@study.post("/collections/remove")
async def remove_collection(body: models.CollectionName, store: Library) -> app.CollectionList:
    """Take a collection away with its positions."""
    return await run_in_threadpool(app.remove_collection, store, body.name)


@study.post("/collections/add")
async def add_to_collection(body: models.PositionNew, store: Library, request: Request) -> app.Study:
    """A decision of the library, or a position that was set up, at the end of a collection."""
    engine_queue: EngineQueue = request.app.state.engine_queue
    async with engine_queue.take_turn("library", (client_key(request.scope),)):
        return await run_in_threadpool(lambda: _add(store, body))


def _add(store: LibraryStore, body: models.PositionNew) -> app.Study:
    place = place_of(body.place, body.position)
    return app.add_position(store, body.name, place, body.position, body.comment, body.arrows)


@study.post("/collections/position")
async def change_position(body: models.PositionChange, store: Library) -> app.Study:
    """Comment a position, draw arrows, move it in the order, or take it out."""
    return await run_in_threadpool(
        lambda: app.change_position(
            store, body.name, body.number, comment=body.comment, arrows=body.arrows, to=body.to,
            remove=body.remove,
        )
    )  # fmt: skip


@study.post("/searches")
async def save_search(body: models.SearchSaved, store: Library) -> app.CollectionList:
    """Give a search a name; without conditions the one of that name is taken away."""
    return await run_in_threadpool(app.save_search, store, body.name, body.question)


# -- studies ----------------------------------------------------------------------------------------------------
@studies.get("/{link}")
async def read_study(link: Link, request: Request) -> app.Study:
    """A collection that is shared: positions with comments and arrows."""
    people: Accounts = request.app.state.accounts
    return await run_in_threadpool(app.read_study, people.engine, link)


@studies.post("/{link}/answer")
async def answer_study(link: Link, body: models.StudyReply, request: Request) -> app.StudyAnswer:
    """An answer to a position of a study, judged; nothing is stored."""
    people: Accounts = request.app.state.accounts
    engine_queue: EngineQueue = request.app.state.engine_queue
    async with engine_queue.take_turn("study", (client_key(request.scope),)):
        return await run_in_threadpool(app.answer_study, people.engine, link, body.number, body.answer)


async def show_study(link: Link, request: Request) -> Page:
    """The page of a study. Raises LibraryError where none is shared by this link."""
    people: Accounts = request.app.state.accounts
    await run_in_threadpool(app.find_study, people.engine, link)
    return page_file("library/study.html", 200)

"""Routes of marks, collections and saved searches, and of studies that are shared by a link."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.service import People
from fullprime.library import studies as app
from fullprime.library.fields import CollectionsJson, ItemsJson, MarkJson, MarksJson, StudyAnswer
from fullprime.library.notes import find_marks, mark_at, place_of, put_mark
from fullprime.library.service import LibraryStore
from fullprime.web.addresses import whom
from fullprime.web.models import library as models
from fullprime.web.pages import Page, page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.library.owner import Library
from fullprime.web.routes.turns import Turns

study = APIRouter(prefix="/api/library", tags=["library"], responses=REFUSALS)
studies = APIRouter(prefix="/api/studies", tags=["library"], responses=REFUSALS)

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
) -> MarksJson:
    """Notes, stars and tags, the latest first, and every tag of the library."""
    return await run_in_threadpool(lambda: find_marks(store, match=match, tag=tag, star=star, text=text, offset=offset))


@study.post("/marks/at")
async def read_mark(asked: models.Place, store: Library) -> MarkJson:
    """The mark at a match, a decision or a position; an empty one where there is none."""
    return await run_in_threadpool(lambda: mark_at(store, place_of(asked.place, asked.desk)))


@study.post("/marks")
async def write_mark(asked: models.Mark, store: Library) -> MarkJson:
    """Change the mark at a match, a decision or a position; a part that is left out stays. Stored when this answers."""
    return await run_in_threadpool(
        lambda: put_mark(store, place_of(asked.place, asked.desk), note=asked.note, star=asked.star, tags=asked.tags)
    )


# -- collections ------------------------------------------------------------------------------------------------
@study.get("/collections")
async def list_collections(store: Library) -> CollectionsJson:
    """The collections and the saved searches."""
    return await run_in_threadpool(app.all_collections, store)


@study.get("/collection")
async def read_collection(store: Library, name: Name) -> ItemsJson:
    """A collection with its positions."""
    return await run_in_threadpool(app.read_collection, store, name)


@study.post("/collections")
async def make_collection(asked: models.CollectionNew, store: Library) -> CollectionsJson:
    """A new collection."""
    return await run_in_threadpool(app.make_collection, store, asked.name, asked.about)


@study.post("/collections/change")
async def change_collection(asked: models.CollectionChange, store: Library) -> ItemsJson:
    """Rename, describe or share a collection, or take its link back."""
    return await run_in_threadpool(
        lambda: app.change_collection(
            store, asked.name, new_name=asked.new_name, about=asked.about, shared=asked.shared
        )
    )


@study.post("/collections/remove")
async def remove_collection(asked: models.CollectionName, store: Library) -> CollectionsJson:
    """Take a collection away with its positions."""
    return await run_in_threadpool(app.remove_collection, store, asked.name)


@study.post("/collections/add")
async def add_to_collection(asked: models.PositionNew, store: Library, request: Request) -> ItemsJson:
    """A decision of the library, or a position that was set up, at the end of a collection."""
    turns: Turns = request.app.state.turns
    async with turns.turn("library", (whom(request.scope),)):
        return await run_in_threadpool(lambda: _add(store, asked))


def _add(store: LibraryStore, asked: models.PositionNew) -> ItemsJson:
    place = place_of(asked.place, asked.desk)
    return app.add_position(store, asked.name, place, asked.desk, asked.comment, asked.arrows)


@study.post("/collections/position")
async def change_position(asked: models.PositionChange, store: Library) -> ItemsJson:
    """Comment a position, draw arrows, move it in the order, or take it out."""
    return await run_in_threadpool(
        lambda: app.change_position(
            store, asked.name, asked.number, comment=asked.comment, arrows=asked.arrows, to=asked.to,
            remove=asked.remove,
        )
    )  # fmt: skip


@study.post("/searches")
async def save_search(asked: models.SearchSaved, store: Library) -> CollectionsJson:
    """Give a search a name; without conditions the one of that name is taken away."""
    return await run_in_threadpool(app.save_search, store, asked.name, asked.question)


# -- studies ----------------------------------------------------------------------------------------------------
@studies.get("/{link}")
async def read_study(link: Link, request: Request) -> ItemsJson:
    """A collection that is shared: positions with comments and arrows."""
    people: People = request.app.state.people
    return await run_in_threadpool(app.read_study, people.engine, link)


@studies.post("/{link}/answer")
async def answer_study(link: Link, asked: models.StudyReply, request: Request) -> StudyAnswer:
    """An answer to a position of a study, judged; nothing is stored."""
    people: People = request.app.state.people
    turns: Turns = request.app.state.turns
    async with turns.turn("study", (whom(request.scope),)):
        return await run_in_threadpool(app.answer_study, people.engine, link, asked.number, asked.answer)


async def show_study(link: Link, request: Request) -> Page:
    """The page of a study. Raises LibraryError where none is shared by this link."""
    people: People = request.app.state.people
    await run_in_threadpool(app.find_study, people.engine, link)
    return page_file("library/study.html", 200)

"""Routes of a library: its matches, people and boards, where a player loses, and matches with their reports."""

from __future__ import annotations

from html import escape
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from fullprime.learn.flashcards.fields import LibraryCardsAdded, ThemeCardsAdded
from fullprime.learn.flashcards.service import Cards
from fullprime.learn.learners import Who
from fullprime.library import pages
from fullprime.library.cards import theme_cards
from fullprime.library.fields import (
    BoardsJson,
    JudgesJson,
    LibraryJson,
    MatchesJson,
    MatchPageJson,
    PeopleJson,
    PersonJson,
    PlayerPageJson,
)
from fullprime.library.new_cards import cards_from_library
from fullprime.library.places import QUESTIONS, address_at, library_review
from fullprime.library.service import LibraryStore
from fullprime.reviews.matches.reviewing import ReviewedMatch, page, rest_of_page, thresholds_named
from fullprime.rules.errors import FullprimeError
from fullprime.rules.words import versus
from fullprime.web.addresses import whom
from fullprime.web.models import library as models
from fullprime.web.pages import page_file, places
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.learners import StoringLearner
from fullprime.web.routes.library.owner import Library
from fullprime.web.routes.review import REPORT_HEAD, report_policy
from fullprime.web.routes.turns import Turns

library = APIRouter(prefix="/api/library", tags=["library"], responses=REFUSALS)

MatchNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of a match")]
Offset = Annotated[int, Query(ge=0, le=100_000, description="pass over so many")]


def _question(request: Request) -> dict[str, str]:
    """The conditions of a search, as they stand in the address."""
    return {name: text for name, text in request.query_params.items() if name in QUESTIONS}


@library.get("")
async def read_library(store: Library) -> LibraryJson:
    """The library in a few values."""
    return await run_in_threadpool(pages.summary, store)


@library.get("/matches", openapi_extra=models.QUESTION)
async def list_matches(store: Library, request: Request, offset: Offset = 0) -> MatchesJson:
    """A part of the matches for which the conditions in the address hold, the latest first."""
    return await run_in_threadpool(pages.matches, store, _question(request), offset)


@library.get("/boards", openapi_extra=models.QUESTION)
async def search_boards(store: Library, request: Request, offset: Offset = 0) -> BoardsJson:
    """A part of the boards and decisions for which the conditions in the address hold."""
    return await run_in_threadpool(pages.boards, store, _question(request), offset)


@library.get("/matches/{match}")
async def read_match(match: MatchNumber, store: Library) -> MatchPageJson:
    """A match with all that is known of it."""
    return await run_in_threadpool(pages.match_page, store, match)


@library.get("/matches/{match}/judges")
async def read_judges(match: MatchNumber, store: Library) -> JudgesJson:
    """Every decision of a match that another program and we have judged, those first on which both differ most."""
    return await run_in_threadpool(pages.judges_page, store, match)


@library.post("/matches/remove")
async def remove_matches(asked: models.MatchNumbers, store: Library) -> LibraryJson:
    """Forget matches, and the files that hold nothing else."""
    await run_in_threadpool(store.remove, list(dict.fromkeys(asked.matches)))
    return await run_in_threadpool(pages.summary, store)


# -- people -----------------------------------------------------------------------------------------------------
@library.get("/players")
async def list_players(store: Library) -> PeopleJson:
    """Everybody in the library, with all their names."""
    return await run_in_threadpool(pages.people, store)


@library.post("/players/merge")
async def merge_players(asked: models.Merging, store: Library) -> PersonJson:
    """Say that several names are one person. The matches keep the names of their files."""
    found = await run_in_threadpool(store.merge, asked.name, asked.others)
    return pages.person_json(found.name, found.names, found.matches)


@library.post("/players/split")
async def split_player(asked: models.PlayerName, store: Library) -> PersonJson:
    """Take back a merge: this name is a person of its own again."""
    found = await run_in_threadpool(store.split, asked.name)
    return pages.person_json(found.name, found.names, found.matches)


@library.get("/statistics", openapi_extra=models.QUESTION)
async def read_statistics(
    store: Library,
    request: Request,
    by: Annotated[Literal["year", "month"], Query(description="the periods")] = "month",
) -> PlayerPageJson:
    """Where a player loses: PR by kind, phase, plan, score, opening, time and opponent; themes of errors."""
    return await run_in_threadpool(pages.player_page, store, _question(request), by)


@library.post("/cards")
async def keep_theme(
    asked: models.ThemeCards, store: Library, who: StoringLearner, request: Request
) -> ThemeCardsAdded:
    """Make cards of the costliest errors of one theme. Decisions that are cards already stay as they are."""
    cards: Cards = request.app.state.cards
    question = asked.model_dump()

    def keep() -> ThemeCardsAdded:
        found = theme_cards(store, **question)
        return {**cards.add(who, found), "numbers": cards.numbers(who, found)}

    return await run_in_threadpool(keep)


@library.post("/cards/latest")
async def keep_latest(
    asked: models.LatestCards, store: Library, who: StoringLearner, request: Request
) -> LibraryCardsAdded:
    """Make cards of the errors in the latest reviewed matches; they are stored when this answers."""
    turns: Turns = request.app.state.turns
    async with turns.turn("drill", (whom(request.scope),)):
        return await run_in_threadpool(_keep_latest, asked, store, who, request.app.state.cards)


def _keep_latest(asked: models.LatestCards, store: LibraryStore, who: Who, cards: Cards) -> LibraryCardsAdded:
    found, matches = cards_from_library(
        store, asked.player, last=asked.last, least=asked.least, kinds=tuple(asked.kinds)
    )
    return {**cards.add(who, found), "matches": matches}


# -- pages of one match -----------------------------------------------------------------------------------------
async def open_board(match: int, game: int, event: int, store: Library) -> Response:
    """The analysis board with the game before a decision."""
    address = await run_in_threadpool(address_at, store, match, game - 1, event - 1)
    return RedirectResponse(address, 303)


async def show_match(match: MatchNumber, store: Library) -> Response:
    """The page of a match in the library. Raises LibraryError where it is not there."""
    await run_in_threadpool(store.needs, match)
    return page_file("library/match.html", 200)


async def show_match_report(match: MatchNumber, store: Library) -> Response:
    """The report of a match in the library, as a page of this server; the match itself where it has no review."""
    await run_in_threadpool(store.needs, match)
    try:
        found = await run_in_threadpool(library_review, store, match)
    except FullprimeError:
        return page_file("library/match.html", 404)
    text = await run_in_threadpool(_report, found, match)
    return Response(text, media_type="text/html", headers={"Content-Security-Policy": report_policy()})


async def show_rest_of_match(match: int, store: Library) -> Response:
    """The decisions that were right, for the page of a report."""
    text = await run_in_threadpool(_rest, store, match)
    return Response(text, media_type="text/html")


def _rest(store: LibraryStore, match: int) -> str:
    return rest_of_page(library_review(store, match), thresholds_named("xg"), None)


def _report(found: ReviewedMatch, match: int) -> str:
    top = (
        f'<header class="page-places"><div class="top">{places("library", ())}</div></header>'
        '<nav class="page-top" aria-label="The way here"'
        f' data-variant="{escape(found.document.match.settings.variant.name)}"><a href="/library">Library</a> &rsaquo; '
        f'<a href="/library/match/{match}">{escape(versus(found.document.match.names))}</a></nav>'
    )
    return page(
        found, thresholds_named("xg"), None, head=REPORT_HEAD, top=top, more="", rest=f"/library/match/{match}/right"
    )

"""Routes of a library: its matches, people and boards, where a player loses, and matches with their reports."""

from __future__ import annotations

from html import escape
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from fullprime.learn import match_plies
from fullprime.learn.flashcards.model import LibraryCardsAdded, ThemeCardsAdded
from fullprime.learn.flashcards.service import Cards
from fullprime.learn.learners import LearnerId
from fullprime.learn.match_ply import MatchPlies, PlyBoard
from fullprime.library import pages
from fullprime.library.cards import theme_cards
from fullprime.library.new_cards import cards_from_library
from fullprime.library.places import QUESTIONS, address_at, library_review
from fullprime.library.service import LibraryStore
from fullprime.library.store.library import Person
from fullprime.reviews.matches.reviewing import ReviewedMatch, page, rest_of_page, thresholds_named
from fullprime.rules.errors import FullprimeError
from fullprime.rules.words import format_players
from fullprime.web.addresses import client_key
from fullprime.web.models import library as models
from fullprime.web.pages import add_version, page_file, render_places
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.engine_queue import EngineQueue
from fullprime.web.routes.learners import StoringLearner
from fullprime.web.routes.library.owner import Library
from fullprime.web.routes.review import REPORT_HEAD, report_policy
from fullprime.web.routes.storage_limit import STORAGE_LIMIT
from fullprime.web.routes.values import ValueRoute

library = APIRouter(prefix="/api/library", tags=["library"], responses=REFUSALS, route_class=ValueRoute)

Number = Annotated[int, Path(ge=1, le=100_000, description="of the game, or of the event in it")]
MatchNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of a match")]
Offset = Annotated[int, Query(ge=0, le=100_000, description="pass over so many")]


def _question(request: Request) -> dict[str, str]:
    """The conditions of a search, as they stand in the address."""
    return {name: text for name, text in request.query_params.items() if name in QUESTIONS}


@library.get("")
async def read_library(store: Library) -> pages.LibrarySummary:
    """The library in a few values."""
    return await run_in_threadpool(pages.summary, store)


@library.get("/matches", openapi_extra=models.QUESTION)
async def list_matches(store: Library, request: Request, offset: Offset = 0) -> pages.MatchList:
    """A part of the matches for which the conditions in the address hold, the latest first."""
    return await run_in_threadpool(pages.matches, store, _question(request), offset)


@library.get("/boards", openapi_extra=models.QUESTION)
async def search_boards(store: Library, request: Request, offset: Offset = 0) -> pages.BoardList:
    """A part of the boards and decisions for which the conditions in the address hold."""
    return await run_in_threadpool(pages.boards, store, _question(request), offset)


@library.get("/matches/{match}")
async def read_match(match: MatchNumber, store: Library) -> pages.MatchPage:
    """A match with all that is known of it."""
    return await run_in_threadpool(pages.match_page, store, match)


@library.get("/matches/{match}/judges")
async def read_judges(match: MatchNumber, store: Library) -> pages.JudgesPage:
    """Every decision of a match that another program and we have judged, those first on which both differ most."""
    return await run_in_threadpool(pages.judges_page, store, match)


@library.post("/matches/remove")
async def remove_matches(body: models.MatchNumbers, store: Library) -> pages.LibrarySummary:
    """Forget matches, and the files that hold nothing else."""
    await run_in_threadpool(store.delete, list(dict.fromkeys(body.matches)))
    return await run_in_threadpool(pages.summary, store)


@library.get("/matches/{match}/plies")
async def read_match_plies(match: MatchNumber, store: Library) -> MatchPlies:
    """A reviewed match ply by ply, each with the board before it: forced plays and dances are among them."""
    return await run_in_threadpool(lambda: match_plies.plies(library_review(store, match), thresholds_named("xg")))


@library.get("/matches/{match}/plies/{game}/{event}")
async def read_match_ply(match: MatchNumber, game: Number, event: Number, store: Library) -> PlyBoard:
    """One ply of a reviewed match: the board before it, the ways to play its roll, and its judgement."""
    return await run_in_threadpool(
        lambda: match_plies.ply_board(library_review(store, match), thresholds_named("xg"), game - 1, event - 1)
    )


# -- people -----------------------------------------------------------------------------------------------------
@library.get("/players")
async def list_players(store: Library) -> pages.PersonList:
    """Everybody in the library, with all their names."""
    return await run_in_threadpool(pages.people, store)


@library.post("/players/merge")
async def merge_players(body: models.Merging, store: Library) -> Person:
    """Say that several names are one person. The matches keep the names of their files."""
    return await run_in_threadpool(store.merge, body.name, body.others)


@library.post("/players/split")
async def split_player(body: models.PlayerName, store: Library) -> Person:
    """Take back a merge: this name is a person of its own again."""
    return await run_in_threadpool(store.split, body.name)


@library.get("/statistics", openapi_extra=models.QUESTION)
async def read_statistics(
    store: Library,
    request: Request,
    by: Annotated[Literal["year", "month"], Query(description="the periods")] = "month",
) -> pages.PlayerPage:
    """Where a player loses: PR by kind, phase, plan, score, opening, time and opponent; themes of errors."""
    return await run_in_threadpool(pages.player_page, store, _question(request), by)


@library.post("/cards", dependencies=[STORAGE_LIMIT])
async def keep_theme(
    body: models.ThemeCards, store: Library, learner_id: StoringLearner, request: Request
) -> ThemeCardsAdded:
    """Make cards of the costliest errors of one theme. Decisions that are cards already stay as they are."""
    cards: Cards = request.app.state.cards
    question = body.model_dump()

    def keep() -> ThemeCardsAdded:
        bodies = theme_cards(store, **question)
        return ThemeCardsAdded(cards.add(learner_id, bodies), tuple(cards.find_numbers(learner_id, bodies)))

    return await run_in_threadpool(keep)


@library.post("/cards/latest", dependencies=[STORAGE_LIMIT])
async def keep_latest(
    body: models.LatestCards, store: Library, learner_id: StoringLearner, request: Request
) -> LibraryCardsAdded:
    """Make cards of the errors in the latest reviewed matches; they are stored when this answers."""
    engine_queue: EngineQueue = request.app.state.engine_queue
    async with engine_queue.take_turn("drill", (client_key(request.scope),)):
        return await run_in_threadpool(_keep_latest, body, store, learner_id, request.app.state.cards)


def _keep_latest(
    body: models.LatestCards, store: LibraryStore, learner_id: LearnerId, cards: Cards
) -> LibraryCardsAdded:
    bodies, matches = cards_from_library(store, body.player, last=body.last, least=body.least, kinds=tuple(body.kinds))
    return LibraryCardsAdded(cards.add(learner_id, bodies), matches)


# -- pages of one match -----------------------------------------------------------------------------------------
async def open_board(match: int, game: int, event: int, store: Library) -> Response:
    """The analysis board with the game before a decision."""
    address = await run_in_threadpool(address_at, store, match, game - 1, event - 1)
    return RedirectResponse(address, 303)


async def show_match(match: MatchNumber, store: Library) -> Response:
    """The page of a match in the library. Raises LibraryError where it is not there."""
    await run_in_threadpool(store.check_exists, match)
    return page_file("library/match.html", 200)


async def show_match_report(match: MatchNumber, store: Library) -> Response:
    """The report of a match in the library, as a page of this server; the match itself where it has no review."""
    await run_in_threadpool(store.check_exists, match)
    try:
        reviewed = await run_in_threadpool(library_review, store, match)
    except FullprimeError:
        return page_file("library/match.html", 404)
    text = await run_in_threadpool(_report, reviewed, match)
    return Response(text, media_type="text/html", headers={"Content-Security-Policy": report_policy()})


async def show_match_board(match: MatchNumber, store: Library) -> Response:
    """The match on a board, ply by ply; the page of the match where it has no review."""
    await run_in_threadpool(store.check_exists, match)
    try:
        await run_in_threadpool(library_review, store, match)
    except FullprimeError:
        return page_file("library/match.html", 404)
    return page_file("review/board.html", 200)


async def show_rest_of_match(match: int, store: Library) -> Response:
    """The decisions that were right, for the page of a report."""
    text = await run_in_threadpool(_render_rest, store, match)
    return Response(text, media_type="text/html")


def _render_rest(store: LibraryStore, match: int) -> str:
    return rest_of_page(library_review(store, match), thresholds_named("xg"), None)


def _report(reviewed: ReviewedMatch, match: int) -> str:
    played = reviewed.document.match
    top = (
        f'<header class="page-places"><div class="top">{render_places("library", ())}</div></header>'
        '<nav class="page-top" aria-label="The way here"'
        f' data-variant="{escape(played.settings.variant.name)}"><a href="/library">Library</a> &rsaquo; '
        f'<a href="/library/match/{match}">{escape(format_players(played.names))}</a></nav>'
    )
    rest = f"/library/match/{match}/right"
    return add_version(page(reviewed, thresholds_named("xg"), None, head=REPORT_HEAD, top=top, more="", rest=rest))

"""Routes of reviews: a file that is sent, or a game that was played here; the report, the lessons, other formats."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from html import escape
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.profiles import Profiles
from fullprime.analysis import service
from fullprime.common import jobs
from fullprime.learn import match_lessons, match_plies
from fullprime.learn.match_lesson import MatchLessons
from fullprime.learn.match_ply import MatchPlies, PlyBoard
from fullprime.library.background_reviews import BackgroundReviews
from fullprime.library.played_games import keep_played_game
from fullprime.reviews.matches.reviewing import RatedMatch, ReviewedMatch, page, rest_of_page, thresholds_named
from fullprime.reviews.matches.uploads import LIMITS
from fullprime.reviews.report import own_scripts, own_styles
from fullprime.rules.errors import FullprimeError, IllegalAction, SettingsError
from fullprime.rules.score import Player
from fullprime.web import middleware, rate_limits
from fullprime.web.models import analysis as models
from fullprime.web.pages import ICON, add_version, page_file, render_places
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.analysis import JobAnswer, answer_job, answer_new_job, queue, visitor_key
from fullprime.web.routes.callers import bearer, handle_of, seat_for
from fullprime.web.routes.pictures import KEPT, draw_preview, head_of
from fullprime.web.routes.reading_queue import read_whole_game
from fullprime.web.routes.storage_limit import STORAGE_LIMIT, storage_of
from fullprime.web.routes.values import ValueRoute

rate_limits.LARGER_BODIES["/api/reviews"] = LIMITS.most_bytes

reviews = APIRouter(prefix="/api/reviews", tags=["reviews"], responses=REFUSALS, route_class=ValueRoute)
played = APIRouter(prefix="/api/games", tags=["games"], responses=REFUSALS, route_class=ValueRoute)

_FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


REPORT_HEAD = (
    f'{ICON}<link rel="stylesheet" href="/static/parts/tokens.css">'
    '<link rel="stylesheet" href="/static/parts/header.css">'
    '<link rel="stylesheet" href="/static/review/report-page.css">'
    '<script type="module" src="/static/review/report-page.js"></script>'
    '<script type="module" src="/static/terms/glossary-links.js"></script>'
)
"""The head of a report beside its own style, when this server shows it."""


def add_reviews(app: FastAPI) -> None:
    """Add the routes and the page of a report."""
    app.include_router(reviews)
    app.include_router(played)
    app.get("/mistakes", include_in_schema=False)(show_mistakes)
    app.get("/review/{job}/{match}", include_in_schema=False)(show_report)
    app.get("/review/{job}/{match}/board", include_in_schema=False)(show_board)
    app.get("/review/{job}/{match}/right", include_in_schema=False)(show_rest)
    app.get("/picture/review/{job}/{match}.png", include_in_schema=False)(draw_review)


def _find_review(job: str, match: int, request: Request) -> ReviewedMatch:
    reviewed = _result(job, request)
    if not 1 <= match <= len(reviewed.matches):
        raise jobs.JobError(f"this review has no match {match}", "missing")
    return reviewed.matches[match - 1]


def _result(job: str, request: Request) -> match_lessons.UploadedReviews:
    """The result, from this process, from another one, or from this one before it was started again."""
    try:
        result = queue(request).job(job).result
    except jobs.JobError:
        try:
            return match_lessons.load_reviews(job)
        except FullprimeError as error:
            raise jobs.JobError(str(error), "missing") from error
    if not isinstance(result, match_lessons.UploadedReviews):
        raise jobs.JobError("this review is not ready", "missing")
    return result


OfReview = Annotated[ReviewedMatch, Depends(_find_review)]
Marks = Annotated[str, Query(max_length=20, description="whose marks count: `xg` or `gnubg`")]


# -- asking for one ---------------------------------------------------------------------------------------------
@reviews.post("", status_code=202, openapi_extra=_FILE, dependencies=[STORAGE_LIMIT])
async def send_file(
    request: Request,
    name: Annotated[str, Query(max_length=200, description="of the file; its ending helps to know its format")] = "",
    level: Annotated[str, Query(max_length=20, description="`fast`, `standard` or `deep`")] = "standard",
) -> JobAnswer:
    """Review the matches of a file, or of a zip archive of files: the body is the file."""
    data = await request.body()
    if not data:
        raise SettingsError("the file is empty")
    _check_level(level)
    short = re.split(r"[/\\]", name)[-1].strip() or "file"

    def work(job: jobs.Job) -> match_lessons.UploadedReviews:
        return match_lessons.review_upload(data, short, level, job)

    return answer_new_job(request, _submit(request, work, len(data)))


@reviews.post("/{job}/{match}/again", status_code=202, dependencies=[STORAGE_LIMIT])
async def review_again(reviewed: OfReview, body: models.ReviewOrder, request: Request) -> JobAnswer:
    """Judge a match that was reviewed once more, by the nets of today, at any level: a new review."""
    return answer_new_job(request, _submit(request, lambda job: match_lessons.review_again(reviewed, body.level, job)))


@played.post("/{game}/review", status_code=202)
async def review_game(game: str, body: models.ReviewOrder, request: Request) -> JobAnswer:
    """Review a match that was played here, when no game of it is under way."""
    key = bearer(request)
    handle = await handle_of(request, game, key)
    seat = await seat_for(request, handle.live, key)
    session = handle.live.take_snapshot(seat).view.session_for(seat)  # of a spectator perhaps an earlier one
    is_between_games = seat is not None and session.game is not None and session.game.is_over
    if not (session.is_over or is_between_games):
        raise IllegalAction("a game is reviewed when it is over")
    data, name = await read_whole_game(request, partial(handle.record, "json"))
    profiles: Profiles = request.app.state.profiles
    check = storage_of(request).check_growth
    judged: BackgroundReviews = request.app.state.background_reviews

    def work(job: jobs.Job) -> match_lessons.UploadedReviews:
        uploaded = match_lessons.review_record(data, name, body.level, job, judged.find(game))
        for reviewed in uploaded.matches:
            keep_played_game(profiles, check, game, data, name, reviewed)
        return uploaded

    return answer_new_job(request, _submit(request, work))


def _check_level(level: str) -> None:
    if level not in ("fast", "standard", "deep"):
        raise SettingsError(f"there is no level {level!r} of reviews; there are fast, standard, deep")


def _submit(request: Request, review: Callable[[jobs.Job], match_lessons.UploadedReviews], sent: int = 0) -> jobs.Job:
    def work(job: jobs.Job) -> match_lessons.UploadedReviews:
        reviewed = review(job)
        match_lessons.store_reviews(reviewed, job.id)
        return reviewed

    return queue(request).submit(visitor_key(request), "review", work, seconds=service.SECONDS["review"], sent=sent)


@reviews.get("/{job}")
async def list_matches(job: str, request: Request) -> models.JobInfo:
    """The job of a review: its result lists the matches. It is kept for a day, and every process can be asked."""
    try:
        current_job = queue(request).job(job)
    except jobs.JobError:
        result = await run_in_threadpool(_result, job, request)
        done = jobs.JobState.DONE
        return models.job_info(
            jobs.JobFacts(id=job, kind="review", state=done, ahead=0, progress=None, result=result, error=None)
        )
    return answer_job(request, current_job)


# -- what came of it --------------------------------------------------------------------------------------------
@reviews.get("/{job}/{match}")
def read_review(reviewed: OfReview, marks: Marks = "xg") -> RatedMatch:
    """A match and the engine's verdicts on it, as `fullprime review --json` has it."""
    return reviewed.rate(thresholds_named(marks))


@reviews.get("/{job}/{match}/lessons")
def read_lessons(
    reviewed: OfReview, marks: Marks = "xg", player: Annotated[str | None, Query(pattern="^[XO]$")] = None
) -> MatchLessons:
    """The errors of a match one by one: the board, the choices, the cost of each, and the reasons."""
    side = Player[player] if player is not None else None
    return MatchLessons(reviewed.summary, match_lessons.lessons(reviewed, thresholds_named(marks), side))


@reviews.get("/{job}/{match}/plies")
async def read_plies(reviewed: OfReview, marks: Marks = "xg") -> MatchPlies:
    """The match ply by ply, each with the board before it: forced plays and dances are among them."""
    return await run_in_threadpool(match_plies.plies, reviewed, thresholds_named(marks))


@reviews.get("/{job}/{match}/plies/{game}/{event}")
async def read_ply(
    reviewed: OfReview,
    game: Annotated[int, Path(ge=1, le=100_000)],
    event: Annotated[int, Path(ge=1, le=100_000)],
    marks: Marks = "xg",
) -> PlyBoard:
    """One ply: the board before it, the ways to play its roll, and what was found out about it. Both count from 1."""
    return await run_in_threadpool(match_plies.ply_board, reviewed, thresholds_named(marks), game - 1, event - 1)


@reviews.get("/{job}/{match}/file", response_class=Response)
async def save_review(
    reviewed: OfReview,
    format: Annotated[str, Query(max_length=20)] = "html",  # noqa: A002
    marks: Marks = "xg",
    *,
    analysis: Annotated[bool, Query(description="false for the match alone")] = True,
) -> Response:
    """The match with our analysis as a file.

    `html` is the report, which always has the analysis; else a format that `fullprime` writes.
    """
    if format == "html":
        thresholds = thresholds_named(marks)
        text = await run_in_threadpool(page, reviewed, thresholds)
        data, extension = text.encode(), ".html"
    else:
        data, extension = await run_in_threadpool(reviewed.write_file, format, analysis=analysis)
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", " ".join(reviewed.document.match.names)).strip("-")[:60] or "match"
    return Response(
        data,
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{stem}{extension}"'},
    )


async def show_mistakes(request: Request, review: str = "", match: str = "1") -> Response:
    """The mistakes of a review; without one, the place where reviews and their mistakes are listed."""
    if not review:
        return RedirectResponse("/library#mistakes")
    try:
        await run_in_threadpool(_find_review, review, _number(match), request)
    except jobs.JobError:
        return page_file("review/review.html", 404)
    return page_file("review/mistakes.html", 200)


def _number(match: str) -> int:
    """The number of a match in an address; 0 for what is none."""
    return int(match) if match.isascii() and match.isdigit() and len(match) < 4 else 0


async def show_report(
    job: str, match: str, request: Request, marks: Marks = "xg", player: str | None = None, *, whole: bool = False
) -> Response:
    """The report as a page of this server, without the decisions that were right: these come when it has been drawn.

    With ``whole`` they stand in it, as in the file that ``fullprime review --html`` writes.
    """
    number = _number(match)
    try:
        reviewed = await run_in_threadpool(_find_review, job, number, request)
    except jobs.JobError:
        return page_file("review/review.html", 404)
    base = str(request.base_url)
    page = _Page(job, number, marks, Player[player] if player in ("X", "O") else None, base)
    kind = "whole" if whole else "page"
    return _pack(request, await run_in_threadpool(_pack_page, page, kind, _Kept(reviewed)), report_policy())


async def show_board(job: str, match: str, request: Request) -> Response:
    """The match on a board, ply by ply."""
    try:
        await run_in_threadpool(_find_review, job, _number(match), request)
    except jobs.JobError:
        return page_file("review/review.html", 404)
    return page_file("review/board.html", 200)


async def show_rest(job: str, match: int, request: Request, marks: Marks = "xg", player: str | None = None) -> Response:
    """The decisions that were right, for the page of a report."""
    reviewed = await run_in_threadpool(_find_review, job, match, request)
    page = _Page(job, match, marks, Player[player] if player in ("X", "O") else None)
    return _pack(request, await run_in_threadpool(_pack_page, page, "rest", _Kept(reviewed)))


async def draw_review(job: str, match: int, request: Request) -> Response:
    """The picture of a report: the position of its costliest decision, and both ratings."""
    thresholds = thresholds_named("xg")
    preview = await run_in_threadpool(lambda: match_lessons.preview(_find_review(job, match, request), thresholds))
    return Response(await draw_preview(request, preview), media_type="image/png", headers=KEPT)


@dataclass(frozen=True, slots=True)
class _Page:
    """The key of a report's page: its review, and the thresholds of its marks."""

    job: str
    match: int
    marks: str
    player: Player | None
    base: str = ""
    """The address of this server, by which other sites find the picture of the report."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The contents of a page. They follow from the page's key, so that all of one key are equal for a cache."""

    reviewed: ReviewedMatch = field(compare=False)


@lru_cache(maxsize=24)
def _pack_page(page_key: _Page, kind: str, kept: _Kept) -> bytes:
    """Make a page and compress it; the result is cached, because making it takes much longer than sending it."""
    reviewed, thresholds, player = kept.reviewed, thresholds_named(page_key.marks), page_key.player
    if kind == "rest":
        text = rest_of_page(reviewed, thresholds, player)
    else:
        about = f"marks={quote(page_key.marks)}" + (f"&player={player.name}" if player is not None else "")
        rest = "" if kind == "whole" else f"/review/{quote(page_key.job)}/{page_key.match}/right?{about}"
        more = _more(page_key.job, page_key.match, reviewed, whole=kind == "whole")
        picture = f"/picture/review/{quote(page_key.job)}/{page_key.match}.png"
        preview = head_of(match_lessons.preview(reviewed, thresholds), page_key.base, picture)
        head = REPORT_HEAD + preview
        text = page(
            reviewed,
            thresholds,
            player,
            head=head,
            top=_top(page_key.job, page_key.match, reviewed),
            more=more,
            rest=rest,
        )
    return gzip.compress(add_version(text).encode(), 6, mtime=0)


def _pack(request: Request, data: bytes, policy: str | None = None) -> Response:
    """The page, packed for a browser that can open it. It holds nothing that its address does not already give, so
    that its length tells a stranger nothing.
    """
    headers = {"Vary": "Accept-Encoding"} | ({"Content-Security-Policy": policy} if policy is not None else {})
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(data), media_type="text/html", headers=headers)
    return Response(data, media_type="text/html", headers={**headers, "Content-Encoding": "gzip"})


def _top(job: str, match: int, reviewed: ReviewedMatch) -> str:
    """The bar above the report; texts that users typed are escaped."""
    return (
        f'<header class="page-places"><div class="top">{render_places("library", ())}</div></header>'
        f'<nav class="page-top" aria-label="The way here" data-review="/review/{escape(job, quote=True)}"'
        f' data-match="{match}" data-variant="{escape(reviewed.document.match.settings.variant.name)}">'
        f'<a href="/library">Library</a> &rsaquo; <a href="/review#{escape(job, quote=True)}">Reviews</a> &rsaquo; '
        f'<a href="/review/{escape(job, quote=True)}/{match}/board">On the board</a></nav>'
    )


def _more(job: str, match: int, reviewed: ReviewedMatch, *, whole: bool) -> str:
    """The next steps, below the first figures: learn from the mistakes, save the report."""
    names = reviewed.document.match.names
    options = "".join(
        f'<option value="{name}">{escape(title)}</option>'
        for name, title in {"html": "this report (HTML)", **match_lessons.export_formats()}.items()
    )
    learn = " ".join(
        f'<a href="/mistakes?review={escape(job, quote=True)}&amp;match={match}&amp;player={side.name}">'
        f"{escape(names[side])}</a>"
        for side in Player
    )
    levels = "".join(
        f'<option value="{name}"{" selected" if name == reviewed.review.level else ""}>{name}: {escape(about)}</option>'
        for name, about in match_lessons.review_levels().items()
    )
    judged = match_lessons.dated_words(reviewed)
    dated = f'<p class="soft">{escape(judged)}</p>' if judged else ""
    without = "" if whole else '<noscript><a href="?whole=yes">The decisions that were right, too</a></noscript>'
    return (
        f'<div class="page-more"><span class="learn">Learn from the mistakes of {learn}</span>'
        f'<span class="save"><label for="save-as">Save as</label> <select id="save-as">{options}</select> '
        '<button type="button" id="save">Save</button></span>'
        '<span class="again"><label for="again-level">Judge again</label> <select id="again-level">'
        f"{levels}</select> "
        '<button type="button" id="again">Begin</button></span>'
        f'<span id="again-said" role="status"></span>{without}{dated}</div>'
    )


@lru_cache(maxsize=1)
def report_policy() -> str:
    """The usual policy, which also allows the style and the script in the report itself."""
    usual = middleware.HEADERS["Content-Security-Policy"]
    for kind, texts in (("style", own_styles()), ("script", own_scripts())):
        digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
        sources = " ".join(f"'sha256-{digest}'" for digest in digests)
        usual = usual.replace(f"{kind}-src 'self'", f"{kind}-src 'self' {sources}")
    return usual

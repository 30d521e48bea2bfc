"""Routes of reviews: a file that is sent, or a game that was played here; the report, the lessons, other formats."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.profiles import Profiles
from fullprime.analysis import service
from fullprime.common import jobs
from fullprime.common.json_values import to_json
from fullprime.learn import match_lessons
from fullprime.learn.match_lesson_fields import LessonsJson
from fullprime.library.ahead import GamesAhead
from fullprime.library.played_games import keep_played_game
from fullprime.reviews.matches.fields import ReviewedJson
from fullprime.reviews.matches.reviewing import ReviewedMatch, page, rest_of_page, reviewed_json, thresholds_named
from fullprime.reviews.matches.uploads import LIMITS
from fullprime.reviews.report import own_scripts, own_styles
from fullprime.rules.errors import FullprimeError, IllegalAction, SettingsError
from fullprime.rules.score import Player
from fullprime.web import guard
from fullprime.web.models import analysis as models
from fullprime.web.pages import ICON, page_file, places
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.analysis import queue, shown, told, visitor
from fullprime.web.routes.callers import bearer, room_of, seat_for
from fullprime.web.routes.pictures import KEPT, drawn, head_of
from fullprime.web.routes.room import ROOM

guard.LARGER_BODIES["/api/reviews"] = LIMITS.most_bytes

reviews = APIRouter(prefix="/api/reviews", tags=["reviews"], responses=REFUSALS)
played = APIRouter(prefix="/api/games", tags=["games"], responses=REFUSALS)

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
    '<script type="module" src="/static/terms/later.js"></script>'
)
"""The head of a report beside its own style, when this server shows it."""


def add_reviews(app: FastAPI) -> None:
    """Add the routes and the page of a report."""
    app.include_router(reviews)
    app.include_router(played)
    app.get("/mistakes", include_in_schema=False)(show_mistakes)
    app.get("/review/{job}/{match}", include_in_schema=False)(show_report)
    app.get("/review/{job}/{match}/right", include_in_schema=False)(show_rest)
    app.get("/picture/review/{job}/{match}.png", include_in_schema=False)(draw_review)


def _reviewed(job: str, match: int, request: Request) -> ReviewedMatch:
    found = _result(job, request)
    if not 1 <= match <= len(found.matches):
        raise jobs.JobError(f"this review has no match {match}", "missing")
    return found.matches[match - 1]


def _result(job: str, request: Request) -> match_lessons.Reviews:
    """The result, from this process, from another one, or from this one before it was started again."""
    try:
        found = queue(request).job(job).result
    except jobs.JobError:
        try:
            return match_lessons.kept(job)
        except FullprimeError as error:
            raise jobs.JobError(str(error), "missing") from error
    if not isinstance(found, match_lessons.Reviews):
        raise jobs.JobError("this review is not ready", "missing")
    return found


OfReview = Annotated[ReviewedMatch, Depends(_reviewed)]
Marks = Annotated[str, Query(max_length=20, description="whose marks count: `xg` or `gnubg`")]


# -- asking for one ---------------------------------------------------------------------------------------------
@reviews.post("", status_code=202, response_model=models.JobAnswer, openapi_extra=_FILE, dependencies=[ROOM])
async def send_file(
    request: Request,
    name: Annotated[str, Query(max_length=200, description="of the file; its ending helps to know its format")] = "",
    level: Annotated[str, Query(max_length=20, description="`fast`, `standard` or `deep`")] = "standard",
) -> Any:
    """Review the matches of a file, or of a zip archive of files: the body is the file."""
    data = await request.body()
    if not data:
        raise SettingsError("the file is empty")
    _checked(level)
    short = re.split(r"[/\\]", name)[-1].strip() or "file"

    def work(job: jobs.Job) -> match_lessons.Reviews:
        return match_lessons.review_upload(data, short, level, job)

    return told(request, _submit(request, work, len(data)))


@reviews.post("/{job}/{match}/again", status_code=202, response_model=models.JobAnswer)
async def review_again(found: OfReview, asked: models.ReviewOrder, request: Request) -> Any:
    """Judge a match that was reviewed once more, by the nets of today, at any level: a new review."""
    return told(request, _submit(request, lambda job: match_lessons.review_again(found, asked.level, job)))


@played.post("/{game}/review", status_code=202, response_model=models.JobAnswer)
async def review_game(game: str, asked: models.ReviewOrder, request: Request) -> Any:
    """Review a match that was played here, when no game of it is under way."""
    key = bearer(request)
    room = await room_of(request, game, key)
    seat = await seat_for(request, room.live, key)
    state = (await run_in_threadpool(room.frame, seat, []))["state"]
    between = seat is not None and state["status"] == "playing" and state.get("game_over")
    if not (state["status"] == "over" or between):
        raise IllegalAction("a game is reviewed when it is over")
    data, name = await run_in_threadpool(room.record, "json")
    profiles: Profiles = request.app.state.profiles
    judged: GamesAhead = request.app.state.ahead

    def work(job: jobs.Job) -> match_lessons.Reviews:
        found = match_lessons.review_record(data, name, asked.level, job, judged.of(game))
        for reviewed in found.matches:
            keep_played_game(profiles, game, data, name, reviewed)
        return found

    return told(request, _submit(request, work))


def _checked(level: str) -> None:
    if level not in ("fast", "standard", "deep"):
        raise SettingsError(f"there is no level {level!r} of reviews; there are fast, standard, deep")


def _submit(request: Request, review: Callable[[jobs.Job], match_lessons.Reviews], sent: int = 0) -> jobs.Job:
    def work(job: jobs.Job) -> match_lessons.Reviews:
        found = review(job)
        match_lessons.keep(found, job.id)
        return found

    return queue(request).submit(
        visitor(request), "review", work, seconds=service.SECONDS["review"], tell=match_lessons.reviews_json, sent=sent
    )


@reviews.get("/{job}", response_model=models.JobAnswer)
async def list_matches(job: str, request: Request) -> Any:
    """The job of a review: its result lists the matches. It is kept for a day, and every process can be asked."""
    try:
        found = queue(request).job(job)
    except jobs.JobError:
        result = match_lessons.reviews_json(await run_in_threadpool(_result, job, request))
        done = jobs.JobState.DONE
        return to_json(
            jobs.JobFacts(id=job, kind="review", state=done, ahead=0, progress=None, result=result, error=None)
        )
    return shown(request, found)


# -- what came of it --------------------------------------------------------------------------------------------
@reviews.get("/{job}/{match}")
async def read_review(found: OfReview, marks: Marks = "xg") -> ReviewedJson:
    """A match and the engine's verdicts on it, as `fullprime review --json` has it."""
    thresholds = thresholds_named(marks)
    return await run_in_threadpool(reviewed_json, found, thresholds)


@reviews.get("/{job}/{match}/lessons")
async def read_lessons(
    found: OfReview, marks: Marks = "xg", player: Annotated[str | None, Query(pattern="^[XO]$")] = None
) -> LessonsJson:
    """The errors of a match one by one: the board, the choices, the cost of each, and the reasons."""
    thresholds, side = thresholds_named(marks), Player[player] if player is not None else None
    told = await run_in_threadpool(match_lessons.lessons, found, thresholds, side)
    return {**match_lessons.summary(found), "lessons": told}


@reviews.get("/{job}/{match}/file", response_class=Response)
async def save_review(
    found: OfReview,
    format: Annotated[str, Query(max_length=20)] = "html",  # noqa: A002
    marks: Marks = "xg",
) -> Response:
    """The match with our analysis as a file.

    `html` is the report; else a format that `fullprime` writes.
    """
    if format == "html":
        thresholds = thresholds_named(marks)
        text = await run_in_threadpool(page, found, thresholds)
        data, extension = text.encode(), ".html"
    else:
        data, extension = await run_in_threadpool(match_lessons.exported, found, format)
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", " ".join(found.document.match.names)).strip("-")[:60] or "match"
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
        await run_in_threadpool(_reviewed, review, _number(match), request)
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
        found = await run_in_threadpool(_reviewed, job, number, request)
    except jobs.JobError:
        return page_file("review/review.html", 404)
    base = str(request.base_url)
    asked = _Page(job, number, marks, Player[player] if player in ("X", "O") else None, base)
    kind = "whole" if whole else "page"
    return _packed(request, await run_in_threadpool(_made, asked, kind, _Kept(found)), report_policy())


async def show_rest(job: str, match: int, request: Request, marks: Marks = "xg", player: str | None = None) -> Response:
    """The decisions that were right, for the page of a report."""
    found = await run_in_threadpool(_reviewed, job, match, request)
    asked = _Page(job, match, marks, Player[player] if player in ("X", "O") else None)
    return _packed(request, await run_in_threadpool(_made, asked, "rest", _Kept(found)))


async def draw_review(job: str, match: int, request: Request) -> Response:
    """The picture of a report: the position of its costliest decision, and both ratings."""
    thresholds = thresholds_named("xg")
    shown = await run_in_threadpool(lambda: match_lessons.preview(_reviewed(job, match, request), thresholds))
    return Response(await drawn(request, shown), media_type="image/png", headers=KEPT)


@dataclass(frozen=True, slots=True)
class _Page:
    """A page of a report: whose, and how it is marked."""

    job: str
    match: int
    marks: str
    player: Player | None
    base: str = ""
    """The address of this server, by which other sites find the picture of the report."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a page is made of. It follows from the page's own key, so that no two of them differ for a cache."""

    found: ReviewedMatch = field(compare=False)


@lru_cache(maxsize=24)
def _made(asked: _Page, kind: str, kept: _Kept) -> bytes:
    """A page, packed: to make one takes much longer than to send it."""
    found, thresholds, player = kept.found, thresholds_named(asked.marks), asked.player
    if kind == "rest":
        text = rest_of_page(found, thresholds, player)
    else:
        about = f"marks={quote(asked.marks)}" + (f"&player={player.name}" if player is not None else "")
        rest = "" if kind == "whole" else f"/review/{quote(asked.job)}/{asked.match}/right?{about}"
        more = _more(asked.job, asked.match, found, whole=kind == "whole")
        picture = f"/picture/review/{quote(asked.job)}/{asked.match}.png"
        preview = head_of(match_lessons.preview(found, thresholds), asked.base, picture)
        head = REPORT_HEAD + preview
        text = page(found, thresholds, player, head=head, top=_top(asked.job, asked.match, found), more=more, rest=rest)
    return gzip.compress(text.encode(), 6, mtime=0)


def _packed(request: Request, data: bytes, policy: str | None = None) -> Response:
    """The page, packed for a browser that can open it. It holds nothing that its address does not already give, so
    that its length tells a stranger nothing.
    """
    headers = {"Vary": "Accept-Encoding"} | ({"Content-Security-Policy": policy} if policy is not None else {})
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(data), media_type="text/html", headers=headers)
    return Response(data, media_type="text/html", headers={**headers, "Content-Encoding": "gzip"})


def _top(job: str, match: int, found: ReviewedMatch) -> str:
    """The bar above the report; no text that somebody typed is markup."""
    return (
        f'<header class="page-places"><div class="top">{places("library", ())}</div></header>'
        f'<nav class="page-top" aria-label="The way here" data-review="/review/{escape(job, quote=True)}"'
        f' data-match="{match}" data-variant="{escape(found.document.match.settings.variant.name)}">'
        f'<a href="/library">Library</a> &rsaquo; <a href="/review#{escape(job, quote=True)}">Reviews</a></nav>'
    )


def _more(job: str, match: int, found: ReviewedMatch, *, whole: bool) -> str:
    """What one does next, below the first figures: learn from the mistakes, save the report."""
    names = found.document.match.names
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
        f'<option value="{name}"{" selected" if name == found.review.level else ""}>{name}: {escape(about)}</option>'
        for name, about in match_lessons.review_levels().items()
    )
    judged = match_lessons.dated_words(found)
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
    """The usual policy, and besides the style and the script that stand in the report itself."""
    usual = guard.HEADERS["Content-Security-Policy"]
    for kind, texts in (("style", own_styles()), ("script", own_scripts())):
        digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
        named = " ".join(f"'sha256-{digest}'" for digest in digests)
        usual = usual.replace(f"{kind}-src 'self'", f"{kind}-src 'self' {named}")
    return usual

"""The routes and the pages of the library, and of studies that are shared out of it."""

from __future__ import annotations

from functools import partial

from fastapi import FastAPI

from fullprime.common.jobs import Jobs
from fullprime.library.background_reviews import BackgroundReviews
from fullprime.library.background_rollouts import BackgroundRollouts
from fullprime.web.pages import Page, page_file
from fullprime.web.routes.engine_queue import EngineQueue
from fullprime.web.routes.library.files import files
from fullprime.web.routes.library.matches import (
    library,
    open_board,
    show_match,
    show_match_board,
    show_match_report,
    show_rest_of_match,
)
from fullprime.web.routes.library.study import show_study, studies, study

PAGES = (
    ("/library", "library/library.html"),
    ("/library/search", "library/search.html"),
    ("/library/players", "library/players.html"),
    ("/library/player", "library/player.html"),
    ("/library/notes", "library/notes.html"),
    ("/library/collections", "library/collections.html"),
)


def add_library(app: FastAPI) -> None:
    """Add the routes and the pages to an application that has its accounts, its jobs and its reviews."""
    app.state.background_rollouts = BackgroundRollouts(app.state.accounts.engine, app.state.jobs)
    app.state.background_reviews = BackgroundReviews(app.state.game_server, partial(_engine_is_wanted, app))
    for router in (library, files, study, studies):
        app.include_router(router)
    for path, name in PAGES:
        app.get(path, include_in_schema=False)(partial(_page, name))
    app.get("/library/board/{match}/{game}/{event}", include_in_schema=False)(open_board)
    app.get("/library/match/{match}", include_in_schema=False)(show_match)
    app.get("/study/{link}", include_in_schema=False)(show_study)
    app.get("/library/match/{match}/report", include_in_schema=False)(show_match_report)
    app.get("/library/match/{match}/board", include_in_schema=False)(show_match_board)
    app.get("/library/match/{match}/right", include_in_schema=False)(show_rest_of_match)


def _engine_is_wanted(app: FastAPI) -> bool:
    """True while a job or a question at a board waits for the engine."""
    jobs: Jobs = app.state.jobs
    engine_queue: EngineQueue = app.state.engine_queue
    return any(jobs.count_jobs().values()) or any(engine_queue.count_questions().values())


def _page(name: str) -> Page:
    return page_file(name, 200)


__all__ = ["add_library"]

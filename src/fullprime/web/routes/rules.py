"""Routes of the rules: those of any game with any options, and those of a game that is played here."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from fullprime.analysis.laboratory import LabResult, laboratory
from fullprime.common.jobs import Job
from fullprime.messages import render_all
from fullprime.play.options.houses import HousePage, house_page, pairs_of
from fullprime.play.options.options import make_settings
from fullprime.play.options.rule_pages import RulePage, rule_page
from fullprime.web.languages import language_of
from fullprime.web.models.analysis import LabOrder
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.analysis import JobAnswer, answer_new_job, queue, visitor_key
from fullprime.web.routes.callers import InSession, Seated
from fullprime.web.routes.values import ValueRoute

LAB_SECONDS = 900.0
"""The most that the laboratory may take for one question."""

rules = APIRouter(tags=["server"], responses=REFUSALS, route_class=ValueRoute)


@rules.get("/api/rules")
async def read_rules(
    request: Request,
    variant: Annotated[str, Query(max_length=60, description="the game")] = "backgammon",
    preset: Annotated[str | None, Query(max_length=60, description="settings under one name")] = None,
    rule: Annotated[
        list[Annotated[str, Query(max_length=80)]] | None,
        Query(max_length=40, description="an option as `name=value`; may be given again"),
    ] = None,
) -> RulePage:
    """The rules of a game with these options, in words and small boards."""
    page = await run_in_threadpool(lambda: rule_page(make_settings(variant, preset=preset, rules=rule or ())))
    return render_all(page, language_of(request))


@rules.get("/api/house")
async def read_house(
    request: Request,
    variant: Annotated[str, Query(max_length=60, description="the game")] = "backgammon",
    rule: Annotated[
        list[Annotated[str, Query(max_length=80)]] | None,
        Query(max_length=40, description="an option as `name=value`; may be given again"),
    ] = None,
) -> HousePage:
    """Every option of a game as a house has it, with what it leads to, and the values that exclude each other."""
    page = await run_in_threadpool(lambda: house_page(variant, pairs_of(rule or ())))
    return render_all(page, language_of(request))


@rules.post("/api/house/lab", status_code=202)
async def ask_laboratory(body: LabOrder, request: Request) -> JobAnswer:
    """Have the engine play games with these rules and without: a job, whose result compares them.

    `Accept: application/x-ndjson` gets the job's stream at once. Stopped, it compares the games played by then.
    """
    await run_in_threadpool(house_page, body.variant, body.rules)

    def work(job: Job) -> LabResult:
        return laboratory(body.variant, body.rules, games=body.games, progress=job.report, stop=lambda: job.stopped)

    return answer_new_job(request, queue(request).submit(visitor_key(request), "lab", work, seconds=LAB_SECONDS))


@rules.get("/api/games/{game}/rules", tags=["games"])
async def read_rules_of_game(handle: InSession, _seat: Seated, request: Request) -> RulePage:
    """The rules of a game that is played here, with the options in force; of a private one for its players alone."""
    page = await run_in_threadpool(rule_page, handle.session.terms.settings)
    return render_all(page, language_of(request))

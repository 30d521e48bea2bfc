"""Routes of the rules: those of any game with any options, and those of a game that is played here."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from fullprime.analysis.laboratory import LabJson, laboratory
from fullprime.common.jobs import Job
from fullprime.messages import render_all
from fullprime.play.options.houses import HouseJson, house_page, pairs_of
from fullprime.play.options.options import make_settings
from fullprime.play.options.rule_pages import RulesJson, rule_page
from fullprime.web.languages import language_of
from fullprime.web.models.analysis import JobAnswer, LabOrder
from fullprime.web.models.described import described
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.analysis import queue, told, visitor
from fullprime.web.routes.callers import InRoom, Seated

described(RulesJson, HouseJson)

LAB_SECONDS = 900.0
"""The most that the laboratory may take for one question."""

rules = APIRouter(tags=["server"], responses=REFUSALS)


@rules.get("/api/rules")
async def read_rules(
    request: Request,
    variant: Annotated[str, Query(max_length=60, description="the game")] = "backgammon",
    preset: Annotated[str | None, Query(max_length=60, description="settings under one name")] = None,
    rule: Annotated[
        list[Annotated[str, Query(max_length=80)]] | None,
        Query(max_length=40, description="an option as `name=value`; may be given again"),
    ] = None,
) -> RulesJson:
    """The rules of a game with these options, in words and small boards."""
    made = await run_in_threadpool(lambda: rule_page(make_settings(variant, preset=preset, rules=rule or ())))
    return render_all(made, language_of(request))


@rules.get("/api/house")
async def read_house(
    request: Request,
    variant: Annotated[str, Query(max_length=60, description="the game")] = "backgammon",
    rule: Annotated[
        list[Annotated[str, Query(max_length=80)]] | None,
        Query(max_length=40, description="an option as `name=value`; may be given again"),
    ] = None,
) -> HouseJson:
    """Every option of a game as a house has it, with what it leads to, and the values that exclude each other."""
    made = await run_in_threadpool(lambda: house_page(variant, pairs_of(rule or ())))
    return render_all(made, language_of(request))


@rules.post("/api/house/lab", status_code=202, response_model=JobAnswer)
async def ask_laboratory(asked: LabOrder, request: Request) -> Any:
    """Have the engine play games with these rules and without: a job, whose result compares them.

    `Accept: application/x-ndjson` gets the job's stream at once. Stopped, it compares the games played by then.
    """
    await run_in_threadpool(house_page, asked.variant, asked.rules)

    def work(job: Job) -> LabJson:
        return laboratory(asked.variant, asked.rules, games=asked.games, progress=job.report, stop=lambda: job.stopped)

    return told(request, queue(request).submit(visitor(request), "lab", work, seconds=LAB_SECONDS))


@rules.get("/api/games/{game}/rules", tags=["games"])
async def read_rules_of_game(room: InRoom, _seat: Seated, request: Request) -> RulesJson:
    """The rules of a game that is played here, with the options in force; of a private one for its players alone."""
    made = await run_in_threadpool(rule_page, room.session.terms.settings)
    return render_all(made, language_of(request))

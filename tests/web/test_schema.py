"""The API and its document: whatever is sent, every route answers as `/api/openapi.json` says, and never with a 5xx."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from tests.web.inside import TestClient
from tests.web.seat import Seat, create, friends

from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.server import create_app

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    from schemathesis.generation import GenerationMode
    from schemathesis.specs.openapi import checks

CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
ENDLESS = "/stream"
"""Routes that go on telling have tests of their own."""
ANY_WORD = frozenset(
    ("GET /api/analysis/jobs/{job}", "POST /api/analysis/jobs/{job}/stop", "GET /api/reviews/{job}",
     "GET /picture/game/{game}.png")
)  # fmt: skip
"""Routes that take one word, whichever: to look for a wrong one takes two seconds each, and there is none."""
START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


@dataclass(frozen=True)
class Place:
    """An application with games in several states, and the names by which a request may call them."""

    client: Any
    schema: Any
    values: dict[str, list[str]]
    """What may stand for a parameter of a path, beside nonsense."""
    headers: list[dict[str, str]]


@pytest.fixture
def place() -> Iterator[Place]:
    memory = Path("/dev/shm")
    with (
        warnings.catch_warnings(),
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder,
    ):
        warnings.simplefilter("ignore")
        app = create_app(str(Path(folder) / "games.db"), hosts=None, limits=NO_LIMITS)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield fill_place(client, schemathesis.openapi.from_asgi("/api/openapi.json", app))


def fill_place(client: Any, schema: Any) -> Place:
    seats: list[Seat] = [
        create(client, opponent="friend", begin=False)[0],
        create(client, position=START, rules={"length": 5})[0],
        create(client, opponent="screen", other_name="Other", rules={"length": 0})[0],
        *friends(client, rules={"length": 3}),
    ]
    private = create(client, spectators=False)[0]
    headers = [{}, *(seat.headers for seat in [*seats, private])]
    answer = client.post("/api/account/sign-up", json={"name": "Cleo", "password": "a long password 1"})
    assert answer.status_code in (200, 201), answer.text
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    client.cookies.clear()
    headers.append({"Cookie": cookies})
    games = [seat.game for seat in [*seats, private]]
    return Place(
        client,
        schema,
        {"game": games, "name": ["Cleo"], "level": ["1", "3"], "lesson": ["first-game"], "step": ["2", "5"]},
        headers,
    )


def operations(schema: Any) -> Iterator[Any]:
    for found in schema.get_all_operations():
        operation = found.ok()
        if ENDLESS not in operation.path:
            yield operation


def check(
    place: Place, examples: int, mode: Any, but_for: frozenset[str] = frozenset()
) -> tuple[dict[str, str], set[str]]:
    """Ask every route; gives what was wrong, by route, and the routes that cannot be sent anything wrong."""
    faults: dict[str, str] = {}
    never_wrong: set[str] = set()
    for operation in operations(place.schema):
        if operation.label in but_for:
            continue

        @settings(
            max_examples=examples,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
        def ask(case: Any, data: Any) -> None:
            for name, values in place.values.items():
                if name in (case.path_parameters or {}) and data.draw(st.booleans(), label="known"):
                    case.path_parameters[name] = data.draw(st.sampled_from(values), label=name)
            headers = data.draw(st.sampled_from(place.headers), label="who")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = case.call(headers=headers)
                case.validate_response(answer, checks=CHECKS)

        try:
            ask()
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE
            never_wrong.add(operation.label)
        except Exception as error:  # noqa: BLE001 - all routes are asked, and all that is wrong is told
            faults[operation.label] = str(error)
    return faults, never_wrong


@pytest.mark.broad
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_every_route_answers_as_the_document_says(place: Place, mode: str) -> None:
    if mode == "positive":
        faults, _ = check(place, 3, GenerationMode(mode))
    else:
        faults, _ = check(place, 1, GenerationMode(mode), ANY_WORD)
    assert faults == {}


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_every_route_answers_as_the_document_says_at_length(place: Place, mode: str) -> None:
    faults, never_wrong = check(place, 200, GenerationMode(mode))
    assert faults == {}
    assert mode == "positive" or never_wrong >= ANY_WORD

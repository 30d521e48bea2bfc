"""Error answers: a sentence, a code and the facts in it, from each place that refuses."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.web.inside import TestClient
from tests.web.seat import create, friends

import fullprime.web
from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreFailed
from fullprime.messages import Message
from fullprime.rules.errors import ErrorCode
from fullprime.web.connections.fair_queue import FairQueue, QueueFull
from fullprime.web.connections.open_streams import TooManyStreams
from fullprime.web.error_answers import STATUS, encode_error, to_error
from fullprime.web.rate_limits import LARGEST_BODY, RequestLimits, RequestRate

Answered = tuple[int, str, Mapping[str, Any], str | None]
"""The status, the code, the facts and the field of an error answer."""
OF_CONNECTIONS = {"timed_out"}
"""Codes of requests that no application gets: tests/web/test_connections.py reads their answers."""


@pytest.fixture
def app(make_app: Callable[..., Any], tmp_path: Path) -> Any:
    return make_app(tmp_path / "games.db", limits=RequestLimits(None, None, RequestRate(4, 0), None))


@pytest.fixture
def client(app: Any) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost", headers={"Accept-Language": "en"}) as client:
        yield client


def error_of(answer: Any) -> Answered:
    """An error answer, once its shape is held."""
    error = answer.json()
    assert answer.headers["content-type"] == "application/json"
    assert set(error) - {"field"} == {"error", "code", "facts"}, error
    assert isinstance(error["error"], str), error
    assert error["error"], error
    assert error["code"] in get_args(ErrorCode), error
    for name, fact in error["facts"].items():
        assert isinstance(fact, str | int | float | None), name
    assert error.get("field", "some") is not None, "a field that is not there is left out"
    assert answer.status_code == STATUS[error["code"]] or (answer.status_code, error["code"]) in {
        (422, "invalid"),
        (405, "no_route"),
    }
    assert ("retry-after" in answer.headers) == (answer.status_code in (429, 503))
    return answer.status_code, error["code"], error["facts"], error.get("field")


@pytest.mark.logs_errors
def test_each_code_has_a_status_and_a_request_that_gets_it(app: Any, client: TestClient) -> None:
    assert set(STATUS) == set(get_args(ErrorCode))
    host, guest = friends(client)
    for seat in (host, guest):
        seat.post("seed", {"seed": "0123abcd"})
    bot, _ = create(client, automatic=False)
    watcher = type(bot)(client, bot.game, None)
    person = {"name": "Ann", "password": "seven green turtles"}
    assert client.post("/api/account/sign-up", json=person).status_code in (200, 201)
    client.cookies.clear()
    answers = {
        "illegal": bot.act("take"),
        "invalid": client.post("/api/analysis/read", json={"text": "XGID=nonsense"}),
        "unknown": client.get("/api/account/tokens"),
        "forbidden": watcher.act("roll"),
        "missing": client.get("/api/games/nowhere"),
        "no_route": client.get("/api/nowhere"),
        "stale": bot.act("roll", sequence=9999),
        "taken": client.post("/api/account/sign-up", json=person),
        "too_large": client.post("/api/games", content=b"x" * (LARGEST_BODY + 1)),
        "misdirected": client.get("/api/health", headers={"Host": "example.org"}),
    }
    for _ in range(4):
        answers["busy"] = client.post("/api/games", json={})
    for code, error in (
        ("full", TooManyStreams(Message("too many live lines are open: try again in a little while"))),
        ("unavailable", StoreFailed("the disk is full")),
    ):
        answers[code] = refuse(app, client, error)
    codes = {code: error_of(answer)[1] for code, answer in answers.items()}
    assert codes == {code: code for code in answers}
    assert set(answers) == set(STATUS) - OF_CONNECTIONS - {"fault"}


def refuse(app: Any, client: TestClient, error: Exception) -> Any:
    """The answer of a route that raises an error."""

    def raise_it() -> None:
        raise error

    app.get(path := f"/api/raises/{len(app.routes)}")(raise_it)
    return client.get(path)


@pytest.mark.logs_errors
def test_a_fault_of_the_server_has_its_number_among_the_facts(app: Any) -> None:
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        answer = refuse(app, client, RuntimeError("no word of this is sent"))
    status, code, facts, _ = error_of(answer)
    assert (status, code) == (500, "fault")
    assert answer.json()["error"].endswith(facts["number"])


def test_what_the_middleware_refuses_has_the_same_shape(app: Any, client: TestClient) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * 1000

    too_large = (413, "too_large", {"largest": LARGEST_BODY}, None)
    assert error_of(client.post("/api/account/sign-in", content=b"x" * (LARGEST_BODY + 1))) == too_large
    assert error_of(client.post("/api/account/sign-in", content=parts())) == too_large
    foreign = client.post("/api/games", json={}, headers={"Origin": "https://example.org"})
    assert error_of(foreign) == (403, "forbidden", {}, None)


def test_a_queue_that_is_full_answers_in_the_language_of_its_reader(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_full(self: FairQueue, owner: str) -> None:
        raise QueueFull

    monkeypatch.setattr(FairQueue, "enter", is_full)
    answer = client.post("/api/account/sign-in", json={}, headers={"Accept-Language": "de"})
    assert error_of(answer) == (503, "full", {}, None)
    assert "versuch es gleich" in answer.json()["error"]


def test_a_request_that_its_route_does_not_take_names_the_field(client: TestClient) -> None:
    for path, body, field, fact in (
        ("/api/games", {"nonsense": 1}, "nonsense", {}),
        ("/api/games", {"grace": -1}, "grace", {"bound": "0"}),
        ("/api/games", {"rules": {"length": [1]}}, "rules.length.str", {}),
        ("/api/games/nothing/act", {"line": ""}, "line", {"n": 1}),
    ):
        status, code, facts, wrong = error_of(client.post(path, json=body))
        assert (status, code, wrong) == (422, "invalid", field)
        assert fact.items() <= facts.items()
    unread = client.post("/api/account/sign-in", content=b"{", headers={"Content-Type": "application/json"})
    assert error_of(unread)[::3] == (422, None)
    assert unread.json()["error"] == "the request: this is not JSON"


def test_an_option_that_is_wrong_is_named(client: TestClient) -> None:
    status, code, _, field = error_of(client.post("/api/games", json={"rules": {"length": 1, "beavers": "perhaps"}}))
    assert (status, code, field) == (400, "invalid", "beavers")


def test_a_method_that_an_address_does_not_take_is_no_route(client: TestClient) -> None:
    answer = client.delete("/api/health")
    assert error_of(answer) == (405, "no_route", {"method": "DELETE"}, None)
    assert answer.headers["allow"] == "GET"


@pytest.mark.parametrize(
    "path", ["/api/games/nowhere", "/api/learn/lessons/nowhere", "/api/glossary/pryme", "/api/lobby/nowhere"]
)
def test_a_thing_that_is_not_there_is_missing(client: TestClient, path: str) -> None:
    assert error_of(client.get(path))[:2] in {(404, "missing"), (404, "no_route"), (405, "no_route")}


def test_facts_are_the_values_in_the_sentence() -> None:
    inner = Message("{bound} or more is needed", bound=2.5)
    message = Message("{field}: {fault}, {size}", field="seats", fault=inner, size=float("inf"))
    assert to_error("invalid", message).facts == {"bound": 2.5, "field": "seats", "fault": str(inner), "size": "inf"}
    assert encode_error(to_error("invalid", message))
    assert to_error("invalid", "a plain text").facts == {}
    by_number = Message.by_number(3, "{n} point", "{n} points")
    assert to_error("invalid", Message("not {points}", points=by_number), "de").facts == {"n": 3, "points": "3 Punkte"}


def test_a_refusal_keeps_its_facts_on_the_way_to_the_answer(app: Any, client: TestClient) -> None:
    error = Refusal(Message("the name {name} is taken", name="Ann"), "taken")
    assert error_of(refuse(app, client, error)) == (409, "taken", {"name": "Ann"}, None)


def test_the_document_has_one_error_for_all_refusals(app: Any) -> None:
    document = app.openapi()
    assert document["components"]["schemas"]["Error"]["properties"]["code"]["enum"] == list(get_args(ErrorCode))
    schemas = {
        (status, answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2])
        for path in document["paths"].values()
        for operation in path.values()
        for status, answer in operation["responses"].items()
        if status >= "400"
    }
    assert {name for _, name in schemas} == {"Error", "HealthAnswer"}
    assert [status for status, name in schemas if name == "HealthAnswer"] == ["503"]


def test_no_other_module_makes_an_error_answer() -> None:
    """One that writes a dictionary with ``error``, or names the JSON response of the framework, would be another."""
    package = Path(fullprime.web.__file__).parent
    others = []
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [key.value for key in node.keys if isinstance(key, ast.Constant)] if isinstance(node, ast.Dict) else []
            )
            if "error" in names or (isinstance(node, ast.Name) and node.id == "JSONResponse"):
                others.append(f"{path.relative_to(package)}:{node.lineno}")
    assert others == []

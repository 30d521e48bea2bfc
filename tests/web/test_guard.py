"""What stands before every request: rates, sizes, sites, names, headers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect
from tests.web.conftest import Server
from tests.web.inside import TestClient
from tests.web.seat import create

from fullprime.web import addresses, middleware, rate_limits
from fullprime.web.middleware import BodyMemory, LimitedBody, Middleware
from fullprime.web.monitoring import Metrics
from fullprime.web.rate_limits import LARGEST_BODY, RequestLimits, RequestRate
from fullprime.web.server import create_app

HERE = {"Host": "localhost"}
NEVER = RequestRate(3, 0.0)
"""Three at once, and no more after that."""


def limits_of(**limits: Any) -> RequestLimits:
    """These limits alone."""
    return RequestLimits(**{"reading": None, "acting": None, "creating": None, "guessing": None, **limits})


def application(tmp_path: Path, **limits: Any) -> Any:
    """An application to be served, with these limits alone."""
    return create_app(str(tmp_path / "games.db"), limits=limits_of(**limits))


def at(app: Any, address: str = "127.0.0.1") -> TestClient:
    return TestClient(app, base_url="http://localhost", client=(address, 50000))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with at(application(tmp_path)) as client:
        yield client


@pytest.mark.parametrize(
    ("kind", "method", "path"),
    [
        ("reading", "GET", "/api/health"),
        ("acting", "POST", "/api/games/nothing/act"),
        ("creating", "POST", "/api/games"),
        ("creating", "POST", "/api/lobby"),
        ("creating", "POST", "/api/lobby/seek"),
        ("creating", "POST", "/api/analysis/jobs"),
        ("guessing", "POST", "/api/account/sign-in"),
        ("guessing", "POST", "/api/account/sign-up"),
    ],
)
def test_a_rate_holds_for_each_address(
    make_app: Callable[..., Any], tmp_path: Path, kind: str, method: str, path: str
) -> None:
    app = make_app(tmp_path / "games.db", limits=limits_of(**{kind: NEVER}))
    here, there = at(app), at(app, "192.0.2.7")
    codes = [here.request(method, path, json=[]).status_code for _ in range(5)]
    assert [code == 429 for code in codes] == [False, False, False, True, True]
    assert there.request(method, path, json=[]).status_code != 429, "others are not hindered"
    refused = here.request(method, path, json=[])
    assert "too many requests" in refused.json()["error"]
    assert "default-src 'none'" in refused.headers["content-security-policy"]


def test_the_paths_with_rates_of_their_own_are_routes(make_app: Callable[..., Any]) -> None:
    paths = make_app().openapi()["paths"]
    assert [path for path in (*rate_limits.CREATING, *rate_limits.GUESSING) if "post" not in paths.get(path, {})] == []


def test_live_lines_are_counted_as_well(make_app: Callable[..., Any], tmp_path: Path) -> None:
    app = make_app(tmp_path / "games.db", limits=limits_of(acting=NEVER))
    client = at(app)
    for _ in range(3):
        with client.websocket_connect("/api/games/nothing/live", headers=HERE) as line:
            line.send_text("{}")
            with pytest.raises(WebSocketDisconnect):
                line.receive_text()
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect("/api/games/nothing/live", headers=HERE),
    ):
        pass
    assert "too many" in refused.value.reason


def test_one_network_of_ipv6_is_one_visitor(make_app: Callable[..., Any], tmp_path: Path) -> None:
    app = make_app(tmp_path / "games.db", limits=limits_of(reading=NEVER))
    codes = [at(app, f"2001:db8::{n}").get("/api/health").status_code for n in range(1, 6)]
    assert codes == [200, 200, 200, 429, 429]
    assert at(app, "2001:db8:0:1::1").get("/api/health").status_code == 200


@pytest.mark.broad
def test_a_whole_site_of_ipv6_creates_no_more_than_a_few_addresses(
    make_app: Callable[..., Any], tmp_path: Path
) -> None:
    app = make_app(tmp_path / "games.db", limits=limits_of(creating=NEVER, guessing=NEVER))
    for path, most in (("/api/games", 12), ("/api/account/sign-in", 48)):
        codes = [at(app, f"2001:db8:7:{n:x}::1").post(path, json={}, headers=HERE).status_code for n in range(most + 2)]
        assert codes[most:] == [429] * 2
        assert 429 not in codes[:most], "as many as some addresses may"
        assert at(app, "2001:db8:8::1").post(path, json={}, headers=HERE).status_code != 429
        ipv4 = [at(app, f"192.0.2.{n}").post(path, json={}, headers=HERE).status_code for n in range(20)]
        assert 429 not in ipv4


def test_an_ipv4_address_in_ipv6_is_that_ipv4_address(make_app: Callable[..., Any], tmp_path: Path) -> None:
    app = make_app(tmp_path / "games.db", limits=limits_of(reading=NEVER))
    codes = [at(app, f"::ffff:192.0.2.{n}").get("/api/health").status_code for n in range(1, 6)]
    assert codes == [200] * 5, "they are not one network"
    assert [addresses.client_key({"client": (address, 1)}) for address in ("::ffff:192.0.2.7", "::FFFF:c000:207")] == [
        "192.0.2.7"
    ] * 2
    codes = [at(app, address).get("/api/health").status_code for address in ("192.0.2.7", "::ffff:192.0.2.7") * 2]
    assert codes == [200, 200, 200, 429], "written one way or the other, it is one address"


@pytest.mark.broad
def test_a_proxy_on_this_machine_says_for_whom_it_speaks(tmp_path: Path) -> None:
    """And nobody else does: `--proxy` names those that are believed."""
    server = Server(tmp_path / "games.db")
    try:
        with httpx.Client(base_url=server.url, timeout=60) as client:

            def ask(address: str) -> int:
                headers = {"X-Forwarded-For": address}
                return client.post("/api/account/sign-in", json={}, headers=headers).status_code

            assert any(ask("198.51.100.1") == 429 for _ in range(120))
            assert ask("198.51.100.2") == 422
    finally:
        server.stop()


def test_a_body_is_cut_off_whether_or_not_it_says_its_length(client: TestClient) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(40):
            yield b"x" * 1000

    for body in (b"x" * (LARGEST_BODY + 1), parts()):
        answer = client.post("/api/games", content=body)
        assert answer.status_code == 413
        assert answer.json()["error"] == f"a request has at most {LARGEST_BODY} bytes"
    for length in ("-1", "1e9", "9" * 30, "²"):
        answer = client.post("/api/games", content=b"{}", headers={"Content-Length": length.encode()})
        assert answer.status_code == 413, length


@pytest.mark.broad
def test_no_path_below_that_of_files_takes_more_than_a_usual_one(client: TestClient) -> None:
    """8 MiB of JSON, sent to the way to judge a review again, held the event loop for a second and took 300 MiB."""
    body = b"[" + b"[]," * (LARGEST_BODY // 3) + b"[]]"
    answer = client.post("/api/reviews/x/1/again", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert rate_limits.largest_body("/api/reviews/") == rate_limits.largest_body("/api/reviews") > LARGEST_BODY
    is_file = {"/api/real/record", "/api/real/boards"}  # read as JSON, and larger than others: a match written down
    for path, operations in client.get("/api/openapi.json").json()["paths"].items():
        media = operations.get("post", {}).get("requestBody", {}).get("content", {})
        if "application/json" in media:
            assert rate_limits.largest_body(path) <= (1 << 18 if path in is_file else LARGEST_BODY), path


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Origin": "http://localhost"}, 201),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 201),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "http://localhost:81"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": "http://[::1"}, 403),
        ({"Origin": "http://]["}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost.evil.example"}, 421),
        ({"Host": "[::1"}, 421),
    ],
)
def test_only_pages_of_this_server_change_something(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.post("/api/games", json={}, headers=headers).status_code == status


def test_a_form_of_another_site_is_no_request(client: TestClient) -> None:
    """What browsers send without asking first: text and forms, with cookies but from elsewhere."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        headers = {"Content-Type": kind, "Origin": "http://evil.example", "Cookie": "fullprime_session=x"}
        assert client.post("/api/games", content=b"{}", headers=headers).status_code == 403


def test_a_live_line_of_another_site_is_refused(client: TestClient) -> None:
    seat, _ = create(client)  # type: ignore[arg-type]
    path = f"/api/games/{seat.game}/live"
    with client.websocket_connect(path, headers={**HERE, "Origin": "http://localhost"}) as line:
        line.send_text('{"key": null}')
        assert line.receive_text()
    for other in ({**HERE, "Origin": "http://evil.example"}, {"Host": "evil.example"}):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers=other):
            pass


def test_every_answer_has_the_headers(client: TestClient) -> None:
    for path in ("/", "/nowhere", "/static/game/game.js", "/static/../server.py", "/api/health", "/api/games/nothing"):
        headers = client.get(path).headers
        wanted = set(middleware.HEADERS) - (middleware.OF_DOCUMENTS if path.endswith(".js") else frozenset())
        assert {name.lower() for name in wanted} <= set(headers), path
        assert "unsafe" not in headers["content-security-policy"]


def test_a_cookie_is_for_this_server_and_no_script(client: TestClient) -> None:
    answer = client.post("/api/account/sign-up", json={"name": "Cleo", "password": "a long password 1"})
    assert answer.status_code == 201, answer.text
    cookies = answer.headers.get_list("set-cookie")
    assert {cookie.split("=")[0] for cookie in cookies} == {"fullprime_session", "fullprime_browser"}
    for cookie in cookies:
        assert "httponly" in cookie.lower()
        assert "samesite=strict" in cookie.lower() or "samesite=lax" in cookie.lower()
    assert "a long password 1" not in answer.text


class Slow:
    """An application behind the guard whose requests end when they are told to."""

    def __init__(self) -> None:
        self.running = 0
        self.go_on = asyncio.Event()
        self.guard = Middleware(
            self.answer, gate=rate_limits.RequestGate(None, rate_limits.NO_LIMITS), metrics=Metrics()
        )

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.running += 1
        await receive()
        await self.go_on.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def ask(self, path: str, receive: Receive | None = None, address: str = "192.0.2.1") -> int:
        statuses: list[int] = []

        async def whole() -> Message:
            return {"type": "http.request", "body": b"{}"}

        async def send(message: Message) -> None:
            statuses.append(message.get("status", 0))

        scope = {"type": "http", "method": "POST", "path": path, "headers": [], "client": (address, 1)}
        await self.guard(scope, receive or whole, send)
        return statuses[0]

    def asking(self, path: str, number: int, address: str, receive: Receive | None = None) -> list[asyncio.Task[int]]:
        return [asyncio.create_task(self.ask(path, receive, address)) for _ in range(number)]


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


# -- errors -----------------------------------------------------------------------------------------------------
class Failing:
    """An application behind the guard that raises an error, in the midst of its answer where it ``begins`` one."""

    def __init__(self, error: Exception, *, begins: bool = False) -> None:
        self._error, self._begins = error, begins
        gate = rate_limits.RequestGate(None, rate_limits.NO_LIMITS)
        handlers = {LookupError: self.handle}
        self.guard = Middleware(self.answer, gate=gate, metrics=Metrics(), handlers=handlers)

    async def answer(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        if self._begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise self._error

    async def handle(self, _request: Request, error: LookupError) -> Response:
        if not error.args:
            raise ValueError("the handler fails as well")
        return PlainTextResponse("nothing there", 404)

    def send_request(self) -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": ("192.0.2.1", 1)}
        asyncio.run(self.guard(scope, receive, send))
        return sent


def test_an_error_is_answered_by_the_handler_of_its_class() -> None:
    begun, body = Failing(KeyError("x")).send_request()
    assert (begun["status"], body["body"]) == (404, b"nothing there")
    assert dict(begun["headers"])[b"x-content-type-options"] == b"nosniff"


@pytest.mark.logs_errors
@pytest.mark.parametrize("error", [ValueError("unexpected"), LookupError()])
def test_an_error_without_a_handler_or_of_one_is_a_plain_fault(error: Exception) -> None:
    begun, body = Failing(error).send_request()
    assert begun["status"] == 500
    assert b"a fault of the server" in body["body"]


@pytest.mark.logs_errors
def test_an_error_in_the_midst_of_an_answer_ends_it() -> None:
    with pytest.raises(KeyError):
        Failing(KeyError("x"), begins=True).send_request()


def test_nothing_but_our_middleware_stands_before_the_routes(tmp_path: Path) -> None:
    """Each layer is passed at every turn of every request and stream."""
    app = application(tmp_path)
    stack = app.build_middleware_stack()
    assert isinstance(stack, Middleware)
    assert stack._app == app.router.app
    app.state.game_server.close()


QUEUES = [("/api/account/sign-in", 2, 20), ("/api/games", 3, 60)]


@pytest.mark.parametrize(("path", "at_once", "waiting"), QUEUES)
def test_few_hash_passwords_or_make_games_at_once_and_some_wait(path: str, at_once: int, waiting: int) -> None:
    async def test() -> None:
        slow = Slow()
        tasks = slow.asking(path, at_once + waiting, "192.0.2.1")
        await settled()
        assert slow.running == at_once
        assert await slow.ask(path) == 503
        slow.go_on.set()
        assert set(await asyncio.gather(*tasks)) == {200}
        assert await slow.ask("/api/games/x/act") == 200

    asyncio.run(test())


@pytest.mark.parametrize(("path", "at_once", "waiting"), QUEUES)
def test_bodies_that_do_not_come_take_no_place_of_others(path: str, at_once: int, waiting: int) -> None:
    async def test() -> None:
        slow, sent = Slow(), asyncio.Event()

        async def slowly() -> Message:
            await sent.wait()
            return {"type": "http.request", "body": b"{}"}

        slow.go_on.set()
        dawdlers = [task for host in (1, 2) for task in slow.asking(path, waiting, f"192.0.2.{host}", slowly)]
        await settled()
        assert await slow.ask(path, address="192.0.2.1") == 200
        assert await slow.ask(path, address="192.0.2.3") == 200
        sent.set()
        assert set(await asyncio.gather(*dawdlers)) <= {200, 503}

    asyncio.run(test())


@pytest.mark.parametrize(("path", "at_once", "waiting"), QUEUES)
def test_a_crowd_at_one_address_makes_room_for_others(path: str, at_once: int, waiting: int) -> None:
    async def test() -> None:
        slow = Slow()
        crowd = slow.asking(path, at_once + waiting, "192.0.2.1")
        await settled()
        others = [slow.asking(path, 1, f"198.51.100.{host}")[0] for host in range(1, 6)]
        await settled()
        assert sum(task.done() for task in crowd) == len(others), "the last of the crowd have lost their places"
        slow.go_on.set()
        assert set(await asyncio.gather(*others)) == {200}
        assert sorted(await asyncio.gather(*crowd)) == [200] * (at_once + waiting - 5) + [503] * 5

    asyncio.run(test())


def test_bodies_that_are_sent_in_part_hold_a_share_of_memory() -> None:
    """The largest of the address that holds most ends; those of others go on."""
    bodies, ended = BodyMemory(100), list[str]()

    def body(name: str, owner: str) -> LimitedBody:
        async def receive() -> Message:
            return {"type": "http.request", "body": bytes(30), "more_body": True}

        return LimitedBody(receive, 1000, bodies, owner, lambda: ended.append(name))

    async def test() -> None:
        first, second, other = body("first", "a"), body("second", "a"), body("other", "b")
        for sender in (first, second, second):
            assert (await sender())["type"] == "http.request"
        assert (await other())["type"] == "http.request"
        assert ended == ["second"]
        assert (await second())["type"] == "http.disconnect"
        assert (await first())["type"] == "http.request"
        assert (await other())["type"] == "http.request"
        assert (await first())["type"] == "http.disconnect"
        assert ended == ["second", "first"]

    asyncio.run(test())


@pytest.mark.broad
def test_an_account_is_not_challenged_without_end_by_one_who_withdraws(tmp_path: Path) -> None:
    """The account hears of each challenge at once. Ten at most stood at a time, and yet thousands came in an hour."""
    app = application(tmp_path, creating=RequestRate(1000, 0))
    with at(app, "192.0.2.1") as rude:
        other = at(app, "192.0.2.2")  # the application is started once: it would be ended twice
        for name in ("Ann", "Bob"):
            assert other.post("/api/account/sign-up", json={"name": name, "password": "tiger lilies"}).is_success

        def challenged(browser: TestClient, name: str) -> int:
            answer = browser.post(f"/api/challenge/{name}", json={"name": "Cid", "rules": {"length": 1}})
            if answer.is_success:
                key = {"Authorization": f"Bearer {answer.json()['key']}"}
                browser.post(f"/api/challenge/{answer.json()['challenge']['id']}/cancel", headers=key)
            return answer.status_code

        for _ in range(3):
            bad = rude.post("/api/challenge/Ann", json={"name": "Cid", "rules": {"length": -1}})
            assert bad.status_code in (400, 422), "one that fails is not counted"
        assert [challenged(rude, "Ann") for _ in range(12)] == [201] * 10 + [429] * 2
        refused = rude.post("/api/challenge/Ann", json={"name": "Cid", "rules": {"length": 1}})
        assert "challenged often from your address: wait a minute" in refused.json()["error"]
        site = [challenged(at(app, f"2001:db8:7:{number:x}::1"), "Bob") for number in range(32)]
        assert site == [201] * 30 + [429] * 2, "a whole site of IPv6 is not 65,536 guests"
        assert refused.headers["retry-after"] == "60"
        assert (challenged(other, "Ann"), challenged(rude, "Bob")) == (201, 201)


@pytest.mark.broad
def test_a_class_behind_one_address_may_challenge_its_teacher(tmp_path: Path) -> None:
    """Accounts are counted each for itself, and by thirties those of an address; guests beside them as before."""
    app = application(tmp_path, creating=RequestRate(1000, 0), guessing=RequestRate(1000, 0))
    with at(app, "192.0.2.9") as teacher, at(app, "192.0.2.1") as school:
        assert teacher.post("/api/account/sign-up", json={"name": "Teacher", "password": "tiger lilies"}).is_success
        for number in range(11):
            school.cookies.clear()
            sign_up = {"name": f"Pupil{number}", "password": "tiger lilies"}
            assert school.post("/api/account/sign-up", json=sign_up).is_success
            assert school.post("/api/challenge/Teacher", json={"rules": {"length": 1}}).status_code == 201

"""HTTPS: spoken by the server itself with a certificate, or by a proxy in front of it."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.cli.commandline import CommandLine
from tests.web.browsing import at_table, open_form, until, window
from tests.web.conftest import Server, chromium
from tests.web.people import PASSWORD
from tests.web.seat import create
from websockets.asyncio.client import connect

from fullprime.accounts.service import LASTING, SESSION, Accounts, digest
from fullprime.learn.learners import new_secret
from fullprime.web.routes.callers import BROWSER_COOKIE, COOKIE
from fullprime.web.routes.cookies import HOST_PREFIX
from fullprime.web.routes.learners import LEARNER_COOKIE

POSITION = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of this machine for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a club")])
    now = datetime.now(UTC)
    alternatives = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(alternatives, critical=False)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("certificate")
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    kind, bare = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, kind, bare))
    return files


@pytest.fixture(scope="module")
def safe_server(certificate: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that speaks HTTPS itself."""
    file, key = certificate
    database = tmp_path_factory.mktemp("safe") / "games.db"
    running = Server(database, "--certificate", str(file), "--key", str(key))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def context(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    """Trust in the certificate of that server."""
    return ssl.create_default_context(cafile=str(certificate[0]))


@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_with_a_certificate_a_game_is_played_over_https(
    safe_server: Server, context: ssl.SSLContext, browser: Any
) -> None:
    assert safe_server.url.startswith("https://")
    with httpx.Client(base_url=safe_server.url, verify=context, timeout=60) as client:
        seat, _ = create(client, rules={"length": 1}, position=POSITION)
    with window(browser, ignore_https_errors=True) as page:
        page.goto(f"{safe_server.url}/game/{seat.game}")
        assert page.evaluate("isSecureContext")
        until(page, "document.querySelector('#board svg')")
        assert page.evaluate(SOCKET_OPENS)


SOCKET_OPENS = """() => new Promise((done) => {
  const line = new WebSocket(location.href.replace('https:', 'wss:').replace('/game/', '/api/games/') + '/live');
  line.onopen = () => done(true); line.onerror = () => done(false);
})"""


def test_files_that_are_no_certificate(fullprime: CommandLine, certificate: tuple[Path, Path], tmp_path: Path) -> None:
    file, key = certificate
    at = ("serve", "--port", "0", "--db", str(tmp_path / "games.db"))
    for options, words in (
        (("--certificate", str(file)), "needs both --certificate and --key"),
        (("--certificate", str(tmp_path / "none"), "--key", str(key)), "No such file"),
        (("--certificate", str(key), "--key", str(key)), "no certificate and its key"),
    ):
        done = fullprime.run(*at, *options)
        assert done.code == 2, options
        assert words in done.err
        assert len(done.err.strip().splitlines()) == 1


# -- HTTPS from then on ----------------------------------------------------------------------------------------------
_STRICT = "Strict-Transport-Security"


@pytest.mark.broad
def test_browsers_are_told_to_come_by_https_alone_where_the_server_speaks_it(
    safe_server: Server, context: ssl.SSLContext
) -> None:
    with httpx.Client(base_url=safe_server.url, verify=context, timeout=60) as client:
        seat, _ = create(client, rules={"length": 1}, position=POSITION)
        answers = [client.get(path) for path in ("/", "/static/parts/page.js", "/api/options", "/nowhere", "/docs")]
        answers.append(client.post("/api/account/profile", json={"public": True}, headers={"Origin": "null"}))
        answers.append(seat.post("act", {"line": "roll"}))
    for answer in answers:
        (policy,) = answer.headers.get_list(_STRICT)
        assert policy == "max-age=31536000", answer.url


def test_a_plain_server_promises_no_https_also_not_for_a_proxy(shared_server: Server) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        assert _STRICT not in client.get("/").headers
        assert _STRICT not in client.get("/", headers={"X-Forwarded-Proto": "https"}).headers


# -- cookies for this very host ----------------------------------------------------------------------------------
BY_PROXY = {"X-Forwarded-Proto": "https"}
TRAINER = "/api/drills/trainers/equities"
DRILL = {"seed": 8, "answer": "50", "seconds": 1}
GUEST = {"Via": "1.1 somewhere"}
"""Headers of a browser that does not sit at the machine of the server."""


class SignedInAccounts:
    """SignedInAccounts of a server's database, each with a session that is made without the page."""

    def __init__(self, server: Server) -> None:
        self._people = Accounts(str(server.database), PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))

    def signed_in(self, name: str) -> str:
        """The secret of a session of a new account."""
        return self._people.open_session(self._people.sign_up(name, PASSWORD))

    def signed_in_before(self, name: str) -> str:
        """A session as it was made before HTTPS had names of its own."""
        account, secret = self._people.sign_up(name, PASSWORD), "Zm9y" * 8 + name
        self._people.store.open_session(account.id, digest(secret), LASTING)
        return secret


@pytest.fixture(scope="module")
def accounts(shared_server: Server) -> Iterator[SignedInAccounts]:
    accounts = SignedInAccounts(shared_server)
    yield accounts
    accounts._people.close()


def name_of(server: Server, cookies: str, **headers: str) -> str | None:
    """The account for which a server takes a request with these cookies."""
    answer = httpx.get(f"{server.url}/api/account", headers={"Cookie": cookies, **headers}, timeout=60)
    name: str | None = answer.json()["name"]
    return name


def given(answer: httpx.Response) -> dict[str, str]:
    """The cookies that an answer sets, each with its attributes in small letters."""
    return {line.split("=")[0]: line.partition(";")[2].lower() for line in answer.headers.get_list("set-cookie")}


def test_over_https_cookies_are_for_this_host_alone(safe_server: Server, context: ssl.SSLContext) -> None:
    with httpx.Client(base_url=safe_server.url, verify=context, timeout=60) as client:
        signed_up = client.post("/api/account/sign-up", json={"name": "Safe", "password": PASSWORD})
        left = client.post("/api/account/sign-out", json={})
        drilled = client.post(f"{TRAINER}/answer", json=DRILL, headers=GUEST)
    for answer, names in ((signed_up, {COOKIE, BROWSER_COOKIE}), (left, {COOKIE}), (drilled, {LEARNER_COOKIE})):
        cookies = given(answer)
        assert set(cookies) == {HOST_PREFIX + name for name in names}, answer.text
        for attributes in cookies.values():
            assert {"secure", "httponly", "path=/", "samesite=strict"} <= set(attributes.strip().split("; "))
            assert "domain" not in attributes, "browsers would refuse it"


def test_a_session_over_https_opens_pages_streams_and_live_lines(safe_server: Server, context: ssl.SSLContext) -> None:
    with httpx.Client(base_url=safe_server.url, verify=context, timeout=60) as client:
        client.post("/api/account/sign-up", json={"name": "Lines", "password": PASSWORD})
        game = client.post("/api/games", json={"bot": "heuristic", "rules": {"length": 1}}).json()["id"]
        assert client.get(f"/api/games/{game}").json()["state"]["you"] == "X"
        with client.stream("GET", f"/api/games/{game}/stream") as stream:
            assert json.loads(next(stream.iter_lines()))["state"]["you"] == "X"
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address = f"{safe_server.url.replace('https', 'wss')}/api/games/{game}/live"
        with ThreadPoolExecutor(1) as pool:  # this thread may hold the loop of the browser's driver
            message = pool.submit(lambda: asyncio.run(first_message(address, context, cookies))).result()
        assert message["state"]["you"] == "X"


async def first_message(address: str, context: ssl.SSLContext, cookies: str) -> dict[str, Any]:
    """The first message of a live line over TLS, which is opened with these cookies.

    One thread reads and writes here. The synchronous client of websockets reads in a thread of its own, and Python 3.11
    does not keep two threads from using one TLS connection at once: 3 of 2,900 lines ended before they were answered.
    """
    async with connect(address, ssl=context, additional_headers={"Cookie": cookies}, open_timeout=60) as line:
        await line.send('{"key": null}')
        message: dict[str, Any] = json.loads(await line.recv())
        return message


def test_a_trusted_proxy_that_says_https_gets_the_cookies_of_https(shared_server: Server) -> None:
    body = {"name": "Proxied", "password": PASSWORD}
    answer = httpx.post(f"{shared_server.url}/api/account/sign-up", json=body, headers=BY_PROXY, timeout=60)
    assert set(given(answer)) == {HOST_PREFIX + COOKIE, HOST_PREFIX + BROWSER_COOKIE}
    secret = answer.cookies[HOST_PREFIX + COOKIE]
    assert name_of(shared_server, f"{HOST_PREFIX}{COOKIE}={secret}", **BY_PROXY) == "Proxied"
    plain = httpx.post(f"{shared_server.url}/api/account/sign-in", json=body, timeout=60)
    assert set(given(plain)) == {COOKIE, BROWSER_COOKIE}
    assert all("secure" not in attributes for attributes in given(plain).values())


def test_the_two_kinds_of_connections_do_not_mix_their_sessions(
    shared_server: Server, accounts: SignedInAccounts
) -> None:
    safe, plain = accounts.signed_in("OverHttps"), accounts.signed_in("OverHttp")
    for both in (f"{HOST_PREFIX}{COOKIE}={safe}; {COOKIE}={plain}", f"{COOKIE}={plain}; {HOST_PREFIX}{COOKIE}={safe}"):
        assert name_of(shared_server, both, **BY_PROXY) == "OverHttps"
        assert name_of(shared_server, both) == "OverHttp"
    assert name_of(shared_server, f"{COOKIE}={plain}", **BY_PROXY) is None, "anybody could have planted it"
    ended = f"{HOST_PREFIX}{COOKIE}={SESSION}ended; {COOKIE}={plain}"
    assert name_of(shared_server, ended, **BY_PROXY) is None, "who has left is not somebody else"
    left = httpx.post(
        f"{shared_server.url}/api/account/sign-out",
        json={},
        headers={"Cookie": f"{HOST_PREFIX}{COOKIE}={safe}; {COOKIE}={plain}", **BY_PROXY},
        timeout=60,
    )
    assert set(given(left)) == {HOST_PREFIX + COOKIE}
    assert name_of(shared_server, f"{COOKIE}={plain}") == "OverHttp", "the other session goes on"


LOOK_ALIKES = [f"{before}{HOST_PREFIX}{COOKIE}" for before in ("\x85", "\xa0", "=", "x=1, ")] + [f"__host-{COOKIE}"]


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_a_name_that_only_looks_like_one_for_this_host_is_none(
    shared_server: Server, accounts: SignedInAccounts, name: str
) -> None:
    """Browsers let any page set a cookie whose name does not begin with the very letters."""
    secret = accounts.signed_in(f"Eve-{digest(name)[:8]}")
    headers = httpx.Headers({b"Cookie": f"{name}={secret}".encode("latin-1"), b"X-Forwarded-Proto": b"https"})
    assert httpx.get(f"{shared_server.url}/api/account", headers=headers, timeout=60).json()["name"] is None


def test_a_session_from_before_goes_on_over_https_until_its_browser_signs_in_or_out(
    shared_server: Server, accounts: SignedInAccounts
) -> None:
    old, new = accounts.signed_in_before("Before"), accounts.signed_in("After")
    assert name_of(shared_server, f"{COOKIE}={old}", **BY_PROXY) == "Before"
    assert name_of(shared_server, f"{COOKIE}={old}; {HOST_PREFIX}{COOKIE}={new}", **BY_PROXY) == "After"
    headers = {"Cookie": f"{COOKIE}={old}", **BY_PROXY}
    body = {"name": "Before", "password": PASSWORD}
    entered = httpx.post(f"{shared_server.url}/api/account/sign-in", json=body, headers=headers, timeout=60)
    left = httpx.post(f"{shared_server.url}/api/account/sign-out", json={}, headers=headers, timeout=60)
    for answer in (entered, left):
        assert "max-age=0" in given(answer)[COOKIE], "else it would come back"
        assert HOST_PREFIX + COOKIE in given(answer)
    assert name_of(shared_server, f"{COOKIE}={old}", **BY_PROXY) is None


def test_the_drills_of_a_guest_from_before_stay_over_https(shared_server: Server) -> None:
    with httpx.Client(base_url=shared_server.url, timeout=60, headers=GUEST) as client:
        for secret, tries in (("c2VjcmV0LW9mLWJlZm9yZQ", 1), (new_secret(), 0)):
            cookie = {"Cookie": f"{LEARNER_COOKIE}={secret}"}
            assert client.post(f"{TRAINER}/answer", json=DRILL, headers=cookie).is_success
            assert client.get(TRAINER, headers=cookie).json()["trainer"]["tries"] == 1
            assert client.get(TRAINER, headers={**cookie, **BY_PROXY}).json()["trainer"]["tries"] == tries


@pytest.mark.broad
@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_one_browser_keeps_an_account_over_https_and_one_over_http(
    safe_server: Server, shared_server: Server, browser: Any
) -> None:
    """Cookies do not tell ports apart: two servers of one host see the cookies of each other."""
    with window(browser, ignore_https_errors=True) as page:
        for server, name in ((safe_server, "Tess"), (shared_server, "Paul")):
            page.goto(f"{server.url}/account")
            page.locator("#name").fill(name)
            page.locator("#password").fill(PASSWORD)
            page.get_by_role("button", name="Make an account").click()
            page.get_by_role("heading", name=name).wait_for()
        cookies = {cookie["name"]: cookie["secure"] for cookie in page.context.cookies()}
        assert cookies == {
            COOKIE: False,
            BROWSER_COOKIE: False,
            HOST_PREFIX + COOKIE: True,
            HOST_PREFIX + BROWSER_COOKIE: True,
        }
        for server, name in ((safe_server, "Tess"), (shared_server, "Paul")):
            page.goto(f"{server.url}/account")
            page.get_by_role("heading", name=name).wait_for()
            open_form(page, server.url)
            page.select_option("#length", "1")
            page.get_by_role("button", name="Start").click()
            at_table(page)
            game = page.url.split("#")[0]
            page.evaluate("localStorage.clear()")
            page.goto(f"{server.url}/account")
            page.goto(game)
            at_table(page)
            assert page.locator("#command").is_visible(), "the live line knows the account"
        page.goto(f"{safe_server.url}/account")
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.locator("#name").wait_for()
        left = {cookie["name"] for cookie in page.context.cookies()}
        assert left == {COOKIE, BROWSER_COOKIE, HOST_PREFIX + BROWSER_COOKIE}
        page.goto(f"{shared_server.url}/account")
        page.get_by_role("heading", name="Paul").wait_for()

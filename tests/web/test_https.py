"""HTTPS: spoken by the server itself with a certificate, or by a proxy in front of it."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.cli.commandline import CommandLine
from tests.web.browsing import chromium_running, until, window
from tests.web.conftest import Server, chromium
from tests.web.seat import create

POSITION = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


@pytest.fixture
def fullprime(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium_running() as running:
        yield running


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of this machine for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a club")])
    now = datetime.now(UTC)
    alternatives = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(alternatives, critical=False)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("certificate")
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
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
    with httpx.Client(base_url=safe_server.url, verify=context) as client:
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


def test_browsers_are_told_to_come_by_https_alone_where_the_server_speaks_it(
    safe_server: Server, context: ssl.SSLContext
) -> None:
    with httpx.Client(base_url=safe_server.url, verify=context) as client:
        seat, _ = create(client, rules={"length": 1}, position=POSITION)
        answers = [client.get(path) for path in ("/", "/static/parts/page.js", "/api/options", "/nowhere", "/docs")]
        answers.append(client.post("/api/account/profile", json={"public": True}, headers={"Origin": "null"}))
        answers.append(seat.post("act", {"line": "roll"}))
    for answer in answers:
        (told,) = answer.headers.get_list(_STRICT)
        assert told == "max-age=31536000", answer.url


def test_a_plain_server_promises_no_https_also_not_for_a_proxy(shared_server: Server) -> None:
    with httpx.Client(base_url=shared_server.url) as client:
        assert _STRICT not in client.get("/").headers
        assert _STRICT not in client.get("/", headers={"X-Forwarded-Proto": "https"}).headers

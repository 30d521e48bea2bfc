"""``fullprime serve`` and ``verify`` on the command line: what they say when something is not as it should be."""

from __future__ import annotations

import socket
import ssl
import sys
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


@pytest.fixture
def fullprime(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_without_the_extra_it_says_what_to_install(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "fullprime.web.run", raising=False)
    done = fullprime.run("serve")
    assert done.code == 2
    assert "pip install 'fullprime[web]'" in done.err


def test_a_port_in_use(fullprime: CommandLine, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = fullprime.run("serve", "--port", port, "--db", str(tmp_path / "games.db"))
    assert done.code == 2
    assert f"127.0.0.1:{port} cannot be listened at" in done.err


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


@pytest.mark.skipif(chromium() is None, reason="there is no chromium on this machine")
def test_with_a_certificate_a_game_is_played_over_https(
    certificate: tuple[Path, Path], tmp_path: Path, browser: Any
) -> None:
    file, key = certificate
    server = Server(tmp_path / "games.db", "--certificate", str(file), "--key", str(key))
    try:
        assert server.url.startswith("https://")
        with httpx.Client(base_url=server.url, verify=ssl.create_default_context(cafile=str(file))) as client:
            seat, _ = create(client, rules={"length": 1}, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")
        with window(browser, ignore_https_errors=True) as page:
            page.goto(f"{server.url}/game/{seat.game}")
            assert page.evaluate("isSecureContext")
            until(page, "document.querySelector('#board svg')")
            assert page.evaluate(SOCKET_OPENS)
    finally:
        server.close()


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


def test_verify_says_what_it_has_checked(fullprime: CommandLine, client: httpx.Client, server: Server) -> None:
    seat, _ = create(client, rules={"length": 1}, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")
    done = fullprime.run("verify", seat.game, "--db", str(server.database))
    assert (done.code, done.out) == (
        0,
        (
            "1 throw and 0 choices of bots follow from the links and seeds\n"
            "1 of the throws had no link of a player: the server knew of them before\n"
        ),
    )
    for unknown in ("nothing", "99"):
        assert fullprime.run("verify", unknown, "--db", str(server.database)).code == 2
    some = fullprime.run("verify", seat.game, "99", "98", "--db", str(server.database))
    assert some.code == 1
    assert some.out.splitlines()[-3:] == [
        "1 game: 1 throw and 0 choices of bots follow from the links and seeds",
        "1 of the throws had no link of a player: the server knew of them before",
        "2 of the 3 that were named could not be verified",
    ]
    none = fullprime.run("verify", "98", "99", "--db", str(server.database))
    assert none.code == 1
    assert "follow" not in none.out, "nothing was verified, and nothing was found wrong"

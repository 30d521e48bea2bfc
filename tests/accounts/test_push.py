"""Push messages below the web: their encryption, the addresses that are called, and the threads that call them."""

from __future__ import annotations

import socket
import ssl
import stat
import threading
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from fullprime.accounts import push_delivery
from fullprime.accounts.push_delivery import DeliveryError, PushWorkers, check_endpoint, post_message
from fullprime.accounts.push_encryption import LARGEST, ServerKey, check_address, decode, encode, encrypt
from fullprime.accounts.store.pushes import PushAddress
from fullprime.rules.errors import SettingsError


def number(text: str, length: int) -> int:
    return int.from_bytes(decode(text, length), "big")


def test_a_message_is_encrypted_as_in_the_example_of_rfc_8291() -> None:
    """Appendix A of the RFC."""
    to = PushAddress(
        "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    key = ec.derive_private_key(number("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", 32), ec.SECP256R1())
    message = encrypt(
        b"When I grow up, I want to be a watermelon", to, salt=decode("DGv6ra1nlYgDCS1FRnbzlw", 16), key=key
    )
    assert encode(message) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
        "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    with pytest.raises(ValueError, match="at most"):
        encrypt(bytes(LARGEST + 1), to)
    assert len(encrypt(bytes(LARGEST), to)) == 4096


@pytest.mark.parametrize(
    "keys",
    [("", ""), ("BCVx", "BTBZMqHH6r4Tts7J_aSIgg"), ("B" * 87, "BTBZMqHH6r4Tts7J_aSIgg"), ("é" * 87, "é" * 22)],
    ids=["none", "short", "no point of the curve", "no letters"],
)
def test_keys_that_no_browser_makes_are_refused(keys: tuple[str, str]) -> None:
    with pytest.raises(SettingsError, match="keys of this subscription"):
        check_address("https://push.example.net/1", *keys)


def test_the_servers_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "games.push.pem"
    key = ServerKey.load_or_create(file)
    assert ServerKey.load_or_create(file).public == key.public
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    file.write_text("nothing")
    with pytest.raises(SettingsError, match=r"games\.push\.pem"):
        ServerKey.load_or_create(file)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/1", "https://", "https:///1", "ftp://push.example.net/", "https://[::1/1",
        "https://me:you@push.example.net/1", "https://push.example.net:22/1", "https://push.example.net/1#2",
        "https://push.example.net/" + "1" * 1000, "https://push.example.net/a b", "https://push.example.net/a\r\nb",
        "https://localhost/1", "https://intranet/1", "https://printer.local/1", "https://db.internal/1",
        "https://127.0.0.1/1", "https://10.0.0.1/1", "https://192.168.1.1/1", "https://169.254.169.254/latest",
        "https://0.0.0.0/1", "https://224.0.0.1/1", "https://100.64.0.1/1", "https://[::1]/1", "https://[fe80::1]/1",
        "https://[fd00::1]/1", "https://[::ffff:10.0.0.1]/1", "https://[64:ff9b::a00:1]/1", "https://[2002:a00:1::]/1",
    ],
)  # fmt: skip
def test_an_endpoint_that_is_no_public_push_service_is_refused(endpoint: str) -> None:
    with pytest.raises(SettingsError):
        check_endpoint(endpoint)


def test_an_endpoint_may_be_public_or_named_by_the_operator() -> None:
    for endpoint in ("https://fcm.googleapis.com/fcm/send/1", "https://8.8.8.8/1", "https://[2600::1]/1"):
        assert check_endpoint(endpoint).scheme == "https"
    assert check_endpoint("https://push.club:8443/1", frozenset({"push.club:8443"})).port == 8443
    assert check_endpoint("https://intranet/1", frozenset({"intranet"})).hostname == "intranet"
    with pytest.raises(SettingsError):
        check_endpoint("https://push.club:22/1", frozenset({"push.club:8443"}))


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "::1", "fe80::1", "169.254.169.254"])
def test_a_public_name_that_leads_into_a_private_network_is_not_called(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, port, **_: [(family, socket.SOCK_STREAM, 6, "", (address, port))]
    )
    with pytest.raises(DeliveryError, match="private network"):
        post_message("https://push.example.net/1", {}, b"", trust=ssl.create_default_context())


@pytest.mark.alone
def test_a_push_service_that_says_nothing_is_given_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        host = f"127.0.0.1:{deaf.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(DeliveryError):
            post_message(
                f"https://{host}/1",
                {},
                b"",
                allowed=frozenset({host}),
                trust=ssl.create_default_context(),
                deadline=0.2,
            )
        assert time.monotonic() - began < 10


def test_what_waits_is_bounded_and_the_later_is_done_later() -> None:
    dropped: list[str] = []
    workers = PushWorkers(most=3, threads=1, count_dropped=dropped.append)
    gate, begun, ended = threading.Event(), threading.Event(), threading.Event()
    done: list[str] = []

    def wait() -> None:
        begun.set()
        gate.wait(60)

    assert workers.run_later(wait)
    assert begun.wait(60)
    assert workers.run_later(lambda: (done.append("last"), ended.set()), after=0.05)
    assert workers.run_later(lambda: done.append("first"))
    assert workers.run_later(lambda: done.append("second"))
    assert not workers.run_later(lambda: done.append("too much"))
    assert dropped == ["tasks"]
    assert workers.waiting == 3
    gate.set()
    assert ended.wait(60)
    assert done == ["first", "second", "last"]
    workers.close()
    assert not workers.run_later(gate.set)
    assert push_delivery.TASKS > 0

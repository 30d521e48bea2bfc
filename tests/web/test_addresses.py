"""The keys under which visitors are counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.test_guard import NEVER, application, at

from fullprime.web.addresses import address_key, client_key


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::FFFF:C000:0207", "192.0.2.7"),
        ("2001:db8:0:1:ffff::9", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("", ""),
        ("unix", "unix"),
        ("x" * 5000, "x" * 64),
    ],
)
def test_an_address_has_the_key_of_its_owner(address: str, key: str) -> None:
    assert address_key(address) == key
    assert client_key({"client": (address, 1)}) == key


def test_a_request_without_an_address_has_a_key_of_its_own() -> None:
    assert client_key({"client": None}) == client_key({}) == ""


def test_visitors_by_ipv4_do_not_share_a_rate_on_a_socket_of_ipv6(tmp_path: Path) -> None:
    app = application(tmp_path, reading=NEVER)
    first, second = at(app, "::ffff:192.0.2.7"), at(app, "::ffff:198.51.100.9")
    assert [first.get("/api/health").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert second.get("/api/health").status_code == 200
    assert at(app, "192.0.2.7").get("/api/health").status_code == 429, "one visitor, written in two ways"

"""Pictures of addresses: a position, a play, a game and a report name a picture in their heads, which is drawn."""

from __future__ import annotations

import re
import struct
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.inside import TestClient
from tests.web.seat import create, friends

import fullprime as fp
from fullprime.analysis import previews
from fullprime.rules.words import format_players
from fullprime.web.rate_limits import RequestRate
from fullprime.web.routes import pictures
from fullprime.web.server import create_app

pytest.importorskip("resvg_py", reason="resvg is not installed")


@pytest.fixture(scope="module")
def client(shared_server: Any) -> Any:
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield client


def head(client: httpx.Client, path: str) -> dict[str, str]:
    """What the page at an address tells other sites."""
    text = client.get(path).text
    assert text.index("<meta property") < text.index("</head>")
    return {
        name: unescape(value) for name, value in re.findall(r'<meta property="(og:[^"]+)" content="([^"]*)">', text)
    }


def drawn(client: httpx.Client, address: str) -> bytes:
    """The picture at an address, which is a PNG of the proportions that sites show."""
    answer = client.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png"), answer.text
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "max-age" in answer.headers["cache-control"]
    return answer.content


def test_a_position_and_a_play_have_a_picture(client: httpx.Client) -> None:
    tags = head(client, "/analysis?dice=31&play=8/5%206/5")
    assert tags["og:title"] == "3-1: 8/5 6/5?"
    assert tags["og:image"] == f"{client.base_url!s}".rstrip("/") + "/picture/position.png?dice=31&play=8/5%206/5"
    with_play = drawn(client, tags["og:image"])
    assert with_play != drawn(client, "/picture/position.png?dice=31")
    tags = head(client, "/analysis?id=XGID%3D-b----E-C---eE---c-e----B-:0:0:1:00:2:0:0:7:10")
    assert tags["og:title"] == "X: double, or roll?"
    assert "Match to 7, 2\u20130" in tags["og:description"]
    drawn(client, tags["og:image"])
    setup = "variant=dutch_backgammon&on_roll=O&rule.length=5&score=2-3&cube=2&owner=X"
    assert "Match to 5, 2\u20133" in head(client, f"/analysis?{setup}")["og:description"]


@pytest.mark.parametrize(
    "wrong", ["id=rubbish", "dice=99", "dice=3", "dice=31&play=9/2", "play=8/5", "score=a-b", "cube=3", "on_roll=Z",
              "rule.nothing=1", "position=" + "1" * 3000]
)  # fmt: skip
def test_what_is_no_position_is_refused_in_a_line_and_the_page_still_opens(client: httpx.Client, wrong: str) -> None:
    answer = client.get(f"/picture/position.png?{wrong}")
    assert answer.status_code in (400, 422)
    assert "\n" not in answer.json()["error"]
    page = client.get(f"/analysis?{wrong}")
    assert page.status_code == 200
    assert "og:image" not in page.text


def test_a_game_is_shown_to_those_who_may_watch(client: httpx.Client) -> None:
    seat, _ = create(client, bot="random", rules={"length": 3})
    tags = head(client, f"/game/{seat.game}")
    assert format_players(("Guest", "random")) in tags["og:title"]
    drawn(client, tags["og:image"])
    private, _ = create(client, bot="random", rules={"length": 3}, spectators=False)
    assert client.get(f"/picture/game/{private.game}.png").status_code == 403
    assert "og:image" not in client.get(f"/game/{private.game}").text
    assert client.get("/picture/game/guessed.png").status_code == 404
    host, _guest = friends(client, rules={"length": 3})
    assert "og:title" in client.get(f"/game/{host.game}").text


def test_a_game_that_is_over_has_the_score_after_it() -> None:
    """Without the points beyond the length of the match: they do not count."""
    match = fp.play_match("heuristic", "random", length=1, seed=0)
    assert match.score.points == (2, 0)
    assert previews.of_match(match).facts == ("The game is over", "Backgammon", "Match to 1, 1\u20130")


def test_names_are_text_and_never_markup(client: httpx.Client) -> None:
    seat, _ = create(client, bot="random", name='"><script>alert(1)</script>', rules={"length": 3})
    text = client.get(f"/game/{seat.game}").text
    assert "<script>alert" not in text


def test_one_visitor_has_only_so_many_drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pictures, "DRAWN", RequestRate(3, 0.0))
    with TestClient(create_app(str(tmp_path / "games.db"), hosts=None)) as client:
        codes = [client.get(f"/picture/position.png?dice={die}1").status_code for die in range(2, 7)]
    assert codes == [200, 200, 200, 429, 429]

"""The library over HTTP: files in by jobs, searches, statistics, marks, studies; and nobody sees another's."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import httpx
import pytest
from tests.web.conftest import Server
from tests.web.people import Browser, guest, person
from tests.web.test_review_page import MATCH

ELSEWHERE = {"X-Forwarded-For": "192.0.2.9"}
"""A browser that comes through a proxy: not the user of this machine."""


def over(client: httpx.Client, answer: httpx.Response) -> dict[str, Any]:
    """A job at its end."""
    assert answer.status_code == 202, answer.text
    with client.stream("GET", f"/api/analysis/jobs/{answer.json()['id']}/stream") as lines:
        lines_read = [line for line in lines.iter_lines() if line.strip()]
    result: dict[str, Any] = httpx.Response(200, text=lines_read[-1]).json()
    assert result["state"] == "done", result
    return result["result"]


def archive(**files: bytes) -> bytes:
    with zipfile.ZipFile(archive := io.BytesIO(), "w") as out:
        for name, data in files.items():
            out.writestr(name, data)
    return archive.getvalue()


def add(client: httpx.Client, data: bytes, name: str, level: str = "") -> dict[str, Any]:
    return over(client, client.post("/api/library/files", params={"name": name, "level": level}, content=data))


@pytest.fixture
def filled(warm_server: Server) -> Any:
    """Somebody with an account and one reviewed match."""
    with person(warm_server) as ann:
        ann.headers.update(ELSEWHERE)
        added = add(ann, archive(**{"a.mat": MATCH, "b.txt": b"nothing"}), "two.zip", "fast")
        assert [(file["file"], file["status"]) for file in added["files"]] == [
            ("two.zip/a.mat", "new"), ("two.zip/b.txt", "failed"),
        ]  # fmt: skip
        assert (added["reviewed"], added["matches"]) == (1, 1)
        yield ann, added["files"][0]["new"][0]


def test_errors_of_the_latest_matches_become_cards(warm_server: Server, filled: tuple[Browser, int]) -> None:
    ann, _ = filled
    every = ann.asks("/api/library/cards/latest", {"least": 0.0})
    assert every["matches"] == 1
    assert every["added"] == every["deck"]["cards"] == ann.read("/api/drills/cards")["deck"]["cards"] > 0
    again = ann.asks("/api/library/cards/latest", {"player": "Ann", "last": 1, "least": 0.0, "kinds": ["play"]})
    assert (again["added"], again["matches"]) == (0, 1), "they are cards already"
    for wrong in ({"kinds": ["luck"]}, {"kinds": []}, {"last": 0}, {"last": 10_000}, {"least": -1}, {"least": "much"}):
        assert ann.post("/api/library/cards/latest", json=wrong).status_code == 422, wrong
    with guest(warm_server) as stranger:
        assert stranger.post("/api/library/cards/latest", json={}, headers=ELSEWHERE).status_code == 401


def test_a_library_is_private_and_each_file_is_known_again(warm_server: Server, filled: tuple[Browser, int]) -> None:
    ann, match = filled
    assert add(ann, MATCH, "again.mat")["files"][0]["status"] == "seen"
    assert ann.read("/api/library") | {"words": {}} == {
        "whose": "account", "matches": 1, "reviewed": 1, "files": 1, "old": 0, "words": {},
    }  # fmt: skip
    saved = ann.get(f"/api/library/files/{ann.read(f'/api/library/matches/{match}')['files'][0]['source']}")
    assert saved.content == MATCH
    with guest(warm_server) as stranger, person(warm_server) as bob:
        assert stranger.get("/api/library", headers=ELSEWHERE).status_code == 401
        assert stranger.read("/api/library")["whose"] == "machine", "at this machine it is the terminal's"
        bob.headers.update(ELSEWHERE)
        for path in (f"matches/{match}", f"matches/{match}/file", f"files/{match}", f"marks?match={match}"):
            answer = bob.get(f"/api/library/{path}")
            assert answer.status_code == 404 or answer.json()["marks"] == [], path
        assert bob.refusal("/api/library/marks", {"place": f"match {match}", "star": True})[0] == 404
        assert bob.refusal("/api/library/matches/remove", {"matches": [match]})[0] == 404
        assert bob.read("/api/library/matches")["matches"] == []
        assert bob.get(f"/library/board/{match}/1/3").status_code == 404
    names = ann.read("/api/library/players")["players"]
    assert len(names) == 2
    ann.asks("/api/library/players/merge", {"name": names[0]["player"], "others": [names[1]["player"]]})
    assert len(ann.read("/api/library/players")["players"]) == 1
    ann.asks("/api/library/players/split", {"name": names[1]["player"]})
    assert ann.asks("/api/library/matches/remove", {"matches": [match]})["matches"] == 0


def test_what_is_found_opens_on_the_board_and_becomes_a_study(warm_server: Server, filled: tuple[Browser, int]) -> None:
    ann, match = filled
    boards = ann.read("/api/library/boards?loss=0.02")["boards"]
    losses = [board["loss"] for board in boards]
    assert losses == sorted(losses, reverse=True)
    worst = boards[0]
    opened = ann.get(worst["address"])
    assert opened.status_code == 303
    assert "/analysis?" in opened.headers["location"]
    assert ann.read(f"/api/library/boards?pattern={worst['position'].replace('/', '%2F')}")["boards"]
    assert ann.get("/api/library/boards?score=x").json()["error"].startswith("score: ")
    page = ann.read(f"/api/library/matches/{match}")
    assert page["errors"][0]["event"] == worst["event"]
    assert "PR" in ann.get(page["report"]).text

    decision = f"match {match} game {worst['game']} event {worst['event']}"
    mark = ann.asks("/api/library/marks", {"place": decision, "note": "why?", "star": True, "tags": ["hit"]})
    assert mark["address"] == worst["address"]
    assert ann.asks("/api/library/marks/at", {"place": decision}) == mark
    start = {"position": {"dice": [3, 1]}, "note": "the best roll"}
    assert ann.asks("/api/library/marks", start)["setup"]["dice"] == [3, 1]
    assert ann.refusal("/api/library/marks", {"place": f"match {match} game 99 event 1", "star": True})[0] == 404
    assert len(ann.read("/api/library/marks")["marks"]) == 2
    over(ann, ann.post("/api/library/review", json={"level": "fast"}))
    assert ann.read("/api/library/marks?tag=hit")["marks"] == [mark]

    ann.asks("/api/library/collections", {"name": "Mine", "about": "to learn"})
    ann.asks("/api/library/collections/add", {"name": "Mine", "place": decision, "comment": "look", "arrows": ["13/7"]})
    both = ann.asks("/api/library/collections/add", {"name": "Mine", "position": {"dice": [3, 1]}})["positions"]
    assert [(position["quiz"], position["comment"]) for position in both] == [(True, "look"), (True, "")]
    ann.asks("/api/library/collections/position", {"name": "Mine", "number": 2, "to": 1})
    link = ann.asks("/api/library/collections/change", {"name": "Mine", "shared": True})["link"]
    with guest(warm_server) as reader:
        reader.headers.update(ELSEWHERE)
        shown = reader.read(f"/api/studies/{link}")
        assert [position["comment"] for position in shown["positions"]] == ["", "look"]
        answer = reader.asks(f"/api/studies/{link}/answer", {"number": 1, "answer": "8/5 6/5"})
        assert (answer["right"], answer["best"]) == (True, "8/5 6/5")
        ann.asks("/api/library/collections/change", {"name": "Mine", "shared": False})
        assert reader.get(f"/api/studies/{link}").status_code == 404
    ann.asks("/api/library/searches", {"name": "costly", "question": {"loss": "0.1"}})
    assert ann.read("/api/library/collections")["searches"] == {"costly": {"loss": "0.1"}}


def test_where_one_loses_is_told_by_everything_that_was_judged(filled: tuple[Browser, int]) -> None:
    ann, _ = filled
    name = ann.read("/api/library/players")["players"][0]["player"]
    statistics = ann.read("/api/library/statistics", params={"player": name})
    counted = statistics["overall"]["counted"]
    assert counted > 5
    assert sum(stage["counted"] for stage in statistics["stages"].values()) == counted
    assert sum(score["counted"] for score in statistics["scores"].values()) == counted
    assert 0 < sum(plan["counted"] for plan in statistics["plans"].values()) <= counted
    assert statistics["themes"], "the errors have themes"
    theme = statistics["themes"][0]
    hits = ann.read("/api/library/boards", params={"player": name, "theme": theme["theme"]})["boards"]
    assert len(hits) == theme["times"]
    added = ann.asks("/api/library/cards", {"player": name, "theme": theme["theme"]})
    assert added["added"] == theme["times"]
    other = ann.asks("/api/library/cards", {"player": name, "theme": statistics["themes"][1]["theme"]})
    for cards in (other, added):  # the drill of a theme asks its own cards, though others have been due longer
        card = ann.read("/api/drills/cards", params={"first": cards["numbers"]})["card"]
        assert card["id"] == cards["numbers"][0]
    again = ann.asks("/api/library/cards", {"player": name, "theme": theme["theme"]})
    assert (again["added"], again["numbers"]) == (0, added["numbers"])

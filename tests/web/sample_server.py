"""A server with sample data (a reviewed match, notes, a shared study, a game in play), and the list of its pages.

Names, boards and rolls are fixed, so that pictures and checks are the same each time.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

MATCH = (Path(__file__).parents[1] / "data" / "club.mat").read_bytes()
"""`play_match("expert", "advanced", length=5, seed=4)`, under two names."""
MIDDLE = "XGID=-b--BBCaA-A-cC-a-d-bAA-b--:0:0:1:42:2:4:0:7:10"
"""4-2 to play."""
PLACED = "24:2 13:3 10 8:3 7 6:4 4 / 24 20 16 13:4 8:3 6:5"


@dataclass(frozen=True, slots=True)
class Place:
    """A page: the name of its pictures, its address, and a selector that matches once the server has answered."""

    name: str
    address: str
    ready: str

    def wait(self, page: Any) -> None:
        """Wait until the page of this place is filled; the failure names the page's complaints."""
        try:
            page.locator(self.ready).first.wait_for(state="attached")
        except Exception as error:
            complaints = [text for text in page.locator("[role=alert]").all_inner_texts() if text]
            raise AssertionError(f"{self.name} at {page.url} has no {self.ready}: {complaints}") from error


PLACES = (
    Place("home", "/", ".spot.source"),
    Place("game", "/game/{game}#key={key}", ".spot.source"),
    Place("card", "/game/{game}/card", "#games table"),
    Place("analysis", "/analysis?{desk}", "#answer button.play"),
    Place("review", "/review", "#file"),
    Place("report", "/review/{job}/1", "article, table"),
    Place("replay", "/review/{job}/1/board", "#options table"),
    Place("mistakes", "/mistakes?review={job}&match=1&player=X", ".checker"),
    Place("learn", "/learn", "main a[href^='/learn/']"),
    Place("lesson", "/learn/primes", ".checker"),
    Place("drills", "/drill", "main a[href^='/drill/']"),
    Place("drill", "/drill/pips", ".checker"),
    Place("cards", "/drill/cards", ".board .checker"),
    Place("puzzles", "/drill/puzzles", ".checker"),
    Place("library", "/library", "main a[href^='/library/match/'], main a[href*='match']"),
    Place("library-match", "/library/match/{match}", "#games th"),
    Place("library-search", "/library/search?loss=0.02", ".boards a.open"),
    Place("library-players", "/library/players", "main a[href*='player']"),
    Place("library-player", "/library/player?player=Ben", "svg.chart"),
    Place("library-notes", "/library/notes", "text=Which of the two hits?"),
    Place("library-collections", "/library/collections?name=Primes", "#positions li"),
    Place("study", "/study/{study}", "#lines li"),
    Place("openings", "/openings", ".checker"),
    Place("reference", "/reference", "#positions svg"),
    Place("glossary", "/glossary", "#terms dt"),
    Place("real", "/real", "option"),
    Place("house", "/house", "option"),
    Place("lab", "/lab?variant=hypergammon", "#rules-words:not(:empty)"),
    Place("rules", "/rules?variant=dutch", "main svg"),
    Place("lobby", "/lobby", "option"),
    Place("account", "/account", "h1"),
    Place("profile", "/profile?name=nobody", "#problem:not(:empty)"),
    Place("offline", "/offline", "h1"),
    Place("nowhere", "/nowhere", "h1"),
)


def fill_server(url: str) -> dict[str, str]:
    """Fill a fresh server; gives the values of the words in braces in the addresses of `PLACES`."""
    with httpx.Client(base_url=url, timeout=600) as client:
        created = _read_answer(
            client.post(
                "/api/games", json={"position": MIDDLE, "name": "Ada", "bot": "heuristic", "rules": {"length": 7}}
            )
        )
        game, owner = created["id"], {"Authorization": f"Bearer {created['key']}"}
        client.post(f"/api/games/{game}/seed", json={"seed": "1"}, headers=owner).raise_for_status()
        job = _wait_for_job(
            client, client.post("/api/reviews", params={"name": "club.mat", "level": "fast"}, content=MATCH)
        )
        added = _wait_for_job(
            client, client.post("/api/library/files", params={"name": "club.mat", "level": "fast"}, content=MATCH)
        )
        match = added["result"]["files"][0]["new"][0]
        place = f"match {match} game 1 event 6"
        note = {"place": place, "note": "Which of the two hits?", "star": True, "tags": ["hits"]}
        _read_answer(client.post("/api/library/marks", json=note))
        _read_answer(
            client.post("/api/library/collections", json={"name": "Primes", "about": "Boards to know by heart."})
        )
        item = {"name": "Primes", "place": place, "comment": "Hit, or make the point?", "arrows": ["6/5"]}
        _read_answer(client.post("/api/library/collections/add", json=item))
        shared = _read_answer(client.post("/api/library/collections/change", json={"name": "Primes", "shared": True}))
        desk = str(httpx.QueryParams({"position": PLACED, "dice": "42", "rule.length": "7"}))
        values = {
            "game": game,
            "key": created["key"],
            "job": job["id"],
            "match": match,
            "study": shared["link"],
            "desk": desk,
        }
    return {name: str(value) for name, value in values.items()}


def _read_answer(answer: httpx.Response) -> dict[str, Any]:
    assert answer.is_success, answer.text
    return dict(answer.json())


def _wait_for_job(client: httpx.Client, answer: httpx.Response) -> dict[str, Any]:
    """The job of an answer, once it is done."""
    with client.stream("GET", f"/api/analysis/jobs/{_read_answer(answer)['id']}/stream") as lines:
        messages = [line for line in lines.iter_lines() if line.strip()]
    job = dict(json.loads(messages[-1]))
    assert job["state"] == "done", job
    return job

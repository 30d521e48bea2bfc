"""Answers of the server in the language of their reader: events for their seats, refusals, rules, the score card."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.inside import TestClient

from fullprime.web.languages import COOKIE
from fullprime.web.server import Application

DE, EN = {"Accept-Language": "de-AT, en;q=0.5"}, {"Accept-Language": "en"}


@pytest.fixture
def client(make_app: Callable[..., Application], tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(tmp_path / "games.db", hosts=None)) as running:
        yield running


def _seats(client: TestClient, **agreed: Any) -> tuple[str, dict[str, str]]:
    """A game that has begun between a player without a name, who opened it, and Ann; the keys by their sides."""
    created = client.post("/api/games", json={"opponent": "friend", "rules": {"length": 3}, **agreed}).json()
    game, x = created["id"], created["key"]
    joined = client.post(f"/api/games/{game}/join", json={"invitation": created["invitation"], "name": "Ann"}).json()
    keys = {"X": x, "O": joined["key"]}
    for seed, key in zip(("beef", "cafe"), keys.values(), strict=True):
        client.post(f"/api/games/{game}/seed", json={"seed": seed}, headers=_bearer(key)).raise_for_status()
    return game, keys


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _texts(client: TestClient, game: str, key: str | None, language: dict[str, str]) -> list[str]:
    headers = language | ({} if key is None else _bearer(key))
    game_state = client.get(f"/api/games/{game}", headers=headers).raise_for_status().json()
    return [event["text"] for event in game_state["events"]]


def _turn(client: TestClient, game: str, keys: dict[str, str]) -> str:
    """The side on roll: the opening throw has been made."""
    turn: str = client.get(f"/api/games/{game}", headers=_bearer(keys["X"])).json()["state"]["turn"]
    return turn


def test_events_are_told_in_the_language_and_for_the_seat_of_their_reader(client: TestClient) -> None:
    game, keys = _seats(client)
    heads = {
        ("X", "en"): r"Opening roll: you throw \d, Ann throws \d; (you begin|Ann begins)",
        ("O", "en"): r"Opening roll: Guest throws \d, Ann throws \d; (Guest|Ann) begins",
        ("X", "de"): r"Eröffnungswurf: du wirfst \d, Ann wirft \d; (du beginnst|Ann beginnt)",
        ("O", "de"): r"Eröffnungswurf: Gast wirft \d, Ann wirft \d; (Gast|Ann) beginnt",
    }
    for (side, language), pattern in heads.items():
        texts = _texts(client, game, keys[side], {"Accept-Language": language})
        assert any(re.fullmatch(pattern, text) for text in texts), (side, language, texts)
    assert "Ann ist dazugekommen" in _texts(client, game, keys["O"], DE)


def test_players_who_have_given_no_name_are_called_so_in_the_language(client: TestClient) -> None:
    created = client.post("/api/games", json={"opponent": "friend", "name": "Ann"}).json()
    state = client.get(f"/api/games/{created['id']}", headers=DE | _bearer(created["key"])).json()["state"]
    assert state["names"] == ["Ann", "Freund"], "nobody has come yet"
    client.post(f"/api/games/{created['id']}/join", json={"invitation": created["invitation"]}).raise_for_status()
    assert "Gast ist dazugekommen" in _texts(client, created["id"], created["key"], DE)


def test_names_and_what_programs_read_are_the_same_in_every_language(client: TestClient) -> None:
    game, keys = _seats(client)
    turn = _turn(client, game, keys)
    answers = {
        language: client.get(f"/api/games/{game}", headers={"Accept-Language": language, **_bearer(keys["X"])}).json()
        for language in ("en", "de")
    }
    assert answers["de"]["state"]["names"] == ["Du", "Ann"]
    assert answers["en"]["state"]["names"] == ["You", "Ann"]
    assert (answers["en"]["state"]["played_for"], answers["de"]["state"]["played_for"]) == (
        "a match to 3 points", "ein Match auf 3 Punkte",
    )  # fmt: skip
    for field in ("turn", "phase", "legal_actions", "position", "variant", "score"):
        assert answers["en"]["state"][field] == answers["de"]["state"][field], field
    assert turn in ("X", "O")
    facts = [[{**event, "text": None} for event in frame["events"]] for frame in answers.values()]
    assert facts[0] == facts[1]


def test_a_refusal_is_told_in_the_language_and_names_the_rule(client: TestClient) -> None:
    game, keys = _seats(client)
    turn = _turn(client, game, keys)
    other = {"X": "O", "O": "X"}[turn]

    def refusal(side: str, line: str, language: dict[str, str]) -> str:
        answer = client.post(f"/api/games/{game}/act", json={"line": line}, headers=language | _bearer(keys[side]))
        assert answer.status_code >= 400
        assert "Accept-Language" in answer.headers["vary"]
        error: str = answer.json()["error"]
        return error

    name = {"X": "Guest", "O": "Ann"}[turn]
    assert refusal(other, "take", EN) == f"it is {name} who must act now"
    assert refusal(other, "take", DE) == f"{name.replace('Guest', 'Gast')} ist jetzt am Zug"
    english, german = (refusal(turn, "24/1", language) for language in (EN, DE))
    assert english.endswith("is possible")
    assert german.endswith("ist möglich")
    assert english.split(";")[-1].split(" is ")[0] == german.split(";")[-1].split(" ist ")[0], "the same play"
    assert client.get("/api/games/nowhere", headers=DE).json()["error"] == "es gibt kein Spiel 'nowhere'"
    assert client.get("/api/games/nowhere").json()["error"] == "there is no game 'nowhere'"


def test_a_refusal_names_a_player_without_a_name_in_the_language(client: TestClient) -> None:
    game, keys = _seats(client)
    line = {"line": "resign 1"}

    def resign(side: str, language: dict[str, str]) -> str:
        answer = client.post(f"/api/games/{game}/act", json=line, headers=language | _bearer(keys[side]))
        return str(answer.json().get("error"))

    assert resign("X", DE) == "None"
    assert resign("O", EN).startswith("Guest offers to resign")
    assert resign("O", DE).startswith("Gast bietet")


def test_the_setting_of_the_pages_goes_before_the_browser(client: TestClient) -> None:
    client.cookies.set(COOKIE, "de")
    assert client.get("/api/games/nowhere", headers=EN).json()["error"] == "es gibt kein Spiel 'nowhere'"


def test_rules_options_and_the_score_card_are_told_in_the_language(client: TestClient) -> None:
    game, keys = _seats(client)
    rules = client.get(f"/api/games/{game}/rules", headers=DE | _bearer(keys["X"])).json()
    assert rules["played_for"] == "ein Match auf 3 Punkte"
    assert [section["title"] for section in rules["sections"]][:3] == ["Das Spiel", "Beginn", "Ziehen"]
    assert client.get("/api/house", headers=DE).json()["options"][0]["words"].startswith("Die Punkte, mit denen")
    opponents = client.get("/api/options", headers=DE).json()["opponents"]
    assert opponents[0]["strength"].startswith("Spielt wie ein PR von")
    card = client.get(f"/api/games/{game}/card", headers=DE | _bearer(keys["X"])).json()
    assert card["title"] == "Backgammon, Match auf 3"
    assert card["next"] == "Gast braucht noch 3, Ann braucht noch 3"


def test_challenges_are_stored_once_and_read_in_every_language(client: TestClient) -> None:
    client.post("/api/lobby", json={"name": "Ann", "rules": {"length": 5}}).raise_for_status()
    for language, words in ((DE, "ein Match auf 5 Punkte"), (EN, "a match to 5 points")):
        (challenge,) = client.get("/api/lobby", headers=language).json()["challenges"]
        assert challenge["played_for"] == words


def test_a_canned_phrase_is_ours_and_other_words_stay(client: TestClient) -> None:
    game, keys = _seats(client)
    for body in ({"phrase": "luck"}, {"text": "You roll a double"}):
        client.post(f"/api/games/{game}/chat", json=body, headers=_bearer(keys["O"])).raise_for_status()
    talk = client.get(f"/api/games/{game}/chat", headers=DE | _bearer(keys["X"])).json()
    assert [line["said"] for line in talk["said"]] == ["Viel Glück!", "You roll a double"]
    assert talk["phrases"]["oops"] == "Hoppla"
    texts = _texts(client, game, keys["X"], DE)
    assert texts[-2:] == ["Ann: Viel Glück!", "Ann: You roll a double"]


def test_a_live_line_speaks_the_language_of_its_reader(client: TestClient) -> None:
    game, keys = _seats(client)
    with client.websocket_connect(f"/api/games/{game}/live", headers=DE) as german:
        german.send_json({"key": keys["O"]})
        first = german.receive_json()
        assert "Ann ist dazugekommen" in [event["text"] for event in first["events"]]
        on_roll = _bearer(keys[_turn(client, game, keys)])
        play = client.get(f"/api/games/{game}", headers=on_roll).json()["state"]["plays"][0]
        client.post(f"/api/games/{game}/act", json={"line": play}, headers=on_roll).raise_for_status()
        news = german.receive_json()["events"]
        assert re.fullmatch(rf"(Gast|Ann) zieht \d-\d: {re.escape(play)}", news[0]["text"])


def test_with_an_unknown_language_everything_is_english(client: TestClient) -> None:
    game, keys = _seats(client)
    assert _texts(client, game, keys["X"], {"Accept-Language": "xx;q=oops, ,,"}) == _texts(client, game, keys["X"], EN)

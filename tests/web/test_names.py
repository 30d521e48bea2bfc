"""Names: "You" is what players see at their own seats, and no name; nobody is called like an account, or like us."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.play.seen import frame_of
from tests.web.conftest import Server
from tests.web.people import Browser, guest, person
from tests.web.seat import Seat, create, friends

from fullprime.accounts.service import Accounts
from fullprime.common.refusals import Refusal
from fullprime.common.skeletons import skeleton
from fullprime.play.server.agreement import make_agreement
from fullprime.play.server.game_server import GameServer
from fullprime.play.table.seating import new_table
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Settings

ALIKE = {
    "in other letters": "\u0410nn\u0430belle",  # Cyrillic
    "in full width": "\uff21\uff4e\uff4e\uff41belle",
    "with a variation selector": "Anna\ufe0fbelle",
    "with a filler": "Annabelle\u3164",
    "with a filler inside": "Anna\u115fbelle",
    "with accents": "A\u0301nnabelle\u0323",
    "with an l as a 1": "Annabe11e",
    "with a capital i": "AnnabeIIe",
    "with signs": "~Anna belle~",
    "in another case": "aNNABELLE",
    "as mathematics": "\U0001d400nnabelle",
    "in boxes": "\U0001f170nnabelle",
    "in small capitals": "\u1d00nnabelle",
}


@pytest.fixture(scope="module")
def annabelle(shared_server: Server) -> Iterator[Browser]:
    with person(shared_server, "Annabelle") as browser:
        yield browser


def words_of(value: Any) -> Iterator[str]:
    """All texts of an answer."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from words_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from words_of(part)


def says_you(value: Any) -> list[str]:
    """The texts that speak of somebody called "You"."""
    return [text for text in words_of(value) if "You" in text]


# -- "You" --------------------------------------------------------------------------------------------------------
def test_only_a_host_without_a_name_sees_you(shared_server: Server) -> None:
    """Not the guest, a spectator, the log, the score, the proof, the record, the pages or the pictures."""
    with guest(shared_server) as ann, guest(shared_server) as bob, guest(shared_server) as eve:
        created = ann.asks("/api/games", {"opponent": "friend", "rules": {"length": 1}})
        host = Seat(ann, created["id"], created["key"])
        invited = eve.read(f"/api/games/{host.game}")["state"]
        assert invited["names"] == ["Guest", "Friend"]
        joined = bob.asks(f"/api/games/{host.game}/join", {"invitation": created["invitation"], "name": "Bob"})
        rival, spectator = Seat(bob, host.game, joined["key"]), Seat(eve, host.game, None)
        for seat in (host, rival):
            assert seat.post("seed", {"seed": "ab"}).status_code == 204
        assert (host.state["names"], rival.state["names"]) == (["You", "Bob"], ["Guest", "Bob"])
        answers = []
        for _ in range(8):
            for seat in (host, rival):
                state = seat.state
                if words := [word for word in state["legal_actions"] if word != "resign"]:
                    line = (state["plays"] or ["no play"])[0] if words[0] == "move" else "roll"
                    answers.append((seat, seat.does(line)))
        answers.append((host, host.does("pip")))
        assert host.post("chat", {"text": "good luck"}).status_code == 204
        own = {event["text"] for event in host.get()["events"]}
        assert any(text.startswith("You play") for text in own)
        assert all("own" not in event for event in host.get()["events"])
        for seat in (rival, spectator):
            assert says_you(seat.get()) == []
            events = [event["text"] for event in seat.get()["events"]]
            assert any(text.startswith("Guest plays") for text in events)
        assert [text for seat, answer in answers if seat is rival for text in says_you(answer)] == []
        assert any(says_you(answer) for seat, answer in answers if seat is host)
        assert host.post("close", {"how": "leave"}).status_code == 204
        assert says_you(rival.get()) == says_you(spectator.get()) == []
        for part in ("/card", "/proof", "/chat"):
            assert says_you(rival.get(part)) == []
        for format_ in ("mat", "sgf", "json", "text"):
            record = eve.get(f"/api/games/{host.game}/record?format={format_}")
            assert "Guest" in record.text
            assert "You" not in record.text
        page = eve.get(f"/game/{host.game}").text
        assert "Guest" in page.partition("</head>")[0]
        assert "You" not in page.partition("</head>")[0]


def test_no_stored_record_has_you(tmp_path: Path) -> None:
    """Of a game against a bot, of one between people, of a challenge and of the terminal's game."""
    path = tmp_path / "games.db"
    with closing(GameServer(str(path))) as game_server:
        alone, _, _ = game_server.create()
        together, _, invitation = game_server.create(opponent="friend", rules={"length": 1})
        together.join(str(invitation), "Guest")
        for handle, seats in ((alone, ("X",)), (together, ("X", "O"))):
            for seat in seats:
                handle.add_seed(seat, "ab")  # type: ignore[arg-type]
        assert together.session.names == ("Guest", "Guest 2")
        assert frame_of(together, "X")["state"]["names"] == ["You", "Guest 2"]
        assert frame_of(together, "O")["state"]["names"] == ["Guest", "You"]
        assert frame_of(alone, "X")["state"]["names"][0] == "You"
        assert any("you" in event["text"] for event in frame_of(alone, "X")["events"])
        assert says_you(frame_of(alone, None)) == []  # type: ignore[arg-type]
        together.close("X", "abort")
    with closing(sqlite3.connect(path)) as database:
        assert "You" not in "\n".join(database.iterdump())


@pytest.mark.parametrize("name", ["Max", "max", "M\u0430x", "M-a-x", "Ma\u0301x"])
def test_a_guest_is_not_called_as_the_guest_opposite(shared_server: Server, name: str) -> None:
    with guest(shared_server) as max_, guest(shared_server) as eve:
        created = max_.asks("/api/games", {"opponent": "friend", "name": "Max", "rules": {"length": 1}})
        joining = f"/api/games/{created['id']}/join"
        code, why = eve.refusal(joining, {"invitation": created["invitation"], "name": name})
        reason = "nobody could tell them apart" if name == "Max" else "looks like 'Max', the name of the other player"
        assert (code, reason in why) == (400, True)
        challenge = max_.asks("/api/lobby", {"name": "Max", "rules": {"length": 1}})["challenge"]
        assert eve.refusal(f"/api/challenge/{challenge['id']}/accept", {"name": name})[0] == 400
        assert challenge["id"] in [listed["id"] for listed in eve.read("/api/lobby")["challenges"]]
        assert eve.asks(joining, {"invitation": created["invitation"], "name": "Eve"})["key"]


def at_one_screen(name: str) -> object:
    return make_agreement(opponent="screen", name="Annabelle", other_name=name)


def with_a_bot(name: str) -> object:
    return make_agreement(opponent="bot", bot="casual", name=name)


def beside_a_guest(name: str, *, account: bool = False, host: str = "Annabelle") -> object:
    with closing(GameServer("sqlite://")) as game_server:
        handle, _, invitation = game_server.create(opponent="friend", name=host)
        return handle.join(str(invitation), name, account=account)


def at_a_terminal(*names: str, bot: str | None = None) -> object:
    return new_table(Settings(), bot=bot, names=names)


DOORS: dict[str, tuple[Callable[[str], object], Iterable[str]]] = {
    "a guest opposite a guest": (beside_a_guest, ALIKE.values()),
    "an account opposite a guest": (partial(beside_a_guest, account=True), ALIKE.values()),
    "two at one screen": (at_one_screen, ALIKE.values()),
    "a person opposite a bot": (with_a_bot, ["Otto", "\u041etto", "0tt0"]),
    "two at a terminal": (partial(at_a_terminal, "Annabelle"), ALIKE.values()),
    "one of two at a terminal": (at_a_terminal, ["O", "\u041e", "0", "o"]),
    "a person opposite the terminal's bot": (partial(at_a_terminal, bot="random"), ["Rand0m"]),
}


@pytest.mark.parametrize("door", DOORS)
def test_no_two_at_one_table_have_names_that_look_alike(door: str) -> None:
    sit, names = DOORS[door]
    for name in names:
        with pytest.raises(SettingsError, match=r"looks like|nobody could tell them apart"):
            sit(name)
    assert sit("Somebody else")


def test_two_without_names_sit_at_one_table() -> None:
    assert beside_a_guest("Guest", host="Guest")


def test_guests_with_signs_alone_as_names_sit_down_together(shared_server: Server) -> None:
    with guest(shared_server) as host, guest(shared_server) as other:
        created = host.asks("/api/games", {"opponent": "friend", "name": "😀", "rules": {"length": 1}})
        joining = f"/api/games/{created['id']}/join"
        assert other.asks(joining, {"invitation": created["invitation"], "name": "🎲"})["key"]


def test_you_is_refused_as_a_name(shared_server: Server) -> None:
    with guest(shared_server) as ann:
        for name in ("You", "Y\u043eu", "Y.o.u", "Du"):
            answer = ann.post("/api/games", json={"name": name})
            assert answer.status_code in (400, 403), name
            answer = ann.post("/api/games", json={"opponent": "screen", "name": "Ann", "other_name": name})
            assert answer.status_code in (400, 403), name


# -- names that look alike ----------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Accounts]:
    accounts = Accounts(str(tmp_path_factory.mktemp("people") / "games.db"))
    accounts.store.create("Annabelle", "hash")
    yield accounts
    accounts.close()


@pytest.mark.parametrize("name", ALIKE.values(), ids=ALIKE)
def test_guests_take_no_name_that_looks_like_an_account(people: Accounts, name: str) -> None:
    with pytest.raises(Refusal, match="account here"):
        people.check_guest_name(name)


def test_a_name_that_looks_like_an_account_is_refused_at_every_door(annabelle: Browser, shared_server: Server) -> None:
    name = ALIKE["in other letters"]
    with guest(shared_server) as eve:
        created = annabelle.asks("/api/games", {"opponent": "friend", "rules": {"length": 1}})
        challenge = annabelle.asks("/api/lobby", {"rules": {"length": 1}})["challenge"]["id"]
        for path, body in (
            ("/api/games", {"name": name}),
            ("/api/games", {"opponent": "screen", "name": "Eve", "other_name": name}),
            (f"/api/games/{created['id']}/join", {"invitation": created["invitation"], "name": name}),
            ("/api/lobby", {"name": name}),
            (f"/api/challenge/{challenge}/accept", {"name": name}),
        ):
            code, why = eve.refusal(path, body)
            assert (code, "looks like Annabelle, who has an account here" in why) == (403, True), path
        body = {"name": "Annabe11e", "password": "tiger lilies"}
        assert eve.refusal("/api/account/sign-up", body) == (
            409, "the name Annabe11e looks like Annabelle, which is taken",
        )  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["admin", "Fullprime", "Full Prime", "\u0410dmin", "m0derator", "System", "Bot", "Atlas", "Suppo\u0433t", "Du"],
)
def test_names_that_are_ours_are_nobody_s(people: Accounts, name: str) -> None:
    with pytest.raises(Refusal, match="it would be taken for somebody else"):
        people.check_guest_name(name)
    with pytest.raises(SettingsError):
        people.sign_up(name, "tiger lilies")


def test_other_names_are_free(people: Accounts) -> None:
    for name in ("Anna", "Zo\u00eb", "\u0410\u043d\u043d\u0430", "\u674e\u5c0f\u9f99", "M\u00fcller 2", "Yousef"):
        people.check_guest_name(name)


def test_a_name_of_nothing_is_none(people: Accounts) -> None:
    for name in ("\u3164", "\u2800\u2800", "\ufe0f", "\u115f \u1160"):
        with pytest.raises(SettingsError, match="is not a name"):
            people.check_guest_name(name)


# -- guests are shown as guests -----------------------------------------------------------------------------------
def test_who_sits_there_as_a_guest_is_told(annabelle: Browser, shared_server: Server) -> None:
    with guest(shared_server) as bob:
        created = annabelle.asks("/api/games", {"opponent": "friend", "rules": {"length": 1}})
        game = created["id"]
        assert bob.read(f"/api/games/{game}")["state"]["guests"] == [False, False], "nobody sits there yet"
        bob.asks(f"/api/games/{game}/join", {"invitation": created["invitation"], "name": "Bob"})
        assert annabelle.seat(game).state["guests"] == [False, True]
        host, _ = friends(bob, names=("Bob", "Eve"))
        assert host.state["guests"] == [True, True]
        seat, _ = create(bob, name="Bob")
        assert seat.state["guests"] == [True, False], "a bot is none"
    with person(shared_server) as cyd:
        accepted = cyd.asks(f"/api/challenge/{annabelle.asks('/api/lobby')['challenge']['id']}/accept")
        assert cyd.seat(accepted["game"]).state["guests"] == [False, False]


def test_skeletons_are_those_of_names_that_look_alike() -> None:
    assert len({skeleton(name) for name in ("Modern", "Modem", "MODERN", "\u217fodern")}) == 1
    assert len({skeleton(name) for name in ("Ann", "Anna", "Hanna", "\u0410\u043d\u043d\u0430")}) == 4
    assert skeleton("\U0001f3b2") == ""

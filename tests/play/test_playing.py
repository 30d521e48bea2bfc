"""What people do at a table of the server besides playing; time is what the test says it is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.play.dicing import Page, Time, read_again
from typer.testing import CliRunner

from fullprime.analysis import at_table as playing
from fullprime.analysis import tutor
from fullprime.cli.main import app
from fullprime.common.refusals import Refusal
from fullprime.play.server import live_session, service
from fullprime.play.server.chat import ChatError
from fullprime.play.server.rooms import Room, Rooms
from fullprime.play.server.view import BOTH
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.score import Player


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def rooms(tmp_path: Path, time: Time) -> Iterator[Rooms]:
    with closing(Rooms(str(tmp_path / "games.db"), clock=time)) as opened:
        yield opened


@pytest.fixture
def other(tmp_path: Path, rooms: Rooms, time: Time) -> Iterator[Rooms]:
    """Another server of the same database."""
    with closing(Rooms(str(tmp_path / "games.db"), clock=time)) as opened:
        yield opened


def friends(rooms: Rooms, **asked: Any) -> Room:
    room, _, invitation = rooms.create(opponent="friend", name="Ann", **asked)
    assert invitation is not None
    room.join(invitation, "Bob")
    room.add_seed("X", "aa")
    room.add_seed("O", "bb")
    return room


def state(room: Room, seat: str | None = None) -> dict[str, Any]:
    return dict(room.frame(seat, ())["state"])


def play_one(room: Room) -> None:
    """Whoever must act does something harmless."""
    turn = state(room)["turn"]
    mine = state(room, turn)
    room.act(turn, "roll" if "roll" in mine["legal_actions"] else mine["plays"][0])


# -- help -------------------------------------------------------------------------------------------------------
def alone(rooms: Rooms, **asked: Any) -> Room:
    room, _, _ = rooms.create(opponent="screen", name="Ann", other_name="Bob", rules={"length": 3}, **asked)
    room.add_seed(BOTH, "aa")
    return room


def test_a_takeback_goes_back_one_decision_and_the_proof_holds(rooms: Rooms) -> None:
    room = alone(rooms)
    for _ in range(6):
        before = state(room)
        mine = state(room, BOTH)
        room.act(BOTH, "roll" if "roll" in mine["legal_actions"] else mine["plays"][-1])
    assert state(room)["takebacks"]
    told = room.take_back(BOTH, 1, state(room)["sequence"])
    assert told[0]["kind"] == "takeback"
    assert {name: state(room)[name] for name in ("position", "dice", "phase", "turn", "cube")} == {
        name: before[name] for name in ("position", "dice", "phase", "turn", "cube")
    }
    with pytest.raises(Refusal, match="gone on"):
        room.take_back(BOTH, 1, 1)
    assert rooms.verify(room.id).faults == ()
    assert "takeback" in [event["kind"] for event in room.frame(BOTH)["events"]]
    assert b"takeback" not in room.record("json")[0]


def test_nothing_is_taken_back_once_the_secret_is_told(rooms: Rooms) -> None:
    room = alone(rooms)
    play_one(room) if "roll" in state(room, BOTH)["legal_actions"] else room.act(BOTH, state(room, BOTH)["plays"][0])
    for _ in range(3):
        room.act(BOTH, "resign 3")
        room.act(BOTH, "accept")
        if state(room)["match_over"]:
            break
        room.act(BOTH, "next")
    assert room.proof["secret"]
    assert not state(room)["takebacks"]
    with pytest.raises(Refusal, match="secret"):
        room.take_back(BOTH)


def test_the_engine_is_given_the_game_and_nothing_else(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    room = alone(rooms)
    seen: list[Any] = []
    monkeypatch.setattr(tutor, "advise", lambda *asked: seen.append(asked) or {"kind": "words"})
    monkeypatch.setattr(tutor, "judge", lambda *asked: seen.append(asked))
    playing.advise(room, BOTH, "0-ply")
    playing.judge(room, BOTH, "8/5", ["6/5"], "0-ply")
    assert seen == [(room.session.game, "0-ply"), (room.session.game, "6/5 8/5", "0-ply")]
    assert room.live.secret not in repr(seen)


def test_there_is_no_help_against_people(rooms: Rooms) -> None:
    room = friends(rooms)
    turn = state(room)["turn"]
    assert not state(room, turn)["help"]
    for ask in (
        lambda seat: room.take_back(seat),
        lambda seat: playing.advise(room, seat, "0-ply"),
        lambda seat: playing.judge(room, seat, "13/7", (), "0-ply"),
    ):
        for seat in ("X", "O", None):
            with pytest.raises(Refusal) as refused:
                ask(seat)
            assert refused.value.code == "forbidden"


# -- clocks -----------------------------------------------------------------------------------------------------
def test_a_flag_falls_for_whoever_acts_too_late(rooms: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 5}, clock="12+60")
    slow = state(room)["turn"]
    assert state(room)["clock"]["running"] == slow
    time.pass_by(71)
    play_one(room)
    left = dict(zip("XO", state(room)["clock"]["left"], strict=True))
    assert left[slow] == pytest.approx(1)
    play_one(room)
    if state(room)["turn"] != slow:
        play_one(room)
    assert state(room)["turn"] == slow
    time.pass_by(13.5)
    mine = state(room, slow)
    with pytest.raises(Refusal, match="too late") as late:
        room.act(slow, "roll" if "roll" in mine["legal_actions"] else mine["plays"][0])
    assert late.value.code == "stale"
    over = state(room)
    assert over["match_winner"] == Player[slow].other.name
    assert over["result"]["how"] == "on time"
    assert [event["kind"] for event in room.frame(slow)["events"]][-3:] == ["forfeit", "game_over", "match_over"]
    assert rooms.verify(room.id).faults == ()


@pytest.mark.parametrize("how", ["abort", "leave", "agree"])
def test_nobody_ends_a_game_in_which_a_flag_has_fallen(rooms: Rooms, time: Time, how: Any) -> None:
    """In the first moves a player could abort after the fall of the own flag, until the server looked."""
    room = friends(rooms, rules={"length": 5}, clock="usbgf")
    slow = Player[state(room)["turn"]]
    time.pass_by(12 + 600 + 1)
    for side in (slow, slow.other):
        room.close(side.name, how) if room.is_closed else too_late(room, side, how)
    assert state(room)["match_winner"] == slow.other.name
    assert state(room)["result"]["how"] == "on time"


def too_late(room: Room, side: Player, how: Any) -> None:
    with pytest.raises(Refusal, match="too late") as late:
        room.close(side.name, how)
    assert late.value.code == "stale"


def test_the_waiting_player_has_the_server_look_and_nobody_can_make_a_flag_fall(rooms: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 5}, clock="usbgf")
    slow = Player[state(room)["turn"]]
    time.pass_by(12 + 600 - 1)
    for seat in ("X", "O", None):
        with pytest.raises(IllegalAction, match="no flag"):
            room.claim(seat)
    time.pass_by(1)
    room.claim(slow.other.name)
    assert state(room)["match_winner"] == slow.other.name
    with pytest.raises(IllegalAction):
        room.claim(slow.other.name)


def test_flags_fall_although_nobody_looks(rooms: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 3}, clock="12+60")
    other = friends(rooms, rules={"length": 3}, clock="3d")
    friends(rooms, rules={"length": 3})
    told: list[str] = []
    room.listeners.add(lambda news: told.extend(event["kind"] for event in news.events))
    play_one(room)
    slow = Player[state(room)["turn"]]
    time.pass_by(state(room)["clock"]["falls"] - time.now.replace(tzinfo=UTC).timestamp() - 0.001)
    assert rooms.drop_flags() == 0
    time.pass_by(0.001)
    told.clear()
    assert rooms.drop_flags() == 1
    assert told == ["forfeit", "game_over", "match_over"]
    assert (state(room)["match_winner"], state(room)["result"]["how"]) == (slow.other.name, "on time")
    assert rooms.drop_flags() == 0, "it falls once"
    assert not state(other)["match_over"]
    time.pass_by(3 * 86_400)
    assert rooms.drop_flags() == 1
    assert state(other)["match_over"]


def test_flags_of_a_session_fall_in_each_game_and_after_a_restart(rooms: Rooms, other: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 0}, clock="5+50")
    time.pass_by(30)
    play_one(room)
    time.pass_by(100)
    assert rooms.drop_flags() == 1
    room.act("X", "next")
    time.pass_by(54.9)
    assert other.drop_flags() == 0, "each game has its own reserve"
    time.pass_by(0.2)
    other.drop_flags()
    assert state(other.room(room.id))["result"]["how"] == "on time"
    assert rooms.drop_flags() == 0, "the other one has ended it"


def test_the_server_looks_at_the_clocks_by_itself(rooms: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 1}, clock="fast")
    ended = threading.Event()
    room.listeners.add(lambda news: ended.set() if news.is_last else None)
    time.pass_by(3600)

    async def begin() -> None:
        rooms.services.upkeep.begin(look_seconds=0.01)

    rooms.call(begin())
    assert ended.wait(60)


def test_a_clock_is_the_same_after_a_restart(rooms: Rooms, other: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 5}, clock="10+100")
    for seconds in (25, 3, 40, 8, 12):
        time.pass_by(seconds)
        play_one(room)
    rooms.close()
    again = other.room(room.id)
    assert state(again)["clock"] == state(room)["clock"]
    slow = Player[state(again)["turn"]]
    time.pass_by(200)
    again.enforce()
    assert state(again)["match_winner"] == slow.other.name, "whoever opens the game finds what has been decided"


def test_correspondence(rooms: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 3}, clock="2d")
    assert state(room)["grace"] is None, "nobody waits at a page"
    for _ in range(4):
        time.pass_by(2 * 86_400 - 10)
        turn = state(room)["turn"]
        while state(room)["turn"] == turn:
            play_one(room)
    slow = Player[state(room)["turn"]]
    time.pass_by(2 * 86_400)
    room.claim(slow.other.name)
    assert state(room)["match_winner"] == slow.other.name


def test_each_game_of_a_session_has_the_whole_reserve(rooms: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 0}, clock="5+50")
    time.pass_by(30)
    play_one(room)
    assert min(state(room)["clock"]["left"]) == pytest.approx(25)
    time.pass_by(60)
    turn = Player[state(room)["turn"]]
    room.claim(turn.other.name)
    assert state(room)["status"] == "playing", "only the game is lost"
    assert state(room)["clock"]["running"] is None
    room.act("X", "next")
    assert min(state(room)["clock"]["left"]) == 50
    assert room.session.clock is not None
    assert room.session.clock.running is not None


@pytest.mark.parametrize("asked", [{"opponent": "bot"}, {"opponent": "screen"}, {"opponent": "friend", "clock": "x"}])
def test_clocks_that_cannot_be(rooms: Rooms, asked: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        rooms.create(**{"clock": "usbgf", **asked})


# -- absences ---------------------------------------------------------------------------------------------------
def test_who_has_gone_may_come_back_and_loses_after_a_while(rooms: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 3}, grace=60)
    gone = Player[state(room)["turn"]]
    page = Page(rooms, room, gone)
    page.open()
    page.close()
    assert list(state(room)["away"]) == [gone.name]
    time.pass_by(59)
    with pytest.raises(IllegalAction):
        room.claim(gone.other.name)
    page.open()
    time.pass_by(10)
    with pytest.raises(IllegalAction):
        room.claim(gone.other.name)
    page.close()
    time.pass_by(60)
    for nobody in (gone.name, None):
        with pytest.raises(IllegalAction):
            room.claim(nobody)
    room.claim(gone.other.name)
    assert state(room)["result"]["how"] == "by absence"
    kinds = [event["kind"] for event in room.frame("X")["events"]]
    assert kinds.count("away") == 2
    assert kinds.count("back") == 1


def test_a_decision_that_is_owed_counts_like_an_absence_in_a_rated_match_without_a_clock(
    rooms: Rooms, other: Rooms, time: Time
) -> None:
    """Such a match of an older version could be stalled for ever, by doing nothing with a page open or without one."""
    room = friends(rooms, rules={"length": 3}, rated=True)
    slow = Player[state(room)["turn"]]
    page = Page(rooms, room, slow)
    page.open()
    time.pass_by(600)
    page.beat()
    room.act(slow.other.name, "resign")
    room.act(slow.name, "refuse")
    playing.say(room, slow.name, phrase="hello")
    time.pass_by(299)
    page.beat()
    for seat in (slow.other.name, slow.name, None):
        with pytest.raises(IllegalAction):
            room.claim(seat)
    assert state(room)["overdue"] is not None
    time.pass_by(1)
    page.beat()
    with pytest.raises(IllegalAction):
        room.claim(slow.name)
    assert state(room)["away"] == {}
    assert state(other.room(room.id))["overdue"] == state(room)["overdue"]
    room.claim(slow.other.name)
    assert (state(room)["result"]["how"], state(room)["match_winner"]) == ("by absence", slow.other.name)
    assert state(room)["overdue"] is None


@pytest.mark.parametrize("asked", [{}, {"rated": True, "clock": "3d"}, {"rated": True, "clock": "60+9000"}])
def test_nobody_is_overdue_in_a_game_for_fun_or_with_a_clock(rooms: Rooms, time: Time, asked: dict[str, Any]) -> None:
    room = friends(rooms, rules={"length": 3}, **asked)
    time.pass_by(5_000)
    assert state(room)["overdue"] is None
    for seat in ("X", "O"):
        with pytest.raises(IllegalAction):
            room.claim(seat)


def test_an_absence_is_known_to_every_process_and_ends_where_somebody_is(rooms: Rooms, other: Rooms) -> None:
    room = friends(rooms)
    there = other.room(room.id)
    here, elsewhere = Page(rooms, room, Player.X), Page(other, there, Player.X)
    here.open()
    here.close()
    read_again(other, there)
    assert "X" in state(there)["away"]
    elsewhere.open()
    read_again(rooms, room)
    assert state(there)["away"] == state(room)["away"] == {}
    here.open()
    here.close(is_away=False)  # the page is closed here: it is open in the other process
    for server, seen in ((rooms, room), (other, there)):
        read_again(server, seen)
        assert state(seen)["away"] == {}


# -- talk, rematches, spectators --------------------------------------------------------------------------------
@pytest.mark.parametrize(("ended", "bound"), [(True, "KEPT_OVER"), (False, "KEPT")])
def test_rooms_do_not_stay_in_memory_but_can_be_had(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch, ended: bool, bound: str
) -> None:
    """A server held two thousand that nobody looked at."""
    monkeypatch.setattr(service, bound, 3)
    names = []
    for _ in range(8):
        room = friends(rooms, rules={"length": 1})
        names.append(room.id)
        if ended:
            room.act("X", "resign 3")
            room.act("O", "accept")
    assert room.is_closed is ended
    assert rooms.census()["open"] == 3
    assert rooms.room(names[0]).is_closed is ended, "it is read again"


def test_talk_is_stored_and_told_to_the_players_alone(rooms: Rooms, other: Rooms, time: Time) -> None:
    room = friends(rooms)
    there = other.room(room.id)
    playing.say(room, "X", text=" good   luck ")
    playing.say(room, "O", phrase="thanks")
    read_again(other, there)
    for at in (room, there):
        said = [(event["side"], event["said"]) for event in at.frame("O")["events"] if event["kind"] == "chat"]
        assert said == [("X", "good luck"), ("O", "Thank you")]
        assert not [event for event in at.frame(None)["events"] if event["kind"] == "chat"]
    assert [each["said"] for each in playing.talk(there, "X")["said"]] == ["good luck", "Thank you"]
    for seat, more in (
        (None, {"text": "hi"}),
        ("X", {}),
        ("X", {"text": "a", "phrase": "hello"}),
        ("X", {"text": " "}),
    ):
        with pytest.raises((Refusal, ChatError)):
            playing.say(room, seat, **more)
    for _ in range(5):
        playing.say(room, "X", phrase="hello")
    with pytest.raises(Refusal, match="wait") as refused:
        playing.say(room, "X", phrase="hello")
    assert refused.value.code == "busy"
    playing.say(room, "O", phrase="hello")
    time.pass_by(20)
    playing.say(room, "X", phrase="hello")


def test_a_report_carries_what_was_said(rooms: Rooms, tmp_path: Path) -> None:
    room = friends(rooms)
    playing.say(room, "O", text="you only win by luck")
    for _ in range(3):
        playing.report(room, "X", "rude")
    with pytest.raises(Refusal, match="already"):
        playing.report(room, "X", "rude")
    with pytest.raises(Refusal):
        playing.report(room, None, "rude")
    found = playing.reported(str(tmp_path / "games.db"), 100)
    assert len(found) == 3
    assert (found[0].room, found[0].side, found[0].reason) == (room.id, "X", "rude")
    assert found[0].said == (("O", "you only win by luck"),)
    shown = CliRunner().invoke(app, ["reports", "--limit", "1", "--db", str(tmp_path / "games.db")])
    assert shown.exit_code == 0, shown.output
    assert f"game {room.id}, X reports: rude" in shown.stdout
    assert "    O: you only win by luck" in shown.stdout
    empty = CliRunner().invoke(app, ["reports", "--db", str(tmp_path / "other.db")])
    assert empty.stdout == "nothing has been reported\n"


def test_both_agree_to_a_rematch_and_sit_there_with_the_same_keys(rooms: Rooms) -> None:
    room, key, invitation = rooms.create(opponent="friend", name="Ann", rules={"length": 1}, clock="fast")
    assert invitation is not None
    others = room.join(invitation, "Bob")
    room.add_seed("X", "aa")
    room.add_seed("O", "bb")
    with pytest.raises(Refusal, match="not over"):
        room.offer_rematch("X")
    turn = state(room)["turn"]
    room.act(turn, "resign")
    room.act(Player[turn].other.name, "accept")
    assert room.offer_rematch("X") is None
    assert room.offer_rematch("X") is None
    assert state(room)["rematch"] == {"offered": ["X"], "game": None}
    made = room.offer_rematch("O")
    assert made is not None
    assert room.offer_rematch("X") == made == state(room)["rematch"]["game"]
    new = rooms.room(made)
    assert (new.seat_of(key), new.seat_of(others)) == ("X", "O")
    assert new.proof["commitment"] != room.proof["commitment"], "new dice"
    assert state(new)["missing_seeds"] == ["X", "O"]
    assert new.session.terms == room.session.terms
    assert new.session.terms.clock == "fast"
    with pytest.raises(Refusal):
        room.offer_rematch(None)


def test_spectators_see_the_game_late(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(live_session, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    room = friends(rooms, rules={"length": 3}, late=30)
    begun = state(room)
    assert begun["sequence"] == 0, "nothing of the game can be seen yet"
    clock[0] += 30
    first = room.frame(None)
    assert first["state"]["sequence"] > 0
    known = first["state"]["sequence"]
    clock[0] += 1
    play_one_as_player(room)
    assert room.frame(None)["state"]["sequence"] == known
    assert room.frame("X")["state"]["sequence"] > known
    assert len(room.frame(None)["events"]) == len(first["events"])
    clock[0] += 30
    assert room.frame(None)["state"]["sequence"] > known
    assert len(room.frame(None)["events"]) > len(first["events"])


def test_a_restart_shows_spectators_nothing_early(rooms: Rooms, other: Rooms, time: Time) -> None:
    room = friends(rooms, rules={"length": 3}, late=3000)
    play_one_as_player(room)
    time.pass_by(2900)
    again = other.room(room.id)
    assert again.frame(None)["state"]["sequence"] == 0
    assert again.frame("X")["state"]["sequence"] > 0
    assert again.frame(None)["events"] == []


def play_one_as_player(room: Room) -> None:
    turn = room.frame("X")["state"]["turn"]
    mine = room.frame(turn)["state"]
    room.act(turn, "roll" if "roll" in mine["legal_actions"] else mine["plays"][0])

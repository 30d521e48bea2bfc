"""What people do at a table of the server besides playing; time is what the test says it is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.play.dicing import Page, Time, read_again
from tests.play.seen import frame_of
from tests.play.sessions import BEGUN_AT
from typer.testing import CliRunner

from fullprime.analysis import at_table as playing
from fullprime.analysis import tutor
from fullprime.cli.main import app
from fullprime.common.refusals import Refusal
from fullprime.play.events import LogEntry, SessionOpened
from fullprime.play.evolve import fold
from fullprime.play.server import live_session, service
from fullprime.play.server.chat import ChatError
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.live_session import MOST_PARTS, SessionSnapshot, SpectatorDelay
from fullprime.play.server.view import BOTH, SessionView
from fullprime.play.terms import Terms
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.score import Player, Settings


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def game_server(tmp_path: Path, time: Time) -> Iterator[GameServer]:
    with closing(GameServer(str(tmp_path / "games.db"), clock=time)) as opened:
        yield opened


@pytest.fixture
def other(tmp_path: Path, game_server: GameServer, time: Time) -> Iterator[GameServer]:
    """Another server of the same database."""
    with closing(GameServer(str(tmp_path / "games.db"), clock=time)) as opened:
        yield opened


def friends(game_server: GameServer, **agreed: Any) -> SessionHandle:
    handle, _, invitation = game_server.create(opponent="friend", name="Ann", **agreed)
    assert invitation is not None
    handle.join(invitation, "Bob")
    handle.add_seed("X", "aa")
    handle.add_seed("O", "bb")
    return handle


def state(handle: SessionHandle, seat: str | None = None) -> dict[str, Any]:
    return dict(frame_of(handle, seat, ())["state"])


def play_one(handle: SessionHandle) -> None:
    """Whoever must act does something harmless."""
    turn = state(handle)["turn"]
    mine = state(handle, turn)
    handle.act(turn, "roll" if "roll" in mine["legal_actions"] else mine["plays"][0])


# -- help -------------------------------------------------------------------------------------------------------
def alone(game_server: GameServer, **agreed: Any) -> SessionHandle:
    handle, _, _ = game_server.create(opponent="screen", name="Ann", other_name="Bob", rules={"length": 3}, **agreed)
    handle.add_seed(BOTH, "aa")
    return handle


def test_a_takeback_goes_back_one_decision_and_the_proof_holds(game_server: GameServer) -> None:
    handle = alone(game_server)
    for _ in range(6):
        before = state(handle)
        mine = state(handle, BOTH)
        handle.act(BOTH, "roll" if "roll" in mine["legal_actions"] else mine["plays"][-1])
    assert state(handle)["takebacks"]
    events = handle.take_back(BOTH, 1, state(handle)["sequence"])
    assert events[0].kind == "takeback"
    assert {name: state(handle)[name] for name in ("position", "dice", "phase", "turn", "cube")} == {
        name: before[name] for name in ("position", "dice", "phase", "turn", "cube")
    }
    with pytest.raises(Refusal, match="gone on"):
        handle.take_back(BOTH, 1, 1)
    assert game_server.verify(handle.id).faults == ()
    assert "takeback" in [event["kind"] for event in frame_of(handle, BOTH)["events"]]
    assert b"takeback" not in handle.record("json")[0]


def test_nothing_is_taken_back_once_the_secret_is_told(game_server: GameServer) -> None:
    handle = alone(game_server)
    play_one(handle) if "roll" in state(handle, BOTH)["legal_actions"] else handle.act(
        BOTH, state(handle, BOTH)["plays"][0]
    )
    for _ in range(3):
        handle.act(BOTH, "resign 3")
        handle.act(BOTH, "accept")
        if state(handle)["match_over"]:
            break
        handle.act(BOTH, "next")
    assert handle.proof.secret
    assert not state(handle)["takebacks"]
    with pytest.raises(Refusal, match="secret"):
        handle.take_back(BOTH)


def test_the_engine_is_given_the_game_and_nothing_else(
    game_server: GameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = alone(game_server)
    calls: list[Any] = []
    monkeypatch.setattr(tutor, "advise", lambda *arguments: calls.append(arguments) or {"kind": "words"})
    monkeypatch.setattr(tutor, "judge", lambda *arguments: calls.append(arguments))
    playing.advise(handle, BOTH, "0-ply")
    playing.judge(handle, BOTH, "8/5", ["6/5"], "0-ply")
    assert calls == [(handle.session.game, "0-ply"), (handle.session.game, "6/5 8/5", "0-ply")]
    assert handle.live.secret not in repr(calls)


def test_there_is_no_help_against_people(game_server: GameServer) -> None:
    handle = friends(game_server)
    turn = state(handle)["turn"]
    assert not state(handle, turn)["help"]
    for ask in (
        lambda seat: handle.take_back(seat),
        lambda seat: playing.advise(handle, seat, "0-ply"),
        lambda seat: playing.judge(handle, seat, "13/7", (), "0-ply"),
    ):
        for seat in ("X", "O", None):
            with pytest.raises(Refusal) as refused:
                ask(seat)
            assert refused.value.code == "forbidden"


# -- clocks -----------------------------------------------------------------------------------------------------
def test_a_flag_falls_for_whoever_acts_too_late(game_server: GameServer, time: Time) -> None:
    handle = friends(game_server, rules={"length": 5}, clock="12+60")
    slow = state(handle)["turn"]
    assert state(handle)["clock"]["running"] == slow
    time.pass_by(71)
    play_one(handle)
    left = dict(zip("XO", state(handle)["clock"]["left"], strict=True))
    assert left[slow] == pytest.approx(1)
    play_one(handle)
    if state(handle)["turn"] != slow:
        play_one(handle)
    assert state(handle)["turn"] == slow
    time.pass_by(13.5)
    mine = state(handle, slow)
    with pytest.raises(Refusal, match="too late") as late:
        handle.act(slow, "roll" if "roll" in mine["legal_actions"] else mine["plays"][0])
    assert late.value.code == "stale"
    over = state(handle)
    assert over["match_winner"] == Player[slow].other.name
    assert over["result"]["how"] == "on time"
    assert [event["kind"] for event in frame_of(handle, slow)["events"]][-3:] == ["forfeit", "game_over", "match_over"]
    assert game_server.verify(handle.id).faults == ()


@pytest.mark.parametrize("how", ["abort", "leave", "agree"])
def test_nobody_ends_a_game_in_which_a_flag_has_fallen(game_server: GameServer, time: Time, how: Any) -> None:
    """In the first moves a player could abort after the fall of the own flag, until the server looked."""
    handle = friends(game_server, rules={"length": 5}, clock="usbgf")
    slow = Player[state(handle)["turn"]]
    time.pass_by(12 + 600 + 1)
    for side in (slow, slow.other):
        handle.close(side.name, how) if handle.is_closed else too_late(handle, side, how)
    assert state(handle)["match_winner"] == slow.other.name
    assert state(handle)["result"]["how"] == "on time"


def too_late(handle: SessionHandle, side: Player, how: Any) -> None:
    with pytest.raises(Refusal, match="too late") as late:
        handle.close(side.name, how)
    assert late.value.code == "stale"


def test_the_waiting_player_has_the_server_look_and_nobody_can_make_a_flag_fall(
    game_server: GameServer, time: Time
) -> None:
    handle = friends(game_server, rules={"length": 5}, clock="usbgf")
    slow = Player[state(handle)["turn"]]
    time.pass_by(12 + 600 - 1)
    for seat in ("X", "O", None):
        with pytest.raises(IllegalAction, match="no flag"):
            handle.claim(seat)
    time.pass_by(1)
    handle.claim(slow.other.name)
    assert state(handle)["match_winner"] == slow.other.name
    with pytest.raises(IllegalAction):
        handle.claim(slow.other.name)


def test_flags_fall_although_nobody_looks(game_server: GameServer, time: Time) -> None:
    handle = friends(game_server, rules={"length": 3}, clock="12+60")
    other = friends(game_server, rules={"length": 3}, clock="3d")
    friends(game_server, rules={"length": 3})
    lines: list[str] = []
    handle.listeners.add(lambda news: lines.extend(event.kind for event in news.events))
    play_one(handle)
    slow = Player[state(handle)["turn"]]
    time.pass_by(state(handle)["clock"]["falls"] - time.now.replace(tzinfo=UTC).timestamp() - 0.001)
    assert game_server.enforce_deadlines() == 0
    time.pass_by(0.001)
    lines.clear()
    assert game_server.enforce_deadlines() == 1
    assert lines == ["forfeit", "game_over", "match_over"]
    assert (state(handle)["match_winner"], state(handle)["result"]["how"]) == (slow.other.name, "on time")
    assert game_server.enforce_deadlines() == 0, "it falls once"
    assert not state(other)["match_over"]
    time.pass_by(3 * 86_400)
    assert game_server.enforce_deadlines() == 1
    assert state(other)["match_over"]


def test_flags_of_a_session_fall_in_each_game_and_after_a_restart(
    game_server: GameServer, other: GameServer, time: Time
) -> None:
    handle = friends(game_server, rules={"length": 0}, clock="5+50")
    time.pass_by(30)
    play_one(handle)
    time.pass_by(100)
    assert game_server.enforce_deadlines() == 1
    handle.act("X", "next")
    time.pass_by(54.9)
    assert other.enforce_deadlines() == 0, "each game has its own reserve"
    time.pass_by(0.2)
    other.enforce_deadlines()
    assert state(other.get_handle(handle.id))["result"]["how"] == "on time"
    assert game_server.enforce_deadlines() == 0, "the other one has ended it"


def test_the_server_looks_at_the_clocks_by_itself(game_server: GameServer, time: Time) -> None:
    handle = friends(game_server, rules={"length": 1}, clock="fast")
    ended = threading.Event()
    handle.listeners.add(lambda news: ended.set() if news.is_last else None)
    time.pass_by(3600)

    async def begin() -> None:
        game_server.upkeep.begin(interval=0.01)

    game_server.call(begin())
    assert ended.wait(60)


def test_a_clock_is_the_same_after_a_restart(game_server: GameServer, other: GameServer, time: Time) -> None:
    handle = friends(game_server, rules={"length": 5}, clock="10+100")
    for seconds in (25, 3, 40, 8, 12):
        time.pass_by(seconds)
        play_one(handle)
    game_server.close()
    again = other.get_handle(handle.id)
    assert state(again)["clock"] == state(handle)["clock"]
    slow = Player[state(again)["turn"]]
    time.pass_by(200)
    again.enforce_deadline()
    assert state(again)["match_winner"] == slow.other.name, "whoever opens the game finds what has been decided"


def test_correspondence(game_server: GameServer, time: Time) -> None:
    handle = friends(game_server, rules={"length": 3}, clock="2d")
    assert state(handle)["grace"] is None, "nobody waits at a page"
    for _ in range(4):
        time.pass_by(2 * 86_400 - 10)
        turn = state(handle)["turn"]
        while state(handle)["turn"] == turn:
            play_one(handle)
    slow = Player[state(handle)["turn"]]
    time.pass_by(2 * 86_400)
    handle.claim(slow.other.name)
    assert state(handle)["match_winner"] == slow.other.name


def test_each_game_of_a_session_has_the_whole_reserve(game_server: GameServer, time: Time) -> None:
    handle = friends(game_server, rules={"length": 0}, clock="5+50")
    time.pass_by(30)
    play_one(handle)
    assert min(state(handle)["clock"]["left"]) == pytest.approx(25)
    time.pass_by(60)
    turn = Player[state(handle)["turn"]]
    handle.claim(turn.other.name)
    assert state(handle)["status"] == "playing", "only the game is lost"
    assert state(handle)["clock"]["running"] is None
    handle.act("X", "next")
    assert min(state(handle)["clock"]["left"]) == 50
    assert handle.session.clock is not None
    assert handle.session.clock.running is not None


@pytest.mark.parametrize("options", [{"opponent": "bot"}, {"opponent": "screen"}, {"opponent": "friend", "clock": "x"}])
def test_clocks_that_cannot_be(game_server: GameServer, options: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        game_server.create(**{"clock": "usbgf", **options})


# -- absences ---------------------------------------------------------------------------------------------------
def test_who_has_gone_may_come_back_and_loses_after_a_while(game_server: GameServer, time: Time) -> None:
    handle = friends(game_server, rules={"length": 3}, grace=60)
    gone = Player[state(handle)["turn"]]
    page = Page(game_server, handle, gone)
    page.open()
    page.close()
    assert list(state(handle)["away"]) == [gone.name]
    time.pass_by(59)
    with pytest.raises(IllegalAction):
        handle.claim(gone.other.name)
    page.open()
    time.pass_by(10)
    with pytest.raises(IllegalAction):
        handle.claim(gone.other.name)
    page.close()
    time.pass_by(60)
    for nobody in (gone.name, None):
        with pytest.raises(IllegalAction):
            handle.claim(nobody)
    handle.claim(gone.other.name)
    assert state(handle)["result"]["how"] == "by absence"
    kinds = [event["kind"] for event in frame_of(handle, "X")["events"]]
    assert kinds.count("away") == 2
    assert kinds.count("back") == 1


def test_a_decision_that_is_owed_counts_like_an_absence_in_a_rated_match_without_a_clock(
    game_server: GameServer, other: GameServer, time: Time
) -> None:
    """Such a match of an older version could be stalled for ever, by doing nothing with a page open or without one."""
    handle = friends(game_server, rules={"length": 3}, rated=True)
    slow = Player[state(handle)["turn"]]
    page = Page(game_server, handle, slow)
    page.open()
    time.pass_by(600)
    page.store_heartbeat()
    handle.act(slow.other.name, "resign")
    handle.act(slow.name, "refuse")
    playing.say(handle, slow.name, phrase="hello")
    time.pass_by(299)
    page.store_heartbeat()
    for seat in (slow.other.name, slow.name, None):
        with pytest.raises(IllegalAction):
            handle.claim(seat)
    assert state(handle)["overdue"] is not None
    time.pass_by(1)
    page.store_heartbeat()
    with pytest.raises(IllegalAction):
        handle.claim(slow.name)
    assert state(handle)["away"] == {}
    assert state(other.get_handle(handle.id))["overdue"] == state(handle)["overdue"]
    handle.claim(slow.other.name)
    assert (state(handle)["result"]["how"], state(handle)["match_winner"]) == ("by absence", slow.other.name)
    assert state(handle)["overdue"] is None


@pytest.mark.parametrize("options", [{}, {"rated": True, "clock": "3d"}, {"rated": True, "clock": "60+9000"}])
def test_nobody_is_overdue_in_a_game_for_fun_or_with_a_clock(
    game_server: GameServer, time: Time, options: dict[str, Any]
) -> None:
    handle = friends(game_server, rules={"length": 3}, **options)
    time.pass_by(5_000)
    assert state(handle)["overdue"] is None
    for seat in ("X", "O"):
        with pytest.raises(IllegalAction):
            handle.claim(seat)


def test_an_absence_is_known_to_every_process_and_ends_where_somebody_is(
    game_server: GameServer, other: GameServer
) -> None:
    handle = friends(game_server)
    there = other.get_handle(handle.id)
    here, elsewhere = Page(game_server, handle, Player.X), Page(other, there, Player.X)
    here.open()
    here.close()
    read_again(other, there)
    assert "X" in state(there)["away"]
    elsewhere.open()
    read_again(game_server, handle)
    assert state(there)["away"] == state(handle)["away"] == {}
    here.open()
    here.close(is_away=False)  # the page is closed here: it is open in the other process
    for server, known_handle in ((game_server, handle), (other, there)):
        read_again(server, known_handle)
        assert state(known_handle)["away"] == {}


# -- talk, rematches, spectators --------------------------------------------------------------------------------
@pytest.mark.parametrize(("ended", "bound"), [(True, "KEPT_OVER"), (False, "KEPT")])
def test_rooms_do_not_stay_in_memory_but_can_be_had(
    game_server: GameServer, monkeypatch: pytest.MonkeyPatch, ended: bool, bound: str
) -> None:
    """A server held two thousand that nobody looked at."""
    monkeypatch.setattr(service, bound, 3)
    names = []
    for _ in range(8):
        handle = friends(game_server, rules={"length": 1})
        names.append(handle.id)
        if ended:
            handle.act("X", "resign 3")
            handle.act("O", "accept")
    assert handle.is_closed is ended
    assert game_server.count_sessions()["open"] == 3
    assert game_server.get_handle(names[0]).is_closed is ended, "it is read again"


def test_talk_is_stored_and_told_to_the_players_alone(game_server: GameServer, other: GameServer, time: Time) -> None:
    handle = friends(game_server)
    there = other.get_handle(handle.id)
    playing.say(handle, "X", text=" good   luck ")
    playing.say(handle, "O", phrase="thanks")
    read_again(other, there)
    for at in (handle, there):
        talk = [(event["side"], event["said"]) for event in frame_of(at, "O")["events"] if event["kind"] == "chat"]
        assert talk == [("X", "good luck"), ("O", "Thank you")]
        assert not [event for event in frame_of(at, None)["events"] if event["kind"] == "chat"]
    assert [line.said for line in playing.talk(there, "X").said] == ["good luck", "Thank you"]
    for seat, more in (
        (None, {"text": "hi"}),
        ("X", {}),
        ("X", {"text": "a", "phrase": "hello"}),
        ("X", {"text": " "}),
    ):
        with pytest.raises((Refusal, ChatError)):
            playing.say(handle, seat, **more)
    for _ in range(5):
        playing.say(handle, "X", phrase="hello")
    with pytest.raises(Refusal, match="wait") as refused:
        playing.say(handle, "X", phrase="hello")
    assert refused.value.code == "busy"
    playing.say(handle, "O", phrase="hello")
    time.pass_by(20)
    playing.say(handle, "X", phrase="hello")


def test_a_report_carries_what_was_said(game_server: GameServer, tmp_path: Path) -> None:
    handle = friends(game_server)
    playing.say(handle, "O", text="you only win by luck")
    for _ in range(3):
        playing.report(handle, "X", "rude")
    with pytest.raises(Refusal, match="already"):
        playing.report(handle, "X", "rude")
    with pytest.raises(Refusal):
        playing.report(handle, None, "rude")
    reports = playing.list_reports(str(tmp_path / "games.db"), 100)
    assert len(reports) == 3
    assert (reports[0].session_id, reports[0].side, reports[0].reason) == (handle.id, "X", "rude")
    assert reports[0].said == (("O", "you only win by luck"),)
    shown = CliRunner().invoke(app, ["reports", "--limit", "1", "--db", str(tmp_path / "games.db")])
    assert shown.exit_code == 0, shown.output
    assert f"game {handle.id}, X reports: rude" in shown.stdout
    assert "    O: you only win by luck" in shown.stdout
    empty = CliRunner().invoke(app, ["reports", "--db", str(tmp_path / "other.db")])
    assert empty.stdout == "nothing has been reported\n"


def test_both_agree_to_a_rematch_and_sit_there_with_the_same_keys(game_server: GameServer) -> None:
    handle, key, invitation = game_server.create(opponent="friend", name="Ann", rules={"length": 1}, clock="fast")
    assert invitation is not None
    others = handle.join(invitation, "Bob")
    handle.add_seed("X", "aa")
    handle.add_seed("O", "bb")
    with pytest.raises(Refusal, match="not over"):
        handle.offer_rematch("X")
    turn = state(handle)["turn"]
    handle.act(turn, "resign")
    handle.act(Player[turn].other.name, "accept")
    assert handle.offer_rematch("X") is None
    assert handle.offer_rematch("X") is None
    assert state(handle)["rematch"] == {"offered": ["X"], "game": None}
    rematch = handle.offer_rematch("O")
    assert rematch is not None
    assert handle.offer_rematch("X") == rematch == state(handle)["rematch"]["game"]
    new = game_server.get_handle(rematch)
    assert (new.seat_of(key), new.seat_of(others)) == ("X", "O")
    assert new.proof.commitment != handle.proof.commitment, "new dice"
    assert state(new)["missing_seeds"] == ["X", "O"]
    assert new.session.terms == handle.session.terms
    assert new.session.terms.clock == "fast"
    with pytest.raises(Refusal):
        handle.offer_rematch(None)


def test_spectators_see_the_game_late(game_server: GameServer, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(live_session, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    handle = friends(game_server, rules={"length": 3}, late=30)
    begun = state(handle)
    assert begun["sequence"] == 0, "nothing of the game can be seen yet"
    clock[0] += 30
    first = frame_of(handle, None)
    assert first["state"]["sequence"] > 0
    sequence = first["state"]["sequence"]
    clock[0] += 1
    play_one_as_player(handle)
    assert frame_of(handle, None)["state"]["sequence"] == sequence
    assert frame_of(handle, "X")["state"]["sequence"] > sequence
    assert len(frame_of(handle, None)["events"]) == len(first["events"])
    clock[0] += 30
    assert frame_of(handle, None)["state"]["sequence"] > sequence
    assert len(frame_of(handle, None)["events"]) > len(first["events"])


def test_a_delay_of_an_hour_keeps_few_pictures_and_shows_none_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which fifty things happen in a second took a hundred MiB in a few minutes."""
    clock = [0.0]
    monkeypatch.setattr(live_session, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    opened = SessionOpened("a", Terms(settings=Settings(), late=3600), ("Ann", "Bob"), ("human", "human"))
    log = [LogEntry(1, BEGUN_AT, opened)]
    snapshot = SessionSnapshot(SessionView(fold(log)), (), 0)
    delay = SpectatorDelay(3600, log, snapshot, log[0].at)
    for number in range(1, 20_001):
        clock[0] = number / 10
        delay.add(replace(snapshot, version=number))
        assert len(delay) <= 2 * MOST_PARTS
    for seconds in range(2000, 5601, 6):
        clock[0] = float(seconds)
        due = 10 * (seconds - 3600)
        assert max(0, due - 10 * (3600 // MOST_PARTS)) <= delay.get_snapshot().version <= max(0, due)
    assert delay.get_snapshot().version == 20_000


def test_a_restart_shows_spectators_nothing_early(game_server: GameServer, other: GameServer, time: Time) -> None:
    handle = friends(game_server, rules={"length": 3}, late=3000)
    play_one_as_player(handle)
    time.pass_by(2900)
    again = other.get_handle(handle.id)
    assert frame_of(again, None)["state"]["sequence"] == 0
    assert frame_of(again, "X")["state"]["sequence"] > 0
    assert frame_of(again, None)["events"] == []


def play_one_as_player(handle: SessionHandle) -> None:
    turn = frame_of(handle, "X")["state"]["turn"]
    mine = frame_of(handle, turn)["state"]
    handle.act(turn, "roll" if "roll" in mine["legal_actions"] else mine["plays"][0])

"""Every game of the tests played twice: by a room, and by the pure pair ``decide`` and ``evolve``.

A table of a room plays a session already, which knows the board. The rest of a room still stands in its options:
offers, ends without play, looks, claims, help. The fixture ``games_are_played_twice`` wraps the methods of rooms that
act. Each call is also a command to the session of the same moment, which ``session_of_room`` makes; both must refuse
with the same words, or come to the same session. All seats must see the same of both, and be told the same (``shown``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
from tests.play.room_sessions import inputs_of_room, session_of_room
from tests.play.shown import check_told, check_views

from fullprime.app.live import at_table, chat, looks, resigning, room_copy, room_dice, room_parts
from fullprime.app.live import room as room_module
from fullprime.app.live.room import Room
from fullprime.app.live.room_copy import GoneOn
from fullprime.app.live.room_view import RoomNews
from fullprime.app.table import commands
from fullprime.app.table.commands import resignation_level
from fullprime.app.table.events import Event as TableEvent
from fullprime.app.table.table import Table
from fullprime.play import beside, dice
from fullprime.play.commands import (
    Act,
    AnswerResignation,
    BeginChain,
    BeginNextGame,
    ChooseLook,
    ClaimWin,
    CloseSession,
    Continue,
    GiveLink,
    GiveSeed,
    OfferRematch,
    OfferResignation,
    Say,
    SessionCommand,
    TakeBack,
    TakeSeat,
    ThrowDice,
    UseHelp,
)
from fullprime.play.decide import Outcome, decide
from fullprime.play.draft import SessionInputs
from fullprime.play.events import LogEntry
from fullprime.play.evolve import evolve
from fullprime.play.session import GameSession
from fullprime.rules import game as acts
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import Event
from fullprime.store.errors import StoreError
from fullprime.store.times import utc_now

COMPARED = (
    "names", "seats", "accounts", "is_seat_free", "finished", "start", "record", "game", "throws", "furthest",
    "is_throw_decided", "resignation", "resignations", "end_offers", "rematch", "closed", "look", "is_helped",
)  # fmt: skip


# -- comparing --------------------------------------------------------------------------------------------------
def differences(session: GameSession, other: GameSession, names: tuple[str, ...] = COMPARED) -> Iterator[str]:
    """The fields in which two sessions differ."""
    for name in names:
        one, two = getattr(session, name), getattr(other, name)
        if name == "rematch_offers":
            one, two = set(one), set(two)
        if one != two:
            yield f"{name}: {one!r} decided, {two!r} in the room"


@dataclass
class RoomResult:
    """What a call came to."""

    result: Any = None
    error: FullprimeError | None = None
    told: list[TableEvent] = field(default_factory=list)
    """The events that those who listen in the room were told."""


def compare(
    before: GameSession, command: SessionCommand, seat: Any, outcome: RoomResult, after: GameSession, *,
    inputs: SessionInputs, now: datetime | None = None, version: int | None = None, names: tuple[str, ...] = COMPARED,
) -> Outcome | None:  # fmt: skip
    """Have the pure pair decide about a command, and hold it to what the room or table has come to."""
    where, refusal, decision = f"{command} by {seat} at {before.game!r}", None, None
    try:
        decision = decide(before, command, seat, now or utc_now(), inputs, board_version=version)
    except FullprimeError as error:
        refusal = error
    if decision is None:
        assert outcome.error is not None, f"{where}: refused by decide alone: {refusal}"
        assert str(refusal) == str(outcome.error), f"{where}: other words of refusal"
        assert getattr(refusal, "code", None) == getattr(outcome.error, "code", None), f"{where}: {refusal}"
        return None
    if outcome.error is not None:
        assert decision.refusal is not None, f"{where}: refused by the room alone: {outcome.error}"
        assert str(decision.refusal) == str(outcome.error), where
    found = list(differences(decision.session, after, names))
    assert not found, f"{where}:\n" + "\n".join(found)
    return decision


def _first_new(before: GameSession, after: GameSession) -> Event | None:
    """The first event of the record after ``before``."""
    known = (*(record.events for record in before.finished), before.record)
    games = (*(record.events for record in after.finished), after.record)
    count = sum(map(len, known))
    events = [event for record in games for event in record]
    return events[count] if len(events) > count else None


# -- rooms ------------------------------------------------------------------------------------------------------
def _wrap_room(
    patched: pytest.MonkeyPatch,
    owner: Any,
    name: str,
    to_command: Callable[..., tuple[SessionCommand | None, Any, int | None]],
) -> None:
    original = getattr(owner, name)

    @functools.wraps(original)
    def shadowed(*args: Any, **options: Any) -> Any:
        room = next(argument for argument in args if isinstance(argument, Room))
        with room.lock:
            is_known = room.is_loaded and bool(room.parts)
            is_behind = not is_known or room.stale or room.home.shared or room._lost
            if is_behind or getattr(room, "_shadowed", False):
                return original(*args, **options)
            before, room._shadowed, outcome = session_of_room(room), True, RoomResult()  # type: ignore[attr-defined]
            started = _now()
            read = to_command(room, *args, **options)

            def listener(news: RoomNews) -> None:
                outcome.told += news.events

            room.listeners.add(listener)
            try:
                outcome.result = original(*args, **options)
            except StoreError:
                raise
            except FullprimeError as error:
                outcome.error = error
            finally:
                room.listeners.discard(listener)
                room._shadowed = False  # type: ignore[attr-defined]
            _compare_room(room, before, read, outcome, started)
        if outcome.error is not None:
            raise outcome.error
        return outcome.result

    patched.setattr(owner, name, shadowed)


def _now() -> datetime:
    """The time as the modules of rooms see it; tests have set it forward in some of them."""
    clocks = [module.utc_now for module in (room_parts, room_dice, room_copy)]
    return next((clock for clock in clocks if clock is not utc_now), utc_now)()


def _take_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits that a test has set for rooms hold for decisions too."""
    monkeypatch.setattr(dice, "CHAINS", room_dice.CHAINS)
    monkeypatch.setattr(dice, "CHAINS_AT_ONCE", room_dice.CHAINS_AT_ONCE)
    monkeypatch.setattr(dice, "SPARE", room_module.SPARE)
    monkeypatch.setattr(beside, "OWED", room_parts.OWED)


def _compare_room(room: Room, before: GameSession, read: Any, outcome: RoomResult, started: datetime) -> None:
    if room.stale or isinstance(outcome.error, GoneOn):
        return
    after = session_of_room(room)
    command, seat, version = read(before, after, outcome) if callable(read) else read
    now = started
    if not isinstance(command, ClaimWin) and room.table is not None and after.board_version > before.board_version:
        now = room.table.times[before.board_version] or started
    names = (*COMPARED, "rematch_offers")
    with pytest.MonkeyPatch.context() as patched:
        _take_limits(patched)
        if before.is_throw_decided or not after.is_throw_decided:  # else ``_say_bot_rolls`` shows it next
            check_views(room, after)
        if command is None:
            return
        decision = compare(
            before, command, seat, outcome, after, inputs=inputs_of_room(room), now=now, version=version, names=names
        )
    if decision is not None and decision.session.clock is not None and after.clock is not None:
        ours, theirs = decision.session.clock, after.clock
        assert ours.running is theirs.running
        assert ours.left == pytest.approx(theirs.left, abs=1.0)
    if decision is None:
        assert outcome.told == []
    else:
        check_told(before, decision, outcome.told, now)
        _replay(before, decision, now)


def _replay(before: GameSession, decision: Outcome, now: datetime) -> None:
    """Folding the events of a decision, as they are stored and read again, gives its session."""
    session = before
    for event in decision.events:
        session = evolve(session, LogEntry(session.sequence + 1, now, event))
    assert session == decision.session


def _line(room: Room, _self: Room, seat: Any, line: str, moves: Any, sequence: int | None, link: str | None) -> Any:
    def read(before: GameSession, after: GameSession, outcome: RoomResult) -> Any:
        return _play_of(before, after, outcome), seat, sequence

    if room.table is None or seat is None:
        return (ThrowDice(), seat, sequence)
    try:
        word, rest = commands._read(room.table, line)
    except FullprimeError:
        return (None, None, None)
    is_beside = resigning.is_beside(room, room.table, seat, word)
    try:
        command = _word_command(word, rest, link, is_beside)
    except FullprimeError:
        return (None, None, None)
    return read if command == "play" else (command, seat, sequence)


def _word_command(word: str, rest: str, link: str | None, is_beside: bool) -> Any:
    if is_beside:
        return OfferResignation(resignation_level(rest)) if word == "resign" else AnswerResignation(word == "accept")
    if word == "roll":
        return ThrowDice(link=link) if not rest else None
    if link is not None:
        return None
    if word == "next":
        return BeginNextGame()
    if word in ("move", "step", "done"):
        return "play"
    if word == "resign":
        return Act(acts.resign(resignation_level(rest)))
    simple = {
        "double": acts.DOUBLE, "take": acts.TAKE, "drop": acts.DROP, "beaver": acts.BEAVER, "raccoon": acts.RACCOON,
        "accept": acts.ACCEPT, "refuse": acts.REFUSE,
    }  # fmt: skip
    if word == "choose" and rest.strip("sS ").isdigit():
        return Act(acts.choose(int(rest.strip("sS ")[0])))
    return Act(simple[word]) if word in simple else None


def _play_of(before: GameSession, after: GameSession, outcome: RoomResult) -> SessionCommand | None:
    event = _first_new(before, after)
    if outcome.error is not None or not isinstance(event, Action):
        return None
    return Act(event)


def _join(_room: Room, _self: Room, _invitation: str, _name: str, *, account: bool = False) -> Any:
    def read(_before: GameSession, after: GameSession, outcome: RoomResult) -> Any:
        return (TakeSeat(after.names[1], account) if outcome.error is None else None), None, None

    return read


def _say(_room: Room, _same: Room, seat: Any, *, text: str | None = None, phrase: str | None = None) -> Any:
    def read(_before: GameSession, _after: GameSession, outcome: RoomResult) -> Any:
        if outcome.error is not None:
            return None, None, None
        return Say(chat.checked_line(text) if text is not None else chat.phrase(str(phrase))), seat, None

    return read


def _stored(_room: Room, _self: Room, _table: Table, _do: Any) -> Any:
    """The choice of a bot; what people do is seen before."""

    def read(before: GameSession, after: GameSession, outcome: RoomResult) -> Any:
        if not before.is_bot_due or before.turn is None or outcome.error is not None:
            return None, None, None
        event = _first_new(before, after)
        throws = event is None or (isinstance(event, Action) and event.kind is ActionKind.ROLL)
        return (ThrowDice() if throws else Act(event)), before.turn.name, None

    return read


def _install_rooms(patched: pytest.MonkeyPatch) -> None:
    _wrap_room(patched, Room, "_act", _line)
    _wrap_room(patched, Room, "join", _join)
    _wrap_room(patched, Room, "stored", _stored)
    _wrap_room(patched, Room, "_say_bot_rolls", lambda room, _, kept: (None, None, None))
    _wrap_room(patched, at_table, "say", _say)
    _wrap_room(
        patched, Room, "add_seed", lambda room, _, seat, seed, *, links=False: (GiveSeed(seed, links), seat, None)
    )
    _wrap_room(
        patched, Room, "begin_chain", lambda room, _, seat, number, anchor: (BeginChain(number, anchor), seat, None)
    )
    _wrap_room(patched, Room, "give_link", lambda room, _, seat, number, link: (GiveLink(number, link), seat, None))
    _wrap_room(patched, Room, "close", lambda room, _, seat, how="end": (CloseSession(how), seat, None))
    _wrap_room(patched, Room, "wake", lambda room, _: (Continue(), None, None))
    _wrap_room(patched, at_table, "claim", lambda room, _, seat: (ClaimWin(), seat, None))
    _wrap_room(
        patched, at_table, "rematch", lambda room, _rooms, _room, seat, *, rated=False: (OfferRematch(), seat, None)
    )
    _wrap_room(patched, at_table, "note_help", lambda room, _: (UseHelp(), "X", None))
    _wrap_room(
        patched, at_table, "take_back", lambda room, _, seat, steps=1, sequence=None: (TakeBack(steps), seat, sequence)
    )
    _wrap_room(patched, looks, "choose", lambda room, _, seat, colour, home: (ChooseLook(colour, home), seat, None))


def install(patched: pytest.MonkeyPatch) -> None:
    """Until the patch is undone, every game is played twice."""
    _install_rooms(patched)


@pytest.fixture(autouse=True)
def games_are_played_twice() -> Iterator[None]:
    """Where this fixture is known, a test fails in which the two ways differ."""
    with pytest.MonkeyPatch.context() as patched:
        install(patched)
        yield

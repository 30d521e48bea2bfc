"""A session as a server keeps it: stored before it is told, one of two wins, nothing confirmed is lost."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import random
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import event
from tests.play.sessions import BEGUN_AT, RandomSession

from fullprime.common.json_values import to_json
from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreConflict, StoreError
from fullprime.play.commands import (
    Act,
    BeginNextGame,
    ClaimWin,
    CloseSession,
    Continue,
    GiveSeed,
    OfferRematch,
    Say,
    TakeBack,
    ThrowDice,
)
from fullprime.play.events import ActionTaken, ChatSent, GameForfeited, LogEntry, SeatTaken
from fullprime.play.evolve import fold
from fullprime.play.presence import ENDED_AFTER, PresenceStore
from fullprime.play.server import service as service_module
from fullprime.play.server import upkeep as upkeep_module
from fullprime.play.server.acting import act
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.live_session import LiveSession, SessionNews
from fullprime.play.server.rendering import render_log
from fullprime.play.server.service import OpenedSession, SessionService
from fullprime.play.server.upkeep import PARTS
from fullprime.play.store import SessionStore
from fullprime.play.table.table_events import ChatEvent, Event
from fullprime.play.terms import Terms
from fullprime.play.writer import Append, SessionWriter
from fullprime.rules import game as acts
from fullprime.rules.errors import FullprimeError, IllegalAction, RulesError
from fullprime.rules.game import Phase
from fullprime.rules.notation import format_play
from fullprime.rules.score import Player, Settings

FRIEND = Terms(settings=Settings(length=3), opponent="friend", dice="seed")
SCREEN = Terms(settings=Settings(length=0), opponent="screen", dice="seed")
BOT = Terms(settings=Settings(length=3), opponent="bot", dice="seed")
NAMES = ("Ann", "Bob")
PEOPLE = ("human", "human")


class SetClock:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.now = BEGUN_AT

    def __call__(self) -> datetime:
        return self.now

    def add(self, **passed: float) -> None:
        self.now += timedelta(**passed)


@asynccontextmanager
async def served(url: str, *, clock: Callable[[], datetime] | None = None) -> AsyncIterator[GameServer]:
    """One process that serves a database, but for the looks at deadlines, which tests take themselves."""
    game_server = GameServer(url, away_seconds=0.0, **({} if clock is None else {"clock": clock}))
    game_server.upkeep.begin(interval=3600.0)
    try:
        yield game_server
    finally:
        await game_server.end()


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())  # type: ignore[arg-type]


async def begin_game(service: SessionService, terms: Terms = FRIEND) -> tuple[OpenedSession, str]:
    """A game in which both sit and both have added to the dice; gives the other key as well."""
    bot = "random" if terms.opponent == "bot" else "human"
    opened = await service.open(terms, NAMES, ("human", bot))
    live, other = opened.live, opened.key
    if opened.invitation is not None:
        other = await service.join(live, opened.invitation, "Bob")
    for side in live.session.missing_seeds:
        await service.perform(
            live, GiveSeed("ab", has_links=False), "both" if terms.opponent == "screen" else side.name
        )
    return opened, other


async def act_for_turn(service: SessionService, live: LiveSession, chance: random.Random) -> None:
    """One sensible command of the people in a session."""
    played = RandomSession(chance, live.session, [], "", now=service.now())
    command, seat = next(played._sensible())
    with suppress(FullprimeError):
        await service.perform(live, command, seat)


async def play_until_bot_is_due(service: SessionService, live: LiveSession) -> None:
    chance = random.Random(4)
    while not live.session.is_bot_due:
        await act_for_turn(service, live, chance)


def logs(store: SessionStore, live: LiveSession) -> list[object]:
    return [entry.event for entry in store.load(live.session_id).log]


def events_of(news: list[SessionNews]) -> list[Event]:
    """What news has told, in words."""
    return [event for part in news for event in part.events]


def told_after(log: Sequence[LogEntry], count: int) -> list[Event]:
    """What the entries of a log after a number tell."""
    return render_log(log)[len(render_log(log[:count])) :]


# -- one process ---------------------------------------------------------------------------------------------------
def test_a_session_is_played_and_stands_on_the_disk_as_it_was_told(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            service, news = game_server.service, list[SessionNews]()
            opened, other = await begin_game(service)
            live = opened.live
            service.follow(live, news.append)
            chance, sequence = random.Random(3), live.session.sequence
            for _ in range(120):
                await act_for_turn(service, live, chance)
            stored = service.store.load(live.session_id)
            assert stored.session == live.session
            assert events_of(news) == told_after(stored.log, sequence) != []
            assert [part.version for part in news] == list(range(news[0].version, news[0].version + len(news)))
            assert news[-1].view is live.view
            assert live.view.session is live.session
            assert live.seat_of(opened.key) == "X"
            assert live.seat_of(other) == "O"
            assert live.seat_of("no key") is None
            service.unfollow(live, news.append)

    run(test)


def test_nothing_is_told_before_it_is_stored(any_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            live = (await begin_game(game_server.service, SCREEN))[0].live
            moments: list[tuple[str, int]] = []
            append = SessionWriter.append

            async def watched(self: SessionWriter, item: Append) -> None:
                await append(self, item)
                moments.append(("stored", item.session.sequence))

            monkeypatch.setattr(SessionWriter, "append", watched)
            game_server.service.follow(live, lambda news: moments.append(("told", news.view.session.sequence)))
            chance = random.Random(1)
            for _ in range(10):
                await act_for_turn(game_server.service, live, chance)
            pairs = [(moments[place], moments[place + 1]) for place in range(0, len(moments), 2)]
            assert pairs
            for (stored, sequence), (events, told_sequence) in pairs:
                assert (stored, events) == ("stored", "told")
                assert sequence == told_sequence

    run(test)


def test_of_two_commands_at_once_one_wins(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            service = game_server.service
            live = (await begin_game(service, SCREEN))[0].live
            version = live.session.board_version
            assert live.session.game is not None
            plays = live.session.game.legal_plays
            results = await asyncio.gather(
                *(service.perform(live, Act(acts.play(play)), "both", board_version=version) for play in plays[:2]),
                return_exceptions=True,
            )
            assert sum(isinstance(result, Refusal) and result.code == "stale" for result in results) == 1
            first = next(result for result in results if isinstance(result, tuple))
            assert isinstance(first[0][0].entry.event, ActionTaken)
            assert service.store.load(live.session_id).session == live.session

    run(test)


def test_one_who_is_cancelled_leaves_a_command_that_is_carried_out(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            service = game_server.service
            live = (await begin_game(service))[0].live
            task = asyncio.ensure_future(service.perform(live, Say("hello"), "X"))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await service.perform(live, Say("again"), "X")
            assert [event.text for event in logs(service.store, live) if isinstance(event, ChatSent)] == [
                "hello", "again",
            ]  # fmt: skip

    run(test)


def test_an_invitation_is_for_one_person(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            service = game_server.service
            opened = await service.open(FRIEND, NAMES, PEOPLE)
            assert opened.invitation is not None
            with pytest.raises(Refusal, match="no invitation to this game"):
                await service.join(opened.live, "a guess", "Eve")
            results = await asyncio.gather(
                *(service.join(opened.live, opened.invitation, name) for name in ("Bob", "Eve")), return_exceptions=True
            )
            keys = [result for result in results if isinstance(result, str)]
            (refusal,) = [result for result in results if isinstance(result, Refusal)]
            assert len(keys) == 1
            assert (str(refusal), refusal.code) == ("the seat is taken", "forbidden")
            assert [opened.live.seat_of(key) for key in (*keys, opened.key, opened.invitation)] == ["O", "X", None]
            seated = [event for event in logs(service.store, opened.live) if isinstance(event, SeatTaken)]
            assert [event.name for event in seated] == [opened.live.session.names[1]]

    run(test)


def test_a_session_that_is_not_there(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            with pytest.raises(Refusal, match="there is no game 'nowhere'") as refusal:
                await game_server.service.get("nowhere")
            assert refusal.value.code == "missing"
            opened = await game_server.service.open(FRIEND, NAMES, PEOPLE)
            assert await game_server.service.delete_waiting(opened.live.session_id)
            with pytest.raises(Refusal, match="there is no game"):
                await game_server.service.get(opened.live.session_id)

    run(test)


def test_a_private_session_has_no_spectators(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            terms = Terms(settings=Settings(length=1), opponent="bot", dice="seed", spectators=False)
            opened = await game_server.service.open(terms, NAMES, ("human", "random"))
            assert opened.live.seat_of(opened.key) == "X"
            with pytest.raises(Refusal, match="this game is private"):
                opened.live.seat_of(None)

    run(test)


def test_sessions_without_listeners_leave_the_memory(any_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "KEPT", 3)

    async def test() -> None:
        async with served(any_database) as game_server:
            service = game_server.service
            opened = [(await service.open(BOT, NAMES, ("human", "random"))).live.session for _ in range(2)]
            followed = opened[0].session_id
            service.follow(await service.get(followed), print)
            opened += [(await service.open(BOT, NAMES, ("human", "random"))).live.session for _ in range(6)]
            gc.collect()
            session_ids = {live.session_id for live in service.list_in_memory()}
            assert session_ids == {followed, *(session.session_id for session in opened[-3:])}
            assert (await service.get(opened[1].session_id)).session == opened[1]
            for live in service.list_in_memory():
                service.unfollow(live, print)
            del live
            gc.collect()
            assert service.find_in_memory(followed) is None

    run(test)


def test_long_sessions_leave_the_memory_sooner(any_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            service = game_server.service
            names = [(await service.open(BOT, NAMES, ("human", "random"))).live.session_id for _ in range(5)]
            length = (await service.get(names[0])).session.sequence
            monkeypatch.setattr(service_module, "KEPT_EVENTS", 3 * length)
            await service.get(names[-1])
            gc.collect()
            assert [name for name in names if service.find_in_memory(name) is not None] == [names[0], *names[3:]]
            monkeypatch.setattr(service_module, "KEPT_EVENTS", 0)
            live = await service.get(names[1])
            gc.collect()
            assert [session.session_id for session in service.list_in_memory()] == [live.session_id]

    run(test)


def test_a_process_has_a_session_once(any_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that has left the memory, and with which something is done still, is no second one."""
    monkeypatch.setattr(service_module, "KEPT", 1)

    async def test() -> None:
        async with served(any_database) as game_server:
            service = game_server.service
            live = (await begin_game(service, SCREEN))[0].live
            for _ in range(3):
                await service.open(BOT, NAMES, ("human", "random"))
            again = await service.get(live.session_id)
            assert again is live

    run(test)


def test_few_sessions_that_are_over_stay_in_memory(any_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "KEPT_OVER", 1)

    async def test() -> None:
        async with served(any_database) as game_server:
            service, names = game_server.service, list[str]()
            for _ in range(3):
                live = (await begin_game(service, SCREEN))[0].live
                await service.perform(live, CloseSession("end"), "both")
                names.append((await service.get(live.session_id)).session_id)
                del live
            gc.collect()
            assert [name for name in names if service.find_in_memory(name) is not None] == names[-1:]

    run(test)


# -- faults of the database ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("is_stored", [True, False])
def test_an_outcome_that_is_not_known_is_found_out(
    any_database: str, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    """The connection breaks while an event is stored: it counts exactly if it is on the disk."""

    async def test() -> None:
        async with served(any_database) as game_server:
            service, news = game_server.service, list[SessionNews]()
            live = (await begin_game(service))[0].live
            service.follow(live, news.append)
            store, fails = SessionWriter.store, [True]

            def breaking(self: SessionWriter, items: list[Append]) -> list[StoreError | None]:
                if not fails:
                    return store(self, items)
                fails.clear()
                if is_stored:
                    store(self, items)
                return [StoreError("the connection broke")] * len(items)

            monkeypatch.setattr(SessionWriter, "store", breaking)
            if is_stored:
                (step,), _ = await service.perform(live, Say("hello"), "X")
                assert step.entry.event == ChatSent(Player.X, "hello")
            else:
                with pytest.raises(StoreError, match="the connection broke"):
                    await service.perform(live, Say("hello"), "X")
                assert news == []
            await service.perform(live, Say("again"), "O")
            lines = [event.text for event in logs(service.store, live) if isinstance(event, ChatSent)]
            assert lines == (["hello", "again"] if is_stored else ["again"])
            assert [event.line.said for event in events_of(news) if isinstance(event, ChatEvent)] == lines
            service.unfollow(live, news.append)

    run(test)


def test_a_rematch_is_there_though_its_outcome_was_not_known(
    any_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events are stored, and neither the answer nor the log can be read: the new session stays."""

    async def test() -> None:
        async with served(any_database) as game_server:
            service = game_server.service
            live = (await begin_game(service))[0].live
            await service.perform(live, CloseSession("abort"), "X")
            await service.perform(live, OfferRematch(), "X")
            store = SessionWriter.store

            def lost(self: SessionWriter, items: list[Append]) -> list[StoreError | None]:
                store(self, items)
                return [StoreError("the connection broke")] * len(items)

            def away(_self: SessionStore, _after: object) -> None:
                raise StoreError("the connection broke")

            with monkeypatch.context() as broken:
                broken.setattr(SessionWriter, "store", lost)
                broken.setattr(SessionStore, "load_later", away)
                with pytest.raises(StoreError, match="the connection broke"):
                    await service.perform(live, OfferRematch(), "O")
            await service.refresh(live)
            assert live.session.rematch is not None
            assert (await service.get(live.session.rematch)).session.names == live.session.names

    run(test)


def test_a_conflict_without_end_is_refused(any_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            live = (await begin_game(game_server.service))[0].live

            async def conflict(_self: SessionWriter, _item: Append) -> None:
                raise StoreConflict("always")

            monkeypatch.setattr(SessionWriter, "append", conflict)
            with pytest.raises(Refusal, match="too many do the same at once"):
                await game_server.service.perform(live, Say("hello"), "X")

    run(test)


# -- bots, deadlines -------------------------------------------------------------------------------------------------
async def until(condition: Callable[[], object]) -> None:
    """Wait until something is so; the test's own limit ends what never is."""
    while not condition():  # noqa: ASYNC110 - what is waited for sets no event
        await asyncio.sleep(0.005)


def test_a_bot_moves_by_itself_and_its_choices_can_be_checked(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            service = game_server.service
            live = (await begin_game(service, BOT))[0].live
            chance = random.Random(1)
            for _ in range(25):
                await until(lambda: not live.session.is_bot_due)
                if live.session.is_over:
                    break
                await act_for_turn(service, live, chance)
            await until(lambda: not live.session.is_bot_due)
            log = service.store.load(live.session_id).log
            checked = 0
            for place in range(2, len(log)):
                before, entry = fold(log[:place]), log[place]
                if before.is_bot_due and isinstance(entry.event, ActionTaken) and not entry.event.automatic:
                    from fullprime.play.server.bot_moves import choose_for_bot

                    choice = choose_for_bot(before)
                    assert isinstance(choice, ThrowDice) or choice == Act(entry.event.action)
                    checked += 1
            assert checked > 5

    run(test)


def test_a_bot_that_was_left_alone_moves_when_its_session_is_read(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            game_server.bots.close()
            live = (await begin_game(game_server.service, BOT))[0].live
            await play_until_bot_is_due(game_server.service, live)
        async with served(any_database) as game_server:
            again = await game_server.service.get(live.session_id)
            assert again.session.sequence == live.session.sequence
            await until(lambda: not again.session.is_bot_due)
            assert again.session.board_version > live.session.board_version

    run(test)


def test_a_bot_that_no_process_moves_is_a_deadline(any_database: str) -> None:
    clock = SetClock()

    async def test() -> None:
        async with served(any_database, clock=clock) as game_server:
            game_server.bots.close()
            live = (await begin_game(game_server.service, BOT))[0].live
            await play_until_bot_is_due(game_server.service, live)
        clock.add(seconds=31)
        async with served(any_database, clock=clock) as game_server:
            await game_server.upkeep.enforce_deadlines()
            live_here = game_server.service.find_in_memory(live.session_id)
            assert live_here is not None
            await until(lambda: not live_here.session.is_bot_due)

    run(test)


def test_a_flag_falls_though_nobody_looks(any_database: str) -> None:
    clock = SetClock()
    timed = Terms(settings=Settings(length=1), opponent="friend", dice="seed", clock="12+600")

    async def test() -> None:
        async with served(any_database, clock=clock) as game_server:
            live = (await begin_game(game_server.service, timed))[0].live
            loser = live.session.turn
            clock.add(seconds=600)
            assert await game_server.upkeep.enforce_deadlines() == 0
            clock.add(seconds=12.5)
            assert await game_server.upkeep.enforce_deadlines() == 1
            assert logs(game_server.service.store, live)[-1] == GameForfeited(loser, "on time")  # type: ignore[arg-type]
            assert live.session.is_over
            assert await game_server.upkeep.enforce_deadlines() == 0

    run(test)


def test_a_service_that_ends_looks_at_no_deadline_any_more(
    any_database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A look while the service ended met readers that had ended already, and an error was logged."""

    async def test() -> None:
        game_server = GameServer(any_database)
        game_server.upkeep.begin(interval=0.0)
        close = game_server.service.close

        async def close_slowly() -> None:
            await close()
            for _ in range(20):
                await asyncio.sleep(0.0)

        monkeypatch.setattr(game_server.service, "close", close_slowly)
        await game_server.end()

    run(test)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_session_that_never_begins_is_forgotten(any_database: str) -> None:
    clock = SetClock()

    async def test() -> None:
        async with served(any_database, clock=clock) as game_server:
            opened = await game_server.service.open(FRIEND, NAMES, PEOPLE)
            begun = (await begin_game(game_server.service))[0].live
            assert await game_server.upkeep.delete_unbegun() == 0
            clock.add(days=31)
            assert await game_server.upkeep.delete_unbegun() == 1
            assert game_server.service.find_in_memory(opened.live.session_id) is None
            assert (await game_server.service.get(begun.session_id)).session == begun.session

    run(test)


# -- a rematch -------------------------------------------------------------------------------------------------------
def test_a_rematch_has_the_same_people_and_keys(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            service = game_server.service
            opened, other = await begin_game(service)
            live = opened.live
            with pytest.raises(Refusal, match="not over yet"):
                await service.perform(live, OfferRematch(), "X")
            await service.perform(live, CloseSession("abort"), "X")
            await service.perform(live, OfferRematch(), "X")
            assert live.session.rematch is None
            await asyncio.gather(*(service.perform(live, OfferRematch(), "O") for _ in range(3)))
            assert live.session.rematch is not None
            new = await service.get(live.session.rematch)
            assert (new.session.names, new.session.terms) == (live.session.names, live.session.terms)
            assert [new.seat_of(key) for key in (opened.key, other)] == ["X", "O"]
            assert not new.session.is_seat_free
            assert set(new.session.missing_seeds) == {Player.X, Player.O}
            assert new.secret != live.secret

    run(test)


# -- several processes -----------------------------------------------------------------------------------------------
def test_processes_follow_each_other(postgresql: str, any_database: str) -> None:
    if any_database.startswith("sqlite"):
        pytest.skip("one process serves a SQLite file")

    async def test() -> None:
        async with served(any_database) as one, served(any_database) as two:
            live = (await begin_game(one.service))[0].live
            remote, news = await two.service.get(live.session_id), list[SessionNews]()
            two.service.follow(remote, news.append)
            sequence, chance = remote.session.sequence, random.Random(5)
            for _ in range(30):
                await act_for_turn(one.service, live, chance)
            await until(lambda: remote.session.sequence == live.session.sequence)
            assert remote.session == live.session
            assert events_of(news) == told_after(one.service.store.load(live.session_id).log, sequence) != []
            # A command on a copy that is behind is decided on what the other process has stored.
            await one.service.perform(live, Say("hello"), "X")
            await two.service.perform(remote, Say("hello yourself"), "O")
            assert [event.text for event in logs(one.service.store, live) if isinstance(event, ChatSent)] == [
                "hello", "hello yourself",
            ]  # fmt: skip
            two.service.unfollow(remote, news.append)

    run(test)


@pytest.mark.logs_errors
def test_a_session_that_cannot_follow_is_read_again_and_it_is_logged(
    any_database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with served(any_database) as one, served(any_database) as two:
            live = (await begin_game(one.service, SCREEN))[0].live
            remote, news = await two.service.get(live.session_id), list[SessionNews]()
            two.service.follow(remote, news.append)
            chance = random.Random(6)

            def confused(_entries: object) -> None:
                raise RulesError("this event cannot follow")

            with caplog.at_level(logging.ERROR), monkeypatch.context() as breaking:
                breaking.setattr(remote, "list_new_steps", confused)
                for _ in range(6):
                    await act_for_turn(one.service, live, chance)
                await two.service.refresh(remote, always=True)
            assert f"game {live.session_id} is read again" in caplog.text
            assert remote.session == live.session
            assert remote.take_snapshot().log == live.take_snapshot().log
            assert news[-1].view.session == live.session, "who follows it sees it as it is now"
            assert [part.version for part in news] == sorted({part.version for part in news})
            for _ in range(3):
                await act_for_turn(two.service, remote, chance)
            two.service.unfollow(remote, news.append)

    run(test)


@pytest.mark.logs_errors
def test_a_session_that_cannot_be_followed_hinders_no_other(
    any_database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with served(any_database) as one, served(any_database) as two:
            games = [(await begin_game(one.service, SCREEN))[0].live for _ in range(3)]
            remotes = [await two.service.get(live.session_id) for live in games]

            def broken(_entries: object) -> None:
                raise ZeroDivisionError("a bug")

            with caplog.at_level(logging.ERROR), monkeypatch.context() as breaking:
                breaking.setattr(remotes[0], "list_new_steps", broken)
                for live in games:
                    await act_for_turn(one.service, live, random.Random(7))
                await two.service.refresh_all(remotes)
                assert [copy.session == live.session for copy, live in zip(remotes, games, strict=True)] == [
                    False, True, True,
                ]  # fmt: skip
            assert f"game {games[0].session_id} cannot be followed" in caplog.text
            await two.service.refresh_all(remotes)
            assert remotes[0].session == games[0].session

    run(test)


def test_many_sessions_are_read_by_one_journey(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as one:
            service, journeys = one.service, list[int]()
            games = [(await begin_game(service, SCREEN))[0].live for _ in range(5)]
            for number, live in enumerate(games):
                for _ in range(9):
                    await act_for_turn(service, live, random.Random(number))
            number_of = {live.session_id: number for number, live in enumerate(games)}
            statements: list[str] = []
            event.listen(one.engine, "before_cursor_execute", lambda *of: statements.append(of[2]))
            for some in (dict(list(number_of.items())[:1]), number_of):
                statements.clear()
                later = await service.run_in_thread(service.store.load_later, some)
                journeys.append(len(statements))
            assert journeys[0] == journeys[1] > 0
            for live in games:
                entries = service.store.load(live.session_id).log
                assert later[live.session_id].entries == entries[number_of[live.session_id] :]

    run(test)


def test_each_followed_session_is_looked_at_once_in_a_round_and_never_all_together(
    any_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand of them together held up those who play."""

    async def test() -> None:
        async with served(any_database) as game_server:
            service, looks = game_server.service, list[list[str]]()
            games = [(await begin_game(service, SCREEN))[0].live for _ in range(12)]
            for live in games[:-1]:
                service.follow(live, print)
            sequences = service.store.find_sequences

            def look(session_ids: list[str]) -> dict[str, int]:
                looks.append(session_ids)
                return sequences(session_ids)

            monkeypatch.setattr(service.store, "find_sequences", look)
            for _ in range(PARTS):
                await game_server.upkeep.compare_part()
            assert sorted(name for names in looks for name in names) == sorted(live.session_id for live in games[:-1])
            assert len(looks) > 1

    monkeypatch.setattr(upkeep_module, "COMPARE_SECONDS", 3600.0)
    run(test)


def test_a_seat_that_was_taken_elsewhere_is_known(any_database: str) -> None:
    if any_database.startswith("sqlite"):
        pytest.skip("one process serves a SQLite file")

    async def test() -> None:
        async with served(any_database) as one, served(any_database) as two:
            opened = await one.service.open(FRIEND, NAMES, PEOPLE)
            assert opened.invitation is not None
            remote = await two.service.get(opened.live.session_id)
            key = await one.service.join(opened.live, opened.invitation, "Bob")
            again = await two.service.get(opened.live.session_id, key)
            assert again is remote
            assert again.seat_of(key) == "O"

    run(test)


def test_a_line_is_read_for_what_another_process_has_stored(any_database: str) -> None:
    """A line without a number, said to a process that is behind, is refused for a reason of now, or carried out."""
    if any_database.startswith("sqlite"):
        pytest.skip("one process serves a SQLite file")

    async def test() -> None:
        async with served(any_database) as one, served(any_database) as two:
            terms = replace(SCREEN, automatic=False)
            live = (await begin_game(one.service, terms))[0].live
            remote = await two.service.get(live.session_id)
            await two.upkeep.pause()  # no notice is heard
            while live.session.turn is None:
                await one.service.perform(live, ThrowDice(), "both")
            assert live.session.game is not None
            play = live.session.game.legal_plays[0]
            line = format_play(play.moves)
            await act(two.service, remote, "both", line)
            await one.service.refresh(live)
            assert remote.session == live.session
            assert logs(one.service.store, live)[-1] == ActionTaken(acts.play(play))

    run(test)


def test_two_processes_act_at_once_and_one_wins(any_database: str) -> None:
    if any_database.startswith("sqlite"):
        pytest.skip("one process serves a SQLite file")

    async def test() -> None:
        async with served(any_database) as one, served(any_database) as two:
            live = (await begin_game(one.service, SCREEN))[0].live
            remote, chance = await two.service.get(live.session_id), random.Random(8)
            for _ in range(12):
                played = RandomSession(chance, live.session, [], "", now=one.service.now())
                command, seat = next(played._sensible())
                version = live.session.board_version
                await asyncio.gather(
                    one.service.perform(live, command, seat, board_version=version),
                    two.service.perform(remote, command, seat, board_version=version),
                    return_exceptions=True,
                )
                await asyncio.gather(one.service.refresh(live), two.service.refresh(remote))
                assert live.session == remote.session
            assert one.service.store.load(live.session_id).session == live.session

    run(test)


# -- presence --------------------------------------------------------------------------------------------------------
def test_a_player_without_a_page_is_away_and_may_lose(any_database: str) -> None:
    clock = SetClock()

    async def test() -> None:
        async with served(any_database, clock=clock) as game_server:
            service, presence = game_server.service, game_server.presence
            live = (await begin_game(service))[0].live
            turn = live.session.turn
            assert turn is not None
            news: list[SessionNews] = []
            service.follow(live, news.append)
            async with presence.track_presence(live, turn.name):
                async with presence.track_presence(live, turn.name), presence.track_presence(live, "both"):
                    assert live.absent == {}
                assert presence.is_present(live.session_id, turn)
            await until(lambda: live.absent)
            assert live.absent == {turn: clock.now}
            assert news[-1].steps == ()
            assert [(event.kind, event.player) for event in news[-1].events] == [("away", turn)]
            assert to_json(news[-1].view.shared.session.away) == {turn.name: clock.now.replace(tzinfo=UTC).timestamp()}
            clock.add(seconds=179)
            with pytest.raises(IllegalAction, match="nobody has been away for too long"):
                await service.perform(live, ClaimWin(), turn.other.name)
            async with presence.track_presence(live, turn.name):
                await until(lambda: not live.absent)
                clock.add(seconds=1000)
                with pytest.raises(IllegalAction):
                    await service.perform(live, ClaimWin(), turn.other.name)
            await until(lambda: live.absent)
            clock.add(seconds=180)
            await service.perform(live, ClaimWin(), turn.other.name)
            assert logs(service.store, live)[-1] == GameForfeited(turn, "by absence")
            service.unfollow(live, news.append)

    run(test)


def test_a_reader_who_leaves_while_the_arrival_is_stored_is_away(
    any_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program may close its stream at once; its side must not stay there for ever."""

    async def test() -> None:
        async with served(any_database, clock=SetClock()) as game_server:
            presence = game_server.presence
            live = (await begin_game(game_server.service))[0].live
            begun, may_end = asyncio.Event(), threading.Event()
            loop, arrive = asyncio.get_running_loop(), PresenceStore.note_arrived

            def slow(store: PresenceStore, session_id: str, side: Player, now: datetime) -> None:
                loop.call_soon_threadsafe(begun.set)
                assert may_end.wait(60)
                arrive(store, session_id, side, now)

            async def read() -> None:
                async with presence.track_presence(live, "X"):
                    pass

            with monkeypatch.context() as slowed:
                slowed.setattr(PresenceStore, "note_arrived", slow)
                reader = asyncio.create_task(read())
                await begun.wait()
                reader.cancel()
                may_end.set()
                with pytest.raises(asyncio.CancelledError):
                    await reader
            assert not presence.is_present(live.session_id, Player.X)
            await until(lambda: live.absent)

    run(test)


def test_a_player_who_leaves_while_the_database_is_away_is_away(
    any_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SetClock()

    async def test() -> None:
        async with served(any_database, clock=clock) as game_server:
            presence = game_server.presence
            live = (await begin_game(game_server.service))[0].live
            tries: list[datetime] = []

            def away(_self: PresenceStore, _session_id: str, _side: Player, now: datetime) -> None:
                tries.append(now)
                raise StoreError("the connection broke")

            with monkeypatch.context() as broken:
                broken.setattr(PresenceStore, "note_left", away)
                async with presence.track_presence(live, "X"):
                    pass
                await until(lambda: presence._unnoted)
                await presence.store_heartbeat()
                assert len(tries) == 2
                assert live.absent == {}
            clock.add(seconds=5)
            await presence.store_heartbeat()
            assert live.absent == {Player.X: clock.now}

    run(test)


def test_players_of_a_process_that_was_killed_are_away(any_database: str) -> None:
    clock = SetClock()

    async def test() -> None:
        async with served(any_database, clock=clock) as game_server:
            live = (await begin_game(game_server.service))[0].live
            async with game_server.presence.track_presence(live, "X"), game_server.presence.track_presence(live, "O"):
                clock.add(seconds=10)
                await game_server.presence.store_heartbeat()
                beaten_at = clock.now
                clock.add(seconds=3)
                # Another process begins; the first one stores no heartbeat any more.
                async with served(any_database, clock=clock) as other:
                    remote = await other.service.get(live.session_id)
                    assert remote.absent == {}
                    clock.add(seconds=ENDED_AFTER.total_seconds())
                    async with other.presence.track_presence(remote, "O"):
                        await other.presence.store_heartbeat()
                        await other.service.refresh(remote, always=True)
                        assert remote.absent == {Player.X: beaten_at}

    run(test)


# -- kills -------------------------------------------------------------------------------------------------------------
_PLAYER = """
import sys
from tests.play.server.test_service import play_until_killed
play_until_killed(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
"""


def play_until_killed(url: str, seed: int, session_ids: list[str]) -> None:
    """Act in sessions for ever, as one of several processes; each confirmed event is a line of output."""

    async def play(game_server: GameServer, session_id: str) -> None:
        chance = random.Random(f"{seed} {session_id}")
        while True:
            live = await game_server.service.get(session_id)
            await game_server.service.refresh(live)
            if live.session.game is not None and live.session.game.phase is Phase.OVER:
                command, seat = BeginNextGame(), "both"
            else:
                command, seat = next(RandomSession(chance, live.session, [], "")._sensible())  # type: ignore[assignment]
            try:
                steps, _ = await game_server.service.perform(
                    live,
                    command,
                    seat,
                    board_version=live.session.board_version,  # type: ignore[arg-type]
                )
            except FullprimeError:
                await asyncio.sleep(0)
                continue
            for step in steps:
                sys.stdout.write(f"{session_id} {step.entry.sequence} {type(step.entry.event).__name__}\n")
            sys.stdout.flush()

    async def play_all() -> None:
        async with served(url) as game_server:
            await asyncio.gather(*(play(game_server, session_id) for session_id in session_ids))

    asyncio.run(play_all())


@pytest.mark.posix
@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
def test_what_was_confirmed_is_stored_whoever_is_killed(any_database: str, kills: int) -> None:
    """One process on SQLite, three on PostgreSQL, which go on with the same sessions while one of them is killed."""
    session_ids: list[str] = []

    async def open_all() -> None:
        async with served(any_database) as game_server:
            games = [await begin_game(game_server.service, SCREEN) for _ in range(5)]
            session_ids.extend(opened.live.session_id for opened, _ in games)

    asyncio.run(open_all())
    root = Path(__file__).parents[3]
    paths = os.pathsep.join([str(root), str(root / "src"), str(root / "lab" / "src")])

    def start(seed: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", _PLAYER, any_database, str(seed), *session_ids],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": paths},
        )  # fmt: skip

    count = 3 if any_database.startswith("postgresql") else 1
    players, lines, chance = [start(seed) for seed in range(count)], list[str](), random.Random(kills)

    def end(player: subprocess.Popen[str]) -> None:
        player.kill()
        assert player.stdout is not None
        # The last line may be cut short.
        lines.extend(line for line in player.stdout.read().splitlines(keepends=True) if line.endswith("\n"))
        player.stdout.close()
        player.wait()

    for number in range(kills):
        player = players[number % count]
        assert player.stdout is not None
        for _ in range(chance.randint(20, 80)):
            lines.append(player.stdout.readline())
        end(player)
        players[number % count] = start(100 + number)
    for player in players:
        end(player)

    async def check() -> None:
        async with served(any_database) as game_server:
            stored = {}
            for session_id in session_ids:
                for entry in game_server.service.store.load(session_id).log:
                    stored[session_id, entry.sequence] = type(entry.event).__name__
            confirmed = [line.split() for line in lines if line]
            assert len(confirmed) >= 20 * kills
            assert len({(name, number) for name, number, _ in confirmed}) == len(confirmed), (
                "two were told that they won"
            )
            for name, number, kind in confirmed:
                assert stored[name, int(number)] == kind

    asyncio.run(check())


def test_commands_that_lead_to_nothing_store_nothing(any_database: str) -> None:
    async def test() -> None:
        async with served(any_database) as game_server:
            live = (await begin_game(game_server.service, SCREEN))[0].live
            sequence = live.session.sequence
            assert await game_server.service.perform(live, Continue(), None) == ((), [])
            with pytest.raises(IllegalAction):
                await game_server.service.perform(live, TakeBack(), "both")
            assert game_server.service.store.load(live.session_id).session.sequence == sequence

    run(test)

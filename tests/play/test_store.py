"""Sessions on the disk: what is stored comes back, one of two writers wins, and nothing half is ever there."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, delete, select, text, update
from tests.play.sessions import BEGUN_AT, RandomSession

from fullprime.db.database import open_database
from fullprime.db.errors import StoreConflict, StoreError, StoreMissing
from fullprime.db.schema.sessions import game_sessions, session_events
from fullprime.play.events import ChatSent, LogEntry
from fullprime.play.evolve import evolve
from fullprime.play.keys import SeatKeys
from fullprime.play.session import BOT_GIVEN_UP, LINK_GIVEN_UP
from fullprime.play.store import SessionStore, StoredSession
from fullprime.play.terms import Terms
from fullprime.play.writer import Append, SessionWriter
from fullprime.rules.score import Player, Settings

KEYS = SeatKeys("hash of x", None, "hash of invitation")


@pytest.fixture
def engine(any_database: str) -> Iterator[Engine]:
    opened = open_database(any_database, pooled=True)
    yield opened
    opened.dispose()


@pytest.fixture
def store(engine: Engine) -> SessionStore:
    return SessionStore(engine)


@pytest.fixture
def writer(engine: Engine) -> Iterator[SessionWriter]:
    with closing(SessionWriter(engine)) as opened:
        yield opened


@dataclass
class Table:
    """A session by chance with the place where it is stored."""

    played: RandomSession
    stored: int

    @classmethod
    def open(cls, store: SessionStore, session_id: str, seed: int, terms: Terms | None = None) -> Table:
        """A new session, stored with its first events."""
        played = RandomSession.begin(random.Random(seed), terms)
        opened = played.log[0]
        played.log[0] = replace(opened, event=replace(opened.event, session_id=session_id))  # type: ignore[call-arg]
        played.session = replace(played.session, session_id=session_id)
        store.create(played.log, played.secret, KEYS)
        return cls(played, len(played.log))

    def next_append(self, keys: SeatKeys = KEYS, *, is_sensible: bool | None = None) -> Append:
        """The events of the next command that leads to some; a session that is over is talked about."""
        for _ in range(60):
            if len(self.played.log) == self.stored:
                self.played.step(is_sensible=is_sensible)
        if len(self.played.log) == self.stored:
            self.played.log.append(LogEntry(self.stored + 1, self.played.now, ChatSent(Player.X, "well played")))
            self.played.session = evolve(self.played.session, self.played.log[-1])
        entries = tuple(self.played.log[self.stored :])
        self.stored = len(self.played.log)
        return Append(self.played.session, entries, keys)


def logs_of(store: SessionStore, tables: Sequence[Table]) -> list[StoredSession]:
    return [store.load(table.played.session.session_id) for table in tables]


# -- what is stored comes back -----------------------------------------------------------------------------------
def test_sessions_come_back_as_they_were_stored(store: SessionStore, writer: SessionWriter) -> None:
    tables = [Table.open(store, f"session{seed}", seed) for seed in range(12)]
    for _ in range(25):
        assert writer.store([table.next_append() for table in tables]) == [None] * len(tables)
    for table, loaded in zip(tables, logs_of(store, tables), strict=True):
        assert loaded.session == table.played.session
        assert list(loaded.log) == table.played.log
        assert (loaded.secret, loaded.keys) == (table.played.secret, KEYS)


def test_the_head_is_that_of_the_last_event(store: SessionStore, writer: SessionWriter, engine: Engine) -> None:
    table = Table.open(store, "one", 5)
    keys = SeatKeys("x", "o")
    for _ in range(40):
        assert writer.store([table.next_append(keys)]) == [None]
        session = table.played.session
        with engine.begin() as connection:
            row = connection.execute(select(game_sessions)).mappings().one()
        assert (row["sequence"], row["status"]) == (session.sequence, session.status)
        assert row["deadline_at"] == session.deadline
        assert (row["x_key"], row["o_key"], row["invitation"]) == ("x", "o", None)
        assert row["changed_at"] == table.played.now


def test_points_have_no_bound(store: SessionStore, writer: SessionWriter) -> None:
    """A cube without a cap is soon worth more than 64 bits hold."""
    table = Table.open(store, "rich", 5)
    append = table.next_append()
    while table.played.session.game is None:
        assert writer.store([append]) == [None]
        append = table.next_append()
    game = table.played.session.game
    rich = replace(append.session, game=replace(game, score=replace(game.score, points=(2**70, 0))))
    assert writer.store([replace(append, session=rich)]) == [None]
    assert store.load("rich").session == table.played.session


def test_later_events_are_those_after_the_number(store: SessionStore, writer: SessionWriter) -> None:
    tables = [Table.open(store, f"s{number}", number) for number in range(3)]
    sequences = {table.played.session.session_id: table.stored for table in tables}
    for _ in range(5):
        writer.store([tables[0].next_append(), tables[2].next_append()])
    later = store.load_later({**sequences, "nowhere": 3})
    assert set(later) == set(sequences)
    assert list(later["s0"].entries) == tables[0].played.log[sequences["s0"] :]
    assert later["s1"].entries == ()
    assert later["s2"].keys == KEYS
    assert store.find_sequences(["s0", "nowhere"]) == {"s0": len(tables[0].played.log)}


def test_a_session_that_is_not_there(store: SessionStore) -> None:
    with pytest.raises(StoreMissing, match="no game 'gone'"):
        store.load("gone")


def test_an_id_is_given_once(store: SessionStore) -> None:
    Table.open(store, "same", 1)
    with pytest.raises(StoreError):
        Table.open(store, "same", 2)
    assert store.load("same").session.sequence >= 1


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"kind": "nonsense"}, "event 1 of game bad cannot be read: there is no event 'nonsense'"),
        ({"data": "{"}, "event 1 of game bad cannot be read"),
        ({"data": "[]"}, "event 1 of game bad cannot be read"),
        ({"kind": "help_used", "data": "{}"}, "game bad cannot be read: the log of a session begins with its opening"),
    ],
)
def test_a_damaged_log_is_refused_in_one_line(
    store: SessionStore, engine: Engine, changed: dict[str, str], words: str
) -> None:
    Table.open(store, "bad", 3)
    with engine.begin() as connection:
        connection.execute(update(session_events).where(session_events.c.sequence == 1).values(changed))
    with pytest.raises(StoreError, match=words) as refusal:
        store.load("bad")
    assert "\n" not in str(refusal.value)


def test_a_log_with_a_hole_is_refused(store: SessionStore, writer: SessionWriter, engine: Engine) -> None:
    table = Table.open(store, "hole", 3)
    writer.store([table.next_append(), table.next_append()])
    with engine.begin() as connection:
        connection.execute(delete(session_events).where(session_events.c.sequence == 2))
    with pytest.raises(StoreError, match="game hole cannot be read: event 3 cannot follow event 1"):
        store.load("hole")


# -- one of two wins -----------------------------------------------------------------------------------------------
def test_the_second_writer_is_told_that_the_session_has_gone_on(store: SessionStore, writer: SessionWriter) -> None:
    first = Table.open(store, "both", 7)
    second = Table(replace(first.played, log=list(first.played.log), chance=random.Random(99)), first.stored)
    ours, theirs = first.next_append(), second.next_append()
    assert writer.store([ours]) == [None]
    (error,) = writer.store([theirs])
    assert isinstance(error, StoreConflict)
    assert list(store.load("both").log) == first.played.log


def test_a_conflict_hinders_no_other_session(store: SessionStore, writer: SessionWriter) -> None:
    tables = [Table.open(store, f"c{number}", number) for number in range(4)]
    stale = [table.next_append() for table in tables]
    writer.store([stale[1]])
    errors = writer.store(stale)
    assert [type(error) for error in errors] == [type(None), StoreConflict, type(None), type(None)]
    for table, loaded in zip(tables, logs_of(store, tables), strict=True):
        assert list(loaded.log) == table.played.log


def test_two_appends_of_one_session_in_one_batch_follow_each_other(store: SessionStore, writer: SessionWriter) -> None:
    table, other = Table.open(store, "twice", 11), Table.open(store, "once", 12)
    errors = writer.store([table.next_append(), other.next_append(), table.next_append()])
    assert errors == [None, None, None]
    assert list(store.load("twice").log) == table.played.log


def test_many_writers_at_once_lose_nothing_and_store_nothing_twice(any_database: str, store: SessionStore) -> None:
    """Several writers, as several processes have them, go on with the same sessions."""
    ids = [f"w{number}" for number in range(6)]
    for number, name in enumerate(ids):
        Table.open(store, name, number)
    engines = [open_database(any_database, pooled=True) for _ in range(3)]
    writers = [SessionWriter(engine) for engine in engines]
    stored: dict[str, list[LogEntry]] = {name: [] for name in ids}

    async def play(writer: SessionWriter, name: str, seed: int) -> None:
        own_store, chance = SessionStore(writer._engine), random.Random(seed)
        for _ in range(8):
            loaded = await asyncio.to_thread(own_store.load, name)
            played = RandomSession(chance, loaded.session, list(loaded.log), loaded.secret, now=BEGUN_AT)
            append = Table(played, len(played.log)).next_append()
            try:
                await writer.append(append)
            except StoreConflict:
                continue
            stored[name] += append.entries

    async def play_all() -> None:
        await asyncio.gather(
            *(
                play(writer, name, seed * 100 + place)
                for seed, writer in enumerate(writers)
                for place, name in enumerate(ids)
            )
        )

    asyncio.run(play_all())
    for writer, engine in zip(writers, engines, strict=True):
        writer.close()
        engine.dispose()
    for name in ids:
        confirmed = sorted(stored[name], key=lambda entry: entry.sequence)
        assert list(store.load(name).log[-len(confirmed) :]) == confirmed


def test_what_is_appended_together_is_stored_by_few_transactions(
    store: SessionStore, writer: SessionWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [Table.open(store, f"many{number}", number) for number in range(40)]
    batches: list[int] = []
    original = SessionWriter.store
    monkeypatch.setattr(SessionWriter, "store", lambda self, items: batches.append(len(items)) or original(self, items))

    async def append_all() -> None:
        await asyncio.gather(*(writer.append(table.next_append()) for table in tables))

    asyncio.run(append_all())
    assert sum(batches) == len(tables)
    assert len(batches) < len(tables) / 2


# -- faults ----------------------------------------------------------------------------------------------------------
def test_an_error_of_the_database_reaches_the_one_who_waits(store: SessionStore, engine: Engine) -> None:
    table = Table.open(store, "away", 4)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE session_events"))
    with closing(SessionWriter(engine)) as writer, pytest.raises(StoreError, match="cannot be"):
        asyncio.run(writer.append(table.next_append()))


def test_nothing_is_taken_after_the_end(store: SessionStore, engine: Engine) -> None:
    table = Table.open(store, "ended", 4)
    writer = SessionWriter(engine)
    asyncio.run(writer.append(table.next_append()))
    writer.close()
    with pytest.raises(StoreError, match="let go"):
        asyncio.run(writer.append(table.next_append()))


def test_a_task_that_is_cancelled_hinders_no_other(store: SessionStore, writer: SessionWriter) -> None:
    one, two = Table.open(store, "left", 4), Table.open(store, "stays", 5)

    async def leave() -> None:
        task = asyncio.ensure_future(writer.append(one.next_append()))
        await asyncio.sleep(0)
        task.cancel()
        await writer.append(two.next_append())
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    assert list(store.load("stays").log) == two.played.log


_KILLED = """
import sys
from tests.play.test_store import append_until_killed
append_until_killed(sys.argv[1])
"""


def append_until_killed(url: str) -> None:
    """Go on with eight sessions for ever; each confirmed event is a line of output."""
    engine = open_database(url, pooled=True)
    store, writer = SessionStore(engine), SessionWriter(engine)

    async def play(number: int) -> None:
        loaded = store.load(f"k{number}")
        chance = random.Random(loaded.session.sequence * 8 + number)
        table = Table(RandomSession(chance, loaded.session, list(loaded.log), loaded.secret), len(loaded.log))
        while True:
            append = table.next_append(is_sensible=True)
            await writer.append(append)
            sys.stdout.write(f"k{number} {append.session.sequence}\n")
            sys.stdout.flush()

    async def play_all() -> None:
        await asyncio.gather(*(play(number) for number in range(8)))

    asyncio.run(play_all())


@pytest.mark.posix
@pytest.mark.parametrize("kills", [2, pytest.param(50, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
def test_a_writer_that_is_killed_loses_nothing_that_it_has_confirmed(
    any_database: str, store: SessionStore, kills: int
) -> None:
    terms = Terms(settings=Settings(length=0), opponent="screen", dice="seed")
    for number in range(8):
        Table.open(store, f"k{number}", number, terms)
    confirmed = {f"k{number}": 1 for number in range(8)}
    root = Path(__file__).parents[2]
    paths = os.pathsep.join([str(root), str(root / "src"), str(root / "lab" / "src")])
    chance = random.Random(kills)
    for _ in range(kills):
        with subprocess.Popen(
            [sys.executable, "-c", _KILLED, any_database], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": paths},
        ) as process:  # fmt: skip
            assert process.stdout is not None
            for line, _ in zip(process.stdout, range(chance.randint(20, 120)), strict=False):
                name, _, sequence = line.partition(" ")
                confirmed[name] = int(sequence)
            process.kill()
            for line in process.stdout.read().splitlines():
                name, _, sequence = line.partition(" ")
                confirmed[name] = max(confirmed[name], int(sequence or 0))
        for name, sequence in confirmed.items():
            assert store.load(name).session.sequence >= sequence


# -- deadlines, and sessions that never begin -----------------------------------------------------------------------
def test_sessions_are_due_when_their_deadline_is_over(store: SessionStore, writer: SessionWriter) -> None:
    timed = Terms(settings=Settings(length=3), opponent="friend", dice="seed", clock="12+600")
    untimed = Terms(settings=Settings(length=3), opponent="friend", dice="seed")
    tables = {"timed": Table.open(store, "timed", 2, timed), "untimed": Table.open(store, "untimed", 2, untimed)}
    for table in tables.values():
        while table.played.session.turn is None:
            writer.store([table.next_append()])
    deadline = tables["timed"].played.session.deadline
    assert deadline is not None
    assert store.list_overdue(deadline - timedelta(milliseconds=1)) == []
    assert store.list_overdue(deadline) == ["timed"]


def test_a_bot_and_a_link_that_is_given_up_are_deadlines() -> None:
    met = set()
    for seed in range(60):
        played = RandomSession.begin(random.Random(seed))
        for _ in range(60):
            played.step()
            session, deadline = played.session, played.session.deadline
            if session.is_over or session.game is None or session.game.is_over:
                assert deadline is None
                continue
            assert session.changed_at is None or session.is_bot_due == (deadline == session.changed_at + BOT_GIVEN_UP)
            if session.is_bot_due:
                met.add("bot")
            if session.terms.is_correspondence and session.awaited and session.link_awaited_since is not None:
                met.add("link")
                assert deadline is not None
                assert deadline <= session.link_awaited_since + LINK_GIVEN_UP
    assert met == {"bot", "link"}


def test_a_session_whose_seat_is_free_may_be_forgotten(store: SessionStore, writer: SessionWriter) -> None:
    table = Table.open(store, "free", 1)
    assert store.delete_waiting("free")
    assert not store.delete_waiting("free")
    with pytest.raises(StoreMissing):
        store.load("free")
    assert isinstance(writer.store([table.next_append()])[0], StoreConflict)
    taken = Table.open(store, "taken", 1)
    writer.store([taken.next_append(SeatKeys("x", "o"))])
    assert not store.delete_waiting("taken")


def test_sessions_that_never_begin_are_forgotten(store: SessionStore) -> None:
    Table.open(store, "old", 1, Terms(settings=Settings(length=1)))
    assert store.delete_unbegun(BEGUN_AT) == []
    assert store.delete_unbegun(BEGUN_AT + timedelta(seconds=1)) == ["old"]


def test_the_log_folds_at_every_place(store: SessionStore, writer: SessionWriter) -> None:
    """A reader that was behind, and takes over later events one by one, comes to the same session."""
    table = Table.open(store, "behind", 21)
    behind = store.load("behind").session
    for _ in range(30):
        writer.store([table.next_append()])
        for entry in store.load_later({"behind": behind.sequence})["behind"].entries:
            behind = evolve(behind, entry)
        assert behind == table.played.session

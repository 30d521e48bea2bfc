"""Events of many games in one transaction: each is stored or its teller hears why not, whatever the others are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from itertools import count
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from fullprime.rules import game as acts
from fullprime.rules.record import Match
from fullprime.rules.score import Settings
from fullprime.store.errors import StoreConflict, StoreError
from fullprime.store.games.games import GameStore
from fullprime.store.games.writing import EventRow
from fullprime.web.fast import batches as batches_module
from fullprime.web.fast.batches import EventBatches, Outcome

_NUMBERS = count(1)
AT = datetime.fromisoformat("2026-11-21T12:30:01.250")


class Told:
    """What became of events, by the names they were given under."""

    def __init__(self) -> None:
        self.outcomes: dict[str, Outcome] = {}
        self.batches: list[int] = []
        self.hold = threading.Event()
        self._come = threading.Semaphore(0)

    def __call__(self, outcomes: Any) -> None:
        self.batches.append(len(outcomes))
        self.outcomes.update(outcomes)
        for _ in outcomes:
            self._come.release()
        assert self.hold.wait(60)

    def wait(self, number: int) -> None:
        for _ in range(number):
            assert self._come.acquire(timeout=60)


@pytest.fixture
def store(any_database: str) -> Iterator[GameStore]:
    with closing(GameStore(any_database)) as made:
        yield made


@pytest.fixture
def postgres_store(postgresql: str) -> Iterator[GameStore]:
    engine = create_engine(
        postgresql.format("postgres").replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
    )
    name = f"batches{next(_NUMBERS)}"
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    with closing(GameStore(postgresql.format(name))) as made:
        yield made


@pytest.fixture
def batches(store: GameStore) -> Iterator[EventBatches[str]]:
    with closing(EventBatches[str](store._engine, Told())) as made:
        yield made


def row(number: int, place: int) -> EventRow:
    """An opening throw, with nine dice thrown so that it can be told from what was there."""
    return {
        "number": number, "place": place, "game": 1, "what": '{"opening":[6,5]}', "thrown": 9,
        "standing": "playing", "now": AT, "falls": None,
    }  # fmt: skip


def begun(store: GameStore) -> int:
    return store.create(Match(Settings(length=3)).next_game(), ("human", "human"), "{}")


def test_one_that_comes_second_does_not_hinder_the_others(store: GameStore, batches: EventBatches[str]) -> None:
    first, second, third = (begun(store) for _ in range(3))
    store.append(second, 1, 1, acts.opening(3, 1), 2)
    outcomes = batches.store([row(first, 1), row(second, 1), row(third, 1)])
    assert [type(each) for each in outcomes] == [type(None), StoreConflict, type(None)]
    saved = [store.load(number) for number in (first, second, third)]
    assert [(each.events, each.drawn) for each in saved] == [(1, 9), (1, 2), (1, 9)]
    assert saved[0].times == (AT,)
    assert saved[0].match.games[0].events == (acts.opening(6, 5),)


def test_a_game_that_is_gone_does_not_hinder_the_others(store: GameStore, batches: EventBatches[str]) -> None:
    there, gone = begun(store), begun(store)
    store.remove(gone)
    outcomes = batches.store([row(gone, 1), row(there, 1)])
    assert isinstance(outcomes[0], StoreError)
    assert outcomes[1] is None
    assert store.load(there).events == 1


def test_events_of_one_game_follow_each_other(store: GameStore, batches: EventBatches[str]) -> None:
    number = begun(store)
    assert batches.store([row(number, 1), row(number, 2), row(number, 2)])[:2] == [None, None]
    assert store.load(number).events == 2


def test_what_comes_meanwhile_is_stored_at_once_and_nothing_is_left_at_the_end(store: GameStore) -> None:
    told = Told()
    batches: EventBatches[str] = EventBatches(store._engine, told)
    numbers = [begun(store) for _ in range(8)]
    batches.submit(row(numbers[0], 1), "first")
    told.wait(1)
    for number in numbers[1:]:
        batches.submit(row(number, 1), f"game {number}")
    told.hold.set()
    batches.close()
    assert told.batches == [1, 7]
    assert set(told.outcomes.values()) == {None}
    assert [store.load(number).events for number in numbers] == [1] * 8
    with pytest.raises(StoreError, match="let go"):
        batches.submit(row(numbers[0], 2), "too late")


def test_a_connection_that_breaks_is_replaced(postgres_store: GameStore) -> None:
    numbers = [begun(postgres_store) for _ in range(2)]
    with closing(EventBatches[str](postgres_store._engine, Told())) as batches:
        assert batches.store([row(numbers[0], 1)]) == [None]
        with postgres_store._engine.begin() as connection:
            others = (
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type"
            )
            connection.execute(text(f"{others} = 'client backend' AND datname = current_database()"))
        (broken,) = batches.store([row(numbers[0], 2)])
        assert isinstance(broken, StoreError)
        assert not isinstance(broken, StoreConflict), "nobody knows whether it was stored"
        assert batches.store([row(number, 3) for number in numbers]) == [None, None]


def test_a_row_that_is_locked_holds_up_the_others_for_a_moment_only(
    postgres_store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches_module, "_SETTINGS", "SET lock_timeout = '50ms'")
    locked, free = begun(postgres_store), begun(postgres_store)
    with closing(EventBatches[str](postgres_store._engine, Told())) as batches:
        with postgres_store._engine.begin() as connection:
            connection.execute(text(f"SELECT id FROM matches WHERE id = {locked} FOR UPDATE"))
            outcomes = batches.store([row(locked, 1), row(free, 1)])
        assert [type(each) for each in outcomes] == [StoreError, type(None)]
        assert batches.store([row(locked, 1)]) == [None], "nothing of it was stored"


def test_a_database_that_cannot_be_reached_is_told_to_all(
    store: GameStore, batches: EventBatches[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [begun(store) for _ in range(2)]

    def broken(*_given: Any, **_more: Any) -> Any:
        raise OSError("the disk is full")

    for way in ("_by_one_statement", "_by_one_transaction"):
        monkeypatch.setattr(batches, way, broken)
    outcomes = batches.store([row(number, 1) for number in numbers])
    assert [type(each) for each in outcomes] == [StoreError, StoreError]
    assert "the disk is full" in str(outcomes[0])
    assert [store.load(number).events for number in numbers] == [0, 0]

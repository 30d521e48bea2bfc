"""The position of the day remembers a learner: the first answer counts, days in a row, and what others played."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from fullprime.accounts.store.accounts import AccountStore
from fullprime.common.refusals import Refusal
from fullprime.db.database import open_database
from fullprime.learn.learners import LearnerId, Learners, key_of
from fullprime.learn.teaching import daily
from fullprime.learn.teaching.daily_record import DailyRecords
from fullprime.learn.teaching.model import DailyPlay

TODAY = date(2026, 11, 22)
NOON = datetime.fromisoformat("2026-11-22T12:00")
PLAYS = [play.play for play in daily.of_day(TODAY).figures.plays]
ME, *OTHERS = (LearnerId(key=key_of(name)) for name in ("me", "ann", "bob", "cleo"))


class Clock:
    """A clock that is set by hand."""

    now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(str(tmp_path / "daily.db"))
    yield engine
    engine.dispose()


@pytest.fixture
def records(engine: Engine, clock: Clock) -> DailyRecords:
    return DailyRecords(engine, clock)


def best_of(day: date) -> str:
    return daily.of_day(day).figures.plays[0].play


def test_the_first_answer_to_a_day_counts_and_no_later_one(records: DailyRecords) -> None:
    wrong = records.answer(ME, TODAY, PLAYS[-1])
    assert (wrong.counted, wrong.answer.verdict.right) == (True, False)
    better = records.answer(ME, TODAY, PLAYS[0])
    assert (better.counted, better.answer.verdict.right) == (False, True)
    record = records.get_record(ME, TODAY)
    assert (record.answered, record.right, [day.answer for day in record.days]) == (1, 0, [PLAYS[-1]])


def test_what_was_shown_is_no_play_of_ones_own(records: DailyRecords) -> None:
    assert records.get_solution(ME, TODAY).answer.verdict.right
    assert not records.answer(ME, TODAY, PLAYS[0]).counted, "the best play is known by then"
    record = records.get_record(ME, TODAY)
    assert (record.streak, record.answered, record.right) == (0, 0, 0)
    assert records.answer(OTHERS[0], TODAY, PLAYS[0]).others == 0, "nor is it counted for others"


def test_a_play_that_the_rules_refuse_is_no_answer(records: DailyRecords) -> None:
    refused = records.answer(ME, TODAY, "1/7")
    assert (refused.answer.verdict.refused, refused.counted, refused.plays) == (True, False, ())
    assert records.get_record(ME, TODAY).days == ()
    assert records.answer(ME, TODAY, PLAYS[0]).counted


def test_what_others_played_is_counted_once_a_learner(records: DailyRecords) -> None:
    for who, play in zip(OTHERS, (PLAYS[0], PLAYS[1], PLAYS[0]), strict=True):
        for _ in range(2):
            records.answer(who, TODAY, play)
        records.answer(who, TODAY, PLAYS[-1])
    record = records.answer(ME, TODAY, PLAYS[1])
    assert record.others == 3
    assert record.plays == (DailyPlay(PLAYS[0], 2), DailyPlay(PLAYS[1], 1))


def test_a_play_has_one_name_however_it_is_written(records: DailyRecords) -> None:
    written = " ".join(reversed(PLAYS[0].split()))
    records.answer(OTHERS[0], TODAY, written)
    records.answer(OTHERS[1], TODAY, PLAYS[0])
    assert records.answer(ME, TODAY, PLAYS[1]).plays == (DailyPlay(PLAYS[0], 2),)


def test_days_in_a_row_are_those_played_on_their_day(records: DailyRecords, clock: Clock) -> None:
    for ago in (4, 2, 1):
        clock.now = NOON - timedelta(days=ago)
        records.answer(ME, TODAY - timedelta(days=ago), best_of(TODAY - timedelta(days=ago)))
    assert records.get_record(ME, TODAY).streak == 2, "today may still be played"
    assert records.get_record(ME, TODAY + timedelta(days=1)).streak == 0
    clock.now = NOON
    records.answer(ME, TODAY, PLAYS[-1])
    records.answer(ME, TODAY - timedelta(days=3), best_of(TODAY - timedelta(days=3)))
    record = records.get_record(ME, TODAY)
    assert record.streak == 3, "a day out of the archive closes no gap"
    assert [day.right for day in record.days] == [False, True, True, True, True]


def test_a_day_that_has_begun_nowhere_is_refused(records: DailyRecords) -> None:
    tomorrow, later = (TODAY + timedelta(days=days) for days in (1, 2))
    assert records.answer(ME, tomorrow, best_of(tomorrow)).counted, "in Kiribati it is that day already"
    with pytest.raises(Refusal, match="2026-11-24 is played from that day on"):
        records.answer(ME, later, best_of(later))
    with pytest.raises(Refusal):
        records.get_solution(ME, later)


def test_a_guest_who_signs_in_keeps_the_days_and_the_account_its_own(records: DailyRecords, engine: Engine) -> None:
    account = LearnerId(account=AccountStore(engine).create("ann", "hash").id)
    yesterday = TODAY - timedelta(days=1)
    records.answer(account, TODAY, PLAYS[0])
    guest = LearnerId(key=key_of("secret"))
    records.answer(guest, TODAY, PLAYS[-1])
    records.answer(guest, yesterday, best_of(yesterday))
    assert Learners(engine).adopt("secret", account)
    assert [(day.day, day.right) for day in records.get_record(account, TODAY).days] == [
        ("2026-11-22", True),
        ("2026-11-21", True),
    ]
    assert records.get_record(guest, TODAY).days == ()

"""Training: answers are stored once, and a guest's go into the account."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from fullprime.accounts.store.accounts import AccountStore
from fullprime.db.database import open_database
from fullprime.learn.learners import LearnerId, key_of
from fullprime.learn.trainers.service import DrillError, Training, question_of, shown_question, trainer_named


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    database = open_database(str(tmp_path / "drills.db"))
    yield database
    database.dispose()


def test_an_answer_is_stored_once_and_summed(engine: Engine) -> None:
    training, who = Training(engine), LearnerId(key="guest")
    assert training.list_trainers(who).trainers[0].totals.tries == 0
    training.answer(who, "equities", 4, "50", 3.0)
    best = trainer_named("equities").mark(question_of("equities", 5), "1").best
    right = training.answer(who, "equities", 5, best, 5.0)
    assert right.counted
    assert right.marked.right
    assert (right.trainer.totals.tries, right.trainer.totals.seconds) == (2, 4.0)
    again = training.answer(who, "equities", 5, "1", 9.0)
    assert not again.counted
    assert again.trainer.totals.tries == 2
    assert [attempt.seconds for attempt in training.get_history(who, "equities").tries] == [3.0, 5.0]
    with pytest.raises(DrillError, match="no number"):
        training.answer(who, "equities", 6, "x", 1.0)
    assert training.get_history(who, "equities").trainer.totals.tries == 2


def test_a_guests_answers_go_into_the_account(engine: Engine) -> None:
    training, account = Training(engine), AccountStore(engine).create("Ann", "hash").id
    guest, ann = LearnerId(key=key_of("secret")), LearnerId(account=account)
    training.answer(guest, "equities", 1, "50", 1.0)
    training.answer(guest, "equities", 2, "50", 1.0)
    training.answer(ann, "equities", 2, "60", 2.0)
    assert training.learners.adopt("secret", LearnerId(account=account))
    assert not training.learners.adopt("secret", LearnerId(account=account))
    assert training.get_history(ann, "equities").trainer.totals.tries == 2
    assert training.get_history(guest, "equities").tries == ()


def test_a_question_of_pips_tells_no_pips() -> None:
    shown = shown_question("pips", question_of("pips", 1))
    assert shown.board is not None
    assert shown.board.pips == {"X": 0, "O": 0}
    assert shown.board.tree is None

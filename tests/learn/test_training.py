"""Training: answers are stored once, and a guest's go into the account."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from fullprime.accounts.store.accounts import PeopleStore
from fullprime.db.database import open_database
from fullprime.learn.learners import Who, key_of
from fullprime.learn.trainers.service import DrillError, Training, question_json, question_of, trainer_named


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    found = open_database(str(tmp_path / "drills.db"))
    yield found
    found.dispose()


def test_an_answer_is_stored_once_and_summed(engine: Engine) -> None:
    training, who = Training(engine), Who(key="guest")
    assert training.trainers(who)["trainers"][0]["tries"] == 0
    training.answer(who, "equities", 4, "50", 3.0)
    best = trainer_named("equities").mark(question_of("equities", 5), "1").best
    right = training.answer(who, "equities", 5, best, 5.0)
    assert right["counted"]
    assert right["right"]
    assert (right["trainer"]["tries"], right["trainer"]["seconds"]) == (2, 4.0)
    again = training.answer(who, "equities", 5, "1", 9.0)
    assert not again["counted"]
    assert again["trainer"]["tries"] == 2
    assert [each["seconds"] for each in training.history(who, "equities")["tries"]] == [3.0, 5.0]
    with pytest.raises(DrillError, match="no number"):
        training.answer(who, "equities", 6, "x", 1.0)
    assert training.history(who, "equities")["trainer"]["tries"] == 2


def test_a_guests_answers_go_into_the_account(engine: Engine) -> None:
    training, account = Training(engine), PeopleStore(engine).create("Ann", "hash").id
    guest, ann = Who(key=key_of("secret")), Who(account=account)
    training.answer(guest, "equities", 1, "50", 1.0)
    training.answer(guest, "equities", 2, "50", 1.0)
    training.answer(ann, "equities", 2, "60", 2.0)
    assert training.learners.adopt("secret", Who(account=account))
    assert not training.learners.adopt("secret", Who(account=account))
    assert training.history(ann, "equities")["trainer"]["tries"] == 2
    assert training.history(guest, "equities")["tries"] == []


def test_a_question_of_pips_tells_no_pips() -> None:
    shown = question_json("pips", question_of("pips", 1))
    assert shown["board"] is not None
    assert shown["board"]["pips"] == {"X": 0, "O": 0}
    assert "tree" not in shown["board"]

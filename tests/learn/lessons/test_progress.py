"""Progress: what was reached stays reached, at a terminal and in an account."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullprime.accounts.store.accounts import AccountStore
from fullprime.common.json_values import to_json
from fullprime.db.database import open_database
from fullprime.learn.lessons import LessonProgress, merge_progress
from fullprime.learn.lessons.progress import LearnerProgress, ProgressError, progress_text, read_progress
from fullprime.learn.teaching.progress import AccountProgress, load, note


@st.composite
def marks(draw: st.DrawFn) -> LessonProgress:
    questions = draw(st.integers(0, 9))
    return LessonProgress(draw(st.integers(0, 20)), draw(st.booleans()), draw(st.integers(0, questions)), questions)


progresses = st.dictionaries(st.sampled_from("abc"), marks())


@given(progresses, progresses)
def test_nothing_is_lost_when_two_become_one(one: dict[str, LessonProgress], other: dict[str, LessonProgress]) -> None:
    both = merge_progress(one, other)
    assert set(both) == set(one) | set(other)
    for name, mark in [*one.items(), *other.items()]:
        assert both[name].step >= mark.step
        assert both[name].done >= mark.done
        assert both[name].right * max(mark.asked, 1) >= mark.right * both[name].asked
    assert merge_progress(both, one) == both


@given(progresses)
def test_progress_survives_its_file(progress: dict[str, LessonProgress]) -> None:
    assert read_progress(progress_text(progress)) == progress


def test_a_lesson_is_passed_with_half_of_its_quiz() -> None:
    assert LessonProgress(9, True).passed
    assert LessonProgress(9, True, 3, 6).passed
    assert not LessonProgress(9, True, 0, 5).passed
    assert not LessonProgress(3, False, 0, 0).passed


def test_impossible_progress_is_refused() -> None:
    with pytest.raises(ProgressError):
        LessonProgress(-1)
    with pytest.raises(ProgressError):
        LessonProgress(1, False, 3, 2)
    with pytest.raises(ProgressError):
        read_progress("[]")


def test_a_learner_at_a_terminal_keeps_what_was_done(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "learning.json"
    assert load(file) == {}
    note(file, "primes", LessonProgress(3))
    note(file, "primes", LessonProgress(2, True, 1, 2))
    assert load(file) == {"primes": LessonProgress(3, True, 1, 2)}
    file.write_text("nonsense")
    with pytest.raises(ProgressError, match=r"learning\.json: this is no progress"):
        load(file)


def test_an_account_gets_what_a_guest_has_done_and_forgets_nothing(tmp_path: Path) -> None:
    engine = open_database(str(tmp_path / "people.db"))
    account, other = (AccountStore(engine).create(name, "hash").id for name in ("ann", "bob"))
    learning = AccountProgress(engine)
    learning.add(account, {"primes": LessonProgress(2)})
    after = learning.add(account, {"primes": LessonProgress(1, True, 2, 3), "gone": LessonProgress(1)})
    assert after == {"primes": LessonProgress(2, True, 2, 3)}, "a lesson that is not in the course is left out"
    assert AccountProgress(engine).get(account) == after
    assert learning.get(other) == {}
    assert to_json(LearnerProgress(after))["lessons"]["primes"]["right"] == 2
    AccountStore(engine).delete(account)
    assert learning.get(account) == {}
    engine.dispose()

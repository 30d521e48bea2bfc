"""Two judges: another program's verdicts stand beside ours, and idle time settles where they differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from tests.store.test_library import file_of, match_of, review_of

from fullprime.analysis.decision import Decision
from fullprime.app.jobs import Jobs
from fullprime.app.library import judges
from fullprime.app.library.idle import Settler
from fullprime.app.matches.library import LibraryStore
from fullprime.formats import Document, write
from fullprime.formats.analysis import CandidatePlay, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.rules.plays import legal_plays
from fullprime.store.library.facts import boards_at
from fullprime.store.library.settled import store_settled


@pytest.fixture
def store(tmp_path: Path) -> LibraryStore:
    return LibraryStore(f"sqlite:///{tmp_path / 'library.db'}")


def disputed(store: LibraryStore) -> tuple[int, Decision]:
    """A match whose file prefers another play than ours at one decision, and agrees at the next."""
    match = match_of(5)
    boards = boards_at(match)
    found = review_of(match, [0.2, 0.0, 0.0])
    decisions = []
    events = {}
    for number, each in enumerate(found.decisions):
        position, dice = boards[each.game, each.event]
        assert dice is not None
        first, *others = legal_plays(position, dice)
        second = others[0] if others else first
        best, played = (
            replace(each.options[0], moves=first.moves, text=str(first)),
            replace(each.options[1], moves=second.moves, text=str(second)),
        )
        decisions.append(replace(each, options=(best, played)))
        said = (second, first) if number == 0 else (first, second)
        candidates = tuple(
            CandidatePlay(play.moves, str(play), equity) for play, equity in zip(said, (0.3, 0.1), strict=True)
        )
        events[each.game, each.event] = EventAnalysis(PlayAnalysis(candidates, 1))
    decisions[1] = replace(decisions[1], chosen=0)
    review = replace(found, decisions=tuple(decisions[:1]), match=match)
    document = Document(match, FileAnalysis("Other 1.0", MappingProxyType(events)))
    (number,) = store.add(write(document, "json")[0], "a.json", [document]).new
    store.add_review(number, review)
    return number, review.decisions[0]


def test_where_two_judges_differ_both_are_shown_and_a_rollout_is_kept(store: LibraryStore) -> None:
    number, decision = disputed(store)
    (one,), judged, program = judges.two_judges(store, number)
    assert (judged, program) == (1, "Other 1.0")
    assert (one["ours"]["best"], one["ours"]["loss"]) == (decision.best.text, 0.2)
    assert one["theirs"]["loss"] == 0.0
    assert one["difference"] == pytest.approx(0.2)
    assert "settled" not in one
    (dispute,) = judges.unsettled(store, number)
    other = LibraryStore(store.engine, shelf=4)
    with pytest.raises(judges.LibraryError, match="no match"):
        store_settled(other, dispute)
    store_settled(store, replace(dispute, result=judges.verdict(dispute, -0.1, 0.02, 720)))
    (one,), *_ = judges.two_judges(store, number)
    settled = one.get("settled")
    assert settled is not None
    assert (settled["right"], settled["best"], settled["trials"]) == ("theirs", dispute.theirs, 720)
    assert judges.unsettled(store, number) == []
    assert judges.verdict(dispute, 0.01, 0.02, 720)["right"] == "open"


def test_idle_time_settles_and_gives_way_to_those_who_wait(store: LibraryStore) -> None:
    disputed(store)
    asked: list[judges.Dispute] = []

    def roll_out(where: LibraryStore, dispute: judges.Dispute, stop: Callable[[], bool]) -> bool:
        asked.append(dispute)
        if stop():
            return False
        store_settled(where, replace(dispute, result=None))
        return True

    jobs = Jobs(threads=1)
    settler = Settler(store.engine, jobs, roll_out=roll_out)
    busy: Any = jobs.submit("ann", "analyse", lambda job: job.wait(20))
    assert settler.work() == 0
    jobs.stop(busy.id)
    jobs.close()
    idle = Settler(store.engine, Jobs(threads=1), roll_out=roll_out)
    assert idle.work() == 1
    assert idle.work() == 0
    assert len(asked) == 1


def test_a_match_without_another_judge_has_nothing_to_show(store: LibraryStore) -> None:
    match = match_of(6)
    data = file_of(match, "json")
    (number,) = store.add(data, "b.json", [Document(match)]).new
    store.add_review(number, review_of(match, [0.2]))
    assert judges.two_judges(store, number) == ([], 0, None)

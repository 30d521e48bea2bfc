"""Two judges: another program's verdicts stand beside ours, and idle time settles where they differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from tests.formats.shared import shared
from tests.library.test_library import file_of, match_of, review_of

from fullprime.common.jobs import Jobs
from fullprime.formats import Document, read, write
from fullprime.formats.analysis import CandidatePlay, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.recording.units import to_mwc, to_points
from fullprime.library import judges
from fullprime.library.background_rollouts import BackgroundRollouts
from fullprime.library.pages import judges_page
from fullprime.library.service import LibraryStore
from fullprime.library.store.settled import settled_of, store_settled
from fullprime.reviews.decision import Decision, Kind, Option
from fullprime.reviews.match_facts import boards_at, replay
from fullprime.reviews.matches.reviewing import review_document
from fullprime.reviews.review import Review
from fullprime.rules import actions as acts
from fullprime.rules.dice import Roll
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import read_play
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Settings


@pytest.fixture
def store(tmp_path: Path) -> LibraryStore:
    return LibraryStore(f"sqlite:///{tmp_path / 'library.db'}")


def disputed(store: LibraryStore, unit: str = "points", judged: int = 1) -> tuple[int, Decision]:
    """A match whose file prefers another play than ours at one decision, and agrees at the next."""
    document, review = judged_twice(unit, judged)
    (number,) = store.add(write(document, "json")[0], "a.json", [document]).new
    store.add_review(number, review)
    return number, review.decisions[0]


def judged_twice(unit: str = "points", judged: int = 1) -> tuple[Document, Review]:
    """A match with the analysis of another program, and our review of so many of its decisions."""
    match = match_of(5)
    boards = boards_at(match)
    games = {(number, step.number): step.before for number, game in enumerate(match.games) for step in replay(game)}
    reviewed = review_of(match, [0.2, 0.0, 0.0])
    decisions = []
    events = {}
    for number, decision in enumerate(reviewed.decisions):
        position, dice = boards[decision.game, decision.event]
        assert dice is not None
        first, *others = legal_plays(position, dice)
        second = others[0] if others else first
        best, played = (
            replace(decision.options[0], moves=first.moves, text=str(first)),
            replace(decision.options[1], moves=second.moves, text=str(second)),
        )
        decisions.append(replace(decision, options=(best, played)))
        ranked = (second, first) if number == 0 else (first, second)
        here = games[decision.game, decision.event]
        candidates = tuple(
            CandidatePlay(play.moves, str(play), equity if unit == "points" else to_mwc(equity, here))
            for play, equity in zip(ranked, (0.3, 0.1), strict=True)
        )
        events[decision.game, decision.event] = EventAnalysis(PlayAnalysis(candidates, 1, unit))
    decisions[1:] = [replace(decision, chosen=0) for decision in decisions[1:]]
    program = "Fullprime, backgammon-contact-1.npz, backgammon-deep-2.npz"
    review = replace(reviewed, decisions=tuple(decisions[:judged]), match=match, program=program)
    return Document(match, FileAnalysis("Other 1.0", MappingProxyType(events))), review


def test_where_two_judges_differ_both_are_shown_and_a_rollout_is_kept(store: LibraryStore) -> None:
    number, decision = disputed(store)
    (one,), judged, program = judges.two_judges(store, number)
    assert (judged, program) == (1, "Other 1.0")
    assert (one.ours.best, one.ours.loss) == (decision.best.text, 0.2)
    assert one.theirs.loss == 0.0
    assert one.difference == pytest.approx(0.2)
    assert one.ours.program == "Fullprime", "its nets are no name to be read at every decision"
    assert one.theirs.other == pytest.approx(0.2), "what our best costs by their judgement"
    assert (one.rolled_out, one.settled) == (False, None)
    (dispute,) = judges.list_unsettled(store, number)
    other = LibraryStore(store.engine, shelf=4)
    with pytest.raises(judges.LibraryError, match="no match"):
        store_settled(other, dispute)
    store_settled(store, replace(dispute, result=judges.verdict(dispute, -0.1, 0.02, 720)))
    (one,), *_ = judges.two_judges(store, number)
    settled = one.settled
    assert settled is not None
    assert (settled.right, settled.best, settled.trials) == ("theirs", dispute.theirs, 720)
    assert judges.list_unsettled(store, number) == []
    assert judges.verdict(dispute, 0.01, 0.02, 720).right == "open"


def test_decisions_on_which_both_judges_agree_are_shown_too(store: LibraryStore) -> None:
    number, _ = disputed(store, judged=3)
    apart, judged, _ = judges.two_judges(store, number)
    assert (len(apart), judged) == (1, 3)
    page = judges_page(store, number)
    assert (page.judged, page.program, len(page.judges)) == (3, "Other 1.0", 3)
    assert page.judges[0] == apart[0], "differences first"
    assert all(judge.difference <= judges.APART for judge in page.judges[1:])
    assert all(judge.theirs.best for judge in page.judges)
    assert len(judges.list_unsettled(store, number)) == 1, "what nobody disputes is not rolled out"


def test_chances_to_win_the_match_are_compared_as_points(store: LibraryStore) -> None:
    number, _ = disputed(store, "mwc")
    ((one,), judged, _) = judges.two_judges(store, number)
    assert judged == 1
    assert (one.theirs.loss, one.difference) == (pytest.approx(0.0), pytest.approx(0.2))


def test_cubes_of_a_real_file_in_match_chances_are_compared(store: LibraryStore) -> None:
    data = shared("corpus", "sgf", "charlot_7p.sgf").read_bytes()
    (document,) = read(data).documents
    assert document.review is not None
    games = {
        (number, step.number): step
        for number, record in enumerate(document.match.games)
        for step in replay(record)
        if isinstance(step.event, Action)
    }
    at, analysis = next(
        (at, event.cube)
        for at, event in document.review.events.items()
        if event.cube is not None and event.cube.no_double and at in games and games[at].event.kind is ActionKind.ROLL
    )
    assert (analysis.unit, analysis.double_pass) == ("mwc", None)
    assert analysis.no_double is not None
    assert analysis.double_take is not None
    (number,) = store.add(data, "charlot.sgf", [document]).new
    review = review_of(document.match, [0.0])
    options = (Option("double", 0.4, 0.0, 0.4, 0), Option("no double", 0.1, 0.3, 0.1, 0))
    first = replace(
        review.decisions[0], kind=Kind.DOUBLE, dice=None, game=at[0], event=at[1], options=options, chosen=1
    )
    store.add_review(number, replace(review, decisions=(first,), match=document.match))
    ((one,), judged, program) = judges.two_judges(store, number)
    stay, take = (to_points(equity, games[at].before) for equity in (analysis.no_double, analysis.double_take))
    assert stay is not None
    assert take is not None
    assert program is not None
    assert program.startswith("GNU Backgammon")
    assert (judged, one.theirs.loss) == (1, pytest.approx(max(0.0, min(take, 1.0) - stay)))


def test_plays_that_differ_by_a_hit_alone_are_two(store: LibraryStore) -> None:
    board = Position.from_text("bar 13:5 8:3 6:5 3 / 24 13:5 8:3 6:4 5 4")
    plays = [play for play in legal_plays(board, Roll(5, 4)) if {move.source for move in play.moves} == {25, 20}]
    plays += [play for play in legal_plays(board, Roll(5, 4)) if {move.source for move in play.moves} == {25, 21}]
    assert len({judges.key_of_play(play.moves) for play in plays}) == len({play.after for play in plays}) == 2


@pytest.mark.broad
def test_idle_time_settles_and_gives_way_to_those_who_wait(store: LibraryStore) -> None:
    disputed(store)
    disputes: list[judges.Dispute] = []

    def roll_out(where: LibraryStore, dispute: judges.Dispute, stop: Callable[[], bool]) -> bool:
        disputes.append(dispute)
        if stop():
            return False
        store_settled(where, replace(dispute, result=None))
        return True

    jobs = Jobs(threads=1)
    background_rollouts = BackgroundRollouts(store.engine, jobs, roll_out=roll_out)
    busy: Any = jobs.submit("ann", "analyse", lambda job: job.wait(60))
    assert background_rollouts.work() == 0
    jobs.stop(busy.id)
    jobs.close()
    idle = BackgroundRollouts(store.engine, Jobs(threads=1), roll_out=roll_out)
    assert idle.work() == 1
    assert idle.work() == 0
    assert len(disputes) == 1


SMALL = Position.from_text("6 2 off:13 / 1:4 off:11")
"""With a 2-1, 6/5 2/off leaves a checker on 5 and misses with 5 throws of 36; 6/3 leaves 3 and 2 and misses with 11. O
needs two turns but for doubles."""


def small_dispute(store: LibraryStore) -> int:
    """A reviewed match in which X plays worse and the file calls that play the best: by our own review a dispute."""
    start = replace(Game.new(Settings(length=5)), position=SMALL, phase=Phase.CUBE_DECISION)
    better, worse = (read_play(text, SMALL, Roll(2, 1)) for text in ("6/5 2/off", "6/3"))
    game = GameRecord(start, (acts.roll(Roll(2, 1)), acts.play(worse)))
    match = Match(start.settings, ("Ann", "Bob"), (game,))
    candidates = tuple(CandidatePlay(play.moves, str(play), equity) for play, equity in ((worse, 0.6), (better, 0.2)))
    analysis = FileAnalysis(
        "Other 1.0", MappingProxyType({(0, 1): EventAnalysis(PlayAnalysis(candidates, 1, "points"))})
    )
    document = Document(match, analysis)
    (number,) = store.add(write(document, "json")[0], "small.json", [document]).new
    store.add_review(number, review_document(Document(match), "small.json", "fast", keep=False).review)
    return number


def test_idle_time_rolls_a_small_dispute_out_and_settles_it(store: LibraryStore) -> None:
    """Nothing here is a stand-in: the review, the rollout and the verdict are those of a server."""
    number = small_dispute(store)
    ((before,), judged, _) = judges.two_judges(store, number)
    assert (judged, before.ours.best, before.theirs.best) == (1, "6/5 2/off", "6/3")
    background_rollouts = BackgroundRollouts(store.engine, Jobs(threads=1), roll_out=partial(judges.settle, trials=144))
    assert background_rollouts.work() == 1
    ((after,), *_) = judges.two_judges(store, number)
    settled = after.settled
    assert settled is not None
    assert (settled.right, settled.best, settled.trials) == ("ours", "6/5 2/off", 144)
    # Unless O throws a double (6 of 36), X wins with 31 or with 25 of 36: 0.28 points without a cube. With it O drops
    # the one, which is then worth 1, and takes the other: 2 (2 x 25/36 - 1) = 0.78, so that 0.19 are left.
    low, high = settled.interval
    assert 0 < low <= 0.28
    assert high >= 0.18
    assert judges.list_unsettled(store, number) == []
    assert BackgroundRollouts(store.engine, Jobs(threads=1)).work() == 0, "another server finds it settled"


def same_best(store: LibraryStore) -> int:
    """A reviewed match in which X plays worse; the file prefers our play, too, but makes much more of it."""
    start = replace(Game.new(Settings(length=5)), position=SMALL, phase=Phase.CUBE_DECISION)
    better, worse = (read_play(text, SMALL, Roll(2, 1)) for text in ("6/5 2/off", "6/3"))
    game = GameRecord(start, (acts.roll(Roll(2, 1)), acts.play(worse)))
    match = Match(start.settings, ("Ann", "Bob"), (game,))
    candidates = tuple(CandidatePlay(play.moves, str(play), equity) for play, equity in ((better, 0.9), (worse, 0.1)))
    analysis = FileAnalysis(
        "Other 1.0", MappingProxyType({(0, 1): EventAnalysis(PlayAnalysis(candidates, 1, "points"))})
    )
    document = Document(match, analysis)
    (number,) = store.add(write(document, "json")[0], "same.json", [document]).new
    store.add_review(number, review_document(Document(match), "same.json", "fast", keep=False).review)
    return number


def test_judges_with_the_same_best_are_settled_by_the_cost_of_the_play_made(store: LibraryStore) -> None:
    number = same_best(store)
    ((before,), *_) = judges.two_judges(store, number)
    assert before.ours.best == before.theirs.best == "6/5 2/off"
    assert (before.difference > 0.05, before.rolled_out) == (True, False)
    (dispute,) = judges.list_unsettled(store, number)
    store_settled(store, replace(dispute, result=None))
    assert judges.list_unsettled(store, number) == [dispute], "an older server could not settle it"
    background_rollouts = BackgroundRollouts(store.engine, Jobs(threads=1), roll_out=partial(judges.settle, trials=144))
    assert background_rollouts.work() == 1
    ((after,), *_) = judges.two_judges(store, number)
    settled = after.settled
    assert settled is not None
    settled_option = settled.made
    assert settled_option is not None
    # Between 0.19 with a cube and 0.28 without, as reckoned above: nearer to our figure than to 0.8.
    assert 0.15 < settled_option.cost < 0.33
    assert (settled_option.option, settled_option.right, settled.right) == ("6/3", "ours", "ours")
    assert "the option taken, 6/3, costs 0." in settled.words
    assert settled.words.endswith("comes nearer than their 0.800.")
    assert judges.list_unsettled(store, number) == []


def test_a_third_play_that_is_judged_differently_is_rolled_out_too() -> None:
    taken = judges.Made("13/8 6/4", 0.02, 0.2)
    dispute = judges.Dispute(1, 0, 1, "13/6", "24/17", made=taken)
    verdict = judges.verdict(dispute, 0.1, 0.01, 360, (0.19, 0.01))
    assert (verdict.best, verdict.right, verdict.made.right) == ("13/6", "ours", "theirs")
    assert verdict.words.startswith("A rollout of 360 games says 13/6: better than 24/17 by 0.100")
    sentence = "The option taken, 13/8 6/4, costs 0.190 ± 0.020; their 0.200 comes nearer than our 0.020."
    assert verdict.words.endswith(sentence)
    open_still = judges.verdict(dispute, 0.1, 0.01, 360, (0.11, 0.05))
    assert open_still.made.right == "open"
    better = judges.verdict(replace(dispute, theirs="13/6"), 0.0, 0.0, 360, (-0.05, 0.01))
    assert (better.right, better.difference) == ("ours", 0.05)
    assert "gains 0.050" in better.words


def test_a_cube_action_whose_cost_is_judged_differently_is_rolled_out(store: LibraryStore) -> None:
    """Both would double; X did not, and they differ about what that costs."""
    start = replace(Game.new(Settings()), position=SMALL, phase=Phase.CUBE_DECISION)
    match = Match(start.settings, ("Ann", "Bob"), (GameRecord(start, (acts.roll(Roll(2, 1)),)),))
    document = Document(match)
    (number,) = store.add(write(document, "json")[0], "cube.json", [document]).new
    dispute = judges.Dispute(number, 0, 0, "double", "double", made=judges.Made("no double", 0.1, 0.9))
    assert judges.settle(store, dispute, trials=144)
    result = settled_of(store, number)[0, 0].result
    assert result is not None
    # X is far ahead, but loses only what a cube on 1 is worth: rolling on costs nothing like 0.9.
    assert result.made.option == "no double"
    assert result.made.right == "ours"
    assert "the option taken, no double, " in result.words


def test_a_match_without_another_judge_has_nothing_to_show(store: LibraryStore) -> None:
    match = match_of(6)
    data = file_of(match, "json")
    (number,) = store.add(data, "b.json", [Document(match)]).new
    store.add_review(number, review_of(match, [0.2]))
    assert judges.two_judges(store, number) == ([], 0, None)

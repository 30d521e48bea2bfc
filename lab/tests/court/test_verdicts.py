"""Verdicts of a court, and the table made of them, on small verdicts that are made up."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from fullprime_lab.court import judging
from fullprime_lab.court.families import CUBES
from fullprime_lab.court.judges import JudgeError
from fullprime_lab.court.judging import Case, find_missing_cases, judge_cases, notes_as_before
from fullprime_lab.court.stock import CourtDecision
from fullprime_lab.court.table import Entry, cases_to_complete, make_table, program_of, select_judged
from fullprime_lab.court.verdicts import (
    DOUBLE_TAKE,
    NO_DOUBLE,
    JudgeNote,
    Verdicts,
    Worth,
    lead_of,
    loss_of_cube,
    loss_of_play,
    verdicts_beside,
    worst_loss,
)
from fullprime_lab.measure.json_lines import LinesError
from fullprime_lab.peers.questions import money_question

NOTE = JudgeNote("1", 0)
START = "4HPwATDgc/ABMA"


def worths(trials=324, **equities):
    return {play: Worth(equity, 0.001, trials) for play, equity in equities.items()}


def decision(name="blitz-1", family="blitz", candidates=("a", "b")):
    dice = None if family == CUBES else (3, 1)
    return CourtDecision(name, money_question(name, START, dice).request, family, candidates)


JUDGED = {
    "fullprime": worths(a=0.30, b=0.20, c=0.10),
    "gnubg": worths(a=0.10, b=0.20, c=0.15),
    "bgsage": worths(a=0.20, b=0.14),
}


def test_a_play_costs_what_it_gives_up_by_the_mean_of_the_judges():
    everybody = ("fullprime", "gnubg", "bgsage")
    assert loss_of_play(JUDGED, everybody, "a") == pytest.approx(0)
    assert loss_of_play(JUDGED, everybody, "b") == pytest.approx(0.02)
    # bgsage does not know the third play: the other two have the best one at 0.2, and it at 0.125.
    assert loss_of_play(JUDGED, everybody, "c") == pytest.approx(0.075)
    assert loss_of_play(JUDGED, everybody, "d") is None
    assert loss_of_play(JUDGED, (), "a") is None
    assert worst_loss(JUDGED, everybody) == pytest.approx(0.02)
    assert worst_loss(JUDGED, ("fullprime",)) == pytest.approx(0.2)
    assert worst_loss({}, everybody) is None


def test_no_engine_is_judged_by_its_own_vote():
    assert loss_of_play(JUDGED, ("gnubg", "bgsage"), "a") == pytest.approx(0.02)
    assert loss_of_play(JUDGED, ("fullprime", "bgsage"), "b") == pytest.approx(0.08)
    names = (
        "1-ply",
        "roller",
        "engine: fullprime engine",
        "gnubg-nn:2",
        "ubgi: /usr/games/gnubg",
        "bgsage:1ply",
        "x.pt",
    )
    programs = ["fullprime"] * 3 + ["gnubg"] * 2 + ["bgsage", "x.pt"]
    assert [program_of(name) for name in names] == programs


def is_agreed(judged, plays):
    lead = lead_of(judged, plays)
    return lead is not None and lead.is_agreed


def test_judges_agree_on_one_best_play_whose_lead_is_beyond_their_spread():
    assert not is_agreed(JUDGED, ("a", "b")), "gnubg has another best play"
    same = {"one": worths(a=0.30, b=0.20), "two": worths(a=0.25, b=0.17)}
    assert is_agreed(same, ("a", "b"))
    # Leads of 0.01 and 0.10: 0.055 on the mean, and their standard deviation is 0.0636.
    apart = {"one": worths(a=0.30, b=0.20), "two": worths(a=0.18, b=0.17)}
    assert not is_agreed(apart, ("a", "b"))
    assert lead_of({"one": same["one"]}, ("a", "b")) is None
    assert is_agreed({**same, "three": worths(a=0.2)}, ("a", "b")), "who knows half is not asked"


def test_the_lead_of_the_best_play_has_its_spread_between_judges_and_what_chance_makes():
    judged = {"one": worths(a=0.30, b=0.20, c=0.0), "two": {"a": Worth(0.18, 0.03, 36), "b": Worth(0.17, 0.04, 36)}}
    lead = lead_of(judged, ("a", "b"))
    assert (lead.mean, lead.unanimous) == (pytest.approx(0.055), True)
    assert lead.spread == pytest.approx(0.09 / 2**0.5)
    assert lead.chance == pytest.approx(((2 * 0.001**2 + 0.05**2) / 2) ** 0.5)


def cube(stay, take):
    return {NO_DOUBLE: Worth(stay, 0.01, 324), DOUBLE_TAKE: Worth(take, 0.01, 324)}


def test_a_cube_costs_what_the_double_and_the_answer_give_up():
    judged = {"one": cube(0.7, 0.9), "two": cube(0.8, 1.3)}
    both = ("one", "two")  # 0.75 and 1.1: double, drop
    assert loss_of_cube(judged, both, doubled=True, taken=False) == pytest.approx(0)
    assert loss_of_cube(judged, both, doubled=False, taken=False) == pytest.approx(0.25)
    assert loss_of_cube(judged, both, doubled=True, taken=True) == pytest.approx(0.1)
    assert loss_of_cube(judged, ("one",), doubled=True, taken=False) == pytest.approx(0.1)
    assert loss_of_cube({}, both, doubled=True, taken=True) is None
    assert is_agreed({"one": cube(0.7, 0.9), "two": cube(0.7, 1.5)}, (NO_DOUBLE, DOUBLE_TAKE))


def test_verdicts_outlive_what_ends_the_process(tmp_path):
    path = verdicts_beside(tmp_path / "court.jsonl")
    assert path.name == "court.verdicts.jsonl"
    verdicts = Verdicts(path)
    verdicts.add("blitz-1", "gnubg", NOTE, worths(a=0.123456, b=0.1))
    verdicts.add("blitz-1", "gnubg", NOTE, worths(c=0.05), completed=True)
    whole = path.read_text()
    again = Verdicts(path)
    assert (
        again.get_equities("blitz-1") == {"gnubg": worths(a=0.12346, b=0.1, c=0.05)} == verdicts.get_equities("blitz-1")
    )
    assert (again.judges, again.is_completed("blitz-1", "c"), again.is_completed("blitz-1", "a")) == (
        {"gnubg": NOTE}, True, False,
    )  # fmt: skip
    assert again.count_trials(decision(), "gnubg") == {"a": 324, "b": 324, "c": 324}
    assert again.count_trials(decision(), "bgsage") == {"a": 0, "b": 0}
    assert again.count_trials(decision("cube-at-the-border-1", CUBES, ()), "bgsage") == {NO_DOUBLE: 0, DOUBLE_TAKE: 0}
    path.write_text(whole[:-10])
    cut = Verdicts(path)
    assert cut.get_equities("blitz-1") == {"gnubg": worths(a=0.12346, b=0.1)}
    cut.add("blitz-1", "gnubg", NOTE, worths(c=0.05), completed=True)
    assert path.read_text() == whole


def test_further_trials_of_a_play_are_added_up(tmp_path):
    verdicts = Verdicts(tmp_path / "court.verdicts.jsonl")
    verdicts.add("blitz-1", "gnubg", NOTE, {"a": Worth(0.1, 0.03, 36)})
    verdicts.add("blitz-1", "gnubg", NOTE, {"a": Worth(0.4, 0.02, 72)})
    for kept in (verdicts, Verdicts(verdicts.path)):
        (worth,) = kept.get_equities("blitz-1")["gnubg"].values()
        assert (worth.equity, worth.trials) == (pytest.approx(0.3), 108)
        assert worth.error == pytest.approx((0.01**2 + (0.04 / 3) ** 2) ** 0.5)


@pytest.mark.parametrize(
    "text", ["no JSON\n", "{}\n", '{"id": "a", "judge": "b", "version": 1, "trials": 1, "plies": 0, "plays": []}\n']
)
def test_what_is_no_file_of_verdicts_is_refused_in_one_line(tmp_path, text):
    path = tmp_path / "verdicts.jsonl"
    path.write_text(text)
    with pytest.raises(LinesError, match=r"verdicts\.jsonl") as refused:
        Verdicts(path)
    assert "\n" not in str(refused.value)


def test_judging_goes_on_where_it_was_and_mixes_nothing(tmp_path, monkeypatch):
    requests = []

    def verdict_of(judge, decision, plays, trials, earlier):
        requests.append((decision.name, plays, trials, earlier))
        return {play: Worth(0.1, 0.01, trials) for play in plays} if decision.is_play else {}

    monkeypatch.setattr(judging, "verdict_of", verdict_of)
    monkeypatch.setattr(judging, "_open_judge", lambda name, plies: None)
    decisions = [decision(), decision("blitz-2"), decision("cube-at-the-border-1", CUBES, ())]
    verdicts = Verdicts(tmp_path / "verdicts.jsonl")
    verdicts.add("blitz-1", "gnubg", NOTE, worths(trials=36, a=0.3))
    reports = []
    cases = find_missing_cases(verdicts, decisions, ["gnubg"], 36)
    judge_cases(verdicts, cases, {"gnubg": NOTE}, progress=lambda *words: reports.append(words))
    assert requests == [
        ("blitz-1", ("b",), 36, 0),
        ("blitz-2", ("a", "b"), 36, 0),
        ("cube-at-the-border-1", (NO_DOUBLE, DOUBLE_TAKE), 36, 0),
    ]
    assert reports == [("gnubg", 1, 3), ("gnubg", 2, 3), ("gnubg", 3, 3)]
    assert Verdicts(verdicts.path).get_equities("blitz-1")["gnubg"]["a"] == Worth(0.3, 0.001, 36)
    left = find_missing_cases(verdicts, decisions, ["gnubg"], 36)
    assert [case.decision.name for case in left] == ["cube-at-the-border-1"]
    with pytest.raises(JudgeError, match=r"has verdicts of 1 \(0 plies"):
        judge_cases(verdicts, cases, {"gnubg": JudgeNote("1", 2)})


def test_only_judges_in_the_version_of_the_file_complete_it(verdicts, monkeypatch):
    versions = {"fullprime": "2", "gnubg": "1"}
    monkeypatch.setattr(judging, "_open_judge", lambda name, plies: SimpleNamespace(version=versions[name]))
    assert notes_as_before(verdicts, ["fullprime", "gnubg"]) == {"gnubg": NOTE}
    assert notes_as_before(verdicts, ["fullprime"]) == {}
    versions["fullprime"] = "1"
    assert notes_as_before(verdicts, ["fullprime", "bgsage"]) == {"fullprime": NOTE}


def test_all_decisions_have_some_trials_before_any_has_more(tmp_path):
    decisions, verdicts = [decision(), decision("blitz-2")], Verdicts(tmp_path / "verdicts.jsonl")
    cases = find_missing_cases(verdicts, decisions, ["gnubg", "bgsage"], 200)
    assert [(case.judge, case.decision.name, case.trials, case.earlier) for case in cases] == [
        (judge, name, trials, earlier)
        for trials, earlier in ((36, 0), (72, 36), (92, 108))
        for name in ("blitz-1", "blitz-2")
        for judge in ("gnubg", "bgsage")
    ]
    verdicts.add("blitz-1", "gnubg", NOTE, worths(trials=108, a=0.1))
    verdicts.add("blitz-1", "gnubg", NOTE, worths(trials=36, c=0.1), completed=True)
    left = find_missing_cases(verdicts, decisions[:1], ["gnubg"], 108)
    assert [(case.plays, case.trials, case.earlier) for case in left] == [(("b",), 36, 0), (("b", "c"), 72, 36)]
    assert find_missing_cases(verdicts, decisions[:1], ["gnubg"], 36)[0].plays == ("b",)


@pytest.fixture
def verdicts(tmp_path):
    """Two decisions with two judges, who agree on the first."""
    verdicts = Verdicts(tmp_path / "verdicts.jsonl")
    verdicts.add("blitz-1", "fullprime", NOTE, worths(a=0.3, b=0.2))
    verdicts.add("blitz-1", "gnubg", NOTE, worths(a=0.3, b=0.22))
    verdicts.add("snake-1", "fullprime", NOTE, worths(a=0.1, b=0.0))
    verdicts.add("snake-1", "gnubg", NOTE, worths(a=0.0, b=0.04))
    return verdicts


DECISIONS = [decision(), decision("snake-1", "snake")]


def loss_in(lines, family):
    return next((line.decisions, line.loss) for line in lines if line.family == family)


def test_the_table_has_every_family_for_all_decisions_and_for_those_agreed_on(tmp_path, verdicts):
    entries = [
        Entry("1-ply", "fullprime", {"blitz-1": "b", "snake-1": "a"}),
        Entry("gnubg-nn:0", "gnubg", {"blitz-1": "a", "snake-1": "b"}),
        Entry("other", "other", {"blitz-1": "b"}),
    ]
    stock = [*DECISIONS, decision("blitz-2")]
    assert select_judged(stock, verdicts) == DECISIONS
    table = make_table(tmp_path / "court.jsonl", stock, verdicts, entries)
    assert (table.stock, table.decisions, table.judged, table.agreed) == ("court.jsonl", 3, 2, 1)
    assert [(judge.name, judge.trials, judge.decisions) for judge in table.judges] == [
        ("fullprime", (324, 324), 2), ("gnubg", (324, 324), 2),
    ]  # fmt: skip
    assert [judge.error for judge in table.judges] == [0.001, 0.001]
    spreads = {line.family: line for line in table.spreads}
    assert (spreads["blitz"].decisions, spreads["blitz"].agreed, spreads["blitz"].lead) == (1, 1, pytest.approx(0.09))
    # Leads of the first play 0.1 and -0.04 in the one decision, 0.1 and 0.08 in the other.
    assert (spreads["snake"].agreed, spreads["snake"].spread) == (0, pytest.approx(0.14 / 2**0.5, abs=1e-6))
    assert spreads["all"].spread == pytest.approx(((0.14**2 + 0.02**2) / 4) ** 0.5, abs=1e-6)
    assert spreads["all"].chance == pytest.approx(2**0.5 * 0.001, abs=1e-6)
    assert (spreads["containment"].decisions, spreads["containment"].lead) == (0, None)
    ours, gnubg, other = table.contestants
    assert (ours.judges, gnubg.judges, other.judges) == (("gnubg",), ("fullprime",), ("fullprime", "gnubg"))
    assert loss_in(ours.every, "blitz") == (1, pytest.approx(0.08))
    assert loss_in(ours.every, "snake") == (1, pytest.approx(0.04))
    assert loss_in(ours.every, "all") == (2, pytest.approx(0.06))
    assert ours.every[-1].error == pytest.approx(0.02)
    assert loss_in(ours.agreed, "all") == (1, pytest.approx(0.08))
    assert loss_in(ours.agreed, "snake") == (0, None)
    assert loss_in(gnubg.every, "all") == (2, pytest.approx(0.05))
    assert loss_in(other.every, "all") == (1, pytest.approx(0.09))
    assert json.dumps([line.error for line in other.every if line.decisions]) == "[null, null]"


def test_plays_outside_the_stock_are_judged_by_all_its_judges_for_all_contestants(tmp_path, verdicts):
    entries = [
        Entry("1-ply", "fullprime", {"blitz-1": "c", "snake-1": "b"}),
        Entry("2-ply", "fullprime", {"blitz-1": "a", "snake-1": "b"}),
    ]
    charged = make_table(tmp_path, DECISIONS, verdicts, entries).contestants[0]
    assert (charged.charged, charged.completed, loss_in(charged.every, "blitz")) == (1, 0, (1, pytest.approx(0.08)))
    cases = cases_to_complete(entries, DECISIONS, verdicts, ["fullprime", "gnubg"])
    assert cases == [Case(judge, DECISIONS[0], ("c",), 324, completed=True) for judge in ("fullprime", "gnubg")]
    assert cases_to_complete(entries, DECISIONS, verdicts, ["bgsage"]) == []
    verdicts.add("blitz-1", "gnubg", NOTE, worths(c=0.32), completed=True)
    first, second = make_table(tmp_path, DECISIONS, verdicts, entries).contestants
    assert (first.charged, first.completed, first.completed_loss) == (0, 1, 0.0)
    assert loss_in(first.every, "blitz") == (1, pytest.approx(0))
    # The play that was completed is the best one now: what was best before it has lost.
    assert loss_in(second.every, "blitz") == (1, pytest.approx(0.02))
    verdicts.add("blitz-1", "gnubg", NOTE, worths(c=0.24), completed=True)
    first = make_table(tmp_path, DECISIONS, verdicts, [Entry("1-ply", "fullprime", {"blitz-1": "c", "snake-1": "a"})])
    assert first.contestants[0].completed_loss == pytest.approx(0.02 / 0.06, abs=1e-6)

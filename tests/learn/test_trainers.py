"""Trainers: every question has an answer, its marking is that of the rules, the tables and the engine."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.slow_shots import count_hits

from fullprime.engine import shared
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.cube.points import cube_window, cubeful_gammon_value, gammon_values
from fullprime.learn.opening_book.files import read
from fullprime.learn.opening_book.node import NodeKey
from fullprime.learn.trainers.counting import count_clusters, count_colourless, half_crossovers
from fullprime.learn.trainers.match_scores import CHOSEN, FARTHEST, MatchScore
from fullprime.learn.trainers.question import Ask, DrillError, TrainerQuestion, choice_in
from fullprime.learn.trainers.races import race_decision
from fullprime.learn.trainers.registry import TRAINERS, trainer_named
from fullprime.learn.trainers.scores import dead_take, gammon_context
from fullprime.reviews.race import isight, keith, kleinman, trice
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import BAR, OFF, SLOTS, Position
from fullprime.rules.variants.standard import BACKGAMMON

SEEDS = range(3)


@st.composite
def boards(draw: st.DrawFn) -> Position:
    """Boards of counts; for counting nobody needs them to be possible."""
    rows = []
    for _ in range(2):
        row = [0] * SLOTS
        for point in draw(st.lists(st.integers(1, BAR), min_size=1, max_size=15)):
            row[point] += 1
        row[OFF] = 15 - sum(row)
        rows.append(tuple(row))
    return Position(*rows)


@given(boards())
@settings(max_examples=40)
def test_every_system_of_counting_comes_to_the_count(board: Position) -> None:
    mine, theirs = board.pips
    for words in (half_crossovers(board.player), count_clusters(board.player)):
        assert words.endswith(f": {mine}.")
    sentence = count_colourless(board)
    if mine == theirs:
        assert sentence.endswith("level.")
    else:
        assert f"you are {abs(mine - theirs)} {'behind' if mine > theirs else 'ahead'}." in sentence


@pytest.mark.parametrize("name", TRAINERS)
def test_a_question_is_the_same_again_and_its_best_answer_is_right(name: str) -> None:
    trainer = trainer_named(name)
    for seed in SEEDS:
        question = trainer.ask(seed)
        assert question == trainer.ask(seed)
        assert (question.position is not None) == trainer.has_board
        if question.ask is Ask.PLAY:
            assert question.position is not None
            assert question.dice is not None
            first = question.position.plays(question.dice)[0]
            marked = trainer.mark(question, str(first))
        else:
            marked = trainer.mark(question, question.choices[0] if question.choices else "7")
        best = trainer.mark(question, marked.best)
        assert best.right
        assert best.error <= 0.05
        assert best.best == marked.best
        assert marked.right or marked.error > 0


def test_the_crawford_game_is_said_where_one_side_alone_needs_one_point() -> None:
    for seed in range(300):
        words = trainer_named("equities").ask(seed).words
        needs = re.match(r"You need (\d+), the opponent needs (\d+)\.", words)
        assert needs is not None
        least, most = sorted(map(int, needs.groups()))
        assert ("Crawford" in words) == (least == 1 < most), words


def test_choices_are_taken_by_number_and_by_words_and_a_number_that_is_asked_for_is_none() -> None:
    """Pages send the number of a choice; answers that a browser has kept from before hold its words."""
    for name in TRAINERS:
        question = trainer_named(name).ask(1)
        assert bool(question.choices) == (question.ask is Ask.CHOICE), "a number is never both"
        for at, choice in enumerate(question.choices, 1):
            assert not any(letter.isdecimal() for letter in choice)
            assert choice_in(str(at), question.choices) == choice_in(choice, question.choices) == choice
        if question.choices:
            for wrong in ("0", str(len(question.choices) + 1), "\u00b2"):
                with pytest.raises(DrillError):
                    choice_in(wrong, question.choices)


@pytest.mark.broad
def test_the_cube_in_a_race_is_judged_by_the_exact_value_in_every_question() -> None:
    """Both sides are home in each; of short races and of long ones that with the most pips is the most to solve."""
    trainer, longest = trainer_named("race-cube"), dict[int, TrainerQuestion]()
    for seed in range(200):
        question = trainer.ask(seed)
        board = question.position
        assert board is not None
        assert not any((*board.player[7:OFF], *board.opponent[7:OFF])), board.text
        checkers = sum(board.player[1:BAR])
        before = longest.get(checkers, question).position
        assert before is not None
        if sum(board.pips) >= sum(before.pips):
            longest[checkers] = question
    for checkers in (3, 6, 9, 12, 15):
        assert race_decision(longest[checkers]).exact, longest[checkers].position


def test_the_loss_of_a_bear_off_is_that_of_the_exact_table() -> None:
    trainer, engine = trainer_named("bear-off"), shared.engine_for(BACKGAMMON)
    for seed in range(5):
        question = trainer.ask(seed)
        assert question.position is not None
        ranking = engine.rank_plays(question.position, question.dice, level="3-ply", cubeful=False)
        for ranked in ranking:
            assert trainer.mark(question, ranked.text).error == pytest.approx(ranked.loss, abs=1e-4)


def test_a_take_point_is_the_share_that_makes_take_and_drop_equal() -> None:
    # 3-away 5-away, cube to 2: after a drop 2-away against 5... by the published table itself.
    dropped, won, lost, point = dead_take(5, 3, 1)
    assert point * won + (1 - point) * lost == pytest.approx(dropped)


@pytest.mark.parametrize(
    ("name", "answer"), [("pips", "many"), ("pips", "1000"), ("race-cube", "perhaps"), ("takes", "-3")]
)
def test_what_is_no_answer_is_refused_in_one_line(name: str, answer: str) -> None:
    trainer = trainer_named(name)
    with pytest.raises(DrillError, match=re.escape(answer)):
        trainer.mark(trainer.ask(1), answer)
    with pytest.raises(DrillError, match="there is no trainer"):
        trainer_named("nothing")


def test_scores_reach_from_one_point_to_fifteen_before_in_and_after_the_crawford_game() -> None:
    for name, cubes in (("takes", {1, 2, 4, 8}), ("gammons", {1, 2, 4, 8}), ("equities", {1})):
        scores = trainer_named(name).scores
        assert scores is not None
        possible = scores.all()
        assert {score.cube for score in possible} == cubes
        assert {score.you for score in possible} == {score.opponent for score in possible if name != "takes"} | set(
            range(1, 16)
        )
        assert {score.opponent for score in possible} >= set(range(2, 16))
        assert {score.crawford for score in possible} == ({"", "played"} if name == "takes" else {"", "now", "played"})
        for at, score in enumerate(possible):
            for again in (0, 1, 123_456):
                seed = scores.seed_of(score, again)
                assert CHOSEN <= seed < 10**9
                assert scores.at(seed) == score
            assert scores.seed_of(score) == CHOSEN + at
        drawn = {scores.at(seed) for seed in range(3000)}
        assert drawn <= set(possible)
        assert {score.crawford for score in drawn} == {score.crawford for score in possible}
        assert max(max(score.you, score.opponent) for score in drawn) == FARTHEST


def test_every_score_has_its_question_and_all_figures() -> None:
    """The arithmetic by our table and by Woolsey's, a live cube, and the engine's model of one in between."""
    for name in ("takes", "gammons"):
        trainer = trainer_named(name)
        assert trainer.scores is not None
        for score in trainer.scores.all()[::7]:
            question = trainer.ask(trainer.scores.seed_of(score))
            assert f"You need {score.you}, the opponent needs {score.opponent}" in question.words
            assert ("Crawford" in question.words) == (score.crawford != "")
            lines = " ".join(trainer.mark(question, "50").lines)
            assert "Woolsey's arithmetic: " in lines
            assert "Woolsey's own table: " in lines
            if score.crawford == "now":
                assert "In the Crawford game there is no cube" in lines
            else:
                assert re.search(r"ith a live cube \d+\.\d %; by the engine's model .* \d+\.\d %", lines)


def test_the_figures_with_a_cube_are_those_of_the_cube_model() -> None:
    trainer = trainer_named("takes")
    assert trainer.scores is not None
    marked = trainer.mark(trainer.ask(trainer.scores.seed_of(MatchScore(you=5, opponent=7, cube=2))), "50")
    context = CubeContext(away=(7, 5), cube=2, owner=CubeOwner.MOVER)
    dead, between, live = (cube_window(context, efficiency=efficiency).take_point for efficiency in (0.0, 0.68, 1.0))
    assert dead is not None
    assert live is not None
    assert between is not None
    assert marked.best == f"{100 * dead:.1f} %"
    assert (
        f"With a live cube {100 * live:.1f} %; by the engine's model of a cube in between {100 * between:.1f} %"
        in (marked.lines[-1])
    )
    scores = trainer_named("gammons").scores
    assert scores is not None
    for score in scores.all():
        context = gammon_context(score)
        if score.crawford == "now" or context.is_dead:
            arithmetic = gammon_values(context).win_gammon
            assert cubeful_gammon_value(context) == pytest.approx(arithmetic, abs=1e-6), score
        assert 0 <= cubeful_gammon_value(context) <= 2.5, score
    money = [cubeful_gammon_value(CubeContext(), efficiency) for efficiency in (0.0, 0.68, 1.0)]
    assert money == pytest.approx([0.5, 0.422, 0.4], abs=1e-3)


@pytest.mark.parametrize(
    ("trainer", "score", "words"),
    [
        ("takes", MatchScore(you=5, opponent=1, crawford="now"), "nobody may double in the Crawford game"),
        ("takes", MatchScore(you=5, opponent=2, cube=2), "gains nothing by a double"),
        ("takes", MatchScore(you=3, opponent=5, crawford="now"), "when one side needs one point"),
        ("gammons", MatchScore(you=2, opponent=1), "say if this is the Crawford game"),
        ("gammons", MatchScore(you=5, opponent=1, cube=2, crawford="played"), "nobody turns the cube from 1 to 2"),
        ("gammons", MatchScore(you=16, opponent=5), "each side needs 1 to 15 points"),
        ("equities", MatchScore(you=5, opponent=5, cube=2), "the cube is at 1, not at 2"),
    ],
)
def test_a_score_without_a_question_is_refused_with_the_reason(trainer: str, score: MatchScore, words: str) -> None:
    scores = trainer_named(trainer).scores
    assert scores is not None
    with pytest.raises(DrillError, match=words):
        scores.seed_of(score)


def test_the_throws_that_hit_are_written_as_people_read_them() -> None:
    """Once: "2 throws hit: 53. 0 doubles count once, 1 other rolls twice"."""
    trainer = trainer_named("shots")
    for seed in range(6):
        question = trainer.ask(seed)
        assert question.position is not None
        marked = trainer.mark(question, "0")
        listed = re.findall(r"\b([1-6])-([1-6])\b", marked.lines[0])
        weights = [1 if one == two else 2 for one, two in listed]
        assert sum(weights) == int(marked.best)
        assert not re.search(r"\d\d", marked.lines[0])
        if listed:
            sums = f"{weights.count(1)} + 2 x {weights.count(2)} = {marked.best} of 36."
            assert marked.lines[1].endswith(sums)


@pytest.mark.broad
def test_the_throws_that_hit_are_those_of_slow_code_by_both_readings() -> None:
    """A question is about shots, and never about a hit in one's own home board that costs a few pips."""
    trainer = trainer_named("shots")
    for seed in range(8):
        position = trainer.ask(seed).position
        assert position is not None
        best = int(trainer.mark(trainer.ask(seed), "0").best)
        assert best == count_hits(position, BACKGAMMON) == count_hits(position, BACKGAMMON, outside_home=True) > 0


def test_the_table_of_shots_that_the_trainer_teaches_is_counted() -> None:
    """Once "six at seven pips, fewer beyond", and eight has six, too."""
    words = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    numbers = dict(zip(words, range(2, 13), strict=True))
    text = trainer_named("shots").teaches[1]
    hits = {away: _hits_at(away) for away in range(1, 25)}
    taught = {}
    for count, *places in re.findall(r"(\w+)(?: throws)? at (\w+)(?: and at (\w+))?", text):
        taught |= {numbers[place]: numbers[count] for place in places if place in numbers}
    assert taught == {away: hits[away] for away in range(7, 13)}
    doubles = re.search(r"one double at ([\d, and]+)\.", text)
    assert doubles is not None
    assert [int(number) for number in re.findall(r"\d+", doubles[1])] == [away for away in range(13, 25) if hits[away]]
    assert all(hits[away] == 1 for away in range(13, 25) if hits[away])
    assert min(hits[away] for away in range(1, 7)) == 11, "a direct shot"


def _hits_at(away: int) -> int:
    """The throws that hit a lone blot so many pips away, with nothing between."""
    source = "bar" if away == 24 else "24"
    blot = (25 if away == 24 else 24) - away
    return count_hits(Position.from_text(f"{source} off:14 / {25 - blot} off:14"), BACKGAMMON)


@pytest.mark.broad
def test_a_rule_of_races_speaks_of_the_cube_where_it_lies() -> None:
    """Once rules said "redouble, take" of a cube in the middle, and "double, no redouble" of one's own."""
    trainer, verdicts = trainer_named("race-cube"), set()
    for seed in range(16):
        question = trainer.ask(seed)
        assert question.position is not None
        lines = trainer.mark(question, question.choices[0]).lines[1:]
        for line, method in zip(lines, (kleinman, keith, trice, isight), strict=True):
            count, advice = method(question.position), line.removesuffix(".").rsplit(": ", 1)[1]
            assert advice in question.choices, line
            turns = count.redouble if question.mine else count.double
            assert (not advice.startswith("no")) is turns
            assert not turns or advice.endswith("take") is count.take
        verdicts.add(question.mine)
    assert verdicts == {None, True}


def test_a_checker_that_is_round_by_itself_is_no_sum() -> None:
    """Once: "20 = 20, 20 = 20"."""
    row = [0] * SLOTS
    row[20], row[8], row[2], row[3], row[OFF] = 2, 1, 1, 1, 10
    assert count_clusters(tuple(row)) == "Clusters: 20, 20, 8+2 = 10; 3 = 3 over: 53."


def test_throws_of_questions_and_methods_are_written_as_people_read_them() -> None:
    """Once: "The opponent began with 31", "Make a point where you can (31, 42 …)"."""
    for name in ("openings", "second-rolls", "ace-point", "bear-off"):
        trainer = trainer_named(name)
        for words in (trainer.ask(3).words, *trainer.teaches):
            assert not re.search(r"(?<![/\d])[1-6]{2}(?![/\d])", words), words
        assert re.search(r"\b[1-6]-[1-6]\b", trainer.ask(3).words)


def test_what_the_trainer_calls_the_best_opening_is_good_by_the_book() -> None:
    book, trainer, start = read(BACKGAMMON), trainer_named("openings"), BACKGAMMON.starting_position
    answers = set()
    for seed in range(40):
        question = trainer.ask(seed)
        assert question.dice is not None
        if str(question.dice) in answers:
            continue
        answers.add(str(question.dice))
        node = book.find(NodeKey("backgammon", "money", start.text, str(question.dice)))
        best = trainer.mark(question, format_play(legal_plays(start, question.dice, BACKGAMMON)[0])).best
        assert node is not None
        estimate = node.find(read_play(best, start, question.dice, BACKGAMMON).after)
        assert estimate is not None, f"{question.dice}: {best} is not in the book"
        assert estimate.loss < 0.02, f"{question.dice}: {best} is {estimate.loss:.3f} behind by rollout"
    assert len(answers) >= 12


@pytest.mark.slow
@pytest.mark.parametrize("name", ["openings", "second-rolls", "ace-point"])
def test_the_best_answer_of_a_trainer_holds_one_level_deeper(name: str) -> None:
    trainer, engine = trainer_named(name), shared.engine_for(BACKGAMMON)
    losses = []
    for seed in range(12):
        question = trainer.ask(seed)
        assert question.position is not None
        assert question.dice is not None
        first = legal_plays(question.position, question.dice, BACKGAMMON)[0]
        best = read_play(trainer.mark(question, format_play(first)).best, question.position, question.dice)
        ranking = engine.rank_plays(question.position, question.dice, CubeContext(), level="3-ply", played=best.after)
        ranked = ranking.find(best.after)
        assert ranked is not None
        losses.append(ranked.loss)
    assert max(losses) < 0.06
    assert sum(loss < 0.02 for loss in losses) >= 10

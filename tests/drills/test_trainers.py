"""Trainers: every question has an answer, its marking is that of the rules, the tables and the engine."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullprime.drills.trainers.counting import clusters, colourless, half_crossovers
from fullprime.drills.trainers.question import Ask, DrillError, choice_in
from fullprime.drills.trainers.registry import TRAINERS, trainer_named
from fullprime.drills.trainers.scores import dead_take
from fullprime.engine import shared
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
    for words in (half_crossovers(board.player), clusters(board.player)):
        assert words.endswith(f": {mine}.")
    told = colourless(board)
    if mine == theirs:
        assert told.endswith("level.")
    else:
        assert f"you are {abs(mine - theirs)} {'behind' if mine > theirs else 'ahead'}." in told


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


def test_the_loss_of_a_bear_off_is_that_of_the_exact_table() -> None:
    trainer, engine = trainer_named("bear-off"), shared.engine_for(BACKGAMMON)
    for seed in range(5):
        question = trainer.ask(seed)
        assert question.position is not None
        ranking = engine.rank_plays(question.position, question.dice, level="3-ply", cubeful=False)
        for each in ranking:
            assert trainer.mark(question, each.text).error == pytest.approx(each.loss, abs=1e-4)


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

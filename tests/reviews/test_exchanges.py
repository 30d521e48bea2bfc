"""The replies to a play and the market of a double, against the engine asked roll by roll."""

from __future__ import annotations

import pytest
from tests.reviews.matches import random_match, small_engine

from fullprime.common.json_values import from_json, to_json
from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.engine import Engine
from fullprime.reviews.exchanges import market_losers, replies_of
from fullprime.reviews.judge import Judge
from fullprime.reviews.review import Review, review
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.position import Position
from fullprime.rules.score import Settings

AFTER = Position.from_text("24:2 13:3 10 8:3 6:4 5:2 / 24 22 13:5 8:3 6:5")


def test_replies_are_the_boards_after_the_best_answers() -> None:
    engine = small_engine()
    context = CubeContext()
    (replies,) = replies_of(Judge(engine), row_of(AFTER.swapped), [context])
    for roll, equity in list(zip(ALL_ROLLS, replies, strict=True))[::4]:
        answer = engine.best_play(AFTER.swapped, roll, context, cubeful=False, level="0-ply")
        worth = engine.evaluate(answer.after.swapped, context, level="0-ply").equity
        assert equity == pytest.approx(worth, abs=1e-4)


def test_the_best_answer_to_a_double_is_never_left_out() -> None:
    """The small net alone would pass over the best 1-1 here, and its share of the difference would be wrong."""
    engine = Engine.open("dutch", "0-ply")
    context = CubeContext(cube=2, owner=CubeOwner.OPPONENT)
    board = Position.from_text("24 23:3 22:2 21:2 20 19:3 17 15 11 / 24:2 21:3 20:4 18 13:3 9:2")
    (replies,) = replies_of(Judge(engine), row_of(board), [context])
    answer = engine.best_play(board, Roll(1, 1), context.swapped, cubeful=False, level="0-ply")
    worth = engine.evaluate(answer.after.swapped, context, level="0-ply").equity
    assert replies[ALL_ROLLS.index(Roll(1, 1))] == pytest.approx(worth, abs=1e-4)


def test_market_losers_are_counted_exchange_by_exchange() -> None:
    engine, context = small_engine(), CubeContext()
    losers = market_losers(Judge(engine), row_of(AFTER), context)
    lost = 0
    for mine in ALL_ROLLS:
        first = engine.best_play(AFTER, mine, context, cubeful=False, level="0-ply").after
        for theirs in ALL_ROLLS:
            then = engine.best_play(first.swapped, theirs, context, cubeful=False, level="0-ply").after
            double = engine.cube_decision(then.swapped, context, level="0-ply")
            lost += mine.weight * theirs.weight * (double.double_take > 1.0)
    assert losers == pytest.approx(lost / 1296)


def test_a_review_keeps_both_and_gives_them_back() -> None:
    reviewed = review(random_match(Settings(length=5), 3, games=1, doubles=0.3), small_engine(), "fast")
    assert any(decision.replies for decision in reviewed.decisions)
    priced = [
        decision for decision in reviewed.decisions if decision.cube is not None and decision.cube.losers is not None
    ]
    assert all(decision.mistake and 0 <= (decision.cube.losers or 0) <= 1 for decision in priced if decision.cube)
    again = from_json(Review, to_json(reviewed))
    assert [decision.replies for decision in again.decisions] == [decision.replies for decision in reviewed.decisions]

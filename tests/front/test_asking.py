"""Questions in one call: scores and cubes without an identifier, many positions at once, rollouts with their rule."""

from __future__ import annotations

import inspect
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import fullprime as fp
from fullprime.front.asking import RolloutKeywords

START = fp.Position.start()
BOARD = "-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    ("xgid", "arguments"),
    [
        ("0:0:1:00:0:0:0:7:10", {"length": 7}),
        ("0:0:1:00:5:3:0:7:10", {"length": 7, "score": (5, 3)}),
        ("1:1:1:00:2:4:0:7:10", {"length": 7, "score": (2, 4), "cube": fp.Cube(2, fp.Player.X)}),
        ("0:0:1:00:6:4:1:7:10", {"length": 7, "score": (6, 4)}),
        ("0:0:1:00:6:4:0:7:10", {"length": 7, "score": fp.Score((6, 4), post_crawford=True)}),
        ("2:1:1:00:0:0:0:0:10", {"cube": fp.Cube(4, fp.Player.X)}),
        ("0:0:1:00:0:0:1:0:10", {"settings": fp.Settings(jacoby=True)}),
    ],
)
def test_a_score_and_a_cube_are_those_of_the_identifier_that_says_them(xgid: str, arguments: dict[str, object]) -> None:
    answer = fp.evaluate(f"XGID={BOARD}:{xgid}", level="fast")
    assert fp.evaluate(START, level="fast", **arguments) == answer
    assert fp.evaluate(f"XGID={BOARD}:0:0:1:00:0:0:0:0:10", level="fast", **arguments) == answer
    decision = fp.hint(f"XGID={BOARD}:{xgid}", level="fast")
    assert fp.hint(START, level="fast", **arguments) == decision
    assert fp.hint(START, "31", level="fast", **arguments).context == answer.context


def test_the_score_changes_the_answer() -> None:
    money = fp.hint(START, "42", level="fast")
    match = fp.hint(START, "42", level="fast", length=2, score=(1, 0))
    assert money.context != match.context
    assert [evaluation.equity for evaluation in money] != [evaluation.equity for evaluation in match]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"length": 3, "score": (3, 0)}, "over"),
        ({"length": 3, "score": "2-1"}, "2-1"),
        ({"length": 3, "cube": 2}, "one side holds"),
        ({"cube": 3}, "not 3"),
        ({"cube": fp.Cube(2, fp.Player.X, 4)}, "answer"),
        ({"length": 3, "settings": fp.Settings()}, "one or the other"),
        ({"settings": "dutch"}, "'dutch'"),
        ({"variant": "hypergammon"}, "15 checkers instead of 3"),
    ],
)
def test_a_score_or_a_cube_that_cannot_be_is_refused(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(fp.FullprimeError, match=words):
        fp.hint(START, **arguments)


def positions(variant: str, count: int) -> list[fp.Position]:
    games = fp.play_match("random", "random", variant=variant, length=0, seed=4).games
    positions_to_play = [
        entry.before.position for game in games for entry in game.entries() if entry.before.phase is fp.Phase.PLAY
    ]
    return positions_to_play[:: max(1, len(positions_to_play) // count)]


@pytest.mark.parametrize("variant", ["backgammon", "hypergammon", "dutch", "acey_deucey"])
@pytest.mark.parametrize("level", ["fast", "0-ply", "1-ply"])
def test_many_positions_at_once_are_judged_as_each_alone(variant: str, level: str) -> None:
    boards = positions(variant, 12)
    engine = fp.Engine.open(variant, level)
    alone = [engine.evaluate(position) for position in boards]
    many = fp.evaluate_many(boards, variant=variant, level=level)
    assert len(many) == len(boards)
    assert many.probabilities.tolist() == [list(evaluation.probabilities) for evaluation in alone]
    assert many.equity.tolist() == pytest.approx([evaluation.equity for evaluation in alone], abs=1e-12)


def test_an_array_of_counts_is_the_same_as_positions() -> None:
    boards = positions("backgammon", 40)
    counts = np.array([[board.player, board.opponent] for board in boards])
    context = fp.CubeContext(away=(3, 5))
    for array in (counts, counts.astype(np.int8), counts.astype(np.uint16), counts[::1]):
        assert fp.evaluate_many(array, context=context).equity.tolist() == (
            fp.evaluate_many(boards, context=context).equity.tolist()
        )
    assert len(fp.evaluate_many(counts[:0])) == 0
    single = fp.evaluate(boards[5], level="fast", length=5, score=(2, 0)).equity
    assert fp.evaluate_many(counts[5:6], context=context).equity[0] == pytest.approx(single, abs=1e-12)


def spoilt(change: str) -> object:
    counts = np.array([[START.player, START.opponent]] * 3)
    match change:
        case "one too many":
            counts[1, 0, 6] += 1
        case "negative":
            counts[1, 0, 6], counts[1, 0, 5] = -1, 6
        case "both on a point":
            counts[1, 0, 6], counts[1, 0, 1] = 4, 1
        case "fractions":
            return counts * 1.0
        case "flat":
            return counts.reshape(3, -1)
        case "large":
            return counts + 256
    return counts


@pytest.mark.parametrize(
    "nonsense",
    [
        *map(spoilt, ("one too many", "negative", "both on a point", "fractions", "flat", "large")),
        None, 7, "XGID", [START, "XGID"], [fp.Position.start("hypergammon")], np.array(["a"]),
    ],
)  # fmt: skip
def test_arrays_that_hold_no_positions_are_refused(nonsense: object) -> None:
    with pytest.raises(fp.PositionError):
        fp.evaluate_many(nonsense)


def test_a_level_that_misjudges_or_plays_trials_judges_no_arrays() -> None:
    for level in ("beginner", "roller"):
        with pytest.raises(fp.LevelError, match=re.escape(level)):
            fp.evaluate_many([START], level=level)


def test_a_rollout_ends_by_its_rule_and_is_played_by_any_executor() -> None:
    usual = fp.rollout(START, "31", trials=3600, truncate=1, error=0.5, threads=1)
    assert usual.trials < 3600
    assert "standard errors are at most 0.5" in usual.reason
    apart = fp.rollout(START, "31", trials=3600, truncate=1, apart=0.001, threads=1)
    assert "joint standard errors clear" in apart.reason
    with ThreadPoolExecutor(2) as executor:
        shared = fp.rollout(START, "31", trials=3600, truncate=1, error=0.5, executor=executor)
    assert shared.records() == usual.records()


def test_a_game_takes_the_keywords_of_a_rollout() -> None:
    taken = list(inspect.signature(fp.rollout).parameters)[1:]
    assert list(RolloutKeywords.__annotations__) == taken

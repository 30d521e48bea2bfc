"""Puzzles: the package's stock is whole, both sides are rated once, streaks and storms are counted."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, insert

from fullprime.common.file_lock import exclusive_lock
from fullprime.db.database import open_database
from fullprime.db.schema.drills import learners, puzzle_tries
from fullprime.engine import shared
from fullprime.engine.cube.probabilities import points_unit
from fullprime.learn.learners import LearnerId
from fullprime.learn.puzzles.puzzle import Puzzle, read_stock, stock_file
from fullprime.learn.puzzles.service import SKILLS, PuzzleError, Puzzles, game_at, new_run, puzzle_named, reason_of
from fullprime.learn.puzzles.stock_making import make_stock
from fullprime.learn.puzzles.theme import THEMES
from fullprime.learn.teaching.computing import nets_in_use
from fullprime.reviews.explain import why_better
from fullprime.rules.errors import FullprimeError
from fullprime.rules.variants import VARIANTS
from fullprime.rules.variants.variant import Settlement

START = datetime.fromisoformat("2026-03-01T09:00")
ME = LearnerId(key="me")
SILENT = ("acey_deucey-fd3ecf499a", "acey_deucey-8c7c7a8c76", "backgammon-36cb163396", "backgammon-ae02284c5a")
UNCOUNTED = {
    "backgammon": ("0ed7207b90", "4a010e3d70", "d2b3a00e56"),
    "nackgammon": ("fa7339a1d4",),
    "hypergammon": ("01e1763b84", "97d7b98d46", "d2ef500bdc"),
    "longgammon": ("dd52e37390", "bf29c39a70", "e092c9c27e"),
    "dutch": ("f8fa18e612", "27e795dffb", "af07d2a104"),
    "acey_deucey": ("8c7c7a8c76", "a7fa8a24b6", "fd3ecf499a"),
    "acey_deucey_european": ("1b6f042706", "152adc7a06", "e5b202b8c7"),
}
"""Puzzles whose reason no count gives; to look for more takes longer than the engine needs for theirs."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    database = open_database(str(tmp_path / "puzzles.db"))
    yield database
    database.dispose()


@pytest.mark.parametrize("name", VARIANTS)
def test_every_puzzle_of_the_stock_can_be_played_and_has_one_best_play(name: str) -> None:
    stock = read_stock(VARIANTS[name])
    assert stock.nets == nets_in_use([name], wide=False)[name], "other nets have judged these puzzles: make them again"
    assert len(stock.by_name) == len(stock)
    for puzzle in stock.puzzles[:: max(1, len(stock) // 40)]:
        assert Puzzle.from_line(puzzle.line, puzzle.rules) == puzzle
        assert len(puzzle.plays) == len(puzzle.losses)
        assert sum(loss == 0 for loss in puzzle.losses) == 1
        assert sorted(puzzle.losses)[1] >= 35
        assert 50 <= puzzle.losses[puzzle.tempting] <= 2400
        assert puzzle.theme in THEMES
        assert game_at(puzzle).legal_plays


def test_the_engine_one_level_deeper_agrees_with_the_stock() -> None:
    # The rollouts look farther than two plies: they may differ where it is close, and hardly ever by much.
    stock = read_stock(VARIANTS["backgammon"])
    engine = shared.engine_for(VARIANTS["backgammon"])
    costs = []
    for puzzle in stock.puzzles[:: max(1, len(stock) // 12)]:
        ranking = engine.rank_plays(puzzle.position, puzzle.dice, level="2-ply", played=puzzle.best.after)
        ranked = ranking.find(puzzle.best.after)
        assert ranked is not None
        costs.append(ranked.loss)
    assert max(costs) < 0.1
    assert sum(cost < 0.02 for cost in costs) >= 0.8 * len(costs)


def test_one_process_at_a_time_makes_puzzles_of_a_game(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    program = (
        "import sys; from pathlib import Path; from fullprime.learn.puzzles.stock_making import make_stock\n"
        "make_stock('hypergammon', 1, Path(sys.argv[1]), stop=lambda: True)"
    )
    make_stock("hypergammon", 1, tmp_path, stop=lambda: True)
    path = stock_file("hypergammon", tmp_path)
    with exclusive_lock(path.with_name(f".{path.name}.lock")):
        second = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
        )
    assert "another process makes puzzles of this game" in second.stderr


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_puzzle_is_replayed_one_level_deeper(name: str) -> None:
    """Rollouts by static plays chose the stock; two plies may differ where it is close, and hardly ever by much."""
    unit = points_unit(VARIANTS[name].settlement is not Settlement.GAMES)
    engine = shared.engine_for(VARIANTS[name])
    costs: dict[str, float] = {}
    traps: dict[str, float] = {}
    for puzzle in read_stock(VARIANTS[name]):
        for play, losses in ((puzzle.best, costs), (puzzle.trap, traps)):
            ranking = engine.rank_plays(puzzle.position, puzzle.dice, level="2-ply", cubeful=False, played=play.after)
            ranked = ranking.find(play.after)
            assert ranked is not None
            losses[puzzle.name] = ranked.loss / unit
    worst = sorted(costs.items(), key=lambda cost: -cost[1])[:5]
    assert sum(cost < 0.02 for cost in costs.values()) >= 0.9 * len(costs), worst
    assert sum(cost > 0.08 for cost in costs.values()) <= 0.01 * len(costs), worst
    assert sum(traps[name] > costs[name] for name in costs) >= 0.97 * len(costs)


def test_player_and_puzzle_are_rated_once(engine: Engine) -> None:
    puzzles = Puzzles(engine, lambda: START)
    question = puzzles.choose_next(ME, "backgammon")
    puzzle = puzzle_named(question.name)
    assert not question.tried
    right = puzzles.answer(ME, puzzle.name, str(puzzle.best), 5)
    assert right.right
    assert right.change is not None
    assert right.change > 0
    assert right.puzzle_rating < puzzle.rating
    again = puzzles.answer(ME, puzzle.name, str(puzzle.trap), 5)
    assert (again.right, again.counted, again.change) == (False, False, None)
    assert again.loss == puzzle.loss(puzzle.trap)
    assert (again.standing.tries, again.standing.right) == (1, 1)
    assert puzzles.choose_next(ME, "backgammon").name != puzzle.name
    with pytest.raises(FullprimeError):
        puzzles.answer(ME, puzzle.name, "24/1", 5)
    for name in ("backgammon-0", "nothing-1", "x"):
        with pytest.raises(PuzzleError):
            puzzles.answer(ME, name, "8/5 6/5", 5)


def test_a_beginner_begins_with_easy_puzzles_and_keeps_the_rating_that_is_earned(engine: Engine) -> None:
    puzzles = Puzzles(engine, lambda: START)
    first = {skill: puzzles.choose_next(ME, "backgammon", skill=skill).rating for skill in SKILLS}
    assert sorted(first.values()) == list(first.values())
    assert first["beginner"] + 300 <= first["club"] < first["tournament"]
    puzzle = puzzle_named(puzzles.choose_next(ME, "backgammon", skill="beginner").name)
    wrong = puzzles.answer(ME, puzzle.name, str(puzzle.trap), 5, skill="beginner")
    assert wrong.change is not None
    assert wrong.standing.rating == SKILLS["beginner"] + wrong.change < SKILLS["beginner"]
    # From then on the rating counts, not the skill.
    assert puzzles.choose_next(ME, "backgammon", skill="tournament").rating < first["club"]
    puzzle = puzzle_named(puzzles.choose_next(ME, "backgammon").name)
    right = puzzles.answer(ME, puzzle.name, str(puzzle.best), 5, skill="tournament")
    assert right.standing.rating == wrong.standing.rating + (right.change or 0)
    with pytest.raises(PuzzleError, match="'expert' is none of: beginner, casual, club, tournament"):
        puzzles.choose_next(ME, "backgammon", skill="expert")


def test_puzzles_of_one_theme(engine: Engine) -> None:
    puzzles, stock = Puzzles(engine, lambda: START), read_stock(VARIANTS["hypergammon"])
    (standing,) = [game for game in puzzles.get_standings(ME).games if game.variant == "hypergammon"]
    assert set(standing.themes) == {puzzle.theme for puzzle in stock}
    theme = min(standing.themes, key=lambda theme: sum(puzzle.theme == theme for puzzle in stock))
    for mode, run in (("rated", ""), ("storm", new_run())):
        names = {puzzles.choose_next(ME, "hypergammon", mode, run, theme).name for _ in range(12)}
        assert {puzzle_named(name).theme for name in names} == {theme}
    for puzzle in stock:
        if puzzle.theme == theme:
            puzzles.answer(ME, puzzle.name, str(puzzle.best), 2)
    assert puzzles.choose_next(ME, "hypergammon", theme=theme).tried, "all are solved: they come again"
    with pytest.raises(PuzzleError, match=r"no puzzles of the theme 'chess'; there are .*race"):
        puzzles.choose_next(ME, "hypergammon", theme="chess")
    with pytest.raises(PuzzleError, match="no theme to choose"):
        puzzles.choose_next(ME, "hypergammon", "day", theme=theme)


def test_the_puzzle_of_the_day_is_the_same_for_everybody(engine: Engine) -> None:
    puzzles = Puzzles(engine, lambda: START)
    assert (
        puzzles.choose_next(ME, "backgammon", "day").name == puzzles.choose_next(LearnerId(), "backgammon", "day").name
    )
    days = {puzzles.get_daily("backgammon", (START + timedelta(days=day)).date()).name for day in range(20)}
    assert len(days) > 10


@pytest.mark.broad
def test_an_answer_says_why_the_best_play_is_better(engine: Engine) -> None:
    """Of what was played where it is wrong, of the play that tempts where it is right; never of what is not sure."""
    puzzles, count = Puzzles(engine), 0
    for puzzle in read_stock(VARIANTS["backgammon"]).puzzles[:20]:
        for play in (puzzle.trap, puzzle.best):
            answer = puzzles.answer(ME, puzzle.name, str(play), 2)
            assert not answer.why or str(answer.best) in answer.why
            count += bool(answer.why)
    assert count >= 20


def test_an_answer_in_a_storm_says_what_is_left_of_it(engine: Engine) -> None:
    now = START
    puzzles, run = Puzzles(engine, lambda: now), new_run()
    left = []
    for _ in range(3):
        puzzle = puzzle_named(puzzles.choose_next(ME, "backgammon", "storm", run).name)
        left.append(puzzles.answer(ME, puzzle.name, str(puzzle.best), 2, "storm", run).seconds_left)
        now += timedelta(seconds=100)
    assert left == [180, 80, 0]
    assert puzzles.answer(ME, puzzle.name, str(puzzle.best), 2).seconds_left is None


def test_a_streak_ends_with_the_first_error_and_a_storm_with_the_time(engine: Engine) -> None:
    now = START
    puzzles = Puzzles(engine, lambda: now)
    for mode, error, after in (("streak", True, timedelta(0)), ("storm", False, timedelta(minutes=4))):
        run = new_run()
        for number in range(3):
            puzzle = puzzle_named(puzzles.choose_next(ME, "backgammon", mode, run).name)
            answer = puzzles.answer(ME, puzzle.name, str(puzzle.best), 2, mode, run)
            assert (answer.score, answer.over, answer.change) == (number + 1, False, None)
        puzzle = puzzle_named(puzzles.choose_next(ME, "backgammon", mode, run).name)
        now += after
        answer = puzzles.answer(ME, puzzle.name, str(puzzle.trap if error else puzzle.best), 2, mode, run)
        assert (answer.score, answer.over) == (3, True)
    assert (answer.standing.best_streak, answer.standing.best_storm) == (3, 3)
    assert answer.standing.tries == 0
    with pytest.raises(PuzzleError, match="a streak has a name"):
        puzzles.choose_next(ME, "backgammon", "streak", "no name!")


@pytest.mark.alone
def test_ten_thousand_solved_puzzles_are_no_burden(engine: Engine) -> None:
    puzzles = Puzzles(engine, lambda: START)
    with engine.begin() as connection:
        connection.execute(insert(learners).values(id=1, key="me", created=START))
        rows = [
            {"learner_id": 1, "variant": "backgammon", "puzzle": f"backgammon-{number}", "mode": mode, "run": run,
             "at": START, "seconds": 5.0, "right": number % 3 > 0, "loss": 0.0, "rating": 1500.0}
            for number in range(10_000)
            for mode, run in (("rated", "") if number % 2 else ("streak", f"run{number // 20:07}"),)
        ]  # fmt: skip
        connection.execute(insert(puzzle_tries), rows)
    puzzles.get_standings(ME)
    begun = time.process_time()
    puzzles.get_standings(ME)
    name = puzzles.choose_next(ME, "backgammon").name
    puzzles.answer(ME, name, str(puzzle_named(name).best), 2)
    assert time.process_time() - begun < 0.9, "three pages of at most 300 ms each"


@pytest.mark.broad
@pytest.mark.parametrize("game", VARIANTS)
def test_a_puzzle_of_which_nothing_can_be_counted_has_a_reason_by_the_engine(game: str) -> None:
    assert set(UNCOUNTED) == set(VARIANTS)
    for name in UNCOUNTED[game]:
        puzzle = puzzle_named(f"{game}-{name}")
        assert not why_better(puzzle.position, puzzle.best, puzzle.trap, puzzle.rules, puzzle.loss(puzzle.trap))
        assert reason_of(puzzle, puzzle.trap).endswith(".")


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", VARIANTS)
def test_every_puzzle_has_a_reason(game: str) -> None:
    assert [puzzle.name for puzzle in read_stock(VARIANTS[game]) if not reason_of(puzzle, puzzle.trap)] == []


@pytest.mark.parametrize("name", SILENT)
def test_a_puzzle_that_had_no_reason_has_one(name: str) -> None:
    """Games by checkers tell wins, a lost race its backgammons, and a play that was left behind early is looked at."""
    puzzle = puzzle_named(name)
    assert re.search(r"\d % (more wins|fewer backgammons lost)", reason_of(puzzle, puzzle.trap))


@pytest.mark.broad
def test_every_puzzle_of_hypergammon_has_a_reason() -> None:
    stock = read_stock(VARIANTS["hypergammon"])
    assert [puzzle.name for puzzle in stock if not reason_of(puzzle, puzzle.trap)] == []

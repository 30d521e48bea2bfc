"""The position of the day: its question, its answers, and the making of the stock from our self-play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from fullprime.analysis.setups import scene
from fullprime.engine import shared
from fullprime.learn.lessons.figures import LessonFigures, StepFigures
from fullprime.learn.lessons.grading import solution as solution_of
from fullprime.learn.lessons.lesson import Board
from fullprime.learn.lessons.position_of_day import (
    DailyPosition,
    after_best,
    lesson_of,
    origin_of,
    read_stock,
    stock,
    write_stock,
)
from fullprime.learn.teaching import computing
from fullprime.learn.teaching.computing import LEVEL, compute, game_at, judges_of
from fullprime.learn.teaching.hints import reason
from fullprime.learn.teaching.model import LessonAnswer, PositionOfDay
from fullprime.learn.teaching.teaching import judge_answer
from fullprime.rules import actions as acts
from fullprime.rules.dice import Roll, SeededDice
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.notation import read_play
from fullprime.rules.plays import legal_plays
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import variant_named

if TYPE_CHECKING:
    from fullprime.engine.engine import Engine

LENGTH = 7
"""Points of the matches of the self-play; every fourth game is played for money."""
PLAYER, CHECKED = "0-ply", "3-ply"
"""The level that plays, and the one that must agree with the stored figures about the best play."""
CLEAR, FAR = 0.03, 0.25
"""The least and greatest loss of the second best play, so that one play is best but not obvious."""
FEWEST, MOST = 6, 20
"""The least and greatest number of legal plays of a position."""
FOLDER = Path(__file__).parents[1] / "lessons" / "daily"


def position_of(day: date) -> PositionOfDay:
    """The position of a day, without its answer."""
    daily = stock().get_position(day)
    return PositionOfDay(day.isoformat(), daily.step.say, scene(game_at(daily.board)))


def answer(day: date, text: str) -> LessonAnswer:
    """Judge a play of the position of a day: what it loses and why, and the best play."""
    return _judge(stock().get_position(day), text)


def solution(day: date) -> LessonAnswer:
    """The best play of the position of a day, judged as an answer."""
    daily = stock().get_position(day)
    return _judge(daily, solution_of(daily.step, daily.figures))


def name_of(day: date, text: str) -> str:
    """The standard form of a play of a day's position, however it was written."""
    daily = stock().get_position(day)
    board, plays = daily.board, [play.play for play in daily.figures.plays]
    assert board.dice is not None  # every position of a stock has a roll
    after = {read_play(name, board.position, board.dice, board.variant).after: name for name in plays}
    return after[read_play(text, board.position, board.dice, board.variant).after]


def _judge(daily: DailyPosition, text: str) -> LessonAnswer:
    """Judge a play; with the best one comes the reason why it is better than the next best."""
    step, plays = daily.step, daily.figures.plays
    if len(plays) > 1:
        better = reason(daily.board, plays[0].play, plays[1].play, plays[1].loss)
        step = replace(step, right=after_best(daily.figures, better))
    return judge_answer(step, daily.figures, text)


def of_day(day: date) -> DailyPosition:
    """The position of a day with its figures, for a terminal."""
    return stock().get_position(day)


def why_stale() -> str:
    """The reason why the figures of the stock are stale; empty for good ones."""
    return computing.why_stale(stock().lesson, stock().figures)


# -- making a stock --------------------------------------------------------------------------------------------------
def make_stock(
    count: int, *, seed: int = 1, folder: Path = FOLDER, report: Callable[[str], None] = lambda _: None
) -> Path:
    """Find positions in games of our engine against itself, and write them with their figures.

    At most one position of a game is taken, where one play is clearly the best, the rule-based bot prefers another one,
    a deeper search agrees about the best, and the reason can be counted. Raises SettingsError for a count that is not
    allowed.
    """
    if not 1 <= count <= 5000:
        raise SettingsError(f"a stock has 1 to 5000 positions, not {count}")
    origin = f"fullprime daily --make {count} --seed {seed}: {_WAY}"
    return _write(folder, [None] * count, seed, origin, report)


def mend_stock(*, seed: int = 1, folder: Path = FOLDER, report: Callable[[str], None] = lambda _: None) -> Path:
    """Judge a stock of other nets anew, and give another position to the days whose best play is not clearly the best,
    or has no reason that can be counted; the others keep theirs. Raises FiguresError for a stock that cannot be read.
    """
    stored = read_stock(folder)
    stale = bool(computing.why_stale(stored.lesson, stored.figures))
    days: list[tuple[Board, StepFigures] | None] = []
    for number, (step, figures) in enumerate(zip(stored.lesson.steps, stored.figures.steps, strict=True), 1):
        assert step.board is not None  # every step of a stored has one
        if stale:
            (figures,) = compute(lesson_of([step.board])).steps
            if number % 20 == 0:
                report(f"{number} of {len(stored)} judged anew")
        good = _is_good(step.board, figures) if stale else bool(why_best(step.board, figures))
        days.append((step.board, figures) if good else None)
    missing = days.count(None)
    if not missing and not stale:
        return folder
    mended = f"; {missing} by --mend --seed {seed}" if missing else ""
    return _write(folder, days, seed, origin_of(folder) + mended, report)


_WAY = f"{PLAYER} against itself, figures {LEVEL}, best by {CHECKED}"


def why_best(board: Board, figures: StepFigures) -> str:
    """The reason why the best play is better than the next best; empty where nothing is sure."""
    best, other = figures.plays[:2]
    return reason(board, best.play, other.play, other.loss)


def _write(
    folder: Path, days: list[tuple[Board, StepFigures] | None], seed: int, origin: str, report: Callable[[str], None]
) -> Path:
    """Write a stock whose days without a position get one."""
    keys = {day[0].key for day in days if day is not None}
    candidates = _candidates(seed)
    for place, day in enumerate(days):
        while day is None:
            board = next(candidates)
            if board.key in keys:
                continue
            keys.add(board.key)
            (figures,) = compute(lesson_of([board])).steps
            if _is_good(board, figures):
                day = days[place] = board, figures
                report(f"{place + 1} of {len(days)}: {board.key}")
    filled = [day for day in days if day is not None]
    boards = [board for board, _ in filled]
    nets = judges_of(lesson_of(boards))
    write_stock(folder, boards, LessonFigures(nets, LEVEL, tuple(figures for _, figures in filled)), origin)
    return folder


def _is_good(board: Board, figures: StepFigures) -> bool:
    """True for one clearly best play that a deeper search finds too, and whose reason can be counted."""
    clear = CLEAR <= figures.plays[1].loss <= FAR
    return clear and bool(why_best(board, figures)) and _agrees(board, figures.plays[0].play)


def _agrees(board: Board, best: str) -> bool:
    engine = _engine()
    return engine.rank_plays(game_at(board), level=CHECKED).best.text == best


def _engine() -> Engine:
    return shared.engine_for(variant_named("backgammon"), 1)


def _candidates(seed: int) -> Iterator[Board]:
    """One suitable position of each game, without end."""
    number = 0
    while True:
        number += 1
        length = 0 if number % 4 == 0 else LENGTH
        yield from _boards_of_match(Settings(variant=variant_named("backgammon"), length=length), f"{seed}:{number}")


def _boards_of_match(settings: Settings, seed: str) -> Iterator[Board]:
    from fullprime.engine.bots.bots import HeuristicBot, bot_named

    bots = (bot_named(PLAYER, f"{seed}:X"), bot_named(PLAYER, f"{seed}:O"))
    naive, dice = HeuristicBot(), SeededDice(seed)
    match = Match(settings, (PLAYER, PLAYER))
    while not match.games or (settings.is_match and not match.is_over):
        game = start = match.next_game().game
        events: list[acts.Action] = []
        shortest, chosen = 4 + dice.die() * 2, None
        while not game.is_over:
            if game.turn is None:
                action = acts.opening(dice.die(), dice.die())
            else:
                if chosen is None and len(events) > shortest and _promises(game):
                    naively = naive.choose(game)
                    if naively != bots[game.turn].choose(game):
                        chosen = board_of(game)
                action = bots[game.turn].choose(game)
                if action.kind is ActionKind.ROLL:
                    action = acts.roll(Roll(dice.die(), dice.die()))
            game = game.act(action)
            events.append(action)
        match = Match(settings, match.names, (*match.games, GameRecord(start, tuple(events))))
        if chosen is not None:
            yield chosen


def _promises(game: Game) -> bool:
    """True for a roll with contact and a choice, of which static evaluation puts one play ahead of the others."""
    if game.phase is not Phase.PLAY or game.dice is None or game.position.is_race:
        return False
    if not FEWEST <= len(legal_plays(game.position, game.dice, game.settings.variant)) <= MOST:
        return False
    plays = _engine().rank_plays(game, level=PLAYER).plays
    return len(plays) > 1 and CLEAR / 2 <= plays[1].loss <= FAR


def board_of(game: Game) -> Board:
    """The board of a game for a learner on roll. Raises SettingsError where no roll is to be played."""
    if game.dice is None:
        raise SettingsError("a position of the day is a roll to be played")
    mine, theirs = game.score.points[game.on_roll], game.score.points[game.on_roll.other]
    owner = game.cube.owner
    return Board(
        variant=game.settings.variant,
        position=game.position,
        dice=game.dice,
        rules=(("length", str(game.settings.length)),),
        score=(mine, theirs),
        crawford=game.score.crawford_game if game.settings.is_match else None,
        cube=game.cube.value,
        owner=None if owner is None else "you" if owner is game.on_roll else "opponent",
    )

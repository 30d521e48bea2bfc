"""Puzzles for a page or a terminal: rated, of the day, in a streak or in a storm."""

from __future__ import annotations

import hashlib
import math
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from sqlalchemy import Engine

from fullprime.accounts.glicko import GlickoRating, age_rating, initial_rating, load_glicko, rate_by_glicko
from fullprime.analysis.setups import AnalysisSetup, game_of, scene
from fullprime.analysis.tutor import why_play
from fullprime.db.times import utc_now
from fullprime.learn.learners import SLOWEST, LearnerId, Learners
from fullprime.learn.puzzles.model import PuzzleAnswer, PuzzleQuestion, PuzzleStanding, PuzzleStandings
from fullprime.learn.puzzles.puzzle import RIGHT, STOCK, Puzzle, PuzzleError, PuzzleStock, read_stock
from fullprime.learn.puzzles.store import PuzzleStore, PuzzleTry
from fullprime.learn.puzzles.theme import THEMES
from fullprime.reviews.explain import why_better
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import Play
from fullprime.rules.variants import VARIANTS, variant_named

MODES = ("rated", "day", "streak", "storm")
"""Rated one by one; the puzzle of the day, which is rated too; until the first error; as many as possible in time."""
STORM = timedelta(minutes=3)
FIRST, STEP = 1000, 40
"""The rating of the first puzzle of a streak or a storm, and its rise with each solved one."""
UNSURE = 150.0
"""The deviation of a puzzle's rating before its first try."""
SKILLS = MappingProxyType({"beginner": 1000.0, "casual": 1250.0, "club": 1500.0, "tournament": 1750.0})
"""The first ratings of learners, by the strength that they state."""
_AMONG = 12
"""The number of puzzles of the nearest rating from which the next is drawn."""
_LONGEST = 200
"""The most letters of an answer."""
_RUN = re.compile(r"[a-z0-9]{8,32}")


@lru_cache(16)
def stock_of(variant: str, folder: Path = STOCK) -> PuzzleStock:
    """The stock of a game; raises PuzzleError for a game of which there are no puzzles."""
    if variant not in VARIANTS:
        raise PuzzleError(f"there is no game {variant[:40]!r}; there are {', '.join(VARIANTS)}")
    stock = read_stock(variant_named(variant), folder)
    if not len(stock):
        raise PuzzleError(f"there are no puzzles of {variant_named(variant).title} yet: fullprime puzzles make")
    return stock


def puzzle_named(name: str, folder: Path = STOCK) -> Puzzle:
    """The puzzle of that name; raises PuzzleError."""
    puzzle = stock_of(name.rpartition("-")[0], folder).by_name.get(name)
    if puzzle is None:
        raise PuzzleError(f"there is no puzzle {name[:60]!r}")
    return puzzle


def game_at(puzzle: Puzzle) -> Game:
    """The game of a puzzle, the learner being X; without a cube, for money."""
    dice = (puzzle.dice.high, puzzle.dice.low)
    rules = {"cube": "no"} if puzzle.rules.cube else {}
    setup = AnalysisSetup(variant=puzzle.variant, rules=rules, position=puzzle.position.text, dice=dice, follow_ups=())
    return game_of(setup)


def new_run() -> str:
    """The name of a streak or a storm that begins."""
    return secrets.token_hex(8)


class Puzzles:
    """The puzzles, and what the learners of one database have done with them."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = utc_now, folder: Path = STOCK) -> None:
        load_glicko()  # before the first answer, not after
        self.learners = Learners(engine)
        self._store, self._clock, self._folder = PuzzleStore(engine), clock, folder

    def get_standings(self, learner_id: LearnerId) -> PuzzleStandings:
        """A learner's standing in every game of which there are puzzles."""
        learner = self.learners.find(learner_id)
        games = [name for name, variant in VARIANTS.items() if len(read_cached(variant.name, self._folder))]
        return PuzzleStandings(games=tuple(self._standing_of(learner, name) for name in games))

    def choose_next(
        self,
        learner_id: LearnerId,
        variant: str,
        mode: str = "rated",
        run: str = "",
        theme: str = "",
        skill: str = "club",
    ) -> PuzzleQuestion:
        """The next puzzle for a learner, of one theme if that is named; raises PuzzleError.

        ``skill``, one of :data:`SKILLS`, says how hard the first ones are: before the learner has a rating.
        """
        stock, learner = stock_of(variant, self._folder), self.learners.find(learner_id)
        run, first = _check_run(mode, run), _rating_of(skill)
        puzzles = _list_by_theme(stock, theme)
        if mode == "day":
            if theme:
                raise PuzzleError("the puzzle of the day is the same for everybody: it has no theme to choose")
            puzzle = self.get_daily(variant)
        else:
            tried = set() if learner is None else self._store.list_tried(learner, variant, run)
            left = [puzzle for puzzle in puzzles if puzzle.name not in tried] or puzzles
            ratings = self._store.get_puzzle_ratings(variant)
            goal = FIRST + STEP * len(tried) if run else self._rating(learner, variant, first)
            left.sort(key=lambda puzzle: abs(ratings.get(puzzle.name, puzzle.rating) - goal))
            puzzle = secrets.choice(left[:_AMONG])
        return self._question(puzzle, learner, run)

    def get_daily(self, variant: str, day: date | None = None) -> Puzzle:
        """The puzzle of a day, the same for everybody with the same stock."""
        stock, day = stock_of(variant, self._folder), day or self._clock().date()
        number = int.from_bytes(hashlib.sha256(f"{variant} {day.isoformat()}".encode()).digest()[:6], "big")
        return stock.puzzles[number % len(stock)]

    def answer(
        self,
        learner_id: LearnerId,
        name: str,
        text: str,
        seconds: float,
        mode: str = "rated",
        run: str = "",
        skill: str = "club",
    ) -> PuzzleAnswer:
        """Grade an answer and store it; stored when this returns. A learner without a rating begins with ``skill``'s.

        Raises PuzzleError, or an error of the rules, for what is no answer; then nothing is stored.
        """
        if len(text) > _LONGEST:
            raise PuzzleError(f"an answer has at most {_LONGEST} letters, not {len(text)}")
        puzzle, run, first = puzzle_named(name, self._folder), _check_run(mode, run), _rating_of(skill)
        play = read_play(text, puzzle.position, puzzle.dice, puzzle.rules)
        loss, now = puzzle.loss(play), self._clock()
        right, learner = loss < RIGHT, self.learners.get_or_create(learner_id)
        unrated = replace(initial_rating(now), rating=first)

        def rate_both(mine: GlickoRating | None, theirs: GlickoRating | None) -> tuple[GlickoRating, GlickoRating]:
            learner_rating = mine or unrated
            other = theirs or GlickoRating(float(puzzle.rating), UNSURE, 0.06, 0, now)
            return rate_by_glicko(learner_rating, other, 0 if right else 1, now)

        attempt = PuzzleTry(
            variant=puzzle.variant, puzzle=name, mode=mode, run=run, at=now, right=right, loss=round(loss, 3),
            seconds=round(min(max(seconds, 0.0), SLOWEST), 2),
        )  # fmt: skip
        counted, rating = self._store.add(learner, attempt, None if run else rate_both)
        before = unrated if rating is None or rating.before is None else age_rating(rating.before, now)
        tries = self._store.list_runs(learner, puzzle.variant, mode).get(run, []) if run else []
        score, over = (_streak(tries) if mode == "streak" else _storm(tries)) if run else (0, False)
        theirs = self._store.get_puzzle_ratings(puzzle.variant).get(name, float(puzzle.rating))
        other = puzzle.trap if right else play
        return PuzzleAnswer(
            right=right,
            answer=format_play(play),
            loss=loss,
            best=format_play(puzzle.best),
            trap=format_play(puzzle.trap),
            trap_loss=puzzle.loss(puzzle.trap),
            why=reason_of(puzzle, other),
            moves=tuple(map(str, play.moves)),
            best_moves=tuple(map(str, puzzle.best.moves)),
            counted=counted,
            change=None if rating is None else round(rating.learner.rating) - round(before.rating),
            puzzle_rating=round(theirs),
            score=score,
            over=over,
            seconds_left=_seconds_left(tries, now) if run and mode == "storm" else None,
            standing=self._standing_of(learner, puzzle.variant),
        )

    # -- inside -------------------------------------------------------------------------------------------------------
    def _rating(self, learner: int | None, variant: str, first: float) -> float:
        """The rating of a learner in a game, ``first`` where there is none."""
        strength = None if learner is None else self._store.find_rating(learner, variant)
        return first if strength is None else strength.rating

    def _question(self, puzzle: Puzzle, learner: int | None, run: str) -> PuzzleQuestion:
        tried = learner is not None and puzzle.name in self._store.list_tried(learner, puzzle.variant, run)
        return PuzzleQuestion(
            name=puzzle.name,
            variant=puzzle.variant,
            theme=puzzle.theme,
            rating=round(self._store.get_puzzle_ratings(puzzle.variant).get(puzzle.name, float(puzzle.rating))),
            tried=tried,
            board=scene(game_at(puzzle)),
        )

    def _standing_of(self, learner: int | None, variant: str) -> PuzzleStanding:
        now = self._clock()
        strength = None if learner is None else self._store.find_rating(learner, variant)
        rating = initial_rating(now) if strength is None else age_rating(strength, now)
        tries, right = (0, 0) if learner is None else self._store.count_tries(learner, variant)
        runs = {
            mode: {} if learner is None else self._store.list_runs(learner, variant, mode)
            for mode in ("streak", "storm")
        }
        return PuzzleStanding(
            variant=variant,
            title=variant_named(variant).title,
            puzzles=len(stock_of(variant, self._folder)),
            themes=themes_of(stock_of(variant, self._folder)),
            rating=round(rating.rating),
            deviation=round(rating.deviation),
            tries=tries,
            right=right,
            best_streak=max((_streak(tries)[0] for tries in runs["streak"].values()), default=0),
            best_storm=max((_storm(tries)[0] for tries in runs["storm"].values()), default=0),
        )


def reason_of(puzzle: Puzzle, other: Play) -> str:
    """One sentence with the reason why the best play beats another: what the rules can count, else by the engine."""
    counted = why_better(puzzle.position, puzzle.best, other, puzzle.rules, puzzle.loss(other))
    if counted or puzzle.loss(other) < RIGHT:
        return counted
    return why_play(game_at(puzzle), puzzle.best, other)


@lru_cache(16)
def read_cached(variant: str, folder: Path) -> PuzzleStock:
    """The stock of a game, which may be empty, read once."""
    return read_stock(variant_named(variant), folder)


def themes_of(stock: PuzzleStock) -> tuple[str, ...]:
    """The themes of which there are puzzles, in the order in which they come in a game."""
    themes = {puzzle.theme for puzzle in stock}
    return tuple(theme for theme in THEMES if theme in themes)


def _list_by_theme(stock: PuzzleStock, theme: str) -> list[Puzzle]:
    """The puzzles of a theme, of any for an empty one. Raises PuzzleError."""
    puzzles = [puzzle for puzzle in stock if theme in ("", puzzle.theme)]
    if not puzzles:
        raise PuzzleError(f"there are no puzzles of the theme {theme[:40]!r}; there are {', '.join(themes_of(stock))}")
    return puzzles


def _check_run(mode: str, run: str) -> str:
    """The name of the run; empty for what is rated. Raises PuzzleError."""
    if mode not in MODES:
        raise PuzzleError(f"{mode[:20]!r} is none of: {', '.join(MODES)}")
    if mode in ("rated", "day"):
        return ""
    if not _RUN.fullmatch(run):
        raise PuzzleError(f"a {mode} has a name of 8 to 32 small letters and digits, not {run[:40]!r}")
    return run


def _rating_of(skill: str) -> float:
    """The rating with which a learner of that skill begins; raises PuzzleError."""
    if skill not in SKILLS:
        raise PuzzleError(f"{skill[:20]!r} is none of: {', '.join(SKILLS)}")
    return SKILLS[skill]


def _streak(tries: list[tuple[datetime, bool]]) -> tuple[int, bool]:
    """The puzzles solved before the first error, and if there was one."""
    for solved, (_, right) in enumerate(tries):
        if not right:
            return solved, True
    return len(tries), False


def _seconds_left(tries: list[tuple[datetime, bool]], now: datetime) -> int:
    """The seconds left of a storm; all of them before the first answer."""
    return max(0, math.ceil((min((at for at, _ in tries), default=now) + STORM - now).total_seconds()))


def _storm(tries: list[tuple[datetime, bool]]) -> tuple[int, bool]:
    """The puzzles solved in time after the first answer, and if the time is over."""
    if not tries:
        return 0, False
    end = tries[0][0] + STORM
    return sum(right for at, right in tries if at <= end), tries[-1][0] >= end

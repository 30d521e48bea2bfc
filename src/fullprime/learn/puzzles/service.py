"""Puzzles for a page or a terminal: rated, of the day, in a streak or in a storm."""

from __future__ import annotations

import hashlib
import math
import re
import secrets
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path

from sqlalchemy import Engine

from fullprime.accounts.ratings import after_match, aged, load_glicko, start
from fullprime.accounts.store.played import GlickoRating
from fullprime.analysis.setups import DeskSetup, game_of, scene
from fullprime.analysis.tutor import why_play
from fullprime.db.times import utc_now
from fullprime.learn.learners import SLOWEST, Learners, Who
from fullprime.learn.puzzles.fields import PuzzleAnswer, PuzzleJson, PuzzleStanding, PuzzleStandings
from fullprime.learn.puzzles.puzzle import RIGHT, STOCK, Puzzle, PuzzleError, Stock, read_stock
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
"""Streaks and storms begin with puzzles of this rating; each solved one makes the next so much harder."""
UNSURE = 150.0
"""The deviation of a puzzle's rating before anybody has tried it."""
_AMONG = 12
"""The next puzzle is drawn from so many of the nearest rating."""
_LONGEST = 200
"""Letters of an answer."""
_RUN = re.compile(r"[a-z0-9]{8,32}")


@lru_cache(16)
def stock_of(variant: str, folder: Path = STOCK) -> Stock:
    """The stock of a game; raises PuzzleError for a game of which there are no puzzles."""
    if variant not in VARIANTS:
        raise PuzzleError(f"there is no game {variant[:40]!r}; there are {', '.join(VARIANTS)}")
    found = read_stock(variant_named(variant), folder)
    if not len(found):
        raise PuzzleError(f"there are no puzzles of {variant_named(variant).title} yet: fullprime puzzles make")
    return found


def puzzle_named(name: str, folder: Path = STOCK) -> Puzzle:
    """The puzzle of that name; raises PuzzleError."""
    found = stock_of(name.rpartition("-")[0], folder).by_name.get(name)
    if found is None:
        raise PuzzleError(f"there is no puzzle {name[:60]!r}")
    return found


def game_at(puzzle: Puzzle) -> Game:
    """The game of a puzzle, the learner being X; without a cube, for money."""
    dice = (puzzle.dice.high, puzzle.dice.low)
    rules = {"cube": "no"} if puzzle.rules.cube else {}
    setup = DeskSetup(variant=puzzle.variant, rules=rules, position=puzzle.position.text, dice=dice, follow_ups=())
    return game_of(setup)


def new_run() -> str:
    """The name of a streak or a storm that begins."""
    return secrets.token_hex(8)


class Puzzles:
    """The puzzles, and what the learners of one database have done with them."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = utc_now, folder: Path = STOCK) -> None:
        load_glicko()  # before somebody answers, not after
        self.learners = Learners(engine)
        self._store, self._clock, self._folder = PuzzleStore(engine), clock, folder

    def standings(self, who: Who) -> PuzzleStandings:
        """Somebody's standing in every game of which there are puzzles."""
        learner = self.learners.known(who)
        games = [name for name, variant in VARIANTS.items() if len(read_cached(variant.name, self._folder))]
        return {"games": [self._standing(learner, name) for name in games]}

    def next(self, who: Who, variant: str, mode: str = "rated", run: str = "", theme: str = "") -> PuzzleJson:
        """The next puzzle for somebody, of one theme if that is named; raises PuzzleError."""
        stock, learner = stock_of(variant, self._folder), self.learners.known(who)
        run = _checked(mode, run)
        asked = _of_theme(stock, theme)
        if mode == "day":
            if theme:
                raise PuzzleError("the puzzle of the day is the same for everybody: it has no theme to choose")
            puzzle = self.of_the_day(variant)
        else:
            tried = set() if learner is None else self._store.tried(learner, variant, run)
            left = [each for each in asked if each.name not in tried] or asked
            ratings = self._store.ratings(variant)
            goal = self._goal(learner, variant, len(tried), run)
            left.sort(key=lambda each: abs(ratings.get(each.name, each.rating) - goal))
            puzzle = secrets.choice(left[:_AMONG])
        return self._json(puzzle, learner, run)

    def of_the_day(self, variant: str, day: date | None = None) -> Puzzle:
        """The puzzle of a day, the same for everybody with the same stock."""
        stock, day = stock_of(variant, self._folder), day or self._clock().date()
        number = int.from_bytes(hashlib.sha256(f"{variant} {day.isoformat()}".encode()).digest()[:6], "big")
        return stock.puzzles[number % len(stock)]

    def answer(
        self, who: Who, name: str, text: str, seconds: float, mode: str = "rated", run: str = ""
    ) -> PuzzleAnswer:
        """Grade an answer and store it; stored when this returns.

        Raises PuzzleError, or an error of the rules, for what is no answer; then nothing is stored.
        """
        if len(text) > _LONGEST:
            raise PuzzleError(f"an answer has at most {_LONGEST} letters, not {len(text)}")
        puzzle, run = puzzle_named(name, self._folder), _checked(mode, run)
        play = read_play(text, puzzle.position, puzzle.dice, puzzle.rules)
        loss, now = puzzle.loss(play), self._clock()
        right, learner = loss < RIGHT, self.learners.sure(who)

        def rated(mine: GlickoRating | None, theirs: GlickoRating | None) -> tuple[GlickoRating, GlickoRating]:
            own = mine or start(now)
            other = theirs or GlickoRating(float(puzzle.rating), UNSURE, 0.06, 0, now)
            return after_match(own, other, 0 if right else 1, now)

        found = PuzzleTry(
            variant=puzzle.variant, puzzle=name, mode=mode, run=run, at=now, right=right, loss=round(loss, 3),
            seconds=round(min(max(seconds, 0.0), SLOWEST), 2),
        )  # fmt: skip
        counted, rating = self._store.add(learner, found, None if run else rated)
        before = start(now) if rating is None or rating.before is None else aged(rating.before, now)
        tries = self._store.runs(learner, puzzle.variant, mode).get(run, []) if run else []
        score, over = (_streak(tries) if mode == "streak" else _storm(tries)) if run else (0, False)
        theirs = self._store.ratings(puzzle.variant).get(name, float(puzzle.rating))
        other = puzzle.trap if right else play
        return {
            "right": right,
            "answer": format_play(play),
            "loss": loss,
            "best": format_play(puzzle.best),
            "trap": format_play(puzzle.trap),
            "trap_loss": puzzle.loss(puzzle.trap),
            "why": reason_of(puzzle, other),
            "moves": [str(move) for move in play.moves],
            "best_moves": [str(move) for move in puzzle.best.moves],
            "counted": counted,
            "change": None if rating is None else round(rating.learner.rating) - round(before.rating),
            "puzzle_rating": round(theirs),
            "score": score,
            "over": over,
            "seconds_left": _seconds_left(tries, now) if run and mode == "storm" else None,
            "standing": self._standing(learner, puzzle.variant),
        }

    # -- inside -------------------------------------------------------------------------------------------------------
    def _goal(self, learner: int | None, variant: str, done: int, run: str) -> float:
        if run:
            return FIRST + STEP * done
        found = None if learner is None else self._store.strength(learner, variant)
        return 1500.0 if found is None else found.rating

    def _json(self, puzzle: Puzzle, learner: int | None, run: str) -> PuzzleJson:
        tried = learner is not None and puzzle.name in self._store.tried(learner, puzzle.variant, run)
        return {
            "name": puzzle.name,
            "variant": puzzle.variant,
            "theme": puzzle.theme,
            "rating": round(self._store.ratings(puzzle.variant).get(puzzle.name, float(puzzle.rating))),
            "tried": tried,
            "board": scene(game_at(puzzle)),
        }

    def _standing(self, learner: int | None, variant: str) -> PuzzleStanding:
        now = self._clock()
        found = None if learner is None else self._store.strength(learner, variant)
        rating = start(now) if found is None else aged(found, now)
        tries, right = (0, 0) if learner is None else self._store.counts(learner, variant)
        runs = {
            mode: {} if learner is None else self._store.runs(learner, variant, mode) for mode in ("streak", "storm")
        }
        return {
            "variant": variant,
            "title": variant_named(variant).title,
            "puzzles": len(stock_of(variant, self._folder)),
            "themes": themes_of(stock_of(variant, self._folder)),
            "rating": round(rating.rating),
            "deviation": round(rating.deviation),
            "tries": tries,
            "right": right,
            "best_streak": max((_streak(each)[0] for each in runs["streak"].values()), default=0),
            "best_storm": max((_storm(each)[0] for each in runs["storm"].values()), default=0),
        }


def reason_of(puzzle: Puzzle, other: Play) -> str:
    """One sentence with the reason why the best play beats another: what the rules can count, else by the engine."""
    counted = why_better(puzzle.position, puzzle.best, other, puzzle.rules, puzzle.loss(other))
    if counted or puzzle.loss(other) < RIGHT:
        return counted
    return why_play(game_at(puzzle), puzzle.best, other)


@lru_cache(16)
def read_cached(variant: str, folder: Path) -> Stock:
    """The stock of a game, which may be empty, read once."""
    return read_stock(variant_named(variant), folder)


def themes_of(stock: Stock) -> list[str]:
    """The themes of which there are puzzles, in the order in which they come in a game."""
    held = {each.theme for each in stock}
    return [theme for theme in THEMES if theme in held]


def _of_theme(stock: Stock, theme: str) -> list[Puzzle]:
    """The puzzles of a theme, of any for an empty one. Raises PuzzleError."""
    found = [each for each in stock if theme in ("", each.theme)]
    if not found:
        raise PuzzleError(f"there are no puzzles of the theme {theme[:40]!r}; there are {', '.join(themes_of(stock))}")
    return found


def _checked(mode: str, run: str) -> str:
    """The name of the run; empty for what is rated. Raises PuzzleError."""
    if mode not in MODES:
        raise PuzzleError(f"{mode[:20]!r} is none of: {', '.join(MODES)}")
    if mode in ("rated", "day"):
        return ""
    if not _RUN.fullmatch(run):
        raise PuzzleError(f"a {mode} has a name of 8 to 32 small letters and digits, not {run[:40]!r}")
    return run


def _streak(tries: list[tuple[datetime, bool]]) -> tuple[int, bool]:
    """The puzzles solved before the first error, and if there was one."""
    for solved, (_, right) in enumerate(tries):
        if not right:
            return solved, True
    return len(tries), False


def _seconds_left(tries: list[tuple[datetime, bool]], now: datetime) -> int:
    """What is left of a storm's time; all of it before the first answer."""
    return max(0, math.ceil((min((at for at, _ in tries), default=now) + STORM - now).total_seconds()))


def _storm(tries: list[tuple[datetime, bool]]) -> tuple[int, bool]:
    """The puzzles solved in time after the first answer, and if the time is over."""
    if not tries:
        return 0, False
    end = tries[0][0] + STORM
    return sum(right for at, right in tries if at <= end), tries[-1][0] >= end

"""The figures of lessons, computed: every board by the engine, and what the rules alone can count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fullprime.app.desk.setups import DeskSetup, game_of
from fullprime.engine import shared
from fullprime.rules import actions as acts
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import Play
from fullprime.school.course import Course, figures_name
from fullprime.school.facts import board_fact, rolls_that, shots
from fullprime.school.figures import CubeFigures, Figures, PlayFigures, StepFigures, figures_text
from fullprime.school.lesson import Board, Do, Lesson, LessonError, Step
from fullprime.school.reading import facts_of
from fullprime.school.texts import Value, holds

if TYPE_CHECKING:
    from fullprime.engine.cube.action import CubeDecision
    from fullprime.engine.engine import Engine
    from fullprime.engine.search.results import Evaluation, RankedPlay, Ranking

LEVEL = "2-ply"
"""The depth of stored figures."""
TRIALS = 1296
"""Trials of the rollouts that lessons quote, of each play."""
_PROBABILITY = {"win": 0, "gammons": 1, "lost": 3}
_BEFORE = {"wins": 0, "wins_gammons": 1, "loses_gammons": 3}
_COSTS = {"double_costs": "double", "roll_costs": "roll", "take_costs": "take", "drop_costs": "drop"}


def nets_in_use(games: Iterable[str]) -> dict[str, str]:
    """A hash of the nets of each game: of the names in the manifest, which hold the hashes of what they compute."""
    import hashlib

    from fullprime.engine.nets.net import manifest

    known = manifest()
    return {game: hashlib.sha256(repr(sorted(known.get(game, {}).items())).encode()).hexdigest()[:16] for game in games}


def game_at(board: Board) -> Game:
    """The game of a step's board; the learner is X. Raises an error of the rules for a board that cannot be."""
    doubler = board.offered
    position = board.position.swapped if doubler else board.position
    owner = {None: None, "you": "X", "opponent": "O"}[board.owner]
    game = game_of(
        DeskSetup(
            variant=board.variant.name,
            rules=dict(board.rules),
            position=position.text,
            on_roll="O" if doubler else "X",
            score=board.score,
            crawford=board.crawford,
            cube=board.cube,
            owner=owner,
            offered=board.offered,
            dice=None if board.dice is None else (board.dice.high, board.dice.low),
            choose=board.choose,
        )
    )
    return game.act(acts.DOUBLE).act(acts.BEAVER) if board.beavered else game


def compute(
    lesson: Lesson, before: Figures | None = None, *, level: str = LEVEL, trials: int = TRIALS, threads: int = 1
) -> Figures:
    """The figures of a lesson. Rollouts are taken from ``before`` where board and nets are the same.

    Raises LessonError with the step for a claim that does not hold and for a board that cannot be played.
    """
    games = {step.board.variant.name for step in lesson.steps if step.board is not None}
    nets = nets_in_use(sorted(games))
    old = before.steps if before is not None and dict(before.nets) == nets else ()
    steps: list[StepFigures] = []
    for number, step in enumerate(lesson.steps, 1):
        known = next((each for each in old if step.board is not None and each.board == step.board.key
                      and any(name.startswith("rolled") for name in each.values)), None)  # fmt: skip
        try:
            found = _StepWork(step, level, trials, threads, known).figures()
            broken = [claim for claim in step.holds if not holds(claim, found.values)]
        except (FullprimeError, ValueError, KeyError) as error:
            raise LessonError(f"{lesson.file}: step {number}: {error}") from error
        if broken:
            sides = ", ".join(f"{name} is {value}" for name, value in found.values.items() if name in broken[0])
            raise LessonError(f"{lesson.file}: step {number}: it does not hold that {broken[0]} ({sides})")
        steps.append(found)
    return Figures(nets, level, tuple(steps))


def write_figures(
    course: Course,
    names: Iterable[str] = (),
    *,
    threads: int = 1,
    stale_only: bool = False,
    trials: int = TRIALS,
    told: Callable[[str], None] = lambda _: None,
) -> list[Path]:
    """Compute the figures of lessons and write each beside its lesson; of all lessons where no names are given.

    ``stale_only``: leave out lessons whose figures are good. Gives the files written.
    """
    wanted = [course.lesson(name) for name in names] or list(course)
    written: list[Path] = []
    for lesson in wanted:
        before = next((each for name, each in course.stored if name == lesson.name), None)
        if stale_only and before is not None and not before.why_stale(lesson, nets_in_use(before.nets)):
            continue
        text = figures_text(compute(lesson, before, trials=trials, threads=threads))
        path = Path(lesson.file)
        path = path.with_name(figures_name(path.name))
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise LessonError(f"{path}: it cannot be written ({error})") from None
        written.append(path)
        told(f"{lesson.name}: {path.name}")
    return written


def stale(course: Course) -> dict[str, str]:
    """The lessons whose figures are missing or not of these nets and boards, each with the reason."""
    found: dict[str, str] = {}
    stored = dict(course.stored)
    for lesson in course:
        figures = stored.get(lesson.name)
        reason = "it has none" if figures is None else figures.why_stale(lesson, nets_in_use(figures.nets))
        if reason:
            found[lesson.name] = reason
    return found


class _StepWork:
    """The figures of one step; each question goes to the engine once."""

    def __init__(self, step: Step, level: str, trials: int, threads: int, known: StepFigures | None) -> None:
        self._step, self._level, self._trials, self._threads = step, level, trials, threads
        self._facts = list(facts_of(step))
        self._kept = {} if known is None else dict(known.values)
        self._rolled: dict[str, dict[str, float]] | None = None
        self._ranked: Ranking | None = None
        self._decided: CubeDecision | None = None
        self._judged: Evaluation | None = None

    def figures(self) -> StepFigures:
        step, board = self._step, self._step.board
        if board is None:
            return StepFigures(values={fact: self._value(fact) for fact in self._facts})
        game_at(board)  # A board that cannot be played is refused, even where nothing is asked about it.
        rolls = rolls_that(step.rolls, board.position, board.variant) if step.rolls else ()
        return StepFigures(
            board=board.key,
            values={fact: self._value(fact) for fact in self._facts},
            plays=self._plays() if step.graded and step.do is Do.PLAY else (),
            cube=self._cube() if step.do is Do.CUBE else None,
            rolls=tuple(map(str, rolls)),
        )

    # -- the engine -----------------------------------------------------------------------------------------------
    @property
    def _board(self) -> Board:
        if self._step.board is None:
            raise LessonError("there is no board")
        return self._step.board

    @property
    def _engine(self) -> Engine:
        return shared.engine_for(self._board.variant, self._threads)

    def _ranking(self) -> Ranking:
        if self._ranked is None:
            self._ranked = self._engine.rank_plays(game_at(self._board), level=self._level)
        return self._ranked

    def _decision(self) -> CubeDecision:
        if self._decided is None:
            self._decided = self._engine.cube_decision(game_at(self._board), level=self._level)
        return self._decided

    def _evaluation(self) -> Evaluation:
        if self._judged is None:
            self._judged = self._engine.evaluate(game_at(self._board), level=self._level)
        return self._judged

    def _play(self, line: str) -> RankedPlay:
        ranking = self._ranking()
        if line in ("best", "second"):
            return ranking.plays[line == "second"]
        found = ranking.find(self._read(line).after)
        if found is None:
            raise LessonError(f"{line} is not among the plays")
        return found

    def _read(self, line: str) -> Play:
        board = self._board
        if board.dice is None:
            raise LessonError(f"{line}: there are no dice")
        return read_play(line, board.position, board.dice, board.variant)

    def _plays(self) -> tuple[PlayFigures, ...]:
        return tuple(
            PlayFigures(
                play=each.text,
                loss=each.loss,
                equity=each.equity,
                win=each.probabilities[0],
                gammons=each.probabilities[1],
                lost=each.probabilities[3],
                shots=shots(each.position, self._board.variant),
            )
            for each in self._ranking().plays
        )

    def _cube(self) -> CubeFigures:
        found = self._decision()
        if found.double_take is None or found.double_drop is None:
            raise LessonError("nobody may double here")
        return CubeFigures(
            no_double=found.no_double,
            double_take=found.double_take,
            double_drop=found.double_drop,
            verdict=found.verdict,
            win=found.probabilities[0],
            gammons=found.probabilities[1],
            lost=found.probabilities[3],
        )

    # -- facts ----------------------------------------------------------------------------------------------------
    def _value(self, fact: str) -> Value:
        name, _, rest = fact.partition(" ")
        for ask in (self._of_board, self._of_play, self._of_two, self._of_position, self._of_cube, self._of_rollout):
            found = ask(fact, name, rest)
            if found is not None:
                return found
        raise LessonError(f"{{{fact}}}: it cannot be computed here")

    def _of_board(self, fact: str, name: str, rest: str) -> Value | None:
        if name == "met":
            from fullprime.engine.cube.met import MatchEquityTable

            mine, theirs = map(int, rest.split())
            return MatchEquityTable.named().chance(mine, theirs)
        if name == "trials":
            return float(self._trials)
        if name == "shots":
            play = self._play(rest).play if rest in ("best", "second") else self._read(rest)
            return float(shots(play.position, self._board.variant))
        if self._step.board is None:
            return None
        return board_fact(fact, self._board.position, self._board.variant)

    def _of_play(self, _: str, name: str, rest: str) -> Value | None:
        if name in ("best", "second"):
            return self._play(name).text
        if name in _PROBABILITY:
            return self._play(rest).probabilities[_PROBABILITY[name]]
        if name in ("equity", "loss"):
            found = self._play(rest)
            return found.equity if name == "equity" else found.loss
        if name == "roll":
            return self._engine.rank_plays(game_at(self._board), rest, level=self._level).best.equity
        return None

    def _of_two(self, fact: str, name: str, rest: str) -> Value | None:
        found = re.fullmatch(r"more_(win|gammons|lost)", name)
        if found is None:
            return None
        first, over, second = rest.partition(" over ")
        if not over:
            raise LessonError(f"{{{fact}}}: write more_win PLAY over PLAY")
        part = _PROBABILITY[found[1]]
        return self._play(first).probabilities[part] - self._play(second).probabilities[part]

    def _of_position(self, _: str, name: str, __: str) -> Value | None:
        if name in _BEFORE:
            return self._evaluation().probabilities[_BEFORE[name]]
        return self._evaluation().equity if name == "value" else None

    def _of_cube(self, _: str, name: str, rest: str) -> Value | None:
        from fullprime.engine.cube.context import context_of
        from fullprime.engine.cube.points import cube_window, gammon_values

        if name == "verdict":
            return self._decision().verdict
        if name in ("no_double", "double_take"):
            found = self._cube()
            return found.no_double if name == "no_double" else found.double_take
        if name in _COSTS:
            word = _COSTS[name]
            return self._cube().losses(offered=word in ("take", "drop"))[word]
        if name == "gammon_value":
            return gammon_values(context_of(game_at(self._board))).win_gammon
        if name in ("take_point", "live_take_point"):
            gammons = float(rest) if rest else 0.0
            window = cube_window(context_of(game_at(self._board)), gammons, efficiency=float(name.startswith("live")))
            return window.take_point
        return None

    def _of_rollout(self, fact: str, name: str, rest: str) -> Value | None:
        if not name.startswith("rolled"):
            return None
        if fact in self._kept:
            return self._kept[fact]
        if self._rolled is None:
            self._rolled = self._roll_out()
        if name.startswith("rolled_more"):
            first, second = (self._read(each).after.text for each in rest.split(" over "))
            word = name.removeprefix("rolled_more_")
            return self._rolled[first][word] - self._rolled[second][word]
        word = name.removeprefix("rolled").removeprefix("_") or "equity"
        return self._rolled[self._read(rest).after.text][word]

    def _roll_out(self) -> dict[str, dict[str, float]]:
        """Every play that the step quotes, played out together; by the board after it."""
        lines = [
            line for fact in self._facts if fact.startswith("rolled") for line in fact.partition(" ")[2].split(" over ")
        ]
        plays = {play.after.text: play for play in map(self._read, lines)}
        result = self._engine.rollout(
            game_at(self._board), plays=list(plays.values()), trials=self._trials, threads=self._threads
        )
        found: dict[str, dict[str, float]] = {}
        for key, play in plays.items():
            each = next(each for each in result.rolled if each.name == format_play(play))
            found[key] = {"equity": each.equity, "error": each.loss_error, "loss": each.loss,
                          "win": each.probabilities[0], "gammons": each.probabilities[1]}  # fmt: skip
        return found

"""Computing the figures of lessons: those of the engine, and those that the rules alone can count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullprime.analysis.setups import AnalysisSetup, game_of
from fullprime.common.atomic_write import atomic_write
from fullprime.engine import shared
from fullprime.learn.lessons.course import Course, figures_name
from fullprime.learn.lessons.figures import LessonFigures, PlayFigures, StepCube, StepFigures, figures_text
from fullprime.learn.lessons.lesson import Board, Do, Lesson, LessonError, LessonStep
from fullprime.learn.lessons.reading import facts_of
from fullprime.learn.lessons.texts import Value, claim_holds
from fullprime.learn.teaching import rolling
from fullprime.learn.teaching.rolling import TRIALS
from fullprime.play.table.table_events import Side
from fullprime.rules import actions as acts
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import read_play
from fullprime.rules.plays import Play
from fullprime.rules.position_facts import board_fact, rolls_that, shots

if TYPE_CHECKING:
    from fullprime.engine.cube.action import CubeDecision
    from fullprime.engine.engine import Engine
    from fullprime.engine.search.results import Evaluation, RankedPlay, Ranking

LEVEL = "2-ply"
"""The depth of stored figures."""
_CUBE = " cube"
_PROBABILITY = {"win": 0, "gammons": 1, "lost": 3}
_BEFORE = {"wins": 0, "wins_gammons": 1, "loses_gammons": 3}
_COSTS = {"double_costs": "double", "roll_costs": "roll", "take_costs": "take", "drop_costs": "drop"}


def nets_in_use(games: Iterable[str], *, wide: bool = True) -> dict[str, str]:
    """A hash of the nets of each game, made from their names in the manifest, which hold hashes of their weights.

    Without ``wide``, only the nets of plain rollouts count; the wide nets judge only the ends of look-ahead.
    """
    import hashlib

    from fullprime.engine.nets.net import DEEP, manifest

    hashes = manifest()
    used = {game: [net for net in sorted(hashes.get(game, {}).items()) if wide or net[0] not in DEEP] for game in games}
    return {game: hashlib.sha256(repr(names).encode()).hexdigest()[:16] for game, names in used.items()}


def judges_in_use(names: Iterable[str]) -> dict[str, str]:
    """The hashes of the judging nets: of each game, and for a name such as ``backgammon cube`` of its cube."""
    judges = list(names)
    cubes = {name: name.removesuffix(_CUBE) for name in judges if name.endswith(_CUBE)}
    nets = nets_in_use(name for name in judges if name not in cubes)
    return nets | {name: _cube_hash(game) for name, game in cubes.items()}


def roller_in_use(game: str, *, cube: bool = True) -> str:
    """One hash of all nets in plain rollouts of a game, with a cube also that of the cube's efficiency."""
    nets, live = nets_in_use([game], wide=False)[game], _cube_hash(game) if cube else ""
    return f"{nets}+{live}" if live else nets


def judges_of(lesson: Lesson) -> dict[str, str]:
    """The hashes of the nets that judge the boards of a lesson."""
    games = sorted({step.board.variant.name for step in lesson.steps if step.board is not None})
    return judges_in_use([*games, *(game + _CUBE for game in games if _cube_hash(game))])


def _cube_hash(game: str) -> str:
    """The hash of the net of the cube's efficiency; empty for a game that has none."""
    from fullprime.engine.cube.learnt import LearntEfficiency, efficiency_for
    from fullprime.engine.nets.net import judging_game

    efficiency = efficiency_for(judging_game(game))
    return efficiency.name if isinstance(efficiency, LearntEfficiency) else ""


def game_at(board: Board) -> Game:
    """The game of a step's board; the learner is X. Raises an error of the rules for an impossible board."""
    doubler = board.offered
    position = board.position.swapped if doubler else board.position
    owners: dict[str | None, Side | None] = {None: None, "you": "X", "opponent": "O"}
    game = game_of(
        AnalysisSetup(
            variant=board.variant.name,
            rules=dict(board.rules),
            position=position.text,
            on_roll="O" if doubler else "X",
            score=board.score,
            crawford=board.crawford,
            cube=board.cube,
            owner=owners[board.owner],
            offered=board.offered,
            dice=None if board.dice is None else (board.dice.high, board.dice.low),
            choose=board.choose,
            multiplier=board.stake,
        )
    )
    if board.throw is not None:
        return replace(game, phase=Phase.OPENING_ROLL)
    return game.act(acts.DOUBLE).act(acts.BEAVER) if board.beavered else game


def compute(
    lesson: Lesson, before: LessonFigures | None = None, *, level: str = LEVEL, trials: int = TRIALS, threads: int = 1
) -> LessonFigures:
    """The figures of a lesson. Rollouts are taken from ``before`` where board and nets are the same.

    Raises LessonError with the step for a claim that does not hold and for a board that cannot be played.
    """
    nets = judges_of(lesson)
    old = (
        before.steps
        if before is not None and dict(before.nets) == nets and before.rollouts == rolling.ROLLOUT_TEXT
        else ()
    )
    rollouts = {board.key: _Rollouts(board, steps, old, trials, threads) for board, steps in _group_by_board(lesson)}
    steps: list[StepFigures] = []
    for number, step in enumerate(lesson.steps, 1):
        try:
            figures = _StepWork(
                step, level, trials, threads, rollouts.get(step.board.key) if step.board else None
            ).figures()
            broken = [claim for claim in step.holds if not claim_holds(claim, figures.values)]
        except (FullprimeError, ValueError, KeyError) as error:
            raise LessonError(f"{lesson.file}: step {number}: {error}") from error
        if broken:
            sides = ", ".join(f"{name} is {value}" for name, value in figures.values.items() if name in broken[0])
            raise LessonError(f"{lesson.file}: step {number}: it does not hold that {broken[0]} ({sides})")
        steps.append(figures)
    quoted = any(name.startswith("rolled") for figures in steps for name in figures.values)
    return LessonFigures(nets, level, tuple(steps), rolling.ROLLOUT_TEXT if quoted else "")


def write_figures(
    course: Course,
    names: Iterable[str] = (),
    *,
    threads: int = 1,
    stale_only: bool = False,
    trials: int = TRIALS,
    report: Callable[[str], None] = lambda _: None,
) -> list[Path]:
    """Compute the figures of these lessons, or of all, and write each beside its lesson.

    ``stale_only``: leave out lessons whose figures are good. Gives the files written.
    """
    lessons = [course.get_lesson(name) for name in names] or list(course)
    written: list[Path] = []
    for lesson in lessons:
        before = next((stored for name, stored in course.stored if name == lesson.name), None)
        if stale_only and before is not None and not why_stale(lesson, before):
            continue
        text = figures_text(compute(lesson, before, trials=trials, threads=threads))
        path = Path(lesson.file)
        path = path.with_name(figures_name(path.name))
        try:
            atomic_write(path, text)
        except OSError as error:
            raise LessonError(f"{path}: it cannot be written ({error.strerror or error})") from None
        written.append(path)
        report(f"{lesson.name}: {path.name}")
    return written


def list_stale(course: Course) -> dict[str, str]:
    """The lessons whose figures are missing or not of these nets and boards, each with the reason."""
    reasons: dict[str, str] = {}
    stored = dict(course.stored)
    for lesson in course:
        figures = stored.get(lesson.name)
        reason = "it has none" if figures is None else why_stale(lesson, figures)
        if reason:
            reasons[lesson.name] = reason
    return reasons


def why_stale(lesson: Lesson, figures: LessonFigures) -> str:
    """The changes since the figures of a lesson were made: of its text, its nets, or the settings of its rollouts."""
    judges = judges_of(lesson)
    missing = [name for name in judges if name not in figures.nets]
    if missing:
        return f"they do not say which {missing[0]} they are by"
    if figures.rollouts not in ("", rolling.ROLLOUT_TEXT):
        return f"their rollouts are of {figures.rollouts}, and those of now of {rolling.ROLLOUT_TEXT}"
    return figures.why_stale(lesson, judges)


def _group_by_board(lesson: Lesson) -> Iterable[tuple[Board, list[LessonStep]]]:
    """The boards of which a lesson quotes rollouts, each with all its steps."""
    boards: dict[str, tuple[Board, list[LessonStep]]] = {}
    for step in lesson.steps:
        if step.board is not None and any(fact.startswith("rolled") for fact in facts_of(step)):
            boards.setdefault(step.board.key, (step.board, []))[1].append(step)
    return boards.values()


class _Rollouts:
    """The rollouts of one board, for all steps that quote some; all plays meet the same dice, each once."""

    def __init__(
        self, board: Board, steps: list[LessonStep], old: Iterable[StepFigures], trials: int, threads: int
    ) -> None:
        self._board, self._trials, self._threads = board, trials, threads
        self._facts = [fact for step in steps for fact in facts_of(step) if fact.startswith("rolled")]
        matching = [figures for figures in old if figures.board == board.key]
        self._values = {name: value for figures in matching for name, value in figures.values.items()}
        self._rows = {row.play: row for figures in matching for row in figures.plays if row.play in figures.rolled}
        graded = any(step.graded and step.do is Do.PLAY for step in steps)
        complete = all(fact in self._values for fact in self._facts)
        read = [self._read(line).after for line in self._lines()]
        rows = {self._read(name).after for name in self._rows}
        self._reuses_rollouts = complete and (not graded or all(after in rows for after in read))
        self._played: rolling.PlayedPlays | None = None
        self._doubled: dict[str, float] | None = None

    def value(self, fact: str) -> Value:
        """A figure of a rollout."""
        if self._reuses_rollouts:
            return self._values[fact]
        name, _, argument = fact.partition(" ")
        word, half = (
            name.removeprefix("rolled").removeprefix("_").removesuffix("half").removesuffix("_"),
            name[-5:] == "_half",
        )
        if word.startswith("more_"):
            first, second = (self._read(line).after.text for line in argument.split(" over "))
            return self._plays().more(word.removeprefix("more_"), first, second)[half]
        if word == "roll":
            rolled = rolling.roll_out_roll(self._engine, game_at(self._board), self._board, argument, **self._size())
            return rolled.half if half else rolled.equity
        if word in ("drop_costs", "wins"):
            return self._double_value(word, half=half)
        play = self._plays().plays[self._read(argument).after.text]
        part = {"": "half" if half else "equity", "loss": "loss_half" if half else "loss"}.get(word, word)
        return float(getattr(play, part))

    def row(self, play: Play) -> PlayFigures | None:
        """A play as its rollout judges it; None for one that was not rolled out."""
        if self._reuses_rollouts:
            return next((row for name, row in self._rows.items() if self._read(name).after == play.after), None)
        if not self._lines():
            return None
        rolled = self._plays().plays.get(play.after.text)
        if rolled is None:
            return None
        return PlayFigures("", rolled.loss, rolled.equity, rolled.win, rolled.gammons, rolled.lost, 0)

    def _size(self) -> dict[str, int]:
        return {"trials": self._trials, "threads": self._threads}

    @property
    def _engine(self) -> Engine:
        return shared.engine_for(self._board.variant, self._threads)

    def _read(self, line: str) -> Play:
        board = self._board
        if board.dice is None:
            raise LessonError(f"{line}: there are no dice")
        return read_play(line, board.position, board.dice, board.variant)

    def _lines(self) -> list[str]:
        """The plays that are quoted, each once."""
        quoted = [fact.partition(" ")[2] for fact in self._facts if "/" in fact]
        return list(dict.fromkeys(line for fact in quoted for line in fact.split(" over ")))

    def _plays(self) -> rolling.PlayedPlays:
        if self._played is None:
            plays = {play.after.text: play for play in map(self._read, self._lines())}
            chances = any(fact.startswith("rolled_more") for fact in self._facts)
            self._played = rolling.play_out(
                self._engine, game_at(self._board), self._board, list(plays.values()), chances=chances, **self._size()
            )
        return self._played

    def _double_value(self, word: str, *, half: bool) -> float:
        board = self._board
        if self._doubled is None:
            game = game_at(rolling.doubler_of(board) if board.offered else board)
            self._doubled = rolling.roll_out_cube(self._engine, game, **self._size())
        rolled = self._doubled
        if word == "drop_costs":
            return rolled["double_take_half"] if half else max(0.0, 1.0 - rolled["double_take"])
        if half:
            return rolled["wins_half"]
        return 1.0 - rolled["wins"] if board.offered else rolled["wins"]


def _move_figures(play: PlayFigures, searched: PlayFigures, rolled: PlayFigures) -> PlayFigures:
    """The figures of a play that was not rolled out, moved by the difference of rollout and search of the best play."""
    return replace(
        play,
        loss=rolled.loss + searched.equity - play.equity,
        equity=rolled.equity + play.equity - searched.equity,
        win=rolled.win + play.win - searched.win,
        gammons=rolled.gammons + play.gammons - searched.gammons,
        lost=rolled.lost + play.lost - searched.lost,
    )


class _StepWork:
    """The figures of one step; the engine is asked each question once."""

    def __init__(self, step: LessonStep, level: str, trials: int, threads: int, rollouts: _Rollouts | None) -> None:
        self._step, self._level, self._trials, self._threads = step, level, trials, threads
        self._facts = list(facts_of(step))
        self._rollouts = rollouts
        self._by_rollout: set[str] = set()
        self._ranked: Ranking | None = None
        self._decided: CubeDecision | None = None
        self._judged: Evaluation | None = None

    def figures(self) -> StepFigures:
        step, board = self._step, self._step.board
        if board is None:
            return StepFigures(values={fact: self._value(fact) for fact in self._facts})
        game_at(board)  # A board that cannot be played is refused, even where nothing is asked about it.
        rolls = rolls_that(step.rolls, board.position, board.variant) if step.rolls else ()
        plays = self._plays() if step.graded and step.do is Do.PLAY else ()
        return StepFigures(
            board=board.key,
            values={fact: self._value(fact) for fact in self._facts},
            plays=plays,
            cube=self._cube() if step.do is Do.CUBE else None,
            rolls=tuple(map(str, rolls)),
            rolled=tuple(play.play for play in plays if play.play in self._by_rollout),
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
        ranked = ranking.find(self._read(line).after)
        if ranked is None:
            raise LessonError(f"{line} is not among the plays")
        return ranked

    def _read(self, line: str) -> Play:
        board = self._board
        if board.dice is None:
            raise LessonError(f"{line}: there are no dice")
        return read_play(line, board.position, board.dice, board.variant)

    def _plays(self) -> tuple[PlayFigures, ...]:
        """Every play. Those that were rolled out have the figures of that; the others keep their distance by search
        from the best of those.
        """
        plays = [
            PlayFigures(
                play=ranked.text,
                loss=ranked.loss,
                equity=ranked.equity,
                win=ranked.probabilities[0],
                gammons=ranked.probabilities[1],
                lost=ranked.probabilities[3],
                shots=shots(ranked.position, self._board.variant),
            )
            for ranked in self._ranking().plays
        ]
        rows = {} if self._rollouts is None else {
            play.play: row for play in plays if (row := self._rollouts.row(self._read(play.play))) is not None
        }  # fmt: skip
        self._by_rollout = set(rows)
        if not rows:
            return tuple(plays)
        best = max(rows, key=lambda name: rows[name].equity)
        searched = next(play for play in plays if play.play == best)
        merged = [
            replace(rows[play.play], play=play.play, shots=play.shots)
            if play.play in rows
            else _move_figures(play, searched, rows[best])
            for play in plays
        ]
        ahead = next((play for play in merged if play.loss < 0), None)
        if ahead is not None:
            raise LessonError(f"{ahead.play} is ahead of {best} by search: quote a rollout of it, too")
        return tuple(sorted(merged, key=lambda play: play.loss))

    def _cube(self) -> StepCube:
        decision = self._decision()
        if decision.double_take is None or decision.double_drop is None:
            raise LessonError("nobody may double here")
        return StepCube(
            no_double=decision.no_double,
            double_take=decision.double_take,
            double_drop=decision.double_drop,
            verdict=decision.verdict,
            win=decision.probabilities[0],
            gammons=decision.probabilities[1],
            lost=decision.probabilities[3],
        )

    # -- facts ----------------------------------------------------------------------------------------------------
    def _value(self, fact: str) -> Value:
        name, _, argument = fact.partition(" ")
        for compute_value in (
            self._board_value,
            self._play_value,
            self._pair_value,
            self._of_position,
            self._cube_value,
            self._rollout_value,
        ):
            value = compute_value(fact, name, argument)
            if value is not None:
                return value
        raise LessonError(f"{{{fact}}}: it cannot be computed here")

    def _board_value(self, fact: str, name: str, argument: str) -> Value | None:
        if name == "met":
            from fullprime.engine.cube.met import MatchEquityTable

            mine, theirs = map(int, argument.split())
            return MatchEquityTable.named().chance(mine, theirs)
        if name == "trials":
            return float(self._trials)
        if name == "shots":
            play = self._play(argument).play if argument in ("best", "second") else self._read(argument)
            return float(shots(play.position, self._board.variant))
        if self._step.board is None:
            return None
        return board_fact(fact, self._board.position, self._board.variant)

    def _play_value(self, _: str, name: str, argument: str) -> Value | None:
        if name in ("best", "second"):
            return self._play(name).text
        if name in _PROBABILITY:
            return self._play(argument).probabilities[_PROBABILITY[name]]
        if name in ("equity", "loss"):
            play = self._play(argument)
            return play.equity if name == "equity" else play.loss
        if name == "roll":
            return self._engine.rank_plays(game_at(self._board), argument, level=self._level).best.equity
        return None

    def _pair_value(self, fact: str, name: str, argument: str) -> Value | None:
        match = re.fullmatch(r"more_(win|gammons|lost)", name)
        if match is None:
            return None
        first, over, second = argument.partition(" over ")
        if not over:
            raise LessonError(f"{{{fact}}}: write more_win PLAY over PLAY")
        part = _PROBABILITY[match[1]]
        return self._play(first).probabilities[part] - self._play(second).probabilities[part]

    def _of_position(self, _: str, name: str, __: str) -> Value | None:
        if name in _BEFORE:
            return self._evaluation().probabilities[_BEFORE[name]]
        return self._evaluation().equity if name == "value" else None

    def _cube_value(self, _: str, name: str, argument: str) -> Value | None:
        from fullprime.engine.cube.context import context_of
        from fullprime.engine.cube.points import cube_window, gammon_values

        if name == "verdict":
            return self._decision().verdict
        if name in ("no_double", "double_take"):
            decision = self._cube()
            return decision.no_double if name == "no_double" else decision.double_take
        if name in _COSTS:
            word = _COSTS[name]
            return self._cube().losses(offered=word in ("take", "drop"))[word]
        if name == "market_losers":
            return self._losers(argument)
        if name == "gammon_value":
            return gammon_values(context_of(game_at(self._board))).win_gammon
        if name in ("take_point", "live_take_point"):
            gammons = float(argument) if argument else 0.0
            window = cube_window(context_of(game_at(self._board)), gammons, efficiency=float(name.startswith("live")))
            return window.take_point
        return None

    def _losers(self, roll: str) -> float:
        """The exchanges of 1,296 that lose the market; after a roll of one's own, such as ``61``, the answers of 36."""
        import numpy as np

        from fullprime.engine.boards.conversion import row_of
        from fullprime.engine.cube.context import context_of
        from fullprime.reviews.exchanges import losing_exchanges
        from fullprime.reviews.judge import Judge

        game = game_at(self._board)
        lost = losing_exchanges(Judge(self._engine), row_of(game.position), context_of(game))
        if lost is None or not context_of(game).may_double:
            raise LessonError("market losers are counted where one may double, with two dice a roll")
        weights = np.array([roll.weight for roll in ALL_ROLLS])
        if not roll:
            return float(weights @ lost @ weights)
        return float(lost[ALL_ROLLS.index(Roll(int(roll[0]), int(roll[1])))] @ weights)

    def _rollout_value(self, fact: str, name: str, _: str) -> Value | None:
        if not name.startswith("rolled") or self._rollouts is None:
            return None
        return self._rollouts.value(fact)

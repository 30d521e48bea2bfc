"""The engine in one place: ranked plays, the best play, cube decisions, evaluations, rollouts.

>>> from fullprime.rules.variants import BACKGAMMON
>>> engine = Engine.open(level="0-ply")
>>> engine.best_play(BACKGAMMON.starting_position, Roll(3, 1)).moves[0].source
8
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from types import NoneType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fullprime.engine.boards import follow_ups as stages
from fullprime.engine.boards.conversion import position_of, row_of
from fullprime.engine.cube.action import CubeAnswer, CubeDecision
from fullprime.engine.cube.context import CUBELESS, context_of, cubeless
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.cube.probabilities import probabilities_of, swap_sides
from fullprime.engine.nets.evaluator import Boards, NetEvaluator
from fullprime.engine.nets.net import Net
from fullprime.engine.search import cube_search as deciding
from fullprime.engine.search.batches import Evaluations, evaluate_boards
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.deepening import Candidates, deepen, deepen_turns, order_of
from fullprime.engine.search.levels import DEFAULT, Deepening, Level, level_named
from fullprime.engine.search.play_search import BoardValue, Judging, Progress
from fullprime.engine.search.results import Evaluation, RankedPlay, Ranking
from fullprime.engine.search.searcher import Searcher
from fullprime.engine.tables.bearoff import Bearoff
from fullprime.engine.tables.endgames import Endgames
from fullprime.rules.coercion import AnyPosition, to_game
from fullprime.rules.dice import AnyRoll, Roll
from fullprime.rules.errors import FullprimeError, IllegalAction
from fullprime.rules.game import Game, Phase
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.route import find_play_to
from fullprime.rules.taking import is_tuple_of, real_number, short_value, to_bool, to_kind, truth_value, whole_number
from fullprime.rules.variants import VARIANTS, variant_named
from fullprime.rules.variants.variant import FollowUp, Variant

if TYPE_CHECKING:
    from fullprime.engine.rollouts.result import Rollout
    from fullprime.engine.rollouts.rollout import StoppingRule
    from fullprime.engine.rollouts.trials import TrialPolicy


MOST_THREADS = 1024
MOST = {"trials": 100_000_000, "most": 10_000, "threads": MOST_THREADS, "same_depth": 100}
"""The largest numbers that a question takes."""


class EngineError(FullprimeError):
    """An argument that the engine cannot use."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The limits of one search, None for no limit. Raises EngineError for an impossible one."""

    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for name, value, to_number in (("seconds", self.seconds, real_number), ("nodes", self.nodes, whole_number)):
            number = to_number(value)
            if value is not None and (number is None or number < 0):
                raise EngineError(f"limits are 0 or more, not {short_value(value)} {name}")
            object.__setattr__(self, name, number)


class Engine:
    """The engine of one game at one level. One object serves many threads; make it with :meth:`open`."""

    def __init__(self, searcher: Searcher, level: str | Level = DEFAULT, *, judging: Judging | None = None) -> None:
        to_kind(Searcher, "the searcher", searcher, EngineError)
        _check(judging=judging)
        self.searcher = searcher
        self.level = level_named(level)
        self.variant: Variant = searcher.evaluator.variant
        self.per_checker = searcher.evaluator.per_checker
        self.judging = judging or Judging(searcher)
        """What every question about plays asks, at any level."""

    @classmethod
    def open(
        cls,
        variant: str | Variant = "backgammon",
        level: str | Level = DEFAULT,
        threads: int = 1,
        *,
        nets: Mapping[str, Net] | None = None,
        bearoff: bool | Bearoff = True,
    ) -> Engine:
        """An engine with the nets of the package (or ``nets``) and the exact tables where they hold.

        Raises NetError where there are no nets for the variant, LevelError for an unknown level.
        """
        game = variant_named(variant)
        count = whole_number(threads)
        if count is None or not 1 <= count <= MOST_THREADS:
            raise EngineError(f"{short_value(threads)} threads: at least one is needed, at most {MOST_THREADS}")
        _check(nets=nets)
        exact = True if isinstance(bearoff, Bearoff) else truth_value(bearoff)
        if exact is None:
            raise EngineError(f"bearoff: {short_value(bearoff)} is neither a truth value nor tables")
        standard = VARIANTS.get(game.name)
        if standard is not None and standard.settlement is not game.settlement:
            usual, other = standard.settlement, game.settlement
            raise EngineError(f"the nets for {game.title} know it settled by {usual}, not {other}")
        tables: Bearoff | None = bearoff if isinstance(bearoff, Bearoff) else None
        if tables is None and exact and Bearoff.serves(game):
            tables = Bearoff.open_lazily()
        endgames = Endgames(game) if exact and Endgames.serves(game) else None
        return cls(Searcher(NetEvaluator(game, nets), tables, endgames=endgames, threads=count), level)

    def at(self, level: str | Level) -> Engine:
        """The engine, with its nets and cache, at another level."""
        return Engine(self.searcher, level, judging=self.judging)

    # -- plays --------------------------------------------------------------------------------------------
    def rank_plays(
        self,
        position: AnyPosition,
        dice: AnyRoll | None = None,
        context: CubeContext | None = None,
        *,
        cubeful: bool = True,
        level: str | Level | None = None,
        limits: SearchLimits | None = None,
        follow_ups: tuple[FollowUp, ...] | None = None,
        played: Position | None = None,
        same_depth: int = 1,
        progress: Progress | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Ranking:
        """Every legal play, the best first, each with the depth it was searched to.

        ``position``: a board seen by the player on roll, or a game (then its dice, cube and score are meant unless
        given here). Without a context, and with ``cubeful`` off, the cube is left out. A search that is stopped or
        comes to a limit returns its results so far. ``follow_ups``: the extras that a special roll of Acey Deucey
        still gives; by default those of the rules after this roll. ``played``: the board after the play that was made,
        seen by its player, which is then looked at as far as the best, so that their difference is one of equals.
        ``same_depth``: the number of the best plays that are all looked at as far as the best. What a play is worth at
        a depth is what a review and the tutor say of it: see :func:`fullprime.engine.search.deepening.deepen`.
        """
        _check(context=context, limits=limits, played=played, progress=progress, stop=stop, follow_ups=follow_ups)
        _check(same_depth=same_depth)
        position = _to_position_or_game(position)
        board, roll, context = self._question(position, dice, context, cubeful)
        level = self.level if level is None else level_named(level)
        follow_ups = self._follow_ups(position, roll, follow_ups)
        budget = _budget(limits, stop) or Budget()
        if follow_ups:
            deepening = self._how(level, same_depth)
            return self._rank_with_stages(board, roll, context, follow_ups, deepening, budget, played=played)
        rows = self.searcher.candidates(row_of(board), roll.high, roll.low)
        required_index = None if played is None else _index_of(rows, played)
        judged, complete = self._judge(
            rows, context, level, budget, progress, required=required_index, same_depth=same_depth
        )
        return self._ranking(board, roll, context, rows, judged, complete, budget.nodes)

    def best_play(
        self,
        position: AnyPosition,
        dice: AnyRoll | None = None,
        context: CubeContext | None = None,
        *,
        cubeful: bool = True,
        level: str | Level | None = None,
        limits: SearchLimits | None = None,
        follow_ups: tuple[FollowUp, ...] | None = None,
    ) -> Play:
        """Choose a play: the first of :meth:`rank_plays`, with no more search than the choice needs."""
        _check(context=context, limits=limits, follow_ups=follow_ups)
        position = _to_position_or_game(position)
        board, roll, context = self._question(position, dice, context, cubeful)
        follow_ups = self._follow_ups(position, roll, follow_ups)
        if follow_ups:
            deep = self.level if level is None else level_named(level)
            budget = _budget(limits) or Budget()
            return self._rank_with_stages(board, roll, context, follow_ups, self._how(deep), budget).best.play
        after = self.best_board(row_of(board), roll, context, level, _budget(limits))
        return find_play_to(board, roll, position_of(after).swapped, self.variant)

    def best_board(
        self,
        row: Boards,
        roll: Roll,
        context: CubeContext = CUBELESS,
        level: str | Level | None = None,
        budget: Budget | None = None,
    ) -> npt.NDArray[np.int8]:
        """The board (32,) after the best play of a packed position (1, 32), seen by the next player."""
        _check_rows(row, 1)
        to_kind(Roll, "the roll", roll, EngineError)
        to_kind(CubeContext, "the context", context, EngineError)
        to_kind((Budget, NoneType), "the budget", budget, EngineError)
        level = self.level if level is None else level_named(level)
        static = level.ply == 0 and not level.noise and context is CUBELESS and not self.searcher.whole_turns
        if static and not self.searcher.tables.within_a_turn(row)[0]:
            dice = np.array([[roll.high, roll.low]], np.int64)
            best: npt.NDArray[np.int8] = self.static_best(row, dice, context, level)[0]
            return best
        rows = self.searcher.candidates(row, roll.high, roll.low)
        if len(rows) == 1:
            return np.asarray(rows[0])
        judged, _ = self._judge(rows, context, level, budget or Budget(), rank_all=False)
        return np.asarray(rows[order_of(judged)[0]])

    def static_best(self, boards: Boards, dice: npt.NDArray[np.int64], context: CubeContext, level: Level) -> Boards:
        """The boards (n, 32) after the statically best play of one roll each (n, 2), seen by the next player.

        For games without whole turns, and positions from which no board is known exactly.
        """
        to_kind(np.ndarray, "the dice", dice, EngineError)
        _check_rows(boards, len(dice) if dice.dtype == np.int64 and dice.shape[1:] == (2,) else -1)
        to_kind(Level, "the level", level, EngineError)
        if level.joint:
            return self.searcher.best_by_all(boards, dice, self.weights(context))
        return self.searcher.best_boards(boards, dice, self.weights(context), filtered=False).boards

    def best_end(self, row: Boards, roll: Roll, level: str | Level | None = None) -> tuple[npt.NDArray[np.int8], bool]:
        """The board (32,) after the best whole turn of a roll, cubeless, and whether the same player rolls again.

        The board is seen by the next player to roll.
        """
        if not self.searcher.whole_turns:
            return self.best_board(row, roll, level=level), False
        _check_rows(row, 1)
        to_kind(Roll, "the roll", roll, EngineError)
        level = self.level if level is None else level_named(level)
        ends = self.searcher.turn_ends(row, roll.high, roll.low)
        judged, _ = self._judge(ends.boards, CUBELESS, level, Budget(), rank_all=False, again=ends.again)
        best = order_of(judged)[0]
        return np.asarray(ends.boards[best]), bool(ends.again[best])

    def choose_double(
        self,
        position: Position,
        rest: tuple[FollowUp, ...],
        context: CubeContext | None = None,
        level: str | Level | None = None,
    ) -> int:
        """The double to name after an acey-deucey, by its best play and by the extras that still follow."""
        _check(context=context, follow_ups=rest)
        to_kind(Position, "the position", position, EngineError)
        level = self.level if level is None else level_named(level)
        turns = stages.list_double_ends(row_of(position), rest, self.variant)
        judged, _ = deepen_turns(self.judging, turns, context or CUBELESS, self._how(level), Budget())
        return 1 + next(iter(judged))

    # -- the cube and positions ---------------------------------------------------------------------------
    def cube_decision(
        self,
        position: AnyPosition,
        context: CubeContext | None = None,
        *,
        level: str | Level | None = None,
        limits: SearchLimits | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> CubeDecision:
        """The equity of every action with the cube before this roll, and the right one.

        Without a game or a context: money, the cube in the middle. A limit or a stop lowers the depth. ``progress`` is
        called with the trials of a level that plays some.
        """
        _check(context=context, limits=limits, progress=progress, stop=stop)
        position = _to_position_or_game(position)
        board = position.position if isinstance(position, Game) else position
        if self.per_checker:
            raise EngineError(f"{self.variant.title} is played without a cube")
        if context is None:
            context = context_of(position) if isinstance(position, Game) else CubeContext()
        level = self.level if level is None else level_named(level)
        budget = _budget(limits, stop)
        tree, depth = deciding.build_deepest_tree(self.judging, row_of(board), context, level, budget)
        values = deciding.values_of_level(self.judging, tree, context, depth, level)
        decision = values.decision
        if level.roller is not None and depth == level.ply:
            from fullprime.engine.rollouts import roller as rolling

            decision = rolling.roll_cube(self.judging, board, values, level.roller, budget, progress)
        return decision

    def answer_raise(
        self,
        game: Game,
        *,
        level: str | Level | None = None,
        limits: SearchLimits | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> CubeAnswer:
        """The answer to the beaver or the raccoon that waits in a game, seen by the player who gives it."""
        _check(limits=limits, stop=stop)
        to_kind(Game, "the game", game, EngineError)
        raised = {Phase.BEAVER_OFFERED: 1, Phase.RACCOON_OFFERED: 2}.get(game.phase)
        if raised is None:
            raise IllegalAction("no beaver or raccoon waits for an answer")
        before = context_of(game).cube >> raised
        context = replace(context_of(game), cube=before, owner=None if before == 1 else CubeOwner.MOVER)
        level = self.level if level is None else level_named(level)
        tree, depth = deciding.build_deepest_tree(
            self.judging, row_of(game.position), context, level, _budget(limits, stop)
        )
        return deciding.values_of_level(self.judging, tree, context, depth, level).answer_raise(raised)

    def evaluate(
        self,
        position: AnyPosition,
        context: CubeContext | None = None,
        *,
        cubeful: bool = True,
        level: str | Level | None = None,
        limits: SearchLimits | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Evaluation:
        """The chances and the equity of the player on roll, before the roll."""
        _check(context=context, limits=limits, stop=stop)
        cubeful = to_bool("cubeful", cubeful, EngineError)
        position = _to_position_or_game(position)
        board = position.position if isinstance(position, Game) else position
        if context is None:
            context = context_of(position) if isinstance(position, Game) else CUBELESS
        if self.per_checker:
            context = CUBELESS
        elif not cubeful:
            context = cubeless(context)
        level = self.level if level is None else level_named(level)
        budget = _budget(limits, stop)
        tree, depth = deciding.build_deepest_tree(self.judging, row_of(board), context, level, budget)
        evaluation = deciding.evaluate_tree(self.judging, tree, board, context, depth)
        if level.roller is not None and depth == level.ply:
            from fullprime.engine.rollouts import roller as rolling

            evaluation = rolling.roll_position(self.judging, board, evaluation, level.roller, budget)
        return evaluation

    def evaluate_many(
        self, positions: object, context: CubeContext | None = None, *, level: str | Level | None = None
    ) -> Evaluations:
        """The chances and the equities of many positions at one cube and score, as arrays.

        ``positions``: counts (n, 2, 27), the player on roll first, or an iterable of positions. Without a context the
        cube is left out. Raises PositionError, LevelError for a level that cannot judge in batches.
        """
        _check(context=context)
        return evaluate_boards(self.judging, positions, context, self.level if level is None else level_named(level))

    # -- rollouts -----------------------------------------------------------------------------------------
    def rollout(
        self,
        position: AnyPosition,
        dice: AnyRoll | None = None,
        context: CubeContext | None = None,
        *,
        cubeful: bool = True,
        plays: Sequence[Play] | None = None,
        most: int = 5,
        policy: TrialPolicy | None = None,
        trials: int = 1296,
        rule: StoppingRule | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
        progress: Callable[[Rollout], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Rollout:
        """Play candidates out: some plays of a roll, or without a roll the actions with the cube (or the position).

        ``plays``: which plays; by default the ``most`` that :meth:`rank_plays` puts first. The other arguments are
        those of :func:`fullprime.engine.rollouts.rollout.rollout`; ``cubeful`` off overrides the policy.
        """
        from fullprime.engine.rollouts.rollout import Candidate, rollout
        from fullprime.engine.rollouts.trials import TrialPolicy

        _check(context=context, progress=progress, stop=stop, policy=policy, rule=rule, executor=executor, plays=plays)
        _check(trials=trials, most=most, threads=threads)
        position = _to_position_or_game(position)
        board = position.position if isinstance(position, Game) else position
        if context is None and isinstance(position, Game):
            dice = position.dice if dice is None else dice
            context = context_of(position)
        policy, cubeful = policy or TrialPolicy(), to_bool("cubeful", cubeful, EngineError)
        if context is None or self.per_checker or not cubeful:
            context = None if context is None or self.per_checker else cubeless(context)
            policy = replace(policy, cubeful=False)
        if dice is not None:
            if plays is None:
                plays = [ranked.play for ranked in self.rank_plays(board, Roll.of(dice), context).plays[:most]]
            candidates = [Candidate.play(play) for play in plays]
        elif policy.cubeful and context is not None and context.may_double:
            candidates = Candidate.cube_actions(board, context)
        else:
            candidates = [Candidate.position(board)]
        return rollout(
            self.searcher,
            candidates,
            context,
            policy=policy,
            trials=trials,
            rule=rule,
            threads=threads,
            executor=executor,
            progress=progress,
            stop=stop,
        )

    # -- inside: questions --------------------------------------------------------------------------------
    def _question(
        self,
        position: Position | Game,
        dice: AnyRoll | None,
        context: CubeContext | None,
        cubeful: bool,
    ) -> tuple[Position, Roll, CubeContext]:
        cubeful = to_bool("cubeful", cubeful, EngineError)
        if isinstance(position, Game):
            board = position.position
            dice = position.dice if dice is None else dice
            context = context_of(position) if context is None else context
        else:
            board = position
        if dice is None:
            raise EngineError(f"{board.text}: plays need a roll")
        roll = Roll.of(dice)
        if context is None or self.per_checker:
            return board, roll, CUBELESS
        return board, roll, context if cubeful else cubeless(context)

    def _follow_ups(
        self, position: AnyPosition, roll: Roll, follow_ups: tuple[FollowUp, ...] | None
    ) -> tuple[FollowUp, ...]:
        if follow_ups is not None:
            return follow_ups
        if isinstance(position, Game) and position.phase is Phase.PLAY and position.dice == roll:
            return position.follow_ups
        return stages.follow_ups_of(roll, self.variant)

    def weights(self, context: CubeContext) -> npt.NDArray[np.float32]:
        """The weights of the five outputs in a position's value at this score; see ``search.tree.value_weights``."""
        to_kind(CubeContext, "the context", context, EngineError)
        return self.judging.weights(context)

    def _judge(
        self,
        rows: Boards,
        context: CubeContext,
        level: Level,
        budget: Budget,
        progress: Progress | None = None,
        *,
        rank_all: bool = True,
        again: npt.NDArray[np.bool_] | None = None,
        required: int | None = None,
        same_depth: int = 1,
    ) -> tuple[list[BoardValue], bool]:
        """All candidates (n, 32) by look-ahead and, where the level has them, by rollouts; see ``deepen``."""
        candidates = Candidates(rows, context, again, required)
        deepening = self._how(level, same_depth)
        complete = deepen(self.judging, [candidates], deepening, budget, progress, singly=True, rank_all=rank_all)
        if level.roller is not None and complete:
            from fullprime.engine.rollouts import roller as rolling

            complete = rolling.roll_plays(self.judging, candidates, level.roller, budget, progress)
        return candidates.judged, complete

    def _how(self, level: Level, same_depth: int = 1) -> Deepening:
        return level.deepening(whole_turns=self.searcher.whole_turns, same_depth=same_depth)

    # -- inside: answers ----------------------------------------------------------------------------------
    def _ranking(
        self,
        board: Position,
        roll: Roll,
        context: CubeContext,
        rows: Boards,
        judged: list[BoardValue],
        complete: bool,
        nodes: int,
    ) -> Ranking:
        order = order_of(judged)
        equities = [self.judging.equity(context, judged[index].value) for index in order]
        best = equities[0]
        plays = tuple(
            RankedPlay(
                rank=rank,
                play=find_play_to(board, roll, position_of(rows[index]).swapped, self.variant),
                equity=equity,
                loss=max(0.0, best - equity),
                probabilities=probabilities_of(swap_sides(np.array(judged[index].outputs))),
                depth=judged[index].depth,
                value=context.flip(judged[index].value),
                trials=judged[index].trials,
                error=judged[index].error,
            )
            for rank, (index, equity) in enumerate(zip(order, equities, strict=True), start=1)
        )
        return Ranking(board, roll, context, plays, complete, self.per_checker, nodes)

    def _rank_with_stages(
        self,
        board: Position,
        roll: Roll,
        context: CubeContext,
        follow_ups: tuple[FollowUp, ...],
        deepening: Deepening,
        budget: Budget,
        played: Position | None = None,
    ) -> Ranking:
        """Plays of a roll that gives more, each by the best turn that begins with it."""
        turns = stages.list_turn_ends(row_of(board), roll, follow_ups, self.variant)
        rows = turns.plays_swapped
        required_index = None if played is None else _index_of(rows, played)
        judged, complete = deepen_turns(self.judging, turns, context, deepening, budget, required_index)
        return self._ranking(board, roll, context, rows[list(judged)], list(judged.values()), complete, budget.nodes)


def _check(**arguments: object) -> None:
    """Raise EngineError for an argument of another kind than its name says; None is left to each method."""
    from fullprime.engine.rollouts.rollout import StoppingRule, TrialPolicy

    kinds: dict[str, type] = {
        "context": CubeContext, "limits": SearchLimits, "played": Position, "policy": TrialPolicy,
        "rule": StoppingRule, "executor": Executor, "nets": Mapping, "judging": Judging,
    }  # fmt: skip
    for name, value in arguments.items():
        if value is None and name not in ("trials", "most", "same_depth"):
            continue
        if name in ("progress", "stop"):
            right = callable(value) and not isinstance(value, type)
        elif name in MOST:
            right = 1 <= (whole_number(value) or 0) <= MOST[name]
        elif name == "follow_ups":
            right = is_tuple_of(FollowUp, value)
        elif name == "plays":
            right = isinstance(value, list | tuple) and is_tuple_of(Play, tuple(value))
        else:
            right = isinstance(value, kinds[name])
        if not right:
            raise EngineError(f"{name}: {short_value(value)} is not what the engine takes there")


def _check_rows(rows: object, count: int) -> None:
    """Raise EngineError unless ``rows`` are ``count`` packed positions."""
    if not isinstance(rows, np.ndarray) or rows.dtype != np.int8 or rows.shape != (count, 32):
        raise EngineError(f"{short_value(rows)} are no packed positions, one for each roll")


def _to_position_or_game(position: AnyPosition) -> Position | Game:
    """The position or the game that is meant; raises IdError for anything else."""
    return position if isinstance(position, Position | Game) else to_game(position)


def _budget(limits: SearchLimits | None, stop: Callable[[], bool] | None = None) -> Budget | None:
    """The budget of a search; None where nothing limits it."""
    if limits is None and stop is None:
        return None
    return Budget(limits.seconds if limits else None, limits.nodes if limits else None, stop)


def _index_of(rows: Boards, after: Position) -> int | None:
    """The candidate that leads to a board seen by the player who made it, or None."""
    (indexes,) = np.nonzero((rows == row_of(after.swapped)[0]).all(axis=1))
    return int(indexes[0]) if len(indexes) else None

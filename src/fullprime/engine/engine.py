"""The engine in one place: ranked plays, the best play, cube decisions, evaluations, rollouts.

>>> from fullprime.rules.variants import BACKGAMMON
>>> engine = Engine.open(level="0-ply")
>>> engine.best_play(BACKGAMMON.starting_position, Roll(3, 1)).moves[0].source
8
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from fullprime.engine import follow_ups as stages
from fullprime.engine.bearoff import Bearoff
from fullprime.engine.context import CUBELESS, context_of, cubeless
from fullprime.engine.core.pack import swap
from fullprime.engine.cube_action import CubeDecision, decision_from
from fullprime.engine.edge import position_of, row_of
from fullprime.engine.endgames import Endgames
from fullprime.engine.equity import CubeContext, has_exact_equities
from fullprime.engine.evaluator import Boards, NetEvaluator
from fullprime.engine.levels import DEFAULT, Level, Sieve, level_named
from fullprime.engine.misjudgement import misjudgement
from fullprime.engine.nets import Net
from fullprime.engine.probabilities import CHECKERS_A_POINT, swapped
from fullprime.engine.probabilities import equity as cubeless_equity
from fullprime.engine.results import Evaluation, Probabilities, RankedPlay, Ranking
from fullprime.engine.search import Budget, Searcher, Stopped, Tree, beavered, is_finished, worth_of
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game, Phase
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.route import play_to
from fullprime.rules.variants import VARIANTS, variant_named
from fullprime.rules.variants.variant import FollowUp, Variant

if TYPE_CHECKING:
    from fullprime.engine.rolled import RolloutResult
    from fullprime.engine.rollout import Rule
    from fullprime.engine.trials import Conduct

Floats = npt.NDArray[np.float64]

Progress = Callable[[int, int], None]
"""Called with the candidates that are done and those there are, at the present depth and below."""

_ENDS = 24
"""Ends of whole turns that are judged beside the best one of every play."""

CACHE = 1 << 15
"""Judged candidates that an engine remembers."""


class EngineError(FullprimeError):
    """Something the engine cannot be asked."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one search may use; None for as much as it needs. Raises EngineError for what is no limit."""

    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if (self.seconds is not None and self.seconds < 0) or (self.nodes is not None and self.nodes < 0):
            raise EngineError(f"limits are 0 or more, not {self.seconds} seconds and {self.nodes} nodes")


class _Judged(NamedTuple):
    """A board as its player on roll sees it: value (points or match chances), outputs, plies."""

    value: float
    outputs: Probabilities
    depth: int


class Engine:
    """A searcher with a level. One object serves many threads; make it with :meth:`open`."""

    def __init__(self, searcher: Searcher, level: str | Level = DEFAULT) -> None:
        self.searcher = searcher
        self.level = level_named(level)
        self.variant: Variant = searcher.evaluator.variant
        self.per_checker = searcher.evaluator.per_checker
        self._cache: OrderedDict[tuple[bytes, int, CubeContext], _Judged] = OrderedDict()
        self._lock = threading.Lock()
        self._worths: dict[CubeContext, npt.NDArray[np.float32]] = {}

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
        game = variant_named(variant) if isinstance(variant, str) else variant
        if threads < 1:
            raise EngineError(f"{threads} threads: at least one is needed")
        known = VARIANTS.get(game.name)
        if known is not None and known.settlement is not game.settlement:
            raise EngineError(f"the nets for {game.title} know it settled by {known.settlement}, not {game.settlement}")
        tables: Bearoff | None = bearoff if isinstance(bearoff, Bearoff) else None
        if bearoff is True and Bearoff.serves(game):
            tables = Bearoff.open()
        endgames = Endgames(game) if bearoff and Endgames.serves(game) else None
        return cls(Searcher(NetEvaluator(game, nets), tables, endgames=endgames, threads=threads), level)

    def at(self, level: str | Level) -> Engine:
        """The same engine, nets and cache at another level."""
        other = Engine(self.searcher, level)
        other._cache, other._lock, other._worths = self._cache, self._lock, self._worths
        return other

    # -- plays --------------------------------------------------------------------------------------------
    def rank_plays(
        self,
        position: Position | Game,
        dice: Roll | tuple[int, int] | None = None,
        context: CubeContext | None = None,
        *,
        cubeful: bool = True,
        level: str | Level | None = None,
        limits: Limits | None = None,
        follow_ups: tuple[FollowUp, ...] | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Ranking:
        """Every legal play, the best first, each with the depth it was searched to.

        ``position``: a board seen by the player on roll, or a game (then its dice, cube and score are meant unless
        given here). Without a context, and with ``cubeful`` off, the cube is left out. A search that is stopped or
        comes to a limit returns what it knows. ``follow_ups``: what a special roll of Acey Deucey still gives; by
        default what the rules give after this roll.
        """
        board, roll, context = self._question(position, dice, context, cubeful)
        level = self.level if level is None else level_named(level)
        rest = self._follow_ups(position, roll, follow_ups)
        budget = Budget(limits.seconds if limits else None, limits.nodes if limits else None, stop)
        if rest:
            return self._rank_with_stages(board, roll, context, rest, level, budget)
        rows = self.searcher.candidates(row_of(board), roll.high, roll.low)
        judged, complete = self._judge_plays(rows, context, level, budget, progress, whole=True)
        return self._ranking(board, roll, context, rows, judged, complete, budget.nodes)

    def best_play(
        self,
        position: Position | Game,
        dice: Roll | tuple[int, int] | None = None,
        context: CubeContext | None = None,
        *,
        cubeful: bool = True,
        level: str | Level | None = None,
        limits: Limits | None = None,
        follow_ups: tuple[FollowUp, ...] | None = None,
    ) -> Play:
        """The play that :meth:`rank_plays` puts first, without looking further than the choice needs."""
        board, roll, context = self._question(position, dice, context, cubeful)
        rest = self._follow_ups(position, roll, follow_ups)
        if rest:
            deep = self.level if level is None else level_named(level)
            spent = Budget(limits.seconds, limits.nodes) if limits else Budget()
            return self._rank_with_stages(board, roll, context, rest, deep, spent).best.play
        budget = Budget(limits.seconds, limits.nodes) if limits else None
        after = self.best_board(row_of(board), roll, context, level, budget)
        return play_to(board, roll, position_of(after).swapped, self.variant)

    def best_board(
        self,
        row: Boards,
        roll: Roll,
        context: CubeContext = CUBELESS,
        level: str | Level | None = None,
        budget: Budget | None = None,
    ) -> npt.NDArray[np.int8]:
        """The board (32,) after the best play of a packed position (1, 32), seen by the next player."""
        level = self.level if level is None else level_named(level)
        static = level.ply == 0 and not level.noise and context is CUBELESS and not self.in_tables(row)[0]
        if static and not self.searcher.whole_turns:
            dice = np.array([[roll.high, roll.low]], np.int64)
            best: npt.NDArray[np.int8] = self.searcher.best_boards(row, dice, self.worth(context), filtered=False)[0][0]
            return best
        rows = self.searcher.candidates(row, roll.high, roll.low)
        if len(rows) == 1:
            return np.asarray(rows[0])
        judged, _ = self._judge_plays(rows, context, level, budget or Budget(), None, whole=False)
        return np.asarray(rows[_order(judged)[0]])

    def best_end(self, row: Boards, roll: Roll, level: str | Level | None = None) -> tuple[npt.NDArray[np.int8], bool]:
        """The board (32,) after the best whole turn of a roll, cubeless, and whether the same player rolls again.

        The board is seen by whoever rolls next.
        """
        if not self.searcher.whole_turns:
            return self.best_board(row, roll, level=level), False
        level = self.level if level is None else level_named(level)
        ends = self.searcher.turn_ends(row, roll.high, roll.low)
        judged, _ = self._judge_plays(ends.boards, CUBELESS, level, Budget(), None, whole=False, again=ends.again)
        best = _order(judged)[0]
        return np.asarray(ends.boards[best]), bool(ends.again[best])

    def choose_double(
        self,
        position: Position,
        rest: tuple[FollowUp, ...],
        context: CubeContext = CUBELESS,
        level: str | Level | None = None,
    ) -> int:
        """The double to name after an acey-deucey, by its best play and by what still follows it."""
        level = self.level if level is None else level_named(level)
        turns = stages.doubles_from(row_of(position), rest, self.variant)
        ends, judged, _ = self._judge_turns(turns, context, level, Budget())
        return 1 + int(turns.play[ends[_order(judged)[0]]])

    # -- the cube and positions ---------------------------------------------------------------------------
    def cube_decision(
        self,
        position: Position | Game,
        context: CubeContext | None = None,
        *,
        level: str | Level | None = None,
        limits: Limits | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> CubeDecision:
        """What every action with the cube is worth before this roll, and which is right.

        Without a game or a context: money, the cube in the middle. A limit or a stop lowers the depth.
        """
        board = position.position if isinstance(position, Game) else position
        if self.per_checker:
            raise EngineError(f"{self.variant.title} is played without a cube")
        if context is None:
            context = context_of(position) if isinstance(position, Game) else CubeContext()
        level = self.level if level is None else level_named(level)
        tree, depth = self._deepest(row_of(board), context, level, limits, stop)
        return self._decision(tree, context, depth, level)

    def evaluate(
        self,
        position: Position | Game,
        context: CubeContext | None = None,
        *,
        cubeful: bool = True,
        level: str | Level | None = None,
        limits: Limits | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Evaluation:
        """The chances and the equity of the player on roll, before the roll."""
        board = position.position if isinstance(position, Game) else position
        if context is None:
            context = context_of(position) if isinstance(position, Game) else CUBELESS
        if self.per_checker:
            context = CUBELESS
        elif not cubeful:
            context = cubeless(context)
        level = self.level if level is None else level_named(level)
        tree, depth = self._deepest(row_of(board), context, level, limits, stop)
        return self._evaluation(tree, board, context, depth)

    def _evaluation(self, tree: Tree, board: Position, context: CubeContext, depth: int) -> Evaluation:
        outputs = tree.outputs[0]
        value = float(tree.decided(context, self.searcher.efficiency)[0])
        if self.per_checker:
            plain = equity = value
        else:
            equity = float(context.equity(value))
            plain = float(_plain(outputs, context))
        listed = not np.isnan(tree.exact[0, 0]) and (has_exact_equities(context) or not context.may_double)
        exact = bool(listed or is_finished(tree.boards)[0])
        return Evaluation(board, context, _five(outputs), plain, equity, value, depth, exact, self.per_checker)

    # -- rollouts -----------------------------------------------------------------------------------------
    def rollout(
        self,
        position: Position | Game,
        dice: Roll | tuple[int, int] | None = None,
        context: CubeContext | None = None,
        *,
        cubeful: bool = True,
        plays: Sequence[Play] | None = None,
        most: int = 5,
        conduct: Conduct | None = None,
        trials: int = 1296,
        rule: Rule | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
        progress: Callable[[RolloutResult], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> RolloutResult:
        """Play candidates out: some plays of a roll, or without a roll the actions with the cube (or the position).

        ``plays``: which plays; by default the ``most`` that :meth:`rank_plays` puts first. The other arguments are
        those of :func:`fullprime.engine.rollout.rollout`; ``cubeful`` off overrides the conduct.
        """
        from fullprime.engine.rollout import Candidate, rollout
        from fullprime.engine.trials import Conduct as Way

        board = position.position if isinstance(position, Game) else position
        if context is None and isinstance(position, Game):
            dice = position.dice if dice is None else dice
            context = context_of(position)
        way = conduct or Way()
        if context is None or self.per_checker or not cubeful:
            context = None if context is None or self.per_checker else cubeless(context)
            way = replace(way, cubeful=False)
        if dice is not None:
            if plays is None:
                roll = dice if isinstance(dice, Roll) else Roll(*dice)
                plays = [each.play for each in self.rank_plays(board, roll, context).plays[:most]]
            candidates = [Candidate.play(play) for play in plays]
        elif way.cubeful and context is not None and context.may_double:
            candidates = Candidate.cube_actions(board, context)
        else:
            candidates = [Candidate.position(board)]
        return rollout(
            self.searcher,
            candidates,
            context,
            conduct=way,
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
        dice: Roll | tuple[int, int] | None,
        context: CubeContext | None,
        cubeful: bool,
    ) -> tuple[Position, Roll, CubeContext]:
        if isinstance(position, Game):
            board = position.position
            dice = position.dice if dice is None else dice
            context = context_of(position) if context is None else context
        else:
            board = position
        if dice is None:
            raise EngineError(f"{board.text}: plays need a roll")
        roll = dice if isinstance(dice, Roll) else Roll(*dice)
        if context is None or self.per_checker:
            return board, roll, CUBELESS
        return board, roll, context if cubeful else cubeless(context)

    def _follow_ups(
        self, position: Position | Game, roll: Roll, given: tuple[FollowUp, ...] | None
    ) -> tuple[FollowUp, ...]:
        if given is not None:
            return given
        if isinstance(position, Game) and position.phase is Phase.PLAY and position.dice == roll:
            return position.follow_ups
        return stages.follow_ups_of(roll, self.variant)

    def worth(self, context: CubeContext) -> npt.NDArray[np.float32]:
        """What the five outputs are worth to their player at this score (see ``search.worth_of``)."""
        found = self._worths.get(context)
        if found is None:
            found = self._worths[context] = worth_of(context, self.per_checker)
        return found

    def in_tables(self, boards: Boards) -> npt.NDArray[np.bool_]:
        """Which packed positions (n, 32) the exact tables hold: both sides home, or few checkers left."""
        found = self.in_bearoff(boards)
        return found if self.searcher.endgames is None else found | self.searcher.endgames.covers(boards)

    def in_bearoff(self, boards: Boards) -> npt.NDArray[np.bool_]:
        """Which packed positions (n, 32) the bear-off tables hold, cube and all: both sides have all checkers home."""
        if self.searcher.bearoff is None:
            return np.zeros(len(boards), bool)
        return np.asarray((boards[:, 7:26] <= 0).all(1) & (boards[:, 0:19] >= 0).all(1))

    # -- inside: plays ------------------------------------------------------------------------------------
    def _judge_plays(
        self,
        rows: Boards,
        context: CubeContext,
        level: Level,
        budget: Budget,
        progress: Progress | None,
        *,
        whole: bool,
        again: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[list[_Judged], bool]:
        """All candidates (n, 32), seen by whoever rolls next, as deep as the level and the budget allow.

        With ``whole`` off the search ends as soon as the choice is made. ``again`` (n,): that is the same player.
        Values and outputs are always those of the other one.
        """
        point = self._point(context)
        again = np.zeros(len(rows), bool) if again is None else again
        judged = self._judge(rows, again, 0, context, None)
        if level.noise:
            off = (level.noise * point * misjudgement(rows)).tolist()
            judged = [each._replace(value=each.value + wrong) for each, wrong in zip(judged, off, strict=True)]
        budget.nodes += len(rows)
        picked = _sieved(judged, range(len(rows)), level.sieves[0], point) if level.ply else []
        for depth in range(1, level.ply + 1):
            if len(picked) == 1 and not whole and len(rows) > 1:
                break
            groups = [picked] if depth == 1 else [[index] for index in picked]
            done = 0
            for group in groups:
                try:
                    deeper = self._judge(rows[group], again[group], depth, context, budget)
                except Stopped:
                    return judged, False
                for index, found in zip(group, deeper, strict=True):
                    judged[index] = found
                done += len(group)
                if progress is not None:
                    progress(done, len(picked))
            if depth < level.ply:
                picked = _sieved(judged, picked, level.sieves[depth], point)
        return judged, True

    def _point(self, context: CubeContext) -> float:
        """Values in one point of equity, or in as many checkers as matter as much."""
        if self.per_checker:
            return CHECKERS_A_POINT
        return float(context.value(1.0)) - float(context.value(0.0))

    def _judge(
        self,
        rows: Boards,
        again: npt.NDArray[np.bool_],
        depth: int,
        context: CubeContext,
        budget: Budget | None,
    ) -> list[_Judged]:
        """Boards after turns of the player whose context this is, as the other player sees them."""
        theirs = CUBELESS if context is CUBELESS else context.swapped
        if not again.any():
            return self._judge_side(rows, depth, theirs, context, budget)
        found: list[_Judged] = [_Judged(0.0, (0.0,) * 5, 0)] * len(rows)
        for mine, sides in ((False, (theirs, context)), (True, (context, theirs))):
            part = np.flatnonzero(again == mine)
            if not len(part):
                continue
            judged = self._judge_side(np.ascontiguousarray(rows[part]), depth, *sides, budget)
            for index, each in zip(part.tolist(), judged, strict=True):
                if mine:
                    each = _Judged(self._own(context, each.value), _five(swapped(np.array(each.outputs))), each.depth)
                found[index] = each
        return found

    def _judge_side(
        self, rows: Boards, depth: int, context: CubeContext, other: CubeContext, budget: Budget | None
    ) -> list[_Judged]:
        """Boards as their players on roll see them, from the cache where they have been searched before.

        ``context`` is theirs, ``other`` that of the players who wait.
        """
        worth, other_worth = self.worth(context), self.worth(other)
        keys = [(row.tobytes(), depth, context) for row in rows] if depth else []
        found: list[_Judged | None] = [None] * len(rows)
        with self._lock:
            for index, key in enumerate(keys):
                known = self._cache.get(key)
                if known is not None:
                    self._cache.move_to_end(key)
                    found[index] = known
        missing = [index for index, each in enumerate(found) if each is None]
        if missing:
            boards = rows if len(missing) == len(rows) else np.ascontiguousarray(rows[missing])
            tree = self.searcher.tree(boards, depth, worth, other_worth, budget)
            values = tree.decided(context, self.searcher.efficiency).tolist()
            outputs = tree.outputs.tolist()
            fresh = [_Judged(value, tuple(five), depth) for value, five in zip(values, outputs, strict=True)]
            for index, each in zip(missing, fresh, strict=True):
                found[index] = each
            if keys:
                with self._lock:
                    for index, each in zip(missing, fresh, strict=True):
                        self._cache[keys[index]] = each
                    while len(self._cache) > CACHE:
                        self._cache.popitem(last=False)
        return [each for each in found if each is not None]

    def _ranking(
        self,
        board: Position,
        roll: Roll,
        context: CubeContext,
        rows: Boards,
        judged: list[_Judged],
        complete: bool,
        nodes: int,
    ) -> Ranking:
        order = _order(judged)
        equities = [self._equity(context, judged[index].value) for index in order]
        best = equities[0]
        plays = tuple(
            RankedPlay(
                rank=rank,
                play=play_to(board, roll, position_of(rows[index]).swapped, self.variant),
                equity=equity,
                loss=max(0.0, best - equity),
                probabilities=_five(swapped(np.array(judged[index].outputs))),
                depth=judged[index].depth,
                value=self._own(context, judged[index].value),
            )
            for rank, (index, equity) in enumerate(zip(order, equities, strict=True), start=1)
        )
        return Ranking(board, roll, context, plays, complete, self.per_checker, nodes)

    def _own(self, context: CubeContext, value: float) -> float:
        """A value of the next player as the value of the one who moves now."""
        return 1.0 - value if context.is_match else -value

    def _equity(self, context: CubeContext, value: float) -> float:
        own = self._own(context, value)
        return own if self.per_checker else float(context.equity(own))

    # -- inside: Acey Deucey ------------------------------------------------------------------------------
    def _stage_values(self, context: CubeContext) -> Callable[[Boards], Floats]:
        def values(rows: Boards) -> Floats:
            tree = self.searcher.tree(rows, 0, self.worth(context))
            return tree.decided(context, self.searcher.efficiency)

        return values

    def _judge_turns(
        self, turns: stages.Turns, context: CubeContext, level: Level, budget: Budget
    ) -> tuple[list[int], list[_Judged], bool]:
        """Which ends of turns are worth a closer look, judged as deep as the level says; the rest is left out.

        Those are the statically best end of each group (numbered by ``turns.play``) and the best ones of
        all.
        """
        values = self._stage_values(context)
        static = np.empty(len(turns.boards))
        for mine in (False, True):
            part = turns.again == mine
            if part.any():
                found = values(np.ascontiguousarray(turns.boards[part]))
                static[part] = found if mine else -found
        order = np.argsort(-static, kind="stable")
        _, first = np.unique(turns.play[order], return_index=True)
        ends = np.unique(np.concatenate([order[first], order[:_ENDS]]))
        judged, complete = self._judge_plays(
            np.ascontiguousarray(turns.boards[ends]),
            context,
            level,
            budget,
            None,
            whole=True,
            again=turns.again[ends],
        )
        return ends.tolist(), judged, complete

    def _rank_with_stages(
        self,
        board: Position,
        roll: Roll,
        context: CubeContext,
        rest: tuple[FollowUp, ...],
        level: Level,
        budget: Budget,
    ) -> Ranking:
        """Plays of a roll that gives more, each by the best turn that begins with it."""
        turns = stages.turns_from(row_of(board), roll, rest, self.variant)
        ends, judged, complete = self._judge_turns(turns, context, level, budget)
        best: dict[int, int] = {}
        for index in _order(judged):
            best.setdefault(int(turns.play[ends[index]]), index)
        rows = np.stack([swap(turns.plays[play : play + 1])[0] for play in best])
        return self._ranking(
            board, roll, context, rows, [judged[index] for index in best.values()], complete, budget.nodes
        )

    # -- inside: the cube ---------------------------------------------------------------------------------
    def _deepest(
        self,
        row: Boards,
        context: CubeContext,
        level: Level,
        limits: Limits | None,
        stop: Callable[[], bool] | None,
    ) -> tuple[Tree, int]:
        """The tree of a position at the level's depth, or as deep as the limits allow."""
        theirs = CUBELESS if context is CUBELESS else context.swapped
        worth, other = self.worth(context), self.worth(theirs)
        if limits is None and stop is None:
            return self.searcher.tree(row, level.ply, worth, other), level.ply
        budget = Budget(limits.seconds if limits else None, limits.nodes if limits else None, stop)
        tree, reached = self.searcher.tree(row, 0, worth, other), 0
        for depth in range(1, level.ply + 1):
            try:
                tree, reached = self.searcher.tree(row, depth, worth, other, budget), depth
            except Stopped:
                break
        return tree, reached

    def _decision(self, tree: Tree, context: CubeContext, depth: int, level: Level) -> CubeDecision:
        efficiency = self.searcher.efficiency
        outputs = tree.outputs[0]
        if level.noise:
            tree = _mistaken(tree, level)
            outputs = tree.outputs[0]
        no_double = float(context.equity(tree.rolled(context, efficiency)[0]))
        take = beaver = float("nan")
        if context.may_double:
            take = float(context.equity(tree.rolled(context.doubled, efficiency)[0]))
            raised = beavered(context)
            if raised is not None:
                beaver = float(context.equity(tree.rolled(raised, efficiency)[0]))
        return decision_from(
            outputs,
            context,
            no_double,
            take,
            beaver,
            efficiency=float(efficiency(tree.boards)[0]),
            exact=not np.isnan(tree.exact[0, 0]) and has_exact_equities(context),
            depth=depth,
        )


def _mistaken(tree: Tree, level: Level) -> Tree:
    """The tree's position with a chance to win that is off by what the level misjudges."""
    outputs = tree.outputs.copy()
    low, high = outputs[:, 1], 1.0 - outputs[:, 3]
    outputs[:, 0] = np.clip(outputs[:, 0] + 0.5 * level.noise * misjudgement(tree.boards, seed=1), low, high)
    nothing = np.full_like(tree.exact, np.nan)
    return Tree(tree.boards, outputs, nothing, tree.opened[:0], tree.per_checker)


def _plain(outputs: Floats, context: CubeContext) -> float:
    if not context.is_match:
        return float(cubeless_equity(outputs))
    dead = cubeless(context)
    worth = worth_of(dead, False)
    return float(outputs @ worth[:5] + worth[5])


def _order(judged: list[_Judged]) -> list[int]:
    """Indexes from the best: deeper ones first, by what they leave the other player; the first among equals."""
    return sorted(range(len(judged)), key=lambda index: (-judged[index].depth, judged[index].value, index))


def _sieved(judged: list[_Judged], among: range | list[int], sieve: Sieve, point: float) -> list[int]:
    """The candidates that are looked at one ply further, the best first. ``point``: values in one point of equity."""
    order = sorted(among, key=lambda index: (judged[index].value, index))
    best = judged[order[0]].value
    return [index for index in order[: sieve.most] if judged[index].value <= best + sieve.near * point]


def _five(outputs: Floats) -> Probabilities:
    win, gammon, backgammon, lose_gammon, lose_backgammon = (float(each) for each in outputs)
    return win, gammon, backgammon, lose_gammon, lose_backgammon

"""Making and extending nodes: candidates by search, trials by the engine's rollouts with the luck taken out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.probabilities import points_unit
from fullprime.engine.rollouts.rollout import Candidate, TrialPolicy
from fullprime.engine.rollouts.task import Task
from fullprime.engine.rollouts.trials import play_block
from fullprime.learn.opening_book.node import BookNode, BookPlay, NodeKey, TrialMethod
from fullprime.learn.opening_book.scores import SCORES
from fullprime.rules import game as acts
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Settings

if TYPE_CHECKING:
    from fullprime.engine.cube.equity import CubeContext
    from fullprime.engine.engine import Engine
    from fullprime.engine.rollouts.task import Sums
    from fullprime.engine.search.results import RankedPlay
    from fullprime.rules.plays import Play

LEVEL = "2-ply"
"""The level that proposes candidates."""


def context_of_key(key: NodeKey, engine: Engine) -> CubeContext:
    """Cube and score of the player who has the roll."""
    return CUBELESS if engine.per_checker else SCORES[key.score].context


def begin(engine: Engine, key: NodeKey, nets: str, method: TrialMethod, *, most: int, near: float) -> BookNode:
    """Make a node without trials: the plays that search puts within ``near`` of the best, two to ``most`` of them."""
    return BookNode(key, nets, method, choices_of(engine, key, most=most, near=near))


def choices_of(engine: Engine, key: NodeKey, *, most: int, near: float) -> tuple[BookPlay, ...]:
    """The candidates by search, the best first."""
    return tuple(choice for choice, _ in rank_choices(engine, key, most=most, near=near))


def rank_choices(engine: Engine, key: NodeKey, *, most: int, near: float) -> list[tuple[BookPlay, RankedPlay]]:
    """The candidates by search with its figures, the best first."""
    position = Position.from_text(key.board, engine.variant.checkers)
    ranked = engine.rank_plays(position, key.roll, context_of_key(key, engine), level=LEVEL).plays
    unit = points_unit(engine.per_checker)
    near_best = [play for place, play in enumerate(ranked[:most]) if place < 2 or play.loss <= near * unit]
    return [(_whole_turn(engine, position, key, play.play), play) for play in near_best]


def extend(engine: Engine, node: BookNode, groups: int, stop: Callable[[], bool] | None = None) -> BookNode:
    """Play ``groups`` more groups of 36 trials; gives the node with them. Raises Stopped when ``stop`` says so."""
    context = context_of_key(node.key, engine)
    policy = TrialPolicy(
        seed=node.key.seed, cubeful=not engine.per_checker, truncate=node.method.cut, ply=node.method.ply
    )  # fmt: skip
    starts = tuple(_candidate(choice).start(context) for choice in node.choices)
    played = play_block(engine.searcher, Task(starts, context, policy), range(node.groups, node.groups + groups), stop)
    nothing, point = float(context.value(0.0)), float(context.value(1.0))
    for sums in played:
        node = node.with_group(_figures(sums, policy, nothing, point - nothing, engine.per_checker))
    return node


def _candidate(choice: BookPlay) -> Candidate:
    return Candidate(choice.board, choice.play, theirs=not choice.again)


def _figures(sums: Sums, policy: TrialPolicy, nothing: float, point: float, per_checker: bool) -> list[list[float]]:
    """The means of a group for each candidate: five probabilities, and the equity that decides."""
    figures = []
    for means in sums.first.tolist():
        equity = (means[6] - nothing) / point if policy.cubeful and not per_checker else means[5]
        figures.append([*means[:5], equity])
    return figures


def _whole_turn(engine: Engine, position: Position, key: NodeKey, play: Play) -> BookPlay:
    """A play as a candidate; where the roll gives more, with the best continuation of the turn."""
    game = Game.new(Settings(variant=engine.variant, cube=engine.variant.cube))
    start = replace(game, position=position, on_roll=Player.X, phase=Phase.ROLL)
    game = start.act(acts.roll(key.roll)).act(acts.play(play))
    parts = [format_play(play)]
    while game.on_roll is Player.X and game.phase in (Phase.PLAY, Phase.CHOOSE_DOUBLE):
        if game.phase is Phase.CHOOSE_DOUBLE:
            number = engine.choose_double(game.position, game.follow_ups, level="1-ply")
            game = game.act(acts.choose(number))
        else:
            best = engine.best_play(game, level="1-ply")
            parts.append(f"{game.dice}: {format_play(best)}")
            game = game.act(acts.play(best))
    again = not game.is_over and game.on_roll is Player.X
    return BookPlay("; ".join(parts), game.position_of(Player.X) if again else game.position_of(Player.O), again)

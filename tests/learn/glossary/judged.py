"""Facts of the glossary's boards that the engine, the book, a table or the rules of a result compute."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache

import numpy as np

from fullprime.accounts.glicko import GlickoRating, initial_rating, rate_by_glicko
from fullprime.engine.boards.conversion import row_of
from fullprime.engine.boards.perft import perft
from fullprime.engine.bots.bots import best_play
from fullprime.engine.bots.players import player_named
from fullprime.engine.cube.action import CubeDecision, Reply
from fullprime.engine.cube.efficiency import PhaseEfficiency
from fullprime.engine.cube.equity import CubeContext, CubeOwner, no_double_equities
from fullprime.engine.cube.met import MatchEquityTable
from fullprime.engine.cube.points import gammon_values
from fullprime.engine.duel import duel
from fullprime.engine.rollouts.dice import draw_throws
from fullprime.engine.search.levels import LEVELS, Roller
from fullprime.engine.search.results import Evaluation, Ranking
from fullprime.engine.shared import engine_for
from fullprime.learn.glossary import Term
from fullprime.learn.opening_book.files import Book, read
from fullprime.learn.opening_book.node import BookEstimate, BookNode, NodeKey
from fullprime.rules.dice import SeededDice
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import BAR, OFF, Position
from fullprime.rules.score import Player
from fullprime.rules.variants import BACKGAMMON

DEPTH = 2
"""Plies of look-ahead, unless a fact names another number."""
COMBINATIONS = 36
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_OWNERS = {Player.X: CubeOwner.MOVER, Player.O: CubeOwner.OPPONENT, None: None}


def context(term: Term) -> CubeContext:
    """The cube and the score beside a board; money where no score stands there, and nobody's cube where no cube does.

    A double that waits for its answer has not been turned: the decision is that of the player who made it.
    """
    cube = term.cube
    jacoby = "with jacoby = 1" in term.shows
    if cube is None:
        return CubeContext(away=term.away, crawford=term.is_crawford, jacoby=jacoby, beavers=jacoby)
    return CubeContext(
        cube=cube.value, owner=_OWNERS[cube.owner], away=term.away, crawford=term.is_crawford,
        jacoby=jacoby, beavers=jacoby,
    )  # fmt: skip


@cache
def evaluated(board: Position, depth: int) -> Evaluation:
    """The chances before the roll, without the cube."""
    return engine_for(BACKGAMMON).evaluate(board, cubeful=False, level=f"{depth}-ply")


@cache
def decided(board: Position, at: CubeContext, depth: int) -> CubeDecision:
    """The decision with the cube before the roll."""
    return engine_for(BACKGAMMON).cube_decision(board, at, level=f"{depth}-ply")


@cache
def ranked(board: Position, roll: str, at: CubeContext | None, depth: int, chosen: Position | None) -> Ranking:
    """The plays of a roll; without a context cubeless."""
    return engine_for(BACKGAMMON).rank_plays(board, roll, at, level=f"{depth}-ply", played=chosen)


def _decision(term: Term, depth: int) -> CubeDecision:
    return decided(term.position, context(term), depth)


def _ranking(term: Term, depth: int) -> Ranking:
    played = term.read_play()
    return ranked(term.position, str(term.roll), context(term), depth, None if played is None else played.after)


def _cost(term: Term, depth: int) -> float:
    played = term.read_play()
    assert played is not None, term.name
    play = _ranking(term, depth).find(played.after)
    assert play is not None, term.name
    return play.loss


def _luck(term: Term, depth: int) -> float:
    """The equity of the best play less that before the roll, both without the cube and on equal terms."""
    best = ranked(term.position, str(term.roll), None, depth, None).best
    return best.equity - evaluated(term.position, depth + 1).equity


def _known(answer: float | None) -> float:
    assert answer is not None
    return answer


def _mixed(term: Term, efficiency: float) -> float:
    """The equity of rolling with a cube of that efficiency."""
    chances = np.array([evaluated(term.position, DEPTH).probabilities], np.float64)
    return float(no_double_equities(chances, context(term), efficiency)[0])


def _efficiency(term: Term) -> float:
    return float(PhaseEfficiency().of(row_of(term.position))[0])


@cache
def _book() -> Book:
    return read(BACKGAMMON)


def _node(term: Term) -> BookNode:
    assert term.roll is not None, term.name
    node = _book().find(NodeKey(BACKGAMMON.name, "money", term.position.text, str(term.roll)))
    assert node is not None, f"{term.name}: it is not in the book"
    return node


def _estimate(term: Term) -> BookEstimate:
    played = term.read_play()
    assert played is not None, term.name
    play = _node(term).find(played.after)
    assert play is not None, term.name
    return play


def _chance(term: Term, won: int = 0) -> float:
    """The chance, in 100, of the player on roll to win the match, after so many points won (or lost, below 0)."""
    assert term.away is not None, term.name
    mine, theirs = term.away[0] - max(won, 0), term.away[1] - max(-won, 0)
    played = min(term.away) == 1 and (won != 0 or not term.is_crawford)
    return 100 * MatchEquityTable.named().chance(mine, theirs, crawford_played=played)


def _won(term: Term) -> int:
    """The points that the player who has borne off all his checkers has won, the cube counted."""
    mine, theirs = term.position.player, term.position.opponent
    assert mine[OFF] == term.game.checkers, f"{term.name}: the game is not over"
    kind = 1 if theirs[OFF] else 3 if any(theirs[19 : BAR + 1]) else 2
    return kind * (term.cube.value if term.cube else 1)


def _rated(won: int) -> GlickoRating:
    """The rating of a new player after a first match against another one."""
    return rate_by_glicko(initial_rating(_NOW), initial_rating(_NOW), 0 if won else 1, _NOW)[0]


def _roller() -> Roller:
    roller = LEVELS["roller"].roller
    assert roller is not None
    return roller


def _seeded(seed: str) -> int:
    dice = SeededDice(seed)
    return 10 * dice.die() + dice.die()


def _duel(games: int) -> int:
    """The games that the heuristic wins against the random bot."""
    bots = (player_named(name, BACKGAMMON) for name in ("heuristic", "random"))
    return duel(*bots, games=games).wins[0]


def best_text(term: Term) -> str:
    """The best play of the roll beside a board: by the book where a term tells of the book, else by the engine."""
    if any(fact.startswith("rolled") for fact in term.shows):
        return _node(term).estimates[0].choice.play
    return _ranking(term, DEPTH).best.text


def _legal(term: Term) -> tuple[Play, ...]:
    assert term.roll is not None, term.name
    return legal_plays(term.position, term.roll, term.game)


_CHANCES = ("wins", "gammons", "backgammons", "loses gammons", "loses backgammons")

BOARDS: dict[str, Callable[[Term, int], float]] = {
    "cubeless": lambda term, depth: evaluated(term.position, depth).equity,
    "equity": lambda term, depth: _decision(term, depth).equity,
    "rolling": lambda term, depth: _decision(term, depth).no_double,
    "doubling": lambda term, depth: min(1.0, _known(_decision(term, depth).double_take)),
    "taken": lambda term, depth: _known(_decision(term, depth).double_take),
    "is double": lambda term, depth: _decision(term, depth).should_double,
    "is take": lambda term, depth: _decision(term, depth).reply is Reply.TAKE,
    "is beaver": lambda term, depth: _decision(term, depth).reply is Reply.BEAVER,
    "is money double": lambda term, depth: decided(term.position, CubeContext(), depth).should_double,
    "double costs": lambda term, depth: _known(_decision(term, depth).cost_of_doubling),
    "rolling costs": lambda term, depth: _decision(term, depth).cost_of_not_doubling,
    "reply costs": lambda term, depth: _known(_decision(term, depth).cost_of_wrong_reply),
    "match wins": lambda term, depth: 100 * float(context(term).value(_decision(term, depth).equity)),
    "is best": lambda term, depth: _cost(term, depth) == 0.0,
    "costs": _cost,
    "ahead": lambda term, depth: _ranking(term, depth).plays[1].loss,
    "deep": lambda term, depth: sum(play.depth == depth for play in _ranking(term, depth).plays),
    "luck": _luck,
}
"""Facts that the engine tells of the board, of its cube or of its play, with so many plies of look-ahead."""

COUNTS: dict[str, Callable[[Term, int], float]] = {
    "with jacoby": lambda *_: 1,
    "efficiency": lambda term, _: _efficiency(term),
    "dead": lambda term, _: _mixed(term, 0.0),
    "live": lambda term, _: _mixed(term, 1.0),
    "mixed": lambda term, _: _mixed(term, _efficiency(term)),
    "error rate of": lambda term, decisions: 1000 * _cost(term, DEPTH) / decisions,
    "pr of": lambda term, decisions: 500 * _cost(term, DEPTH) / decisions,
    "heuristic": lambda term, _: best_play(_legal(term), term.game) == term.read_play(),
    "trials": lambda term, _: _node(term).trials,
    "rolled": lambda term, _: _estimate(term).equity,
    "rolled error": lambda term, _: _estimate(term).error,
    "rolled behind": lambda term, _: _estimate(term).loss,
    "rolled second": lambda term, _: _node(term).estimates[1].equity,
    "match chance": lambda term, _: _chance(term),
    "chance won": _chance,
    "gammon value": lambda term, _: gammon_values(context(term)).win_gammon,
    "won": lambda term, stake: _won(term) * stake,
    "won with jacoby": lambda term, _: 1 if term.cube and term.cube.value == 1 else _won(term),
    "fair stake": lambda term, most: 1 / (1 + sum(6.0**-k * (2 ** (k - 1)) for k in range(1, most + 1))),
    "first games": lambda *_: len(set(draw_throws(0, np.arange(COMBINATIONS), 0).tolist())),
    "plays in": lambda term, depth: perft(term.game, depth)[-1],
    "duel": lambda _, games: _duel(games),
    "first rating": lambda *_: initial_rating(_NOW).rating,
    "first deviation": lambda *_: initial_rating(_NOW).deviation,
    "roller cut": lambda *_: _known(_roller().cut),
    "rating won": lambda _, won: _rated(won).rating,
    "deviation won": lambda _, won: _rated(won).deviation,
    "seed": lambda _, seed: _seeded(str(seed)),
}
"""Facts whose number, if they have one, is something else: decisions, a stake, the most doubles, points, a seed."""


def judged(term: Term, name: str, number: int | None) -> float | None:
    """A fact that has to be computed; None for a name that is none of these."""
    if name in _CHANCES:
        place = _CHANCES.index(name)
        return 100 * evaluated(term.position, DEPTH if number is None else number).probabilities[place]
    if name in BOARDS:
        return float(BOARDS[name](term, DEPTH if number is None else number))
    if name in COUNTS:
        return float(COUNTS[name](term, 1 if number is None else number))
    return None

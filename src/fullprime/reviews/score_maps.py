"""Maps by score: the best play of a roll, or the right cube action, at every score with the cube at each of its places.

>>> from fullprime.engine.engine import Engine
>>> from fullprime.rules.variants import BACKGAMMON
>>> scores = score_map(Engine.open(), BACKGAMMON.starting_position, (3, 1), length=2, level="0-ply")
>>> len(scores.cells), scores.cell("middle", (2, 1)).best
(15, '8/5 6/5')
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from string import ascii_uppercase
from typing import ClassVar, Literal

from fullprime.common.json_values import JsonFields, json_names
from fullprime.engine.cube.action import CubeAction, CubeDecision
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.engine import Engine
from fullprime.engine.search.levels import level_named
from fullprime.reviews.decision import Option
from fullprime.rules.dice import AnyRoll, Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.position import Position
from fullprime.rules.score import Settings
from fullprime.rules.words import format_signed

CubePlace = Literal["middle", "mine", "theirs"]
"""Where the cube is, seen by the player on roll."""

OWNERS: dict[CubePlace, CubeOwner | None] = {"middle": None, "mine": CubeOwner.MOVER, "theirs": CubeOwner.OPPONENT}
HEADS: dict[CubePlace, str] = {
    "middle": "cube in the middle",
    "mine": "cube with the player on roll",
    "theirs": "cube with the opponent",
}

SAME_DEPTH, MOST_OPTIONS = 4, 5
"""The number of the best plays that are looked at as far as the best, and the most plays of a cell."""
FIRST_LOOK = "0-ply"
"""The level of a first look at all cells, where a deeper one takes a while."""

_WIDE = 7
"""Points up to which a table of 80 columns has room for equities."""
_SIGNS = {
    CubeAction.NO_DOUBLE_BEAVER: "ND",
    CubeAction.DOUBLE_TAKE: "DT",
    CubeAction.DOUBLE_BEAVER: "DB",
    CubeAction.DOUBLE_DROP: "DP",
    CubeAction.TOO_GOOD_TAKE: "TG",
    CubeAction.TOO_GOOD_DROP: "TG",
    CubeAction.OPTIONAL_TAKE: "=",
    CubeAction.OPTIONAL_DROP: "=",
    CubeAction.OPTIONAL_BEAVER: "=",
}


class MapError(FullprimeError):
    """A map that cannot be drawn."""


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """The right choice at one score with the cube at one place; equities in units of the present cube."""

    __json__: ClassVar[JsonFields] = json_names("cube", "away", "sign", "best", "equity", "margin", "level", "options")

    cube: CubePlace
    """Where the cube is: in the ``middle``, ``mine`` (the player's on roll) or ``theirs``."""
    away: tuple[int, int] | None
    """Points that the player on roll, and then the opponent, still needs; None for money."""
    sign: str
    """A letter for the best play; of a cube action ``-`` no double, ``DT`` double and take, ``DP`` double and drop,
    ``DB`` double and beaver, ``TG`` too good, ``=`` double or not, ``ND`` no double because a beaver would come.
    """
    best: str
    """The best play, or the right action of both players."""
    equity: float
    """The worth to the player on roll when the right choice is made."""
    margin: float | None
    """What the smallest wrong choice costs: the second best play, or a wrong action; None where there is no choice."""
    level: str
    """The level of the engine that found it: first a quick look, then the level that was asked for."""
    options: tuple[Option, ...]
    """The plays that were looked at as far as the best, or the actions with the cube that the rules allow."""


@dataclass(frozen=True, slots=True)
class ScoreMap:
    """The best play, or the right cube action, at every score: as far as it is known."""

    __json__: ClassVar[JsonFields] = json_names("length", "level", "dice", "turned", "asked", "done", "cells")

    length: int
    """The most points that a side is away. One point away is after the Crawford game."""
    level: str
    """The level of the engine that was asked for."""
    dice: Roll | None
    """The roll; None where the cube action is looked for."""
    turned: int
    """The value of a cube that is not in the middle."""
    cells: tuple[ScoreCell, ...]
    """One for each place of the cube, for money and then for each score; those that are not known yet are left out."""

    @property
    def asked(self) -> int:
        """The number of cells of the whole map."""
        return len(OWNERS) * (1 + self.length**2)

    @property
    def done(self) -> int:
        """The number of cells that are known at the level that was asked for."""
        return sum(cell.level == self.level for cell in self.cells)

    def cell(self, cube: CubePlace, away: tuple[int, int] | None) -> ScoreCell:
        """One cell. Raises MapError for one that is not known."""
        for cell in self.cells:
            if (cell.cube, cell.away) == (cube, away):
                return cell
        raise MapError(f"nothing is known with the {HEADS.get(cube, cube)} at {away or 'money'}")

    @property
    def text(self) -> str:
        """A table for each place of the cube, in 80 columns, and the plays by their letters."""
        lines = [f"{'cube action' if self.dice is None else self.dice} at every score, {self.level}"]
        if self.done < self.asked:
            lines.append(f"{self.done} of {self.asked} cells are known; ~ static look, ? not known")
        lines.append("rows: points the player on roll needs; columns: the opponent; 1: post-Crawford")
        lines += ["below each equity: what the smallest wrong choice costs"] if self.length <= _WIDE else []
        if self.dice is None:
            lines.append("- no double, DT double and take, DP double and drop, TG too good, = optional")
        else:
            lines += sorted({f"{cell.sign:<2} {cell.best}" for cell in self.cells})
        for place in OWNERS:
            lines += ["", *self._table(place)]
        return "\n".join(lines)

    def _table(self, place: CubePlace) -> Iterator[str]:
        cells = {cell.away: self._lines(cell) for cell in self.cells if cell.cube == place}
        numbers, wide = range(1, self.length + 1), self.length <= _WIDE
        width, unknown = (10, ("?", "")) if wide else (3, ("?",))
        yield f"{HEADS[place]}; money: {' '.join(cells.get(None, unknown)).strip()}"
        yield "    " + "".join(f"{theirs:>{width}}" for theirs in numbers)
        for mine in numbers:
            rows = zip(*(cells.get((mine, theirs), unknown) for theirs in numbers), strict=True)
            for head, row in zip((str(mine), ""), rows, strict=False):
                if any(row):
                    yield (f"{head:>4}" + "".join(f"{part:>{width}}" for part in row)).rstrip()

    def _lines(self, cell: ScoreCell) -> tuple[str, ...]:
        sure = " " if cell.level == self.level else "~"
        if self.length > _WIDE:
            return (f"{cell.sign}{sure}".strip(),)
        margin = "" if cell.margin is None else f"({cell.margin:.3f})"
        return f"{cell.sign}{sure}{format_signed(cell.equity)}", margin


def score_map(
    engine: Engine,
    position: Position | Game,
    dice: AnyRoll | None = None,
    *,
    length: int = 7,
    level: str = "1-ply",
    seconds: float | None = None,
    progress: Callable[[ScoreMap], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> ScoreMap:
    """The best play of a roll at every score up to ``length`` points away, or before the roll the right cube action.

    A game has its roll, its rules for money, and the value of its cube, if it has been turned. Each cell is what a hint
    says at that score, with the best plays looked at equally far. ``progress`` is called after each cell with the map
    so far; a search that is stopped, or has no ``seconds`` left, returns it. Where the level looks two plies ahead or
    further, a static look at all cells comes first.

    Raises MapError for a game without a cube, or a length that is none.
    """
    game = position if isinstance(position, Game) else None
    if engine.per_checker or (game is not None and not game.settings.cube):
        raise MapError(f"{engine.variant.title} is played without a cube")
    if not 1 <= length <= 25:
        raise MapError(f"a map of scores is for matches of 1 to 25 points, not {length}")
    dice = game.dice if dice is None and game is not None else dice
    board = position.position if isinstance(position, Game) else position
    final_level, until = level_named(level), None if seconds is None else time.monotonic() + seconds
    scores = ScoreMap(
        length=length,
        level=final_level.name,
        dice=None if dice is None else Roll.of(dice),
        turned=2 if game is None else max(2, game.cube.value),
        cells=(),
    )
    contexts = list(_contexts(None if game is None else game.settings, scores.turned, length))
    cells: dict[int, ScoreCell] = {}
    letters: dict[str, str] = {}

    def is_over() -> bool:
        return (stop is not None and stop()) or (until is not None and time.monotonic() >= until)

    for name in (FIRST_LOOK, final_level.name) if final_level.ply > 1 else (final_level.name,):
        for number, (place, context) in enumerate(contexts):
            cell = _cell(engine.at(name), board, scores.dice, place, context, letters, is_over)
            if is_over():  # then the cell was perhaps not looked at to its depth
                return scores
            cells[number] = cell
            scores = replace(scores, cells=tuple(cells[key] for key in sorted(cells)))
            if progress is not None:
                progress(scores)
    return scores


def _contexts(settings: Settings | None, turned: int, length: int) -> Iterator[tuple[CubePlace, CubeContext]]:
    """The cube and the score of every cell, in order."""
    cap = None if settings is None else settings.cube_cap
    money = None if settings is None or settings.is_match else settings
    for place, owner in OWNERS.items():
        cube = 1 if owner is None else turned
        here = CubeContext(cube=cube, owner=owner, cap=None if cap is None else max(cube, cap))
        if settings is not None:
            here = replace(here, backgammon=settings.backgammon)
        yield (
            place,
            here
            if money is None
            else replace(here, jacoby=money.jacoby, beavers=money.beavers, raccoons=money.raccoons),
        )
        for mine, theirs in product(range(1, length + 1), repeat=2):
            yield place, replace(here, away=(mine, theirs))


def _cell(
    engine: Engine,
    board: Position,
    dice: Roll | None,
    place: CubePlace,
    context: CubeContext,
    letters: dict[str, str],
    stop: Callable[[], bool],
) -> ScoreCell:
    """One cell of a map, at the engine's level. ``letters``: those of the plays that were best so far."""
    if dice is None:
        return _cube_cell(place, engine.cube_decision(board, context, stop=stop), engine.level.name)
    ranking = engine.rank_plays(board, dice, context, same_depth=SAME_DEPTH, stop=stop)
    best = ranking.best
    options = tuple(
        Option(ranked.text, ranked.equity, ranked.loss, ranked.value, ranked.depth)
        for ranked in ranking.plays[:MOST_OPTIONS]
        if ranked.depth == best.depth
    )
    return ScoreCell(
        cube=place,
        away=context.away,
        sign=letters.setdefault(best.text, ascii_uppercase[min(len(letters), 25)]),
        best=best.text,
        equity=best.equity,
        margin=options[1].loss if len(options) > 1 else None,
        level=engine.level.name,
        options=options,
    )


def _cube_cell(place: CubePlace, decision: CubeDecision, level: str) -> ScoreCell:
    options = tuple(
        Option(name, equity, loss, float(decision.context.value(equity)), decision.depth)
        for name, equity, loss in decision.actions
    )
    return ScoreCell(
        cube=place,
        away=decision.context.away,
        sign=_SIGNS.get(decision.action, "-"),
        best=decision.verdict,
        equity=decision.equity,
        margin=_margin(decision),
        level=level,
        options=options,
    )


def _margin(decision: CubeDecision) -> float | None:
    """What the smallest wrong action of either player costs him."""
    wrong_double, wrong_reply = decision.cost_of_doubling, decision.cost_of_wrong_reply
    if wrong_double is None or wrong_reply is None or decision.context.is_dead:
        return None
    return min(decision.cost_of_not_doubling, wrong_reply) if decision.should_double else wrong_double

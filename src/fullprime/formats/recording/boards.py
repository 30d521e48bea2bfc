"""Boards as files write them: 26 letters, 26 signed counts; and the game that begins with a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fullprime.formats.document import FormatError
from fullprime.formats.recording.tags import hypergammon_of
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import PositionError
from fullprime.rules.game import Game, Phase
from fullprime.rules.position import BAR, OFF, SLOTS, Position
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import HYPERGAMMON, LONGGAMMON, NACKGAMMON, Variant

Rows = tuple[list[int], list[int]]
"""X's 27 counts and O's 27 counts, each in its owner's numbering."""
NAMED_BY_BOARD = (NACKGAMMON, HYPERGAMMON, LONGGAMMON)
"""Variants that differ from backgammon by where they begin."""


def rows_from_counts(counts: Sequence[int], checkers: int) -> Rows:
    """X's and O's rows from 26 counts seen by X: index 0 O's bar, 1-24 X's points, 25 X's bar; X positive.

    Raises FormatError when a side has more checkers than the game has.
    """
    x, o = [0] * SLOTS, [0] * SLOTS
    for point, count in enumerate(counts):
        if count > 0:
            x[point] += count
        elif count < 0:
            o[25 - point] -= count
    if x[OFF] or o[OFF]:
        raise FormatError("a checker stands on the other side's bar")
    for name, row in (("X", x), ("O", o)):
        if sum(row) > checkers:
            raise FormatError(f"{name} has {sum(row)} checkers; the game has {checkers}")
        row[OFF] = checkers - sum(row)
    return x, o


def rows_from_letters(letters: str, checkers: int) -> Rows:
    """X's and O's rows from the first field of an XGID; raises FormatError."""
    counts = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in letters]
    return rows_from_counts(counts, checkers)


def variant_begun(rows: Rows) -> Variant | None:
    """The variant, other than backgammon, that begins with this board."""
    board = [tuple(row[1:]) for row in rows]
    for variant in (*NAMED_BY_BOARD, hypergammon_of(1), hypergammon_of(2)):
        start = variant.starting_position
        if board == [start.player[1:], start.opponent[1:]]:
            return variant
    return None


def position_of(rows: Rows, on_roll: Player) -> Position:
    """The position seen by the player on roll; raises PositionError for an impossible board."""
    mine, theirs = rows if on_roll is Player.X else (rows[1], rows[0])
    position = Position(tuple(mine), tuple(theirs))
    position.check(sum(mine))
    return position


def counts_of(position: Position, on_roll: Player, view: Player = Player.X) -> list[int]:
    """26 signed counts seen by ``view``: index 0 the other's bar, 25 its own; its own checkers positive."""
    board = position if on_roll is view else position.swapped
    counts = [board.player[point] - board.opponent[25 - point] for point in range(26)]
    counts[0], counts[25] = -board.opponent[BAR], board.player[BAR]
    return counts


def game_from_letters(game: Game, letters: str, cube: int) -> Game:
    """The game with its board set as match text does: 26 letters with O on the left, and the cube's place.

    ``cube`` n > 0: the right player (X) owns it at 2^n; n < 0: the left one; 0: centred. Raises FormatError.
    """
    try:
        position = position_of(rows_from_letters(letters, game.settings.variant.checkers), game.on_roll)
    except PositionError as error:
        raise FormatError(str(error)) from error
    if abs(cube) > 30:
        raise FormatError(f"no cube shows 2 to the power of {cube}")
    owner = None if not cube else Player.X if cube > 0 else Player.O
    phase = Phase.OPENING_ROLL if game.phase is Phase.OPENING_ROLL else game.phase
    return replace(game, position=position, cube=Cube(2 ** abs(cube), owner), phase=phase)


def game_at(
    settings: Settings,
    score: Score,
    rows: Rows,
    on_roll: Player,
    *,
    dice: tuple[int, int] | None = None,
    cube: Cube | None = None,
    doubled: bool = False,
) -> Game:
    """A game that begins with this board: a roll to play, a double to answer, or a decision about the cube.

    Raises FormatError for a board that cannot stand.
    """
    try:
        position = position_of(rows, on_roll)
        roll = Roll(*dice) if dice is not None and all(dice) else None
    except ValueError as error:
        raise FormatError(str(error)) from error
    game = Game(
        settings=settings,
        score=score,
        position=position,
        on_roll=on_roll,
        phase=Phase.ROLL,
        cube=cube if cube is not None else Cube(),
    )
    if roll is not None:
        return replace(game, phase=Phase.PLAY, dice=roll)
    if doubled:
        return replace(game, phase=Phase.DOUBLE_OFFERED, cube=game.cube.double())
    return replace(game, phase=Phase.CUBE_DECISION) if game.may_double else game

"""Legal plays: the readable reference to which the accelerated core is held equal.

A roll is played as a walk from state to state, a state being the board and the dice still unplayed. How many
dice can be played from a state decides which steps are allowed: as many dice as possible must be used, and if
only one of two different dice can be played it must be the larger one (sources 000:5, 001:23, 002:12, 004:40).
Plays are distinct by the board they lead to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from fullprime.rules import late_binding
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalPlay
from fullprime.rules.packed import DICE_LEFT, CheckerMove, move_by, moves_of, pack, unpack
from fullprime.rules.position import Position
from fullprime.rules.taking import is_tuple_of, short_value, to_kind
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Variant


@dataclass(frozen=True, slots=True)
class Play:
    """A complete legal play: its checker moves in an order in which they can be made, and the board after it.

    ``after`` is still seen by the player who made the play. No moves means that the roll cannot be played.
    """

    moves: tuple[CheckerMove, ...]
    after: Position

    def __post_init__(self) -> None:
        if not is_tuple_of(CheckerMove, self.moves):
            raise IllegalPlay(f"the moves of a play are checker moves, not {short_value(self.moves)}")
        to_kind(Position, "the board after a play", self.after, IllegalPlay)

    @property
    def position(self) -> Position:
        """The board after the play as the other player, who is then on roll, sees it."""
        return self.after.swapped

    def __str__(self) -> str:
        """The play as players write it: ``8/5 6/5``, ``bar/21*``, ``fan``."""
        return late_binding.format_play(self)

    def _repr_svg_(self) -> str:
        """The board after the play in a notebook."""
        return late_binding.notebook_picture(self.after)


class RollState:
    """A board and the dice still to be played: one node of the walk through a roll."""

    __slots__ = ("_edges", "_longest", "dice", "packed")

    def __init__(self, packed: int, dice: tuple[int, ...]) -> None:
        self.packed = packed
        self.dice = dice
        self._edges: list[tuple[CheckerMove, RollState]] | None = None
        self._longest: int | None = None if dice else 0

    @property
    def position(self) -> Position:
        """The board, seen by the player who moves."""
        return unpack(self.packed)


def legal_plays(position: Position, roll: Roll, variant: Variant = BACKGAMMON) -> tuple[Play, ...]:
    """Every legal play of a roll, distinct by resulting board; a single empty play when nothing can be played.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> len(legal_plays(BACKGAMMON.starting_position, Roll(3, 1)))
    16
    """
    return RollPlays(position, roll, variant).plays()


def checker_moves(
    position: Position, die: int, variant: Variant = BACKGAMMON
) -> Iterator[tuple[CheckerMove, Position]]:
    """Every checker move of one die with the board after it, whether or not the other dice can be played then."""
    for move, after in moves_of(pack(position), die, variant):
        yield move, unpack(after)


def make_moves(position: Position, moves: Iterable[tuple[int, int]], variant: Variant = BACKGAMMON) -> Play | None:
    """Checkers moved one after the other, each from a place by a die; None when one of them cannot be moved so.

    >>> make_moves(BACKGAMMON.starting_position, [(8, 3), (6, 1)]).after.text
    '24:2 13:5 8:2 6:4 5:2 / 24:2 13:5 8:3 6:5'

    The roll that the dice belong to plays no part: :meth:`RollPlays.allows` judges if more of it must be played.
    """
    return _make_play(pack(position), moves, variant)


def _make_play(board: int, moves: Iterable[tuple[int, int]], variant: Variant) -> Play | None:
    """The same on a packed board."""
    checker_moves: list[CheckerMove] = []
    for source, die in moves:
        step = move_by(board, source, die, variant)
        if step is None:
            return None
        move, board = step
        checker_moves.append(move)
    return Play(tuple(checker_moves), unpack(board))


@cache
def _dice_key(dice: tuple[int, ...]) -> int:
    """What dice that are left add to a packed board, so that the same board with other dice is another state."""
    return DICE_LEFT * (len(dice) * 8 + (dice[0] if dice else 0))


class RollPlays:
    """The legal plays of one roll, move by move, for boards and prompts that enter them checker by checker.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> roll_plays = RollPlays(BACKGAMMON.starting_position, Roll(6, 5), BACKGAMMON)
    >>> sorted({str(move) for move, _ in roll_plays.steps(roll_plays.start)})
    ['13/7', '13/8', '24/18', '8/2', '8/3']
    """

    def __init__(self, position: Position, roll: Roll, variant: Variant = BACKGAMMON) -> None:
        self.variant = variant
        self.roll = roll
        self.start = RollState(pack(position) + _dice_key(roll.dice), roll.dice)
        self._states: dict[int, RollState] = {}

    @property
    def dice_playable(self) -> int:
        """The number of dice of the roll that must be played."""
        return self._depth(self.start)

    def steps(self, state: RollState) -> list[tuple[CheckerMove, RollState]]:
        """The checker moves allowed next, each with the state it leads to; empty when the play is complete.

        Only moves that can be continued to a legal play are given.
        """
        if len(state.dice) == 1:
            return self._all_steps(state)  # the last die, as most of them are: any move ends the play
        longest = self._depth(state)
        if longest == 0:
            return []
        allowed = [edge for edge in self._all_steps(state) if 1 + self._depth(edge[1]) == longest]
        if longest == 1 and len(set(state.dice)) == 2:
            larger = [edge for edge in allowed if edge[0].die == max(state.dice)]
            return larger or allowed
        return allowed

    def play(self, moves: tuple[CheckerMove, ...]) -> Play | None:
        """The play that these checker moves make in this order, or None while dice remain to be played.

        Raises IllegalPlay when a move is not allowed at its place.
        """
        if sorted(move.die for move in moves) == sorted(self.roll.dice):
            # No play can use more dice, so its moves need only be possible: the other plays are not looked at.
            play = _make_play(self.start.packed, ((move.source, move.die) for move in moves), self.variant)
            if play is not None and play.moves == moves:
                return play
        state = self.start
        for move in moves:
            state = self.step(state, move)
        return Play(moves, state.position) if not self.steps(state) else None

    def step(self, state: RollState, move: CheckerMove) -> RollState:
        """The state after one checker move; raises IllegalPlay when it is not allowed now."""
        for allowed, after in self.steps(state):
            if allowed == move:
                return after
        raise IllegalPlay(f"{move} is not possible with {self.roll.words}")

    def allows(self, moves: tuple[CheckerMove, ...]) -> bool:
        """True if these checker moves, in this order, are a legal play of the roll."""
        try:
            return self.play(moves) is not None
        except IllegalPlay:
            return False

    @property
    def forced(self) -> Play | None:
        """The only legal play (the empty one when nothing can be played), or None when there is a choice."""
        if len(list(islice(self._whole_plays(self.start.packed, self.roll.dice, set()), 2))) == 2:
            return None  # as mostly: two plays are found at once, and the walk is not begun
        first, *others = islice(self._lines(), 2)
        return None if others else Play(first[0], unpack(first[1]))

    def _whole_plays(self, board: int, dice: tuple[int, ...], reached: set[int]) -> Iterator[int]:
        """The packed boards after plays of all dice in this order, each once: such plays are legal, but few are all."""
        dice_left = dice[1:]
        fewer = _dice_key(dice_left) - _dice_key(dice)
        for _, after in moves_of(board, dice[0], self.variant):
            key = after + fewer
            if key not in reached:
                reached.add(key)
                if dice_left:
                    yield from self._whole_plays(key, dice_left, reached)
                else:
                    yield key

    def plays(self) -> tuple[Play, ...]:
        """Every legal play, distinct by resulting board, in a fixed order."""
        return tuple(self.iterate())

    def iterate(self) -> Iterator[Play]:
        """Iterate over the legal plays in the same order; each is searched for when it is asked for."""
        for moves, packed in self._lines():
            yield Play(moves, unpack(packed))

    def lines(self) -> Iterator[tuple[CheckerMove, ...]]:
        """Iterate over the moves of the legal plays, in the same order; faster than with the boards after them."""
        return (moves for moves, _ in self._lines())

    def _lines(self) -> Iterator[tuple[tuple[CheckerMove, ...], int]]:
        """The moves of every legal play and the packed board after them."""
        # Complete plays all leave the same dice unplayed, so equal boards are one state and turn up once.
        reached: set[int] = set()
        stack: list[tuple[RollState, tuple[CheckerMove, ...]]] = [(self.start, ())]
        while stack:
            state, moves = stack.pop()
            if len(state.dice) == 1:
                # The last die, as most of them are: any move ends the play, and no state is made of it.
                ended, before = False, state.packed - _dice_key(state.dice)
                for move, board in moves_of(before, state.dice[0], self.variant):
                    ended = True
                    if board not in reached:
                        reached.add(board)
                        yield (*moves, move), board
                if not ended:
                    yield moves, state.packed
                continue
            steps = self.steps(state)
            if not steps:
                yield moves, state.packed
                continue
            for move, after in reversed(steps):
                if after.packed not in reached:
                    reached.add(after.packed)
                    stack.append((after, (*moves, move)))

    def _all_steps(self, state: RollState) -> list[tuple[CheckerMove, RollState]]:
        """Every single checker move of any unplayed die. Equal states are one object, so that each is walked once."""
        edges = state._edges
        if edges is None:
            edges = []
            dice, states, before = state.dice, self._states, _dice_key(state.dice)
            for die in dict.fromkeys(dice):
                left = dice[1:] if dice[0] == die else dice[:-1]
                fewer = _dice_key(left) - before
                for move, board in moves_of(state.packed, die, self.variant):
                    key = board + fewer
                    after = states.get(key)
                    if after is None:
                        after = states[key] = RollState(key, left)
                    edges.append((move, after))
            state._edges = edges
        return edges

    def _depth(self, state: RollState) -> int:
        """The greatest number of dice that can be played from a state."""
        depth = state._longest
        if depth is None:
            depth = 0
            if len(state.dice) == 1:  # any move will do, and no state is made of it
                depth = int(any(True for _ in moves_of(state.packed, state.dice[0], self.variant)))
            else:
                for _, after in self._all_steps(state):
                    depth = max(depth, 1 + self._depth(after))
                    if depth == len(state.dice):
                        break
            state._longest = depth
        return depth


__all__ = [
    "CheckerMove", "Play", "RollPlays", "RollState", "checker_moves", "legal_plays", "make_moves",
]  # fmt: skip

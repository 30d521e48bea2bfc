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

from fullprime.rules import beyond
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalPlay
from fullprime.rules.position import BAR, HAND, OFF, Position, Row, slot_name
from fullprime.rules.printing import short_repr
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import HitLicence, Variant


@dataclass(frozen=True, slots=True, repr=False)
class CheckerMove:
    """One checker moved by one die. ``source`` is 1-25 or 26 (hand), ``target`` 1-24 or 0 (off)."""

    source: int
    target: int
    die: int
    hit: bool = False

    def __repr__(self) -> str:
        return short_repr(self)

    def __str__(self) -> str:
        return f"{slot_name(self.source)}/{slot_name(self.target)}{'*' if self.hit else ''}"


_move = cache(CheckerMove)
"""Checker moves are few and frozen: each is made once."""


@dataclass(frozen=True, slots=True)
class Play:
    """A complete legal play: its checker moves in an order in which they can be made, and the board after it.

    ``after`` is still seen by the player who made the play. No moves means that the roll cannot be played.
    """

    moves: tuple[CheckerMove, ...]
    after: Position

    @property
    def position(self) -> Position:
        """The board after the play as the other player, who is then on roll, sees it."""
        return self.after.swapped

    def __str__(self) -> str:
        """The play as players write it: ``8/5 6/5``, ``bar/21*``, ``fan``."""
        text: str = beyond.ask("play_text", self)
        return text

    def _repr_svg_(self) -> str:
        """The board after the play in a notebook."""
        picture: str = beyond.ask("picture", self.after)
        return picture


Board = tuple[Row, Row, bool, bool]
"""The fields of a Position: a plain tuple, because a roll leads to the same boards again and again."""


class RollState:
    """A board and the dice still to be played: one node of the walk through a roll."""

    __slots__ = ("_edges", "_longest", "board", "dice")

    def __init__(self, board: Board, dice: tuple[int, ...]) -> None:
        self.board = board
        self.dice = dice
        self._edges: list[tuple[CheckerMove, RollState]] | None = None
        self._longest: int | None = None if dice else 0

    @property
    def position(self) -> Position:
        """The board, seen by the player who moves."""
        return Position(*self.board)


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
    """Every single checker move of one die with the board after it; the demands of the other dice are left aside."""
    board = (position.player, position.opponent, position.player_licence, position.opponent_licence)
    for move, after in _moves_of(board, die, variant):
        yield move, Position(*after)


def make_moves(position: Position, moves: Iterable[tuple[int, int]], variant: Variant = BACKGAMMON) -> Play | None:
    """Checkers moved one after the other, each from a place by a die; None when one of them cannot be moved so.

    >>> make_moves(BACKGAMMON.starting_position, [(8, 3), (6, 1)]).after.text
    '24:2 13:5 8:2 6:4 5:2 / 24:2 13:5 8:3 6:5'

    The roll that the dice belong to plays no part: :meth:`RollPlays.allows` judges if more of it must be played.
    """
    board = (position.player, position.opponent, position.player_licence, position.opponent_licence)
    made: list[CheckerMove] = []
    for source, die in moves:
        if source not in _leaving(board[0], variant) or not board[0][source]:
            return None
        reached = _moved_by(board, source, die, variant)
        if reached is None:
            return None
        move, board = reached
        made.append(move)
    return Play(tuple(made), Position(*board))


_PLACES = (HAND, BAR, *range(24, 0, -1))
"""The places that checkers leave, in the order in which their moves are listed."""


def _leaving(own: Row, variant: Variant) -> tuple[int, ...]:
    """The places that checkers may leave now, if any stand there: bar and hand alone where the game says so."""
    if own[BAR] and variant.bar_priority:
        return (HAND, BAR) if variant.enter_all_first else (BAR,)
    return (HAND, BAR) if own[HAND] and variant.enter_all_first else _PLACES


def _moves_of(board: Board, die: int, variant: Variant) -> Iterator[tuple[CheckerMove, Board]]:
    own, other = board[0], board[1]
    for source in _leaving(own, variant):
        if not own[source]:
            continue
        target = (BAR if source == HAND else source) - die
        if target > OFF and other[25 - target] > 1:
            continue  # held by the other side: seen here, without a call, since it is what stops most moves
        made = _moved_by(board, source, die, variant)
        if made is not None:
            yield made


def _moved_by(board: Board, source: int, die: int, variant: Variant) -> tuple[CheckerMove, Board] | None:
    """One checker moved from a place where one stands and may leave; None when it cannot land."""
    target = (BAR if source == HAND else source) - die
    if target <= OFF:
        if not _bears_off(board[0], source, die, variant):
            return None
        return _move(source, OFF, die, False), _moved(board, source, OFF, False, variant)
    blockers = board[1][25 - target]
    if blockers and (blockers > 1 or not _may_hit(board, target, variant)):
        return None
    return _move(source, target, die, blockers == 1), _moved(board, source, target, blockers == 1, variant)


def _may_hit(board: Board, target: int, variant: Variant) -> bool:
    if variant.hit_licence is HitLicence.FREE or _holds_licence(board, variant):
        return True
    return variant.entering_move_may_hit and target <= 6


def _bears_off(own: tuple[int, ...], source: int, die: int, variant: Variant) -> bool:
    if source > 6 or any(own[7:]):
        return False
    return die == source or (not variant.exact_bearoff and not any(own[source + 1 : 7]))


def _holds_licence(board: Board, variant: Variant) -> bool:
    own, _, licence, _ = board
    if variant.hit_licence is HitLicence.PERMANENT and licence:
        return True
    return own[OFF] > 0 or any(own[1:7])


def _moved(board: Board, source: int, target: int, hit: bool, variant: Variant) -> Board:
    own_before, other_before, mine, theirs = board
    own = list(own_before)
    own[source] -= 1
    own[target] += 1
    # A licence that the checkers themselves prove is not flagged (see Position).
    mine = mine and target > 6
    if not hit:
        return tuple(own), other_before, mine, theirs
    other = list(other_before)
    other[25 - target] -= 1
    other[BAR] += 1
    if variant.hit_licence is HitLicence.PERMANENT and target >= 19:
        theirs = not (other[OFF] or any(other[1:7]))
    return tuple(own), tuple(other), mine, theirs


class RollPlays:
    """All the ways to play one roll, as a board or a prompt needs them: checker by checker.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> ways = RollPlays(BACKGAMMON.starting_position, Roll(6, 5), BACKGAMMON)
    >>> sorted({str(move) for move, _ in ways.steps(ways.start)})
    ['13/7', '13/8', '24/18', '8/2', '8/3']
    """

    def __init__(self, position: Position, roll: Roll, variant: Variant = BACKGAMMON) -> None:
        self.variant = variant
        self.roll = roll
        board = (position.player, position.opponent, position.player_licence, position.opponent_licence)
        self.start = RollState(board, roll.dice)
        self._states: dict[tuple[Board, int], RollState] = {}

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
            made = make_moves(self.start.position, ((move.source, move.die) for move in moves), self.variant)
            if made is not None and made.moves == moves:
                return made
        state = self.start
        for move in moves:
            state = self.step(state, move)
        return Play(moves, state.position) if not self.steps(state) else None

    def step(self, state: RollState, move: CheckerMove) -> RollState:
        """The state after one checker move; raises IllegalPlay when it is not allowed now."""
        for allowed, after in self.steps(state):
            if allowed == move:
                return after
        raise IllegalPlay(f"{move} is not possible with {self.roll}")

    def allows(self, moves: tuple[CheckerMove, ...]) -> bool:
        """True if these checker moves, in this order, are a legal play of the roll."""
        try:
            return self.play(moves) is not None
        except IllegalPlay:
            return False

    @property
    def forced(self) -> Play | None:
        """The only legal play (the empty one when nothing can be played), or None when there is a choice."""
        first, *others = islice(self.each(), 2)
        return None if others else first

    def plays(self) -> tuple[Play, ...]:
        """Every legal play, distinct by resulting board, in a fixed order."""
        return tuple(self.each())

    def each(self) -> Iterator[Play]:
        """The same one by one, none looked for before it is asked for."""
        # Complete plays all leave the same dice unplayed, so equal boards are one state and turn up once.
        seen: set[RollState] = set()
        stack: list[tuple[RollState, tuple[CheckerMove, ...]]] = [(self.start, ())]
        while stack:
            state, moves = stack.pop()
            steps = self.steps(state)
            if not steps:
                yield Play(moves, state.position)
                continue
            for move, after in reversed(steps):
                if after not in seen:
                    seen.add(after)
                    stack.append((after, (*moves, move)))

    def _all_steps(self, state: RollState) -> list[tuple[CheckerMove, RollState]]:
        """Every single checker move of any unplayed die. Equal states are one object, so that each is walked once."""
        edges = state._edges
        if edges is None:
            edges = []
            dice, states = state.dice, self._states
            for die in dict.fromkeys(dice):
                left = dice[1:] if dice[0] == die else dice[:-1]
                code = len(left) * 8 + (left[0] if left else 0)
                for move, board in _moves_of(state.board, die, self.variant):
                    key = (board, code)
                    after = states.get(key)
                    if after is None:
                        after = states[key] = RollState(board, left)
                    edges.append((move, after))
            state._edges = edges
        return edges

    def _depth(self, state: RollState) -> int:
        """The greatest number of dice that can be played from a state."""
        known = state._longest
        if known is None:
            known = 0
            for _, after in self._all_steps(state):
                known = max(known, 1 + self._depth(after))
                if known == len(state.dice):
                    break
            state._longest = known
        return known

"""The state of a table: values whose fields are their JSON. ``board`` and ``table`` make them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from fullprime.common.json_values import LEFT_OUT, MERGED
from fullprime.play.table.table_events import Event, GameResult, Side
from fullprime.rules.score import Player

PhaseName: TypeAlias = Literal[
    "opening_roll", "cube_decision", "roll", "double_offered", "beaver_offered", "raccoon_offered", "play",
    "choose_double", "resignation_offered", "over",
]  # fmt: skip
"""The action or answer that a game waits for."""
SpecialRule: TypeAlias = Literal["enter_all_first", "may_not_hit", "bar_may_wait", "exact_bearoff"]
"""A rule that is not backgammon's: every checker in hand is entered before another moves; the player has not earned the
right to hit; checkers on the bar or in hand may wait; only the exact number bears a checker off."""
ExtraTurn: TypeAlias = Literal["choose_double", "complement", "roll_again"]
"""An extra of a special roll: a double that the player names, the double of the opposite faces, another throw."""
TreeStep: TypeAlias = tuple[int, int, int, int]
"""One checker move of a tree: from, to, 1 for a hit or 0, and the node after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeState:
    """The doubling cube."""

    value: int
    """Points at stake: 1, 2, 4 …"""
    owner: Player | None
    """The side that may double; null while both may."""
    offered: int | None
    """The value that is offered and waits for an answer; null when none is."""
    in_use: bool
    """True if this game has a cube: not in a match to one point, nor in the Crawford game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextGame:
    """The game that follows one that is over."""

    crawford: bool
    """True if it is the Crawford game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTree:
    """All ways to play a roll, checker by checker. Play begins at node 0."""

    steps: tuple[tuple[TreeStep, ...], ...]
    """``steps[n]`` lists the moves at node n: from, to, 1 for a hit, the node after it. A node without
    steps is a complete play. Places are those of the player on roll: 0 off, 1-24 points, 25 bar, 26 hand."""
    dice: tuple[tuple[int, ...], ...]
    """``dice[n]`` are the dice still to play at node n."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """The end of a game, and what follows it."""

    result: GameResult
    """The end of the game; only of a game that is over."""
    next_game: NextGame | None
    """The game that follows, null after the last; only of a game that is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleActions:
    """The actions that are possible now."""

    legal_actions: tuple[str, ...]
    """The words that may be said now: ``roll``, ``double``, ``take``, ``drop``, ``move`` …; for a person at a board on
    a server only those that are theirs to say."""
    plays: tuple[str, ...] | None = field(default=None, metadata=LEFT_OUT)
    """All plays of the roll as text, each once; only for the player who must play."""
    moves: tuple[str, ...] | None = field(default=None, metadata=LEFT_OUT)
    """Checker moves that have been made of a play that is not complete; only for the player who must play."""
    tree: PlayTree | None = field(default=None, metadata=LEFT_OUT)
    """The ways to play the roll, checker by checker; only on a server, for the player who must play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """The fields of every state of a game in play."""

    variant: str
    """The name of the variant, such as ``backgammon``."""
    position: str
    """The board in our text form, seen by the player on roll."""
    on_roll: Player | None
    """The side whose roll it is; null for the throw for the opening."""
    turn: Player | None
    """The side that must decide something; null for the throw for the opening and when the game is over."""
    phase: PhaseName
    """The action or answer that the game waits for."""
    dice: tuple[int, ...] | None
    """The roll that is to be played, the higher die first; null while there is none."""
    cube: CubeState
    """The doubling cube."""
    stake: float
    """The worth of a point now in money: the stake times ``multiplier``."""
    multiplier: int
    """The factor by which automatic doubles have raised a point."""
    length: int
    """Points of the match; 0 for money play."""
    score: tuple[int, ...]
    """Points won so far, X's first, with a game that has just ended."""
    crawford: bool
    """True if this is the Crawford game, in which neither side may double."""
    post_crawford: bool
    """True if the Crawford game has been played."""
    game: int
    """The number of the game on the board, from 1."""
    stored: int | None
    """The number of events of the match that are stored; null for a game that is not."""
    resignation: int | None
    """The level that is offered by a resignation, 1 to 3; null when none is."""
    end: GameEnd | None = field(default=None, metadata=MERGED)
    """The end of a game that is over."""
    game_over: bool
    """True if the game on the board is over."""
    match_over: bool
    """True if the match has been won."""
    match_winner: Player | None
    """The side that has won the match; null before that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """The state of a table, as ``fullprime play --script --json`` tells it."""

    facts: BoardFacts = field(metadata=MERGED)
    """The game in play."""
    actions: PossibleActions = field(metadata=MERGED)
    """The actions that are possible now."""
    pips: tuple[int, ...]
    """The pips of the player on roll, then of the opponent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptReply:
    """The state after a line that was obeyed."""

    state: TableState = field(metadata=MERGED)
    """The state after it."""
    event: Event | None
    """The event that the line caused; null when nothing happened."""
    events: tuple[Event, ...]
    """All events that followed from the line."""


@dataclass(frozen=True, kw_only=True)
class BoardState:
    """The state of a board that can be drawn, and played on, without knowing a rule of the game."""

    __json_is_kept__: ClassVar[bool] = True

    facts: BoardFacts = field(metadata=MERGED)
    """The game in play."""
    sequence: int
    """The number of events so far; send it with what you do."""
    points: Mapping[Side, tuple[int, ...]]
    """The checkers of each side in its own numbering: 0 off, 1-24 points, 25 bar, 26 hand."""
    pips: Mapping[Side, int]
    """The pips of each side."""
    checkers: int
    """The number of checkers of a side."""
    has_hand: bool
    """True if checkers begin in hand, as in Dutch Backgammon and Acey Deucey."""
    special: tuple[SpecialRule, ...]
    """The rules of the variant that bind the player on roll now and are not backgammon's: ``enter_all_first`` (every
    checker in hand is entered before another moves), ``may_not_hit`` (the right to hit has not been earned),
    ``bar_may_wait`` (others may move while some are on the bar), ``exact_bearoff``."""
    follow_ups: tuple[ExtraTurn, ...]
    """The extras that the player on roll still gets once the roll has been played in full, the next one first."""
    resign_levels: tuple[int, ...]
    """The levels of a resignation that are worth different points: 1 a single game, 2 a gammon, 3 a backgammon."""

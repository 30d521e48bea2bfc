"""The state of a table as JSON: the meaning of each field. ``state`` and ``view`` fill them in."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from fullprime.common.documented import documented
from fullprime.play.table.events import Event, GameResult, Side

PhaseName: TypeAlias = Literal[
    "opening_roll", "cube_decision", "roll", "double_offered", "beaver_offered", "raccoon_offered", "play",
    "choose_double", "resignation_offered", "over",
]  # fmt: skip
"""The action or answer that a game waits for."""
TreeStep: TypeAlias = tuple[int, int, int, int]
"""One checker move of a tree: from, to, 1 for a hit or 0, and the node after it."""


@documented
class CubeState(TypedDict):
    """The doubling cube."""

    value: int
    """Points at stake: 1, 2, 4 …"""
    owner: Side | None
    """The side that may double; null while both may."""
    offered: int | None
    """The value that is offered and waits for an answer; null when none is."""
    in_use: bool
    """True if this game has a cube: not in a match to one point, nor in the Crawford game."""


@documented
class NextGame(TypedDict):
    """The game that follows one that is over."""

    crawford: bool
    """True if it is the Crawford game."""


@documented
class PlayTree(TypedDict):
    """All ways to play a roll, checker by checker. Play begins at node 0."""

    steps: list[list[TreeStep]]
    """``steps[n]`` lists the moves at node n: from, to, 1 for a hit, the node after it. A node without
    steps is a complete play. Places are those of the player on roll: 0 off, 1-24 points, 25 bar, 26 hand."""
    dice: list[list[int]]
    """``dice[n]`` are the dice still to play at node n."""


@documented
class BoardFacts(TypedDict):
    """The fields of every state of a game in play."""

    variant: str
    """The name of the variant, such as ``backgammon``."""
    position: str
    """The board in our text form, seen by the player on roll."""
    on_roll: Side | None
    """The side whose roll it is; null for the throw for the opening."""
    turn: Side | None
    """The side that must decide something; null for the throw for the opening and when the game is over."""
    phase: PhaseName
    """The action or answer that the game waits for."""
    dice: list[int] | None
    """The roll that is to be played, the higher die first; null while there is none."""
    cube: CubeState
    """The doubling cube."""
    stake: float
    """The worth of a point now in money: the stake times ``multiplier``."""
    multiplier: int
    """The factor by which automatic doubles have raised a point."""
    length: int
    """Points of the match; 0 for money play."""
    score: list[int]
    """Points won so far, X's first, with a game that has just ended."""
    crawford: bool
    """True if this is the Crawford game, in which nobody may double."""
    post_crawford: bool
    """True if the Crawford game has been played."""
    game: int
    """The number of the game on the board, from 1."""
    stored: int | None
    """The number of events of the match that are stored; null for a game that is not."""
    resignation: int | None
    """The level that is offered by a resignation, 1 to 3; null when none is."""
    legal_actions: list[str]
    """The words that may be said now: ``roll``, ``double``, ``take``, ``drop``, ``move`` …; for somebody in a room only
    those that are theirs to say."""
    plays: NotRequired[list[str]]
    """All plays of the roll as text, each once; only for the player who must play."""
    moves: NotRequired[list[str]]
    """Checker moves that have been made of a play that is not complete; only for the player who must play."""
    tree: NotRequired[PlayTree]
    """The ways to play the roll, checker by checker; only in a room, for the player who must play."""
    result: NotRequired[GameResult]
    """The end of the game; only of a game that is over."""
    next_game: NotRequired[NextGame | None]
    """The game that follows, null after the last; only of a game that is over."""
    game_over: bool
    """True if the game on the board is over."""
    match_over: bool
    """True if the match has been won."""
    match_winner: Side | None
    """The side that has won the match; null while nobody has."""


@documented
class TableState(BoardFacts):
    """The state of a table, as ``fullprime play --script --json`` tells it."""

    pips: list[int]
    """The pips of the player on roll, then of the opponent."""


@documented
class ScriptReply(TableState):
    """The state after a line that was obeyed."""

    event: Event | None
    """The event that the line caused; null when nothing happened."""
    events: list[Event]
    """All events that followed from the line."""


@documented
class BoardState(BoardFacts):
    """The state of a board that can be drawn, and played on, without knowing a rule of the game."""

    sequence: int
    """The number of events so far; send it with what you do."""
    points: dict[Side, list[int]]
    """The checkers of each side in its own numbering: 0 off, 1-24 points, 25 bar, 26 hand."""
    pips: dict[Side, int]
    """The pips of each side."""
    checkers: int
    """The number of checkers of a side."""
    has_hand: bool
    """True if checkers begin in hand, as in Dutch Backgammon and Acey Deucey."""
    resign_levels: list[int]
    """The levels of a resignation that are worth different points: 1 a single game, 2 a gammon, 3 a backgammon."""

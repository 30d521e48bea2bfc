"""The opening explorer and the reference positions: values, and their fields in JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from fullprime.analysis.model import PlayOnBoard
from fullprime.analysis.setups import AnalysisBoard
from fullprime.common.json_values import MERGED, JsonFields, json_names
from fullprime.engine.cube.probabilities import Probabilities
from fullprime.learn.opening_book.node import BookPlay, NodeKey
from fullprime.learn.opening_book.reference import ReferenceCube
from fullprime.rules.dice import Roll


# -- the explorer -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class NamedChoice:
    """A game or a score that can be chosen."""

    name: str
    """Its name in addresses."""
    title: str
    """Its name in words."""


@dataclass(frozen=True, slots=True)
class OpeningStep:
    """A roll of a line, and the play that was made of it."""

    __json__: ClassVar[JsonFields] = json_names("dice", "play", "step")

    key: NodeKey
    """The question."""
    choice: BookPlay | None
    """The play; None for the last roll, which is still to be played."""

    @property
    def dice(self) -> Roll:
        """The roll."""
        return self.key.roll

    @property
    def play(self) -> str | None:
        """The play; null for the last roll, which is still to be played."""
        return None if self.choice is None else self.choice.play

    @property
    def step(self) -> str:
        """The step as addresses have it: ``31`` or ``31:8/5 6/5``."""
        return self.key.dice if self.choice is None else f"{self.key.dice}:{self.choice.play}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningRoll:
    """A roll that can come next."""

    dice: Roll
    """The roll."""
    step: str
    """The step that leads to it."""
    play: str | None = None
    """The best play by the book; null where the book has nothing yet."""
    equity: float | None = None
    """Its equity to its player."""
    half: float | None = None
    """Half of the 95 % interval of that."""
    trials: int | None = None
    """Trials of each candidate."""
    settled: bool
    """True if the best play is clear of the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningPlay:
    """A candidate, ready to be drawn."""

    rank: int
    """1 for the greatest equity."""
    play: str
    """The play; where the roll gives more, the whole turn."""
    step: str
    """The step that leads on."""
    equity: float
    """Its equity to its player."""
    half: float | None = None
    """Half of the 95 % interval of that; null for an answer by search."""
    loss: float
    """Equity short of the first."""
    loss_half: float | None = None
    """Half of the 95 % interval of that, nearly: twice its standard error."""
    tied: bool = False
    """True if it may still be the best."""
    probabilities: Probabilities
    """Win, gammon, backgammon, gammon and backgammon lost."""
    depth: int | None = None
    """Plies of look-ahead, for an answer by search; null for what was rolled out."""
    drawn: PlayOnBoard = field(metadata=MERGED)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningPlace:
    """A place of the opening explorer: a position before the next roll, or a roll with its plays."""

    game: NamedChoice
    """The game."""
    score: NamedChoice
    """The score as the player of the first roll sees it."""
    about: str
    """The score in a sentence, as the player on roll sees it."""
    games: tuple[NamedChoice, ...]
    """All games."""
    scores: tuple[NamedChoice, ...]
    """The scores of this game."""
    line: tuple[OpeningStep, ...]
    """The way here."""
    title: str
    """The place in words."""
    board: AnalysisBoard
    """The board; the player on roll is X."""
    source: Literal["book", "search", "rolls"] = "rolls"
    """``book``: rolled out; ``search``: the book has nothing yet, and search answers; ``rolls``: the next roll."""
    way: str = ""
    """The way it was judged, in words."""
    trials: int | None = None
    """Trials of each candidate; null for an answer by search."""
    settled: bool = False
    """True if the best play is clear of the others."""
    per_checker: bool
    """True if equities are checkers, not points."""
    rolls: tuple[OpeningRoll, ...] = ()
    """The rolls that can come next; empty where a roll is to be played."""
    plays: tuple[OpeningPlay, ...] = ()
    """The candidates of the roll, the best first; empty before a roll."""


# -- one's own games --------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class OwnPlays:
    """How often a play was made in the matches of a library, and how it went."""

    play: str
    """The play."""
    times: int
    """How often it was made."""
    won: int
    """Games won by those who made it."""
    lost: int
    """Games lost by them; games without a result count in neither."""
    points: int
    """Points won less points lost."""


@dataclass(frozen=True, slots=True)
class OwnOpenings:
    """One's own games at a place of the explorer."""

    plays: tuple[OwnPlays, ...]
    """The plays made there, the commonest first."""
    games: int
    """Games in which the place was reached, by either player."""
    whose: str
    """The person whose plays are counted; empty for everybody in the library."""


# -- reference positions ----------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourPosition:
    """A board that differs by a pip, and the decision there."""

    change: str
    """The change in words."""
    cube: ReferenceCube
    """The decision."""
    points: dict[str, tuple[int, ...]]
    """The checkers of ``X``, who is on roll, and ``O``: 0 off, 1-24, 25 bar, 26 hand, each side's in its numbers."""
    address: str
    """The address of its analysis board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePosition:
    """A reference position."""

    name: str
    """Its name in addresses."""
    sentence: str
    """The position in a sentence or two."""
    cube: ReferenceCube
    """The decision."""
    pips: tuple[int, int]
    """The pips of the player on roll and of the other side."""
    points: dict[str, tuple[int, ...]]
    """The checkers of ``X``, who is on roll, and ``O``, as those of a neighbour."""
    address: str
    """The address of its analysis board."""
    neighbours: tuple[NeighbourPosition, ...]
    """Boards beside it in which the decision is another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemePositions:
    """A theme with its positions."""

    name: str
    """Its name in addresses."""
    title: str
    """Its name in words."""
    about: str
    """A sentence about it."""
    positions: tuple[ReferencePosition, ...]
    """Its positions."""


@dataclass(frozen=True, slots=True)
class ReferencePositions:
    """The reference positions."""

    themes: tuple[ThemePositions, ...]
    """By theme."""
    way: str
    """The way they were rolled out, in words."""

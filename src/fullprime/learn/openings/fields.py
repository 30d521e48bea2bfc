"""The JSON values of the opening explorer and of the reference positions, field by field."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from fullprime.analysis.model import PlayOnBoard
from fullprime.analysis.setups import BoardJson
from fullprime.common.documented import documented


@documented
class NamedChoice(TypedDict):
    """A game or a score that can be chosen."""

    name: str
    """Its name in addresses."""
    title: str
    """Its name in words."""


@documented
class LineStep(TypedDict):
    """A roll of a line, and the play that was made of it."""

    dice: list[int]
    """The roll."""
    play: str | None
    """The play; null for the last roll, which is still to be played."""
    step: str
    """The step as addresses have it: ``31`` or ``31:8/5 6/5``."""


@documented
class OpeningRoll(TypedDict):
    """A roll that can come next."""

    dice: list[int]
    """The roll."""
    step: str
    """The step that leads to it."""
    play: str | None
    """The best play by the book; null where the book has nothing yet."""
    equity: float | None
    """Its equity to its player."""
    half: float | None
    """Half of the 95 % interval of that."""
    trials: int | None
    """Trials of each candidate."""
    settled: bool
    """True if the best play is clear of the others."""


@documented
class OwnPlays(TypedDict):
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


@documented
class OpeningPlay(PlayOnBoard):
    """A candidate, ready to be drawn."""

    rank: int
    """1 for the greatest equity."""
    play: str
    """The play; where the roll gives more, the whole turn."""
    step: str
    """The step that leads on."""
    equity: float
    """Its equity to its player."""
    half: float | None
    """Half of the 95 % interval of that; null for an answer by search."""
    loss: float
    """Equity short of the first."""
    loss_half: float | None
    """Half of the 95 % interval of that, nearly: twice its standard error."""
    tied: bool
    """True if it may still be the best."""
    probabilities: list[float]
    """Win, gammon, backgammon, gammon and backgammon lost."""
    depth: int | None
    """Plies of look-ahead, for an answer by search; null for what was rolled out."""


@documented
class OpeningJson(TypedDict):
    """A place of the opening explorer: a position before the next roll, or a roll with its plays."""

    game: NamedChoice
    """The game."""
    score: NamedChoice
    """The score as the player of the first roll sees it."""
    about: str
    """The score in a sentence, as the player on roll sees it."""
    games: list[NamedChoice]
    """All games."""
    scores: list[NamedChoice]
    """The scores of this game."""
    line: list[LineStep]
    """The way here."""
    title: str
    """The place in words."""
    board: BoardJson
    """The board; the player on roll is X."""
    source: Literal["book", "search", "rolls"]
    """``book``: rolled out; ``search``: the book has nothing yet, and search answers; ``rolls``: the next roll."""
    way: str
    """The way it was judged, in words."""
    trials: int | None
    """Trials of each candidate; null for an answer by search."""
    settled: bool
    """True if the best play is clear of the others."""
    per_checker: bool
    """True if equities are checkers, not points."""
    rolls: list[OpeningRoll]
    """The rolls that can come next; empty where a roll is to be played."""
    plays: list[OpeningPlay]
    """The candidates of the roll, the best first; empty before a roll."""


@documented
class OwnJson(TypedDict):
    """One's own games at a place of the explorer."""

    plays: list[OwnPlays]
    """The plays made there, the commonest first."""
    games: int
    """Games in which the place was reached, by anybody in them."""
    whose: str
    """The person whose plays are counted; empty for everybody in the library."""


@documented
class CubeFactsJson(TypedDict):
    """A cube decision, rolled out; money, the cube in the middle, no Jacoby rule."""

    verdict: str
    """The right action in words."""
    no_double: float
    """The equity of rolling."""
    no_double_error: float
    """Its standard error."""
    double_take: float
    """The equity of a double that is taken."""
    double_take_error: float
    """Its standard error."""
    probabilities: list[float]
    """Win, gammon, backgammon, gammon and backgammon lost."""
    trials: int
    """Trials of each action."""


@documented
class NeighbourJson(TypedDict):
    """A board that differs by a pip, and the decision there."""

    change: str
    """The change in words."""
    cube: CubeFactsJson
    """The decision."""
    points: dict[str, list[int]]
    """The checkers of ``X``, who is on roll, and ``O``: 0 off, 1-24, 25 bar, 26 hand, each side's in its numbers."""
    address: str
    """The address of its analysis board."""


@documented
class ReferenceJson(TypedDict):
    """A reference position."""

    name: str
    """Its name in addresses."""
    sentence: str
    """The position in a sentence or two."""
    cube: CubeFactsJson
    """The decision."""
    pips: list[int]
    """The pips of the player on roll and of the other side."""
    points: dict[str, list[int]]
    """The checkers of ``X``, who is on roll, and ``O``, as those of a neighbour."""
    address: str
    """The address of its analysis board."""
    neighbours: list[NeighbourJson]
    """Boards beside it in which the decision is another one."""


@documented
class ThemeJson(TypedDict):
    """A theme with its positions."""

    name: str
    """Its name in addresses."""
    title: str
    """Its name in words."""
    about: str
    """A sentence about it."""
    positions: list[ReferenceJson]
    """Its positions."""


@documented
class ReferencesJson(TypedDict):
    """The reference positions."""

    themes: list[ThemeJson]
    """By theme."""
    way: str
    """The way they were rolled out, in words."""

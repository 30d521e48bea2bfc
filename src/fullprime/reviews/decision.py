"""Decisions of a match as the engine judges them: options, loss, verdict, and if the rating rules count them.

Equities are in units of the cube before the decision, of the player who decided; in a match on the scale that runs
through winning and losing a single game with that cube. An error in answering a double is thereby priced at the cube
before the double. ``docs/review.md`` has every rule with its source.
"""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.rules.dice import Roll
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import BAR, HAND, Position
from fullprime.rules.printing import Word, html_table
from fullprime.rules.score import Player

Chances = tuple[float, float, float, float, float]

NOTHING = 1e-6
"""A smaller loss is none: single precision."""


class Kind(Word):
    """The kind of a decision."""

    PLAY = "checker play"
    DOUBLE = "double"
    """To double or to roll."""
    TAKE = "take"
    """The answer to a double or to a beaver."""
    CHOICE = "named double"
    """Acey Deucey: which double to name."""
    RESIGNATION = "resignation"
    """To resign, or to accept a resignation."""


class Verdict(Word):
    """The quality of a decision."""

    OK = "ok"
    UNCLEAR = "too close to call"
    """It lost something, but less than the engine can be sure of."""
    DOUBTFUL = "doubtful"
    ERROR = "error"
    BLUNDER = "blunder"


class GameStage(Word):
    """The phase of the game in which a decision stands."""

    OPENING = "opening"
    """The first three rolls of each player."""
    MIDDLE = "middle game"
    BEAR_OFF_CONTACT = "bear-off against contact"
    RACE = "race"
    BEAR_OFF = "bear-off"


OPENING_ROLLS = 6


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The smallest loss for each verdict on a decision, in points of equity.

    >>> XG.verdict(0.05, uncertainty=0.01).value
    'error'
    """

    name: str
    doubtful: float
    error: float
    blunder: float

    def verdict(self, loss: float, uncertainty: float = 0.0) -> Verdict:
        """The word for a loss; it is unclear while the engine's uncertainty is larger than the loss."""
        if loss <= NOTHING:
            return Verdict.OK
        if loss < uncertainty:
            return Verdict.UNCLEAR
        for limit, word in (
            (self.blunder, Verdict.BLUNDER),
            (self.error, Verdict.ERROR),
            (self.doubtful, Verdict.DOUBTFUL),
        ):
            if loss >= limit:
                return word
        return Verdict.OK


XG = Thresholds("xg", 0.02, 0.02, 0.08)
"""eXtreme Gammon's marks: error from 0.020, blunder from 0.080; it knows no doubtful plays."""
GNU = Thresholds("gnubg", 0.03, 0.06, 0.12)
"""GNU Backgammon's marks ``?!``, ``?`` and ``??``."""

THRESHOLDS: dict[str, Thresholds] = {each.name: each for each in (XG, GNU)}


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that could have been done."""

    text: str
    equity: float
    loss: float
    """Against the best option, 0 or more."""
    value: float
    """The equity as points of the stake, or as the chance to win the match."""
    depth: int
    """Plies of look-ahead behind these numbers."""
    chances: Chances | None = None
    moves: tuple[CheckerMove, ...] | None = None
    """The moves of a checker play."""
    deviation: float | None = None
    """Standard error of a rolled out equity."""


@dataclass(frozen=True, slots=True)
class CubeFigures:
    """A cube decision as tables show it: equities of the player who could double, and the right action in words."""

    no_double: float
    double_take: float
    """The equity if the opponent goes on in the way that is best for him."""
    double_drop: float
    proper: str
    cubeless: float
    chances: Chances
    losers: float | None = None
    """The share of the next exchanges, a roll of each side, after which a double would be dropped; None: not asked."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision; ``game`` and ``event`` count from 0 and name the event of the record."""

    game: int
    event: int
    player: Player
    kind: Kind
    stage: GameStage
    options: tuple[Option, ...]
    """The best first; of many plays the first few and the one made."""
    chosen: int
    uncertainty: float
    """The engine's possible error about the loss: see ``docs/review.md``."""
    counts: bool
    """True if the rule of eXtreme Gammon counts it."""
    counts_gnu: bool
    """True if GNU Backgammon's rule counts it."""
    mistake: str = ""
    """The kind of a cube error, such as ``missed double``; empty for none."""
    cube: CubeFigures | None = None
    dice: Roll | None = None
    legal: int = 0
    """The number of possible plays."""
    replies: tuple[tuple[float, ...], tuple[float, ...]] | None = None
    """Of a play that lost something: the equity after each of the opponent's next rolls (``ALL_ROLLS``), played
    statically best, after the best play and after the one made; None where nobody asked.
    """

    @property
    def played(self) -> Option:
        """The option that was chosen."""
        return self.options[self.chosen]

    @property
    def best(self) -> Option:
        """The engine's best option."""
        return self.options[0]

    @property
    def loss(self) -> float:
        """The loss of the chosen option against the best one, 0 or more."""
        return self.played.loss

    @property
    def value_loss(self) -> float:
        """The same in points of the stake, or in chances to win the match."""
        return max(0.0, self.best.value - self.played.value)

    @property
    def rolled_out(self) -> bool:
        """True if the played and the best option were rolled out."""
        return self.played.deviation is not None

    def verdict(self, thresholds: Thresholds = XG) -> Verdict:
        """The word for it."""
        return thresholds.verdict(self.loss, self.uncertainty)

    def _repr_html_(self) -> str:
        """The options in a notebook, the best first."""
        rows = [
            {"option": each.text, "equity": each.equity, "loss": each.loss, "depth": each.depth, "chosen": chosen}
            for each, chosen in ((option, "yes" if option is self.played else "") for option in self.options)
        ]
        return html_table(rows, f"{self.player}, {self.kind}: {self.words}")

    @property
    def words(self) -> str:
        """The decision in a line."""
        said = (
            f"{self.dice.words}: {self.played.text}"
            if self.dice is not None and self.kind is Kind.PLAY
            else self.played.text
        )
        if self.loss <= NOTHING:
            return said
        what = f"{self.mistake}, " if self.mistake else ""
        return f"{said} ({what}best {self.best.text}, loses {self.loss:.3f})"


def stage_of(position: Position, rolls: int) -> GameStage:
    """The phase of the game in which a decision stands; ``rolls`` have been thrown in the game before it."""
    row = position.player
    home = not any(row[7:HAND]) and not row[HAND]
    if position.is_race:
        return GameStage.BEAR_OFF if home else GameStage.RACE
    if home:
        return GameStage.BEAR_OFF_CONTACT
    return GameStage.OPENING if rolls <= OPENING_ROLLS else GameStage.MIDDLE


def after(position: Position, moves: tuple[CheckerMove, ...]) -> Position:
    """The board after the moves of a play, seen by the player who made it."""
    mine, theirs = list(position.player), list(position.opponent)
    for move in moves:
        mine[move.source] -= 1
        mine[move.target] += 1
        if move.hit:
            theirs[25 - move.target] -= 1
            theirs[BAR] += 1
    return Position(tuple(mine), tuple(theirs), position.player_licence, position.opponent_licence)

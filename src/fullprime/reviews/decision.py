"""Decisions of a match as the engine judges them: options, loss, verdict, and if the rating rules count them.

Equities are in units of the cube before the decision, of the player who decided; in a match on the scale that runs
through winning and losing a single game with that cube. An error in answering a double is thereby priced at the cube
before the double. ``docs/review.md`` has every rule with its source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fullprime.common.json_values import LEFT_OUT, JsonFields, json_names
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.plays import CheckerMove, make_moves
from fullprime.rules.position import HAND, Position
from fullprime.rules.printing import Word, html_table
from fullprime.rules.score import Player
from fullprime.rules.taking import to_kind
from fullprime.rules.variants.variant import Variant

Chances = tuple[float, float, float, float, float]

JSON_DIGITS = 7
"""Digits after the point of the numbers of a review in JSON."""

NOTHING = 1e-6
"""A smaller loss is none: single precision."""


class ReviewError(FullprimeError):
    """A match that cannot be reviewed, or a decision that no review has."""


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

THRESHOLDS: dict[str, Thresholds] = {thresholds.name: thresholds for thresholds in (XG, GNU)}


@dataclass(frozen=True, slots=True)
class Option:
    """One possible play or action."""

    __json_digits__: ClassVar[int] = JSON_DIGITS

    text: str
    """The play, or the action, as players write it."""
    equity: float
    """The equity for the player who decides."""
    loss: float
    """The loss against the best option, 0 or more."""
    value: float
    """The equity as points of the stake, or as the chance to win the match."""
    depth: int
    """Plies of look-ahead behind these numbers."""
    chances: Chances | None = field(default=None, metadata=LEFT_OUT)
    """Win, win a gammon or better, win a backgammon, lose a gammon or worse, lose a backgammon; of a checker play."""
    moves: tuple[CheckerMove, ...] | None = field(default=None, metadata=LEFT_OUT)
    """Each checker move of a play: from, to, the die, 1 for a hit."""
    deviation: float | None = field(default=None, metadata=LEFT_OUT)
    """Standard error of an equity that was rolled out."""


@dataclass(frozen=True, slots=True)
class CubeEquities:
    """A cube decision as tables show it: equities of the player who could double."""

    __json_digits__: ClassVar[int] = JSON_DIGITS

    no_double: float
    """Without a double."""
    double_take: float
    """The equity if the opponent goes on in the way that is best for him."""
    double_drop: float
    """The equity if the opponent drops."""
    proper: str
    """The right action of both players, in words."""
    cubeless: float
    """Without a cube."""
    chances: Chances
    """Win, win a gammon or better, win a backgammon, lose a gammon or worse, lose a backgammon."""
    losers: float | None = field(default=None, metadata=LEFT_OUT)
    """The share of the next exchanges, a roll of each side, after which a double would be dropped; of doubles that were
    wrong or missed.
    """


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision; ``game`` and ``event`` count from 0 and name the event of the record."""

    # A new field stands here, too. ``game`` and ``event`` stay the first: library.store finds a decision by them.
    __json__: ClassVar[JsonFields] = json_names(
        "game", "event", "player", "kind", "stage", "options", "chosen", "loss", "value_loss", "uncertainty", "verdict",
        "counts", "counts_gnu", "legal", "mistake", "dice", "cube", "replies", verdict="usual_verdict",
    )  # fmt: skip
    __json_digits__: ClassVar[int] = JSON_DIGITS

    game: int
    """The number of the game in the match."""
    event: int
    """The number of the event in the game."""
    player: Player
    """The player who decided."""
    kind: Kind
    """The kind of the decision."""
    stage: GameStage
    """The phase of the game."""
    options: tuple[Option, ...]
    """The best first; of many plays the first few and the one made."""
    chosen: int
    """The option that was taken, as an index into ``options``."""
    uncertainty: float
    """The engine's possible error about the loss: see ``docs/review.md``."""
    counts: bool
    """True if the rule of eXtreme Gammon counts it."""
    counts_gnu: bool
    """True if GNU Backgammon's rule counts it."""
    mistake: str = ""
    """The kind of a cube error, such as ``missed double``; empty for none."""
    cube: CubeEquities | None = field(default=None, metadata=LEFT_OUT)
    """The figures of a cube decision."""
    dice: Roll | None = field(default=None, metadata=LEFT_OUT)
    """The roll of a play, the higher die first."""
    legal: int = 0
    """The number of possible plays."""
    replies: tuple[tuple[float, ...], tuple[float, ...]] | None = field(default=None, metadata=LEFT_OUT)
    """Of a play that lost something: the equities after the opponent's 21 rolls (``ALL_ROLLS``), played statically
    best, for the best play and for this one; None where they were not judged.
    """

    def __post_init__(self) -> None:
        if not 0 <= self.chosen < len(self.options):
            raise ReviewError(f"of {len(self.options)} options none has the number {self.chosen}")
        if any(len(row) != len(ALL_ROLLS) for row in self.replies or ()):
            raise ReviewError("replies are to 21 rolls")

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
        """The loss of the option that was taken against the best one, 0 or more."""
        return self.played.loss

    @property
    def value_loss(self) -> float:
        """The same loss in points of the stake, or in chances to win the match."""
        return max(0.0, self.best.value - self.played.value)

    @property
    def rolled_out(self) -> bool:
        """True if the played and the best option were rolled out."""
        return self.played.deviation is not None

    def verdict(self, thresholds: Thresholds = XG) -> Verdict:
        """The word for it; raises ReviewError for thresholds that are none."""
        to_kind(Thresholds, "thresholds", thresholds, ReviewError)
        return thresholds.verdict(self.loss, self.uncertainty)

    @property
    def usual_verdict(self) -> Verdict:
        """The name of the loss by the thresholds of eXtreme Gammon."""
        return self.verdict()

    def _repr_html_(self) -> str:
        """The options in a notebook, the best first."""
        rows = [
            {
                "option": option.text,
                "equity": option.equity,
                "loss": option.loss,
                "depth": option.depth,
                "chosen": "yes" if option is self.played else "",
            }
            for option in self.options
        ]
        return html_table(rows, f"{self.player}, {self.kind}: {self.words}")

    @property
    def words(self) -> str:
        """The decision in a line."""
        action = (
            f"{self.dice.words}: {self.played.text}"
            if self.dice is not None and self.kind is Kind.PLAY
            else self.played.text
        )
        if self.loss <= NOTHING:
            return action
        mistake = f"{self.mistake}, " if self.mistake else ""
        return f"{action} ({mistake}best {self.best.text}, loses {self.loss:.3f})"


def stage_of(position: Position, rolls: int) -> GameStage:
    """The phase of the game in which a decision stands; ``rolls`` have been thrown in the game before it."""
    row = position.player
    home = not any(row[7:HAND]) and not row[HAND]
    if position.is_race:
        return GameStage.BEAR_OFF if home else GameStage.RACE
    if home:
        return GameStage.BEAR_OFF_CONTACT
    return GameStage.OPENING if rolls <= OPENING_ROLLS else GameStage.MIDDLE


def board_after(position: Position, moves: tuple[CheckerMove, ...], variant: Variant) -> Position:
    """The board after the moves of a legal play, seen by the player who made it."""
    play = make_moves(position, ((move.source, move.die) for move in moves), variant)
    if play is None:
        raise ValueError(f"{moves} cannot be played from {position.text}")
    return play.after

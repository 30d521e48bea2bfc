"""The JSON values of a review, field by field: the form that is kept beside a match and given to scripts.

Games and events count from 0 and name the event of the record. Numbers keep seven digits after the point.
"""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


class StoredOption(TypedDict):
    """One possible play or action."""

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
    chances: NotRequired[list[float]]
    """Win, win a gammon or better, win a backgammon, lose a gammon or worse, lose a backgammon; of a checker play."""
    moves: NotRequired[list[list[int]]]
    """Each checker move of a play: from, to, the die, 1 for a hit."""
    deviation: NotRequired[float]
    """Standard error of an equity that was rolled out."""


class StoredCube(TypedDict):
    """A cube decision as tables show it: equities of the player who could double."""

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
    chances: list[float]
    """Win, win a gammon or better, win a backgammon, lose a gammon or worse, lose a backgammon."""
    losers: NotRequired[float]
    """The share of the next exchanges after which a double would be dropped; of doubles that were wrong or missed."""


class StoredDecision(TypedDict):
    """One decision."""

    game: int
    """The number of the game in the match."""
    event: int
    """The number of the event in the game."""
    player: str
    """The player who decided: ``X`` or ``O``."""
    kind: str
    """``play``, ``double``, ``take``, ``choice`` or ``resignation``."""
    stage: str
    """The phase of the game."""
    options: list[StoredOption]
    """The best first; of many plays the first few and the one made."""
    chosen: int
    """The option that was taken, as an index into ``options``."""
    loss: float
    """The loss of that option against the best one, 0 or more."""
    value_loss: float
    """The same in points of the stake, or in chances to win the match."""
    uncertainty: float
    """The engine's possible error about the loss."""
    verdict: str
    """The name of the loss by the thresholds of eXtreme Gammon."""
    counts: bool
    """True if the rule of eXtreme Gammon counts it."""
    counts_gnu: bool
    """True if GNU Backgammon's rule counts it."""
    legal: int
    """The number of possible plays."""
    mistake: NotRequired[str]
    """The kind of a cube error, such as ``missed double``."""
    dice: NotRequired[list[int]]
    """The roll of a play, the higher die first."""
    cube: NotRequired[StoredCube]
    """The figures of a cube decision."""
    replies: NotRequired[list[list[float]]]
    """Of a play that lost something: the equities after the opponent's 21 rolls, for the best play and for this one."""


class StoredRoll(TypedDict):
    """The luck of one roll, to the player who threw it."""

    game: int
    """The number of the game in the match."""
    event: int
    """The number of the event in the game."""
    player: str
    """The player who threw: ``X`` or ``O``."""
    dice: list[int]
    """The roll, the higher die first."""
    luck: float
    """In points of equity."""
    value: float
    """In points of the stake, or in chances to win the match."""
    before: float
    """The game's value to the player before the roll: points of the stake, or the chance to win the match."""


class StoredLeftOut(TypedDict):
    """An event that was not judged; it counts nowhere."""

    game: int
    """The number of the game in the match."""
    event: int
    """The number of the event in the game."""
    why: str
    """The reason."""


class StoredReview(TypedDict):
    """A review: the engine's judgement of a match."""

    format: int
    """Version of this form."""
    level: str
    """The depth of the review: ``fast``, ``standard`` or ``deep``."""
    program: str
    """The engine and its nets."""
    variant: str
    """The game."""
    length: int
    """Points of the match; 0 for money."""
    games: int
    """Games that are done."""
    complete: bool
    """True if they are all."""
    decisions: list[StoredDecision]
    """In the order of the record."""
    rolls: list[StoredRoll]
    """In the order of the record."""
    left_out: list[StoredLeftOut]
    """The events that were not judged."""

"""The JSON values of cards, field by field."""

from __future__ import annotations

from typing_extensions import TypedDict

from fullprime.analysis.setups import DeskSetup, SceneJson
from fullprime.common.documented import documented


@documented
class CardOption(TypedDict):
    """An option of a card's decision."""

    text: str
    """The play or the action with the cube."""
    loss: float
    """The equity that it costs."""
    after: list[int]
    """The learner's checkers after it, by place; empty for an action with the cube."""
    moves: list[str]
    """Its checker moves; empty for an action with the cube."""
    depth: int | None
    """The plies behind that cost; null in cards of older versions."""
    deviation: float | None
    """The standard error of a rollout behind it; null where there was none."""


@documented
class CardBody(TypedDict):
    """The contents of a card: the decision, seen by the learner, who is ``X``."""

    kind: str
    """``play``, ``double`` or ``take``."""
    setup: DeskSetup
    """The game at that moment."""
    options: list[CardOption]
    """The options that were judged, the best first."""
    choices: list[str]
    """The actions to choose from, in a fixed order; empty for a play."""
    made: str
    """The error that was made."""
    cost: float
    """The equity that it cost."""
    reason: str
    """The reason for the best option; empty where there is nothing to say."""
    source: str
    """The match, and the place in it."""


@documented
class DeckJson(TypedDict):
    """All cards of a learner, counted."""

    cards: int
    """Cards in all."""
    due: int
    """Cards that are due now."""
    streak: int
    """Days in a row, up to today or yesterday, on which something was answered."""
    retention: float | None
    """The share of learnt cards answered right in the last 90 days; null before the first."""


@documented
class CardQuestion(TypedDict):
    """A card that is due. Its answer is not told."""

    id: int
    """Its number: it is sent back with the answer."""
    kind: str
    """``play``, ``double`` or ``take``."""
    choices: list[str]
    """The answers to choose from; empty for a play."""
    answered: int
    """The answers to it so far. It is sent back with the next one, so that one that is sent twice is stored once."""
    board: SceneJson
    """The board, the learner being ``X``."""


@documented
class CardsJson(TypedDict):
    """The deck, and the card that is due."""

    deck: DeckJson
    """The deck."""
    card: CardQuestion | None
    """The card that has been due longest; null when nothing is due."""


@documented
class CardAnswer(TypedDict):
    """An answer to a card, graded and stored."""

    right: bool
    """True if it costs next to nothing."""
    answer: str
    """The answer as it was understood."""
    loss: float
    """The equity that it costs."""
    best: str
    """The best option."""
    made: str
    """The error that was made in the match."""
    lines: list[str]
    """The options with their costs, and the reason."""
    moves: list[str]
    """The checker moves of the answer."""
    best_moves: list[str]
    """The checker moves of the best play."""
    counted: bool
    """False if this answer had been stored before."""
    due: str
    """The time at which the card comes up again (UTC, ISO 8601)."""
    deck: DeckJson
    """The deck by now."""


@documented
class CardsAdded(TypedDict):
    """The result of adding cards."""

    added: int
    """Cards that are new."""
    deck: DeckJson
    """The deck by now."""


@documented
class ThemeCardsAdded(CardsAdded):
    """The result of making cards of a theme."""

    numbers: list[int]
    """The numbers of the cards of the theme, those that were there already among them."""


@documented
class LibraryCardsAdded(CardsAdded):
    """The result of adding cards out of the matches of a library."""

    matches: int
    """Reviewed matches out of which they were made."""

"""Flashcards: values, and their fields in JSON, which is also the form in which a card is stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from fullprime.analysis.setups import AnalysisSetup, BoardScene
from fullprime.common.json_values import MERGED


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOption:
    """An option of a card's decision."""

    text: str
    """The play or the action with the cube."""
    loss: float
    """The equity that it costs."""
    after: tuple[int, ...] = ()
    """The learner's checkers after it, by place; empty for an action with the cube."""
    moves: tuple[str, ...] = ()
    """Its checker moves; empty for an action with the cube."""
    depth: int
    """The plies behind that cost."""
    deviation: float | None = None
    """The standard error of a rollout behind it; null where there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardBody:
    """The contents of a card: the decision, seen by the learner, who is ``X``."""

    kind: str
    """``play``, ``double`` or ``take``."""
    setup: AnalysisSetup
    """The game at that moment."""
    options: tuple[CardOption, ...]
    """The options that were judged, the best first."""
    choices: tuple[str, ...]
    """The actions to choose from, in a fixed order; empty for a play."""
    made: str
    """The error that was made."""
    cost: float
    """The equity that it cost."""
    reason: str
    """The reason for the best option; empty where there is nothing to say."""
    source: str
    """The match, and the place in it."""


@dataclass(frozen=True, slots=True)
class CardDeck:
    """The cards of a learner in numbers."""

    cards: int = 0
    """Cards in all."""
    due: int = 0
    """Cards that are due now."""
    streak: int = 0
    """Days in a row, up to today or yesterday, on which something was answered."""
    retention: float | None = None
    """The share of learnt cards answered right in the last 90 days; null before the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardQuestion:
    """A card that is due. Its answer is not told."""

    id: int
    """Its number: it is sent back with the answer."""
    kind: str
    """``play``, ``double`` or ``take``."""
    choices: tuple[str, ...]
    """The answers to choose from; empty for a play."""
    answered: int
    """The answers to it so far. It is sent back with the next one, so that one that is sent twice is stored once."""
    board: BoardScene
    """The board, the learner being ``X``."""


@dataclass(frozen=True, slots=True)
class DueCard:
    """The deck, and the card that is due."""

    deck: CardDeck
    """The deck."""
    card: CardQuestion | None
    """The card that has been due longest; null when nothing is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAnswer:
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
    lines: tuple[str, ...]
    """The options with their costs, and the reason."""
    moves: tuple[str, ...]
    """The checker moves of the answer."""
    best_moves: tuple[str, ...]
    """The checker moves of the best play."""
    counted: bool
    """False if this answer had been stored before."""
    due: datetime
    """The time at which the card comes up again, in seconds since 1970."""
    deck: CardDeck
    """The deck by now."""


@dataclass(frozen=True, slots=True)
class CardsAdded:
    """The result of adding cards."""

    added: int
    """Cards that are new."""
    deck: CardDeck
    """The deck by now."""


@dataclass(frozen=True, slots=True)
class ThemeCardsAdded:
    """The result of making cards of a theme."""

    result: CardsAdded = field(metadata=MERGED)
    numbers: tuple[int, ...]
    """The numbers of the cards of the theme, those that were there already among them."""


@dataclass(frozen=True, slots=True)
class LibraryCardsAdded:
    """The result of adding cards out of the matches of a library."""

    result: CardsAdded = field(metadata=MERGED)
    matches: int
    """Reviewed matches out of which they were made."""

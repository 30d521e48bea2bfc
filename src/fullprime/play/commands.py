"""The commands that a session takes, each as a value. ``decide`` gives the events that follow, or refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fullprime.rules.actions import Action, ActionKind
from fullprime.rules.plays import Play

ClosingWay: TypeAlias = Literal["end", "abort", "agree", "leave"]
"""The ways in which a player ends a session: a money session between two games, a match in its first moves, with the
other one's agreement, or alone and at the price of losing."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down in the free seat; the caller has seen the invitation."""

    name: str
    has_account: bool = False


@dataclass(frozen=True, slots=True)
class GiveSeed:
    """Add to the dice. With ``has_links`` the seed is the anchor of a chain whose links are promised."""

    seed: str
    has_links: bool = False


@dataclass(frozen=True, slots=True)
class BeginChain:
    """Begin a new chain of links with the next throw, which has that number."""

    number: int
    anchor: str


@dataclass(frozen=True, slots=True)
class GiveLink:
    """Give the link for a throw that waits for links alone."""

    number: int
    link: str


@dataclass(frozen=True, slots=True)
class ThrowDice:
    """Throw, with one's own link where one is promised, or with real dice (in the opening X's die first)."""

    dice: tuple[int, int] | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the rules that is no throw."""

    action: Action
    play: Play | None = None
    """The play of the action, where it was found among the legal ones already."""


@dataclass(frozen=True, slots=True)
class BeginNextGame:
    """Begin the next game of the match or session."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Do what is due although no player acts: flags that have fallen, links that are given up, forced plays."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Go back to before the last decision of the people in this session, or an earlier one of the same game."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class WithdrawRoll:
    """Take back dice that were typed wrongly."""


@dataclass(frozen=True, slots=True)
class OfferResignation:
    """Offer to lose a game between two people."""

    level: int


@dataclass(frozen=True, slots=True)
class AnswerResignation:
    """Accept or refuse the other player's offer to lose."""

    accepts: bool


@dataclass(frozen=True, slots=True)
class CloseSession:
    """End a session that is not played out."""

    how: ClosingWay = "end"


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """End the game if a flag has fallen, or if the other player has been away, or has owed something, for too long."""


@dataclass(frozen=True, slots=True)
class OfferRematch:
    """Play again, in the session whose id is an input of the decision."""

    rated: bool = False
    """Whether the new session counts, which is its opener's to say."""


@dataclass(frozen=True, slots=True)
class ChooseLook:
    """Choose the colour of one's checkers and the side of one's home board, as the winner of the opening throw."""

    colour: Literal["light", "dark"]
    home: Literal["right", "left"]


@dataclass(frozen=True, slots=True)
class UseHelp:
    """Note that a hint or the tutor helps."""


@dataclass(frozen=True, slots=True)
class Say:
    """Say a line to the other player."""

    text: str


def command_for(action: Action) -> Act | ThrowDice:
    """The command by which a bot does what it has chosen: a throw is a command of its own."""
    return ThrowDice() if action.kind is ActionKind.ROLL else Act(action)


PlayerCommand: TypeAlias = (
    GiveSeed
    | BeginChain
    | GiveLink
    | ThrowDice
    | Act
    | BeginNextGame
    | TakeBack
    | WithdrawRoll
    | OfferResignation
    | AnswerResignation
    | CloseSession
    | OfferRematch
    | ChooseLook
    | UseHelp
    | Say
)
"""The commands that need a seat."""
SessionCommand: TypeAlias = TakeSeat | Continue | ClaimWin | PlayerCommand
"""Every command that a session takes."""

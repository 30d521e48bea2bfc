"""The JSON values of the library's pages, field by field."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from fullprime.analysis.setups import DeskSetup, SceneJson
from fullprime.common.documented import documented
from fullprime.learn.flashcards.fields import CardBody
from fullprime.reviews.matches.fields import (
    ErrorRateJson,
    HitJson,
    LibraryMatch,
    LibraryMatchDetails,
    StatisticsJson,
    ThemeJson,
)


@documented
class LibraryJson(TypedDict):
    """A library in a few values."""

    whose: str
    """``machine``: that of this machine, which its terminal uses, too; ``account``: that of the account."""
    matches: int
    """The number of matches."""
    reviewed: int
    """Matches with a complete review."""
    files: int
    """The number of files that were added."""
    old: int
    """Reviews of an older version that statistics do not know yet; the next review job brings them up to date."""
    words: dict[str, list[str]]
    """The words that a search knows, by its fields."""


@documented
class MatchesJson(TypedDict):
    """A part of a list of matches."""

    found: int
    """The number of matches for which the conditions hold."""
    offset: int
    """The number of matches before this part."""
    matches: list[LibraryMatch]
    """The matches, the latest first."""
    marks: dict[str, MarkJson]
    """The marks of these matches, by the number of the match."""


@documented
class BoardFound(HitJson):
    """A board that was found."""

    names: list[str]
    """The names of X and O."""
    date: str | None
    """The date of the match; None where no file says so."""
    points: dict[str, list[int]]
    """The checkers of ``X`` and ``O``: 0 off, 1-24, 25 bar, 26 hand, each side's in its own numbers."""
    on_roll: str
    """The player on roll: ``X`` or ``O``."""
    address: str
    """The page that opens it on the analysis board."""


@documented
class BoardsJson(TypedDict):
    """Boards that were found."""

    boards: list[BoardFound]
    """The costliest first where losses are known, else match by match."""
    more: bool
    """True if there are others."""


@documented
class PersonJson(TypedDict):
    """A person in a library."""

    player: str
    """The name under which the person is listed."""
    names: list[str]
    """Every name as files write it."""
    matches: int
    """The number of matches."""


@documented
class PeopleJson(TypedDict):
    """Everybody in a library."""

    players: list[PersonJson]
    """Those with most matches first."""


@documented
class MarkJson(TypedDict):
    """A note, a star and tags at a place."""

    place: str
    """``match 12``, ``match 12 game 3 event 45`` (from 1), or ``position`` and its setup."""
    match: int | None
    """The match; None for a position by itself."""
    game: int | None
    """The game, from 1; None for a match as a whole."""
    event: int | None
    """The event, from 1."""
    move: int | None
    """The number of the move in its game, from 1."""
    dice: list[int] | None
    """The roll, the higher die first; None where none was thrown yet."""
    deed: str
    """The play or the action, where a review knows it; else empty."""
    setup: DeskSetup | None
    """The position; None for a match or a decision."""
    note: str
    """The note; empty for none."""
    star: bool
    """True if it has a star."""
    tags: list[str]
    """The tags."""
    address: str
    """The page that opens the place."""


@documented
class MarksJson(TypedDict):
    """Marks of a library."""

    marks: list[MarkJson]
    """The latest first."""
    tags: dict[str, int]
    """Every tag of the library, and the number of its marks."""


@documented
class CollectionJson(TypedDict):
    """A collection of positions."""

    name: str
    """Its name."""
    about: str
    """Its description."""
    items: int
    """The number of its positions."""
    link: str | None
    """The secret of the link by which it is shared as a study; None while it is not."""


@documented
class ItemJson(TypedDict):
    """A position of a collection."""

    number: int
    """Its place in the order, from 1."""
    comment: str
    """The comment; empty for none."""
    arrows: list[str]
    """Moves such as ``13/7`` of the player who decides."""
    card: CardBody
    """The decision, the player who decides being ``X``."""
    board: SceneJson
    """The board of it."""
    address: str
    """The page that opens it on the analysis board."""
    quiz: bool
    """True if the answer is known, so that it can be asked."""


@documented
class ItemsJson(CollectionJson):
    """A collection with its positions."""

    positions: list[ItemJson]
    """The positions in order."""


@documented
class CollectionsJson(TypedDict):
    """All collections of a library."""

    collections: list[CollectionJson]
    """By name."""
    searches: dict[str, dict[str, str]]
    """The saved searches: their fields, by name."""


@documented
class StudyAnswer(TypedDict):
    """An answer to a position of a study, judged."""

    right: bool
    """True if it costs nothing that matters."""
    answer: str
    """The answer as it was understood."""
    loss: float
    """The equity that it costs."""
    best: str
    """The best option."""
    lines: list[str]
    """The options with their costs, and the reason."""
    moves: list[str]
    """The checker moves of the answer."""
    best_moves: list[str]
    """The checker moves of the best play."""


@documented
class PlayerPageJson(StatisticsJson):
    """Where a player loses."""

    names: list[str]
    """Every name of the player."""
    themes: list[ThemeJson]
    """What the errors were about, the costliest first."""
    old: int
    """Reviews of an older version that are not in these figures."""


@documented
class JudgeJson(TypedDict):
    """The verdict of one judge on a decision."""

    program: str
    """The program."""
    level: str
    """The level of its verdict; empty where it does not say."""
    best: str
    """Its best option."""
    loss: float | None
    """The cost of the option that was taken, in points of equity; None where it does not say."""
    other: float | None
    """The cost of the other judge's best option; None where it does not say, and where both have the same best."""


@documented
class CostJson(TypedDict):
    """What the option taken costs by a rollout."""

    option: str
    """The option taken."""
    cost: float
    """Its cost in points of equity against the better of the judges' options; below 0 where it is better."""
    interval: list[float]
    """The interval in which the cost lies with 95 %."""
    right: str
    """``ours`` or ``theirs``, the judge who comes nearer; ``open`` while the interval holds the middle of both."""


@documented
class SettledJson(TypedDict):
    """A rollout between two judges."""

    best: str
    """The better of their options."""
    difference: float
    """By so many points of equity."""
    interval: list[float]
    """The interval in which the difference lies with 95 %."""
    trials: int
    """Games that were played."""
    right: str
    """``ours``, ``theirs``, or ``open`` while the interval holds zero. Where both have the same best: of the cost of
    the option taken.
    """
    words: str
    """The verdict in a sentence or two."""
    made: NotRequired[CostJson]
    """The cost of the option taken, where the judges differ about it."""


@documented
class TwoJudges(TypedDict):
    """A decision that two judges have looked at."""

    game: int
    """The number of the game, from 1."""
    event: int
    """The number of the event, from 1."""
    move: int
    """The number of the move in its game, from 1."""
    player: str
    """The player who decided: ``X`` or ``O``."""
    kind: str
    """The kind of the decision."""
    dice: list[int] | None
    """The roll; None for a decision with the cube."""
    played: str
    """The option that was taken."""
    ours: JudgeJson
    """Our verdict."""
    theirs: JudgeJson
    """The verdict in the file."""
    difference: float
    """How far apart they are, in points of equity."""
    address: str
    """The page that opens it on the analysis board."""
    settled: NotRequired[SettledJson | None]
    """The rollout that settles it; None where none can; left out while none has been made."""


@documented
class JudgesJson(TypedDict):
    """The verdicts of two judges on a match."""

    judges: list[TwoJudges]
    """Every decision that both have judged, those first on which they differ most."""
    judged: int
    """Their number."""
    program: str | None
    """The other program; None where the file has no analysis."""


@documented
class MatchPageJson(LibraryMatchDetails):
    """A match of a library with all that is known of it."""

    title: str
    """The players."""
    report: str | None
    """The page of its report; None without a review."""
    errors: list[BoardFound]
    """The decisions that cost something, the costliest first."""
    marks: list[MarkJson]
    """The marks of the match and of its decisions."""
    judges: list[TwoJudges]
    """The decisions on which another program and we are more than 0.05 apart, the furthest first."""
    judged: int
    """The number of decisions that both have judged."""
    program: str | None
    """The other program; None where the file has no analysis."""


__all__ = [
    "BoardFound", "BoardsJson", "CollectionJson", "CollectionsJson", "CostJson",
    "ErrorRateJson", "ItemJson", "ItemsJson", "JudgeJson", "JudgesJson", "LibraryJson", "MarkJson", "MarksJson",
    "MatchPageJson", "MatchesJson", "PeopleJson", "PersonJson", "PlayerPageJson", "SettledJson", "StudyAnswer",
    "TwoJudges",
]  # fmt: skip

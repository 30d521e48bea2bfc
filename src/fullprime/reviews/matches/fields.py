"""The JSON values of matches in files and in the library, field by field: reviews, lessons, ratings, statistics."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from fullprime.common.documented import documented
from fullprime.reviews.fields import StoredReview


# -- files -----------------------------------------------------------------------------------------------------------
@documented
class FileResult(TypedDict):
    """The end of a game of a file."""

    winner: str
    """The player who won: ``X`` or ``O``."""
    points: int
    """Points won, with the cube; checkers in games that settle by them."""
    level: int | None
    """1 a single game, 2 a gammon, 3 a backgammon, 4 one with the bar; None in games that settle by checkers."""
    how: str
    """The way it ended: ``bear-off``, ``drop`` or ``resignation``."""


@documented
class FileGame(TypedDict):
    """One game of a file."""

    score: list[int]
    """The score before it, X's points first."""
    crawford: bool
    """True if it is the Crawford game."""
    rolls: int
    """The number of rolls thrown, that of the opening with them."""
    set_up: int
    """Boards that were set up because the file went on from another one: illegal plays among them."""
    result: FileResult | None
    """Its result; None for a game that is not over, or cannot be followed to its end."""


@documented
class FileAnalysisJson(TypedDict):
    """The analysis that a file carries."""

    program: str
    """The program that made it."""
    events: int
    """The number of events it covers."""


@documented
class MatchFacts(TypedDict):
    """A match: its people, rules and games."""

    names: list[str]
    """The names of X and O."""
    variant: str
    """The game."""
    game: str
    """The game, in words."""
    length: int
    """Points of the match; 0 for money."""
    info: dict[str, str]
    """Further facts in the file: event, date, place …"""
    date: str
    """The date, as ``2026-11-21`` where it is sure, else as the file writes it; empty for none."""
    score: list[int]
    """The score at the end, X's points first."""
    games: list[FileGame]
    """The games in their order."""
    rolls: int
    """Rolls in all games."""
    illegal: int
    """Illegal plays and set-ups, kept as they are written."""
    comments: int
    """Comments in all games."""
    analysis: FileAnalysisJson | None
    """The analysis in the file; None in a file without one."""


@documented
class FileMatch(MatchFacts):
    """One match of a file."""

    problems: list[str]
    """The faults of its file."""


@documented
class FileJson(TypedDict):
    """A file and the matches in it."""

    file: str
    """Its name."""
    error: NotRequired[str]
    """The reason why it could not be read; the format is left out then."""
    format: NotRequired[str]
    """The short name of the format."""
    title: NotRequired[str]
    """The format in words."""
    matches: list[FileMatch]
    """The matches in it."""


# -- reviews ---------------------------------------------------------------------------------------------------------
@documented
class TallyJson(TypedDict):
    """Decisions added up; a figure that is not known is None."""

    pr: float | None
    """The performance rating: 500 times the mean loss; None where nothing counts."""
    interval: list[float] | None
    """The interval in which the PR lies with 95 %; None for fewer than ten decisions."""
    band: str | None
    """EXtreme Gammon's word for the PR."""
    counted: int
    """Decisions that the rule of eXtreme Gammon counts."""
    loss: float
    """The loss in decisions that count, in points of equity."""
    value_loss: float
    """The same loss in points of the stake, or in chances to win the match."""
    errors: int
    """The number of them that are errors."""
    blunders: int
    """The number of them that are blunders."""
    unclear: int
    """The number of them that are too close to call."""


@documented
class PartJson(TypedDict):
    """A part of somebody's decisions."""

    pr: float | None
    """The performance rating: 500 times the mean loss; None where nothing counts."""
    counted: int
    """Decisions that count."""
    loss: float
    """The loss in decisions that count, in points of equity."""
    value_loss: float
    """The same loss in points of the stake, or in chances to win the match."""


@documented
class RatingJson(TallyJson):
    """The play of one player."""

    title: str | None
    """The class of Janowski's proposal for this PR; None beyond the last one."""
    gnu_rate: float | None
    """GNU Backgammon's error rate: thousandths of a point a decision that its rule counts."""
    gnu_counted: int
    """Decisions that the rule of GNU Backgammon counts."""
    luck: float | None
    """The luck of all rolls, in points of equity."""
    luck_value: float | None
    """The luck of all rolls, in points of the stake, or in chances to win the match."""
    parts: dict[str, PartJson]
    """Checker plays and cube decisions."""
    stages: dict[str, PartJson]
    """The parts by phase of the game."""
    games: dict[str, PartJson]
    """The parts by game, from 1."""
    mistakes: dict[str, PartJson]
    """The parts by kind of cube error."""


@documented
class WithoutLuck(TypedDict):
    """The result of a match: X's points, or X's chance to win it."""

    actual: float
    """The result as it was played."""
    adjusted: float
    """The result without the luck of the dice."""
    luck: float
    """X's luck less O's."""


@documented
class ReviewedJson(TypedDict):
    """A match and the engine's verdicts on it, as ``fullprime review --json`` has it."""

    name: str
    """The file, and which of its matches where it holds several."""
    names: list[str]
    """The names of X and O."""
    length: int
    """Points of the match; 0 for money."""
    variant: str
    """The game."""
    thresholds: str
    """The thresholds in use: ``xg``, ``gnubg``, or those that were given."""
    ratings: dict[str, RatingJson]
    """The ratings of ``X`` and ``O``."""
    result: WithoutLuck | None
    """The result; None while the match goes on, and where a roll could not be judged."""
    problems: list[str]
    """The faults of the file."""
    uncounted: list[str]
    """House rules of the match that no judgement counts, in words: empty under the usual rules."""
    review: StoredReview
    """Every decision and every roll."""


@documented
class TotalJson(TallyJson):
    """The play of one player in several matches of one game."""

    name: str
    """The name of the player."""
    variant: str
    """The game."""
    matches: int
    """The number of matches."""
    won: int
    """Matches won, of those to a number of points."""
    lost: int
    """Matches lost, of those to a number of points."""
    luck: float | None
    """Mean luck a match in points of equity, the opponent's taken off; None where no roll was judged."""


# -- reviews for a page ----------------------------------------------------------------------------------------------
@documented
class ReviewProgress(TypedDict):
    """The progress of the review of a file."""

    match: int
    """The number of the match under way, from 1."""
    name: str
    """Its file."""
    games: int
    """Games of it that are done."""
    of: int
    """Games that it has."""


@documented
class MatchSummary(TypedDict):
    """A reviewed match in a few values."""

    name: str
    """The file, and which of its matches where it holds several."""
    players: list[str]
    """The names of X and O."""
    variant: str
    """The game, in words."""
    length: int
    """Points of the match; 0 for money."""
    level: str
    """The level of the review."""
    program: str
    """The engine and its nets that judged."""
    dated: bool
    """True if these nets have been replaced since: the match may be judged again, and otherwise."""
    games: int
    """Games that were reviewed."""
    of: int
    """Games that there are."""
    complete: bool
    """True if all was reviewed."""
    decisions: int
    """The number of decisions judged."""


@documented
class UnreadJson(TypedDict):
    """A file of which nothing could be reviewed."""

    name: str
    """The name of the file."""
    why: str
    """The reason."""


@documented
class ReviewsJson(TypedDict):
    """The result for a file that was sent to be reviewed."""

    kind: Literal["review"]
    """The kind of this answer."""
    name: str
    """The name of the file."""
    matches: list[MatchSummary]
    """The matches that could be reviewed."""
    unread: list[UnreadJson]
    """The files that could not."""
    formats: dict[str, str]
    """The formats in which a reviewed match can be saved, by name."""


# -- the library -----------------------------------------------------------------------------------------------------
@documented
class LibraryMatch(TypedDict):
    """A match of a list."""

    match: int
    """Its number in the library."""
    names: list[str]
    """The names of X and O."""
    variant: str
    """The game."""
    game: str
    """The game, in words."""
    length: int
    """Points of the match; 0 for money."""
    event: str
    """The event at which it was played; empty where no file says so."""
    date: str | None
    """``2026-11-21``, or a part of it."""
    score: list[int]
    """The score at the end, X's points first."""
    winner: str | None
    """The winner, ``X`` or ``O``; None while nobody has won."""
    games: int
    """The number of games."""
    rolls: int
    """Rolls in all games."""
    reviewed: bool
    """True if there is a review of it."""


@documented
class LibraryCopy(TypedDict):
    """A file in which a match was found."""

    file: str
    """Its name."""
    source: int
    """Its number in the library."""
    format: str
    """The short name of its format."""
    place: int
    """The number of the match in the file, from 1."""
    swapped: bool
    """True if X and O are the other way round there."""
    problems: list[str]
    """The faults of the file."""
    program: str | None
    """The program that made the analysis in the file; None without one."""


@documented
class LibraryReviewed(TypedDict):
    """A review of a match of the library."""

    level: str
    """The level of the review."""
    program: str
    """The engine and its nets."""
    dated: bool
    """True if these nets have been replaced since."""
    complete: bool
    """True if all games were reviewed."""
    games: int
    """Games that were reviewed."""
    decisions: int
    """The number of decisions judged."""
    pr: list[float | None]
    """The PR of X and of O; None where nothing counts."""


@documented
class LibraryMatchDetails(MatchFacts):
    """Everything about one match of the library."""

    match: int
    """Its number."""
    files: list[LibraryCopy]
    """The files in which it was found."""
    reviews: list[LibraryReviewed]
    """The reviews of it."""


@documented
class HitJson(TypedDict):
    """A found board; the fields of a review are None where none was asked."""

    match: int
    """Its match in the library."""
    game: int
    """The number of the game, from 1."""
    event: int
    """The number of the event in the game, from 1."""
    move: int | None
    """The number of the move in its game, from 1."""
    player: str
    """The player who decided; without a decision, the player on roll: ``X`` or ``O``."""
    position: str
    """The board in our text form, the player on roll first."""
    dice: list[int] | None
    """The roll, the higher die first; None before it is thrown."""
    kind: str | None
    """The kind: ``play``, ``double``, ``take``, ``choice`` or ``resignation``."""
    stage: str | None
    """The phase of the game."""
    verdict: str | None
    """The name of the loss."""
    mistake: str | None
    """The kind of a cube error."""
    loss: float | None
    """The loss of the decision."""
    played: str | None
    """The choice that was made."""
    best: str | None
    """The choice of the engine."""
    theme: str | None
    """The sort of the error; None for none."""
    plan: str | None
    """The kind of game of the player who decided; None where no kind is plain."""


@documented
class ErrorRateJson(TypedDict):
    """Decisions added up by the counting rule of eXtreme Gammon."""

    counted: int
    """The number of decisions that count."""
    loss: float
    """The loss in decisions that count, in points of equity."""
    errors: int
    """The number of them that are errors."""
    blunders: int
    """The number of them that are blunders."""
    pr: float | None
    """The performance rating: 500 times the mean loss; None where nothing counts."""
    interval: list[float] | None
    """The interval in which the PR lies with 95 %; None for fewer than ten decisions."""


@documented
class RecordJson(TypedDict):
    """Matches and games won and lost."""

    matches: int
    """The number of matches played."""
    won: int
    """Matches won."""
    lost: int
    """Matches lost."""
    games_won: int
    """Games won."""
    games_lost: int
    """Games lost."""
    gammons_won: int
    """Games won that are worth a gammon or more."""
    gammons_lost: int
    """Games lost that are worth a gammon or more."""
    points_won: int
    """Points won in all games."""
    points_lost: int
    """Points lost in all games."""


@documented
class OpponentJson(TypedDict):
    """The record of one player against one opponent."""

    record: RecordJson
    """Matches and games won and lost."""
    rate: ErrorRateJson
    """The quality of the play."""


@documented
class KindnessJson(TypedDict):
    """One kind of error."""

    kind: str
    """The kind in words."""
    made: int
    """The number of times it was made."""
    of: int
    """Decisions of this kind."""
    loss: float
    """Its cost in points of equity."""


@documented
class ThemeJson(TypedDict):
    """Errors of one theme."""

    theme: str
    """The theme in words, such as ``breaks an anchor too early``."""
    times: int
    """How often it was made."""
    cost: float
    """Its cost, in points of equity."""


@documented
class StatisticsJson(TypedDict):
    """The library's statistics of one person."""

    player: str
    """The person's name."""
    record: RecordJson
    """Matches and games won and lost."""
    reviewed: int
    """Matches with a complete review."""
    overall: ErrorRateJson
    """The error rate over all decisions."""
    luck: float | None
    """Mean luck a reviewed match, in points of equity, the opponent's luck taken off."""
    kinds: dict[str, ErrorRateJson]
    """The error rates by kind of decision."""
    stages: dict[str, ErrorRateJson]
    """The error rates by phase of the game."""
    periods: dict[str, ErrorRateJson]
    """The error rates by period, in order."""
    opponents: dict[str, OpponentJson]
    """The opponents by name, the one met most often first."""
    errors: list[KindnessJson]
    """The most costly first."""
    plans: dict[str, ErrorRateJson]
    """The error rates by the player's plan, judged from the position."""
    scores: dict[str, ErrorRateJson]
    """The error rates by score, as points that the player and the opponent need; the most frequent first."""
    openings: dict[str, ErrorRateJson]
    """The error rates of decisions in the opening, by the first roll of the game: ``31``, or ``against 31``."""
    mistakes: dict[str, ErrorRateJson]
    """What the kinds of cube error cost; here the PR is that of the errors alone."""


# -- a record of a real board ------------------------------------------------------------------------------------------
@documented
class RecordBoard(TypedDict):
    """The board after one line of a record."""

    position: str
    """The position, as the program writes it."""
    rows: dict[str, list[int]]
    """Checkers of X and O, each as its owner sees them: 0 borne off, 1 to 24, 25 the bar, 26 in hand."""
    on_roll: str
    """Whose throw or play it is: ``X`` or ``O``."""
    phase: str
    """What comes next: ``play``, ``roll``, ``cube_decision``, ``choose_double`` …"""
    dice: list[int] | None
    """The roll to play, the higher die first."""
    choose: bool
    """True where a double is to be named."""
    follow_ups: list[str]
    """What this roll still brings, in games where an acey-deucey or a double brings more."""
    winner: str | None
    """Who has won by this line."""
    level: int | None
    """The level of that win."""
    points: int | None
    """The points of that win, with the cube."""


@documented
class FollowedRecord(TypedDict):
    """A game that is being written down, as far as it can be followed."""

    boards: list[RecordBoard]
    """The board after each line, up to the first that cannot be."""
    wrong: str | None
    """Why the next line cannot be; None if all of them can."""

"""Ratings from a review: PR by eXtreme Gammon's counting rule, GNU Backgammon's error rate, luck, the adjusted result.

``docs/review.md`` has every formula and rule with its source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

import numpy as np

from fullprime.common.json_values import MERGED, JsonFields, json_names
from fullprime.reviews.decision import NOTHING, XG, Decision, GameStage, Kind, Thresholds, Verdict
from fullprime.reviews.review import Review
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Player

PR_FACTOR = 500
"""PR is 500 times the mean loss of the decisions that count."""
MILLI = 1000
"""GNU Backgammon states errors in thousandths of a point."""

RESAMPLES = 2000

BANDS: tuple[tuple[float, str], ...] = (
    (2.5, "World Champion"),
    (5.0, "World Class"),
    (7.5, "Expert"),
    (12.5, "Advanced"),
    (17.5, "Intermediate"),
    (22.5, "Casual"),
    (30.0, "Beginner"),
)
"""eXtreme Gammon's words: up to this PR."""
GNU_WORDS: tuple[tuple[float, str], ...] = (
    (2, "Supernatural"),
    (5, "World class"),
    (8, "Expert"),
    (12, "Advanced"),
    (18, "Intermediate"),
    (26, "Casual player"),
    (35, "Beginner"),
)
"""GNU Backgammon's words, each for error rates below its limit, in thousandths a decision."""
TITLES: tuple[tuple[float, str], ...] = (
    (3.0, "Grandmaster 3"), (3.5, "Grandmaster 2"), (4.0, "Grandmaster 1"), (4.6, "Master 3"), (5.3, "Master 2"),
    (6.0, "Master 1"), (7.0, "Advanced 3"), (8.5, "Advanced 2"), (10.0, "Advanced 1"), (12.0, "Intermediate 1"),
    (14.5, "Intermediate 2"), (17.5, "Intermediate 3"),
)  # fmt: skip
"""The classes of Janowski's proposal (2014): up to this PR."""


class RatingPart(StrEnum):
    """The parts of a player's decisions that are rated apart."""

    PLAYS = "checker play"
    DOUBLES = "doubles"
    TAKES = "takes"


_PARTS = {
    Kind.PLAY: RatingPart.PLAYS,
    Kind.CHOICE: RatingPart.PLAYS,
    Kind.DOUBLE: RatingPart.DOUBLES,
    Kind.TAKE: RatingPart.TAKES,
}


@dataclass(frozen=True, slots=True)
class DecisionTally:
    """Decisions added up. A figure that no decision gives is None, never 0."""

    __json__: ClassVar[JsonFields] = json_names(
        "pr", "interval", "band", "counted", "loss", "value_loss", "errors", "blunders", "unclear"
    )

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
    interval: tuple[float, float] | None = None
    """The interval in which the PR lies with 95 %, because of the choice of positions; None for fewer than ten
    decisions, and for a part of a player's decisions.
    """

    @property
    def pr(self) -> float | None:
        """The performance rating: 500 times the mean loss; None where nothing counts."""
        return PR_FACTOR * self.loss / self.counted if self.counted else None

    @property
    def band(self) -> str | None:
        """EXtreme Gammon's word for the PR."""
        pr = self.pr
        return None if pr is None else next((word for most, word in BANDS if pr <= most), "Distracted")


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """One player's ratings."""

    __json__: ClassVar[JsonFields] = json_names(
        "overall", "title", "gnu_rate", "gnu_counted", "luck", "luck_value", "parts", "stages", "games", "mistakes",
        games="numbered_games",
    )  # fmt: skip

    player: Player
    overall: DecisionTally = field(metadata=MERGED)
    """All decisions."""
    parts: dict[str, DecisionTally]
    """Checker plays and cube decisions."""
    stages: dict[str, DecisionTally]
    """The decisions by phase of the game."""
    games: dict[int, DecisionTally]
    mistakes: dict[str, DecisionTally] = field(default_factory=dict)
    """The decisions by kind of cube error."""
    gnu_rate: float | None = None
    """GNU Backgammon's error rate: thousandths of a point a decision that its rule counts."""
    gnu_counted: int = 0
    """Decisions that the rule of GNU Backgammon counts."""
    luck: float | None = None
    """The luck of all rolls, in points of equity."""
    luck_value: float | None = None
    """The luck of all rolls, in points of the stake, or in chances to win the match."""
    rolls: int = 0

    @property
    def numbered_games(self) -> dict[str, DecisionTally]:
        """The decisions by game, from 1."""
        return {str(game + 1): tally for game, tally in self.games.items()}

    @property
    def pr(self) -> float | None:
        """The PR over all."""
        return self.overall.pr

    @property
    def band(self) -> str | None:
        """EXtreme Gammon's word for the PR."""
        return self.overall.band

    @property
    def gnu_word(self) -> str | None:
        """GNU Backgammon's word for the error rate."""
        rate = self.gnu_rate
        return None if rate is None else next((word for below, word in GNU_WORDS if rate < below), "Awful!")

    @property
    def title(self) -> str | None:
        """The class of Janowski's proposal for this PR; None beyond the last one."""
        return None if self.pr is None else next((word for most, word in TITLES if self.pr <= most), None)


def tally(decisions: Iterable[Decision], thresholds: Thresholds = XG, *, interval: bool = False) -> DecisionTally:
    """The decisions that count, added up."""
    counted = [decision for decision in decisions if decision.counts]
    verdicts = [decision.verdict(thresholds) for decision in counted]
    losses = np.array([decision.loss for decision in counted])
    return DecisionTally(
        len(counted),
        float(losses.sum()),
        sum(decision.value_loss for decision in counted),
        verdicts.count(Verdict.ERROR),
        verdicts.count(Verdict.BLUNDER),
        verdicts.count(Verdict.UNCLEAR),
        _interval(losses) if interval else None,
    )


def rating(review: Review, player: Player, thresholds: Thresholds = XG) -> PlayerRating:
    """Everything that the review says of a player."""
    mine = [decision for decision in review.decisions if decision.player is player]
    rolls = [roll for roll in review.rolls if roll.player is player]
    gnu = [decision.loss for decision in mine if decision.counts_gnu]

    def tally_by(key: Callable[[Decision], object], among: Iterable[object]) -> dict[object, DecisionTally]:
        return {name: tally([decision for decision in mine if key(decision) == name], thresholds) for name in among}

    mistakes = sorted(
        {decision.mistake for decision in mine if decision.counts and decision.mistake and decision.loss > NOTHING}
    )
    return PlayerRating(
        player=player,
        overall=tally(mine, thresholds, interval=True),
        parts={
            str(name): tally for name, tally in tally_by(lambda decision: _PARTS.get(decision.kind), RatingPart).items()
        },
        stages={
            str(name): tally
            for name, tally in tally_by(lambda decision: decision.stage, GameStage).items()
            if tally.counted
        },
        games={
            int(str(name)): tally
            for name, tally in tally_by(lambda decision: decision.game, range(review.games)).items()
        },
        mistakes={str(name): tally for name, tally in tally_by(lambda decision: decision.mistake, mistakes).items()},
        gnu_rate=MILLI * sum(gnu) / len(gnu) if gnu else None,
        gnu_counted=len(gnu),
        luck=sum(roll.luck for roll in rolls) if rolls else None,
        luck_value=sum(roll.value for roll in rolls) if rolls else None,
        rolls=len(rolls),
    )


def _interval(losses: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float] | None:
    """95 % of the means of resampled decisions, times 500 (percentile bootstrap, Efron 1979); None below ten."""
    if len(losses) < 10:
        return None
    picks = np.random.default_rng(1979).integers(0, len(losses), (RESAMPLES, len(losses)))
    low, high = np.quantile(losses[picks].mean(axis=1), (0.025, 0.975))
    return float(PR_FACTOR * low), float(PR_FACTOR * high)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match with and without the luck: X's points, or X's chance to win it."""

    actual: float
    """The result as it was played."""
    adjusted: float
    """The result without the luck of the dice."""
    luck: float
    """X's luck less O's."""

    @property
    def chance(self) -> float:
        """The adjusted result of a match as a chance: the estimate may lie outside of what is possible."""
        return min(1.0, max(0.0, self.adjusted))


def adjusted_result(match: Match, review: Review) -> MatchResult | None:
    """The result less the luck in it.

    None while the match goes on, where a roll could not be judged, for a match whose last game was not played out, and
    for games for money of which one was not: a loss on time, a forfeit or a settlement is neither luck nor play.
    """
    thrown = sum(_is_roll(event) for record in match.games for event in record.events)
    judged = sum(_is_roll(match.games[roll.game].events[roll.event]) for roll in review.rolls)
    if not review.complete or judged < thrown or not match.games:
        return None
    if match.settings.is_match:
        if not _was_played_out(match.games[-1]):
            return None
        winner = match.score.match_winner(match.settings)
        if winner is None:
            return None
        actual = 1.0 if winner is Player.X else 0.0
    else:
        results = [record.result for record in match.games]
        if any(result is None for result in results) or not all(map(_was_played_out, match.games)):
            return None
        actual = float(
            sum(result.points if result.winner is Player.X else -result.points for result in results if result)
        )
    luck = sum(roll.value if roll.player is Player.X else -roll.value for roll in review.rolls)
    return MatchResult(actual, actual - luck, luck)


def _was_played_out(record: GameRecord) -> bool:
    """False where the result does not follow from the actions: a file states it, or a forfeit was set up as the end."""
    return record.stated is None and not (record.events and isinstance(record.events[-1], Setup))


def _is_roll(event: Event) -> bool:
    return isinstance(event, Action) and event.kind is ActionKind.ROLL

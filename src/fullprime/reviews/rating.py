"""Ratings from a review: PR by eXtreme Gammon's counting rule, GNU Backgammon's error rate, luck, the adjusted result.

``docs/review.md`` has every formula and rule with its source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from fullprime.reviews.decision import NOTHING, XG, Decision, GameStage, Kind, Thresholds, Verdict
from fullprime.reviews.review import Review
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import Event, Match
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

    counted: int
    """Decisions that eXtreme Gammon's rule counts."""
    loss: float
    """In points of equity, of those."""
    value_loss: float
    """In points of the stake, or in chances to win the match."""
    errors: int
    blunders: int
    unclear: int
    interval: tuple[float, float] | None = None
    """The 95 % interval of the PR: chance in the choice of positions moves it so far."""

    @property
    def pr(self) -> float | None:
        """500 times the mean loss; None where nothing counts."""
        return PR_FACTOR * self.loss / self.counted if self.counted else None

    @property
    def band(self) -> str | None:
        """EXtreme Gammon's word for the PR."""
        pr = self.pr
        return None if pr is None else next((word for most, word in BANDS if pr <= most), "Distracted")


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """One player's ratings."""

    player: Player
    overall: DecisionTally
    parts: dict[str, DecisionTally]
    stages: dict[str, DecisionTally]
    games: dict[int, DecisionTally]
    mistakes: dict[str, DecisionTally] = field(default_factory=dict)
    """By kind of cube error."""
    gnu_rate: float | None = None
    """GNU Backgammon's error rate: thousandths of a point a decision that its rule counts."""
    gnu_counted: int = 0
    luck: float | None = None
    """In points of equity, over all rolls."""
    luck_value: float | None = None
    """In points of the stake, or in chances to win the match."""
    rolls: int = 0

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
        """The class of Janowski's proposal; None beyond the last one."""
        return None if self.pr is None else next((word for most, word in TITLES if self.pr <= most), None)


def tally(decisions: Iterable[Decision], thresholds: Thresholds = XG, *, interval: bool = False) -> DecisionTally:
    """The decisions that count, added up."""
    counted = [each for each in decisions if each.counts]
    verdicts = [each.verdict(thresholds) for each in counted]
    losses = np.array([each.loss for each in counted])
    return DecisionTally(
        len(counted),
        float(losses.sum()),
        sum(each.value_loss for each in counted),
        verdicts.count(Verdict.ERROR),
        verdicts.count(Verdict.BLUNDER),
        verdicts.count(Verdict.UNCLEAR),
        _interval(losses) if interval else None,
    )


def rating(review: Review, player: Player, thresholds: Thresholds = XG) -> PlayerRating:
    """Everything that the review says of a player."""
    mine = [each for each in review.decisions if each.player is player]
    rolls = [each for each in review.rolls if each.player is player]
    gnu = [each.loss for each in mine if each.counts_gnu]

    def split(key: Callable[[Decision], object], among: Iterable[object]) -> dict[object, DecisionTally]:
        return {name: tally([each for each in mine if key(each) == name], thresholds) for name in among}

    mistakes = sorted({each.mistake for each in mine if each.counts and each.mistake and each.loss > NOTHING})
    return PlayerRating(
        player=player,
        overall=tally(mine, thresholds, interval=True),
        parts={str(name): found for name, found in split(lambda each: _PARTS.get(each.kind), RatingPart).items()},
        stages={str(name): found for name, found in split(lambda each: each.stage, GameStage).items() if found.counted},
        games={int(str(name)): found for name, found in split(lambda each: each.game, range(review.games)).items()},
        mistakes={str(name): found for name, found in split(lambda each: each.mistake, mistakes).items()},
        gnu_rate=MILLI * sum(gnu) / len(gnu) if gnu else None,
        gnu_counted=len(gnu),
        luck=sum(each.luck for each in rolls) if rolls else None,
        luck_value=sum(each.value for each in rolls) if rolls else None,
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
    adjusted: float
    luck: float
    """X's luck less O's."""

    @property
    def chance(self) -> float:
        """The adjusted result of a match as a chance: the estimate may lie outside of what is possible."""
        return min(1.0, max(0.0, self.adjusted))


def adjusted_result(match: Match, review: Review) -> MatchResult | None:
    """The result less the luck in it.

    None while the match goes on, where a roll could not be judged, and for a match whose last game was not played out:
    a loss on time is neither luck nor play.
    """
    thrown = sum(_is_roll(event) for record in match.games for event in record.events)
    judged = sum(_is_roll(match.games[each.game].events[each.event]) for each in review.rolls)
    if not review.complete or judged < thrown or not match.games:
        return None
    if match.settings.is_match:
        if match.games[-1].stated is not None:
            return None
        winner = match.score.match_winner(match.settings)
        if winner is None:
            return None
        actual = 1.0 if winner is Player.X else 0.0
    else:
        results = [record.result for record in match.games]
        if any(each is None for each in results):
            return None
        actual = float(sum(each.points if each.winner is Player.X else -each.points for each in results if each))
    luck = sum(each.value if each.player is Player.X else -each.value for each in review.rolls)
    return MatchResult(actual, actual - luck, luck)


def _is_roll(event: Event) -> bool:
    return isinstance(event, Action) and event.kind is ActionKind.ROLL

"""The laboratory: what house rules do to a game, by games of the engine against itself with and without them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fullprime.play.options.houses import house_page
from fullprime.play.options.options import make_settings
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Settings
from fullprime.rules.variants.variant import Settlement

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fullprime.engine.house_games import HouseGames

GAMES, FEWEST, MOST = 10_000, 100, 1_000_000
_BATCH = 250
_Z = 1.96
"""Standard errors on either side of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with the half of its interval of 95 %."""

    value: float
    """The figure."""
    margin: float
    """The figure lies so far on either side, 95 times in 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabSide:
    """The games that were played under one set of rules."""

    games: int
    """Games played."""
    opener: Estimate
    """Points a game that the opener has won from the other."""
    opener_wins: Estimate
    """The share of games that the opener has won."""
    gammons: Estimate
    """The share of games that were worth a gammon or more; 0 where checkers are counted."""
    backgammons: Estimate
    """The share of games that were worth a backgammon or more."""
    drops: Estimate
    """The share of games that ended with a dropped double."""
    rolls: Estimate
    """Rolls a game, dances included."""
    size: Estimate
    """Points that change hands a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabFinding:
    """What the rules do, in one respect."""

    name: str
    """``opener``, ``opener_wins``, ``gammons``, ``backgammons``, ``drops``, ``rolls``, ``size`` or ``stake``."""
    change: Estimate
    """The figure with the rules less that without; for ``stake`` the fair stake, as a multiple of the usual one."""
    clear: bool
    """False where the games are too few to say that there is a change at all."""
    words: str
    """The same in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabProgress:
    """How far the laboratory is."""

    done: int
    """Games played, of both kinds."""
    of: int
    """Games to be played."""
    seconds: float
    """The time they took so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabResult:
    """What the rules of a house do to a game."""

    variant: str
    """The game."""
    title: str
    """Its name in words."""
    rules: Mapping[str, str]
    """The rules that were looked at: those that differ from the usual ones."""
    usual: LabSide
    """Without them."""
    house: LabSide
    """With them."""
    findings: tuple[LabFinding, ...]
    """What they change."""
    seed: int
    """The dice follow from it."""
    seconds: float
    """The time it took."""
    kind: Literal["lab"] = "lab"
    """The kind of this answer."""


def laboratory(
    variant: str,
    rules: Mapping[str, str],
    *,
    games: int = GAMES,
    seed: int = 1,
    threads: int = 1,
    progress: Callable[[LabProgress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> LabResult:
    """Play ``games`` games for money with the rules and as many without, and compare.

    When it is stopped, the games that both kinds have by then are compared. Raises SettingsError for rules that are the
    usual ones, exclude each other or belong to a match, and Stopped when there are too few games to say anything.
    """
    if not FEWEST <= games <= MOST:
        raise SettingsError(f"games are {FEWEST} to {MOST}, not {games}")
    page = house_page(variant, rules)
    differs = {name: value for name, value in page.rules.items() if name != "stake"}
    if "length" in differs:
        raise SettingsError("the laboratory looks at single games for money: leave the length of a match out")
    if not differs:
        raise SettingsError(f"these are the usual rules of {page.title}: change an option to see what it does")
    house = make_settings(variant, rules=[f"{name}={value}" for name, value in differs.items()], default_length=0)
    usual = make_settings(variant, default_length=0)
    begun = time.monotonic()
    played = _play_games((usual, house), games, seed, threads, progress, stop)
    sides = [_side(batches) for batches in played]
    return LabResult(
        variant=page.variant, title=page.title, rules=differs, usual=sides[0], house=sides[1],
        findings=_findings(sides[0], sides[1], house), seed=seed, seconds=round(time.monotonic() - begun, 3),
    )  # fmt: skip


def _play_games(
    both: tuple[Settings, Settings],
    games: int,
    seed: int,
    threads: int,
    progress: Callable[[LabProgress], None] | None,
    stop: Callable[[], bool] | None,
) -> list[list[HouseGames]]:
    from fullprime.engine.engine import Engine
    from fullprime.engine.house_games import play_house_games
    from fullprime.engine.search.budget import Stopped
    from fullprime.engine.warmup import prepare

    engines = [Engine.open(settings.variant, "fast", threads) for settings in both]
    for engine in engines:
        prepare(engine)
    collected: list[list[HouseGames]] = [[], []]
    begun, done = time.monotonic(), 0
    try:
        for first in range(0, games, _BATCH):
            batch = range(first, min(first + _BATCH, games))
            pair = []
            for engine, settings in zip(engines, both, strict=True):
                pair.append(play_house_games(engine, settings, batch, seed, stop))
                done += len(batch)
                if progress is not None:
                    progress(LabProgress(done=done, of=2 * games, seconds=round(time.monotonic() - begun, 1)))
            for batches, games_played in zip(collected, pair, strict=True):
                batches.append(games_played)
    except Stopped:
        if not collected[0]:
            raise
    return collected


def _side(parts: Sequence[HouseGames]) -> LabSide:
    import numpy as np

    points = np.concatenate([part.points for part in parts])
    levels = np.concatenate([part.levels for part in parts])
    return LabSide(
        games=len(points),
        opener=_mean(points),
        opener_wins=_mean((points > 0).astype(float)),
        gammons=_mean((levels >= 2).astype(float)),
        backgammons=_mean((levels >= 3).astype(float)),
        drops=_mean(np.concatenate([part.dropped for part in parts]).astype(float)),
        rolls=_mean(np.concatenate([part.plies for part in parts]).astype(float)),
        size=_mean(np.abs(points)),
    )


def _mean(values: npt.NDArray[np.float64]) -> Estimate:
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return _estimate(float(values.mean()), _Z * error)


def _estimate(value: float, margin: float) -> Estimate:
    return Estimate(round(value, 6), round(margin, 6))


# -- findings -------------------------------------------------------------------------------------------------------
_Words = Callable[[str], str]
_SAID: Mapping[str, tuple[_Words, _Words, _Words]] = {
    "opener": (
        lambda change: f"The opener gains {change} points a game.",
        lambda change: f"The opener loses {change} points a game.",
        lambda margin: f"Neither side gains, as far as these games can tell ({margin} points a game).",
    ),
    "gammons": (
        lambda change: f"Gammons become more frequent by {change} % of the games.",
        lambda change: f"Gammons become rarer by {change} % of the games.",
        lambda margin: f"Gammons are as frequent as without ({margin} % of the games).",
    ),
    "backgammons": (
        lambda change: f"Backgammons become more frequent by {change} % of the games.",
        lambda change: f"Backgammons become rarer by {change} % of the games.",
        lambda margin: f"Backgammons are as frequent as without ({margin} % of the games).",
    ),
    "drops": (
        lambda change: f"More games end with a drop, by {change} % of the games.",
        lambda change: f"Fewer games end with a drop, by {change} % of the games.",
        lambda margin: f"As many games end with a drop ({margin} % of the games).",
    ),
    "rolls": (
        lambda change: f"Games are longer by {change} rolls.",
        lambda change: f"Games are shorter by {change} rolls.",
        lambda margin: f"Games are as long as without ({margin} rolls).",
    ),
    "size": (
        lambda change: f"More changes hands, {change} points a game.",
        lambda change: f"Less changes hands, {change} points a game.",
        lambda margin: f"As much changes hands ({margin} points a game).",
    ),
}
"""What is said of a figure that grows, of one that shrinks, and of one whose change is not clear.

Each is a whole sentence, so that it can be put into another language.
"""
_SCALES: Mapping[str, tuple[float, int]] = {
    "opener": (1, 3), "gammons": (100, 1), "backgammons": (100, 1), "drops": (100, 1), "rolls": (1, 1), "size": (1, 3),
}  # fmt: skip
"""The factor by which a figure is shown, and its digits."""


def _findings(usual: LabSide, house: LabSide, settings: Settings) -> tuple[LabFinding, ...]:
    names = ["opener", "gammons", "backgammons", "drops", "rolls", "size"]
    if settings.variant.settlement is not Settlement.GAMES:
        names = ["opener", "rolls", "size"]
    if not settings.variant.cube:
        names = [name for name in names if name != "drops"]
    changes = (_finding(name, getattr(usual, name), getattr(house, name)) for name in names)
    return (*changes, _stake(usual.size, house.size))


def _finding(name: str, before: Estimate, after: Estimate) -> LabFinding:
    value, margin = after.value - before.value, math.hypot(before.margin, after.margin)
    clear = abs(value) > margin
    (more, less, same), (scale, digits) = _SAID[name], _SCALES[name]
    interval = f"± {margin * scale:.{digits}f}"
    changed = more if value > 0 else less
    words = changed(f"{abs(value) * scale:.{digits}f} {interval}") if clear else same(interval)
    return LabFinding(name=name, change=_estimate(value, margin), clear=clear, words=words)


def _stake(before: Estimate, after: Estimate) -> LabFinding:
    """The stake at which as much changes hands a game as by the usual rules."""
    value = before.value / after.value
    margin = value * math.hypot(before.margin / before.value, after.margin / after.value)
    clear = abs(value - 1) > margin
    words = f"The fair stake is {value:.2f} ± {margin:.2f} times the usual one: then as much changes hands a game."
    if not clear:
        words = f"The usual stake is fair (it is {value:.2f} ± {margin:.2f} times itself)."
    return LabFinding(name="stake", change=_estimate(value, margin), clear=clear, words=words)


__all__ = ["FEWEST", "GAMES", "MOST", "Estimate", "LabFinding", "LabProgress", "LabResult", "LabSide", "laboratory"]

"""Duels: cubeless money games in mirrored pairs. Both games of a pair have the same dice, with the seats exchanged.

All games of a batch go on side by side, and each player is asked about all positions in which it is his turn. The dice
of a pair depend on the seed and on the number of the pair alone, so that a result can be repeated in other batches.
With a judge of luck the result is also given without the luck of the dice, which is most of its noise.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

import numpy as np
import numpy.typing as npt

from fullprime.engine.bots.batch import BatchPlayer
from fullprime.engine.cube.probabilities import equity
from fullprime.engine.nets.evaluator import Boards, counts_checkers, find_outcomes, starting_boards
from fullprime.engine.rollouts.luck import LuckJudge
from fullprime.engine.search.searcher import Ends
from fullprime.rules.errors import FullprimeError
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import OpeningDice, Variant
from fullprime.rules.words import format_players, format_signed

_BLOCK = 256
_LONGEST = 5000


class DuelError(FullprimeError):
    """A duel with impossible arguments."""


@dataclass(frozen=True, slots=True)
class DuelResult:
    """The result of a duel. Points belong to the first player; pairs of counts are (first, second)."""

    names: tuple[str, str]
    games: int
    points: float
    """Points a game."""
    error: float | None
    """Standard error over pairs; None for a single pair."""
    fair_points: float | None
    """Points a game with the luck of the dice taken out; None without a judge of luck."""
    fair_error: float | None
    wins: tuple[int, int]
    gammons: tuple[int, int]
    """Games won that are worth a gammon or more; zero in games settled by checkers."""
    backgammons: tuple[int, int]
    plies: float
    """Rolls a game, dances included."""
    milliseconds: tuple[float, float]
    """Time for a play."""
    seconds: float

    def _repr_html_(self) -> str:
        """The result in a notebook."""
        return f"<pre>{escape(str(self))}</pre>"

    @property
    def clearest(self) -> tuple[float, float | None]:
        """Points a game and their error, without the luck of the dice where it was judged."""
        return (self.points, self.error) if self.fair_points is None else (self.fair_points, self.fair_error)

    def __str__(self) -> str:
        error = "" if self.error is None else f" ± {self.error:.4f}"
        points = f"{format_signed(self.points, 4)}{error}"
        lines = [f"{format_players(self.names)}: {points} points a game over {self.games} games"]
        if self.fair_points is not None:
            fair = "" if self.fair_error is None else f" ± {self.fair_error:.4f}"
            lines.append(f"  with the luck of the dice taken out: {format_signed(self.fair_points, 4)}{fair}")
        lines.append(f"  {'':<14}{'wins':>9}{'gammons':>9}{'backgammons':>13}{'ms a play':>12}")
        for side, name in enumerate(self.names):
            lines.append(
                f"  {name:<14}{self.wins[side]:>9}{self.gammons[side]:>9}{self.backgammons[side]:>13}"
                f"{self.milliseconds[side]:>12.3f}"
            )
        lines.append(f"  {self.plies:.1f} rolls a game, {self.seconds:.1f} s")
        return "\n".join(lines)


@dataclass(slots=True)
class _Sheet:
    points: list[npt.NDArray[np.float64]] = field(default_factory=list)
    """By batch: points of the first player in both games of each pair, (2, pairs)."""
    sizes: list[npt.NDArray[np.float64]] = field(default_factory=list)
    luck: list[npt.NDArray[np.float64]] = field(default_factory=list)
    """The same for the luck of the first player."""
    plies: int = 0
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    choices: list[int] = field(default_factory=lambda: [0, 0])


def duel(
    first: BatchPlayer,
    second: BatchPlayer,
    *,
    variant: Variant = BACKGAMMON,
    games: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    luck: LuckJudge | None = None,
    progress: Callable[[DuelResult], None] | None = None,
) -> DuelResult:
    """Play ``games`` games (an odd number is made even), or pairs for about this number of seconds.

    ``luck`` judges the dice; the result without them stands beside the other. A batch that has begun is finished.
    A player who throws again keeps his turn. Raises DuelError for a game in which acey-deuceys double the stake.
    """
    if variant.acey_deucey_doubles_stake:
        raise DuelError(f"{variant.title}: a duel does not double the stake with every acey-deucey")
    if (games is None) == (seconds is None):
        raise DuelError("a duel takes a number of games or of seconds, one of the two")
    if (games is not None and games < 1) or (seconds is not None and seconds <= 0):
        raise DuelError(f"a duel of {games} games or {seconds} seconds: nothing would be played")
    sheet = _Sheet()
    begun = time.perf_counter()
    finished, size = 0, 500 if first.in_batches and second.in_batches else 8
    total = None if games is None else -(-games // 2)
    while True:
        count = size if total is None else min(size, total - finished)
        _play(first, second, variant, range(finished, finished + count), seed, sheet, luck)
        finished += count
        passed = time.perf_counter() - begun
        result = _result((first.name, second.name), sheet, counts_checkers(variant), passed)
        if progress is not None:
            progress(result)
        if finished == total or (seconds is not None and passed >= seconds):
            return result
        if seconds is not None:
            size = max(1, min(2000, int(0.25 * finished * max(seconds - passed, 0.0) / passed)))


def _play(
    first: BatchPlayer,
    second: BatchPlayer,
    variant: Variant,
    pairs: range,
    seed: int,
    sheet: _Sheet,
    luck: LuckJudge | None = None,
) -> None:
    count = len(pairs)
    streams = [np.random.default_rng((seed, pair)) for pair in pairs]
    points, sizes, brought = np.zeros(2 * count), np.zeros(2 * count), np.zeros(2 * count)
    boards = starting_boards(variant, 2 * count)
    running = np.arange(2 * count)
    ours = running < count  # the first half is opened by the first player, the other by the second
    table = np.zeros((count, 0, 2), np.int8)
    for ply in range(_LONGEST):
        if ply % _BLOCK == 0:
            table = np.stack([_dice(stream, variant, opening=ply == 0) for stream in streams])
        dice = table[running % count, ply % _BLOCK]
        mine = ours[running]
        sheet.plies += len(running)
        if luck is not None and ply:  # both games of a pair open with the same roll
            gained = luck.measure(boards[running], dice)
            brought[running] += np.where(mine, gained, -gained)
        for side, player, turn in ((0, first, mine), (1, second, ~mine)):
            if turn.any():
                start = time.perf_counter()
                ends = player.choose(boards[running[turn]], dice[turn])
                sheet.seconds[side] += time.perf_counter() - start
                sheet.choices[side] += int(turn.sum())
                boards[running[turn]] = ends.boards
                ours[running[turn]] ^= ~ends.again
        over, outcomes = find_outcomes(boards[running], variant)
        if over.any():
            gained = -equity(outcomes[over], variant)  # the player on roll now has lost
            points[running[over]] = np.where(ours[running[over]], -gained, gained)
            sizes[running[over]] = gained
            running = running[~over]
        if not len(running):
            sheet.points.append(points.reshape(2, count))
            sheet.sizes.append(sizes)
            if luck is not None:
                sheet.luck.append(brought.reshape(2, count))
            return
    raise DuelError(f"{len(running)} games have not ended after {_LONGEST} rolls")


def sample_games(
    player: BatchPlayer, variant: Variant, *, pairs: int, seed: int, met: list[tuple[Boards, npt.NDArray[np.int8]]]
) -> None:
    """Games of a player against himself; ``met`` takes the positions (n, 32) and the rolls (n, 2) that come up."""

    class Watched:
        name, in_batches = player.name, player.in_batches

        def choose(self, boards: Boards, dice: npt.NDArray[np.int8]) -> Ends:
            met.append((boards.copy(), dice.copy()))
            return player.choose(boards, dice)

    _play(Watched(), Watched(), variant, range(pairs), seed, _Sheet())


def _dice(stream: np.random.Generator, variant: Variant, *, opening: bool) -> npt.NDArray[np.int8]:
    """The next rolls of a pair; a roll that decides the opening and is played is no double."""
    dice = stream.integers(1, 7, (_BLOCK, 2), dtype=np.int8)
    if opening and variant.opening_dice is OpeningDice.PLAY:
        while dice[0, 0] == dice[0, 1] or (variant.reroll_opening_acey_deucey and sorted(dice[0].tolist()) == [1, 2]):
            dice[0] = stream.integers(1, 7, 2, dtype=np.int8)
    return dice


def _result(names: tuple[str, str], sheet: _Sheet, checkers: bool, seconds: float) -> DuelResult:
    points = np.concatenate(sheet.points, axis=1)
    means = points.mean(axis=0)
    fair = means - np.concatenate(sheet.luck, axis=1).mean(axis=0) if sheet.luck else None
    sizes = np.concatenate([part.reshape(2, -1) for part in sheet.sizes], axis=1)
    won = points > 0

    def counts(least: float) -> tuple[int, int]:
        large = sizes >= least
        return int((won & large).sum()), int((~won & large).sum())

    milliseconds = [1000 * spent / max(1, choices) for spent, choices in zip(sheet.seconds, sheet.choices, strict=True)]
    return DuelResult(
        names=names,
        games=points.size,
        points=float(means.mean()),
        error=_standard_error(means),
        fair_points=None if fair is None else float(fair.mean()),
        fair_error=None if fair is None else _standard_error(fair),
        wins=(int(won.sum()), int((~won).sum())),
        gammons=(0, 0) if checkers else counts(2),
        backgammons=(0, 0) if checkers else counts(3),
        plies=sheet.plies / points.size,
        milliseconds=(milliseconds[0], milliseconds[1]),
        seconds=seconds,
    )


def _standard_error(values: npt.NDArray[np.float64]) -> float | None:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else None

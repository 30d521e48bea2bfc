"""The making of puzzles: games of self-play are searched for rolls with one best and one tempting play.

A roll is looked at when a weaker player would go wrong: the bot of a few rules, or a level that misjudges. The engine
must see the best play in front by a margin, without looking ahead and at one ply; a rollout, cut after a few plies,
must confirm it: the best ahead of every other candidate by the margin and by more than two joint standard errors, and
the tempting play worse by its own margin. Trials go on in rounds, and end as soon as both answers are clear.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fullprime.engine import shared
from fullprime.engine.boards.follow_ups import follow_ups_of
from fullprime.engine.bots.bots import best_play
from fullprime.engine.rollouts.rollout import Candidate, Rollout, TrialPolicy, resume, rollout
from fullprime.learn.puzzles.puzzle import LEVELS, Puzzle
from fullprime.learn.puzzles.theme import theme_of
from fullprime.rules.dice import Roll
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import Position

if TYPE_CHECKING:
    from fullprime.engine.engine import Engine
    from fullprime.engine.search.results import Ranking
    from fullprime.rules.variants.variant import Variant

ROUNDS, CUT = (36, 72, 108, 216), 6
"""The trials of a verifying rollout, round by round, and the plies after which they are cut."""
FAR = 0.16
"""A play this far behind at one ply is not rolled out, unless it is the tempting one."""
SEEN = 0.015
"""The lead that the best play must have already without look-ahead; with less, one ply confirms hardly any."""
APART, SURE = 4.0, 2.0
"""Joint standard errors by which the best must be ahead before the last round, and by which all figures must be inside
their bounds with fewer trials than ``ENOUGH``.
"""
ENOUGH = 108
MARGIN, LEAST, MOST = 0.035, 0.05, 0.6
"""The least lead of the best play before the second, and the least and greatest cost of the tempting play."""
PER_CHECKER = 4.0
"""The factor by which the margins are larger in a game settled by checkers."""
_LONGEST = 300
"""Turns after which a game of self-play ends in any case."""
_A_GAME = 5
"""The most puzzles of one game, because its positions resemble each other."""
_WILD = ("beginner", "casual")
"""Levels whose errors do not make a puzzle: stronger players are not tempted by them."""
_PLAYING_LEVELS = ("0-ply", "expert", "advanced")
"""The levels that play the games of self-play, one of them a game."""


@dataclass(frozen=True, slots=True)
class SelfPlayPuzzles:
    """The result of one game of self-play: its number, and the puzzles in it."""

    game: int
    puzzles: tuple[Puzzle, ...]


def make(variant: Variant, start: int = 1, stop: Callable[[], bool] = lambda: False) -> Iterator[SelfPlayPuzzles]:
    """Make puzzles from self-play, game by game from number ``start``, for ever or until ``stop`` says so.

    A game and its puzzles are a function of the variant, the number and the nets.
    """
    engine = shared.engine_for(variant)
    game = start
    while not stop():
        yield SelfPlayPuzzles(game, tuple(_Game(engine, game).puzzles(stop)))
        game += 1


class _Game:
    """One game of self-play, and the puzzles in it."""

    def __init__(self, engine: Engine, number: int) -> None:
        self._engine, self._variant, self._number = engine, engine.variant, number
        self._random = random.Random(f"puzzles:{engine.variant.name}:{number}")
        self._unit = PER_CHECKER if engine.per_checker else 1.0

    def puzzles(self, stop: Callable[[], bool]) -> Iterator[Puzzle]:
        position, manner = self._variant.starting_position, _PLAYING_LEVELS[self._number % len(_PLAYING_LEVELS)]
        left = _A_GAME
        for turn in range(_LONGEST):
            if position.is_over or not left or stop():
                return
            roll = Roll(self._random.randint(1, 6), self._random.randint(1, 6))
            if turn == 0 and roll.is_double:
                continue
            puzzle = self._puzzle(position, roll, turn)
            if puzzle is not None:
                yield puzzle
                left -= 1
            position = self._engine.best_play(position, roll, level=manner, follow_ups=()).position

    def _puzzle(self, position: Position, roll: Roll, turn: int) -> Puzzle | None:
        if follow_ups_of(roll, self._variant):
            return None  # A puzzle is one play; these rolls go on.
        plays = tuple(sorted(legal_plays(position, roll, self._variant), key=lambda play: play.after.text))
        if len(plays) < 4:
            return None
        static = self._rank(position, roll, "0-ply")
        simple = best_play(plays, self._variant)
        near = static.find(simple.after)
        misled = near is not None and self._tempts(near.loss)
        if static[1].loss < SEEN * self._unit:
            return None
        # Rolls whose best play everybody sees are left alone before any depth is asked for.
        if not misled and static[1].loss > 0.05 * self._unit and not self._errs(position, roll, static):
            return None
        ranking = self._rank(position, roll, "1-ply")
        if ranking[1].loss < MARGIN * self._unit:
            return None
        level, wrong = self._strongest_wrong(position, roll, ranking)
        if level is None or wrong is None or (not misled and level in _WILD):
            return None
        return self._verify(position, roll, ranking, plays, simple if misled else wrong, level, turn)

    def _errs(self, position: Position, roll: Roll, static: Ranking) -> bool:
        """True if a level that may tempt others goes wrong, as judged without look-ahead."""
        for level in LEVELS:
            if level not in _WILD:
                ranked = static.find(self._engine.best_play(position, roll, level=level, follow_ups=()).after)
                if ranked is not None and ranked.loss >= 0.6 * LEAST * self._unit:
                    return True
        return False

    def _rank(self, position: Position, roll: Roll, level: str) -> Ranking:
        return self._engine.rank_plays(position, roll, level=level, follow_ups=())

    def _tempts(self, loss: float) -> bool:
        return LEAST * self._unit <= loss <= MOST * self._unit

    def _strongest_wrong(self, position: Position, roll: Roll, ranking: Ranking) -> tuple[str | None, Play | None]:
        """The strongest level that goes wrong, and its play."""
        for level in reversed(LEVELS):
            play = self._engine.best_play(position, roll, level=level, follow_ups=())
            ranked = ranking.find(play.after)
            if ranked is not None and self._tempts(ranked.loss):
                return level, play
        return None, None

    def _verify(
        self,
        position: Position,
        roll: Roll,
        ranking: Ranking,
        plays: tuple[Play, ...],
        trap: Play,
        level: str,
        turn: int,
    ) -> Puzzle | None:
        tried = [
            ranked.play for ranked in ranking.plays[:3] if ranked.loss < FAR * self._unit or ranked is ranking.plays[1]
        ]
        if all(play.after != trap.after for play in tried):
            tried.append(trap)
        rolled = self._roll_out(tried, next(place for place, play in enumerate(tried) if play.after == trap.after))
        if rolled is None:
            return None
        losses = {tried[rolled_play.index].after: rolled_play.loss for rolled_play in rolled.rolled}
        second = rolled.rolled[1]
        worst = max(losses[play.after] for play in tried)
        thousandths = []
        for play in plays:
            loss = losses.get(play.after)
            if loss is None:
                judged = ranking.find(play.after)
                # A play that was not rolled out is behind those that were, by the engine's own judgement.
                loss = max(second.loss, worst if judged is None else judged.loss)
            thousandths.append(round(1000 * loss))
        puzzle = Puzzle(
            variant=self._variant.name, position=position, dice=roll, theme=theme_of(position, turn), level=level,
            tempting=0, losses=tuple(thousandths), source=self._number,
        )  # fmt: skip
        return replace(puzzle, tempting=next(place for place, play in enumerate(plays) if play.after == trap.after))

    def _roll_out(self, tried: list[Play], trap: int) -> Rollout | None:
        """The rollout of these plays, the best first; None where it does not confirm that.

        It ends as soon as the best is far ahead, and every figure far from the bound that it must keep.
        """
        policy = TrialPolicy(cubeful=False, truncate=CUT, seed=self._number)
        searcher = self._engine.searcher
        result = rollout(searcher, [Candidate.play(play) for play in tried], policy=policy, trials=ROUNDS[0], threads=1)
        for done, goes_on in zip(ROUNDS, (*ROUNDS[1:], 0), strict=True):
            second = result.rolled[1]
            tempting = next(row for row in result.rolled if row.index == trap)
            least = min(second.loss - MARGIN * self._unit, tempting.loss - LEAST * self._unit)
            least = min(least, MOST * self._unit - tempting.loss)
            error = max(row.loss_error for row in result.rolled[1:])
            # Few trials may be luck: they must be clearer to confirm, and are not final unless they are far off.
            slack = SURE * error if done < ENOUGH else 0.0
            if least < -slack / 2 or (result.best.index != 0 and done >= ENOUGH):
                return None
            apart = APART if goes_on else 2.0
            if result.best.index == 0 and second.loss > apart * second.loss_error and least >= slack:
                return result
            if goes_on:
                result = resume(searcher, result.state, trials=goes_on, threads=1)
        return None

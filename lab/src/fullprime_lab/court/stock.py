"""The stock of a court: close decisions of every family, from games of our own, with the plays that levels choose.

Games are played from the start and from sketches of rare families, side by side and round by round; a round follows
from the seed and its number. A decision is kept where its best plays are close. Each is on the disk at once, and a
stock that was stopped goes on where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.boards.conversion import position_of
from fullprime.engine.bots.batch import BatchPlayer, Dice
from fullprime.engine.bots.players import EnginePlayer
from fullprime.engine.cube.action import CubeDecision
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards, find_outcomes, starting_boards
from fullprime.engine.search.results import RankedPlay
from fullprime.rules.errors import FullprimeError, SettingsError
from fullprime.rules.notation import format_play
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.court.families import CUBES, FAMILIES, SKETCHES, families_of
from fullprime_lab.measure.json_lines import append_line, read_lines
from fullprime_lab.peers.questions import Question, context_of, money_question, read_board, write_board
from fullprime_lab.training.families import draw_rare_starts

LEVELS = ("0-ply", "1-ply", "2-ply")
"""The levels whose best plays are candidates; the last one says what is close."""
CLOSE = 0.12
"""A second play, and a decision with the cube, is at most so far behind the best one."""
MOST = 3
"""Candidates of a roll."""
_WON = 0.5
"""With the cube, a take gives up so much at most: in games that are as good as won it does not matter who doubles."""
_ORDINARY, _SKETCHED = 24, 160
"""Games of a round from the start, and from sketches."""
_LONGEST, _PLAYED_ON, _UNSEEN = 90, 12, 2
"""Plies of those games, and those right after a sketch, whose positions no game would come to."""
_TRIED = 30
"""Decisions of a family that are looked at in a round."""
_ROUNDS = 200

Progress = Callable[[str, int, int], None]
"""Called with a family, the decisions it has, and those it is to have."""


class StockError(FullprimeError):
    """A file that is no stock of a court."""


@dataclass(frozen=True)
class CourtDecision(Question):
    """A line of a stock: the question, its family, and the plays to be judged, as the boards after them are written.

    A decision with the cube has no candidates: both actions are judged.
    """

    family: str
    candidates: tuple[str, ...]
    round: int = 0


def read_stock(path: Path) -> list[CourtDecision]:
    """The decisions of a stock, those of all families in turn. Raises StockError, LinesError."""
    decisions = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            decision = _decision(line)
        except (KeyError, TypeError, ValueError, FullprimeError):
            raise StockError(f"{path}, line {number}: no decision of a court") from None
        decisions.append(decision)
    return sorted(decisions, key=lambda decision: int(decision.name.rpartition("-")[2]))


def _decision(line: Mapping[str, Any]) -> CourtDecision:
    candidates = tuple(str(candidate["position_id"]) for candidate in line["candidates"])
    decision = CourtDecision(str(line["id"]), line["asked"], str(line["family"]), candidates, int(line["round"]))
    for text in (decision.request["position"], *candidates):
        read_board(text, decision.variant)
    context_of(decision.request)
    int(decision.name.rpartition("-")[2])
    if decision.is_play == (len(candidates) < 2):
        raise ValueError(decision.name)
    return decision


def make_stock(
    path: Path,
    count: int,
    families: Collection[str] = FAMILIES,
    seed: int = 1,
    levels: Sequence[str] = LEVELS,
    progress: Progress = lambda _family, _done, _of: None,
) -> list[CourtDecision]:
    """Bring each of the families to ``count`` decisions; those that stay short after 200 rounds stay so."""
    unknown = [name for name in families if name not in FAMILIES]
    if unknown:
        raise SettingsError(f"there is no family {unknown[0]!r}; there are {', '.join(FAMILIES)}")
    decisions = read_stock(path)
    counts = Counter(decision.family for decision in decisions)
    keys = {_key(decision) for decision in decisions}
    maker = _Maker(levels, seed)
    for number in range(max((decision.round for decision in decisions), default=0), _ROUNDS):
        unfilled = [name for name in families if counts[name] < count]
        if not unfilled:
            break
        met = maker.play_round(number)
        for family in unfilled:
            progress(family, counts[family], count)
            for question, candidates in maker.close_decisions(met, number, family):
                if _key(question) in keys:
                    continue
                counts[family] += 1
                keys.add(_key(question))
                append_line(path, _line(family, counts[family], number, question, candidates))
                progress(family, counts[family], count)
                if counts[family] == count:
                    break
    return read_stock(path)


def _key(question: Question) -> tuple[str, str]:
    return question.request["position"], str(question.request["dice"])


def _line(
    family: str, count: int, number: int, question: Question, candidates: Sequence[RankedPlay]
) -> dict[str, object]:
    plays = [{"play": format_play(play.play), "position_id": write_board(play.position)} for play in candidates]
    name = f"{family.replace(' ', '-')}-{count}"
    return {"id": name, "family": family, "round": number, "asked": question.request, "candidates": plays}


@dataclass(frozen=True)
class _Met:
    """Decisions of games side by side: boards (n, 32), rolls (n, 2), games and families (n,); ordinary games first."""

    boards: Boards
    dice: Dice
    game: NDArray[np.int64]
    family: NDArray[np.int64]
    ordinary: int


class _Maker:
    """Plays rounds of games and finds the close decisions in them."""

    def __init__(self, levels: Sequence[str], seed: int) -> None:
        self._engine = Engine.open(level=levels[0])
        self._levels, self._seed = levels, seed

    def play_round(self, number: int) -> _Met:
        """The games of a round."""
        rng = np.random.default_rng((self._seed, number))
        player = EnginePlayer(self._engine)
        ordinary = _play_on(player, starting_boards(BACKGAMMON, _ORDINARY), 0, _LONGEST, rng)
        starts = draw_rare_starts(_SKETCHED, int(rng.integers(1 << 30)), SKETCHES)
        sketched = _play_on(player, starts, _UNSEEN, _PLAYED_ON, rng)
        boards = np.concatenate([ordinary[0], sketched[0]])
        dice = np.concatenate([ordinary[1], sketched[1]])
        game = np.concatenate([ordinary[2], _ORDINARY + sketched[2]])
        return _Met(boards, dice, game, families_of(boards), len(ordinary[0]))

    def close_decisions(self, met: _Met, number: int, family: str) -> Iterator[tuple[Question, tuple[RankedPlay, ...]]]:
        """Close decisions of a family with their candidates, one of a game at most."""
        ordinary, members = np.arange(met.ordinary), np.flatnonzero(met.family == FAMILIES.index(family))
        here = ordinary if family == CUBES else members
        games: set[int] = set()
        order = np.random.default_rng((self._seed, number, FAMILIES.index(family))).permutation(here)
        for index in order[:_TRIED].tolist():
            if met.game[index] in games:
                continue
            position = write_board(position_of(met.boards[index]))
            dice = None if family == CUBES else (int(met.dice[index].max()), int(met.dice[index].min()))
            question = money_question("", position, dice, cubeful=family == CUBES)
            candidates = self._candidates(question) if question.is_play else ()
            if candidates or (not question.is_play and self._at_the_border(question)):
                games.add(int(met.game[index]))
                yield question, candidates

    def _candidates(self, question: Question) -> tuple[RankedPlay, ...]:
        """The plays that the levels put first, and the closest others of the last level; none where none is close."""
        position, roll = question.position, question.roll
        deepest = self._engine.rank_plays(position, roll, question.context, level=self._levels[-1], same_depth=MOST)
        close = [play for play in deepest.plays[1:MOST] if play.loss <= CLOSE]
        if not close:
            return ()
        chosen = {deepest.best.position: deepest.best}
        for level in self._levels[:-1]:
            best = self._engine.rank_plays(position, roll, question.context, level=level).best
            chosen.setdefault(best.position, best)
        for play in close:
            chosen.setdefault(play.position, play)
        return tuple(chosen.values())[:MOST]

    def _at_the_border(self, question: Question) -> bool:
        decision: CubeDecision = self._engine.cube_decision(question.position, question.context, level=self._levels[-1])
        if decision.double_take is None or decision.double_drop is None or decision.exact:
            return False
        doubled = min(decision.double_take, decision.double_drop)
        apart = (decision.no_double - doubled, decision.double_take - decision.double_drop)
        return min(map(abs, apart)) <= CLOSE and decision.double_take - decision.double_drop <= _WON


def _play_on(
    player: BatchPlayer, boards: Boards, first: int, plies: int, rng: np.random.Generator
) -> tuple[Boards, Dice, NDArray[np.int64]]:
    """The decisions of games that go on from boards for a number of plies at most, from the ``first`` ply on."""
    game, met = np.arange(len(boards)), list[tuple[Boards, Dice, NDArray[np.int64]]]()
    for ply in range(plies):
        over, _outcomes = find_outcomes(boards, BACKGAMMON)
        boards, game = boards[~over], game[~over]
        if not len(boards):
            break
        dice = rng.integers(1, 7, (len(boards), 2), dtype=np.int8)
        if ply >= first:
            met.append((boards, dice, game))
        boards = player.choose(boards, dice).boards
    parts = [np.concatenate(part) for part in zip(*met, strict=True)]
    return parts[0], parts[1], parts[2]

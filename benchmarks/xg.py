"""Levels and peers judged by eXtreme Gammon's deep analyses in match files.

    python benchmarks/xg.py FILE_OR_FOLDER ... [--level NAME ...] [--half even|odd] [--json]

NAME is a level or a peer: ``gnubg-nn:1``, ``bgsage:2ply``, or the file of a net of PureTD (``….pt``). Peers choose
plays for money without a cube, whatever the score, and are not asked about cubes.

Judged are the decisions that eXtreme Gammon looked at most closely: plays whose best candidates have a rollout, XG
Roller+, XG Roller++ or its opening book, cubes with one of these or 4-ply. Everybody chooses at the score, with the
cube. PR is 500 times the mean loss of a play; a play that XG's list leaves out is charged the loss of its worst one. A
double or an answer is wrong where XG's equities say so. ``--half`` keeps every second decision, so that what is chosen
by one half is measured by the other. The files are for measuring, never for training.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.boards.conversion import position_of, row_of
from fullprime.engine.core.pack import swap
from fullprime.engine.cube.action import CubeDecision
from fullprime.engine.engine import Engine
from fullprime.engine.search.levels import level_named
from fullprime.formats import read
from fullprime.formats.analysis import CubeAnalysis, PlayAnalysis
from fullprime.formats.document import Document
from fullprime.rules.actions import Action, ActionKind
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.measure.decisions import PR
from fullprime_lab.peers.programs import is_peer, peer_named

_PLAYS = ("XG Roller+", "XG Roller++", "rollout", "opening book")
_CUBES = (*_PLAYS, "4-ply")
_EXTENSIONS = (".xg", ".xgp")


@dataclass(frozen=True, slots=True)
class PlayJudged:
    """A roll, and what each board after it costs by XG; boards are seen by the player who moved."""

    game: Game
    losses: dict[Position, float]

    @property
    def worst(self) -> float:
        """The loss of a play that XG's list leaves out."""
        return max(self.losses.values())


@dataclass(frozen=True, slots=True)
class CubeJudged:
    """A cube decision with XG's equities: of the player who could double, in units of the cube before."""

    game: Game
    no_double: float
    double_take: float
    double_drop: float


def is_deep(level: str, levels: Sequence[str]) -> bool:
    """True for a method of evaluation that is trusted."""
    return level.startswith(tuple(levels))


def decisions(paths: Sequence[Path]) -> Iterator[PlayJudged | CubeJudged]:
    """The closely analysed decisions of files, in order."""
    for path in paths:
        files = sorted(file for file in path.rglob("*") if file.suffix in _EXTENSIONS) if path.is_dir() else [path]
        for file in files:
            for document in read(file):
                yield from _of_match(document)


def _of_match(document: Document) -> Iterator[PlayJudged | CubeJudged]:
    events = document.review.events if document.review is not None else {}
    for number, record in enumerate(document.match.games):
        for place, entry in enumerate(record.entries()):
            before, event = entry.before, entry.event
            notes = events.get((number, place))
            if notes is None or not isinstance(event, Action):
                continue
            judged: PlayJudged | CubeJudged | None
            if notes.play is not None and event.kind is ActionKind.PLAY:
                judged = _play(before, notes.play)
            elif notes.cube is not None and event.kind in (ActionKind.ROLL, ActionKind.DOUBLE):
                judged = _cube(before, notes.cube)
            else:
                continue
            if judged is not None:
                yield judged


def _play(before: Game, analysis: PlayAnalysis) -> PlayJudged | None:
    rated = [
        (candidate.moves, candidate.equity, is_deep(candidate.level, _PLAYS))
        for candidate in analysis.candidates
        if candidate.equity is not None and candidate.moves is not None
    ]
    if len(rated) < 2 or analysis.unit != "points" or not rated[0][2]:
        return None
    best = max(equity for _, equity, deep in rated if deep)
    roll_plays = before.roll_plays
    plays = [(roll_plays.play(moves), best - equity) for moves, equity, _ in rated]
    losses = {play.after: max(0.0, loss) for play, loss in plays if play is not None}
    return PlayJudged(before, losses) if len(losses) > 1 else None


def _cube(before: Game, analysis: CubeAnalysis) -> CubeJudged | None:
    stay, taken, dropped = analysis.no_double, analysis.double_take, analysis.double_pass
    if stay is None or taken is None or dropped is None or not before.may_double:
        return None
    if analysis.unit != "points" or not is_deep(analysis.level, _CUBES):
        return None
    return CubeJudged(before, stay, taken, dropped)


@dataclass(frozen=True, slots=True)
class Figures:
    """The result of one level; errors are standard errors."""

    level: str
    plays: int
    pr: float
    pr_error: float
    cubes: int
    wrong_doubles: int
    wrong_takes: int
    cube_pr: float
    no_double: float
    no_double_bias: float
    double_take: float
    double_take_bias: float
    ms: float

    def __str__(self) -> str:
        name = self.level if len(self.level) < 20 else f"…{self.level[-19:]}"
        plays = f"{name:<8} PR {self.pr:5.2f} ± {self.pr_error:4.2f} of {self.plays} plays"
        if not self.cubes:
            return f"{plays}; {self.ms:.1f} ms a play"
        return (
            f"{plays}; of {self.cubes} cubes {self.wrong_doubles} doubles and {self.wrong_takes} answers wrong "
            f"(PR {self.cube_pr:.2f}), |no double| {self.no_double:.4f} ({self.no_double_bias:+.4f}), "
            f"|double, take| {self.double_take:.4f} ({self.double_take_bias:+.4f}); {self.ms:.1f} ms a decision"
        )


class Asked(Protocol):
    """A level or a peer that is asked about decisions."""

    name: str

    def play(self, game: Game) -> Position:
        """The board after the chosen play, seen by the player who made it."""
        ...

    def cube(self, game: Game) -> CubeDecision | None:
        """The decision about the cube; None where nothing is known of cubes."""
        ...


class LevelAsked:
    """One of our levels, which remembers nothing from before."""

    def __init__(self, level: str) -> None:
        self.name = level
        self._engine = Engine.open(BACKGAMMON)

    def play(self, game: Game) -> Position:
        """The best play at the score, with the cube."""
        return self._engine.rank_plays(game, level=self.name).best.play.after

    def cube(self, game: Game) -> CubeDecision | None:
        """The decision at the score."""
        return self._engine.cube_decision(game, level=self.name)


class PeerAsked:
    """A peer, which chooses plays for money without a cube."""

    def __init__(self, name: str) -> None:
        self._peer = peer_named(name)
        self.name = self._peer.name

    def play(self, game: Game) -> Position:
        """Its play for money."""
        assert game.dice is not None
        dice = np.array([[game.dice.high, game.dice.low]], np.int8)
        return position_of(swap(self._peer.choose(row_of(game.position), dice).boards)[0])

    def cube(self, game: Game) -> CubeDecision | None:
        """None, because it knows no cube."""
        del game
        return None


def asked_named(name: str) -> Asked:
    """A level or a peer by its name; raises PlayerError, SettingsError."""
    if is_peer(name):
        return PeerAsked(name)
    level_named(name)
    return LevelAsked(name)


def measure(whom: Asked, decisions: Sequence[PlayJudged | CubeJudged]) -> tuple[Figures, NDArray[np.float64]]:
    """A level or a peer on all decisions, and what each of its plays loses."""
    losses, costs, stay, taken = [], [], [], []
    wrong = [0, 0]
    begun = time.process_time()
    for decision in decisions:
        if isinstance(decision, PlayJudged):
            losses.append(decision.losses.get(whom.play(decision.game), decision.worst))
            continue
        judged = whom.cube(decision.game)
        if judged is None or judged.double_take is None or judged.double_drop is None:
            continue
        stay.append(judged.no_double - decision.no_double)
        taken.append(judged.double_take - decision.double_take)
        doubled = min(decision.double_take, decision.double_drop)
        cost = max(decision.no_double, doubled) - (doubled if judged.should_double else decision.no_double)
        answer = abs(decision.double_take - decision.double_drop)
        amiss = (judged.double_take < judged.double_drop) != (decision.double_take < decision.double_drop)
        costs.append(cost)
        wrong[0] += cost > 0
        wrong[1] += amiss and answer > 0
    spent = time.process_time() - begun
    lost, off, apart = np.array(losses or [0.0]), np.array(stay or [0.0]), np.array(taken or [0.0])
    figures = Figures(
        level=whom.name,
        plays=len(losses),
        pr=PR * float(lost.mean()),
        pr_error=PR * float(lost.std() / np.sqrt(len(lost))),
        cubes=len(stay),
        wrong_doubles=wrong[0],
        wrong_takes=wrong[1],
        cube_pr=PR * float(np.mean(costs or [0.0])),
        no_double=float(np.abs(off).mean()),
        no_double_bias=float(off.mean()),
        double_take=float(np.abs(apart).mean()),
        double_take_bias=float(apart.mean()),
        ms=1000 * spent / max(1, len(losses) + len(stay)),
    )
    return figures, lost


def main() -> None:
    """Print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--level", action="append", default=[])
    parser.add_argument("--half", choices=("even", "odd"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        judged = list(decisions(options.paths))
    except FullprimeError as error:
        parser.error(str(error))
    if options.half:
        judged = judged[options.half == "odd" :: 2]
    first: NDArray[np.float64] | None = None
    for name in options.level or ("0-ply", "1-ply", "2-ply"):
        try:
            whom = asked_named(name)
        except FullprimeError as error:
            parser.error(str(error))
        figures, lost = measure(whom, judged)
        if options.json:
            print(json.dumps({name: getattr(figures, name) for name in Figures.__slots__}), flush=True)
            continue
        print(figures, flush=True)
        if first is None:
            first = lost
        else:
            apart = PR * (lost - first)
            print(f"{'':<8} against the first {apart.mean():+.2f} ± {apart.std() / len(apart) ** 0.5:.2f}", flush=True)


if __name__ == "__main__":
    main()

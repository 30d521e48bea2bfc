"""The judges of a court: our own rollouts, those of GNU Backgammon, and those of other programs' modules."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.bots.batch import PlayerError
from fullprime.engine.core.pack import swap
from fullprime.engine.engine import Engine
from fullprime.engine.rollouts.rollout import Candidate, rollout
from fullprime.engine.rollouts.task import TrialPolicy
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime_lab.court.peer_rollouts import roll_out_by
from fullprime_lab.court.stock import CourtDecision
from fullprime_lab.court.verdicts import DOUBLE_TAKE, NO_DOUBLE, Worth
from fullprime_lab.measure.completions import seed_of, write_version
from fullprime_lab.peers.gnubg import GnubgProgram, find_gnubg
from fullprime_lab.peers.programs import Bgsage, GnubgNN, peer_version
from fullprime_lab.peers.questions import read_board

OURS, GNUBG, BGSAGE = "fullprime", "gnubg", "bgsage"
JUDGES = (OURS, GNUBG, BGSAGE)
"""The judges by name; GNU Backgammon is its program or, where that is not installed, its nets in gnubg-nn."""
Plays = dict[str, Worth]


class JudgeError(FullprimeError):
    """A judge that does not exist or is not installed."""


class Judge(Protocol):
    """What a judge finds plays to be worth to the player who makes them."""

    name: str
    version: str

    def plays(self, decision: CourtDecision, boards: Sequence[Position], trials: int, seed: int) -> list[Worth]:
        """The worth of plays, as the boards after them, seen by the other player."""
        ...

    def cube(self, decision: CourtDecision, trials: int, seed: int) -> Plays | None:
        """The worth of both actions with the cube; None for a judge who knows no cube."""
        ...


class OurJudge:
    """Our own rollouts to the end of the game, so that no net of ours has the last word."""

    name = OURS

    def __init__(self, plies: int) -> None:
        self._policy = TrialPolicy(ply=plies, cube_ply=plies, joint=plies > 0)
        self._engine = Engine.open(threads=1)
        self.version = write_version(self._engine)

    def _rolled(self, decision: CourtDecision, candidates: Sequence[Candidate], trials: int, seed: int) -> list[Worth]:
        policy = replace(self._policy, seed=seed, cubeful=not decision.is_play)
        result = rollout(self._engine.searcher, candidates, decision.context, policy=policy, trials=trials, threads=1)
        rolled = [result.of(index) for index in range(len(candidates))]
        return [Worth(candidate.equity, candidate.error, trials) for candidate in rolled]

    def plays(self, decision: CourtDecision, boards: Sequence[Position], trials: int, seed: int) -> list[Worth]:
        """Rolled out cubeless, all on the same dice."""
        return self._rolled(decision, [Candidate(board, str(board), theirs=True) for board in boards], trials, seed)

    def cube(self, decision: CourtDecision, trials: int, seed: int) -> Plays | None:
        """Rolled out with a live cube."""
        actions = Candidate.cube_actions(decision.position, decision.context)[:2]
        return dict(zip((NO_DOUBLE, DOUBLE_TAKE), self._rolled(decision, actions, trials, seed), strict=True))


class GnubgNNJudge:
    """The nets of GNU Backgammon in gnubg-nn, whose own rollout crashes: games in which they play both sides."""

    name = GNUBG

    def __init__(self) -> None:
        self._peer = GnubgNN(0)
        self.version = f"gnubg-nn {peer_version('gnubg-nn')}"

    def plays(self, decision: CourtDecision, boards: Sequence[Position], trials: int, seed: int) -> list[Worth]:
        """Rolled out cubeless, all on the same dice."""
        del decision
        rows = np.concatenate([row_of(board) for board in boards])
        return roll_out_by(self._peer, rows, trials, seed)

    def cube(self, decision: CourtDecision, trials: int, seed: int) -> Plays | None:
        """It knows no cube."""
        del decision, trials, seed
        return None


class BgsageJudge:
    """bgsage's own rollouts to the end of the game."""

    name = BGSAGE

    def __init__(self) -> None:
        self._peer = Bgsage("1ply")
        self.version = f"bgsage {peer_version('bgsage')}"

    def _analyzer(self, decision: CourtDecision, trials: int, seed: int) -> Any:
        return self._peer.module.BgBotAnalyzer(
            eval_level="rollout",
            cubeful=not decision.is_play,
            parallel_threads=1,
            n_trials=trials,
            truncation_depth=0,
            seed=seed,
        )

    def plays(self, decision: CourtDecision, boards: Sequence[Position], trials: int, seed: int) -> list[Worth]:
        """Rolled out cubeless."""
        analyzer = self._analyzer(decision, trials, seed)
        rows = [self._peer.board(swap(row_of(board))[0]) for board in boards]
        answers = [analyzer.post_move_analytics(row) for row in rows]
        return [_worth(answer.cubeless_equity, answer.cubeless_se, trials) for answer in answers]

    def cube(self, decision: CourtDecision, trials: int, seed: int) -> Plays | None:
        """Rolled out with a live cube."""
        board = self._peer.board(row_of(decision.position)[0])
        answer = self._analyzer(decision, trials, seed).cube_action(board, 1, "centered", jacoby=False, beaver=False)
        return {
            NO_DOUBLE: _worth(answer.equity_nd, answer.equity_nd_se, trials),
            DOUBLE_TAKE: _worth(answer.equity_dt, answer.equity_dt_se, trials),
        }


def _worth(equity: float, error: float | None, trials: int) -> Worth:
    if error is None:
        raise JudgeError("bgsage: its rollout says no standard error; it is too old")
    return Worth(float(equity), float(error), trials)


class GnubgJudge:
    """GNU Backgammon's own rollouts, by its program."""

    name = GNUBG

    def __init__(self, program: str) -> None:
        self._program = GnubgProgram(program)
        self.version = self._program.version

    def plays(self, decision: CourtDecision, boards: Sequence[Position], trials: int, seed: int) -> list[Worth]:
        """Rolled out cubeless, all with the same seed."""
        del decision
        return [Worth(*pair, trials) for pair in self._program.roll_out(boards, trials, seed)]

    def cube(self, decision: CourtDecision, trials: int, seed: int) -> Plays | None:
        """Rolled out with a live cube."""
        stay, take = self._program.roll_out_cube(decision.position, trials, seed)
        return {NO_DOUBLE: Worth(*stay, trials), DOUBLE_TAKE: Worth(*take, trials)}


def judge_named(name: str, plies: int = 1) -> Judge:
    """A judge by its name; ``plies`` are those behind the plays of our own trials. Raises JudgeError."""
    if name not in JUDGES:
        raise JudgeError(f"there is no judge {name[:40]!r}; there are {', '.join(JUDGES)}")
    if name == OURS:
        return OurJudge(plies)
    program = find_gnubg() if name == GNUBG else None
    try:
        if name == BGSAGE:
            return BgsageJudge()
        return GnubgNNJudge() if program is None else GnubgJudge(program)
    except PlayerError as error:
        raise JudgeError(f"{name}: {error}") from None


def installed_judges() -> list[str]:
    """The names of the judges that are there."""
    present = {
        OURS: True,
        GNUBG: bool(find_gnubg() or peer_version("gnubg-nn")),
        BGSAGE: bool(peer_version("bgsage")),
    }
    return [name for name in JUDGES if present[name]]


def verdict_of(judge: Judge, decision: CourtDecision, plays: Collection[str], trials: int, earlier: int = 0) -> Plays:
    """What a judge finds some plays of a decision to be worth; nothing where it knows no cube.

    The dice follow from the decision's name and the trials that the plays had before.
    """
    seed = seed_of(f"{decision.name} after {earlier} trials" if earlier else decision.name)
    if not decision.is_play:
        return judge.cube(decision, trials, seed) or {}
    boards = [read_board(play, decision.variant) for play in plays]
    return dict(zip(plays, judge.plays(decision, boards, trials, seed), strict=True))

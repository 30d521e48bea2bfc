"""The engine measured beside other programs in the same run: the same positions, one thread each, processor time.

Times are those of the processor, so that the other work of the machine matters little. Start-up and memory are those
of a fresh process that answers one question. Peers that are not installed are left out, and PureTD where no file of its
net is named.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from fullprime.common.json_values import JsonFields, json_names
from fullprime.engine.bots.batch import BatchPlayer, Dice, PlayerError
from fullprime.engine.bots.players import EnginePlayer
from fullprime.engine.duel import sample_games
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.levels import level_named
from fullprime.engine.warmup import prepare
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime_lab.peers.programs import Bgsage, GnubgNN, peer_version
from fullprime_lab.peers.puretd import PureTD

_PARTS = 6
"""Of the boards that evaluations are measured on: five that count, and one to begin with."""
OURS, GNUBG, BGSAGE, PURETD = "fullprime", "gnubg-nn", "bgsage", "puretd"
NAMES = (OURS, GNUBG, BGSAGE, PURETD)


@dataclass(frozen=True, slots=True)
class PeerFigure:
    """One figure measured for all programs."""

    __json__: ClassVar[JsonFields] = json_names("name", "values", "ratios")

    name: str
    """What is measured, and its unit."""
    values: dict[str, float | None]
    """The figure by program; None where it is not installed or cannot do it."""
    more_is_better: bool

    @property
    def ratios(self) -> dict[str, float | None]:
        """Our figure as a multiple of each peer's, more being better."""
        return {name: self.ratio(name) for name in NAMES if name != OURS}

    def ratio(self, peer: str) -> float | None:
        """Our figure as a multiple of a peer's, more being better; None where there is nothing to compare."""
        mine, other = self.values[OURS], self.values.get(peer)
        if not mine or not other:
            return None
        return mine / other if self.more_is_better else other / mine


@dataclass(frozen=True, slots=True)
class PeersBench:
    """The engine beside its peers."""

    versions: dict[str, str | None]
    """The versions by program; None where it is not installed."""
    decisions: int
    """The number of decisions measured."""
    figures: tuple[PeerFigure, ...]
    """The figures measured."""


def bench_peers(
    decisions: int = 400, progress: Callable[[str], None] | None = None, puretd: PureTD | None = None
) -> list[PeerFigure]:
    """Measure everything; about a minute with all peers."""
    report = progress or (lambda _word: None)
    report("positions from our own games")
    engine = Engine.open(level="fast")
    prepare(engine)
    boards, dice = sample_decisions(engine, decisions)
    gnubg, bgsage = _installed(GnubgNN), _installed(Bgsage)
    figures: list[PeerFigure] = []

    def add(name: str, values: dict[str, float | None], *, more_is_better: bool = False) -> None:
        figures.append(PeerFigure(name, {program: values.get(program) for program in NAMES}, more_is_better))

    report("evaluations")
    many, _ = sample_decisions(engine, 20 * decisions, seed=2)
    add("static evaluations/s", _evaluations(engine, gnubg, bgsage, puretd, many), more_is_better=True)
    for level in ("fast", "0-ply", "1-ply", "2-ply"):
        report(f"plays at {level}")
        ply = level_named(level).ply
        count = (decisions, max(20, decisions // 3), max(10, decisions // 4))[ply]
        values = _plays(level, bool(gnubg), bool(bgsage), boards[:count], dice[:count])
        if puretd is not None and not ply:
            values[PURETD] = _play_time(puretd, boards[:count], dice[:count])
        add(f"ms a play, {level}, median", values)
    report("rollouts")
    add("rollout games/s", _rollouts(engine, bool(bgsage)), more_is_better=True)
    report("start-up")
    starts = {name: _fresh_process(name) for name in _QUESTIONS if name == OURS or peer_version(name)}
    add("start-up and first play, s", {name: seconds for name, (seconds, _) in starts.items()})
    add("memory after it, MB", {name: megabytes for name, (_, megabytes) in starts.items()})
    return figures


def sample_decisions(engine: Engine, decisions: int, seed: int = 1) -> tuple[Boards, Dice]:
    """Different decisions with contact, in random order, from games of our own static level."""
    met: list[tuple[Boards, Dice]] = []
    sample_games(EnginePlayer(engine), BACKGAMMON, pairs=max(4, decisions // 30), seed=seed, met=met)
    boards, dice = (np.concatenate(parts) for parts in zip(*met, strict=True))
    places = np.arange(26)
    own = np.where(boards[:, :26] > 0, places, 0).max(axis=1)
    other = np.where(boards[:, :26] < 0, places, 99).min(axis=1)
    contact = np.flatnonzero(own > other)
    _, first = np.unique(np.concatenate([boards, dice], axis=1)[contact], axis=0, return_index=True)
    chosen = np.random.default_rng(seed).permutation(contact[first])[:decisions]
    return np.ascontiguousarray(boards[chosen]), np.ascontiguousarray(dice[chosen])


def _evaluations(
    engine: Engine, gnubg: GnubgNN | None, bgsage: Bgsage | None, puretd: PureTD | None, boards: Boards
) -> dict[str, float | None]:
    # Peers remember the boards that they have judged: every board is given to them once.
    boards = np.unique(boards, axis=0)
    parts = np.array_split(np.random.default_rng(1).permutation(boards), _PARTS)
    judge = engine.searcher.evaluator.evaluate
    values: dict[str, float | None] = {OURS: _best_rate(judge, [np.tile(part, (10, 1)) for part in parts])}
    if gnubg is not None:
        ask = gnubg.module.probabilities
        peer_boards = [[gnubg.board(row) for row in part] for part in parts]
        values[GNUBG] = _best_rate(lambda part: [ask(board, 0) for board in part], peer_boards)
    if bgsage is not None:
        batch = bgsage.module.batch_post_move_evaluate
        questions = [[{"board": bgsage.board(row)} for row in part] for part in parts]
        values[BGSAGE] = _best_rate(lambda part: batch(part, eval_level="1ply", n_threads=1), questions)
    if puretd is not None:
        values[PURETD] = _best_rate(puretd.equities, parts)
    return values


def _plays(level: str, gnubg: bool, bgsage: bool, boards: Boards, dice: Dice) -> dict[str, float | None]:
    """Median milliseconds from a position in the program's own form to the board after its play."""
    pairs = dice.tolist()
    fresh, ply = EnginePlayer(Engine.open(level=level)), level_named(level).ply
    values: dict[str, float | None] = {OURS: _play_time(fresh, boards, dice)}
    if gnubg:
        other = GnubgNN(ply)
        ask, peer_boards = other.module.best_move, [other.board(row) for row in boards]
        values[GNUBG] = _median(lambda index: ask(peer_boards[index], *pairs[index], n=ply, b=1), len(peer_boards))
    if bgsage:
        third = Bgsage(f"{ply + 1}ply")
        questions = [third.board(row) for row in boards]
        play = third.analyzer.checker_play
        values[BGSAGE] = _median(lambda index: play(questions[index], *pairs[index]), len(questions))
    return values


def _play_time(player: BatchPlayer, boards: Boards, dice: Dice) -> float:
    """Median milliseconds of a play, one position at a time."""
    rows = [boards[index : index + 1] for index in range(len(boards))]
    rolls = [dice[index : index + 1] for index in range(len(boards))]
    return _median(lambda index: player.choose(rows[index], rolls[index]), len(rows))


def _rollouts(engine: Engine, bgsage: bool) -> dict[str, float | None]:
    """Games a second from the start of the game, to the end, cubeless, with variance reduction.

    gnubg-nn is left out: its rollout ends the process (segmentation fault, 1.1.0a11).
    """
    from fullprime.engine.rollouts.trials import TrialPolicy

    start = BACKGAMMON.starting_position
    policy = TrialPolicy(cubeful=False)

    def ours() -> object:
        return engine.rollout(start, policy=policy, trials=216, threads=1)

    values: dict[str, float | None] = {OURS: 216 / _best(ours, 2)}
    if bgsage:
        module = import_module("bgsage")
        analyzer = module.BgBotAnalyzer(
            eval_level="rollout", cubeful=False, parallel_threads=1, n_trials=36, truncation_depth=0
        )
        values[BGSAGE] = 36 / _best(lambda: analyzer.post_move_analytics(module.STARTING_BOARD), 1)
    return values


_QUESTIONS = {
    OURS: (
        "from fullprime.engine.engine import Engine\n"
        "from fullprime.rules.variants import BACKGAMMON\n"
        "Engine.open(level='fast').best_play(BACKGAMMON.starting_position, (3, 1))"
    ),
    GNUBG: "import gnubg_nn as g\ng.best_move(g.board_from_position_id('4HPwATDgc/ABMA'), 3, 1)",
    BGSAGE: "import bgsage as b\nb.BgBotAnalyzer(cubeful=False).checker_play(b.STARTING_BOARD, 3, 1)",
}


# The kernel's own figure for this process image; the one of getrusage counts what the parent had before it.
_PEAK = "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"


def _fresh_process(name: str) -> tuple[float, float]:
    """Seconds and megabytes of a new process that chooses one play; the better of two, the first of which warms up."""
    script = f"{_QUESTIONS[name]}\n{_PEAK}"
    best, memory = float("inf"), 0.0
    for _ in range(3):
        begun = time.perf_counter()
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own questions
        best = min(best, time.perf_counter() - begun)
        memory = float(done.stdout.split()[-1]) / 1024
    return best, memory


def _installed(kind: type[Any]) -> Any:
    try:
        return kind()
    except PlayerError:
        return None


def _best(work: Callable[[], object], runs: int) -> float:
    """Processor seconds of the fastest run; one more before them does not count."""
    work()
    times = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def _best_rate(judge: Callable[[Any], object], parts: Sequence[Any]) -> float:
    """Calls a processor second, of the fastest part: each is judged once, after a few boards of the last."""
    judge(parts[-1][:8])
    rates = []
    for part in parts[:-1]:
        begun = time.process_time()
        judge(part)
        rates.append(len(part) / (time.process_time() - begun))
    return max(rates)


def _median(work: Callable[[int], object], count: int) -> float:
    """Median processor milliseconds."""
    work(0)
    times = []
    for index in range(count):
        begun = time.process_time()
        work(index)
        times.append(time.process_time() - begun)
    return 1000 * statistics.median(times)

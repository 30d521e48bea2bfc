"""Exact endgames of a few checkers a side, with contact, by the rules of every game; all of Hypergammon.

Cases outside the bear-off tables (`bearoff`): contact, games settled by checkers, extra throws, an exact bear-off.
A table holds the cubeless outputs under perfect play of every position with at most its number of checkers a side left.
Those of two are in the package. Those of three take minutes and are built on demand
(``fullprime endgames hypergammon``); a table of Hypergammon's three is the whole game.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import platformdirs

from fullprime.common.atomic_write import atomic_writer, remove_partials
from fullprime.engine.boards.follow_ups import follow_ups_array
from fullprime.engine.core.pack import for_kernels, rules_array
from fullprime.engine.cube.probabilities import equity as equity_of
from fullprime.engine.nets.evaluator import Boards, NetEvaluator, counts_checkers
from fullprime.engine.nets.net import DATA
from fullprime.rules.errors import FullprimeError
from fullprime.rules.variants import VARIANTS
from fullprime.rules.variants.variant import HitLicence, Variant

if TYPE_CHECKING:
    from types import ModuleType

VERSION = 1
"""Goes up whenever the content of the tables changes."""
PACKED = 2
"""Checkers a side of the tables in the package."""
MOST = 3
"""Checkers a side of the largest tables on offer: 10.7 million positions."""
A_ROLL = 4
"""Checkers that one roll brings home or off at most."""
_EVEN = 1e-9
"""Changes below which values stand still."""
_COARSE = 1e-4
"""The same for the plays of three a side, where a round takes minutes: the next change would be about its square."""
_ROUNDS = 400
_BETWEEN = 8
"""Rounds of values between two of plays."""
_SLICES = 64
_BATCH = 1 << 17
_FINE = 65535
"""Steps of a chance in the tables of three, which keep 16 bits: 0.000008 at most is lost."""

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Progress = Callable[[float, str], None]
"""Called with the part done (0 to 1) and a word for the present step."""


class EndgameError(FullprimeError):
    """An endgame table that cannot be made or is not as expected."""


@dataclass(frozen=True, slots=True, eq=False)
class EndgameTable:
    """Outputs of all positions of up to ``checkers`` a side, of ``total`` each; ``values`` (n, n, columns)."""

    checkers: int
    total: int
    columns: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32] | npt.NDArray[np.uint16]

    def look_up(self, rows: Boards) -> tuple[Bools, Floats]:
        """A mask of the packed positions (n, 32) that the table holds (no finished games), and outputs (n, 5)."""
        covered = np.zeros(len(rows), np.bool_)
        out = np.zeros((len(rows), 5))
        core, in_steps = _core(), self.values.dtype == np.uint16
        look_up, scale = (core.look_up_steps, 1.0 / _FINE) if in_steps else (core.look_up, 1.0)
        look_up(rows, self.checkers, self.total, self.values, scale, self.columns, covered, out)
        return covered, out


class Endgames:
    """The tables of one game: read when the first position comes up that they may hold.

    Where a table of three checkers a side has been built, which keeps 16 bits, that of two still answers for its own.
    """

    def __init__(self, variant: Variant, folder: Path | None = None) -> None:
        self.variant = variant
        self._folder = folder
        self._lock = threading.Lock()
        self._tables: tuple[EndgameTable, ...] = ()
        self.checkers = MOST if self.is_whole else PACKED
        self._least_off = variant.checkers - self.checkers
        # The turns of Acey Deucey can go on and on.
        turn = variant.checkers if variant.after_double or variant.after_acey_deucey else A_ROLL
        self._least_off_before = self._least_off - turn

    @staticmethod
    def serves(variant: Variant) -> bool:
        """True if there are tables for a game: those that differ from our games in the start alone, or in a licence
        to hit, which a side that has borne checkers off holds.
        """
        special = variant.acey_deucey_doubles_stake or variant.checkers < MOST
        return not special and _packed_name(variant) is not None

    @property
    def is_whole(self) -> bool:
        """True if a table of three a side has been built, in the user's data folder or the one given."""
        return file_of(self.variant, self._folder).exists()

    def probabilities(self, rows: Boards) -> tuple[Bools, Floats]:
        """(covered, outputs) of packed positions (n, 32); rows that are not covered hold zeros."""
        near = (rows[:, 26] >= self._least_off) & (rows[:, 27] >= self._least_off)
        if not near.any():
            return near, np.zeros((len(rows), 5))
        largest, *finer = self.tables
        covered, outputs = largest.look_up(for_kernels(rows))
        for table in finer:
            few = np.flatnonzero((rows[:, 26:28] >= table.total - table.checkers).all(1))
            if len(few):
                is_exact, exact = table.look_up(for_kernels(rows[few]))
                outputs[few[is_exact]] = exact[is_exact]
                covered[few[is_exact]] = True
        return covered, outputs

    def within_a_turn(self, rows: Boards) -> Bools:
        """A mask (n,) of the packed positions (n, 32) from which a play may lead into the tables, and of some more."""
        few = rows[:, 27] >= self._least_off
        return few & (rows[:, 26] >= self._least_off_before) if few.any() else few

    @property
    def tables(self) -> tuple[EndgameTable, ...]:
        """The tables that there are, the largest first."""
        with self._lock:
            if not self._tables:
                built = _read_built(self.variant, self._folder)
                self._tables = (*(() if built is None else (built,)), _read_packed(self.variant))
            return self._tables


# -- making -------------------------------------------------------------------------------------------------------
def solve(
    variant: Variant,
    checkers: int,
    progress: Progress | None = None,
    *,
    threads: int = 1,
    guess: Callable[[Iterator[Boards]], Floats] | None = None,
    keep: Callable[[Floats], None] | None = None,
) -> EndgameTable:
    """Solve a table: seconds for one or two checkers a side, many minutes for three.

    ``guess``: equities to begin with, for batches of packed positions with contact; good ones save rounds. ``keep`` is
    given all equities (n, n) after every round.
    Raises EndgameError for a number of checkers or a game that there is no table for.
    """
    total, large = variant.checkers, checkers == MOST
    if not 1 <= checkers <= min(MOST, total):
        raise EndgameError(f"{checkers} checkers a side: tables of {variant.title} have 1 to {min(MOST, total)}")
    licensed = variant.hit_licence is not HitLicence.FREE
    if licensed and total == checkers:
        raise EndgameError(f"{variant.title}: the table does not tell who has a licence to hit")
    core, report = _core(), progress or (lambda _part, _word: None)
    rules, extra = rules_array(variant.with_options({"hit_licence": "free"})), follow_ups_array(variant)
    by_checkers = counts_checkers(variant)
    places = core.all_places(checkers)
    count = len(places)
    running = _sort_pairs(places)
    outputs = np.zeros((count, count, 5))
    equity = np.zeros((count, count))
    policy = np.zeros((count * count, 21), np.int32)
    core.guess_values(places, total, by_checkers, outputs, equity)
    contact = core.have_contact(running, places)
    improve = partial(_improve, core, checkers, places, total, rules, extra, equity, policy)
    with ThreadPoolExecutor(threads) as pool:
        # A race leads to races of fewer pips alone: one after the other they are right at once.
        for part, pairs in enumerate(np.array_split(running[~contact], _SLICES)):
            report(part / _SLICES, "races")
            improve(pairs)
        order = running[contact]
        if guess is not None:
            equity.reshape(-1)[order] = guess(_boards(places, order, total))
        for turn in range(_ROUNDS):
            changes = []
            for change in pool.map(improve, np.array_split(order, _SLICES)):
                changes.append(change)
                report(len(changes) / _SLICES, f"best plays, round {turn + 1}")
            if max(changes) < (_COARSE if large else _EVEN):
                break
            _iterate_until_stable(lambda: core.evaluate_equities(order, policy, equity), _BETWEEN, max(changes) / 100)
            if keep is not None:
                keep(equity)
    report(1.0, "values")
    _iterate_until_stable(
        lambda: core.evaluate_outputs(running, policy, outputs), _ROUNDS, _COARSE / 100 if large else _EVEN / 10
    )
    columns = _columns(variant, checkers)
    chances = outputs[:, :, columns]
    values = np.rint(chances * _FINE).astype(np.uint16) if large else chances.astype(np.float32)
    return EndgameTable(checkers, total, columns, values)


def _improve(core: ModuleType, *arguments: Any) -> float:
    *shared, order = arguments
    change: float = core.improve_policy(order, *shared)
    return change


def _boards(places: npt.NDArray[np.int64], order: npt.NDArray[np.int64], total: int) -> Iterator[Boards]:
    """The packed positions of pairs of sides, in batches."""
    for start in range(0, len(order), _BATCH):
        pairs = order[start : start + _BATCH]
        own, other = places[pairs // len(places)], places[pairs % len(places)]
        rows = np.zeros((len(pairs), 32), np.int8)
        indexes = np.arange(len(pairs))
        for column in range(places.shape[1]):
            mine, theirs = own[:, column], other[:, column]
            np.add.at(rows, (indexes[mine > 0], mine[mine > 0]), 1)
            np.add.at(rows, (indexes[theirs > 0], 25 - theirs[theirs > 0]), -1)
        rows[:, 26] = total - (own > 0).sum(1)
        rows[:, 27] = total - (other > 0).sum(1)
        yield rows


def net_evaluator(variant: Variant) -> Callable[[Iterator[Boards]], Floats]:
    """Make an evaluator of positions from the nets of a game, for first guesses."""
    evaluator = NetEvaluator(variant)
    return lambda batches: np.concatenate([equity_of(evaluator.evaluate(rows), variant) for rows in batches])


def _iterate_until_stable(once: Callable[[], float], most: int, even: float) -> None:
    for _ in range(most):
        if once() < even:
            return


def _sort_pairs(places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The pairs of sides that are running games, the fewest pips first."""
    pips = places.sum(1)
    points: npt.NDArray[np.int64] = np.where((places > 0) & (places < 25), 1 << places, 0)
    mine = reduce(np.bitwise_or, points.T)
    mirrored: npt.NDArray[np.int64] = np.where(points > 0, 1 << (25 - places), 0)
    theirs = reduce(np.bitwise_or, mirrored.T)
    possible = (mine[:, np.newaxis] & theirs) == 0
    possible &= (pips > 0)[:, np.newaxis] & (pips > 0)
    pairs = np.flatnonzero(possible)
    both = (pips[:, np.newaxis] + pips).astype(np.int16).ravel()[pairs]
    return pairs[np.argsort(both, kind="stable")]


def _columns(variant: Variant, checkers: int) -> npt.NDArray[np.int64]:
    """The outputs that are not zero everywhere."""
    if counts_checkers(variant):
        return np.array([0, 1, 3])
    return np.arange(5) if variant.checkers == checkers else np.array([0])


# -- files --------------------------------------------------------------------------------------------------------
def _kind(variant: Variant) -> tuple[object, ...]:
    """The facts by which the endgames of one game differ from those of another."""
    return (
        variant.bar_priority,
        variant.exact_bearoff,
        variant.after_acey_deucey,
        variant.after_double,
        variant.settlement,
    )


def _packed_name(variant: Variant) -> str | None:
    """The table in the package that holds for a game: that of the first of our games with the same endings."""
    for shipped in VARIANTS.values():
        if _kind(shipped) == _kind(variant):
            return f"{shipped.name}-{PACKED}.npy"
    return None


def packed_games() -> Iterator[Variant]:
    """The games whose tables of two checkers a side are in the package: one of every kind."""
    kinds: set[tuple[object, ...]] = set()
    for variant in VARIANTS.values():
        if _kind(variant) not in kinds:
            kinds.add(_kind(variant))
            yield variant


def data_folder() -> Path:
    """The folder of large tables: ``endgames`` in the user's data folder of this package."""
    return platformdirs.user_data_path("fullprime", appauthor=False) / "endgames"


def file_of(variant: Variant, folder: Path | None = None) -> Path:
    """The file of a game's table of three checkers a side."""
    return (folder or data_folder()) / f"{variant.name}-{MOST}-v{VERSION}.npy"


def build(variant: Variant, folder: Path | None = None, progress: Progress | None = None, *, threads: int = 1) -> Path:
    """Make a game's table of three checkers a side and store it; raises OSError where it cannot be written.

    Interrupted, it goes on after the last whole round.
    """
    standard = VARIANTS.get(variant.name)
    if standard is None or standard != variant:
        raise EndgameError(f"{variant.title} with other options: tables are made for the games as they are")
    path = file_of(variant, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    rounds = path.with_suffix(".rounds.npy")
    guess = _resume(rounds) if rounds.exists() else net_evaluator(variant)
    table = solve(variant, MOST, progress, threads=threads, guess=guess, keep=lambda equity: _store(rounds, equity))
    _store(path, table.values)
    rounds.unlink(missing_ok=True)
    return path


def _store(path: Path, values: npt.NDArray[Any]) -> None:
    """Write an array that appears complete or not at all."""
    remove_partials(path)
    with atomic_writer(path) as file:
        np.save(file, values, allow_pickle=False)


def _resume(path: Path) -> Callable[[Iterator[Boards]], Floats]:
    """The equities that an interrupted run has left."""
    values = np.load(path, allow_pickle=False)
    places = _core().all_places(MOST)
    if values.shape != (len(places), len(places)):
        raise EndgameError(f"{path}: not what an interrupted run leaves; take it away")
    running = _sort_pairs(places)
    contact = running[_core().have_contact(running, places)]
    return lambda _batches: values.reshape(-1)[contact]


def store_packed(folder: Path = DATA / "endgames") -> list[Path]:
    """Make the tables of the package again; returns their files."""
    folder.mkdir(exist_ok=True)
    paths = []
    for variant in packed_games():
        path = folder / f"{variant.name}-{PACKED}.npy"
        _store(path, solve(variant, PACKED).values)
        paths.append(path)
    return paths


def _read_packed(variant: Variant) -> EndgameTable:
    name = _packed_name(variant)
    if name is None:
        raise EndgameError(f"there is no endgame table for {variant.title} with these options")
    values = np.load(DATA / "endgames" / name, mmap_mode="r", allow_pickle=False)
    columns = np.array([0, 1, 3]) if counts_checkers(variant) else np.array([0])
    return EndgameTable(PACKED, variant.checkers, columns, np.asarray(values))


def _read_built(variant: Variant, folder: Path | None) -> EndgameTable | None:
    path = file_of(variant, folder)
    if VARIANTS.get(variant.name) != variant or not path.exists():
        return None
    columns = _columns(variant, MOST)
    try:
        values = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise EndgameError(f"{path}: no endgame table: {error}") from None
    if values.dtype != np.uint16 or values.ndim != 3 or values.shape[2] != len(columns):
        raise EndgameError(f"{path}: no endgame table of {variant.title}: {values.dtype} {values.shape}")
    return EndgameTable(MOST, variant.checkers, columns, np.asarray(values))


def _core() -> ModuleType:
    from fullprime.engine.core.tables import endgame

    return endgame
